//! Commands that the dialects of all turn games share.

use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::text as line;
use super::{Clock, LateThought, Thought};
use crate::dialect::MarkKind;
use crate::line::{Cursor, Line, Word};
use crate::name::{self, FullName};
use crate::problem::Fault;
use crate::team::{ByTeam, Outcome, TwoTeams};
use crate::text::Text;

/// A command about the state of a turn game beside its board.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "cmd", rename_all = "lowercase")]
#[serde(bound(
    serialize = "T: TwoTeams + Serialize, M: Serialize",
    deserialize = "T: TwoTeams + Deserialize<'de>, M: Deserialize<'de>"
))]
pub enum Command<T, M> {
    /// The team to move.
    Turn {
        /// The team.
        team: T,
    },
    /// The setting of a clock.
    Clock(Clock<T>),
    /// A player's thought about the position.
    Thought(Thought<T, M>),
    /// A player's thought about an earlier position. It changes no scene: a log of the match shows it at that position.
    #[serde(rename = "thought@")]
    LateThought(LateThought<T, M>),
    /// The players' names.
    Names(ByTeam<T, FullName>),
    /// The game is over.
    Win {
        /// The outcome.
        winner: Outcome<T>,
    },
    /// A team says something.
    Say {
        /// The team that speaks.
        team: T,
        /// The text.
        text: Text,
    },
}

/// The names of these commands, for error messages.
macro_rules! shared_names {
    () => {
        "turn, clock, thought, names, win or say"
    };
}
pub(crate) use shared_names;

impl<T: TwoTeams, M> Command<T, M> {
    /// Parses the rest of a line that begins with `name`; `None` if no shared command has that name. `expected` describes
    /// a move in error messages.
    pub(crate) fn parse(
        name: Word<'_>,
        cursor: &mut Cursor<'_>,
        expected: &'static str,
    ) -> Result<Option<Command<T, M>>, Fault>
    where
        M: FromStr,
    {
        Ok(Some(match name.bytes {
            b"turn" => Command::Turn { team: line::team(cursor)? },
            b"clock" => Command::Clock(line::clock(cursor)?),
            b"thought" => Command::Thought(line::thought(cursor, expected)?),
            b"thought@" => Command::LateThought(line::late_thought(cursor, expected)?),
            b"names" => Command::Names(name::both(cursor)?),
            b"win" => Command::Win { winner: cursor.word().parse(Outcome::<T>::expected())? },
            b"say" => Command::Say { team: line::team(cursor)?, text: cursor.text()? },
            _ => return Ok(None),
        }))
    }

    /// Reads the JSON object of a shared command; `None` for any other `cmd`.
    pub(crate) fn from_json<'de>(value: &'de Value) -> serde_json::Result<Option<Command<T, M>>>
    where
        T: Deserialize<'de>,
        M: Deserialize<'de>,
    {
        match value.get("cmd").and_then(Value::as_str) {
            Some("turn" | "clock" | "thought" | "thought@" | "names" | "win" | "say") => {
                Command::deserialize(value).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Writes the command's canonical line.
    pub(crate) fn write<'a>(&self, line: Line<'a>) -> Line<'a>
    where
        M: Display,
    {
        match self {
            Command::Turn { team } => line.begin("turn").word(team.name()),
            Command::Clock(clock) => line.clock(clock),
            Command::Thought(thought) => line.thought(thought),
            Command::LateThought(late) => line.late_thought(late),
            Command::Names(names) => line.names(names),
            Command::Win { winner } => line.begin("win").word(winner.name()),
            Command::Say { team, text } => line.begin("say").word(team.name()).word(text),
        }
    }

    /// The team that the command is about.
    pub(crate) fn team(&self) -> Option<&'static str> {
        match self {
            Command::Turn { team } | Command::Say { team, .. } => Some(team.name()),
            Command::Clock(clock) => Some(clock.team.name()),
            Command::Thought(thought) => Some(thought.team.name()),
            Command::LateThought(late) => Some(late.thought.team.name()),
            Command::Win { winner } => winner.winner().map(T::name),
            Command::Names(_) => None,
        }
    }

    /// Whether the command leaves the course of the game unchanged.
    pub(crate) fn is_aside(&self) -> bool {
        !matches!(self, Command::Turn { .. } | Command::Win { .. })
    }

    /// The kind of timeline mark of the command; `None` for a command that only draws.
    pub(crate) fn mark(&self) -> Option<MarkKind> {
        matches!(self, Command::Say { .. }).then_some(MarkKind::Talk)
    }
}
