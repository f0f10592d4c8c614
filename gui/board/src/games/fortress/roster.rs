//! Roster of a team's units beside its name.

use egui::{FontId, Painter, Rect, Stroke, pos2};
use grandstand_protocol::fortress::{Fallen, Scene, Team, Unit};
use grandstand_story::games::fortress::text;

use super::unit::{class_colors, paint_class, paint_health};
use crate::theme::{Palette, SMALL, mix, semibold};
use crate::{MatchContext, SideFigure, team_marks};

/// Width of an entry, in its height.
const WIDE: f32 = 1.05;

/// A team's units: those on the board with their health, and those that wait to respawn.
pub(super) fn roster(scene: &Scene, team: Team, about: &MatchContext<'_>) -> Vec<SideFigure> {
    let wait = text::respawn_secs(about.rules);
    let standing = scene.units().iter().filter(|unit| unit.team == team);
    let fallen = scene.fallen().iter().filter(|unit| unit.team == team);
    let mut entries: Vec<(u32, SideFigure)> = standing.map(|unit| (unit.id, standing_entry(unit))).collect();
    entries.extend(fallen.map(|unit| (unit.id, fallen_entry(unit, about.secs, wait))));
    entries.sort_by_key(|(id, _)| *id);
    entries.into_iter().map(|(_, entry)| entry).collect()
}

fn standing_entry(unit: &Unit) -> SideFigure {
    let unit = *unit;
    let words = format!("{} {} health {}", unit.class, unit.id, unit.health);
    let paint = move |painter: &Painter, palette: &Palette, rect: Rect| {
        let colors = palette.squad(unit.team);
        let radius = rect.height() * 0.42;
        let at = pos2(rect.left() + rect.height() * 0.5, rect.top() + radius);
        let rim = Stroke::new(1.2, colors.accent);
        let [plate, ink] = class_colors(palette, unit.team, unit.class);
        team_marks::paint_token(painter, at, radius, unit.team, plate, rim);
        paint_class(painter, at, radius * 0.66, unit.class, ink);
        let below = pos2(at.x, rect.bottom() + 1.0);
        paint_health(painter, below, rect.height() * 0.95, 3.5, &unit);
    };
    SideFigure::Drawn { width: WIDE, paint: Box::new(paint), words }
}

/// A waiting unit, with a ring that closes until it respawns.
fn fallen_entry(unit: &Fallen, secs: f64, wait: f64) -> SideFigure {
    let unit = *unit;
    let left = (wait - (secs - unit.t.as_secs_f64())).max(0.0);
    let words = format!("{} {} back in {left:.0} seconds", unit.class, unit.id);
    let paint = move |painter: &Painter, palette: &Palette, rect: Rect| {
        let colors = palette.squad(unit.team);
        let radius = rect.height() * 0.42;
        let at = pos2(rect.left() + rect.height() * 0.5, rect.top() + radius);
        let faint = mix(palette.ground, palette.weak, 0.45);
        let width = (radius * 0.26).max(2.0);
        painter.circle_stroke(at, radius, Stroke::new(width, faint));
        if left > 0.0 {
            let part = (1.0 - left / wait.max(0.001)) as f32;
            painter.add(team_marks::arc(at, radius, part.clamp(0.0, 1.0), Stroke::new(width, colors.accent)));
            let text = format!("{:.0}", left.ceil());
            let font = FontId::new(SMALL, semibold());
            painter.text(at, egui::Align2::CENTER_CENTER, text, font, palette.text);
            // The class, small below the clock.
            let below = pos2(at.x, rect.bottom() + 1.0);
            paint_class(painter, below, radius * 0.36, unit.class, palette.weak);
        } else {
            paint_class(painter, at, radius * 0.62, unit.class, faint);
        }
    };
    SideFigure::Drawn { width: WIDE, paint: Box::new(paint), words }
}
