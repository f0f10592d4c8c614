//! The first line of a replay.

use grandstand_protocol::text::shorten;
use grandstand_protocol::{Game, MatchHeader};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::OpenError;

/// The version of the format that this crate writes, which is the newest that it reads.
pub const VERSION: u64 = 1;

/// The content of the first line: the game, and the known data of the match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The game, which determines the dialect of the commands.
    pub game: Game,
    /// Title, teams, start time, rules, seed and programs, as far as they are known.
    pub about: MatchHeader,
    /// Members that are unknown to this version of the format. They are written back as they were read.
    pub extra: Map<String, Value>,
}

/// The line for serialization.
#[derive(Serialize)]
struct Written<'a> {
    grandstand: u64,
    game: Game,
    #[serde(flatten)]
    about: &'a MatchHeader,
    #[serde(flatten)]
    extra: &'a Map<String, Value>,
}

/// The line for deserialization, without its version and its game, which are checked first.
#[derive(Deserialize)]
struct Read {
    #[serde(flatten)]
    about: MatchHeader,
    #[serde(flatten)]
    extra: Map<String, Value>,
}

impl Header {
    /// A header without unknown members.
    pub fn new(game: Game, about: MatchHeader) -> Header {
        Header { game, about, extra: Map::new() }
    }

    /// Appends the header's line, with its line feed.
    pub fn write_line(&self, out: &mut Vec<u8>) {
        let written =
            Written { grandstand: VERSION, game: self.game, about: &self.about, extra: &self.extra };
        // Writing into memory does not fail, and every key is a string.
        let result = serde_json::to_writer(&mut *out, &written);
        debug_assert!(result.is_ok(), "{result:?}");
        out.push(b'\n');
    }

    /// Reads the first line, without its ending.
    ///
    /// # Errors
    /// [`OpenError`] when the file is no replay, is of a newer version, or its header is not well formed.
    pub fn parse(line: &[u8]) -> Result<Header, OpenError> {
        let text = std::str::from_utf8(line)
            .ok()
            .filter(|text| !text.contains(|c: char| c.is_control() && !matches!(c, '\t' | '\r')));
        let Some(text) = text else { return Err(OpenError::NotText) };
        let not_a_replay = |reason: String| OpenError::NotAReplay { reason, found: shorten(text, 60) };
        let value: Value = serde_json::from_slice(line).map_err(|e| not_a_replay(e.to_string()))?;
        let Value::Object(mut members) = value else {
            return Err(not_a_replay("the first line is not a JSON object".to_owned()));
        };
        match members.remove("grandstand") {
            None => return Err(not_a_replay("the first line has no member `grandstand`".to_owned())),
            Some(version) => match version.as_u64() {
                Some(VERSION) => {}
                Some(found) if found > VERSION => return Err(OpenError::NewerVersion { found }),
                _ => return Err(not_a_replay(format!("{version} is not a version of the format"))),
            },
        }
        let game = match members.remove("game") {
            Some(Value::String(name)) => {
                name.parse().map_err(|e: grandstand_protocol::ParseError| OpenError::Header(e.to_string()))?
            }
            _ => return Err(OpenError::Header("its member `game` is missing or not a string".to_owned())),
        };
        let Read { about, extra } = serde_json::from_value(Value::Object(members))
            .map_err(|error| OpenError::Header(error.to_string()))?;
        Ok(Header { game, about, extra })
    }
}
