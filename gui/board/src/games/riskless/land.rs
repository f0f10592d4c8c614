//! Land of a map: outlines of its territories, and the borders between them.
//!
//! Maps of the Earth have files (`maps/land/`), recognized by the names of the territories. Land of any other map is
//! grown around its territories' places ([`grown`]).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use egui::{Pos2, Rect, Vec2, pos2, vec2};
use grandstand_protocol::riskless::Scene;

use super::grown;
use super::triangles::{area, triangles};

/// The files of `maps/land/`.
const FILES: [&str; 2] = [
    include_str!("../../../../../maps/land/earth.land"),
    include_str!("../../../../../maps/land/europe.land"),
];

/// Land of a map, in its own units.
#[derive(Debug, Clone, Default)]
pub(super) struct Land {
    pub size: Vec2,
    pub territories: Vec<Territory>,
    pub borders: Vec<Border>,
}

/// A territory on the map.
#[derive(Debug, Clone, Default)]
pub(super) struct Territory {
    /// Number in the match; `None` for land outside of the game.
    pub id: Option<u8>,
    /// Position of its sign.
    pub seat: Pos2,
    /// Outlines, one for each island.
    pub rings: Vec<Ring>,
    name: String,
    continent: String,
}

/// A closed line with the triangles that fill it.
#[derive(Debug, Clone)]
pub(super) struct Ring {
    pub points: Vec<Pos2>,
    pub triangles: Vec<[u32; 3]>,
    bounds: Rect,
}

/// A line between two territories, or between a territory and the sea.
#[derive(Debug, Clone)]
pub(super) struct Border {
    /// Indices of the territories on both sides; `None` for the sea.
    pub sides: [Option<usize>; 2],
    pub points: Vec<Pos2>,
}

impl Land {
    /// The land for the territories of a scene.
    pub(super) fn of(scene: &Scene) -> Land {
        static LANDS: OnceLock<Vec<Land>> = OnceLock::new();
        let lands = LANDS.get_or_init(|| FILES.iter().filter_map(|file| Land::parse(file)).collect());
        lands.iter().find_map(|land| land.with_numbers(scene)).unwrap_or_else(|| grown::land(scene))
    }

    /// This land with the numbers of a match; `None` if the match has other territories.
    fn with_numbers(&self, scene: &Scene) -> Option<Land> {
        let ids: BTreeMap<&str, u8> = scene.territories().map(|place| (&*place.name, place.id)).collect();
        let named: BTreeSet<&str> =
            self.territories.iter().filter(|territory| territory.is_known()).map(|one| &*one.name).collect();
        if ids.len() != scene.territories().len() || !ids.keys().copied().eq(named) {
            return None;
        }
        let mut land = self.clone();
        land.territories.iter_mut().for_each(|territory| territory.id = ids.get(&*territory.name).copied());
        Some(land)
    }

    /// Parses a file; `maps/README.md` describes the format.
    fn parse(text: &str) -> Option<Land> {
        let mut land = Land::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (word, rest) = line.split_once(' ')?;
            let mut words = rest.split(' ');
            match word {
                "size" => land.size = vec2(words.next()?.parse().ok()?, words.next()?.parse().ok()?),
                "territory" => {
                    let mut parts = rest.splitn(3, ' ');
                    let seat = pos2(parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
                    let (name, continent) = parts.next()?.split_once(" / ")?;
                    let (name, continent) = (name.to_owned(), continent.to_owned());
                    land.territories.push(Territory { seat, name, continent, ..Territory::default() });
                }
                "arc" => {
                    let mut side = || match words.next()? {
                        "-" => Some(None),
                        number => Some(Some(number.parse::<usize>().ok()?)),
                    };
                    let sides = [side()?, side()?];
                    let steps: Vec<i32> = words.map(str::parse).collect::<Result<_, _>>().ok()?;
                    let mut at = Vec2::ZERO;
                    let go = |step: &[i32]| {
                        at += vec2(step[0] as f32, step[1] as f32);
                        at.to_pos2()
                    };
                    land.borders.push(Border { sides, points: steps.chunks_exact(2).map(go).collect() });
                }
                _ => return None,
            }
        }
        for number in 0..land.territories.len() {
            land.territories[number].rings = rings(&land.borders, number);
        }
        Some(land)
    }

