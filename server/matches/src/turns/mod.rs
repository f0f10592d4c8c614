//! Games in which two players move by turns: who plays them, and the referee between them.
//!
//! - [`player`]: what the referee knows of a player, and what a player knows of a match;
//! - [`reports`]: what a player tells besides its moves;
//! - [`players`]: players of more than one game; [`entrant`]: players by their names, with their [`options`];
//! - [`referee`]: what is drawn of what the players do, without threads and clocks;
//! - [`fixture`]: a match before it is played, and one that is played again from its [`inputs`];
//! - [`game`]: what a game supplies; [`games`]: the games;
//! - [`fuzz`]: the body of the fuzz target.
//!
//! Each player lives on a thread of its own. The one whose turn it is has the question from a moment that its thread notes, and the
//! answer is there at a moment that its thread notes too, so that nobody pays for the way between the threads. A match of players that
//! are exact takes no time: it has no clocks, and its header repeats it.

mod contest;
pub mod entrant;
pub mod fixture;
pub mod fuzz;
pub mod game;
pub mod games;
mod host;
pub mod inputs;
pub mod options;
pub mod player;
pub mod players;
pub mod referee;
pub mod reports;

pub use entrant::Programs;
pub use player::{Asked, Bid, Choice, Forfeit, Over, Player, Preparation, Stop, Thought, Turn};
pub use reports::{Event, Report, Reports};

use contest::clock_text;
