//! Request of a person at a seat of a match, and its answers, in every form in which they travel.
//!
//! | from | to | form |
//! | --- | --- | --- |
//! | the spectator, or a program | the HTTP port | [`SeatPost`], answered by a [`SeatGrant`] where a seat was asked for |
//! | the bridge | the game server | [`SeatLine`], answered by a [`SeatAnswer`] |

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::payload;
use crate::line::Cursor;
use crate::problem::{Fault, Problem};
use crate::text::Label;
use crate::words;

/// What a person asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeatRequest {
    /// A free seat.
    Take {
        /// Who, where they said so.
        name: Option<Label>,
    },
    /// A move from the seat that the person has.
    Move {
        /// How many moves had been played in the picture that the move was made for.
        ply: u32,
        /// The move, in the game's notation.
        text: Label,
    },
    /// The seat shall be free again.
    Leave,
}

/// A request as a bridge sends it to a game server that announced seats, on the connection that the server draws over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatLine {
    /// The bridge's number for it, which the [`SeatAnswer`] repeats.
    pub id: u64,
    /// Whose seat it is about.
    pub team: Label,
    /// What is asked for: `#gs seat`, `#gs move` or `#gs leave`.
    pub request: SeatRequest,
}

/// What a game server answers to a [`SeatLine`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SeatAnswer {
    /// The request's number.
    pub id: u64,
    /// Whether it was done.
    pub ok: bool,
    /// Why not, in words for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Label>,
}

/// The payload of any line, before its members are known to fit its name.
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
}

impl SeatLine {
    /// The line, without a line ending.
    #[must_use]
    pub fn to_line(&self) -> String {
        let (id, team) = (self.id, self.team.clone());
        let none = LinePayload { id, team, name: None, ply: None, text: None };
        let (name, payload) = match &self.request {
            SeatRequest::Take { name } => ("seat", LinePayload { name: name.clone(), ..none }),
            SeatRequest::Move { ply, text } => {
                ("move", LinePayload { ply: Some(*ply), text: Some(text.clone()), ..none })
            }
            SeatRequest::Leave => ("leave", none),
        };
        let mut line = String::new();
        super::write_line(&mut line, name, &payload);
        line
    }

    /// Reads a line without its line ending.
    ///
    /// # Errors
    /// What is wrong with it, and where.
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
        if !matches!(name.bytes, b"seat" | b"move" | b"leave") {
            return Err(name.fault("seat, move or leave"));
        }
        let rest = cursor.rest();
        let LinePayload { id, team, name: who, ply, text } = payload(rest, "the request's JSON object")?;
        let request = match (name.bytes, ply, text) {
            (b"seat", ..) => SeatRequest::Take { name: who },
            (b"leave", ..) => SeatRequest::Leave,
            (_, Some(ply), Some(text)) => SeatRequest::Move { ply, text },
            _ => return Err(rest.fault("a move's `ply` and `move`")),
        };
        Ok(SeatLine { id, team, request })
    }
}

words! {
    /// The last part of the path of a `POST` about seats, `/api/matches/{id}/…`.
    SeatPath {
        /// For [`SeatRequest::Take`].
        Seats = "seats",
        /// For [`SeatRequest::Move`].
        Moves = "moves",
        /// For [`SeatRequest::Leave`].
        Leave = "leave",
    }
}

/// A request as it is posted over HTTP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatPost {
    /// The team whose seat is wanted; `None` for any, and where a seat is had already.
    pub team: Option<Label>,
    /// What proves who has the seat; empty where one is asked for.
    pub token: String,
    /// What is asked for.
    pub request: SeatRequest,
}

/// A body is no [`SeatPost`] of its path.
#[derive(Debug, thiserror::Error)]
pub enum SeatPostError {
    /// It is JSON of another kind, or none.
    #[error("expected a JSON object")]
    NoObject,
    /// A member is missing, unknown or of another kind.
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

impl SeatPost {
    /// Asks for the seat of a team, or any.
    #[must_use]
    pub fn take(team: Option<Label>, name: Option<Label>) -> Self {
        Self { team, token: String::new(), request: SeatRequest::Take { name } }
    }

    /// The last part of the path that it is posted to.
    #[must_use]
    pub fn path(&self) -> SeatPath {
        match self.request {
            SeatRequest::Take { .. } => SeatPath::Seats,
            SeatRequest::Move { .. } => SeatPath::Moves,
            SeatRequest::Leave => SeatPath::Leave,
        }
    }

    /// The body.
    #[must_use]
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
        }
        String::from_utf8_lossy(&json).into_owned()
    }

    /// Reads the body of a `POST` to a path.
    ///
    /// # Errors
    /// [`SeatPostError`] says what is wrong with it.
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
        })
    }
}

fn object<T: DeserializeOwned>(body: &[u8]) -> Result<T, SeatPostError> {
    // What is read by names could be read by places too, out of an array.
    if !body.trim_ascii_start().starts_with(b"{") {
        return Err(SeatPostError::NoObject);
    }
    Ok(serde_json::from_slice(body)?)
}

/// The answer over HTTP to who has got a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatGrant {
    /// Its place in the list of seats.
    pub seat: usize,
    /// Its team; a page that kept a seat for an earlier version of itself has none.
    #[serde(default)]
    pub team: Label,
    /// What proves from now on who has it.
    pub token: String,
}
