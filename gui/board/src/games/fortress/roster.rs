//! Roster of a team's units beside its name.

use egui::{FontId, Painter, Rect, Stroke, pos2};
use grandstand_protocol::fortress::{Fallen, Scene, Team, Unit};
use grandstand_story::format;
use grandstand_story::games::fortress::text::Wait;

use super::unit::{class_colors, paint_class, paint_health};
use crate::theme::{Palette, SMALL, mix, semibold};
use crate::{MatchContext, SideFigure, team_marks};

/// Width of an entry, in its height.
const WIDE: f32 = 1.05;
/// Size of the type of a number that fits into a ring, in the ring's inner radii.
const ONE_DIGIT: f32 = 1.9;
const TWO_DIGITS: f32 = 1.3;

/// A team's units: those on the board with their health, and those that wait to respawn.
pub(super) fn roster(scene: &Scene, team: Team, about: &MatchContext<'_>) -> Vec<SideFigure> {
    let standing = scene.units().iter().filter(|unit| unit.team == team);
    let fallen = scene.fallen().iter().filter(|unit| unit.team == team);
    let mut entries: Vec<(u32, SideFigure)> = standing.map(|unit| (unit.id, standing_entry(unit))).collect();
    let wait = |unit: &Fallen| Wait::of(unit, about.secs, about.rules);
    entries.extend(fallen.map(|unit| (unit.id, fallen_entry(unit, wait(unit)))));
    entries.sort_by_key(|(id, _)| *id);
    entries.into_iter().map(|(_, entry)| entry).collect()
}

fn standing_entry(unit: &Unit) -> SideFigure {
    let unit = *unit;
    let words = format!("{} {} health {}", unit.class, unit.id, format::number(unit.health.max(0) as u64));
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

/// A waiting unit: the seconds until it respawns, and a ring of the part of its wait that is left.
fn fallen_entry(unit: &Fallen, wait: Wait) -> SideFigure {
    let unit = *unit;
    let secs = wait.secs();
    let words = format!("{} {} back in {secs:.0} seconds", unit.class, unit.id);
    let paint = move |painter: &Painter, palette: &Palette, rect: Rect| {
        let colors = palette.squad(unit.team);
        let radius = rect.height() * 0.46;
        let at = pos2(rect.left() + rect.height() * 0.5, rect.center().y);
        let faint = mix(palette.ground, palette.weak, 0.45);
        let width = (radius * 0.22).max(1.5);
        painter.circle_stroke(at, radius, Stroke::new(width, faint));
        if secs > 0.0 {
            let left = team_marks::arc(at, radius, wait.part() as f32, Stroke::new(width, colors.accent));
            painter.add(left);
            let text = format!("{secs:.0}");
            let part = if text.len() > 1 { TWO_DIGITS } else { ONE_DIGIT };
            let font = FontId::new(SMALL.min((radius - width / 2.0) * part), semibold());
            painter.text(at, egui::Align2::CENTER_CENTER, text, font, palette.text);
        } else {
            paint_class(painter, at, radius * 0.62, unit.class, faint);
        }
    };
    SideFigure::Drawn { width: WIDE, paint: Box::new(paint), words }
}
