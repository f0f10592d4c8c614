//! Players of more than one game.
//!
//! - [`Person`]: a person at a terminal; [`SeatPlayer`]: a person in the spectator, or a program, over a bridge;
//! - [`Chooser`]: a function of the position and of chance;
//! - [`SearchThread`]: a search on a thread of its own; [`SearchOptions`]: options and thinking times of searches.

mod chooser;
mod console;
mod person;
mod search;
mod search_thread;
mod seat;

pub use chooser::{ChooseInOpening, ChooseMove, Chooser, open};
pub use console::{Console, Line};
pub use person::Person;
pub use search::{SearchOptions, search_kind, think_for};
pub use search_thread::{Job, SearchThread, Times};
pub(super) use seat::question;
pub use seat::{SeatPlayer, WAIT};
