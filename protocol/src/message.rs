//! Messages of a server to a spectator: one JSON object in each websocket text frame, `type` first.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::by_text::from_json_by_text;
use crate::command::{Command, CommandError};
use crate::extension::{By, MatchResult, Seat, TeamInfo};
use crate::games::Game;
use crate::scene::Scene;
use crate::text::{Label, shorten};
use crate::time::Micros;

/// The version of the protocol that `hello` names.
pub const PROTOCOL: u32 = 1;

/// One message to a spectator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Message {
    /// Always first: which match this is.
    Hello {
        /// [`PROTOCOL`].
        protocol: u32,
        /// The match.
        r#match: Summary,
    },
    /// The whole picture after a command.
    Scene {
        /// The command's number; 0 before the first.
        seq: u64,
        /// When it came.
        t: Micros,
        /// The picture.
        scene: Scene,
    },
    /// Commands `seq`, `seq` + 1, …, which arrived together.
    Commands {
        /// The first one's number.
        seq: u64,
        /// When they came.
        t: Micros,
        /// The commands; at least one.
        commands: Vec<Command>,
    },
    /// Who may play has changed.
    Seats {
        /// Every seat as it is now.
        seats: Vec<Seat>,
    },
    /// The match is over.
    End {
        /// The last command's number.
        seq: u64,
        /// When it ended.
        t: Micros,
        /// How; `None` when its server did not say.
        result: Option<MatchResult>,
    },
    /// The server closes after this.
    Error {
        /// Why, in words for a person.
        message: String,
    },
}

/// What a list of matches shows of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The match's id.
    pub id: MatchId,
    /// The game.
    pub game: Game,
    /// What it is called; may be empty.
    pub title: Label,
    /// The teams, the one that moves first first; empty when the server did not say.
    pub teams: Vec<TeamInfo>,
    /// Every setting in force, as the game names them; only where one match is told of, not in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Value>,
    /// What drew it, where that is known; only where one match is told of, not in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<By>,
    /// The seats of a match that goes on, where it has any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<Seat>,
    /// Whether it goes on.
    pub state: MatchState,
    /// When it began, as RFC 3339 writes it.
    pub started: Label,
    /// How many commands there have been.
    pub seq: u64,
    /// How many watch it.
    pub spectators: u64,
    /// How it ended; `None` while it goes on, and when its server did not say.
    pub result: Option<MatchResult>,
}

/// Whether a match goes on, and how it stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MatchState {
    /// It goes on.
    Live,
    /// It came to its end.
    Finished,
    /// The connection broke or the server stopped before the end.
    Interrupted,
}

/// The id of a match: 1 to 64 ASCII letters, digits, `-` and `_`, so that it can stand in a path and in a URL.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct MatchId(Arc<str>);

/// The text is not a match's id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the id of a match: expected 1 to 64 letters, digits, `-` and `_`")]
pub struct MatchIdError(String);

impl MatchId {
    /// The id as text.
    #[must_use]
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

/// Why a JSON text is not a message.
#[derive(Debug, thiserror::Error)]
pub enum MessageError {
    /// It does not begin as a JSON object does.
    #[error("not a message: expected a JSON object")]
    NotAnObject,
    /// It is not JSON, or not of the shape of its type.
    #[error("not a message: {0}")]
    Json(#[from] serde_json::Error),
    /// Its `type` is none of this protocol's.
    #[error("`{0}` is not a type of message: expected hello, scene, commands, seats, end or error")]
    Type(String),
    /// A member that messages of its type have is missing.
    #[error("a `{kind}` message without `{member}`")]
    Missing {
        /// The message's type.
        kind: String,
        /// The member's name.
        member: &'static str,
    },
    /// Commands came before it was said of which game.
    #[error("commands before `hello` said of which game")]
    NoGame,
    /// One of its commands is not a command of the game.
    #[error("command {seq}: {source}")]
    Command {
        /// The command's number.
        seq: u64,
        /// What is wrong with it.
        source: CommandError,
    },
}

impl Message {
    /// Appends the message's JSON object.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        crate::json::write_value(self, out);
    }

    /// The message's JSON object.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = Vec::new();
        self.write_json(&mut out);
        String::from_utf8_lossy(&out).into_owned()
    }

    /// Reads a message. `game` is what `hello` said the match is; commands can't be read without it. Members that
    /// this version does not know are ignored.
    ///
    /// # Errors
    /// [`MessageError`] says what is wrong with it, and where in the text.
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

/// Any message, before its type is known to fit its members.
#[derive(Deserialize)]
struct Wire<'a> {
    r#type: String,
    seq: Option<u64>,
    t: Option<Micros>,
    protocol: Option<u32>,
    r#match: Option<Summary>,
    scene: Option<Scene>,
    #[serde(borrow)]
    commands: Option<Vec<&'a RawValue>>,
    seats: Option<Vec<Seat>>,
    result: Option<MatchResult>,
    message: Option<String>,
}

/// Appends a `commands` message, as [`Message::write_json`] would, from commands that stay where they are.
pub fn write_commands(out: &mut Vec<u8>, seq: u64, t: Micros, commands: &[Command]) {
    use std::io::Write;
    // Writing into memory does not fail.
    let _ = write!(out, r#"{{"type":"commands","seq":{seq},"t":{t},"commands":["#);
    for (index, command) in commands.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        command.write_json(out);
    }
    out.extend_from_slice(b"]}");
}
