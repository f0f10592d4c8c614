//! Players that need threads, processes, files or ports, and the matches that they play in.
//!
//! - [`turns`]: players of turn games, each on a thread, and the match between them;
//! - [`games`]: players of each game: engines, searches, teams over TCP;
//! - [`gomocup`]: the Gomocup protocol, both of its ends; [`sandbox`]: processes of untrusted programs;
//! - [`seats`]: seats at which people play over bridges;
//! - [`program_files`], [`input_file`]: files of programs, and files of a match's inputs;
//! - [`named_limits`]: limits that options set by their names;
//! - [`throttle`], [`accept`]: rate limit of a connection, and handling of a failed `accept`;
//! - [`wakeup_latency`]: wake-up latency of this machine.
//!
//! ```
//! use grandstand_matches::MatchSpec as _;
//! use grandstand_matches::games::stones::Stones;
//! use grandstand_matches::turns::settings::read_settings;
//! use grandstand_players::turns::spec::TurnMatch;
//! use grandstand_protocol::Game;
//! use serde_json::Map;
//!
//! let settings = read_settings::<Stones>(Game::Gomoku, Map::new())?;
//! let mut game = TurnMatch::new(settings, ["random", "stupid"], 7)?.start()?;
//! let ending = loop {
//!     game.advance();
//!     if let Some(ending) = game.ending() {
//!         break ending;
//!     }
//! };
//! assert_eq!(ending.termination, "five");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod accept;
pub mod games;
pub mod gomocup;
pub mod input_file;
pub mod named_limits;
pub mod program_files;
pub mod sandbox;
pub mod seats;
pub mod throttle;
pub mod turns;
pub mod wakeup_latency;
