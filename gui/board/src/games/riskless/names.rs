//! Places of the territories' names on a map.
//!
//! Each name has candidates: beside its sign, and farther off with a line to it. A candidate has a cost, which is high
//! where the name lies over the land of another territory. A name takes its cheapest candidate; names that are in its
//! way move, if that costs less altogether.

use std::cell::RefCell;
use std::collections::HashMap;

use egui::{Pos2, Rect, Vec2, vec2};

use super::atlas::Atlas;

/// Distance of two names beside each other and above each other, in points: a space between words. On a small map names
/// need more to be read.
const GAP: Vec2 = vec2(3.0, -0.5);
const GAP_ON_SMALL: Vec2 = vec2(8.0, 2.0);
/// Part of a name on a small map that may lie over other territories.
const ON_OTHERS_ON_SMALL: f32 = 0.2;
/// Length of a line to a name at most, in radii of a sign: a name that finds no nearer place is told under the pointer, and
/// with zoom.
const REACH: f32 = 5.0;
/// Number of directions in which a place farther off is looked for.
const DIRECTIONS: u8 = 64;
/// Cost of a name with a line, and of each height of a letter that the line is long.
const LINE: (f32, f32) = (3.0, 0.9);
/// Cost of a name, beside its sign or farther off, that lies over other territories, and of such a line.
const ON_OTHERS: (f32, f32, f32) = (1.5, 5.0, 2.0);
/// Distance of a line from the middle of other signs, in radii: at least, so that it runs through none, and that from which it costs
/// nothing.
const APART: (f32, f32) = (1.1, 1.5);
/// Cost of a name, beside its sign or farther off, that touches another sign; and the distances from a sign at which such names cost
/// nothing, in radii: one without a line may seem to be between two signs.
const BESIDE_OTHERS: (f32, f32) = (1.0, 4.0);
const APART_FROM_SIGNS: (f32, f32) = (1.0, 0.35);
/// The distance from other signs at least on a small map, in radii, and from one that is above the letters or below them: there its own
/// name would stand.
const APART_ON_SMALL: f32 = 0.35;
const BELOW_ON_SMALL: f32 = 0.9;
/// Distance of a name farther off from the middle of other signs, in radii, below which it reads as theirs where its own is not nearer.
const OFF_FROM_SIGNS: f32 = 1.45;
/// Number of names that may move for another one.
const MOVED: usize = 2;
/// Number of times that all names are looked at.
const ROUNDS: u8 = 3;
/// Distance of a name from the edge of the map at least, in points.
const EDGE: f32 = 2.0;
/// Size of the letters at least, and on a map of less than this width, in points: all names have room there.
const LETTERS: (f32, f32) = (12.0, 10.5);
const NARROW: f32 = 560.0;
/// Side of the squares in which the land is looked up, in points.
const CELL: f32 = 4.0;

/// Place of a territory's name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NamePlace {
    pub territory: u8,
    pub area: Rect,
    /// Line from the territory's sign to a name that had no room beside it.
    pub leader: Option<[Pos2; 2]>,
}

/// A place that a name could have.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    area: Rect,
    leader: Option<[Pos2; 2]>,
    cost: f32,
}

impl Candidate {
    /// Whether two names with this gap between them can't both be seen.
    fn is_in_way_of(&self, other: &Candidate, gap: Vec2) -> bool {
        let crossed = |line: Option<[Pos2; 2]>, area| line.is_some_and(|line| crosses(line, area));
        self.area.expand2(gap).intersects(other.area)
            || crossed(self.leader, other.area)
            || crossed(other.leader, self.area)
            || matches!((self.leader, other.leader), (Some(a), Some(b)) if cross(a, b))
    }
}

/// A name, its candidates by their cost, and the one that it has.
struct Name {
    territory: u8,
    candidates: Vec<Candidate>,
    has: Option<Candidate>,
}

/// Size of the letters on a map, in points.
pub(super) fn letters(atlas: &Atlas) -> f32 {
    let least = if atlas.map.width() < NARROW { LETTERS.1 } else { LETTERS.0 };
    (atlas.radius * 0.72).clamp(least, 22.0)
}

