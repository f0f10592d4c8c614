//! Atlas: screen positions of the land and of the territories' signs.

use std::cell::OnceCell;
use std::rc::Rc;

use egui::{Pos2, Rect, Vec2, pos2, vec2};

use super::land::{Land, Ring};

/// Least and largest ratio by which the land's width may be changed to fill its place.
const STRETCH: (f32, f32) = (0.5, 1.12);
/// Distance below which points of a line are merged, in points of the screen.
const SEEN: f32 = 0.6;
/// Cosine of the turn from which a corner counts as sharp.
const SHARP: f32 = -0.2;
/// Distance of the two corners from the sharp one that they replace, in points.
const BLUNT: f32 = 0.3;
/// Width and height of a map below which signs are moved apart for their size, and names without room beside their signs
/// come only with zoom, in points; and those of one of several maps, which shows only the signs that have room.
const SMALL_MAP: Vec2 = vec2(440.0, 250.0);
const SMALL_TILE: Vec2 = vec2(700.0, 350.0);
/// Least radius of a sign, and on a small map, in points.
const SIGN: (f32, f32) = (7.5, 9.5);
/// Height of the rows of land, in points.
const ROW: f32 = 10.0;
/// Part of the map's width from which a road goes around the Earth instead.
const AROUND: f32 = 0.5;

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
    /// Whether the map is one of several.
    pub is_tile: bool,
    /// Whether the map is a small one.
    pub is_small: bool,
    places: Vec<(u8, Pos2)>,
    rows: OnceCell<Rc<[Rect]>>,
}

/// Line between two places; two segments if it leaves the map over one edge and returns over the other.
pub(super) type Way = Vec<[Pos2; 2]>;

impl Atlas {
    /// The largest map that fits into `rect`, as one of several maps or alone. The sea fills all of it.
    pub(super) fn fit(rect: Rect, land: Rc<Land>, is_tile: bool) -> Atlas {
        let least = if is_tile { SMALL_TILE } else { SMALL_MAP };
        let is_small = rect.width() < least.x || rect.height() < least.y;
        let natural = land.size.x / land.size.y.max(1.0);
        let inner = rect.shrink((rect.size().min_elem() * 0.02).clamp(2.0, 12.0));
        let shape = inner.width() / inner.height().max(1.0);
        let shape = shape.clamp(natural * STRETCH.0, natural * STRETCH.1);
        let width = inner.width().min(inner.height() * shape).max(1.0);
        let area = Rect::from_center_size(rect.center(), vec2(width, width / shape));
        let mut atlas = Atlas {
            map: rect,
            radius: 0.0,
            land,
            area,
            is_tile,
            is_small,
            places: Vec::new(),
            rows: OnceCell::new(),
        };
        let seats = atlas.land.territories.iter();
        let mut places: Vec<(u8, Pos2)> =
            seats.filter_map(|territory| Some((territory.id?, atlas.on_screen(territory.seat)))).collect();
        places.sort_by_key(|(id, _)| *id);
        // Maps with few territories have larger signs.
        let few = (42.0 / places.len().max(1) as f32).sqrt().clamp(1.0, 2.4);
        // On a small map signs are moved apart rather than made too small to be read. One of several shows only those that
        // have room.
        let least = if is_small && !is_tile { SIGN.1 } else { SIGN.0 };
        let most = (area.width() * 0.0135 * few).clamp(least.max(8.5), 34.0);
        atlas.radius = (nearest(&places) * 0.40).clamp(least, most);
        if !(is_small && is_tile) {
            spread(&mut places, atlas.radius * 2.15, rect.shrink(atlas.radius));
        }
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

    /// The place on its land where a territory's sign would be with room for all.
    pub(super) fn seat(&self, territory: u8) -> Option<Pos2> {
        Some(self.on_screen(self.land.territory(territory)?.seat))
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
        self.land_at(at).or((far < self.radius * 1.5).then_some(nearest.0))
    }

    /// The territory whose land is at a point of the screen.
    pub(super) fn land_at(&self, at: Pos2) -> Option<u8> {
        self.land.territory_at(self.on_land(at))
    }

    /// The land in rows, found when it is first asked for.
    pub(super) fn rows(&self) -> Rc<[Rect]> {
        let find = || {
            let count = |length: f32| (length / ROW).ceil() as u16;
            let (columns, lines) = (count(self.map.width()), count(self.map.height()));
            let mut rows: Vec<Rect> = Vec::new();
            for (line, column) in (0..lines).flat_map(|line| (0..columns).map(move |column| (line, column))) {
                let min = self.map.min + vec2(f32::from(column), f32::from(line)) * ROW;
                let cell = Rect::from_min_size(min, Vec2::splat(ROW));
                if self.land_at(cell.center()).is_none() {
                    continue;
                }
                match rows.last_mut().filter(|last| last.top() == cell.top() && last.right() == cell.left()) {
                    Some(last) => last.max.x = cell.right(),
                    None => rows.push(cell),
                }
            }
            rows.into()
        };
        Rc::clone(self.rows.get_or_init(find))
    }

    /// Positions of the territories' signs, by their numbers.
    pub(super) fn places(&self) -> &[(u8, Pos2)] {
        &self.places
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
        Atlas::fit(Rect::from_min_size(pos2(3.0, 5.0), vec2(width, height)), land, false)
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
    fn signs_are_large_enough_to_be_read_on_a_phone() {
        let earth = super::super::names::tests::earth();
        let map = Rect::from_min_size(pos2(0.0, 0.0), vec2(354.0, 236.0));
        let atlas = Atlas::fit(map, Rc::new(Land::of(&earth)), false);
        assert!(atlas.radius >= 9.0, "{}", atlas.radius);
        for (id, at) in &atlas.places {
            let near = atlas
                .places
                .iter()
                .filter(|(other, there)| other > id && at.distance(*there) < 2.0 * atlas.radius);
            assert_eq!(near.count(), 0, "{id}");
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
}
