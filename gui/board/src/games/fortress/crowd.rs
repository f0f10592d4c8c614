//! Places of units on the screen: in a melee they are moved apart, so that each is seen whole.

use egui::{Pos2, Rect, Vec2, vec2};
use grandstand_protocol::fortress::Unit;

/// Radius of a unit's plate, in squares, and the least one on a small board, in points.
const PLATE: (f32, f32) = (0.70, 10.5);
/// Largest radius on a small board, in squares: on a tile of a wall units would cover the ground.
const PLATE_MAX: f32 = 1.1;
/// Distance of two plates at least, in radii.
const APART: f32 = 2.08;
/// Number of times that all units are moved apart.
const ROUNDS: u8 = 24;

/// Number of times that a text is moved up.
const TEXT_STEPS: u8 = 24;

/// A unit on the screen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed<'a> {
    pub unit: &'a Unit,
    /// The middle of its square, or the point on its way to that.
    pub foot: Pos2,
    /// The middle of its plate.
    pub at: Pos2,
    /// Direction of its facing.
    pub way: Vec2,
}

/// Radius of the plates on squares with this side, in points.
pub(super) fn plate_radius(side: f32) -> f32 {
    (side * PLATE.0).max(PLATE.1.min(side * PLATE_MAX))
}

/// Moves the plates of units apart until no two overlap, within a rectangle.
pub(super) fn spread(units: &mut [Placed<'_>], radius: f32, within: Rect) {
    let apart = radius * APART;
    let within = within.shrink(radius.min(within.size().min_elem() / 2.0));
    for _ in 0..ROUNDS {
        let mut calm = true;
        for a in 0..units.len() {
            for b in a + 1..units.len() {
                let between = units[b].at - units[a].at;
                let lacking = apart - between.length();
                if lacking <= 0.05 {
                    continue;
                }
                calm = false;
                // Units on one point part in a direction of their own.
                let way = match between.length() {
                    0.01.. => between.normalized(),
                    _ => Vec2::angled(units[a].unit.id as f32 * 2.4),
                };
                // A little aside, so that a row of units does not stay in a line.
                let push = (way + way.rot90() * 0.12).normalized() * (lacking * 0.52);
                units[a].at = within.clamp(units[a].at - push);
                units[b].at = within.clamp(units[b].at + push);
            }
        }
        if calm {
            return;
        }
    }
}

/// The unit whose plate is at a point; the one further south is in front.
pub(super) fn unit_at<'a>(units: &[Placed<'a>], radius: f32, at: Pos2) -> Option<&'a Unit> {
    let touched = units.iter().filter(|placed| placed.at.distance(at) <= radius);
    touched.max_by(|a, b| a.at.y.total_cmp(&b.at.y)).map(|placed| placed.unit)
}

/// Places of texts that would cover each other or a unit: each is moved up until it is free.
#[derive(Debug, Default)]
pub(super) struct Texts(Vec<Rect>);

impl Texts {
    /// Texts that leave the plates of these units free.
    pub(super) fn beside(units: &[Placed<'_>], radius: f32) -> Texts {
        let plate = |placed: &Placed<'_>| Rect::from_center_size(placed.at, Vec2::splat(2.0 * radius));
        Texts(units.iter().map(plate).collect())
    }

    /// A free place for a text at `area` or above.
    pub(super) fn place(&mut self, mut area: Rect) -> Rect {
        for _ in 0..TEXT_STEPS {
            let Some(below) = self.0.iter().find(|other| other.intersects(area.shrink(0.5))) else { break };
            area = area.translate(vec2(0.0, below.top() - area.bottom()));
        }
        self.0.push(area);
        area
    }
}

#[cfg(test)]
mod tests {
    use egui::pos2;
    use grandstand_protocol::fortress::Scene;
    use grandstand_protocol::{Command, Game, Micros, Scene as AnyScene};

    use super::*;

    /// Units on squares side by side, in rows of three.
    fn melee(count: u32) -> Scene {
        let mut scene = AnyScene::new(Game::Fortress);
        for id in 0..count {
            let (x, y) = (id % 3, id / 3);
            let team = if id % 2 == 0 { "red" } else { "blue" };
            let line = format!("spawn {} {team} {x} {y} east 1000 soldier", id + 1);
            let command = Command::parse(Game::Fortress, line.as_bytes());
            scene.apply(u64::from(id) + 1, Micros(0), &command);
        }
        let AnyScene::Fortress(scene) = scene else { panic!("another game") };
        scene
    }

    fn placed<'a>(scene: &'a Scene, side: f32) -> Vec<Placed<'a>> {
        let place = |unit: &'a Unit| {
            let at = pos2(300.0 + f32::from(unit.at.x()) * side, 200.0 - f32::from(unit.at.y()) * side);
            Placed { unit, foot: at, at, way: vec2(1.0, 0.0) }
        };
        scene.units().iter().map(place).collect()
    }

    const BOARD: Rect = Rect { min: pos2(0.0, 0.0), max: pos2(900.0, 500.0) };

    #[test]
    fn every_unit_of_a_melee_of_ten_is_seen_whole_and_near_its_square() {
        let scene = melee(10);
        for side in [9.0, 14.0, 18.0, 34.0] {
            let (radius, mut units) = (plate_radius(side), placed(&scene, side));
            assert_eq!(units.len(), 10);
            spread(&mut units, radius, BOARD);
            for (n, unit) in units.iter().enumerate() {
                assert!(unit.at.distance(unit.foot) < radius * 4.0, "{unit:?} on {side}");
                for other in &units[n + 1..] {
                    assert!(unit.at.distance(other.at) >= radius * 1.9, "{unit:?} {other:?} on {side}");
                }
                assert_eq!(unit_at(&units, radius, unit.at).map(|unit| unit.id), Some(unit.unit.id));
            }
        }
    }

    #[test]
    fn a_unit_alone_stands_on_its_square() {
        let scene = melee(1);
        let mut units = placed(&scene, 18.0);
        spread(&mut units, plate_radius(18.0), BOARD);
        assert_eq!(units[0].at, units[0].foot);
    }

    #[test]
    fn texts_stand_above_each_other() {
        let mut texts = Texts::default();
        let area = Rect::from_min_size(pos2(10.0, 100.0), vec2(40.0, 14.0));
        let places = [texts.place(area), texts.place(area), texts.place(area)];
        assert!(!places[0].intersects(places[1].shrink(0.5)) && !places[1].intersects(places[2].shrink(0.5)));
        assert_eq!(places[0], area);
    }
}