/// Places of the names in the order of their territories. `size` gives the size of a name. On a small map there are those
/// that lie over their own land or the sea, beside their signs. Where not all have room, names of more `importance` come first.
/// Lines lead to other names on a map that is neither small nor one of several, where they would cover it, and that is seen as a
/// whole: to a part of one they would come from out of sight.
pub(super) fn places(
    atlas: &Atlas,
    is_whole: bool,
    importance: impl Fn(u8) -> u8,
    size: impl Fn(u8) -> Vec2,
) -> Vec<NamePlace> {
    let lands = Lands { atlas, known: RefCell::default() };
    let is_small = atlas.is_small;
    let gap = if is_small { GAP_ON_SMALL } else { GAP };
    let mut names: Vec<Name> = atlas
        .places()
        .iter()
        .map(|(territory, at)| Name {
            territory: *territory,
            candidates: lands.beside(*territory, *at, size(*territory)),
            has: None,
        })
        .collect();
    if is_small {
        for name in &mut names {
            let covers = |area| lands.name_on_others(name.territory, area) > ON_OTHERS_ON_SMALL;
            let misleads = |area| {
                lands.apart_from_others(name.territory, area) < APART_ON_SMALL
                    || lands.is_below_other(name.territory, area)
            };
            name.candidates.retain(|candidate| !covers(candidate.area) && !misleads(candidate.area));
        }
    }
    settle(&mut names, gap);
    if is_whole && !is_small && !atlas.is_tile {
        for (name, (territory, at)) in names.iter_mut().zip(atlas.places()) {
            if name.has.is_none_or(|has| has.cost > LINE.0) {
                name.candidates.extend(lands.far_off(*territory, *at, size(*territory)));
            }
        }
        settle(&mut names, gap);
    }
    if is_whole {
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by_key(|n| std::cmp::Reverse(importance(names[*n].territory)));
        for n in order {
            if names[n].has.is_none() {
                take_room(&mut names, n, gap, &importance);
            }
        }
        settle(&mut names, gap);
    }
    let placed = names.iter().filter_map(|name| Some((name.territory, name.has?)));
    placed.map(|(territory, Candidate { area, leader, .. })| NamePlace { territory, area, leader }).collect()
}

/// Gives all names the cheapest places that are found.
fn settle(names: &mut [Name], gap: Vec2) {
    for name in &mut *names {
        name.candidates.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    }
    // Most constrained names first.
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|n| names[*n].candidates.len());
    for _ in 0..ROUNDS {
        let changes = order.iter().filter(|n| improve(names, **n, gap)).count();
        if changes == 0 {
            break;
        }
    }
}

/// Gives a name without a place its cheapest one in whose way are only names of less importance, which go.
fn take_room(names: &mut [Name], n: usize, gap: Vec2, importance: impl Fn(u8) -> u8) {
    let in_way = |name: &Name, place: &Candidate| name.has.is_some_and(|has| has.is_in_way_of(place, gap));
    let own = importance(names[n].territory);
    let is_free = |place: &&Candidate| {
        !names.iter().any(|name| importance(name.territory) >= own && in_way(name, place))
    };
    let Some(place) = names[n].candidates.iter().find(is_free).copied() else { return };
    for name in names.iter_mut().filter(|name| in_way(name, &place)) {
        name.has = None;
    }
    names[n].has = Some(place);
}

/// A place for a name, what all the names concerned then cost, and the places of those that make room.
type Improvement = (f32, Candidate, Vec<(usize, Candidate)>);

