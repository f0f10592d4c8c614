//! Addresses, as text and as values: servers, matches, files, comparisons, and links to a moment.

mod base_url;
pub mod bookmarks;
pub mod comparison;
pub mod links;
mod target;
pub mod tournament;

pub use base_url::Base;
pub use comparison::{Comparison, lock};
pub use target::{DEFAULT_SERVER, Target, TargetError};
