//! What happens to a match from outside, and how it is written down.

use grandstand_protocol::team::SquadError;
use grandstand_rules::fortress::Squad;
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
    Absent(Squad),
    /// The match has waited long enough.
    Begin,
    /// Time has passed.
    Tick,
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
    /// One line of a file of inputs, without its end: `[MILLIS, CONNECTION, WORD]`, or with a text besides.
    pub fn to_line(&self) -> String {
        let (word, text) = match &self.input {
            Input::Open => ("open", None),
            Input::Line(line) => ("line", Some(line.as_str())),
            Input::Close(reason) => ("close", Some(reason.as_str())),
            Input::Absent(team) => ("absent", Some(team.name())),
            Input::Begin => ("begin", None),
            Input::Tick => ("tick", None),
        };
        match text {
            None => json!([self.millis, self.connection, word]),
            Some(text) => json!([self.millis, self.connection, word, text]),
        }
        .to_string()
    }

    /// Reads such a line; what is wrong is said in words.
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
            "absent" => (Input::Absent(text(3)?.parse().map_err(|error: SquadError| error.to_string())?), 4),
            "begin" => (Input::Begin, 3),
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