/// Gives a name a cheaper place, if there is one; others move for it where all together then cost less.
fn improve(names: &mut [Name], n: usize, gap: Vec2) -> bool {
    let before = names[n].has.map_or(f32::INFINITY, |has| has.cost);
    let mut best: Option<Improvement> = None;
    for candidate in &names[n].candidates {
        let least = best.as_ref().map_or(before, |(cost, ..)| *cost);
        if candidate.cost >= least - 0.01 {
            break;
        }
        let in_way = |other: &usize| {
            *other != n && names[*other].has.is_some_and(|has| has.is_in_way_of(candidate, gap))
        };
        let movers: Vec<usize> = (0..names.len()).filter(in_way).take(MOVED + 1).collect();
        if movers.len() > MOVED {
            continue;
        }
        let mut cost = candidate.cost;
        let mut moved: Vec<(usize, Candidate)> = Vec::new();
        for mover in &movers {
            let free = |place: &&Candidate| {
                !place.is_in_way_of(candidate, gap)
                    && moved.iter().all(|(_, other)| !place.is_in_way_of(other, gap))
                    && names.iter().enumerate().all(|(other, name)| {
                        other == n
                            || movers.contains(&other)
                            || name.has.is_none_or(|has| !has.is_in_way_of(place, gap))
                    })
            };
            let had = names[*mover].has.map_or(0.0, |has| has.cost);
            let within = |place: &&Candidate| cost + place.cost - had < least - 0.01;
            let Some(place) = names[*mover].candidates.iter().take_while(within).find(free) else {
                cost = f32::INFINITY;
                break;
            };
            cost += place.cost - had;
            moved.push((*mover, *place));
        }
        if cost < least - 0.01 {
            best = Some((cost, *candidate, moved));
        }
    }
    let Some((_, candidate, moved)) = best else { return false };
    names[n].has = Some(candidate);
    moved.into_iter().for_each(|(mover, place)| names[mover].has = Some(place));
    true
}

/// The land below names, looked up once a square.
struct Lands<'a> {
    atlas: &'a Atlas,
    known: RefCell<HashMap<(i32, i32), Option<u8>>>,
}

