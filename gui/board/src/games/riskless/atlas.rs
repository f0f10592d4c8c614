//! Atlas: screen positions of the land, of the territories' signs, and of their names.

use std::rc::Rc;

use egui::{Pos2, Rect, Vec2, pos2, vec2};

use super::land::{Land, Ring};

/// Least and largest ratio by which the land's width may be changed to fill its place.
const STRETCH: (f32, f32) = (0.72, 1.12);
/// Distance below which points of a line are merged, in points of the screen.
const SEEN: f32 = 0.6;
/// Cosine of the turn from which a corner counts as sharp.
const SHARP: f32 = -0.2;
/// Distance of the two corners from the sharp one that they replace, in points.
const BLUNT: f32 = 0.3;
/// Part of the map's width from which a road goes around the Earth instead.
const AROUND: f32 = 0.5;

/// Width of a map below which names without room beside their territories are left out, in points.
const LEADERS_FROM: f32 = 480.0;
/// Distance of a name from its territory at most, in radii of its sign.
const REACH: f32 = 20.0;
/// The same for a name that lies over another territory.
const REACH_ON_LAND: f32 = 7.0;
/// Number of directions in which a free place is searched.
const DIRECTIONS: u16 = 24;

/// Place of a territory's name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NamePlace {
    pub territory: u8,
    pub area: Rect,
    /// Line from the territory's sign to a name that had no room beside it.
    pub leader: Option<[Pos2; 2]>,
}

/// Territories of a map in its rectangle.
#[derive(Debug)]
pub(super) struct Atlas {
    /// Rectangle of the sea.
    pub map: Rect,
    /// Radius of a territory's sign, in points.
    pub radius: f32,
    pub land: Rc<Land>,
    /// Rectangle of the land.
    pub area: Rect,
    places: Vec<(u8, Pos2)>,
}

/// Line between two places; two segments if it leaves the map over one edge and returns over the other.
pub(super) type Way = Vec<[Pos2; 2]>;

impl Atlas {
    /// The largest map that fits into `rect`. The sea fills all of it.
    pub(super) fn fit(rect: Rect, land: Rc<Land>) -> Atlas {
        let natural = land.size.x / land.size.y.max(1.0);
        let inner = rect.shrink((rect.size().min_elem() * 0.02).clamp(2.0, 12.0));
        let shape = inner.width() / inner.height().max(1.0);
        let shape = shape.clamp(natural * STRETCH.0, natural * STRETCH.1);
        let width = inner.width().min(inner.height() * shape).max(1.0);
        let area = Rect::from_center_size(rect.center(), vec2(width, width / shape));
        let mut atlas = Atlas { map: rect, radius: 0.0, land, area, places: Vec::new() };
        let seats = atlas.land.territories.iter();
        let mut places: Vec<(u8, Pos2)> =
            seats.filter_map(|territory| Some((territory.id?, atlas.on_screen(territory.seat)))).collect();
        places.sort_by_key(|(id, _)| *id);
        // Maps with few territories have larger signs.
        let few = (42.0 / places.len().max(1) as f32).sqrt().clamp(1.0, 2.4);
        atlas.radius = (nearest(&places) * 0.40).clamp(7.5, (area.width() * 0.0135 * few).clamp(8.5, 34.0));
        spread(&mut places, atlas.radius * 2.15, rect.shrink(atlas.radius));
        atlas.places = places;
        atlas
    }

    /// Screen position of a point of the land.
    pub(super) fn on_screen(&self, at: Pos2) -> Pos2 {
        self.area.min + at.to_vec2() * (self.area.size() / self.land.size)
    }

    /// A line of the land on the screen without invisible detail, and whether it is closed.
    pub(super) fn line(&self, points: &[Pos2]) -> (Vec<Pos2>, bool) {
        let mut line: Vec<Pos2> = Vec::with_capacity(points.len());
        for (n, at) in points.iter().enumerate() {
            let at = self.on_screen(*at);
            let is_end = n == 0 || n + 1 == points.len();
            if is_end || line.last().is_some_and(|last| last.distance_sq(at) > SEEN * SEEN) {
                line.push(at);
            }
        }
        // A closed line has no second copy of its first point.
        let is_closed = line.len() > 3 && line.first() == line.last();
        if is_closed {
            line.pop();
        }
        (line, is_closed)
    }

