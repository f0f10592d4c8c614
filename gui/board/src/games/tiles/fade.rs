//! Effect of a token that appears or is lost.

use std::f32::consts::TAU;

use egui::{Color32, Painter, Pos2};
use grandstand_protocol::team::RedBlue;

use crate::angle::angled;
use crate::team_marks;
use crate::theme::Palette;

/// Rings that close in for a token that appears; rings and drops that fly apart for one that is lost.
pub(crate) fn paint_fade(
    painter: &Painter,
    palette: &Palette,
    center: Pos2,
    size: f32,
    (team, comes, progress): (RedBlue, bool, f32),
) {
    let colors = palette.squad(team);
    let fade = 1.0 - progress;
    if comes {
        for lag in [0.0, 0.25] {
            let part = ((progress - lag) / (1.0 - lag)).clamp(0.0, 1.0);
            let radius = size * (1.5 - 0.95 * part);
            let color = colors.accent.gamma_multiply(0.9 * (1.0 - part) * (progress > lag) as u8 as f32);
            painter.add(team_marks::glow(center, radius, size * 0.16, color));
        }
        return;
    }
    painter.circle_filled(
        center,
        size * (0.35 + 0.3 * progress),
        Color32::WHITE.gamma_multiply(0.5 * fade * fade),
    );
    painter.add(team_marks::glow(
        center,
        size * (0.3 + 0.9 * progress),
        size * 0.18,
        colors.accent.gamma_multiply(fade),
    ));
    for n in 0..9 {
        let way = angled(TAU * (n as f32 / 9.0 + 0.04));
        let far = 0.25 + (0.75 + 0.25 * ((n * 5) % 3) as f32) * progress;
        let radius = size * (0.13 - 0.08 * progress);
        let color = if n % 2 == 0 { colors.accent } else { colors.mark };
        painter.circle_filled(center + way * far * size, radius, color.gamma_multiply(fade));
    }
}