    /// Number in the match of the territory at a point.
    pub(super) fn territory_at(&self, at: Pos2) -> Option<u8> {
        let inside = |territory: &&Territory| territory.rings.iter().any(|ring| ring.contains(at));
        self.territories.iter().filter(|territory| territory.id.is_some()).find(inside)?.id
    }

    /// The territory with a number in the match.
    pub(super) fn territory(&self, id: u8) -> Option<&Territory> {
        self.territories.iter().find(|territory| territory.id == Some(id))
    }

    /// The territories on both sides of a border, if there are two.
    pub(super) fn neighbours(&self, border: &Border) -> Option<[&Territory; 2]> {
        let [a, b] = border.sides;
        Some([self.territories.get(a?)?, self.territories.get(b?)?])
    }
}

impl Territory {
    /// A territory around a place, on no continent.
    pub(super) fn new(id: u8, seat: Pos2, rings: Vec<Ring>) -> Territory {
        Territory { id: Some(id), seat, rings, ..Territory::default() }
    }

    /// Whether the territory takes part in the game.
    fn is_known(&self) -> bool {
        self.name != "-"
    }

    pub(super) fn shares_continent(&self, other: &Territory) -> bool {
        self.continent == other.continent
    }
}

impl Ring {
    pub(super) fn new(points: Vec<Pos2>) -> Ring {
        Ring { triangles: triangles(&points), bounds: Rect::from_points(&points), points }
    }

    fn contains(&self, at: Pos2) -> bool {
        let mut inside = false;
        if self.bounds.contains(at) {
            let next = self.points.iter().cycle().skip(1);
            for (a, b) in self.points.iter().zip(next) {
                let crosses = (a.y <= at.y) != (b.y <= at.y);
                inside ^= crosses && at.x < a.x + (at.y - a.y) / (b.y - a.y) * (b.x - a.x);
            }
        }
        inside
    }
}

/// Closed outlines of a territory, put together from its borders.
fn rings(borders: &[Border], territory: usize) -> Vec<Ring> {
    // Pieces with the territory on their left.
    let mut pieces: Vec<Vec<Pos2>> = Vec::new();
    for border in borders {
        if border.sides[0] == Some(territory) {
            pieces.push(border.points.clone());
        }
        if border.sides[1] == Some(territory) {
            pieces.push(border.points.iter().rev().copied().collect());
        }
    }
    let mut rings = Vec::new();
    while let Some(mut ring) = pieces.pop() {
        while ring.first() != ring.last() {
            let Some(next) = pieces.iter().position(|piece| piece.first() == ring.last()) else { break };
            ring.extend(pieces.swap_remove(next).into_iter().skip(1));
        }
        ring.pop();
        // A ring in the other direction would be a hole; territories have none that can be seen.
        if ring.len() >= 3 && area(&ring) < 0.0 {
            rings.push(Ring::new(ring));
        }
    }
    rings
}

#[cfg(test)]
mod tests {
    use grandstand_protocol::riskless::{Command, Map, Road, Territory as Place};
    use grandstand_protocol::{Game, Micros, Scene as AnyScene};
    use proptest::prelude::*;

    use super::*;

