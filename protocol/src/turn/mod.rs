//! Shared lines of the turn games: whose turn it is, clocks, what a player
//! thinks, names, and who won.
//!
//! | line | meaning |
//! | --- | --- |
//! | `turn TEAM` | whose turn it is |
//! | `clock TEAM MILLIS running`, `clock TEAM MILLIS stopped` | [`Clock`] |
//! | `thought TEAM SCORE DEPTH NODES MOVE…` | [`Thought`] |
//! | `thought@ PLY TEAM SCORE DEPTH NODES MOVE…` | [`LateThought`] |
//! | `names FIRST SECOND` | who plays for which team; with a tab between the names where one has blanks |
//! | `win TEAM`, `win draw` | [`Outcome`](crate::team::Outcome) |
//! | `say TEAM TEXT` | a team talks |

mod clock;
mod command;
mod table;
pub(crate) mod text;
mod thought;

pub use clock::{Clock, ClockFace};
pub use command::Command;
pub(crate) use command::shared_names;
pub use table::Table;
pub(crate) use thought::THOUGHT_BYTES;
pub use thought::{FORCED, LATE_THOUGHTS_MAX, LINE_MAX, LateThought, Thought, ThoughtLine};
