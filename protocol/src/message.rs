//! Messages from a server to a spectator: one JSON object in each websocket text frame, with `type` as its first member.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::by_text::from_json_by_text;
use crate::command::{Command, CommandError};
use crate::extension::{MatchResult, Seat, Setting, Software, TeamInfo};
use crate::games::Game;
use crate::scene::Scene;
use crate::text::{Label, shorten};
use crate::time::Micros;

/// The protocol version in `hello`.
pub const PROTOCOL: u32 = 1;

/// One message to a spectator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Message {
    /// The description of the match; always the first message.
    Hello {
        /// The protocol version, [`PROTOCOL`].
        protocol: u32,
        /// The match.
        r#match: MatchSummary,
    },
    /// The whole picture after a command.
    Scene {
        /// The number of the last command in the scene; 0 before the first.
        seq: u64,
        /// The time of that command.
        t: Micros,
        /// The scene.
        scene: Scene,
    },
    /// Consecutive commands `seq`, `seq` + 1, …, which arrived together.
    Commands {
        /// The number of the first command.
        seq: u64,
        /// The time of the commands.
        t: Micros,
        /// The commands; at least one.
        commands: Vec<Command>,
    },
    /// A change of the seats.
    Seats {
        /// All seats, as they are now.
        seats: Vec<Seat>,
    },
    /// The end of the match.
    End {
        /// The number of the last command.
        seq: u64,
        /// The time of the end.
        t: Micros,
        /// The result; `None` if the game server sent none.
        result: Option<MatchResult>,
    },
    /// An error, after which the server closes the connection.
    Error {
        /// The reason, in words for a person.
        message: String,
    },
}

/// A match as a list of matches describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchSummary {
    /// The match's id.
    pub id: MatchId,
    /// The game.
    pub game: Game,
    /// The title; may be empty.
    pub title: Label,
    /// The event that the match belongs to, such as a tournament, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<Label>,
    /// The round of the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<Label>,
    /// The teams in order of play; empty if the game server sent none.
    pub teams: Vec<TeamInfo>,
    /// Every setting in force, by the game's names. Only in the description of a single match, not in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Value>,
    /// The software that drew the match, if known. Only in the description of a single match, not in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Software>,
    /// The seats, if there are any. Only a live match has them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<Seat>,
    /// The settings that who has a seat may choose for another match. Only in the description of a single live match.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub setup: Vec<Setting>,
    /// Whether the match is live, finished or interrupted.
    pub state: MatchState,
    /// The start time as RFC 3339.
    pub started: Label,
    /// The number of commands so far.
    pub seq: u64,
    /// The present time of the match, since nobody may have drawn for minutes. Only in the description of a single live
    /// match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<Micros>,
    /// The number of spectators.
    pub spectators: u64,
    /// The result; `None` for a live match, and if the game server sent none.
    pub result: Option<MatchResult>,
}

/// The state of a match: live or ended, and how it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MatchState {
    /// The match goes on.
    Live,
    /// The match came to its regular end.
    Finished,
    /// The connection broke or the server stopped before the end.
    Interrupted,
}

/// The id of a match: 1 to 64 ASCII letters, digits, `-` and `_`, so that it is valid as part of a path and of a URL.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct MatchId(Arc<str>);

/// A text that is not the id of a match.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the id of a match: expected 1 to 64 letters, digits, `-` and `_`")]
pub struct MatchIdError(String);

impl MatchId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MatchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for MatchId {
    type Err = MatchIdError;

    fn from_str(id: &str) -> Result<MatchId, MatchIdError> {
        let ok = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if (1..=64).contains(&id.len()) && id.bytes().all(ok) {
            Ok(MatchId(id.into()))
        } else {
            Err(MatchIdError(shorten(id, 80)))
        }
    }
}

from_json_by_text!(MatchId);

