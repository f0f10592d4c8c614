//! The web spectator as files in this binary, and the page that needs no spectator.
//!
//! - [`files`]: the files that `cargo xtask web` wrote before this binary was built, if any
//! - [`reply`]: headers, caching and the choice of an encoding
//! - [`mod@plain`]: the list of matches for browsers without script or graphics, and for a binary without the page
//!
//! Every address in the page is relative, so that a reverse proxy can serve it below any path.

mod files;
mod plain;
mod reply;

pub(crate) use plain::plain;
pub(crate) use reply::{AssetRequest, file, index};

/// Log message at the start: whether the web spectator is built in.
pub(crate) fn description() -> String {
    match files::FILES {
        [] => {
            "without the web spectator: `cargo xtask web` builds it, then build the server again".to_owned()
        }
        files => {
            let bytes: usize = files.iter().map(|file| file.brotli.len()).sum();
            format!("with the web spectator, {:.1} MB compressed", bytes as f64 / 1e6)
        }
    }
}

/// Whether the web spectator is built in.
pub(crate) fn is_built_in() -> bool {
    !files::FILES.is_empty()
}
