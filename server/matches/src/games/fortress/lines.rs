//! Decoder of lines from bytes.

/// A line is longer than the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a line has more than {0} bytes")]
pub struct TooLong(pub usize);

/// Decoder of lines from chunks of bytes, which may be cut anywhere. It gives whole lines without their ends. Blank
/// lines are skipped, and bytes that are not UTF-8 are replaced.
#[derive(Debug)]
pub struct LineDecoder {
    most: usize,
    bytes: Vec<u8>,
    /// Length of the prefix of `bytes` that is known to contain no line feed.
    searched: usize,
}

impl LineDecoder {
    /// A decoder of lines of at most `most` bytes.
    pub fn new(most: usize) -> Self {
        Self { most, bytes: Vec::new(), searched: 0 }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The next whole line; `None` if it has not ended yet.
    ///
    /// # Errors
    /// If the line is too long; so are all later calls.
    pub fn next_line(&mut self) -> Result<Option<String>, TooLong> {
        loop {
            let found = memchr::memchr(b'\n', &self.bytes[self.searched..]);
            let Some(end) = found.map(|at| self.searched + at) else {
                self.searched = self.bytes.len();
                // A carriage return at the end may belong to the line's end.
                return if self.bytes.len() > self.most + 1 { Err(TooLong(self.most)) } else { Ok(None) };
            };
            let line = &self.bytes[..end];
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.len() > self.most {
                return Err(TooLong(self.most));
            }
            let text = String::from_utf8_lossy(line).into_owned();
            self.bytes.drain(..=end);
            self.searched = 0;
            if !text.trim().is_empty() {
                return Ok(Some(text));
            }
        }
    }
}
