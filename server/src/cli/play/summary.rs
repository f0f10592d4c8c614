//! Summary of a finished match.

use std::time::Duration;

use grandstand_matches::{Ending, MatchSpec, Tempo, each};
use grandstand_story::format;
use serde_json::{Map, Value, json};

/// A match that was played, for its summary.
pub(super) struct PlayedMatch<'a> {
    pub(super) spec: &'a dyn MatchSpec,
    /// The players as specified on the command line.
    pub(super) players: [&'a str; 2],
    pub(super) ending: &'a Ending,
    /// Duration without connecting and compressing.
    pub(super) wall: Duration,
}

impl PlayedMatch<'_> {
    /// The object of `--json`: `outcome` is a side or `draw`; `termination` one of the game's; `players`, `score` and
    /// the like by side; the game's own fields; `wall_secs` without connecting and compressing.
    pub(super) fn json(&self) -> Value {
        let result = self.ending.result();
        let mut object = Map::from_iter([
            ("game".to_owned(), json!(self.spec.game())),
            ("players".to_owned(), each(self.ending.sides, self.players_by_side())),
            ("outcome".to_owned(), json!(result.winner.as_deref().unwrap_or("draw"))),
            ("termination".to_owned(), json!(self.ending.termination)),
            ("seed".to_owned(), json!(self.spec.seed())),
            ("wall_secs".to_owned(), json!(self.wall.as_secs_f64())),
        ]);
        object.extend(result.detail);
        object.extend(self.ending.remarks.clone());
        Value::Object(object)
    }

    /// The players by their final sides.
    pub(super) fn players_by_side(&self) -> [&str; 2] {
        let [first, second] = self.players;
        if self.ending.swapped { [second, first] } else { [first, second] }
    }

    pub(super) fn words(&self) -> String {
        let Ending { sides, score, .. } = self.ending;
        let players = self.players_by_side();
        let points = |side: usize| {
            score.map(|score| format!(" {}:{}", score[side], score[1 - side])).unwrap_or_default()
        };
        let who = match self.ending.winner {
            Some(side) => {
                let (name, player) = (sides[side].name, players[side]);
                format!("{name} ({player}) wins{}", points(side))
            }
            None => format!("a draw{}", points(0)),
        };
        let result = self.ending.result();
        let (_, why) = format::who_and_why(&result, &[]);
        let words = self.ending.words.as_ref().map(|words| of_loser(self.ending, words));
        let remarks = words.map(|words| format!("; {words}")).unwrap_or_default();
        format!(
            "{}, after {}; seed {}; {}{remarks}",
            format::with_reason(&who, &result, &why),
            self.length(),
            self.spec.seed(),
            self.speed()
        )
    }

    /// Length as text, such as `31 turns (62000 cycles)`.
    fn length(&self) -> String {
        let mut lengths = self.ending.lengths.iter().map(|(unit, length)| format!("{length} {unit}"));
        let first = lengths.next().unwrap_or_default();
        let rest: Vec<String> = lengths.collect();
        if rest.is_empty() { first } else { format!("{first} ({})", rest.join(", ")) }
    }

    fn speed(&self) -> String {
        let Tempo { beat, ticks, watchable, keeps_time } = self.spec.tempo();
        let wall = self.wall.as_secs_f64();
        if keeps_time {
            return format!("{wall:.3} s");
        }
        let watchable = watchable.as_secs_f64();
        let watched = watchable * self.ending.tick as f64 / ticks as f64;
        let times = watched / wall.max(1e-9);
        let digits = usize::from(times < 9.95);
        format!("{wall:.3} s, {times:.digits$} times as fast as at {watchable} s a {beat}")
    }
}

/// A reason with the side that it is about: the loser, where only a reason is told.
fn of_loser(ending: &Ending, words: &str) -> String {
    let is_reason = ending.detail.get("reason").is_some_and(|reason| reason == words);
    let is_named = ending.sides.iter().any(|side| words.starts_with(&format!("{}: ", side.name)));
    match ending.winner {
        Some(winner) if is_reason && !is_named => {
            format!("{}: {words}", ending.sides[1 - winner.min(1)].name)
        }
        _ => words.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use grandstand_matches::Side;

    use super::*;

    #[test]
    fn a_reason_names_the_side_that_it_is_about() {
        let side = |name| Side { name, color: grandstand_protocol::Color::Black };
        let ending = |winner, reason: &str| Ending {
            sides: [side("black"), side("white")],
            tick: 0,
            winner,
            termination: "resigned",
            score: None,
            lengths: Vec::new(),
            detail: Map::from_iter([("reason".to_owned(), reason.into())]),
            remarks: Map::new(),
            words: Some(reason.to_owned()),
            swapped: false,
        };
        assert_eq!(of_loser(&ending(Some(0), "it gave up"), "it gave up"), "white: it gave up");
        assert_eq!(of_loser(&ending(Some(1), "black: no answer"), "black: no answer"), "black: no answer");
        assert_eq!(of_loser(&ending(None, "both left"), "both left"), "both left");
    }
}