impl Lands<'_> {
    fn territory_at(&self, at: Pos2) -> Option<u8> {
        let cell = ((at.x / CELL).floor(), (at.y / CELL).floor());
        let middle = Pos2::new((cell.0 + 0.5) * CELL, (cell.1 + 0.5) * CELL);
        let key = (cell.0 as i32, cell.1 as i32);
        *self.known.borrow_mut().entry(key).or_insert_with(|| self.atlas.land_at(middle))
    }

    /// The part of these points that lie over other territories.
    fn on_others(&self, territory: u8, points: impl Iterator<Item = Pos2>) -> f32 {
        let (mut all, mut others) = (0.0, 0.0);
        for at in points {
            all += 1.0;
            if self.territory_at(at).is_some_and(|other| other != territory) {
                others += 1.0;
            }
        }
        others / f32::max(all, 1.0)
    }

    fn name_on_others(&self, territory: u8, area: Rect) -> f32 {
        let part = |n: u8, count: u8| (f32::from(n) + 0.5) / f32::from(count);
        let points = (0..6).flat_map(|x| (0..2).map(move |y| vec2(part(x, 6), part(y, 2))));
        self.on_others(territory, points.map(|part| area.min + area.size() * part))
    }

    /// The distance of an area from the middle of the nearest sign of another territory.
    fn nearest_other(&self, territory: u8, area: Rect) -> f32 {
        let others = self.atlas.places().iter().filter(|(other, _)| *other != territory);
        others.map(|(_, at)| area.distance_to_pos(*at)).fold(f32::INFINITY, f32::min)
    }

    /// The distance of an area from the rim of the nearest sign of another territory, in radii.
    fn apart_from_others(&self, territory: u8, area: Rect) -> f32 {
        self.nearest_other(territory, area) / self.atlas.radius - 1.0
    }

    /// Whether a name stands below the sign of another territory or above it, as its own name would.
    fn is_below_other(&self, territory: u8, area: Rect) -> bool {
        let mut others = self.atlas.places().iter().filter(|(other, _)| *other != territory);
        // A sign beside the first or the last letter is beside the name.
        let high = (1.0 + BELOW_ON_SMALL) * self.atlas.radius;
        let near = area.expand2(vec2(-LETTERS.0 / 2.0, high));
        others.any(|(_, at)| near.contains(*at))
    }

    /// How much a name looks like that of another sign: from 0, where it keeps so far off all others, to 1, where it touches one.
    fn beside_others(&self, territory: u8, area: Rect, apart: f32) -> f32 {
        (1.0 - self.apart_from_others(territory, area) / apart).clamp(0.0, 1.0)
    }

    /// Whether a name is on the map and covers no sign.
    fn has_room(&self, area: Rect) -> bool {
        let name = area.shrink(0.5);
        let sign = Vec2::splat(self.atlas.radius * 1.9);
        // A name that touches the edge looks cut.
        self.atlas.map.shrink(EDGE).contains_rect(area)
            && !self.atlas.places().iter().any(|(_, at)| Rect::from_center_size(*at, sign).intersects(name))
    }

    /// Places that touch the sign: below, above, and on both sides.
    fn beside(&self, territory: u8, at: Pos2, size: Vec2) -> Vec<Candidate> {
        let radius = self.atlas.radius;
        let (down, right) = (radius + size.y / 2.0, radius * 1.15 + size.x / 2.0);
        let slid = [(0.0, 0.0), (0.25, 0.2), (-0.25, 0.2), (0.5, 0.4), (-0.5, 0.4)];
        let below = slid.map(|(part, cost)| (vec2(size.x * part, down), cost));
        let above = slid.map(|(part, cost)| (vec2(size.x * part, -down), cost + 0.1));
        let aside = [(0.0, 0.0), (0.6, 0.1), (-0.6, 0.1)];
        let aside = [(right, 0.25), (-right, 0.3)]
            .into_iter()
            .flat_map(|(x, cost)| aside.map(|(y, more)| (vec2(x, y * radius), cost + more)));
        below
            .into_iter()
            .chain(above)
            .chain(aside)
            .map(|(way, cost)| (Rect::from_center_size(at + way, size), cost))
            .filter(|(area, _)| self.has_room(*area))
            .filter(|(area, _)| self.nearest_other(territory, *area) > area.distance_to_pos(at))
            .map(|(area, cost)| {
                let cost = cost
                    + ON_OTHERS.0 * self.name_on_others(territory, area)
                    + BESIDE_OTHERS.0 * self.beside_others(territory, area, APART_FROM_SIGNS.0);
                Candidate { area, leader: None, cost }
            })
            .collect()
    }

    /// Places farther off, each with its line, which touches no other sign.
    fn far_off(&self, territory: u8, at: Pos2, size: Vec2) -> Vec<Candidate> {
        let radius = self.atlas.radius;
        let steps = (REACH * radius / (size.y / 2.0)) as u16;
        let tries = (1..=steps).flat_map(|step| (0..DIRECTIONS).map(move |direction| (step, direction)));
        let candidate = |(step, direction): (u16, u8)| {
            let turn = f32::from(direction) / f32::from(DIRECTIONS) * std::f32::consts::TAU;
            let way = Vec2::angled(turn) * (radius + f32::from(step) * size.y / 2.0);
            // A name beside the sign is placed by its nearer end.
            let area = Rect::from_center_size(at + way + vec2(turn.cos() * size.x / 2.0, 0.0), size);
            let own = area.distance_to_pos(at);
            if !self.has_room(area) || self.nearest_other(territory, area) < own.min(OFF_FROM_SIGNS * radius)
            {
                return None;
            }
            let near = area.clamp(at);
            let leader = [at + (near - at).normalized() * radius, near];
            let others = self.atlas.places().iter().filter(|(other, _)| *other != territory);
            let apart =
                others.map(|(_, sign)| distance(leader, *sign)).fold(f32::INFINITY, f32::min) / radius;
            if apart < APART.0 {
                return None;
            }
            let points = (1..=8_u8).map(|n| leader[0].lerp(leader[1], f32::from(n) / 8.0));
            let cost = LINE.0
                + LINE.1 * leader[0].distance(near) / size.y
                + ON_OTHERS.1 * self.name_on_others(territory, area)
                + BESIDE_OTHERS.1 * self.beside_others(territory, area, APART_FROM_SIGNS.1)
                + ON_OTHERS.2 * self.on_others(territory, points)
                + if apart < APART.1 { 0.5 } else { 0.0 };
            Some(Candidate { area, leader: Some(leader), cost })
        };
        let mut found: Vec<Candidate> = tries.filter_map(candidate).collect();
        found.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        found
    }
}

/// Distance of a point from a line.
fn distance([from, to]: [Pos2; 2], point: Pos2) -> f32 {
    let along = to - from;
    let part = ((point - from).dot(along) / along.length_sq().max(0.01)).clamp(0.0, 1.0);
    (from + along * part).distance(point)
}

/// Whether a line crosses a rectangle.
fn crosses([from, to]: [Pos2; 2], area: Rect) -> bool {
    if !Rect::from_two_pos(from, to).intersects(area) {
        return false;
    }
    let steps = ((to - from).length() / 3.0) as u16;
    (0..=steps).any(|step| area.contains(from.lerp(to, f32::from(step) / f32::from(steps.max(1)))))
}

