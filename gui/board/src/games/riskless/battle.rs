//! Plate with the numbers of a battle: its words, and its place beside the names and the signs around it.

use std::cell::Cell;
use std::f32::consts::TAU;
use std::hash::{DefaultHasher, Hash, Hasher};

use egui::{Pos2, Rect, Vec2};
use grandstand_protocol::riskless::{Battle, Scene, Team};
use grandstand_story::games::riskless::text::{Aftermath, aftermath};

use super::atlas::Atlas;
use crate::cached_mesh::bits;

/// Distances from the sign at which a place is looked for, in radii of a sign.
const FAR: [f32; 9] = [1.9, 2.6, 3.4, 4.4, 5.4, 6.6, 8.0, 10.0, 12.0];
/// Number of directions.
const DIRECTIONS: u8 = 32;
/// Cost of a plate that lies wholly over names and signs; one radius farther off costs 1.
const COVERING: f32 = 1000.0;
/// Cost of a name or a sign that the line to a plate crosses.
const CROSSING: f32 = 2.0;
/// Distance of a plate from the middle of the sign from which a line joins them, in radii.
const LINE_FROM: f32 = 2.2;

/// The place that was found last, by what it was found for.
pub(super) type Known = Cell<Option<(u64, Rect)>>;

/// The [place] of a plate near the sign of a territory at this position, which is looked for once.
pub(super) fn place_once(
    known: &Known,
    atlas: &Atlas,
    names: &[Rect],
    (territory, at): (u8, Pos2),
    size: Vec2,
) -> Rect {
    let mut hasher = DefaultHasher::new();
    (territory, atlas.is_tile, bits(atlas.map), [size.x, size.y].map(f32::to_bits)).hash(&mut hasher);
    names.iter().for_each(|name| bits(*name).hash(&mut hasher));
    let by = hasher.finish();
    if let Some((_, found)) = known.get().filter(|(of, _)| *of == by) {
        return found;
    }
    let found = place(atlas, names, at, size);
    known.set(Some((by, found)));
    found
}

/// The place of a plate of this size near the sign at `at`: above it, or where it covers less.
pub(super) fn place(atlas: &Atlas, names: &[Rect], at: Pos2, size: Vec2) -> Rect {
    let within = atlas.map.shrink(4.0);
    let sign = Vec2::splat(2.0 * atlas.radius);
    let signs = atlas.places().iter().map(|(_, sign_at)| Rect::from_center_size(*sign_at, sign));
    let taken: Vec<Rect> = names.iter().copied().chain(signs).collect();
    let candidates = FAR.into_iter().flat_map(|far| (0..DIRECTIONS).map(move |n| (far, n)));
    let places = candidates.map(|(far, n)| {
        let way = Vec2::angled(TAU * (f32::from(n) / f32::from(DIRECTIONS) - 0.25));
        let area = Rect::from_center_size(at + way * (atlas.radius * far + size.y / 2.0), size);
        // A plate beside the sign is placed by its nearer end.
        let area = area.translate(Vec2::new(way.x * (size.x - size.y) / 2.0, 0.0));
        let aside = f32::from(n.min(DIRECTIONS - n)) / f32::from(DIRECTIONS);
        let outside = if within.contains_rect(area) { 0.0 } else { 100.0 };
        let over = line(atlas, at, area).map_or(0, |ends| crossed(&taken, ends));
        (area, far + aside + COVERING * covered(&taken, area) + outside + CROSSING * over as f32)
    });
    let best = places.min_by(|(_, one), (_, other)| one.total_cmp(other));
    best.map_or(Rect::from_center_size(at, size), |(area, _)| area)
}

/// The line from the sign at `at` to a plate that stands apart from it.
pub(super) fn line(atlas: &Atlas, at: Pos2, plate: Rect) -> Option<[Pos2; 2]> {
    let near = plate.clamp(at);
    let apart = near - at;
    (apart.length() > LINE_FROM * atlas.radius).then(|| [at + apart.normalized() * atlas.radius * 1.2, near])
}

/// The number of areas that a line crosses; it begins outside of its own sign.
fn crossed(taken: &[Rect], ends: [Pos2; 2]) -> usize {
    let points: Vec<Pos2> = (1..=12_u8).map(|n| ends[0].lerp(ends[1], f32::from(n) / 12.0)).collect();
    taken.iter().filter(|area| points.iter().any(|point| area.contains(*point))).count()
}

/// The part of an area that lies over others.
fn covered(taken: &[Rect], area: Rect) -> f32 {
    let over = taken.iter().map(|other| other.intersect(area)).filter(|over| over.is_positive());
    over.map(|over| over.area()).sum::<f32>() / area.area()
}

