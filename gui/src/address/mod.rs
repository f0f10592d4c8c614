//! What can be opened, as text and as values: servers, matches, files, comparisons, and links to a moment.

pub(crate) mod bookmarks;
pub(crate) mod comparison;
pub(crate) mod links;
mod target;

pub use comparison::{Comparison, lock};
pub use target::{Base, Target, TargetError};
