//! Effects of Steam Fortress: shots along their path, flame cones, blows, bursts, and changes of health.

use std::f32::consts::TAU;

use egui::{Color32, FontId, Mesh, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, pos2, vec2};
use grandstand_protocol::fortress::{Direction, Effect, EffectKind, Square, Team, Weapon};

use super::crowd::{Placed, Texts};
use super::unit::INK;
use super::{quarter, tile};
use crate::angle::angled;
use crate::cross::paint_cross;
use crate::games::tiles::Tiles;
use crate::team_marks;
use crate::theme::{Palette, mix, semibold};

/// Distance of the amounts from their unit from which a line leads to them, in radii of a plate.
const AMOUNT_FAR: f32 = 1.8;
/// Side of a square below which shots fade soon, in points.
const CROWDED: f32 = 24.0;
/// Side of a square below which numbers are left out, as they would hide the units, in points.
const AMOUNTS: f32 = 14.0;
const LOSS: Color32 = Color32::from_rgb(0xff, 0xc9, 0xb8);
const HEAL: Color32 = Color32::from_rgb(0x6d, 0xf0, 0x9a);
const STEAM: Color32 = Color32::from_rgb(0xff, 0xc0, 0x62);
const FIRE: Color32 = Color32::from_rgb(0xff, 0x7d, 0x33);

/// Painter of effects over a board.
pub(super) struct Effects<'a> {
    pub painter: &'a Painter,
    pub palette: &'a Palette,
    pub tiles: &'a Tiles,
    /// Radius of a unit, in points.
    pub radius: f32,
    /// The units as they are seen.
    pub units: &'a [Placed<'a>],
}

