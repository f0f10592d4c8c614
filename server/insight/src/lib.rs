//! Questions to a match of programs: the actions, knowledge and waits of every bot at any cycle.
//!
//! An [`Insight`] replays the match of a recording and keeps snapshots. It answers a question about a (cycle, bot) from
//! the nearest snapshot and a short replay from there. The replayed commands are compared with the recording. Questions
//! change nothing: operations, words and their order are those of the match.
//! The crate uses no clock, thread, file or socket, so it runs in a browser's worker too.
//!
//! - [`Insight`]: opening, playing on, asking: [`at`](Insight::at), [`step`](ReplayedMatch::step),
//!   [`find`](ReplayedMatch::find), [`logpoint_hits`](ReplayedMatch::logpoint_hits);
//! - [`OpenError`], [`Compared`]: recordings whose match can't be replayed, or comes out differently;
//! - [`Moment`], [`StepUnit`], [`Search`]: positions in a bot's program, steps and searches from them;
//! - [`Breakpoint`], [`StopConditions`]: conditions that stop [`resume`](ReplayedMatch::resume);
//! - [`Target`]: other searches, by [`seek`](Insight::seek); [`Scan`], [`LogpointScan`]: long questions in stretches;
//! - [`Heat`]: reductions by line, bot and turn;
//! - [`InsightService`]: all of it by messages, for a thread or a worker;
//! - [`Report`]: explanation of a match;
//! - [`turns`]: reviews of Gomoku, Pente and Riskless: the move that lost;
//! - [`fortress`]: units of Steam Fortress: their actions, and what their team was told;
//! - [`BotView`], [`Bot`]: answers; [`messages`] has them as `grandstand_protocol::insight` defines them, in JSON.
//!
//! ```
//! use grandstand_insight::{Insight, Moment};
//! use grandstand_matches::machine::{ProgramMatch, Settings};
//! use grandstand_matches::programs::load_shipped;
//! use grandstand_matches::MatchSpec as _;
//! use grandstand_protocol::Game;
//! use grandstand_rules::abalone::World;
//!
//! let player = |name| load_shipped(Game::Abalone, name).expect("a shipped program").map(Into::into);
//! let players = [player("simple_bot")?, player("random")?];
//! let header = ProgramMatch::<World> { settings: Settings::default(), seed: 7, players }.header(None);
//!
//! let mut insight = Insight::of_header(Game::Abalone, &header)?;
//! insight.play_out();
//! let view = insight.at(Moment::end_of(5_000), 1)?;
//! let call = &view.thread.calls[0];
//! assert_eq!(call.place.file, "simple_bot.cl");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bots;
mod breakpoint;
mod compare;
pub mod fortress;
pub mod fuzz;
mod heat;
mod insight;
mod keyframes;
mod logpoint;
mod logpoint_scan;
pub mod messages;
mod open;
mod playing;
mod profile;
mod report;
mod report_words;
mod reporting;
mod scan;
mod score;
mod search;
mod service;
mod state;
pub mod turns;
mod view;
#[cfg(target_arch = "wasm32")]
pub mod wasm;

pub use bots::Bot;
pub use breakpoint::{Breakpoint, BreakpointHit, Reason, Resumed, StopConditions};
pub use compare::{Compared, Difference};
pub use grandstand_protocol::insight::{StepUnit, Target};
pub use heat::Heat;
pub use insight::{Insight, MEMORY};
pub use logpoint::{Logpoint, LogpointError, LogpointHit};
pub use logpoint_scan::LogpointScan;
pub use open::OpenError;
pub use playing::ReplayedMatch;
pub use profile::{BotProfile, Frame, Profile};
pub use report::{Loss, Report, Turned};
pub use report_words::LEAST_COST;
pub use scan::{Found, Scan};
pub use score::Scored;
pub use search::{Direction, Moment, Search};
pub use service::InsightService;
pub use view::{AskError, BotView};
