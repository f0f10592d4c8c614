//! Pairings, by format.

pub(crate) mod elimination;
pub(crate) mod round_robin;
pub(crate) mod swiss;

use crate::{BracketPosition, PlayerIndex};

/// A round before its encounters are numbered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Drawn {
    pub(crate) cycle: u32,
    pub(crate) encounters: Vec<([PlayerIndex; 2], Option<BracketPosition>)>,
    pub(crate) byes: Vec<PlayerIndex>,
}
