//! What a scene of such a game has beside its board.

use serde::{Deserialize, Serialize};

use super::{Both, Clock, ClockFace, Mover, Thought, ThoughtLine, Winner};
use crate::talk::{Talk, TalkLine};
use crate::team::TeamName;
use crate::text::Text;
use crate::time::Micros;

/// Whose turn it is, the clocks, the names, the outcome, the last thoughts and the talk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(
    serialize = "T: Mover + Serialize, M: Serialize",
    deserialize = "T: Mover + Deserialize<'de>, M: Deserialize<'de>"
))]
pub struct Table<T, M> {
    pub(crate) turn: Option<T>,
    pub(crate) winner: Option<Winner<T>>,
    pub(crate) clocks: Both<T, Option<ClockFace>>,
    pub(crate) names: Option<Both<T, TeamName>>,
    thoughts: Both<T, Option<ThoughtLine<T, M>>>,
    talk: Talk<T>,
}

impl<T: Mover, M: Clone> Table<T, M> {
    /// Whose turn it is, once that was said.
    #[must_use]
    pub fn turn(&self) -> Option<T> {
        self.turn
    }

    /// How the game came out, once it is over.
    #[must_use]
    pub fn winner(&self) -> Option<Winner<T>> {
        self.winner
    }

    /// A team's clock, when it has one.
    #[must_use]
    pub fn clock(&self, team: T) -> Option<ClockFace> {
        self.clocks[team]
    }

    /// The name of who plays for a team, as it was sent: one word, in which blanks may be written `_`.
    #[must_use]
    pub fn name(&self, team: T) -> Option<&TeamName> {
        self.names.as_ref().map(|names| &names[team])
    }

    /// What a team thought last.
    #[must_use]
    pub fn thought(&self, team: T) -> Option<&ThoughtLine<T, M>> {
        self.thoughts[team].as_ref()
    }

    /// What was said last.
    #[must_use]
    pub fn talk(&self) -> &Talk<T> {
        &self.talk
    }

    /// A new game: nobody's turn, no outcome, no thoughts. Clocks, names and talk stay.
    pub(crate) fn clear(&mut self) {
        self.turn = None;
        self.winner = None;
        self.thoughts = Both::default();
    }

    pub(crate) fn set_clock(&mut self, t: Micros, clock: &Clock<T>) {
        self.clocks[clock.team] = Some(ClockFace { millis: clock.millis, running: clock.running, t });
    }

    pub(crate) fn think(&mut self, seq: u64, t: Micros, thought: &Thought<T, M>) {
        self.thoughts[thought.team] = Some(ThoughtLine { seq, t, thought: thought.clone() });
    }

    pub(crate) fn say(&mut self, seq: u64, t: Micros, team: T, text: &Text) {
        self.talk.push(TalkLine { seq, t, team, text: text.clone() });
    }
}

impl<T: Mover, M> Default for Table<T, M> {
    fn default() -> Table<T, M> {
        Table {
            turn: None,
            winner: None,
            clocks: Both::default(),
            names: None,
            thoughts: Both::default(),
            talk: Talk::default(),
        }
    }
}
