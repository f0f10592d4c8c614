//! Errors of reading a replay, and limits on how much of one is read.

use crate::header::VERSION;

/// How much of a file is read before it must make sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The longest line, in bytes; the header may hold the sources of programs. Default 16 MiB.
    pub line_bytes: usize,
    /// The longest file, in bytes of text after decompression. Default 512 MiB, some 20 million commands.
    pub text_bytes: u64,
    /// The largest window of a compressed file, in bytes: so much memory decompressing may take. Default 32 MiB,
    /// which covers all of the levels of the `zstd` program that need no `--ultra` or `--long`.
    pub window_bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { line_bytes: 16 << 20, text_bytes: 512 << 20, window_bytes: 32 << 20 }
    }
}

/// Why a file can't be opened at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// There is nothing in it.
    #[error("the file is empty")]
    Empty,
    /// It ends within its first line.
    #[error("the file ends in the middle of its first line, after {0} bytes")]
    HeaderCut(u64),
    /// Its first line is not a replay's.
    #[error("this is not a replay: {reason} (it begins with `{found}`)")]
    NotAReplay {
        /// What is wrong with the first line.
        reason: String,
        /// The beginning of the first line.
        found: String,
    },
    /// It was written by a newer version.
    #[error(
        "this replay is of version {found} of the format, and version {VERSION} is the newest known here: \
         a newer Grandstand can open it"
    )]
    NewerVersion {
        /// The version that the file names.
        found: u64,
    },
    /// The first line is a replay's, but something in it is wrong.
    #[error("the replay's first line can't be read: {0}")]
    Header(String),
    /// It is compressed, and can't be decompressed as far as its first line.
    #[error("the compressed file can't be read: {0}")]
    Zst(ZstError),
}

/// Where and why a replay can't be read any further. What comes before is good.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, which begins at byte {byte}: {reason}")]
pub struct Damage {
    /// The number of the first line that can't be read, from 1.
    pub line: u64,
    /// Where that line begins, in bytes from the start of the text (of a compressed file: when decompressed).
    pub byte: u64,
    /// What is wrong there.
    pub reason: DamageReason,
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DamageReason {
    /// The file ends before the line does: its writer was stopped, or the file was cut.
    #[error("the file ends in the middle of the line")]
    Cut,
    /// It is not what a line of a replay is.
    #[error("{0}")]
    Line(String),
    /// It is longer than [`Limits::line_bytes`].
    #[error("the line is longer than {0} bytes")]
    LineTooLong(usize),
    /// The file is longer than [`Limits::text_bytes`].
    #[error("the file is longer than {0} bytes (the limit for one replay, decompressed)")]
    TooLong(u64),
    /// The compressed file can't be decompressed any further.
    #[error("{0}")]
    Zst(ZstError),
}

/// Why a compressed file can't be decompressed any further.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ZstError {
    /// It ends before its last block.
    #[error("it ends in the middle of the compressed data, after {0} compressed bytes")]
    Cut(u64),
    /// It needs more memory than [`Limits::window_bytes`].
    #[error("decompressing it takes a window of {wanted} bytes, more than the limit of {limit}")]
    Window {
        /// What the file wants.
        wanted: u64,
        /// What it may have.
        limit: u64,
    },
    /// It is not the data of zstd.
    #[error("the compressed data is damaged near compressed byte {byte}: {reason}")]
    Damaged {
        /// Where the block begins that can't be read.
        byte: u64,
        /// What is wrong.
        reason: String,
    },
}
