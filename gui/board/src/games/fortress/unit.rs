//! Unit of Steam Fortress: a plate in its team's shape, with the sign of its class and a beak that shows its facing.

use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, Vec2, vec2};
use grandstand_protocol::fortress::{Team, Unit, UnitClass};

use crate::team_marks;
use crate::theme::{Palette, mix};

/// Dark outline colour, visible on any ground.
pub(super) const INK: Color32 = Color32::from_rgb(0x0e, 0x13, 0x19);

const FLAME: Color32 = Color32::from_rgb(0xff, 0xe0, 0x66);

/// Paints a unit. `radius` is that of its plate, `way` the direction of its facing.
pub(super) fn paint(
    painter: &Painter,
    palette: &Palette,
    (at, way): (Pos2, Vec2),
    radius: f32,
    (team, class): (Team, UnitClass),
) {
    paint_beak(painter, palette, (at, way), radius, team);
    paint_plate(painter, palette, at, radius, (team, class));
}

/// The beak of a unit, with the outline of its plate.
pub(super) fn paint_beak(
    painter: &Painter,
    palette: &Palette,
    (at, way): (Pos2, Vec2),
    radius: f32,
    team: Team,
) {
    let side = way.rot90() * radius * 0.62;
    let base = at + way * radius * 0.72;
    let beak = || vec![base + side, at + way * radius * 1.52, base - side];
    let outline = Stroke::new((radius * 0.22).max(2.0), INK);
    painter.add(Shape::convex_polygon(beak(), INK, outline));
    team_marks::paint_token(painter, at, radius * 1.10, team, INK, Stroke::NONE);
    painter.add(Shape::convex_polygon(beak(), palette.squad(team).accent, Stroke::NONE));
}

/// The plate of a unit with the sign of its class.
pub(super) fn paint_plate(
    painter: &Painter,
    palette: &Palette,
    at: Pos2,
    radius: f32,
    (team, class): (Team, UnitClass),
) {
    let rim = Stroke::new((radius * 0.14).max(1.3), palette.squad(team).accent);
    let [plate, ink] = class_colors(palette, team, class);
    team_marks::paint_token(painter, at, radius, team, plate, rim);
    // A little above the middle, since the health bar is below it.
    paint_class(painter, at - vec2(0.0, radius * 0.16), radius * 0.64, class, ink);
}

/// Colours of a class's plate and sign. They tell classes apart where signs are small: a medic's plate is light, a
/// pyro's flame is yellow.
pub(super) fn class_colors(palette: &Palette, team: Team, class: UnitClass) -> [Color32; 2] {
    let colors = palette.squad(team);
    match class {
        UnitClass::Medic => [colors.mark, colors.piece],
        UnitClass::Pyro => [colors.piece, FLAME],
        UnitClass::Soldier => [colors.piece, colors.mark],
    }
}

/// Sign of a class: a cross, a flame, a rifle.
pub(super) fn paint_class(painter: &Painter, at: Pos2, radius: f32, class: UnitClass, color: Color32) {
    let fill = |points: &[(f32, f32)]| {
        let points = points.iter().map(|(x, y)| at + vec2(*x, *y) * radius).collect();
        painter.add(Shape::convex_polygon(points, color, Stroke::NONE));
    };
    match class {
        UnitClass::Medic => {
            for size in [vec2(0.62, 1.84), vec2(1.84, 0.62)] {
                painter.rect_filled(Rect::from_center_size(at, size * radius), radius * 0.08, color);
            }
        }
        UnitClass::Pyro => {
            // A leaning drop with a smaller tongue beside it.
            painter.circle_filled(at + vec2(0.0, 0.34) * radius, radius * 0.64, color);
            fill(&[(-0.60, 0.22), (-0.38, -0.25), (0.10, -1.08), (0.36, -0.40), (0.62, 0.22)]);
            fill(&[(0.28, -0.02), (0.66, -0.62), (0.64, 0.30)]);
        }
        UnitClass::Soldier => {
            // From the butt at the lower left to the muzzle at the upper right.
            fill(&[(0.92, -0.98), (1.06, -0.80), (-0.16, 0.36), (-0.34, 0.16)]);
            fill(&[(-0.06, -0.02), (0.22, 0.26), (-0.52, 0.98), (-1.00, 0.94), (-0.98, 0.58)]);
            fill(&[(0.08, 0.06), (0.30, -0.14), (0.52, 0.34), (0.30, 0.44)]);
            fill(&[(0.06, -0.54), (0.40, -0.84), (0.54, -0.70), (0.20, -0.38)]);
        }
    }
}

/// Bar of the remaining health.
pub(super) fn paint_health(painter: &Painter, center: Pos2, width: f32, height: f32, unit: &Unit) {
    let part = (unit.health as f32 / unit.max.max(1) as f32).clamp(0.0, 1.0);
    let frame = Rect::from_center_size(center, vec2(width, height));
    painter.rect_filled(frame.expand(1.0), height * 0.4, INK);
    let low = Color32::from_rgb(0xff, 0x9a, 0x4a);
    let full = Color32::from_rgb(0x8f, 0xe8, 0xa4);
    let middle = Color32::from_rgb(0xf2, 0xe6, 0x7a);
    let color = if part > 0.5 { mix(middle, full, part * 2.0 - 1.0) } else { mix(low, middle, part * 2.0) };
    let bar = Rect::from_min_size(frame.min, vec2(width * part, height));
    painter.rect_filled(frame, height * 0.3, Color32::from_rgb(0x39, 0x43, 0x4f));
    painter.rect_filled(bar, height * 0.3, color);
}
