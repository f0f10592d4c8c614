//! Progress and ending of a match.

use grandstand_rules::fortress::{ByTeam, Finish, Team, World};
use serde_json::Map;

use super::referee::Loss;
use crate::spec::{Ending, Side, dropped_talks};

/// The two sides.
pub const SIDES: [Side; 2] = [
    Side { name: "red", color: grandstand_protocol::Color::Red },
    Side { name: "blue", color: grandstand_protocol::Color::Blue },
];

/// State of the match in one short line.
pub fn progress(world: &World) -> String {
    let held = |team: Team| world.points().iter().filter(|point| point.owner == Some(team)).count();
    let living =
        |team: Team| world.units().iter().filter(|unit| unit.team == team && unit.is_living()).count();
    let side = |team: Team| format!("{team} {} points, {} units", held(team), living(team));
    format!("{} s left  {}  {}", world.remaining().div_ceil(1_000), side(Team::Red), side(Team::Blue))
}

/// Cause of the end; `losses` are the teams that lost by a fault of their own.
pub(super) fn termination(finish: &Finish, losses: &ByTeam<Team, Option<Loss>>) -> &'static str {
    let causes = Team::ALL.iter().find_map(|team| losses[*team].as_ref());
    causes.map_or(finish.termination.name(), |loss| loss.cause.name())
}

/// Ending of the match, once it is over. The score is the number of points that each team controls.
pub(super) fn ending(world: &World, losses: &ByTeam<Team, Option<Loss>>) -> Option<Ending> {
    let finish = world.finish()?;
    let (remarks, talks) = dropped_talks(SIDES, Team::ALL.map(|team| world.dropped_talks(team)));
    let faults = Team::ALL.into_iter().filter_map(|team| Some((team, losses[team].as_ref()?)));
    let reasons: Vec<String> = faults.map(|(team, loss)| format!("{team}: {}", loss.reason)).collect();
    let mut detail = Map::new();
    if !reasons.is_empty() {
        detail.insert("reason".to_owned(), reasons.join("; ").into());
    }
    let words: Vec<String> = reasons.into_iter().chain(talks).collect();
    Some(Ending {
        sides: SIDES,
        tick: finish.millis,
        winner: finish.outcome.winner().map(Team::index),
        termination: termination(finish, losses),
        score: Some(finish.points.map(|points| points as u64)),
        lengths: vec![("seconds", finish.millis / 1_000), ("millis", finish.millis)],
        detail,
        remarks,
        words: (!words.is_empty()).then(|| words.join("; ")),
        swapped: false,
    })
}
