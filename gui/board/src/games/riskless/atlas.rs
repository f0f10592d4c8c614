//! Screen positions of the territories, and where there is room for their names.

use egui::{Pos2, Rect, Vec2, pos2, vec2};
use grandstand_protocol::riskless::{MILLE, Scene};

/// How much wider than high a map is, at least and at most.
const SHAPES: (f32, f32) = (1.2, 2.3);
/// Roads over more than this part of the map's width go around the Earth instead.
const AROUND: f32 = 0.5;

/// On a map narrower than this, names that find no room beside their territories are left out.
const LEADERS_FROM: f32 = 480.0;
/// How far a name may be from its territory, in radii of its sign.
const REACH: f32 = 20.0;
/// In so many directions a free place is looked for.
const DIRECTIONS: u16 = 24;

/// Where the name of a territory stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NamePlace {
    pub territory: u8,
    pub area: Rect,
    /// The line from the territory's sign to a name that found no room beside it.
    pub leader: Option<[Pos2; 2]>,
}

/// The territories of a map in its rectangle.
#[derive(Debug)]
pub(super) struct Atlas {
    /// The sea.
    pub map: Rect,
    /// The radius of the sign of a territory.
    pub radius: f32,
    places: Vec<(u8, Pos2)>,
}

/// A line from a place to a place: two where it goes off one edge and comes back over the other.
pub(super) type Way = Vec<[Pos2; 2]>;

impl Atlas {
    /// The largest map that fits into `rect`.
    pub(super) fn fit(rect: Rect, scene: &Scene) -> Atlas {
        let shape = (rect.width() / rect.height().max(1.0)).clamp(SHAPES.0, SHAPES.1);
        let width = rect.width().min(rect.height() * shape);
        let map = Rect::from_center_size(rect.center(), vec2(width, width / shape));
        let edge = (map.height() * 0.06).clamp(16.0, 48.0);
        let inner = map.shrink2(vec2(edge, edge * 1.1));
        let part = |mille: u16| f32::from(mille) / f32::from(MILLE);
        let at = |x: u16, y: u16| inner.min + vec2(part(x), part(y)) * inner.size();
        let mut places: Vec<(u8, Pos2)> =
            scene.territories().map(|place| (place.id, at(place.x, place.y))).collect();
        let radius = (nearest(&places) * 0.41).clamp(8.0, (map.height() * 0.045).max(9.0));
        spread(&mut places, radius * 2.25, inner);
        Atlas { map, radius, places }
    }

    /// Where a territory is.
    pub(super) fn at(&self, territory: u8) -> Option<Pos2> {
        let index = self.places.binary_search_by_key(&territory, |(id, _)| *id).ok()?;
        Some(self.places[index].1)
    }

    /// A square around the sign of a territory.
    pub(super) fn area(&self, territory: u8) -> Option<Rect> {
        Some(Rect::from_center_size(self.at(territory)?, Vec2::splat(self.radius * 2.0)))
    }

    /// The territory at a point of the screen.
    pub(super) fn territory_at(&self, at: Pos2) -> Option<u8> {
        let nearest =
            self.places.iter().min_by(|a, b| a.1.distance_sq(at).total_cmp(&b.1.distance_sq(at)))?;
        (nearest.1.distance(at) < self.radius * 1.5).then_some(nearest.0)
    }

    /// The line from a territory to another one, around the Earth where that is shorter.
    pub(super) fn way(&self, from: u8, to: u8) -> Way {
        let (Some(from), Some(to)) = (self.at(from), self.at(to)) else { return Vec::new() };
        let around = self.map.width() * (if from.x < to.x { -1.0 } else { 1.0 });
        if (to.x - from.x).abs() < self.map.width() * AROUND {
            return vec![[from, to]];
        }
        vec![[from, to + vec2(around, 0.0)], [from - vec2(around, 0.0), to]]
    }

