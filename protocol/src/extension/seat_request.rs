//! Request of a person at a seat of a match, and the answers to it, in every form in which they are sent.
//!
//! | from | to | form |
//! | --- | --- | --- |
//! | the spectator, or a program | the HTTP port | [`SeatPost`], answered by a [`SeatGrant`] to a request for a seat |
//! | the bridge | the game server | [`SeatLine`], answered by a [`SeatAnswer`] |

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use super::payload;
use super::setup::{ChosenSettings, chosen};
use crate::line::Cursor;
use crate::problem::{Fault, Problem};
use crate::text::Label;
use crate::words;

/// A person's request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeatRequest {
    /// A request for a free seat.
    Take {
        /// The person's name, if given.
        name: Option<Label>,
    },
    /// A move from the seat that the person has.
    Move {
        /// The number of moves in the position that the move was made for.
        ply: u32,
        /// The move, in the game's notation.
        text: Label,
    },
    /// A request to free the seat.
    Leave,
    /// A request for another match in place of this one, with these settings.
    New {
        /// The values of settings that the match offers; of the others the present ones are meant.
        settings: ChosenSettings,
    },
}

/// A request as a bridge sends it to a game server that announced seats, on the connection that the server draws over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatLine {
    /// The bridge's number of the request, which the [`SeatAnswer`] repeats.
    pub id: u64,
    /// The seat's team.
    pub team: Label,
    /// The request: `#gs seat`, `#gs move`, `#gs leave` or `#gs new`.
    pub request: SeatRequest,
}

/// The game server's answer to a [`SeatLine`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SeatAnswer {
    /// The request's number.
    pub id: u64,
    /// Whether the request was carried out.
    pub ok: bool,
    /// The reason for a refusal, in words for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Label>,
}

/// The payload of any request line, before its members are checked against its name.
#[derive(Serialize, Deserialize)]
struct LinePayload {
    id: u64,
    team: Label,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<Label>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ply: Option<u32>,
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    text: Option<Label>,
    #[serde(default, deserialize_with = "some_chosen", skip_serializing_if = "Option::is_none")]
    settings: Option<ChosenSettings>,
}

fn some_chosen<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<ChosenSettings>, D::Error> {
    chosen(deserializer).map(Some)
}

impl SeatLine {
    /// The request as a line, without a line ending.
    pub fn to_line(&self) -> String {
        let (id, team) = (self.id, self.team.clone());
        let none = LinePayload { id, team, name: None, ply: None, text: None, settings: None };
        let (name, payload) = match &self.request {
            SeatRequest::Take { name } => ("seat", LinePayload { name: name.clone(), ..none }),
            SeatRequest::Move { ply, text } => {
                ("move", LinePayload { ply: Some(*ply), text: Some(text.clone()), ..none })
            }
            SeatRequest::Leave => ("leave", none),
            SeatRequest::New { settings } => {
                ("new", LinePayload { settings: Some(settings.clone()), ..none })
            }
        };
        let mut line = String::new();
        super::write_line(&mut line, name, &payload);
        line
    }

    /// Parses a line without its line ending.
    ///
    /// # Errors
    /// [`Problem`] contains the fault and its place in the line.
    pub fn from_line(line: &[u8]) -> Result<SeatLine, Problem> {
        Self::read(line).map_err(|fault| fault.in_line(line))
    }

    fn read(line: &[u8]) -> Result<SeatLine, Fault> {
        let mut cursor = Cursor::new(line);
        let prefix = cursor.word();
        if prefix.bytes != super::PREFIX {
            return Err(prefix.fault("#gs"));
        }
        let name = cursor.word();
        if !matches!(name.bytes, b"seat" | b"move" | b"leave" | b"new") {
            return Err(name.fault("seat, move, leave or new"));
        }
        let rest = cursor.rest();
        let LinePayload { id, team, name: who, ply, text, settings } =
            payload(rest, "the request's JSON object")?;
        let request = match (name.bytes, ply, text) {
            (b"seat", ..) => SeatRequest::Take { name: who },
            (b"leave", ..) => SeatRequest::Leave,
            (b"new", ..) => SeatRequest::New { settings: settings.unwrap_or_default() },
            (_, Some(ply), Some(text)) => SeatRequest::Move { ply, text },
            _ => return Err(rest.fault("a move's `ply` and `move`")),
        };
        Ok(SeatLine { id, team, request })
    }
}

