//! Reason for which the rules refuse something.

use std::fmt;

/// Why the rules refuse something: data. Its `Display` is the reason in words, for those who wrote the bot; bots are told what they always were.
pub trait Refusal: fmt::Display {
    /// A short name of the rule, such as `outnumbered`, by which refusals are counted. `server/TRACE.md` lists them.
    fn rule(&self) -> &'static str;
}