    /// Outlines of a territory on the screen.
    pub(super) fn outlines(&self, territory: u8) -> Vec<Vec<Pos2>> {
        let rings = self.land.territory(territory).map_or(&[][..], |territory| &territory.rings);
        rings.iter().map(|ring: &Ring| blunt(&self.line(&ring.points).0, true)).collect()
    }

    /// Original and actual positions of signs that were moved for lack of room.
    pub(super) fn pushed_aside(&self) -> impl Iterator<Item = [Pos2; 2]> {
        let seats = self.land.territories.iter();
        let moved = seats.filter_map(|one| Some([self.on_screen(one.seat), self.at(one.id?)?]));
        moved.filter(|[seat, sign]| seat.distance(*sign) > self.radius * 1.1)
    }

    /// Position of a territory's sign.
    pub(super) fn at(&self, territory: u8) -> Option<Pos2> {
        let index = self.places.binary_search_by_key(&territory, |(id, _)| *id).ok()?;
        Some(self.places[index].1)
    }

    /// Square around a territory's sign.
    pub(super) fn area(&self, territory: u8) -> Option<Rect> {
        Some(Rect::from_center_size(self.at(territory)?, Vec2::splat(self.radius * 2.0)))
    }

    /// The territory at a point of the screen: by its sign, else by its land, else by a sign nearby.
    pub(super) fn territory_at(&self, at: Pos2) -> Option<u8> {
        if !self.map.contains(at) {
            return None;
        }
        let nearest =
            self.places.iter().min_by(|a, b| a.1.distance_sq(at).total_cmp(&b.1.distance_sq(at)))?;
        let far = nearest.1.distance(at);
        if far < self.radius {
            return Some(nearest.0);
        }
        self.land.territory_at(self.on_land(at)).or((far < self.radius * 1.5).then_some(nearest.0))
    }

    /// Point of the land at a point of the screen.
    fn on_land(&self, at: Pos2) -> Pos2 {
        ((at - self.area.min) / self.area.size() * self.land.size).to_pos2()
    }

    /// Line from a territory to another one, around the Earth if that is shorter.
    pub(super) fn way(&self, from: u8, to: u8) -> Way {
        let (Some(from), Some(to)) = (self.at(from), self.at(to)) else { return Vec::new() };
        let around = self.map.width() * (if from.x < to.x { -1.0 } else { 1.0 });
        if (to.x - from.x).abs() < self.map.width() * AROUND {
            return vec![[from, to]];
        }
        vec![[from, to + vec2(around, 0.0)], [from - vec2(around, 0.0), to]]
    }

    /// Places of the names: below, above or beside their territories, where they cover nothing. Names without such a
    /// place stand farther off with a line to their territory; on a small map they are left out. `size` gives the size
    /// of a name.
    pub(super) fn names(&self, size: impl Fn(u8) -> Vec2) -> Vec<NamePlace> {
        let mut taken: Vec<Rect> = self
            .places
            .iter()
            .map(|(_, at)| Rect::from_center_size(*at, Vec2::splat(self.radius * 1.9)))
            .collect();
        let mut names = Vec::new();
        let mut homeless = Vec::new();
        for (id, at) in &self.places {
            let size = size(*id);
            let (down, right) = (self.radius + size.y / 2.0, self.radius * 1.15 + size.x / 2.0);
            let slanted = vec2(right * 0.8, down * 0.8);
            let ways = [
                vec2(0.0, down),
                vec2(0.0, -down),
                vec2(right, 0.0),
                vec2(-right, 0.0),
                slanted,
                -slanted,
                vec2(slanted.x, -slanted.y),
                vec2(-slanted.x, slanted.y),
            ];
            let places = ways.into_iter().map(|way| Rect::from_center_size(*at + way, size));
            let free = |name: &Rect| {
                self.map.contains_rect(*name) && !taken.iter().any(|other| other.intersects(name.shrink(0.5)))
            };
            match places.into_iter().find(free) {
                Some(area) => {
                    taken.push(area);
                    names.push(NamePlace { territory: *id, area, leader: None });
                }
                None if self.map.width() >= LEADERS_FROM => homeless.push((*id, *at, size)),
                None => {}
            }
        }
        for (territory, at, size) in homeless {
            // On land a name is taken for that of the territory below it, so the sea comes first. A line that touches a
            // sign's edge is better than no name.
            let ways = [(1.0, true), (0.6, true), (1.0, false), (0.6, false)];
            let found = ways.into_iter().find_map(|(apart, at_sea)| {
                self.far_off((territory, at), size, (apart, at_sea), &taken, &names)
            });
            if let Some((area, leader)) = found {
                taken.push(area);
                names.push(NamePlace { territory, area, leader: Some(leader) });
            }
        }
        names
    }

