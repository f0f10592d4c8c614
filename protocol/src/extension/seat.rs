//! Seats of a match: places for people.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::json::at_most;
use crate::text::Label;

/// The most seats that a match may have.
pub const SEATS_MAX: usize = 16;
/// The most answers that a question may offer.
pub const ANSWERS_MAX: usize = 8;

/// A place in a match for a person who plays over HTTP.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Seat {
    /// The seat's team, by the dialect's name for it (`black`).
    pub team: Label,
    /// Whether the seat is taken.
    #[serde(default)]
    pub taken: bool,
    /// The holder's name, if given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Label>,
    /// The question to the holder now, if it is not simply for one move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
}

/// A question to the holder of a seat in place of one move, such as the choice of a side in an opening.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Question {
    /// The question, in words.
    pub text: Label,
    /// The number of places of the board in an answer, sent as one move with blanks between them; 0 for none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub places: u8,
    /// The answers in words, at most [`ANSWERS_MAX`].
    #[serde(default, deserialize_with = "choices", skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
}

/// One answer to a [`Question`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Choice {
    /// The text that is sent as the move.
    #[serde(rename = "move")]
    pub text: Label,
    /// The answer's meaning, as the text of a button.
    pub label: Label,
}

fn is_zero(places: &u8) -> bool {
    *places == 0
}

fn choices<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Choice>, D::Error> {
    let too_many = |count: usize| format!("a question has at most {ANSWERS_MAX} answers, this one {count}");
    at_most(deserializer, ANSWERS_MAX, too_many)
}

/// The payload of `#gs seats {…}`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Seats {
    #[serde(deserialize_with = "seats")]
    pub(crate) seats: Vec<Seat>,
}

/// Deserializes seats: at most [`SEATS_MAX`], no two of the same team.
pub(super) fn seats<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Seat>, D::Error> {
    let too_many = |count: usize| format!("a match has at most {SEATS_MAX} seats, this one has {count}");
    let seats: Vec<Seat> = at_most(deserializer, SEATS_MAX, too_many)?;
    let twice = seats.iter().enumerate().find(|(at, seat)| seats[..*at].iter().any(|s| s.team == seat.team));
    match twice {
        Some((_, seat)) => Err(D::Error::custom(format_args!("two seats of the team `{}`", &*seat.team))),
        None => Ok(seats),
    }
}