words! {
    /// The last part of the path of a `POST` about seats, `/api/matches/{id}/…`.
    SeatPath {
        /// Path of [`SeatRequest::Take`].
        Seats = "seats",
        /// Path of [`SeatRequest::Move`].
        Moves = "moves",
        /// Path of [`SeatRequest::Leave`].
        Leave = "leave",
        /// Path of [`SeatRequest::New`].
        New = "new",
    }
}

/// A request as it is posted over HTTP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatPost {
    /// The team of the requested seat; `None` for any seat, and for a request of a seat's holder.
    pub team: Option<Label>,
    /// The secret that proves possession of the seat; empty in a request for a seat.
    pub token: String,
    /// The request.
    pub request: SeatRequest,
}

/// A body that is no [`SeatPost`] of its path.
#[derive(Debug, thiserror::Error)]
pub enum SeatPostError {
    /// The body is not a JSON object.
    #[error("expected a JSON object")]
    NoObject,
    /// A member is missing, unknown or of the wrong type.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TakeBody {
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<Label>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<Label>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveBody {
    token: String,
    ply: u32,
    #[serde(rename = "move")]
    text: Label,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LeaveBody {
    token: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewBody {
    token: String,
    #[serde(default, deserialize_with = "chosen")]
    settings: ChosenSettings,
}

impl SeatPost {
    /// A request for the seat of a team, or any.
    pub fn take(team: Option<Label>, name: Option<Label>) -> Self {
        Self { team, token: String::new(), request: SeatRequest::Take { name } }
    }

    /// The last part of the path to post to.
    pub fn path(&self) -> SeatPath {
        match self.request {
            SeatRequest::Take { .. } => SeatPath::Seats,
            SeatRequest::Move { .. } => SeatPath::Moves,
            SeatRequest::Leave => SeatPath::Leave,
            SeatRequest::New { .. } => SeatPath::New,
        }
    }

    /// The body of the request.
    pub fn to_json(&self) -> String {
        let mut json = Vec::new();
        let token = self.token.clone();
        match &self.request {
            SeatRequest::Take { name } => {
                let body = TakeBody { team: self.team.clone(), name: name.clone() };
                crate::json::write_value(&body, &mut json);
            }
            SeatRequest::Move { ply, text } => {
                let body = MoveBody { token, ply: *ply, text: text.clone() };
                crate::json::write_value(&body, &mut json);
            }
            SeatRequest::Leave => crate::json::write_value(&LeaveBody { token }, &mut json),
            SeatRequest::New { settings } => {
                let body = NewBody { token, settings: settings.clone() };
                crate::json::write_value(&body, &mut json);
            }
        }
        String::from_utf8_lossy(&json).into_owned()
    }

    /// Reads the body of a `POST` to a path.
    ///
    /// # Errors
    /// [`SeatPostError`] if the body is not a JSON object or a member is wrong.
    pub fn from_json(path: SeatPath, body: &[u8]) -> Result<Self, SeatPostError> {
        Ok(match path {
            SeatPath::Seats => {
                let TakeBody { team, name } = object(body)?;
                Self::take(team, name)
            }
            SeatPath::Moves => {
                let MoveBody { token, ply, text } = object(body)?;
                Self { team: None, token, request: SeatRequest::Move { ply, text } }
            }
            SeatPath::Leave => {
                let LeaveBody { token } = object(body)?;
                Self { team: None, token, request: SeatRequest::Leave }
            }
            SeatPath::New => {
                let NewBody { token, settings } = object(body)?;
                Self { team: None, token, request: SeatRequest::New { settings } }
            }
        })
    }
}

fn object<T: DeserializeOwned>(body: &[u8]) -> Result<T, SeatPostError> {
    // Serde would also read a struct with named fields from an array, by position.
    if !body.trim_ascii_start().starts_with(b"{") {
        return Err(SeatPostError::NoObject);
    }
    Ok(serde_json::from_slice(body)?)
}

/// The HTTP answer to a person who gets a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatGrant {
    /// The seat's index in the list of seats.
    pub seat: usize,
    /// The seat's team; empty in a grant that an earlier version of the page stored.
    #[serde(default)]
    pub team: Label,
    /// The secret that proves possession of the seat from now on.
    pub token: String,
}
