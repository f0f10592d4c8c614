//! Marks: the commands of a log that matter to a timeline.

use grandstand_protocol::{MarkKind, Micros};

/// A command that matters to a timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// The command's number.
    pub seq: u64,
    /// The command's time.
    pub t: Micros,
    /// The kind of mark.
    pub kind: MarkKind,
}