    /// The nearest free place for a name of this size, with the line to it. The line crosses no name and keeps `apart`
    /// radii from other signs. `at_sea`: the name lies over no other territory; else it stays near.
    fn far_off(
        &self,
        (territory, at): (u8, Pos2),
        size: Vec2,
        (apart, at_sea): (f32, bool),
        taken: &[Rect],
        names: &[NamePlace],
    ) -> Option<(Rect, [Pos2; 2])> {
        let reach = if at_sea { REACH } else { REACH_ON_LAND };
        let steps = (reach * self.radius / (size.y / 2.0)) as u16;
        let tries = (1..=steps).flat_map(|step| (0..DIRECTIONS).map(move |direction| (step, direction)));
        tries.into_iter().find_map(|(step, direction)| {
            let turn = f32::from(direction) / f32::from(DIRECTIONS) * std::f32::consts::TAU;
            let way = Vec2::angled(turn) * (self.radius + f32::from(step) * size.y / 2.0);
            // A name beside the sign is placed by its nearer end.
            let area = Rect::from_center_size(at + way + vec2(turn.cos() * size.x / 2.0, 0.0), size);
            let near = area.clamp(at);
            let leader = [at + (near - at).normalized() * self.radius, near];
            let is_free = self.map.contains_rect(area)
                && !taken.iter().any(|other| other.intersects(area.shrink(0.5)))
                && !names.iter().any(|name| crosses(leader, name.area))
                && !names.iter().filter_map(|name| name.leader).any(|other| crosses(other, area))
                && !self
                    .places
                    .iter()
                    .any(|(_, other)| *other != at && reaches(leader, *other, apart * self.radius))
                && (!at_sea || !self.lies_on_another(territory, area));
            is_free.then_some((area, leader))
        })
    }

    /// Whether a part of a name lies over another territory.
    fn lies_on_another(&self, territory: u8, area: Rect) -> bool {
        let parts = |count: u8| (0..=count).map(move |n| f32::from(n) / f32::from(count));
        parts(6).flat_map(|x| parts(2).map(move |y| vec2(x, y))).any(|part| {
            let at = area.min + area.size() * part;
            self.land.territory_at(self.on_land(at)).is_some_and(|other| other != territory)
        })
    }
}

/// The line with each sharp corner replaced by two, so that its stroke has no spikes.
pub(super) fn blunt(line: &[Pos2], is_closed: bool) -> Vec<Pos2> {
    let count = line.len();
    let mut blunted = Vec::with_capacity(count + count / 8);
    for (n, at) in line.iter().enumerate() {
        let (before, after) = (line[(n + count - 1) % count], line[(n + 1) % count]);
        let (come, go) = ((*at - before).normalized(), (after - *at).normalized());
        let is_end = !is_closed && (n == 0 || n + 1 == count);
        if is_end || come.dot(go) > SHARP {
            blunted.push(*at);
            continue;
        }
        let aside = go - come * go.dot(come);
        let aside = if aside.length() > 0.01 { aside.normalized() } else { come.rot90() } * BLUNT;
        blunted.extend([*at - aside, *at + aside]);
    }
    blunted
}

