//! Addresses, as text and as values: servers, matches, files, comparisons, and links to a moment.

pub mod bookmarks;
pub mod comparison;
pub mod links;
mod target;
pub mod tournament;

pub use comparison::{Comparison, lock};
pub use target::{Base, DEFAULT_SERVER, Target, TargetError};
