//! Inputs of the referee, and their form in a file.

use grandstand_protocol::ParseError;
use grandstand_protocol::words;
use grandstand_rules::fortress::{ByTeam, Team};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Input of the referee, about a connection or the whole match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A connection was opened.
    Open,
    /// The connection sent a line, here without its end.
    Line(String),
    /// The connection ended, for this reason.
    Close(String),
    /// A team is absent and will not come: the match does not wait for it.
    Absent(Team),
    /// The match has waited long enough, and begins.
    Begin,
    /// Teams have lost by their own fault.
    Lost(ByTeam<Team, Option<Loss>>),
    /// Time has passed.
    Tick,
}

/// Loss of a team other than by the rules of the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// Kind of the fault.
    pub cause: Cause,
    /// Details in words.
    pub reason: String,
}

words! {
    /// Kind of a team's fault: the termination of its match.
    Cause {
        /// `startup`: none of the team's units has come.
        Startup = "startup",
        /// `crash`: the team's program has ended in the middle of the match.
        Crash = "crash",
        /// `hang`: the team was silent for too long.
        Hang = "hang",
    }
}

/// An input with its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamped {
    /// Millisecond of the match; 0 before it begins. Times never decrease.
    pub millis: u64,
    /// Number of the connection; 0, which is no connection, for inputs about the match.
    pub connection: u32,
    /// The input.
    pub input: Input,
}

impl Stamped {
    /// The input as a line of a file, without its end: `[MILLIS, CONNECTION, WORD]`, possibly followed by a text or an
    /// object.
    pub fn to_line(&self) -> String {
        let (word, more) = match &self.input {
            Input::Open => ("open", None),
            Input::Line(line) => ("line", Some(json!(line))),
            Input::Close(reason) => ("close", Some(json!(reason))),
            Input::Absent(team) => ("absent", Some(json!(team.name()))),
            Input::Begin => ("begin", None),
            Input::Lost(losses) => ("lost", Some(json!(losses))),
            Input::Tick => ("tick", None),
        };
        match more {
            None => json!([self.millis, self.connection, word]),
            Some(more) => json!([self.millis, self.connection, word, more]),
        }
        .to_string()
    }

    /// Parses such a line.
    ///
    /// # Errors
    /// A message about the mistake.
    pub fn parse(line: &str) -> Result<Self, String> {
        let wrong = || "expected [MILLIS, CONNECTION, \"open\" …]".to_owned();
        let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let fields = value.as_array().ok_or_else(wrong)?;
        let number = |index: usize| fields.get(index).and_then(Value::as_u64).ok_or_else(wrong);
        let text = |index: usize| fields.get(index).and_then(Value::as_str).ok_or_else(wrong);
        let (input, length) = match text(2)? {
            "open" => (Input::Open, 3),
            "line" => (Input::Line(text(3)?.to_owned()), 4),
            "close" => (Input::Close(text(3)?.to_owned()), 4),
            "absent" => (Input::Absent(text(3)?.parse().map_err(|error: ParseError| error.to_string())?), 4),
            "begin" => (Input::Begin, 3),
            "lost" => {
                let losses = fields.get(3).cloned().unwrap_or_default();
                (Input::Lost(serde_json::from_value(losses).map_err(|error| error.to_string())?), 4)
            }
            "tick" => (Input::Tick, 3),
            _ => return Err(wrong()),
        };
        if fields.len() != length {
            return Err(wrong());
        }
        let connection = u32::try_from(number(1)?).map_err(|error| error.to_string())?;
        Ok(Self { millis: number(0)?, connection, input })
    }
}
