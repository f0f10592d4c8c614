//! The fight that a viewer wants to see: the units of the place where most happens, or of the place where the teams meet next.

use grandstand_protocol::fortress::{Scene, Square, Unit};

use crate::BoardInput;

/// Time for which an action counts as a part of a fight, in seconds.
const LASTS: f64 = 3.0;
/// Distance of two units of one fight, and of a unit beside it that is shown with it, in squares.
const REACH: i32 = 7;
const BESIDE: i32 = 4;
/// Size of the ground that is shown with a fight at least, in squares.
pub(super) const GROUND: f32 = 10.0;

fn distance(a: Square, b: Square) -> i32 {
    let along = |a: i8, b: i8| (i32::from(a) - i32::from(b)).abs();
    along(a.x(), b.x()).max(along(a.y(), b.y()))
}

/// The units of the fight of a picture; none without units.
pub(super) fn units(scene: &Scene, picture: &BoardInput<'_>) -> Vec<u32> {
    let unit = |id: u32| scene.units().iter().find(|unit| unit.id == id);
    // What each unit does and suffers.
    let mut deeds: Vec<(&Unit, f32)> = Vec::new();
    for effect in scene.effects() {
        let Some(age) = picture.age(effect.t, LASTS) else { continue };
        let amount: u32 = effect.hits.iter().map(|hit| hit.amount.unsigned_abs()).sum();
        let weight = (1.0 - age) * (1.0 + amount as f32);
        let struck = effect.hits.iter().map(|hit| hit.on);
        for who in std::iter::once(effect.id).chain(struck).filter_map(unit) {
            match deeds.iter_mut().find(|(known, _)| known.id == who.id) {
                Some((_, sum)) => *sum += weight,
                None => deeds.push((who, weight)),
            }
        }
    }
    let fights = groups(deeds);
    let sum = |fight: &Vec<(&Unit, f32)>| fight.iter().map(|(_, weight)| weight).sum::<f32>();
    let most = fights.into_iter().max_by(|a, b| sum(a).total_cmp(&sum(b)));
    let core: Vec<Square> = match most {
        Some(fight) => fight.iter().map(|(unit, _)| unit.at).collect(),
        None => front(scene),
    };
    let is_near = |unit: &&Unit| core.iter().any(|at| distance(*at, unit.at) <= BESIDE);
    scene.units().iter().filter(is_near).map(|unit| unit.id).collect()
}

/// Units in groups, each within reach of another one of its group.
fn groups(units: Vec<(&Unit, f32)>) -> Vec<Vec<(&Unit, f32)>> {
    let mut groups: Vec<Vec<(&Unit, f32)>> = Vec::new();
    for one in units {
        let touches =
            |group: &Vec<(&Unit, f32)>| group.iter().any(|(other, _)| distance(other.at, one.0.at) <= REACH);
        let (mut joined, apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(touches);
        let mut group: Vec<_> = joined.drain(..).flatten().collect();
        group.push(one);
        groups = apart;
        groups.push(group);
    }
    groups
}

/// The squares of the two opponents that are nearest to each other; those of all units where only one team has any.
fn front(scene: &Scene) -> Vec<Square> {
    let units = scene.units();
    let pairs = units.iter().enumerate().flat_map(|(n, a)| units[n + 1..].iter().map(move |b| (a, b)));
    let opponents = pairs.filter(|(a, b)| a.team != b.team);
    match opponents.min_by_key(|(a, b)| distance(a.at, b.at)) {
        Some((a, b)) => vec![a.at, b.at],
        None => units.iter().map(|unit| unit.at).collect(),
    }
}

#[cfg(test)]
mod tests {
    use grandstand_protocol::{Command, Game, Micros, Scene as AnyScene};

    use super::*;
    use crate::input_tests::still;

    fn scene(lines: &[(u64, &str)]) -> AnyScene {
        let mut scene = AnyScene::new(Game::Fortress);
        for (seq, (secs, line)) in (1..).zip(lines) {
            scene.apply(seq, Micros(secs * 1_000_000), &Command::parse(Game::Fortress, line.as_bytes()));
        }
        scene
    }

    fn fighters(scene: &AnyScene, secs: f64) -> Vec<u32> {
        let AnyScene::Fortress(fortress) = scene else { panic!("another game") };
        units(fortress, &BoardInput { secs, ..still(scene) })
    }

    const UNITS: [(u64, &str); 6] = [
        (0, "spawn 1 red ~20 0 east 1000 soldier"),
        (0, "spawn 2 red ~15 0 east 1000 medic"),
        (0, "spawn 3 red 10 5 east 1000 pyro"),
        (0, "spawn 4 blue ~14 1 west 1000 soldier"),
        (0, "spawn 5 blue 15 5 west 1000 soldier"),
        (0, "spawn 6 blue 24 5 west 1000 medic"),
    ];

    #[test]
    fn the_fight_is_where_most_happens_with_those_who_stand_beside() {
        let hits =
            [(1, "shot 4 rifle ~15 0 ~15 0"), (1, "hit 4 2 50"), (1, "cone 3 east"), (1, "hit 3 5 300")];
        let scene = scene(&[&UNITS[..], &hits].concat());
        assert_eq!(fighters(&scene, 1.1), [3, 5]);
    }

    #[test]
    fn without_hits_it_is_where_opponents_are_nearest() {
        let scene = scene(&UNITS);
        assert_eq!(fighters(&scene, 9.0), [2, 4]);
    }

    #[test]
    fn one_team_alone_is_seen_whole() {
        let scene = scene(&UNITS[..3]);
        assert_eq!(fighters(&scene, 1.0), [1, 2, 3]);
    }
}
