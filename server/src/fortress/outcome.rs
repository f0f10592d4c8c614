//! How a match stands, and how it ended, as the command line tells it.

use grandstand_rules::fortress::{Squad, World};
use serde_json::{Map, json};

use crate::arena::{Ending, Side, each};

/// The two sides.
pub const SIDES: [Side; 2] = [
    Side { name: "red", color: grandstand_protocol::Color::Red },
    Side { name: "blue", color: grandstand_protocol::Color::Blue },
];

/// In one short line.
pub(super) fn progress(world: &World) -> String {
    let held = |team: Squad| world.points().iter().filter(|point| point.owner == Some(team)).count();
    let living =
        |team: Squad| world.units().iter().filter(|unit| unit.team == team && unit.is_living()).count();
    let side = |team: Squad| format!("{team} {} points, {} units", held(team), living(team));
    format!("{} s left  {}  {}", world.remaining().div_ceil(1_000), side(Squad::Red), side(Squad::Blue))
}

/// Once it is over. The score is the points that each controls.
pub(super) fn ending(world: &World) -> Option<Ending> {
    let finish = world.finish()?;
    let dropped = Squad::ALL.map(|team| world.dropped_talks(team));
    let total: u64 = dropped.iter().sum();
    Some(Ending {
        sides: SIDES,
        tick: finish.millis,
        winner: finish.verdict.winner().map(Squad::index),
        termination: finish.termination.name(),
        score: Some(finish.points.map(|points| points as u64)),
        lengths: vec![("seconds", finish.millis / 1_000), ("millis", finish.millis)],
        detail: Map::new(),
        remarks: Map::from_iter([("dropped_talks".to_owned(), json!(each(SIDES, dropped)))]),
        words: (total > 0).then(|| format!("{total} messages were too many and not shown")),
        swapped: false,
    })
}
