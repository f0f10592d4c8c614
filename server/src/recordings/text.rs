//! Text of a recording, from a compressed or plain file, or from memory.

use std::fs::File;
use std::io::{self, Cursor, Read};

use bytes::Bytes;
use grandstand_replays::{Header, Limits, zst};

/// Memory for decompression in bytes: the window of this program's own files, and a block.
pub(super) const DECOMPRESSING: usize = 1024 * 1024;

/// Reader of a text.
pub(super) type Text = Box<dyn Read + Send>;

/// The file of a recording.
#[derive(Debug)]
pub(crate) struct StoredFile {
    pub(super) file: File,
    pub(super) compressed: bool,
}

impl StoredFile {
    /// The text, from the file's current position.
    pub(super) fn into_text(self) -> Text {
        if self.compressed { decompressed(self.file) } else { Box::new(self.file) }
    }

    /// About how many bytes the compressed recording has; `None` if the size is unknown.
    pub(crate) fn compressed_estimate(&self) -> Option<u64> {
        let len = self.file.metadata().ok()?.len();
        Some(if self.compressed { len } else { len / 2 })
    }

    /// Opens the text.
    pub(super) fn open(self) -> io::Result<StoredText> {
        // Both handles share one file offset.
        let seek = if self.compressed { None } else { Some(self.file.try_clone()?) };
        let bytes = if self.compressed { DECOMPRESSING } else { 0 };
        Ok(StoredText { text: self.into_text(), seek, bytes })
    }
}

/// A recording that is opened to be read.
pub(crate) struct StoredText {
    pub(super) text: Text,
    /// The file, which shares its offset with the text, if it is not compressed.
    pub(super) seek: Option<File>,
    /// Memory in bytes that reading it takes.
    pub(super) bytes: usize,
}

impl StoredText {
    /// The text of a compressed recording in memory that others hold, too.
    pub(super) fn of_compressed(bytes: Bytes) -> Self {
        Self { text: decompressed(Cursor::new(bytes)), seek: None, bytes: DECOMPRESSING }
    }
}

fn decompressed(compressed: impl Read + Send + 'static) -> Text {
    Box::new(zst::Text::new(compressed, Limits::default().window_bytes))
}

/// Reads up to the first line; returns the header, and all bytes read.
pub(super) fn read_header(input: &mut dyn Read) -> io::Result<(Header, Vec<u8>)> {
    let limit = Limits::default().line_bytes;
    let mut head = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let n = read_some(input, &mut chunk)?;
        let line = memchr::memchr(b'\n', &chunk[..n]).map(|at| head.len() + at);
        head.extend_from_slice(&chunk[..n]);
        if let Some(end) = line {
            let header = Header::parse(&head[..end]).map_err(invalid)?;
            return Ok((header, head));
        }
        if n == 0 || head.len() > limit {
            return Err(invalid("the first line is not whole"));
        }
    }
}

/// Reads once, and again after an interruption.
pub(super) fn read_some(input: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// Error for a readable file that is not a recording.
pub(super) fn invalid(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}