/// The sum of a battle in which `team` attacked, each number with the team in whose colour it is: the armies of the winner less those of
/// the other team, and those that came after the battle: `6 − 2 + 1`. Where all of it is told, what that makes, the number of the sign:
/// `6 − 2 + 1 = 5`.
pub(super) fn account(
    scene: &Scene,
    battle: Battle,
    team: Team,
    is_whole: bool,
) -> Vec<(String, Option<Team>)> {
    let Aftermath { winner, left, came } = aftermath(scene, battle, team);
    let (more, fewer) = (battle.attackers.max(battle.defenders), battle.attackers.min(battle.defenders));
    let mut words = vec![
        (more.to_string(), Some(winner)),
        ("−".to_owned(), None),
        (fewer.to_string(), Some(winner.opponent())),
    ];
    if came > 0 {
        words.extend([("+".to_owned(), None), (came.to_string(), Some(winner))]);
    }
    if is_whole {
        words.extend([("=".to_owned(), None), ((left + came).to_string(), Some(winner))]);
    }
    words
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use egui::{pos2, vec2};
    use grandstand_protocol::{Command, Game, Micros, Scene as AnyScene};

    use super::super::land::Land;
    use super::super::names::{places, tests::earth};
    use super::*;

    #[test]
    fn the_sum_of_a_battle_makes_the_number_of_the_sign() {
        let after = |battle: &str, armies: &str| {
            let mut scene = AnyScene::new(Game::Riskless);
            let (battle, sign) = (format!("battle 1 {battle}"), format!("set 1 {armies}"));
            let lines = ["map 10 60 Small", "territory 1 100 100 North", &battle, &sign];
            for (seq, line) in (1..).zip(lines) {
                scene.apply(seq, Micros(0), &Command::parse(Game::Riskless, line.as_bytes()));
            }
            let AnyScene::Riskless(scene) = scene else { return Vec::new() };
            let battle = scene.battle().expect("a battle");
            [true, false]
                .map(|is_whole| {
                    let words = account(&scene, battle, Team::ALL[0], is_whole).into_iter();
                    words.map(|(word, _)| word).collect::<Vec<_>>().join(" ")
                })
                .into()
        };
        assert_eq!(after("6 2", "maxie 5"), ["6 − 2 + 1 = 5", "6 − 2 + 1"]);
        assert_eq!(after("6 2", "maxie 4"), ["6 − 2 = 4", "6 − 2"]);
        // The defenders are those that are left.
        assert_eq!(after("2 6", "minnie 4"), ["6 − 2 = 4", "6 − 2"]);
    }

    #[test]
    fn the_numbers_of_a_battle_lie_beside_names_and_signs() {
        let earth = earth();
        let sizes = [
            // A phone, and a window of 800 × 600 points with the panel.
            (354.0, 354.0),
            (354.0, 396.0),
            (448.0, 331.0),
            (484.0, 340.0),
            (560.0, 330.0),
            (776.0, 380.0),
            (974.0, 560.0),
            (1483.0, 715.0),
            (1860.0, 830.0),
        ];
        for (width, height) in sizes {
            let map = Rect::from_min_size(pos2(0.0, 0.0), vec2(width, height));
            let atlas = Atlas::fit(map, Rc::new(Land::of(&earth)), false);
            let size = super::super::names::letters(&atlas);
            let names: Vec<Rect> = places(
                &atlas,
                true,
                |_| 0,
                |id| {
                    let letters = earth.territory(id).map_or(0, |place| place.name.chars().count());
                    vec2(letters as f32 * size * 0.55, size * 1.25)
                },
            )
            .into_iter()
            .map(|name| name.area)
            .collect();
            let plate = if width < 480.0 { vec2(46.0, 17.0) } else { vec2(4.6, 1.6) * size.max(12.0) };
            let sign = Vec2::splat(2.0 * atlas.radius);
            let signs: Vec<Rect> =
                atlas.places().iter().map(|(_, at)| Rect::from_center_size(*at, sign)).collect();
            for (id, at) in atlas.places() {
                let place = place(&atlas, &names, *at, plate);
                let name = earth.territory(*id).map(|place| place.name.to_string());
                assert!(atlas.map.contains_rect(place), "{name:?} in {width} × {height}");
                assert!(covered(&names, place) < 0.02, "{name:?} in {width} × {height}: {place}");
                assert!(covered(&signs, place) < 0.02, "{name:?} in {width} × {height}: {place}");
                assert!(place.distance_to_pos(*at) < atlas.radius * 13.0, "{name:?}: {place}");
            }
        }
    }
}
