//! A match of programs that can be asked: what every bot did, knew and waited for, at any cycle.
//!
//! An [`Insight`] plays the match of a recording again and keeps snapshots on the way, so that any (cycle, bot) is answered by the nearest snapshot and a short
//! replay from there. What it draws is compared with the recording. Asking changes nothing: the operations, the words and the order of everything are those of
//! play. There is no clock, thread, file or socket here, so that it runs in a browser's worker too.
//!
//! - [`Insight`]: opening, playing on, asking: [`at`](Insight::at), [`step`](Insight::step), [`find`](Insight::find), [`print`](Insight::print);
//! - [`OpenError`], [`Compared`]: recordings whose match can't be played again, or comes out differently;
//! - [`Moment`], [`Step`], [`Search`]: where one is in a bot's program, and where one wants to go;
//! - [`Breakpoint`], [`Stops`]: what one stops at on the way: [`resume`](Insight::resume);
//! - [`Sought`]: what else can be looked for: [`seek`](Insight::seek); [`Scan`], [`Printing`]: what takes long, a stretch at a time;
//! - [`Heat`]: where reductions go, by line, bot and turn;
//! - [`Desk`]: all of it by messages, for a thread or a worker;
//! - [`Report`]: why a match went as it did;
//! - [`BotView`], [`Bot`]: what one is told; [`json`] has the same for programs.
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
mod desk;
pub mod fuzz;
mod heat;
mod insight;
pub mod json;
mod keyframes;
mod open;
mod playing;
mod print;
mod printing;
mod profile;
mod question;
mod report;
mod scan;
mod score;
mod search;
mod state;
mod view;

pub use bots::Bot;
pub use breakpoint::{Breakpoint, Reached, Reason, Resumed, Stops};
pub use compare::{Compared, Difference};
pub use desk::Desk;
pub use heat::{Heat, HotLine};
pub use insight::{Insight, MEMORY};
pub use open::OpenError;
pub use print::{PrintError, Printed, Prints};
pub use printing::Printing;
pub use profile::{BotProfile, Frame, Profile};
pub use report::{Loss, Report, Turned};
pub use scan::{Found, Scan, Sought};
pub use score::Scored;
pub use search::{Direction, Moment, Search, Step};
pub use view::{AskError, BotView};
