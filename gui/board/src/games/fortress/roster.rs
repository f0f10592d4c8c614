//! Roster of a team's units beside its name.

use egui::text::{LayoutJob, TextFormat};
use egui::{FontId, Painter, Rect, Stroke, pos2};
use grandstand_protocol::fortress::{Fallen, Scene, Team, Unit};
use grandstand_story::format;
use grandstand_story::games::fortress::text::Wait;

use super::unit::{class_colors, paint_class, paint_health};
use crate::theme::{Palette, SMALL, mix, semibold};
use crate::{MatchContext, SideFigure, team_marks};

/// Width of an entry, in its height.
const WIDE: f32 = 1.05;
/// Size of the type of a number that fits into a ring with the sign of seconds behind it, in the ring's inner radii, and of that
/// sign, in the size of the number.
const ONE_DIGIT: f32 = 1.45;
const TWO_DIGITS: f32 = 1.12;
const SECONDS: f32 = 0.75;

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
            // A number alone would be that of a unit.
            let number = format!("{secs:.0}");
            let part = if number.len() > 1 { TWO_DIGITS } else { ONE_DIGIT };
            let size = SMALL.min((radius - width / 2.0) * part);
            let mut job = LayoutJob::default();
            for (text, size) in [(&*number, size), ("s", size * SECONDS)] {
                job.append(text, 0.0, TextFormat::simple(FontId::new(size, semibold()), palette.text));
            }
            let galley = painter.layout_job(job);
            painter.galley(at - galley.size() / 2.0, galley, palette.text);
        } else {
            paint_class(painter, at, radius * 0.62, unit.class, faint);
        }
    };
    SideFigure::Drawn { width: WIDE, paint: Box::new(paint), words }
}
