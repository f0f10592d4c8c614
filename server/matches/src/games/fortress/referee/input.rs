//! Inputs of the referee, and their form in a file.

use grandstand_protocol::ParseError;
use grandstand_protocol::words;
use grandstand_rules::fortress::{ByTeam, Team};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Something that happens, to a connection or to the match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A connection is there.
    Open,
    /// It has sent a line, here without its end.
    Line(String),
    /// It is no more, for this reason.
    Close(String),
    /// A team is not there, and will not come: the match does not wait for it.
    Absent(Team),
    /// The match has waited long enough.
    Begin,
    /// Teams have lost, whatever stands on the board.
    Lost(ByTeam<Team, Option<Loss>>),
    /// Time has passed.
    Tick,
}

/// Why a team has lost, other than by the rules of the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// By which kind of fault.
    pub cause: Cause,
    /// What happened, in words.
    pub reason: String,
}

words! {
    /// What a team loses by: the termination of its match.
    Cause {
        /// `startup`: none of its units has come.
        Startup = "startup",
        /// `crash`: its program has ended in the middle of the match.
        Crash = "crash",
        /// `hang`: nothing was heard of it for too long.
        Hang = "hang",
    }
}

/// An input with its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamped {
    /// The millisecond of the match; 0 before it begins. Times never go back.
    pub millis: u64,
    /// Which connection; 0, which none has, for what happens to the match.
    pub connection: u32,
    /// What happens.
    pub input: Input,
}

impl Stamped {
    /// One line of a file of inputs, without its end: `[MILLIS, CONNECTION, WORD]`, or with a text or an object besides.
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

    /// Reads such a line.
    ///
    /// # Errors
    /// What is wrong with it, in words.
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
