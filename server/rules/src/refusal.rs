//! Reason for a refusal by the rules.

use std::fmt;

/// The reason why the rules refuse something, as data. Its `Display` is for the authors of bots; bots themselves get no more than
/// the game's own answer.
pub trait Refusal: fmt::Display {
    /// A short name of the rule, such as `outnumbered`, for counting refusals. `server/TRACE.md` lists the names.
    fn rule(&self) -> &'static str;
}