/// Whether a line comes nearer than `near` to a point.
fn reaches([from, to]: [Pos2; 2], point: Pos2, near: f32) -> bool {
    let along = to - from;
    let part = ((point - from).dot(along) / along.length_sq().max(0.01)).clamp(0.0, 1.0);
    (from + along * part).distance(point) < near
}

/// Whether a line crosses a rectangle.
fn crosses([from, to]: [Pos2; 2], area: Rect) -> bool {
    let steps = ((to - from).length() / 3.0) as u16;
    (0..=steps).any(|step| area.contains(from.lerp(to, f32::from(step) / f32::from(steps.max(1)))))
}

/// Distance to the nearest neighbour: the lower quartile over all places.
fn nearest(places: &[(u8, Pos2)]) -> f32 {
    let mut distances: Vec<f32> = places
        .iter()
        .map(|(id, at)| {
            let others = places.iter().filter(|(other, _)| other != id);
            others.map(|(_, other)| at.distance(*other)).fold(f32::INFINITY, f32::min)
        })
        .collect();
    distances.sort_by(f32::total_cmp);
    distances.get(distances.len() / 4).copied().filter(|distance| distance.is_finite()).unwrap_or(60.0)
}

/// Moves places apart that are closer than `apart`, within the map.
fn spread(places: &mut [(u8, Pos2)], apart: f32, within: Rect) {
    for _ in 0..16 {
        let mut calm = true;
        for a in 0..places.len() {
            for b in a + 1..places.len() {
                let between = places[b].1 - places[a].1;
                let lacking = apart - between.length();
                if lacking > 0.1 {
                    let way = if between.length() > 0.01 { between.normalized() } else { vec2(0.6, 0.8) };
                    let way = way * (lacking * 0.52);
                    places[a].1 = clamp(places[a].1 - way, within);
                    places[b].1 = clamp(places[b].1 + way, within);
                    calm = false;
                }
            }
        }
        if calm {
            return;
        }
    }
}

