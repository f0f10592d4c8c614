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
        let remarks = self.ending.words.as_ref().map(|words| format!("; {words}")).unwrap_or_default();
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
