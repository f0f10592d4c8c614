//! Download of a recording as a replay file.

use std::io::{self, Cursor, Read};

use bytes::Bytes;

use grandstand_protocol::Micros;
use grandstand_replays::{Limits, asked_interval, with_longer_interval};

use super::disclosure::Disclosure;
use super::text::{DECOMPRESSING, StoredText, Text, read_header, read_some};
use super::upstream::RemoteText;

/// The text of a recording up to its last whole line.
pub(crate) struct ReplayFile {
    text: Text,
    /// Bytes read of a line that is not whole yet.
    held: Vec<u8>,
    /// Whether the lines with the bots' requests are included.
    with_asked: bool,
    /// Sum of the intervals of omitted lines since the last line.
    omitted: Micros,
    bytes: usize,
}

impl std::fmt::Debug for ReplayFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReplayFile").finish_non_exhaustive()
    }
}

impl ReplayFile {
    /// Opens a recording with the disclosed part of its programs and of its bots' requests.
    pub(super) fn open(stored: StoredText, disclosure: &Disclosure) -> io::Result<Self> {
        Self::of_text(stored.text, stored.bytes, disclosure)
    }

    /// Opens a compressed recording in memory.
    pub(crate) fn of_compressed(bytes: Vec<u8>, disclosure: &Disclosure) -> io::Result<Self> {
        let held = bytes.len();
        let stored = StoredText::of_compressed(bytes.into());
        Self::of_text(stored.text, held + stored.bytes, disclosure)
    }

    /// The replay file of another server.
    pub(super) fn of_remote(text: RemoteText) -> io::Result<Self> {
        Self::of_text(Box::new(text), DECOMPRESSING, &Disclosure::Everything)
    }

    fn of_text(mut input: Text, decompressing: usize, disclosure: &Disclosure) -> io::Result<Self> {
        let (mut header, head) = read_header(&mut input)?;
        let body = memchr::memchr(b'\n', &head).map_or(head.len(), |at| at + 1);
        let with_asked = disclosure.apply(&mut header.about);
        let mut text = Vec::new();
        header.write_line(&mut text);
        text.extend_from_slice(&head[body..]);
        let bytes = text.len() + decompressing;
        let text = Box::new(Cursor::new(text).chain(input));
        Ok(Self { text, held: Vec::new(), with_asked, omitted: Micros(0), bytes })
    }

    /// Approximate size in bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes + self.held.capacity()
    }

    /// The next piece of the text, of about `size` bytes and whole lines; empty if no line has ended yet, and `None` at
    /// the end. A partial line at the end of a file that is being written, or was cut short, is omitted. The text ends
    /// before a line beyond the limit of replays, as it does for every reader of it. Blocks.
    pub(crate) fn next_piece(&mut self, size: usize) -> io::Result<Option<Bytes>> {
        let begin = self.held.len();
        self.held.resize(begin + size, 0);
        let read = read_some(&mut self.text, &mut self.held[begin..]);
        self.held.truncate(begin + *read.as_ref().unwrap_or(&0));
        if read? == 0 {
            return Ok(None);
        }
        if let Some(end) = memchr::memrchr(b'\n', &self.held[begin..]) {
            let rest = self.held.split_off(begin + end + 1);
            let mut piece = std::mem::replace(&mut self.held, rest);
            if !self.with_asked {
                without_asked(&mut piece, &mut self.omitted);
            }
            return Ok(Some(piece.into()));
        }
        if self.held.len() > Limits::default().line_bytes {
            tracing::debug!("a line of a recording is too long");
            self.held = Vec::new();
            self.text = Box::new(io::empty());
            return Ok(None);
        }
        Ok(Some(Bytes::new()))
    }
}

/// Removes the lines with bots' requests. Their intervals are added to that of the next line, so that its time stays;
/// `omitted` is the sum that no line has yet. `piece` has whole lines only.
fn without_asked(piece: &mut Vec<u8>, omitted: &mut Micros) {
    let mut kept = Vec::with_capacity(piece.len());
    for line in piece.split_inclusive(|&byte| byte == b'\n') {
        if let Some(interval) = asked_interval(line.trim_ascii_end()) {
            *omitted = Micros(omitted.0.saturating_add(interval.0));
        } else if *omitted > Micros(0)
            && let Some(longer) = with_longer_interval(line, *omitted)
        {
            *omitted = Micros(0);
            kept.extend_from_slice(&longer);
        } else {
            kept.extend_from_slice(line);
        }
    }
    *piece = kept;
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &[u8] = b"{\"grandstand\":1,\"game\":\"abalone\",\"title\":\"\",\"teams\":[]}\n";
    const LINE: &[u8] = b"[0.5,\"c\",\"turns 1\"]\n";
    const PIECE: usize = 32 << 10;

    /// The text of a download, and the maximum of the memory that it held.
    fn read(text: impl Read + Send + 'static) -> (Vec<u8>, usize) {
        let mut file = ReplayFile::of_text(Box::new(text), 0, &Disclosure::Everything).unwrap();
        let (mut read, mut held) = (Vec::new(), 0);
        while let Some(piece) = file.next_piece(PIECE).unwrap() {
            read.extend_from_slice(&piece);
            held = held.max(file.held.capacity());
        }
        assert_eq!(file.next_piece(PIECE).unwrap(), None);
        (read, held)
    }

    #[test]
    fn a_line_without_an_end_is_held_up_to_the_limit_of_lines() {
        let limit = Limits::default().line_bytes;
        let endless = io::repeat(b'x').take(4 * limit as u64);
        let (text, held) = read(HEADER.chain(LINE).chain(endless).chain(&b"\n"[..]).chain(LINE));
        assert_eq!(text.len(), HEADER.len() + LINE.len());
        assert!(held <= 2 * (limit + PIECE), "{held}");
    }

    /// Requests in the recordings of others may have any interval.
    #[test]
    fn without_requests_every_line_keeps_its_time() {
        let lines =
            b"[0.5,\"c\",\"turns 1\"]\n[ 0.25 , \"q\", []]\n[1e0,\"q\",[]]\n[0.125, \"c\",\"turns 2\"]\n\
            [0,\"q\",[]]\n[2,\"c\",\"turns 3\"]\n";
        // Whatever pieces it is read in.
        for size in [7, 30, PIECE] {
            let mut file =
                ReplayFile::of_text(Box::new(HEADER.chain(&lines[..])), 0, &Disclosure::Everything).unwrap();
            file.with_asked = false;
            let mut read = Vec::new();
            while let Some(piece) = file.next_piece(size).unwrap() {
                read.extend_from_slice(&piece);
            }
            let read = String::from_utf8(read).unwrap();
            let read: Vec<&str> = read.lines().skip(1).collect();
            let kept = ["[0.5,\"c\",\"turns 1\"]", "[1.375, \"c\",\"turns 2\"]", "[2,\"c\",\"turns 3\"]"];
            assert_eq!(read, kept, "in pieces of {size}");
        }
    }

    #[test]
    fn a_long_line_is_whole() {
        let long = [HEADER, b"[0,\"?\",\"", &vec![b'x'; 3 * PIECE], b"\"]\n", LINE, b"[0"].concat();
        assert!(read(Cursor::new(long.clone())).0 == long[..long.len() - 2]);
    }
}
