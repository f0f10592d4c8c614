//! Players of more than one game.
//!
//! - [`Person`]: somebody at a terminal; [`SeatPlayer`]: somebody in the spectator, or a program, over a bridge;
//! - [`Chooser`]: a function of the position, such as chance;
//! - [`Thinker`]: a search on a thread of its own; [`SearchOptions`]: what searches may be told, and how long they think.

mod chooser;
mod console;
mod person;
mod search;
mod seat;
mod thinker;

pub use chooser::{ChooseInOpening, ChooseMove, Chooser, open};
pub use console::{Console, Line};
pub use person::{Person, View};
pub use search::{SearchOptions, think_for};
pub(super) use seat::question;
pub use seat::{SeatPlayer, WAIT};
pub use thinker::{Job, Thinker, Times};
