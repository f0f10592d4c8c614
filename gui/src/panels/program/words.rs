//! Words of the panel: moments of a match and of a bot.

use grandstand_protocol::insight::{BotAnswer, BotLife, MatchFacts};
use grandstand_story::format::{self, number};

/// A moment as its match tells it: `turn 41`, `step 204,999`. In the last cycle of a turn its moves are made and the board begins the
/// next turn: `end of turn 41`.
pub(super) fn moment(facts: Option<&MatchFacts>, turn: u64, cycle: u64) -> String {
    let (beat, ticks) = facts.map_or(("turn", 0), |facts| (&*facts.beat, facts.ticks));
    let words = format::moment(beat, turn, cycle);
    match (beat, cycle.checked_rem(ticks)) {
        ("turn", Some(0)) => format!("end of {words}"),
        _ => words,
    }
}

/// Time of a view in words.
pub(super) fn when(facts: &MatchFacts, view: &BotAnswer) -> String {
    let BotAnswer { state, turn, .. } = view;
    let cycle = number(state.cycle);
    match (&*facts.beat, state.cycle.checked_rem(facts.ticks)) {
        ("turn", _) if state.cycle == 0 => "start of turn 1".to_owned(),
        ("turn", Some(0)) => format!("end of turn {turn} · cycle {cycle}"),
        ("turn", _) => format!("in turn {turn} · cycle {cycle}"),
        _ => state.when.replace(&state.cycle.to_string(), &cycle),
    }
}

/// How a bot left the match, in one line without the time: `black bot 7 at D0 was pushed off`.
pub(super) fn fate_words(life: &BotLife) -> Option<&str> {
    let line = life.fate.as_deref()?.lines().next()?;
    Some(line.split_once(": ").map_or(line, |(_, words)| words))
}
