//! Marks: the commands of a log that are more than drawing.

use grandstand_protocol::{MarkKind, Micros};

/// A command that is more than drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// The command's number.
    pub seq: u64,
    /// Its time.
    pub t: Micros,
    /// What it is.
    pub kind: MarkKind,
}
