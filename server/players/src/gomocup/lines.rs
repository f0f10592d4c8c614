//! Decoder of lines from bytes.

use std::collections::VecDeque;

/// Decoder of lines from chunks of bytes. LF, CR and CR LF end a line. Blank lines are skipped, bytes past the cap of a line
/// are dropped, and bytes that are not UTF-8 are replaced.
#[derive(Debug)]
pub struct TruncatingLineDecoder {
    most: usize,
    line: Vec<u8>,
    whole: VecDeque<String>,
}

impl TruncatingLineDecoder {
    /// A decoder that keeps at most `most` bytes of a line.
    pub fn new(most: usize) -> Self {
        Self { most, line: Vec::new(), whole: VecDeque::new() }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, mut bytes: &[u8]) {
        while let Some(end) = memchr::memchr2(b'\n', b'\r', bytes) {
            self.keep(&bytes[..end]);
            // A carriage return ends its line at once, since a line feed may never follow. A line feed that does follow
            // ends a blank line, which is skipped.
            self.whole.extend(text(&self.line));
            self.line.clear();
            bytes = &bytes[end + 1..];
        }
        self.keep(bytes);
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = self.most.saturating_sub(self.line.len());
        self.line.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    /// The next whole line, trimmed.
    pub fn next_line(&mut self) -> Option<String> {
        self.whole.pop_front()
    }

    /// Beginning of a line that has not ended.
    pub fn rest(&self) -> Option<String> {
        text(&self.line)
    }
}

fn text(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(most: usize, chunks: &[&[u8]]) -> (Vec<String>, Option<String>) {
        let mut lines = TruncatingLineDecoder::new(most);
        chunks.iter().for_each(|chunk| lines.push(chunk));
        (std::iter::from_fn(|| lines.next_line()).collect(), lines.rest())
    }

    #[test]
    fn every_end_of_line_is_one() {
        let (whole, rest) = lines(100, &[b"OK\r\n7,7\r8,8\n\n \r\n  MESSAGE hi \r\n9,", b"9"]);
        assert_eq!(whole, ["OK", "7,7", "8,8", "MESSAGE hi"]);
        assert_eq!(rest.as_deref(), Some("9,9"));
    }

    #[test]
    fn a_line_without_an_end_costs_no_more_than_its_cap() {
        let mut lines = TruncatingLineDecoder::new(10);
        for _ in 0..1_000 {
            lines.push(&[b'x'; 1_000]);
        }
        assert!(lines.line.capacity() < 100);
        lines.push(b"\nnext\n");
        assert_eq!(lines.next_line().as_deref(), Some("xxxxxxxxxx"));
        assert_eq!(lines.next_line().as_deref(), Some("next"));
    }

    #[test]
    fn any_bytes_are_text() {
        let (whole, _) = lines(100, &[b"MESSAGE \xc9\xee\xb6\xc8\n\0\0\n\xff\n"]);
        assert_eq!(whole, ["MESSAGE \u{fffd}\u{fffd}\u{fffd}", "\u{fffd}"]);
    }
}
