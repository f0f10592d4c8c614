//! Text of a recording, from a compressed or plain file.

use std::fs::File;
use std::io::{self, Read};

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
    /// Memory for decompression in bytes.
    pub(super) fn decompressing_bytes(&self) -> usize {
        if self.compressed { DECOMPRESSING } else { 0 }
    }

    /// The text, from the file's current position.
    pub(super) fn into_text(self) -> Text {
        if !self.compressed {
            return Box::new(self.file);
        }
        Box::new(zst::Text::new(self.file, Limits::default().window_bytes))
    }
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
