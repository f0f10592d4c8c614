//! Decoder of lines from bytes.

/// A line is longer than it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a line has more than {0} bytes")]
pub struct TooLong(pub usize);

/// Takes bytes as they come and gives whole lines, without their ends, whatever the bytes were cut into. Blank lines are
/// left out, and bytes that are not UTF-8 replaced.
#[derive(Debug)]
pub struct Lines {
    most: usize,
    bytes: Vec<u8>,
    /// How much of `bytes` is known to hold no line feed.
    searched: usize,
}

impl Lines {
    /// Lines of at most so many bytes.
    pub fn new(most: usize) -> Self {
        Self { most, bytes: Vec::new(), searched: 0 }
    }

    /// Bytes have come.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The next line, if it is there.
    ///
    /// # Errors
    /// If it is too long, from then on.
    pub fn next_line(&mut self) -> Result<Option<String>, TooLong> {
        loop {
            let found = memchr::memchr(b'\n', &self.bytes[self.searched..]);
            let Some(end) = found.map(|at| self.searched + at) else {
                self.searched = self.bytes.len();
                // A carriage return may still turn out to belong to its end.
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
