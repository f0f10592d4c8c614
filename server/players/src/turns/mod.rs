//! Players of turn games for two, and matches between them.
//!
//! - [`player`]: a player, and its view of a match; [`reports`]: its reports besides moves;
//! - [`kinds`]: players of more than one game; [`player_factory`]: players by their names, with their [`options`];
//! - [`spec`]: the specification of a match.
//!
//! Each player lives on a thread of its own, except that two players that never keep a match waiting are called by
//! the match directly. A turn lasts from the moment at which the player's thread took the question to the moment at
//! which that thread had the answer, so that the hand-over between threads costs no clock time. A match of exact
//! players takes no time: it has no clocks, and its header is enough to repeat it.

mod direct;
pub mod kinds;
mod live;
pub mod options;
pub mod player;
pub mod player_factory;
mod player_thread;
pub mod reports;
pub mod spec;
