//! Story of a match: events, figures and words, from the commands that drew it.
//!
//! The crate reads commands in order and uses no windows, sockets, threads or clocks. Findings stay when the log drops
//! commands.
//!
//! | module | contents |
//! | --- | --- |
//! | [`games`] | the games, one module each, and [`story`] to get one |
//! | [`game`] | trait of a game |
//! | [`groups`] | commands that came together, as one change |
//! | [`event_index`] | everything that is noted of a log: [`EventIndex`] |
//! | [`findings`]: [`markers`], [`moves`], [`plots`], [`lanes`] | what is noted: moments to go to, moves by turns, figures over time, figures over the whole match |
//! | [`evaluation`] | what players think of the position |
//! | [`turn_times`] | how long a side usually thinks |
//! | [`units`] | what units have done, where a game tells them apart |
//! | [`narration`] | a match in words, line by line |
//! | [`moments`] | moments as rows of a list |
//! | [`reason`] | why a moment mattered, for places with more and less room |
//! | [`mod@identity`] | game, variant, event and round of a match |
//! | [`interest`] | reason to watch a match now |
//! | [`summary`] | end of a match and decisive moments |
//! | [`sides`](mod@sides), [`distance`], [`format`](mod@format) | teams, distances of places, numbers and times in words |
//!
//! ```
//! use grandstand_protocol::{Command, Game, Micros};
//! use grandstand_replays::Log;
//! use grandstand_story::{EventIndex, markers::kind};
//!
//! let mut log = Log::live(Game::Abalone);
//! for (seq, line) in (1..).zip(["bscore 0", "turns 1", "bscore 1"]) {
//!     log.insert(seq, Micros(seq * 1_000_000), &Command::parse(Game::Abalone, line.as_bytes()));
//! }
//! let mut index = EventIndex::new(Game::Abalone);
//! while index.update(&log, f64::INFINITY, || true) {}
//! let markers = &index.findings().markers;
//! assert_eq!(markers.kind(&markers.list()[0]), kind::SCORE);
//! ```

pub mod distance;
pub mod evaluation;
pub mod event_index;
pub mod findings;
pub mod format;
pub mod game;
pub mod games;
pub mod groups;
pub mod identity;
pub mod interest;
pub mod judgements;
pub mod lanes;
mod log_reader;
pub mod markers;
pub mod moments;
pub mod moves;
pub mod narration;
pub mod plots;
pub mod reason;
pub mod sides;
pub mod summary;
mod terminations;
pub mod turn_times;
pub mod units;

pub use self::sides::{Badge, Side};
pub use event_index::EventIndex;
pub use game::{GameStory, Group, Sample, SceneResult};
pub use games::{samples, sides, story};
pub use identity::{identity, occasion};
