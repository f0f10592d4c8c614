//! The files of the web spectator.

use std::fmt;

/// One file in each served encoding.
pub(super) struct File {
    /// Path relative to the page: `grandstand-0123456789abcdef.wasm`, or `index.html` for the page itself.
    pub(super) name: &'static str,
    /// Prefix of its SHA-256 in hexadecimal digits; part of every name but `index.html`.
    pub(super) digest: &'static str,
    pub(super) identity: &'static [u8],
    pub(super) gzip: &'static [u8],
    pub(super) brotli: &'static [u8],
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("File")
            .field("name", &self.name)
            .field("bytes", &self.identity.len())
            .finish_non_exhaustive()
    }
}

/// All files; empty if the page was not built before this binary.
pub(super) const FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

impl File {
    /// The file with this name.
    pub(super) fn named(name: &str) -> Option<&'static File> {
        FILES.iter().find(|file| file.name == name)
    }

    /// Whether the name changes with the content, so that clients may cache the file for ever.
    pub(super) fn is_immutable(&self) -> bool {
        self.name.contains(self.digest)
    }

    pub(super) fn content_type(&self) -> &'static str {
        match self.name.rsplit_once('.').map(|(_, extension)| extension) {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("wasm") => "application/wasm",
            _ => "application/octet-stream",
        }
    }
}
