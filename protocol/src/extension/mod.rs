//! Grandstand's own lines: `#gs game NAME` and `#gs match|marker|overlay|seats|answer|result {…}`, in every dialect; and the
//! requests that a bridge sends back to a game server with seats.

mod header;
mod seat;
mod seat_request;
mod setup;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use header::{MatchHeader, MatchResult, Program, Software, TEAMS_MAX, TeamInfo};
pub(crate) use seat::Seats;
pub use seat::{ANSWERS_MAX, Choice, Question, SEATS_MAX, Seat};
pub use seat_request::{SeatAnswer, SeatGrant, SeatLine, SeatPath, SeatPost, SeatPostError, SeatRequest};
pub use setup::{ChosenSettings, SETTINGS_MAX, Setting, SettingValue, VALUES_MAX};

use crate::games::Game;
use crate::line::{Cursor, Word};
use crate::overlay::{Mark, Marker, Overlay};
use crate::place::Place;
use crate::problem::Fault;

/// The deepest nesting of arrays and objects in a payload.
pub const DEPTH_MAX: usize = 32;

/// A parsed `#gs` line.
#[derive(Debug)]
pub(crate) enum Extension {
    Game(Game),
    Match(Box<MatchHeader>),
    Marker(Marker),
    Overlay(Overlay),
    Seats(Vec<Seat>),
    Answer(SeatAnswer),
    Result(Box<MatchResult>),
}

/// The first word of every `#gs` line.
pub(crate) const PREFIX: &[u8] = b"#gs";

/// Parses the rest of a `#gs` line, whose second word is `name`.
pub(crate) fn parse(game: Game, name: Word<'_>, cursor: &mut Cursor<'_>) -> Result<Extension, Fault> {
    match name.bytes {
        b"game" => {
            let word = cursor.word();
            let game = word.parse_or(|| format!("a game: {}", Game::expected()))?;
            cursor.end()?;
            Ok(Extension::Game(game))
        }
        b"match" => Ok(Extension::Match(payload(cursor.rest(), "the match's JSON object")?)),
        b"marker" => Ok(Extension::Marker(payload(cursor.rest(), "the marker's JSON object")?)),
        b"result" => Ok(Extension::Result(payload(cursor.rest(), "the result's JSON object")?)),
        b"seats" => {
            let Seats { seats } = payload(cursor.rest(), "the seats' JSON object")?;
            Ok(Extension::Seats(seats))
        }
        b"answer" => Ok(Extension::Answer(payload(cursor.rest(), "the answer's JSON object")?)),
        b"overlay" => {
            let rest = cursor.rest();
            let overlay: Overlay = payload(rest, "the overlay's JSON object")?;
            check_places(&overlay, game).map_err(|reason| rest.fault(reason))?;
            Ok(Extension::Overlay(overlay))
        }
        _ => Err(name.fault("game, match, marker, overlay, seats, answer or result")),
    }
}

/// Checks that every place of an overlay is on the game's board. The error names the first place that is not.
pub(crate) fn check_places(overlay: &Overlay, game: Game) -> Result<(), String> {
    match overlay.marks().iter().flat_map(Mark::places).find(|place| Place::parse(game, place).is_none()) {
        Some(place) => Err(format!("an overlay whose places are on {game}'s board, not `{place}`")),
        None => Ok(()),
    }
}

/// Parses a JSON object that is the rest of a line.
fn payload<T: DeserializeOwned>(word: Word<'_>, what: &'static str) -> Result<T, Fault> {
    if word.bytes.first() != Some(&b'{') {
        return Err(word.fault(what));
    }
    if let Some(at) = too_deep(word.bytes) {
        return Err(word.fault_from(at, format!("{what}, nested at most {DEPTH_MAX} deep")));
    }
    serde_json::from_slice(word.bytes).map_err(|error| {
        // Column 0 means that the error has no position.
        let at = if error.is_eof() { word.bytes.len() } else { error.column().saturating_sub(1) };
        let message = error.to_string();
        let message = message.rsplit_once(" at line ").map_or(&*message, |(message, _)| message);
        word.fault_from(at, format!("{what} ({message})"))
    })
}

/// The offset at which arrays and objects are nested deeper than [`DEPTH_MAX`]; `None` if they are not.
fn too_deep(json: &[u8]) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (at, byte) in json.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                if depth > DEPTH_MAX {
                    return Some(at);
                }
            }
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// Appends `#gs NAME {…}`. JSON escapes line feeds, so the output is always one line.
pub(crate) fn write_line(out: &mut String, name: &str, payload: &impl Serialize) {
    out.push_str("#gs ");
    out.push_str(name);
    out.push(' ');
    let mut json = Vec::new();
    crate::json::write_value(payload, &mut json);
    out.push_str(&String::from_utf8_lossy(&json));
}