fn clamp(at: Pos2, within: Rect) -> Pos2 {
    // In a very small window `within` may be empty.
    pos2(at.x.max(within.left()).min(within.right()), at.y.max(within.top()).min(within.bottom()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_protocol::riskless::{Command, Name, Scene, Territory};
    use grandstand_protocol::{Micros, Scene as AnyScene};

    fn scene(places: &[(u16, u16)]) -> Scene {
        let mut scene = AnyScene::new(grandstand_protocol::Game::Riskless);
        for (id, (x, y)) in (0..).zip(places) {
            let place = Territory { id, x: *x, y: *y, name: Name::from("Somewhere") };
            scene.apply(1, Micros(0), &Command::Territory(place).into());
        }
        let AnyScene::Riskless(scene) = scene else { panic!("another game") };
        scene
    }

    fn atlas(places: &[(u16, u16)], width: f32, height: f32) -> Atlas {
        let land = Rc::new(Land::of(&scene(places)));
        Atlas::fit(Rect::from_min_size(pos2(3.0, 5.0), vec2(width, height)), land)
    }

    const PLACES: &[(u16, u16)] =
        &[(75, 128), (944, 184), (506, 272), (507, 273), (533, 232), (500, 1000), (0, 0)];

    #[test]
    fn no_two_territories_lie_on_each_other_and_all_lie_on_the_map() {
        for (width, height) in [(500.0, 300.0), (1200.0, 700.0), (400.0, 900.0)] {
            let atlas = atlas(PLACES, width, height);
            for (id, at) in &atlas.places {
                assert!(atlas.map.contains(*at));
                assert_eq!(atlas.territory_at(*at), Some(*id));
                for (other, there) in atlas.places.iter().filter(|(other, _)| other > id) {
                    assert!(at.distance(*there) > atlas.radius * 2.0, "{id} {other} in {width} × {height}");
                }
            }
        }
    }

    #[test]
    fn a_line_that_turns_back_has_no_sharp_corner() {
        let line = [(0.0, 0.0), (90.0, 0.0), (0.0, 1.0), (50.0, 40.0)].map(|(x, y)| pos2(x, y));
        for is_closed in [false, true] {
            let blunted = blunt(&line, is_closed);
            assert!(blunted.len() > line.len());
            for corner in blunted.windows(3) {
                let [come, go] = [corner[1] - corner[0], corner[2] - corner[1]].map(Vec2::normalized);
                assert!(come.dot(go) > -0.5, "{corner:?}");
            }
        }
        assert_eq!(blunt(&[], true), []);
    }

    #[test]
    fn a_road_over_the_whole_map_goes_around_the_earth() {
        let atlas = atlas(PLACES, 1000.0, 500.0);
        let [[from, off], [on, to]] = atlas.way(0, 1)[..] else { panic!("two lines") };
        assert!(off.x < atlas.map.left() && on.x > atlas.map.right());
        assert_eq!((Some(from), Some(to)), (atlas.at(0), atlas.at(1)));
        assert_eq!(atlas.way(2, 4).len(), 1);
    }

    #[test]
    fn names_lie_over_no_territory_and_over_no_other_name() {
        let atlas = atlas(PLACES, 600.0, 400.0);
        let names = atlas.names(|_| vec2(60.0, 14.0));
        assert!(names.len() > 3);
        for NamePlace { territory, area, .. } in &names {
            let others = names.iter().filter(|other| other.territory != *territory);
            assert!(others.into_iter().all(|other| !other.area.shrink(1.0).intersects(*area)));
            assert!(atlas.places.iter().all(|(_, at)| !area.shrink(1.0).contains(*at)));
        }
    }

    /// The map `earth`.
    fn earth() -> Scene {
        let file = std::fs::read("../../replays/samples/riskless-alphabeta-random.replay").expect("a sample");
        let replay = grandstand_replays::Replay::open(&file, grandstand_replays::Limits::default())
            .expect("a recording");
        let AnyScene::Riskless(earth) = replay.log().scene_at(u64::MAX) else { panic!("another game") };
        earth
    }

    /// The map in a rectangle of this size, and the places of its names.
    fn named(earth: &Scene, (width, height): (f32, f32)) -> (Atlas, Vec<NamePlace>) {
        let land = Rc::new(Land::of(earth));
        let atlas = Atlas::fit(Rect::from_min_size(pos2(0.0, 0.0), vec2(width, height)), land);
        let size = (atlas.radius * 0.72).clamp(12.0, 22.0);
        let letters = |id: u8| earth.territory(id).map_or(0, |place| place.name.chars().count());
        let names = atlas.names(|id| vec2(letters(id) as f32 * size * 0.55, size * 1.25));
        (atlas, names)
    }

    #[test]
    fn a_name_far_off_lies_over_no_other_territory_or_near_its_own() {
        let earth = earth();
        for size in [(490.0, 340.0), (524.0, 360.0), (600.0, 400.0), (760.0, 430.0), (1500.0, 900.0)] {
            let (atlas, names) = named(&earth, size);
            for name in names.iter().filter(|name| name.leader.is_some()) {
                let at = atlas.at(name.territory).expect("a place");
                let is_near = name.area.distance_to_pos(at) <= atlas.radius * (REACH_ON_LAND + 2.0);
                let which = earth.territory(name.territory);
                assert!(
                    is_near || !atlas.lies_on_another(name.territory, name.area),
                    "{which:?} in {size:?}"
                );
            }
        }
    }

    #[test]
    fn every_territory_of_the_earth_has_its_name_in_a_window() {
        let earth = earth();
        for (width, height) in [(760.0, 430.0), (1040.0, 700.0), (1500.0, 900.0)] {
            let (_, names) = named(&earth, (width, height));
            let missing =
                earth.territories().filter(|place| names.iter().all(|name| name.territory != place.id));
            let missing: Vec<_> = missing.map(|place| place.name.to_string()).collect();
            assert!(missing.is_empty(), "{width} × {height}: {missing:?}");
        }
    }
}
