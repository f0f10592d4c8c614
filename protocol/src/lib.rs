//! Commands, scenes, the text codec and the JSON messages of Grandstand.
//!
//! A game server draws its game with lines of text; a spectator receives the same commands as JSON. This crate contains both
//! forms, the conversion between them, and the [`Scene`] that results from the commands of a match. The wire format is
//! described in `PROTOCOL.md` beside this crate's `Cargo.toml`. There is no I/O here and no clock: bytes and times are
//! arguments, so everything runs in a browser and is tested without waiting.
//!
//! | module | contents |
//! | --- | --- |
//! | named after a [`Game`] | one dialect each: its command, its scene, its text |
//! | [`turn`] | the part that the dialects of games with alternate moves share |
//! | [`command`], [`scene`], [`Game`] | the unions over all dialects; a place on any of their boards is a [`Place`] |
//! | [`decoder`] | bytes in, [`Event`]s out |
//! | [`extension`] | the `#gs` lines: game, match, marker, overlay, seats, answer, result |
//! | [`overlay`] | a bot's marks on the timeline and over the board |
//! | [`message`] | a server's messages to a spectator, in JSON |
//! | [`tournament`] | a server's documents of a tournament, in JSON |
//! | [`insight`] | questions to a match of programs that is played again, and their answers, in JSON |
//! | [`problem`] | unknown lines and the reasons why they are unknown |
//! | [`team`], [`color`], [`talk`], [`text`], [`time`] | the vocabulary that dialects share |
//! | [`terminal`] | foreign texts, made safe for a terminal |
//! | [`fuzz`] | the bodies of the fuzz targets |
//!
//! ```
//! use grandstand_protocol::{Decoder, Event, Game, Limits, Micros, Scene};
//!
//! let mut decoder = Decoder::new(Limits::default());
//! let mut scene = Scene::new(Game::Abalone);
//! let mut json = Vec::new();
//! decoder.push(b"set B~2 w4\r\nwscore 3\n");
//! let mut seq = 0;
//! while let Some(event) = decoder.next() {
//!     if let Event::Command(command) = event? {
//!         seq += 1;
//!         scene.apply(seq, Micros(0), &command);
//!         command.write_json(&mut json);
//!     }
//! }
//! assert_eq!(json, br#"{"cmd":"set","hex":"B-2","piece":{"team":"white","facing":"left"}}{"cmd":"score","team":"white","value":3}"#);
//! assert_eq!(
//!     serde_json::to_string(&scene)?,
//!     r#"{"game":"abalone","hexes":{"B-2":{"team":"white","facing":"left"}},"score":{"black":0,"white":3},"turns":0,"talk":[]}"#
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod by_text;
pub mod color;
pub mod command;
pub mod decoder;
mod dialect;
pub mod extension;
pub mod fuzz;
mod games;
pub mod insight;
mod json;
mod line;
pub mod message;
pub mod name;
pub mod overlay;
mod place;
pub mod problem;
pub mod scene;
pub mod talk;
pub mod team;
pub mod terminal;
pub mod text;
pub mod time;
pub mod tournament;
pub mod turn;

pub use by_text::ParseError;
pub use color::Color;
pub use command::{Command, CommandError};
pub use decoder::{DecodeError, Decoder, Event, Limits};
pub use dialect::MarkKind;
pub use extension::{
    Choice, ChosenSettings, MatchHeader, MatchResult, Program, Question, Seat, SeatAnswer, SeatGrant,
    SeatLine, SeatPath, SeatPost, SeatRequest, Setting, SettingValue, Software, TeamInfo,
};
pub use games::*;
pub use message::{MatchSummary, Message};
pub use overlay::{Mark, Marker, Overlay};
pub use place::Place;
pub use problem::{Problem, Unknown};
pub use scene::Scene;
pub use text::{Label, Text, clean_text};
pub use time::Micros;
