//! Land grown around the places of a map without known outlines.
//!
//! A territory consists of the points nearest to its place, within a reach that follows from the roads' lengths.
//! Between territories without a road there is water. All lines are then bent slightly, neighbours alike, so that
//! coasts look natural.

use egui::{Pos2, Rect, Vec2, pos2, vec2};
use grandstand_protocol::riskless::Scene;

use super::land::{Border, Land, Ring, Territory};
use crate::angle::angled;

/// Width of a map before it is cut to its land, in heights.
const WIDE: f32 = 1.7;
/// Height of such a map, in units.
const UNITS: f32 = 1000.0;
/// Reach of land from its place, in lengths of an ordinary road.
const REACH: f32 = 0.64;
/// Width of the water between two territories without a road, in reaches.
const STRAIT: f32 = 0.16;
/// Corners of land with no other bound.
const CORNERS: u8 = 28;
/// Distance between the bends of a coast, in reaches.
const STEP: f32 = 0.07;

/// A corner of a territory, and the territory beyond the edge that begins there.
type Corner = (Pos2, Option<usize>);

/// The land of a map.
pub(super) fn land(scene: &Scene) -> Land {
    let at = |x: u16, y: u16| pos2(f32::from(x) * WIDE, f32::from(y)) * (UNITS / 1000.0);
    let places: Vec<(u8, Pos2)> = scene.territories().map(|place| (place.id, at(place.x, place.y))).collect();
    let reach = reach(scene, &places);
    let mut land = Land::default();
    for (own, (id, seat)) in places.iter().enumerate() {
        let cell = cell(scene, &places, own, reach);
        let mut outline: Vec<Pos2> = Vec::new();
        for (n, (from, beyond)) in cell.iter().enumerate() {
            let line = bent(*from, cell[(n + 1) % cell.len()].0, reach);
            outline.extend(&line[..line.len() - 1]);
            add_border(&mut land.borders, [Some(own), *beyond], line);
        }
        land.territories.push(Territory::new(*id, moved(*seat, reach), vec![Ring::new(outline)]));
    }
    let points = land.territories.iter().flat_map(|one| one.rings.iter().flat_map(|ring| &ring.points));
    let bounds = points.fold(Rect::NOTHING, |bounds, at| bounds.union(Rect::from_min_max(*at, *at)));
    let bounds = bounds.expand(reach * 0.25);
    land.size = if places.is_empty() { vec2(UNITS * WIDE, UNITS) } else { bounds.size() };
    let origin = if places.is_empty() { Vec2::ZERO } else { bounds.min.to_vec2() };
    for territory in &mut land.territories {
        territory.seat -= origin;
        let rings = std::mem::take(&mut territory.rings).into_iter();
        territory.rings =
            rings.map(|ring| Ring::new(ring.points.iter().map(|at| *at - origin).collect())).collect();
    }
    land.borders.iter_mut().flat_map(|border| &mut border.points).for_each(|at| *at -= origin);
    land
}

/// Reach of land from its place, such that most roads connect touching territories.
fn reach(scene: &Scene, places: &[(u8, Pos2)]) -> f32 {
    let at = |id: u8| places.iter().find(|(other, _)| *other == id).map(|(_, at)| *at);
    let length = |a: u8, b: u8| Some(at(a)?.distance(at(b)?));
    let mut lengths: Vec<f32> = scene.roads().iter().filter_map(|road| length(road.a, road.b)).collect();
    lengths.sort_by(f32::total_cmp);
    lengths.get(lengths.len() * 3 / 5).copied().unwrap_or(UNITS / 3.0).clamp(UNITS / 30.0, UNITS / 2.0)
        * REACH
}

/// Polygon of the points nearest to a place, within its reach.
fn cell(scene: &Scene, places: &[(u8, Pos2)], own: usize, reach: f32) -> Vec<Corner> {
    let (id, seat) = places[own];
    let turn = std::f32::consts::TAU / f32::from(CORNERS);
    let mut cell: Vec<Corner> =
        (0..CORNERS).map(|n| (seat + angled(turn * f32::from(n)) * reach, None)).collect();
    for (number, (other, there)) in places.iter().enumerate() {
        let between = *there - seat;
        let far = between.length();
        if number == own || far > 2.0 * reach || far < 1.0 {
            continue;
        }
        let (way, road) = (between / far, scene.has_road(id, *other));
        let middle = far / 2.0 - if road { 0.0 } else { (reach * STRAIT / 2.0).min(far * 0.2) };
        cut(&mut cell, seat + way * middle, way, road.then_some(number));
    }
    cell
}

/// Cuts a polygon along a line; `beyond` is the territory on the other side.
fn cut(cell: &mut Vec<Corner>, on_line: Pos2, way: Vec2, beyond: Option<usize>) {
    let far = |at: Pos2| (at - on_line).dot(way);
    let mut kept = Vec::with_capacity(cell.len() + 1);
    for (n, (from, edge)) in cell.iter().enumerate() {
        let to = cell[(n + 1) % cell.len()].0;
        let (before, after) = (far(*from), far(to));
        let crossing = || *from + (to - *from) * (before / (before - after));
        match (before <= 0.0, after <= 0.0) {
            (true, true) => kept.push((*from, *edge)),
            (true, false) => kept.extend([(*from, *edge), (crossing(), beyond)]),
            (false, true) => kept.push((crossing(), *edge)),
            (false, false) => {}
        }
    }
    *cell = kept;
}

/// Points of a bent edge; they are the same from both ends.
fn bent(from: Pos2, to: Pos2, reach: f32) -> Vec<Pos2> {
    let steps = (from.distance(to) / (reach * STEP)).ceil().clamp(1.0, 60.0) as u16;
    (0..=steps).map(|n| moved(from.lerp(to, f32::from(n) / f32::from(steps)), reach)).collect()
}

/// Displacement of a point by long and short waves, too flat to make lines cross.
fn moved(at: Pos2, reach: f32) -> Pos2 {
    let wave = |along: f32, across: f32| {
        let sin = |length: f32, turn: f32| libm::sinf((along + 0.4 * across) / (reach * length) + turn);
        reach * (0.09 * sin(0.33, across / reach) + 0.04 * sin(0.13, 1.0 + across / reach * 2.0))
    };
    at + vec2(wave(at.y, at.x), wave(at.x, at.y))
}

/// Adds an edge to the last border if it continues it, or else begins another one. A border between two territories is
/// taken from the first of them.
fn add_border(borders: &mut Vec<Border>, sides: [Option<usize>; 2], line: Vec<Pos2>) {
    if sides[1].is_some() && sides[1] < sides[0] {
        return;
    }
    match borders.last_mut() {
        Some(last) if last.sides == sides && last.points.last() == line.first() => {
            last.points.extend(line.into_iter().skip(1));
        }
        _ => borders.push(Border { sides, points: line }),
    }
}