    fn scene(places: &[(u8, u16, u16, &str)], roads: &[(u8, u8)]) -> Scene {
        let mut scene = AnyScene::new(Game::Riskless);
        let map = Command::Map(Map { cap: 10, goal: 60, title: "A map".into() });
        let place = |(id, x, y, name): &(u8, u16, u16, &str)| {
            Command::Territory(Place { id: *id, x: *x, y: *y, name: (*name).into() })
        };
        let roads = roads.iter().map(|(a, b)| Command::Road(Road { a: *a, b: *b }));
        for command in std::iter::once(map).chain(places.iter().map(place)).chain(roads) {
            scene.apply(1, Micros(0), &command.into());
        }
        let AnyScene::Riskless(scene) = scene else { panic!("another game") };
        scene
    }

    /// A scene with the names of a file, in another order and with other numbers.
    fn of_file(file: &str) -> Scene {
        let names = file.lines().filter_map(|line| line.strip_prefix("territory ")?.splitn(3, ' ').nth(2));
        let names = names.filter_map(|name| Some(name.split_once(" / ")?.0)).filter(|name| *name != "-");
        let mut places: Vec<_> = (7..).zip(names).map(|(id, name)| (id, 500, 500, name)).collect();
        places.reverse();
        scene(&places, &[])
    }

    #[test]
    fn a_map_of_the_earth_has_its_outlines_by_the_names_of_its_territories() {
        for (file, count) in FILES.into_iter().zip([42, 24]) {
            let scene = of_file(file);
            assert_eq!(scene.territories().len(), count);
            let land = Land::of(&scene);
            assert!(land.borders.len() > count, "{count}");
            for place in scene.territories() {
                let territory = land.territory(place.id).expect("a territory");
                assert_eq!(territory.name, *place.name);
                assert!(!territory.rings.is_empty(), "{}", place.name);
                assert_eq!(land.territory_at(territory.seat), Some(place.id), "{}", place.name);
            }
        }
    }

    #[test]
    fn a_map_with_another_territory_grows_its_own_land() {
        let mut names: Vec<_> = of_file(FILES[0]).territories().map(|place| place.name.to_string()).collect();
        names[3] = "Atlantis".to_owned();
        let places: Vec<_> =
            (0..).zip(&names).map(|(id, name)| (id, u16::from(id) * 20, 500, &**name)).collect();
        let land = Land::of(&scene(&places, &[]));
        assert!(land.territories.iter().all(|territory| territory.name.is_empty()));
    }

    #[test]
    fn land_borders_where_a_road_leads_and_has_water_where_none_does() {
        let places = [(0, 300, 300, "A"), (1, 600, 300, "B"), (2, 300, 700, "C"), (3, 600, 700, "D")];
        let land = Land::of(&scene(&places, &[(0, 1), (0, 2), (1, 3)]));
        let ids = |border: &Border| land.neighbours(border).map(|[a, b]| (a.id, b.id));
        let mut joined: Vec<_> = land.borders.iter().filter_map(ids).collect();
        joined.sort();
        assert_eq!(joined, [(Some(0), Some(1)), (Some(0), Some(2)), (Some(1), Some(3))]);
    }

    #[test]
    fn what_is_no_file_is_no_land() {
        for text in ["size 3", "size a b", "territory 1 2 Nowhere", "arc 0 - 1 x", "arc", "island 3 4"] {
            assert!(Land::parse(text).is_none(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn land_grows_around_any_places(
            places in prop::collection::vec((0_u16..=1000, 0_u16..=1000), 0..24),
            roads in prop::collection::vec((0_u8..24, 0_u8..24), 0..40),
        ) {
            let places: Vec<_> = (0..).zip(places).map(|(id, (x, y))| (id, x, y, "Land")).collect();
            let land = Land::of(&scene(&places, &roads));
            prop_assert_eq!(land.territories.len(), places.len());
            prop_assert!(land.size.min_elem() > 0.0 && land.size.is_finite());
            let all = Rect::from_min_size(Pos2::ZERO, land.size).expand(1.0);
            for territory in &land.territories {
                prop_assert!(all.contains(territory.seat));
                prop_assert!(territory.rings.iter().flat_map(|ring| &ring.points).all(|at| all.contains(*at)));
            }
        }
    }
}
