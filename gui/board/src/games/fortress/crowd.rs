//! Places of units on the screen: in a melee they are moved apart, so that each is seen whole.

use egui::{Pos2, Rect, Vec2};
use grandstand_protocol::fortress::Unit;

/// Radius of a unit's plate, in squares, and the least one on a small board, in points.
const PLATE: (f32, f32) = (0.70, 10.5);
/// Largest radius on a small board, in squares: on a tile of a wall units would cover the ground.
const PLATE_MAX: f32 = 1.1;
/// Distance of two plates at least, in radii: a number at a plate's corner hides no neighbour.
const APART: f32 = 2.4;
/// The middle of a unit's number from that of its plate, in radii: at its upper left corner, or the next place where it hides no
/// neighbour and no other number, or else the one that is farthest from all others; and the number's size.
const NUMBER: [Vec2; 11] = [
    Vec2::new(-0.82, -0.86),
    Vec2::new(0.82, -0.86),
    Vec2::new(0.0, -1.2),
    Vec2::new(-1.4, -0.1),
    Vec2::new(1.4, -0.1),
    Vec2::new(-1.3, -1.0),
    Vec2::new(1.3, -1.0),
    Vec2::new(-1.2, 0.9),
    Vec2::new(1.2, 0.9),
    Vec2::new(0.0, 1.4),
    Vec2::new(0.0, -1.6),
];
const NUMBER_SIZE: Vec2 = Vec2::new(1.2, 0.7);
/// The least radius for those distances, in points: beside a smaller plate numbers stay large enough to be read, and would hide
/// its sign.
const NUMBER_FROM: f32 = 13.0;
/// Number of times that all units are moved apart.
const ROUNDS: u8 = 24;

/// Distances from a unit's plate, in heights of a text, and number of directions in which a text has its place.
const TEXT_FAR: [f32; 6] = [0.1, 0.6, 1.2, 2.0, 3.0, 4.5];
const TEXT_WAYS: u8 = 16;

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
    /// The middle of its number.
    pub number: Pos2,
}

