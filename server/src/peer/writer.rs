//! Lines from a peer, and answers to them.

use std::io::{self, Read as _};
use std::net::TcpStream;
use std::sync::Arc;

use super::shared::{Shared, Status};

/// Longest line in bytes that is read from a peer; a longer one is skipped whole.
const LINE_BYTES_MAX: usize = 8 << 10;

/// Writer of answers to a peer, for other threads than the match's; clones share the queue.
#[derive(Debug, Clone)]
pub struct PeerWriter {
    pub(super) shared: Arc<Shared>,
    pub(super) most: usize,
}

impl PeerWriter {
    /// Queues a line; drops it if the queue is full or the peer is gone.
    pub fn send(&self, line: &str) {
        let mut state = self.shared.lock();
        if !matches!(state.status, Status::Open) || state.queued_bytes + line.len() >= self.most {
            return;
        }
        let bytes: Arc<[u8]> = [line.as_bytes(), b"\n"].concat().into();
        state.queued_bytes += bytes.len();
        state.queue.push_back(bytes);
        drop(state);
        self.shared.changed.notify_all();
    }

    /// Reads lines until the connection ends.
    pub(super) fn listen(&self, mut stream: TcpStream, mut hear: impl FnMut(&[u8], &PeerWriter)) {
        let mut lines = LineSkipper::default();
        let mut bytes = [0; 4096];
        loop {
            match stream.read(&mut bytes) {
                Ok(0) => return,
                Ok(n) => lines.push(&bytes[..n], |line| hear(line, self)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // Includes the timeout of `linger`, which reads on the writing thread.
                Err(_) => return,
            }
        }
    }
}

/// Splits bytes into lines of at most [`LINE_BYTES_MAX`]; skips longer ones.
#[derive(Debug, Default)]
struct LineSkipper {
    partial: Vec<u8>,
    /// The current line is too long and is being skipped.
    skips: bool,
}

impl LineSkipper {
    fn push(&mut self, bytes: &[u8], mut take: impl FnMut(&[u8])) {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            let (piece, ends) = piece.strip_suffix(b"\n").map_or((piece, false), |piece| (piece, true));
            if self.partial.len() + piece.len() > LINE_BYTES_MAX {
                self.partial.clear();
                self.skips = true;
            }
            if !self.skips {
                self.partial.extend_from_slice(piece);
            }
            if ends {
                if !std::mem::take(&mut self.skips) {
                    take(self.partial.strip_suffix(b"\r").unwrap_or(&self.partial));
                }
                self.partial.clear();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cutting_bytes_changes_no_lines() {
        let long = "x".repeat(LINE_BYTES_MAX + 1);
        let text = format!("one\r\n\n{long}\ntwo\n{}\nrest", &long[1..]);
        for size in [1, 2, 3, 7, 4096, text.len()] {
            let (mut lines, mut heard) = (LineSkipper::default(), Vec::new());
            text.as_bytes().chunks(size).for_each(|bytes| lines.push(bytes, |line| heard.push(line.len())));
            assert_eq!(heard, [3, 0, 3, LINE_BYTES_MAX], "{size}");
            assert!(lines.partial.len() <= LINE_BYTES_MAX);
        }
    }
}
