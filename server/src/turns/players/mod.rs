//! Players of more than one game.
//!
//! - [`Person`]: somebody at a terminal;
//! - [`Chooser`]: a function of the position, such as chance;
//! - [`SearchOptions`]: what searches may be told, and how long they think.

mod chooser;
mod console;
mod person;
mod search;

pub use chooser::{ChooseInOpening, ChooseMove, Chooser, open};
pub use console::{Console, Line};
pub use person::{Person, View};
pub use search::{SearchOptions, think_for};