impl<'a> Placed<'a> {
    /// A unit in the middle of its square.
    pub(super) fn new(unit: &'a Unit, foot: Pos2, way: Vec2) -> Placed<'a> {
        Placed { unit, foot, at: foot, way, number: foot }
    }

    /// The place of its number, with plates of this radius.
    fn number_area(&self, radius: f32) -> Rect {
        Rect::from_center_size(self.number, NUMBER_SIZE * radius.max(NUMBER_FROM))
    }
}

/// Radius of the plates on squares with this side, in points.
pub(super) fn plate_radius(side: f32) -> f32 {
    (side * PLATE.0).max(PLATE.1.min(side * PLATE_MAX))
}

/// Moves the plates of units apart until no two overlap, within a rectangle, and finds places for their numbers.
pub(super) fn spread(units: &mut [Placed<'_>], radius: f32, within: Rect) {
    part(units, radius, within);
    let reach = radius.max(NUMBER_FROM);
    for n in 0..units.len() {
        let at = units[n].at;
        let area = |corner: &Vec2| Rect::from_center_size(at + *corner * reach, NUMBER_SIZE * reach);
        // How far the number would be from the plates of others and from the numbers before it; below 0 it would hide one, or leave the
        // board.
        let free = |corner: &Vec2| {
            let number = area(corner);
            let others = units.iter().enumerate().filter(|(other, _)| *other != n);
            let plates = others.map(|(_, other)| number.distance_to_pos(other.at) - radius);
            let is_over = |other: &Placed<'_>| other.number_area(radius).intersects(number);
            let over = units[..n].iter().filter(|other| is_over(other)).map(|_| -radius);
            let outside = (!within.contains_rect(number)).then_some(-0.5 * radius);
            plates.chain(over).chain(outside).fold(f32::INFINITY, f32::min)
        };
        let first = NUMBER.iter().find(|corner| free(corner) >= 0.0);
        let best = first.or_else(|| NUMBER.iter().max_by(|a, b| free(a).total_cmp(&free(b))));
        units[n].number = best.map_or(at, |corner| area(corner).center());
    }
}

fn part(units: &mut [Placed<'_>], radius: f32, within: Rect) {
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

/// Places of texts beside units: each is the nearest one that covers neither another text nor a unit.
#[derive(Debug)]
pub(super) struct Texts {
    taken: Vec<Rect>,
    /// What is seen of the board.
    within: Rect,
}

impl Texts {
    /// Texts that leave the plates and the numbers of these units free, and stand `within` what is seen where that has room.
    pub(super) fn beside(units: &[Placed<'_>], radius: f32, within: Rect) -> Texts {
        let plate = |placed: &Placed<'_>| Rect::from_center_size(placed.at, Vec2::splat(2.0 * radius));
        let taken = units.iter().flat_map(|placed| [plate(placed), placed.number_area(radius)]).collect();
        Texts { taken, within }
    }

    /// Keeps this area free, too.
    pub(super) fn take(&mut self, area: Rect) {
        self.taken.push(area);
    }

    /// The place of a text of this size for the unit at `at`: above it, or where there is room; `None` if there is none.
    pub(super) fn place(&mut self, at: Pos2, radius: f32, size: Vec2) -> Option<Rect> {
        let ways = || {
            // From above to both sides, and then below.
            (0..TEXT_WAYS).map(|n| {
                let turn = f32::from(n.div_ceil(2)) / f32::from(TEXT_WAYS);
                std::f32::consts::TAU * (if n % 2 == 0 { turn } else { -turn } - 0.25)
            })
        };
        let places = || TEXT_FAR.into_iter().flat_map(|far| ways().map(move |turn| (far, turn)));
        let area = |(far, turn): (f32, f32)| {
            let way = Vec2::angled(turn);
            // The nearest end of the text is so far off.
            let reach = radius * 1.1 + far * size.y;
            Rect::from_center_size(at + way * reach + way * size / 2.0, size)
        };
        let is_free = |area: &Rect| !self.taken.iter().any(|other| other.intersects(area.shrink(0.5)));
        let seen = places().map(area).find(|area| self.within.contains_rect(*area) && is_free(area));
        let found = seen.or_else(|| places().map(area).find(is_free));
        self.taken.extend(found);
        found
    }
}

#[cfg(test)]
mod tests {
    use egui::{pos2, vec2};
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
            Placed::new(unit, at, vec2(1.0, 0.0))
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
    fn the_number_of_a_unit_hides_no_neighbour_at_its_upper_left() {
        let scene = melee(10);
        let mut units: Vec<Placed<'_>> = placed(&scene, 34.0).into_iter().take(2).collect();
        let radius = plate_radius(34.0);
        units[0].at = units[1].at - vec2(1.3, 1.3) * radius;
        spread(&mut units, radius, BOARD);
        assert!(units[1].number.x > units[1].at.x && units[0].number.x < units[0].at.x, "{units:?}");
    }

    #[test]
    fn of_four_units_on_one_place_each_number_is_seen_whole() {
        let scene = melee(10);
        for side in [9.0, 14.0, 18.0, 34.0] {
            let mut units: Vec<Placed<'_>> = placed(&scene, side).into_iter().take(4).collect();
            let foot = units[0].foot;
            units.iter_mut().for_each(|unit| (unit.at, unit.foot) = (foot, foot));
            let radius = plate_radius(side);
            spread(&mut units, radius, BOARD);
            for (n, unit) in units.iter().enumerate() {
                let number = unit.number_area(radius);
                for (m, other) in units.iter().enumerate().filter(|(m, _)| *m != n) {
                    assert!(
                        !number.intersects(other.number_area(radius)),
                        "{n} and {m} on {side}: {units:?}"
                    );
                    assert!(number.distance_to_pos(other.at) >= radius, "{n} over {m} on {side}: {units:?}");
                }
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
    fn texts_of_a_melee_cover_nothing_and_stand_near_their_units() {
        let scene = melee(10);
        for side in [14.0, 18.0, 34.0] {
            let (radius, mut units) = (plate_radius(side), placed(&scene, side));
            spread(&mut units, radius, BOARD);
            let mut texts = Texts::beside(&units, radius, BOARD);
            let size = vec2(side.max(12.0) * 2.6, side.max(12.0));
            for unit in &units {
                let text = texts.place(unit.at, radius, size).expect("room");
                assert!(text.distance_to_pos(unit.at) < radius * 1.2 + size.y * 4.5, "{unit:?} on {side}");
            }
            for (n, one) in texts.taken.iter().enumerate().skip(2 * units.len()) {
                let over = texts.taken[..n].iter().find(|other| other.intersects(one.shrink(0.6)));
                assert_eq!(over, None, "{one} on {side}");
            }
        }
    }

    #[test]
    fn a_text_stands_within_what_is_seen() {
        let scene = melee(10);
        let (side, size) = (34.0, vec2(60.0, 40.0));
        let radius = plate_radius(side);
        let mut units = placed(&scene, side);
        spread(&mut units, radius, BOARD);
        for within in [BOARD.with_max_x(320.0), BOARD.with_min_x(420.0), BOARD.with_max_y(160.0)] {
            let place = Texts::beside(&units, radius, within).place(units[4].at, side * 1.4, size);
            assert!(place.is_some_and(|place| within.contains_rect(place)), "{place:?} in {within}");
        }
        // Where it has no room there, it is not lost.
        let elsewhere = Rect::from_min_size(pos2(880.0, 480.0), vec2(10.0, 10.0));
        assert!(Texts::beside(&units, radius, elsewhere).place(units[4].at, side * 1.4, size).is_some());
    }
}