/// The reason why a JSON text is not a message.
#[derive(Debug, thiserror::Error)]
pub enum MessageError {
    /// The text does not begin with `{`.
    #[error("not a message: expected a JSON object")]
    NotAnObject,
    /// The text is not JSON, or does not have the shape of its type.
    #[error("not a message: {0}")]
    Json(#[from] serde_json::Error),
    /// The `type` is unknown to this protocol.
    #[error("`{0}` is not a type of message: expected hello, scene, commands, seats, end or error")]
    Type(String),
    /// A mandatory member is missing.
    #[error("a `{kind}` message without `{member}`")]
    Missing {
        /// The message's type.
        kind: String,
        /// The member's name.
        member: &'static str,
    },
    /// Commands arrived before `hello`, which names their game.
    #[error("commands before `hello` said of which game")]
    NoGame,
    /// A command of the message is not a command of the game.
    #[error("command {seq}: {source}")]
    Command {
        /// The command's number.
        seq: u64,
        /// The error of that command.
        source: CommandError,
    },
}

impl Message {
    /// Appends the message's JSON object.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        crate::json::write_value(self, out);
    }

    /// The message's JSON object.
    pub fn to_json(&self) -> String {
        let mut out = Vec::new();
        self.write_json(&mut out);
        String::from_utf8_lossy(&out).into_owned()
    }

    /// Reads a message. `game` is the game named in `hello`; commands can't be read without it. Members that
    /// this version does not know are ignored.
    ///
    /// # Errors
    /// [`MessageError`] if the text is not JSON, or not a message of this protocol, or contains an invalid command.
    pub fn from_json(game: Option<Game>, json: &str) -> Result<Message, MessageError> {
        if !json.trim_start().starts_with('{') {
            return Err(MessageError::NotAnObject);
        }
        let wire: Wire<'_> = serde_json::from_str(json)?;
        let kind = wire.r#type;
        let missing = |member| MessageError::Missing { kind: kind.clone(), member };
        let seq = || wire.seq.ok_or_else(|| missing("seq"));
        let t = || wire.t.ok_or_else(|| missing("t"));
        match kind.as_str() {
            "hello" => Ok(Message::Hello {
                protocol: wire.protocol.ok_or_else(|| missing("protocol"))?,
                r#match: wire.r#match.ok_or_else(|| missing("match"))?,
            }),
            "scene" => Ok(Message::Scene {
                seq: seq()?,
                t: t()?,
                scene: wire.scene.ok_or_else(|| missing("scene"))?,
            }),
            "commands" => {
                let game = game.ok_or(MessageError::NoGame)?;
                let first = seq()?;
                let commands = wire.commands.ok_or_else(|| missing("commands"))?;
                let commands = commands.iter().zip(first..).map(|(command, seq)| {
                    Command::from_json(game, command.get())
                        .map_err(|source| MessageError::Command { seq, source })
                });
                Ok(Message::Commands { seq: first, t: t()?, commands: commands.collect::<Result<_, _>>()? })
            }
            "seats" => Ok(Message::Seats { seats: wire.seats.ok_or_else(|| missing("seats"))? }),
            "end" => Ok(Message::End { seq: seq()?, t: t()?, result: wire.result }),
            "error" => Ok(Message::Error { message: wire.message.ok_or_else(|| missing("message"))? }),
            _ => Err(MessageError::Type(shorten(&kind, 40))),
        }
    }
}

/// A message of any type, before its members are checked against its type.
#[derive(Deserialize)]
struct Wire<'a> {
    r#type: String,
    seq: Option<u64>,
    t: Option<Micros>,
    protocol: Option<u32>,
    r#match: Option<MatchSummary>,
    scene: Option<Scene>,
    #[serde(borrow)]
    commands: Option<Vec<&'a RawValue>>,
    seats: Option<Vec<Seat>>,
    result: Option<MatchResult>,
    message: Option<String>,
}

/// Appends a `commands` message, with the same output as [`Message::write_json`], of the first commands: up to the one
/// with which `out` has `max_bytes`. Returns their number.
pub fn write_commands(
    out: &mut Vec<u8>,
    seq: u64,
    t: Micros,
    commands: &[Command],
    max_bytes: usize,
) -> usize {
    use std::io::Write;
    // Writing into memory does not fail.
    let _ = write!(out, r#"{{"type":"commands","seq":{seq},"t":{t},"commands":["#);
    let mut count = 0;
    for command in commands {
        if count > 0 {
            out.push(b',');
        }
        command.write_json(out);
        count += 1;
        if out.len() >= max_bytes {
            break;
        }
    }
    out.extend_from_slice(b"]}");
    count
}