/// Whether two lines cross.
fn cross([a, b]: [Pos2; 2], [c, d]: [Pos2; 2]) -> bool {
    let side = |from: Pos2, to: Pos2, at: Pos2| (to - from).rot90().dot(at - from) > 0.0;
    side(a, b, c) != side(a, b, d) && side(c, d, a) != side(c, d, b)
}

#[cfg(test)]
pub(super) mod tests {
    use std::rc::Rc;

    use egui::pos2;
    use grandstand_protocol::Scene as AnyScene;
    use grandstand_protocol::riskless::Scene;

    use super::super::land::Land;
    use super::*;

    /// Sizes of maps: in windows from 800×600 to 1920×1080, with and without a panel beside the board.
    const WINDOWS: [(f32, f32); 9] = [
        (448.0, 331.0),
        (508.0, 331.0),
        (524.0, 360.0),
        (600.0, 400.0),
        (764.0, 331.0),
        (760.0, 430.0),
        (974.0, 560.0),
        (1483.0, 715.0),
        (1860.0, 830.0),
    ];

    /// Size of the map on a phone.
    const PHONE: (f32, f32) = (354.0, 236.0);

    /// The map `earth`.
    pub(in super::super) fn earth() -> Scene {
        let file = std::fs::read("../../replays/samples/riskless-alphabeta-random.replay").expect("a sample");
        let replay = grandstand_replays::Replay::open(&file, grandstand_replays::Limits::default())
            .expect("a recording");
        let AnyScene::Riskless(earth) = replay.log().scene_at(u64::MAX) else { panic!("another game") };
        earth
    }

    /// The map in a rectangle of this size, and the places of its names.
    fn named(earth: &Scene, (width, height): (f32, f32)) -> (Atlas, Vec<NamePlace>) {
        let land = Rc::new(Land::of(earth));
        let atlas = Atlas::fit(Rect::from_min_size(pos2(0.0, 0.0), vec2(width, height)), land, false);
        let size = super::letters(&atlas);
        let letters = |id: u8| earth.territory(id).map_or(0, |place| place.name.chars().count());
        let names = places(&atlas, true, |_| 0, |id| vec2(letters(id) as f32 * size * 0.55, size * 1.25));
        (atlas, names)
    }

    #[test]
    fn every_territory_of_the_earth_has_its_name_in_a_window() {
        let earth = earth();
        for size in WINDOWS {
            let (_, names) = named(&earth, size);
            let missing =
                earth.territories().filter(|place| names.iter().all(|name| name.territory != place.id));
            let missing: Vec<_> = missing.map(|place| place.name.to_string()).collect();
            // On the smallest maps some have no place that would not read as the name of another.
            let crowded: &[&str] =
                if size.0 < 520.0 { &["France", "Germany", "Ukraine", "Egypt", "Turkey"] } else { &[] };
            assert!(missing.iter().all(|name| crowded.contains(&name.as_str())), "{size:?}: {missing:?}");
        }
    }

    #[test]
    fn a_name_stands_nearest_to_its_own_sign_or_apart_from_all_others() {
        let earth = earth();
        for size in WINDOWS {
            let (atlas, names) = named(&earth, size);
            let lands = Lands { atlas: &atlas, known: RefCell::default() };
            for name in &names {
                let own = atlas.at(name.territory).expect("a sign");
                let own = name.area.distance_to_pos(own);
                let least = match name.leader {
                    Some(_) => own.min(1.4 * atlas.radius),
                    None => own,
                };
                let other = lands.nearest_other(name.territory, name.area);
                let which = earth.territory(name.territory).map(|place| place.name.to_string());
                assert!(other > least, "{which:?} in {size:?}: {other} from another sign");
            }
        }
    }

    #[test]
    fn a_name_that_fills_the_sea_between_two_signs_is_nearer_to_its_own() {
        let earth = earth();
        let number = |name: &str| earth.territories().find(|place| *place.name == *name).expect("a place").id;
        let [colombia, morocco] = ["Colombia", "Morocco"].map(number);
        for size in WINDOWS.into_iter().chain([PHONE, (300.0, 200.0), (400.0, 260.0)]) {
            let (atlas, names) = named(&earth, size);
            let at = |place: u8| atlas.at(place).expect("a sign");
            for name in names.iter().filter(|name| name.territory == colombia && name.leader.is_none()) {
                let [own, other] = [colombia, morocco].map(|place| name.area.distance_to_pos(at(place)));
                assert!(other - own > 1.5 * atlas.radius, "{size:?}: {own} and {other}");
            }
        }
    }

