//! Game-tree search, over any game in which the players move by turns.
//!
//! The searches know positions by [`grandstand_rules::turn`] and nothing of windows, sockets or files.

pub mod gomoku;
