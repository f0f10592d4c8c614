//! Players of more than one game.
//!
//! - [`Person`]: somebody at a terminal;
//! - [`Chooser`]: a function of the position, such as chance.

mod chooser;
mod console;
mod person;

pub use chooser::{ChooseInOpening, ChooseMove, Chooser, open};
pub use console::{Console, Line};
pub use person::{Person, View};
