//! Shared lines of the turn games: the team to move, clocks, players' thoughts, names, and the outcome.
//!
//! | line | meaning |
//! | --- | --- |
//! | `turn TEAM` | the team to move |
//! | `clock TEAM MILLIS running`, `clock TEAM MILLIS stopped` | [`Clock`] |
//! | `thought TEAM SCORE DEPTH NODES MOVE…` | [`Thought`] |
//! | `thought@ PLY TEAM SCORE DEPTH NODES MOVE…` | [`LateThought`] |
//! | `names FIRST SECOND` | the players' names; separated by a tab if a name has blanks |
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
pub use table::TurnScene;
pub(crate) use thought::THOUGHT_BYTES;
pub use thought::{FORCED, LATE_THOUGHTS_MAX, LINE_MAX, LateThought, Thought, ThoughtLine};
