//! Errors of reading a replay, and limits of the amount that is read.

use crate::header::VERSION;

/// Limits of reading a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The longest line, in bytes; the header may hold the sources of programs. Default 16 MiB.
    pub line_bytes: usize,
    /// The longest file, in bytes of text after decompression. Default 512 MiB, some 20 million commands.
    pub text_bytes: u64,
    /// The largest window of a compressed file, in bytes, which bounds the memory of decompression. Default 32 MiB,
    /// which covers all of the levels of the `zstd` program that need no `--ultra` or `--long`.
    pub window_bytes: u64,
}

impl Limits {
    /// The limits for one of many files, of which only a line of a list is shown.
    pub fn of_a_list() -> Limits {
        Limits { line_bytes: 4 << 20, text_bytes: 64 << 20, window_bytes: 8 << 20 }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { line_bytes: 16 << 20, text_bytes: 512 << 20, window_bytes: 32 << 20 }
    }
}

/// The reason why a file can't be opened at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The file ends within its first line.
    #[error("the file ends in the middle of its first line, after {0} bytes")]
    HeaderCut(u64),
    /// The first line is not text: the file is a picture, a program or the like.
    #[error("this is not a replay: it is not text")]
    NotText,
    /// The first line is not a replay's.
    #[error("this is not a replay: {reason} (it begins with `{found}`)")]
    NotAReplay {
        /// The fault in the first line.
        reason: String,
        /// The beginning of the first line.
        found: String,
    },
    /// A newer version wrote the file.
    #[error(
        "this replay is of version {found} of the format, and version {VERSION} is the newest known here: \
         a newer Grandstand can open it"
    )]
    NewerVersion {
        /// The version that the file names.
        found: u64,
    },
    /// The first line is a replay's, but contains an error.
    #[error("the replay's first line can't be read: {0}")]
    Header(String),
    /// The file is compressed, and can't be decompressed as far as its first line.
    #[error("the compressed file can't be read: {0}")]
    Zst(ZstError),
}

/// The place from which a replay can't be read, and the reason. Everything before it is valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, which begins at byte {byte}: {reason}")]
pub struct Damage {
    /// The number of the first line that can't be read, from 1.
    pub line: u64,
    /// The offset of that line, in bytes from the start of the text (of a compressed file: after decompression).
    pub byte: u64,
    /// The fault at that place.
    pub reason: DamageReason,
}

/// The fault of a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DamageReason {
    /// The file ends in the middle of the line: its writer was stopped, or the file was cut.
    #[error("the file ends in the middle of the line")]
    Cut,
    /// The line is not a valid line of a replay.
    #[error("{0}")]
    Line(String),
    /// The line is longer than [`Limits::line_bytes`].
    #[error("the line is longer than {0} bytes")]
    LineTooLong(usize),
    /// The file is longer than [`Limits::text_bytes`].
    #[error("the file is longer than {0} bytes (the limit for one replay, decompressed)")]
    TooLong(u64),
    /// The compressed file can't be decompressed any further.
    #[error("{0}")]
    Zst(ZstError),
}

/// The reason why a compressed file can't be decompressed any further.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ZstError {
    /// The file ends before its last block.
    #[error("it ends in the middle of the compressed data, after {0} compressed bytes")]
    Cut(u64),
    /// The file needs more memory than [`Limits::window_bytes`].
    #[error("decompressing it takes a window of {wanted} bytes, more than the limit of {limit}")]
    Window {
        /// The window that the file requires, in bytes.
        wanted: u64,
        /// The limit, in bytes.
        limit: u64,
    },
    /// The data is not valid zstd.
    #[error("the compressed data is damaged near compressed byte {byte}: {reason}")]
    Damaged {
        /// The offset of the unreadable block in the file.
        byte: u64,
        /// The decompressor's error.
        reason: String,
    },
}
