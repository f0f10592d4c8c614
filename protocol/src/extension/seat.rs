//! Seats: places in a match that people may take, and what is said about them between a bridge and a game server.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::payload;
use crate::line::Cursor;
use crate::problem::{Fault, Problem};
use crate::text::Label;

/// How many seats a match may have.
pub const SEATS_MAX: usize = 16;
/// How many answers a question may offer.
pub const ANSWERS_MAX: usize = 8;

/// A place in a match for somebody who plays over HTTP.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Seat {
    /// The team that is played, by the dialect's name for it (`black`).
    pub team: Label,
    /// Whether somebody has it.
    #[serde(default)]
    pub taken: bool,
    /// Who has it, where they said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Label>,
    /// What the holder is asked now, where that is anything but one move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
}

/// What the holder of a seat is asked in place of one move, such as a side in an opening.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Question {
    /// The question, in words.
    pub text: Label,
    /// How many places of the board are an answer, in one move with blanks between them; 0 where none are.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub places: u8,
    /// The answers in words, at most [`ANSWERS_MAX`].
    #[serde(default, deserialize_with = "choices", skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
}

/// One answer to a [`Question`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Choice {
    /// What is sent as the move.
    #[serde(rename = "move")]
    pub text: Label,
    /// What it means, as a button says it.
    pub label: Label,
}

fn is_zero(places: &u8) -> bool {
    *places == 0
}

fn choices<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Choice>, D::Error> {
    let choices: Vec<Choice> = Vec::deserialize(deserializer)?;
    if choices.len() > ANSWERS_MAX {
        let message =
            format_args!("a question has at most {ANSWERS_MAX} answers, this one {}", choices.len());
        return Err(D::Error::custom(message));
    }
    Ok(choices)
}

/// The payload of `#gs seats {…}`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Seats {
    #[serde(deserialize_with = "seats")]
    pub(crate) seats: Vec<Seat>,
}

/// Reads seats: at most [`SEATS_MAX`], each of another team.
pub(super) fn seats<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Seat>, D::Error> {
    let seats: Vec<Seat> = Vec::deserialize(deserializer)?;
    if seats.len() > SEATS_MAX {
        let message = format_args!("a match has at most {SEATS_MAX} seats, this one has {}", seats.len());
        return Err(D::Error::custom(message));
    }
    let twice = seats.iter().enumerate().find(|(at, seat)| seats[..*at].iter().any(|s| s.team == seat.team));
    match twice {
        Some((_, seat)) => Err(D::Error::custom(format_args!("two seats of the team `{}`", &*seat.team))),
        None => Ok(seats),
    }
}

/// What a bridge asks of a game server that announced seats: a line on the connection that the server draws over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The bridge's number for it, which the [`Answer`] repeats.
    pub id: u64,
    /// Whose seat it is about.
    pub team: Label,
    /// What is wanted.
    pub wanted: Wanted,
}

/// What a [`Request`] is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// `#gs seat`: somebody takes the seat.
    Seat {
        /// Who, where they said so.
        name: Option<Label>,
    },
    /// `#gs move`: who has the seat moves.
    Move {
        /// How many moves had been played in the picture that the move was made for.
        ply: u32,
        /// The move, in the game's notation.
        text: Label,
    },
    /// `#gs leave`: who has the seat gives it up.
    Leave,
}

/// What a game server answers to a [`Request`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Answer {
    /// The request's number.
    pub id: u64,
    /// Whether it was done.
    pub ok: bool,
    /// Why not, in words for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Label>,
}

/// The payload of any request, before its members are known to fit its name.
#[derive(Serialize, Deserialize)]
struct Wire {
    id: u64,
    team: Label,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<Label>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ply: Option<u32>,
    #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
    text: Option<Label>,
}

impl Request {
    /// The request's line, without a line ending.
    #[must_use]
    pub fn to_line(&self) -> String {
        let (id, team) = (self.id, self.team.clone());
        let none = Wire { id, team, name: None, ply: None, text: None };
        let (name, wire) = match &self.wanted {
            Wanted::Seat { name } => ("seat", Wire { name: name.clone(), ..none }),
            Wanted::Move { ply, text } => {
                ("move", Wire { ply: Some(*ply), text: Some(text.clone()), ..none })
            }
            Wanted::Leave => ("leave", none),
        };
        let mut line = String::new();
        super::write_line(&mut line, name, &wire);
        line
    }

    /// Reads a request's line, without its line ending.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn from_line(line: &[u8]) -> Result<Request, Problem> {
        Self::read(line).map_err(|fault| fault.in_line(line))
    }

    fn read(line: &[u8]) -> Result<Request, Fault> {
        let mut cursor = Cursor::new(line);
        let prefix = cursor.word();
        if prefix.bytes != b"#gs" {
            return Err(prefix.fault("#gs"));
        }
        let name = cursor.word();
        if !matches!(name.bytes, b"seat" | b"move" | b"leave") {
            return Err(name.fault("seat, move or leave"));
        }
        let rest = cursor.rest();
        let Wire { id, team, name: who, ply, text } = payload(rest, "the request's JSON object")?;
        let wanted = match (name.bytes, ply, text) {
            (b"seat", ..) => Wanted::Seat { name: who },
            (b"leave", ..) => Wanted::Leave,
            (_, Some(ply), Some(text)) => Wanted::Move { ply, text },
            _ => return Err(rest.fault("a move's `ply` and `move`")),
        };
        Ok(Request { id, team, wanted })
    }
}
