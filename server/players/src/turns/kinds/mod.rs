//! Players of more than one game.
//!
//! - [`Person`]: somebody at a terminal; [`SeatPlayer`]: somebody in the spectator, or a program, over a bridge;
//! - [`Chooser`]: a function of the position, such as chance;
//! - [`SearchThread`]: a search on a thread of its own; [`SearchOptions`]: what searches may be told, and how long they think.

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
