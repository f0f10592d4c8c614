//! Players of games in which two players move by turns, and matches between them.
//!
//! - [`player`]: a player, and what it knows of a match; [`reports`]: what it tells besides its moves;
//! - [`kinds`]: players of more than one game; [`entrant`]: players by their names, with their [`options`];
//! - [`spec`]: a match before it is played.
//!
//! Each player lives on a thread of its own, but two that never keep a match waiting are called by it directly. The one whose turn it is has the question from a moment that its thread notes, and the
//! answer is there at a moment that its thread notes too, so that nobody pays for the way between the threads. A match of players that
//! are exact takes no time: it has no clocks, and its header repeats it.

mod direct;
pub mod entrant;
pub mod kinds;
mod live;
pub mod options;
pub mod player;
mod player_thread;
pub mod reports;
pub mod spec;