impl Effects<'_> {
    fn side(&self) -> f32 {
        self.tiles.side
    }

    /// How strong a shot of this age is. On small squares, where fights are crowded, it is gone sooner.
    fn strength(&self, age: f32) -> f32 {
        if self.side() < CROWDED { (1.0 - age) * (1.0 - age) } else { 1.0 - age * age }
    }

    fn center(&self, at: Square) -> Pos2 {
        let (column, row) = tile(at);
        self.tiles.tile(column, row).center()
    }

    /// Where a unit is seen; its square if it is gone.
    fn unit(&self, id: u32, at: Square) -> Pos2 {
        let seen = self.units.iter().find(|placed| placed.unit.id == id && placed.unit.at == at);
        seen.map_or_else(|| self.center(at), |placed| placed.at)
    }

    /// Where a unit that was hit is seen now; the square where it was hit if it is gone.
    fn hit(&self, id: u32, at: Square) -> Pos2 {
        let seen = self.units.iter().find(|placed| placed.unit.id == id);
        seen.map_or_else(|| self.center(at), |placed| placed.at)
    }

    /// End of a shot, and how much around it a unit covers: the unit that it hit, or the square where it stopped.
    fn end(&self, effect: &Effect, weapon: Weapon, stop: Square) -> (Pos2, f32) {
        let Some(hit) = effect.hits.iter().find(|hit| hit.at == stop) else {
            return (self.center(stop), 0.0);
        };
        // Healing goes on while its unit moves; a bullet has hit where the unit was.
        let at = if weapon == Weapon::Medigun { self.hit(hit.on, stop) } else { self.unit(hit.on, stop) };
        (at, self.radius)
    }

    /// What happens, below the units, of which it hides none. `age` is from 0 to 1.
    pub(super) fn below(&self, effect: &Effect, age: f32) {
        let from = self.unit(effect.id, effect.from);
        match effect.kind {
            EffectKind::Cone { facing } => self.cone(from, facing, age),
            EffectKind::Shot { weapon, stop, target } => {
                if weapon == Weapon::Rocket {
                    self.burst(stop, age);
                }
                self.shot(weapon, from, self.end(effect, weapon, stop), effect.team, age);
                if target != stop && weapon != Weapon::Medigun {
                    self.target(self.center(target), age);
                }
            }
            EffectKind::Axe { facing } => self.axe(from, facing, effect.team, age),
        }
        for hit in &effect.hits {
            self.way(effect, self.unit(hit.on, hit.at), hit.amount, age);
            if self.has_fallen(hit.on) {
                let at = self.center(hit.at);
                paint_cross(self.painter, at, 0.6 * self.radius, self.pens(effect, hit.amount, age));
            }
        }
    }

    /// Rings at the edges of the units that were hit, and wedges from who hit them, over all units.
    pub(super) fn around(&self, effect: &Effect, age: f32) {
        for hit in effect.hits.iter().filter(|hit| !self.has_fallen(hit.on)) {
            let at = self.hit(hit.on, hit.at);
            for pen in self.pens(effect, hit.amount, age) {
                self.painter.circle_stroke(at, self.radius * 1.02, pen);
            }
            self.wedge(effect, at, hit.amount, age);
        }
    }

    fn has_fallen(&self, id: u32) -> bool {
        !self.units.iter().any(|placed| placed.unit.id == id)
    }

    /// Pens for a unit that was hit: its dark edge, and the attacker's colour.
    fn pens(&self, effect: &Effect, amount: i32, age: f32) -> [Stroke; 2] {
        let pen = self.pen(effect, amount, age);
        [Stroke::new(pen.width + 1.0, INK.gamma_multiply(0.6 * (1.0 - age))), pen]
    }

    /// Changes of health, one plate a unit, beside all units.
    pub(super) fn amounts(&self, changes: &[HealthChange], mut texts: Texts) {
        if self.side() < AMOUNTS {
            return;
        }
        for change in changes {
            self.amount(&mut texts, change);
        }
    }

    /// A wedge at the edge of a unit that was hit, from the side of the unit that hit it.
    fn wedge(&self, effect: &Effect, at: Pos2, amount: i32, age: f32) {
        let from = self.unit(effect.id, effect.from);
        if from.distance(at) < self.radius {
            return;
        }
        let way = (at - from).normalized();
        let (tip, base) = (at - way * self.radius * 0.74, at - way * self.radius * 1.16);
        let side = way.rot90() * self.radius * 0.34;
        let ink = self.pen(effect, amount, age).color;
        let rim = Stroke::new((self.radius * 0.10).max(1.0), INK.gamma_multiply(1.0 - age));
        self.painter.add(Shape::convex_polygon(vec![tip, base + side, base - side], ink, rim));
    }

    /// Pen for a unit that was hit, in the attacker's colour.
    fn pen(&self, effect: &Effect, amount: i32, age: f32) -> Stroke {
        let accent = if amount < 0 { HEAL } else { self.palette.squad(effect.team).accent };
        Stroke::new((self.radius * 0.16).max(1.6), accent.gamma_multiply(1.0 - age))
    }

    /// Line to a unit that was hit from where it was hit, for effects without a visible shot.
    fn way(&self, effect: &Effect, at: Pos2, amount: i32, age: f32) {
        let pen = self.pen(effect, amount, age);
        let begin = match effect.kind {
            EffectKind::Shot { weapon: Weapon::Rocket, stop, .. } => Some(self.center(stop)),
            EffectKind::Cone { .. } | EffectKind::Axe { .. } => Some(self.unit(effect.id, effect.from)),
            EffectKind::Shot { .. } => None,
        };
        if let Some(begin) = begin {
            self.painter.line_segment([begin, at], Stroke::new(pen.width * 0.6, pen.color));
        }
    }

    fn line(&self, from: Pos2, to: Pos2, width: f32, color: Color32, strength: f32) {
        let width = (self.side() * width).max(1.4);
        let dark = Stroke::new(width + 2.4, INK.gamma_multiply(0.5 * strength));
        self.painter.line_segment([from, to], dark);
        self.painter.line_segment([from, to], Stroke::new(width, color.gamma_multiply(strength)));
    }

    fn shot(&self, weapon: Weapon, from: Pos2, (to, covered): (Pos2, f32), team: Team, age: f32) {
        let strength = self.strength(age);
        let way = (to - from).normalized();
        let length = (to - from).length();
        let accent = self.palette.squad(team).accent;
        let start = from + way * (self.side() * 0.7).min(length * 0.5);
        match weapon {
            Weapon::Rifle => {
                self.line(start, to, 0.12, mix(accent, Color32::WHITE, 0.55), strength);
                self.spark((to, covered), accent, age);
            }
            Weapon::Pistol => {
                // A row of short strokes.
                let count = ((length / (self.side() * 0.55)) as usize).max(2);
                for n in 0..count {
                    let at = start + (to - start) * ((n as f32 + 0.5) / count as f32);
                    let half = way * self.side() * 0.12;
                    self.line(at - half, at + half, 0.10, mix(accent, Color32::WHITE, 0.4), strength);
                }
                self.spark((to, covered), accent, age);
            }
            Weapon::Rocket => {
                let tail = start + (to - start) * (age * 0.8);
                self.line(tail, to, 0.20, mix(FIRE, STEAM, 0.4), strength);
                for n in 0..5 {
                    let at = start + (to - start) * (n as f32 / 4.0);
                    let radius = self.side() * (0.12 + 0.25 * age);
                    let smoke =
                        mix(Color32::from_gray(0xb0), accent, 0.25).gamma_multiply(0.45 * (1.0 - age));
                    self.painter.circle_filled(at, radius, smoke);
                }
            }
            Weapon::Medigun => {
                self.line(start, to, 0.16, HEAL, strength * 0.8);
                let count = ((length / (self.side() * 0.9)) as usize).max(1);
                for n in 0..count {
                    let part = ((n as f32 + age * 1.5) / count as f32).fract();
                    self.plus(start + (to - start) * part, self.side() * 0.24, strength);
                }
                let ring = (self.side() * 0.85).max(covered * 1.12) + self.side() * 0.25 * age;
                self.painter.add(team_marks::glow(
                    to,
                    ring,
                    self.side() * 0.22,
                    HEAL.gamma_multiply(strength),
                ));
            }
        }
    }

    fn plus(&self, at: Pos2, size: f32, strength: f32) {
        for (width, color) in [(size * 0.85, INK.gamma_multiply(0.7)), (size * 0.45, HEAL)] {
            let pen = Stroke::new(width.max(1.5), color.gamma_multiply(strength));
            self.painter.line_segment([at - vec2(size, 0.0), at + vec2(size, 0.0)], pen);
            self.painter.line_segment([at - vec2(0.0, size), at + vec2(0.0, size)], pen);
        }
    }

    /// Sparks around a point, outside of the unit that covers it.
    fn spark(&self, (at, covered): (Pos2, f32), color: Color32, age: f32) {
        let strength = 1.0 - age;
        for n in 0..6 {
            let ray = angled(TAU * (n as f32 / 6.0 + 0.08));
            let (near, far) = (0.15 * self.side() + covered, (0.35 + 0.3 * age) * self.side() + covered);
            let pen = Stroke::new(
                (self.side() * 0.08).max(1.3),
                mix(color, Color32::WHITE, 0.6).gamma_multiply(strength),
            );
            self.painter.line_segment([at + ray * near, at + ray * far], pen);
        }
    }

    /// Cross hair around the target, where another unit was hit instead.
    fn target(&self, at: Pos2, age: f32) {
        let side = self.side().max(self.radius * 2.0);
        let pen = Stroke::new((side * 0.07).max(1.3), Color32::WHITE.gamma_multiply(1.0 - age));
        let dark = Stroke::new(pen.width + 2.0, INK.gamma_multiply(0.6 * (1.0 - age)));
        for pen in [dark, pen] {
            self.painter.circle_stroke(at, side * 0.62, pen);
            for way in [vec2(1.0, 0.0), vec2(-1.0, 0.0), vec2(0.0, 1.0), vec2(0.0, -1.0)] {
                self.painter.line_segment([at + way * side * 0.50, at + way * side * 0.80], pen);
            }
        }
    }

    /// Burst over nine squares.
    fn burst(&self, stop: Square, age: f32) {
        let center = self.center(stop);
        let strength = self.strength(age).min(1.0 - age);
        let area = Rect::from_center_size(center, Vec2::splat(self.side() * 3.0));
        let radius = self.side() * 0.5;
        self.painter.rect_filled(area, radius, FIRE.gamma_multiply(0.35 * strength));
        let pen = Stroke::new((self.side() * 0.10).max(1.5), STEAM.gamma_multiply(strength));
        self.painter.rect_stroke(area, radius, pen, StrokeKind::Inside);
        let wave = self.side() * (0.4 + 1.2 * age);
        self.painter.add(team_marks::glow(center, wave, self.side() * 0.35, STEAM.gamma_multiply(strength)));
        self.painter.circle_filled(
            center,
            self.side() * 0.5 * strength,
            Color32::WHITE.gamma_multiply(strength),
        );
    }

    /// Flame cone: a quarter of a disc with a radius of three squares, brightest at its origin.
    fn cone(&self, from: Pos2, facing: Direction, age: f32) {
        const STEPS: u32 = 16;
        let strength = 1.0 - age * age;
        let angle = f32::from(quarter(facing)) * TAU / 4.0 + self.tiles.turn();
        let reach = self.side() * 3.4;
        let mut mesh = Mesh::default();
        mesh.colored_vertex(from, mix(STEAM, Color32::WHITE, 0.4).gamma_multiply(0.85 * strength));
        for n in 0..=STEPS {
            let way = angled(angle + TAU * (f32::from(n as u8) / STEPS as f32 - 0.5) / 4.0);
            mesh.colored_vertex(from + way * reach, FIRE.gamma_multiply(0.28 * strength));
            if n > 0 {
                mesh.add_triangle(0, n, n + 1);
            }
        }
        self.painter.add(Shape::mesh(mesh));
        let edge = Stroke::new((self.side() * 0.09).max(1.4), STEAM.gamma_multiply(strength));
        let mut outline = vec![from];
        outline.extend(
            (0..=STEPS).map(|n| from + angled(angle + TAU * (n as f32 / STEPS as f32 - 0.5) / 4.0) * reach),
        );
        self.painter.add(Shape::closed_line(outline, edge));
        for n in 0..9_u32 {
            // Puffs that drift outwards.
            let spread = ((n * 7 % 9) as f32 / 8.0 - 0.5) * TAU / 4.8;
            let far = (0.25 + 0.7 * ((n as f32 / 9.0 + age * 0.7).fract())) * reach;
            let at = from + angled(angle + spread) * far;
            let radius = self.side() * (0.14 + 0.16 * far / reach);
            self.painter.circle_filled(at, radius, Color32::WHITE.gamma_multiply(0.30 * strength));
        }
    }

    /// Blow of an axe over the three squares in front.
    fn axe(&self, from: Pos2, facing: Direction, team: Team, age: f32) {
        let angle = f32::from(quarter(facing)) * TAU / 4.0 + self.tiles.turn();
        let accent = self.palette.squad(team).accent;
        let strength = 1.0 - age * age;
        let swept = (age * 3.0 + 0.35).min(1.0);
        let arc = |radius: f32| -> Vec<Pos2> {
            let points = (0..=14).map(|n| n as f32 / 14.0 * swept);
            let angles = points.map(|part| angle + TAU * (part - 0.5) * 0.36);
            angles.map(|angle| from + angled(angle) * self.side() * radius).collect()
        };
        for (radius, width, color) in [
            (1.25, 0.62, INK.gamma_multiply(0.5)),
            (1.25, 0.42, mix(accent, STEAM, 0.4)),
            (1.36, 0.14, Color32::WHITE),
        ] {
            let pen = Stroke::new(self.side() * width, color.gamma_multiply(strength));
            self.painter.add(Shape::line(arc(radius), pen));
        }
    }

    /// The changes of a unit's health on one plate, near it.
    fn amount(&self, texts: &mut Texts, change: &HealthChange) {
        let strength = change.strength();
        let font = FontId::new((self.side() * 0.54).round().clamp(12.0, 32.0), semibold());
        let galleys: Vec<_> = change
            .parts()
            .map(|(text, ink)| (self.painter.layout_no_wrap(text, font.clone(), ink), ink))
            .collect();
        let Some(high) = galleys.iter().map(|(galley, _)| galley.size().y).reduce(f32::max) else { return };
        let wide: f32 = galleys.iter().map(|(galley, _)| galley.size().x + 6.0).sum();
        let unit = self.hit(change.on, change.at);
        let Some(ground) = texts.place(unit, self.radius, vec2(wide, high)) else { return };
        let near = ground.clamp(unit);
        if near.distance(unit) > self.radius * AMOUNT_FAR {
            let way = (near - unit).normalized() * self.radius * 1.1;
            let pen = Stroke::new(1.5, galleys[0].1.gamma_multiply(strength));
            self.painter.line_segment([unit + way, near], pen);
        }
        self.painter.rect_filled(ground, 3.0, INK.gamma_multiply(0.75 * strength));
        let mut x = ground.left() + 3.0;
        for (galley, ink) in galleys {
            let at = pos2(x, ground.top());
            x += galley.size().x + 6.0;
            self.painter.galley_with_override_text_color(at, galley, ink.gamma_multiply(strength));
        }
    }
}