    /// Where the names stand: below their territories, or above or beside them, where they lie over nothing else. Those
    /// that find no room there stand farther off, with a line to them; on a small map they are left out. `size` says how large a name
    /// is.
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
            // A line that touches the edge of a sign is better than no name.
            let found =
                [1.0, 0.6].into_iter().find_map(|apart| self.far_off(at, size, apart, &taken, &names));
            if let Some((area, leader)) = found {
                taken.push(area);
                names.push(NamePlace { territory, area, leader: Some(leader) });
            }
        }
        names
    }

    /// The nearest free place for a name of this size, and the line to it, which crosses no name and comes no nearer to other signs than
    /// `apart` radii.
    fn far_off(
        &self,
        at: Pos2,
        size: Vec2,
        apart: f32,
        taken: &[Rect],
        names: &[NamePlace],
    ) -> Option<(Rect, [Pos2; 2])> {
        let steps = (REACH * self.radius / (size.y / 2.0)) as u16;
        let tries = (1..=steps).flat_map(|step| (0..DIRECTIONS).map(move |direction| (step, direction)));
        tries.into_iter().find_map(|(step, direction)| {
            let turn = f32::from(direction) / f32::from(DIRECTIONS) * std::f32::consts::TAU;
            let way = Vec2::angled(turn) * (self.radius + f32::from(step) * size.y / 2.0);
            // Beside it a name is held by its nearer end.
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
                    .any(|(_, other)| *other != at && reaches(leader, *other, apart * self.radius));
            is_free.then_some((area, leader))
        })
    }
}

/// Whether a line comes that near to a point.
fn reaches([from, to]: [Pos2; 2], point: Pos2, near: f32) -> bool {
    let along = to - from;
    let part = ((point - from).dot(along) / along.length_sq().max(0.01)).clamp(0.0, 1.0);
    (from + along * part).distance(point) < near
}

/// Whether a line goes through a rectangle.
fn crosses([from, to]: [Pos2; 2], area: Rect) -> bool {
    let steps = ((to - from).length() / 3.0) as u16;
    (0..=steps).any(|step| area.contains(from.lerp(to, f32::from(step) / f32::from(steps.max(1)))))
}

/// How far a place is from its nearest neighbour, for a place that is nearer to its own than three of four are.
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

/// Pushes places apart that are closer than that, as far as it takes and within the map.
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
    // In a very small window nothing is within.
    pos2(at.x.max(within.left()).min(within.right()), at.y.max(within.top()).min(within.bottom()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_protocol::riskless::{Command, Name, Territory};
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
        Atlas::fit(Rect::from_min_size(pos2(3.0, 5.0), vec2(width, height)), &scene(places))
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

    #[test]
    fn every_territory_of_the_earth_has_its_name_in_a_window() {
        let file = std::fs::read("../../replays/samples/riskless-alphabeta-random.replay").expect("a sample");
        let replay = grandstand_replays::Replay::open(&file, grandstand_replays::Limits::default())
            .expect("a recording");
        let AnyScene::Riskless(earth) = replay.log().scene_at(u64::MAX) else { panic!("another game") };
        for (width, height) in [(760.0, 430.0), (1040.0, 700.0), (1500.0, 900.0)] {
            let atlas = Atlas::fit(Rect::from_min_size(pos2(0.0, 0.0), vec2(width, height)), &earth);
            let size = (atlas.radius * 0.72).clamp(12.0, 22.0);
            let letters = |id: u8| earth.territory(id).map_or(0, |place| place.name.chars().count());
            let names = atlas.names(|id| vec2(letters(id) as f32 * size * 0.55, size * 1.25));
            let missing =
                earth.territories().filter(|place| names.iter().all(|name| name.territory != place.id));
            let missing: Vec<_> = missing.map(|place| place.name.to_string()).collect();
            assert!(missing.is_empty(), "{width} × {height}: {missing:?}");
        }
    }
}
