//! Test that the strong team plays red and blue as each other's mirror images.

use grandstand_rules::SplitMix64;
use grandstand_rules::fortress::{
    Action, ActionResult, Hand, PointStatus, Position, Rules, Sighting, Square, Team, UnitClass, maps,
};

use super::super::team::{Briefing, LastAction, Step};
use super::ShippedTeam;

fn place(team: Team, at: Square) -> Square {
    if team == Team::Red { at } else { at.mirrored() }
}

/// The action mirrored to red's view.
fn seen_by_red(team: Team, step: Step) -> Step {
    let hand = |hand: Hand| match (team, hand) {
        (Team::Red, hand) => hand,
        (Team::Blue, Hand::Left) => Hand::Right,
        (Team::Blue, Hand::Right) => Hand::Left,
    };
    let position = |position: Position| position.place().map_or(position, |at| place(team, at).into());
    match step {
        Step::Act(Action::Move(to)) => Step::Act(Action::Move(to.map(hand))),
        Step::Act(Action::Turn(to)) => Step::Act(Action::Turn(hand(to))),
        Step::Act(Action::PrimaryAbility(at)) => Step::Act(Action::PrimaryAbility(position(at))),
        Step::Act(Action::SecondaryAbility(at)) => Step::Act(Action::SecondaryAbility(position(at))),
        other => other,
    }
}

/// Decision of a soldier of the team on a random board from `seed`, mirrored to red's view.
fn decision(squad: Team, map: &str, seed: u64) -> Step {
    let map = maps::by_name(map).expect("a shipped map");
    let mut random = SplitMix64::new(seed);
    let briefing = Briefing { team: squad, units: 5, map: map.clone(), rules: Rules::default(), seed };
    let mut strong = ShippedTeam::Strong.bot(briefing);
    // The board in red's view; the unit itself comes first, then the others by distance.
    let reachable = map.reachable(map.points()[0]);
    let squares: Vec<Square> = Square::all().filter(|at| reachable[at.index()] && at.x().abs() < 9).collect();
    let mut seen: Vec<Sighting> = Vec::new();
    while seen.len() < 10 {
        let at = random.choose(&squares).expect("there are some");
        let class = random.choose(&UnitClass::ALL).expect("there are three");
        let (health, ally) = (200 + random.below(800) as i32, seen.len() < 5);
        if seen.iter().all(|other| other.at != at) {
            let class = if seen.is_empty() { UnitClass::Soldier } else { class };
            seen.push(Sighting { class, health, at, ally });
        }
    }
    let own = seen[0].at;
    seen.sort_by_key(|other| other.at.distance_squared(own));
    let owners: Vec<Option<bool>> =
        (0..5).map(|_| [Some(true), Some(false), None][random.below(3) as usize]).collect();
    let turns = random.below(4);

    let seen = seen.iter().map(|other| Sighting { at: place(squad, other.at), ..*other }).collect();
    let status = |number: u8| {
        let shown = if squad == Team::Red { number } else { 4 - number };
        PointStatus { at: map.points()[usize::from(shown)], point: shown, ours: owners[usize::from(number)] }
    };
    let mut points: Vec<PointStatus> = (0..5).map(status).collect();
    points.sort_by_key(|point| point.point);
    let scan = ActionResult::ScanData { units: seen };
    let data = ActionResult::GameData { remaining: 1_000, points };
    // The unit turns as many times before.
    let left = if squad == Team::Red { Hand::Left } else { Hand::Right };
    for _ in 0..turns {
        strong.step(0, 0, Some(LastAction { action: &Action::Turn(left), result: &ActionResult::Success }));
    }
    strong.step(0, 2_000, Some(LastAction { action: &Action::Scan(100), result: &scan }));
    let step = strong.step(0, 2_001, Some(LastAction { action: &Action::GameStatus, result: &data }));
    seen_by_red(squad, step)
}

#[test]
fn what_red_does_blue_does_in_the_mirror() {
    let mut kinds = std::collections::BTreeSet::new();
    for (map, _) in maps::SHIPPED {
        for seed in 0..100 {
            let red = decision(Team::Red, map, seed);
            assert_eq!(red, decision(Team::Blue, map, seed), "{map}, board {seed}");
            kinds.insert(format!("{red:?}").split(['(', '{']).take(2).collect::<Vec<_>>().join(" "));
        }
    }
    // The decisions include moves, turns, shots and waits.
    assert!(kinds.len() >= 4, "{kinds:?}");
}