    #[test]
    fn names_cover_no_sign_and_neither_name_nor_line_of_another() {
        let earth = earth();
        for size in WINDOWS {
            let (atlas, names) = named(&earth, size);
            for (n, name) in names.iter().enumerate() {
                assert!(atlas.map.contains_rect(name.area));
                assert!(atlas.places().iter().all(|(_, at)| !name.area.contains(*at)), "{size:?}");
                for other in &names[n + 1..] {
                    let near = name.area.expand2(GAP - vec2(0.5, 0.5));
                    assert!(!near.intersects(other.area), "{size:?}: {name:?} {other:?}");
                    for (line, area) in [(name.leader, other.area), (other.leader, name.area)] {
                        assert!(
                            !line.is_some_and(|line| crosses(line, area)),
                            "{size:?}: {name:?} {other:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn no_line_is_long_or_runs_through_a_sign() {
        let earth = earth();
        for size in WINDOWS.into_iter().chain([PHONE, UPRIGHT]) {
            let land = Rc::new(Land::of(&earth));
            let atlas = Atlas::fit(Rect::from_min_size(pos2(0.0, 0.0), size.into()), land, false);
            let wide = super::letters(&atlas) * 7.0;
            // All are wanted.
            let names = places(&atlas, true, |_| 1, |_| vec2(wide, wide / 5.5));
            for NamePlace { territory, leader, .. } in names {
                let Some(line) = leader else { continue };
                assert!(line[0].distance(line[1]) <= REACH * atlas.radius, "{territory} in {size:?}");
                for (other, at) in atlas.places().iter().filter(|(other, _)| *other != territory) {
                    assert!(distance(line, *at) > atlas.radius, "{territory} over {other} in {size:?}");
                }
            }
        }
    }

    #[test]
    fn without_room_for_all_names_those_of_more_importance_come_first() {
        let land = Rc::new(Land::of(&earth()));
        for size in [PHONE, UPRIGHT, WINDOWS[0]] {
            let atlas = Atlas::fit(Rect::from_min_size(pos2(0.0, 0.0), size.into()), Rc::clone(&land), false);
            let names =
                |first: u8| places(&atlas, true, |place| 1 + u8::from(place == first), |_| vec2(70.0, 13.0));
            let has = |names: &[NamePlace], place: u8| names.iter().any(|name| name.territory == place);
            let plain = names(u8::MAX);
            let all: Vec<u8> = atlas.places().iter().map(|(place, _)| *place).collect();
            let missing: Vec<u8> = all.iter().copied().filter(|place| !has(&plain, *place)).collect();
            assert!(!missing.is_empty(), "{size:?}");
            // On a phone most others have no room beside their signs, whatever gives way.
            let least = if size == WINDOWS[0] { missing.len() / 2 } else { 0 };
            let come = missing.iter().filter(|place| has(&names(**place), **place)).count();
            assert!(come > least, "{size:?}: {come} of {}", missing.len());
        }
    }

    #[test]
    fn on_a_phone_and_on_one_of_several_maps_no_line_leads_to_a_name() {
        let land = Rc::new(Land::of(&earth()));
        for (size, is_tile) in [(PHONE, false), (UPRIGHT, false), ((460.0, 320.0), true), (WINDOWS[6], true)]
        {
            let map = Rect::from_min_size(pos2(0.0, 0.0), size.into());
            let atlas = Atlas::fit(map, Rc::clone(&land), is_tile);
            let size = super::letters(&atlas);
            // All are wanted.
            let names = places(&atlas, true, |_| 1, |_| vec2(size * 4.5, size * 1.25));
            assert!(names.iter().all(|name| name.leader.is_none()) && names.len() >= 10, "{names:?}");
        }
    }

    #[test]
    fn on_a_phone_names_stand_apart_and_cover_no_other_land() {
        let (atlas, names) = named(&earth(), PHONE);
        let lands = Lands { atlas: &atlas, known: RefCell::default() };
        for (n, name) in names.iter().enumerate() {
            let covered = lands.name_on_others(name.territory, name.area);
            assert!(covered <= ON_OTHERS_ON_SMALL, "{name:?}: {covered}");
            let near = name.area.expand2(GAP_ON_SMALL - vec2(0.5, 0.5));
            assert!(names[n + 1..].iter().all(|other| !near.intersects(other.area)), "{name:?}");
        }
    }

    /// The map on a phone, and a phone's map on which all territories are held.
    const UPRIGHT: (f32, f32) = (354.0, 330.0);

    #[test]
    fn on_a_phone_lands_that_somebody_holds_have_their_names_first_and_none_looks_like_that_of_another() {
        let earth = earth();
        let land = Rc::new(Land::of(&earth));
        let atlas = Atlas::fit(Rect::from_min_size(pos2(0.0, 0.0), UPRIGHT.into()), land, false);
        let size = super::letters(&atlas);
        let named = |place: u8| earth.territory(place).map_or("", |place| &*place.name);
        let held = [
            "Western States",
            "Western Canada",
            "Siberia",
            "China",
            "Italy",
            "Libya",
            "Alaska",
            "Brazil",
            "Nigeria",
            "Ethiopia",
            "Madagascar",
            "Mongolia",
            "Kazakhstan",
            "Germany",
            "Indochina",
        ];
        let is_held = |place: u8| held.contains(&named(place));
        let importance = |place: u8| u8::from(is_held(place));
        let wide = |place: u8| vec2(named(place).chars().count() as f32 * size * 0.55, size * 1.25);
        let places = places(&atlas, true, importance, wide);
        let missing: Vec<_> = atlas
            .places()
            .iter()
            .map(|(id, _)| *id)
            .filter(|id| is_held(*id))
            .filter(|id| places.iter().all(|name| name.territory != *id))
            .map(named)
            .collect();
        // Beside the signs of the others there is no room for a name.
        let crowded =
            ["Western Canada", "Western States", "Germany", "Italy", "Libya", "Kazakhstan", "China"];
        assert!(missing.iter().all(|name| crowded.contains(name)), "{missing:?}");
        assert!(places.len() >= 20, "{}", places.len());
        for name in &places {
            let own = atlas.at(name.territory).expect("a sign");
            let from = name.leader.map_or_else(|| name.area.distance_to_pos(own), |_| 0.0);
            for (other, at) in atlas.places().iter().filter(|(other, _)| *other != name.territory) {
                let there = name.area.distance_to_pos(*at);
                assert!(there > from, "{} at {}", named(name.territory), named(*other));
                // Where the name of another would stand.
                let is_below = name.area.shrink2(vec2(8.0, 0.0)).x_range().contains(at.x);
                let reads_as_its = is_below && there < 1.8 * atlas.radius;
                assert!(!reads_as_its, "{} below {}", named(name.territory), named(*other));
            }
        }
    }

    #[test]
    fn in_a_part_of_the_map_no_line_comes_from_out_of_sight() {
        let land = Rc::new(Land::of(&earth()));
        let atlas = Atlas::fit(Rect::from_min_size(pos2(0.0, 0.0), vec2(600.0, 400.0)), land, false);
        let names = |is_whole| places(&atlas, is_whole, |_| 0, |_| vec2(60.0, 15.0));
        assert!(names(true).iter().any(|name| name.leader.is_some()));
        assert!(names(false).iter().all(|name| name.leader.is_none()) && names(false).len() >= 20);
    }

    #[test]
    fn a_name_far_off_lies_in_the_sea_or_beside_its_own_land() {
        let earth = earth();
        for size in WINDOWS {
            let (atlas, names) = named(&earth, size);
            let lands = Lands { atlas: &atlas, known: RefCell::default() };
            for name in names.iter().filter(|name| name.leader.is_some()) {
                let covered = lands.name_on_others(name.territory, name.area);
                let which = earth.territory(name.territory).map(|place| place.name.to_string());
                let [from, to] = name.leader.expect("a line");
                assert!(from.distance(to) < atlas.radius * 9.0, "{which:?} in {size:?} is far from its land");
                assert!(
                    covered <= 0.25 || from.distance(to) < atlas.radius * 4.0,
                    "{which:?} in {size:?}: {covered}"
                );
            }
        }
    }
}
