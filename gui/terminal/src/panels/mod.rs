//! The parts of the screen besides the board.

pub(crate) mod help;
pub(crate) mod list;
pub(crate) mod moments;
pub(crate) mod score;
pub(crate) mod timeline;
pub(crate) mod trouble;