/// What the visible effects changed of a unit's health.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct HealthChange {
    pub on: u32,
    /// The square of the latest hit.
    at: Square,
    lost: i32,
    gained: i32,
    /// Age of the latest hit.
    age: f32,
}

impl HealthChange {
    /// What was lost and what was gained, with their colours.
    pub(super) fn parts(&self) -> impl Iterator<Item = (String, Color32)> {
        let lost = (self.lost > 0).then(|| (format!("−{}", self.lost), LOSS));
        let gained = (self.gained > 0).then(|| (format!("+{}", self.gained), HEAL));
        lost.into_iter().chain(gained)
    }

    /// How strong its words are, from 1 to 0: they fade at the end.
    pub(super) fn strength(&self) -> f32 {
        (3.0 * (0.8 - self.age)).clamp(0.0, 1.0)
    }

    /// The changes of all units, each once.
    pub(super) fn of_units(seen: &[(&Effect, f32)]) -> Vec<HealthChange> {
        let mut changes: Vec<HealthChange> = Vec::new();
        for (effect, age) in seen {
            for hit in effect.hits.iter().filter(|hit| hit.amount != 0) {
                let (lost, gained) = (hit.amount.max(0), hit.amount.min(0).saturating_neg());
                match changes.iter_mut().find(|change| change.on == hit.on) {
                    Some(change) => {
                        (change.at, change.age) = (hit.at, change.age.min(*age));
                        change.lost = change.lost.saturating_add(lost);
                        change.gained = change.gained.saturating_add(gained);
                    }
                    None => changes.push(HealthChange { on: hit.on, at: hit.at, lost, gained, age: *age }),
                }
            }
        }
        changes
    }
}

#[cfg(test)]
mod tests {
    use grandstand_protocol::Micros;
    use grandstand_protocol::fortress::Hit;

    use super::*;

    #[test]
    fn all_that_happens_to_a_unit_is_one_plate() {
        let at = Square::new(0, 0).expect("a square");
        let effect = |hits: &[(u32, i32)]| Effect {
            hits: hits.iter().map(|(on, amount)| Hit { on: *on, at, amount: *amount }).collect(),
            seq: 1,
            t: Micros(0),
            id: 1,
            team: Team::Red,
            from: at,
            kind: EffectKind::Axe { facing: Direction::East },
        };
        let effects = [effect(&[(7, 100), (8, 50)]), effect(&[(7, -125)]), effect(&[(7, 200), (9, 0)])];
        let seen: Vec<_> = effects.iter().zip([0.5, 0.2, 0.1]).collect();
        let changes = HealthChange::of_units(&seen);
        let told: Vec<_> = changes.iter().map(|change| (change.on, change.lost, change.gained)).collect();
        assert_eq!(told, [(7, 300, 125), (8, 50, 0)]);
        assert!(changes[0].age < 0.15, "of the latest hit");
    }
}
