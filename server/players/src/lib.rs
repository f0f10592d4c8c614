//! Players that need threads, processes, files or ports, and the matches that they play in.
//!
//! - [`turns`]: players of games by turns, each on a thread, and the match between them;
//! - [`games`]: players of each game: engines, searches, teams over TCP;
//! - [`gomocup`]: the Gomocup protocol, both of its ends; [`sandbox`]: programs of other people, in a box;
//! - [`seats`]: seats at which people play over bridges;
//! - [`program_files`], [`input_file`]: files that programs are read from, and files of what happened to a match;
//! - [`named_limits`]: limits that options set by their names;
//! - [`throttle`], [`accept`]: how fast a connection is read, and what a listener does when accepting fails;
//! - [`wakeup_latency`]: how late this machine wakes up a thread that waits.
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
