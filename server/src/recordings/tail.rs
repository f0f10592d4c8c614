//! Last lines of a recording, with its result and ending.
//!
//! A compressed recording repeats them in a skippable zstd frame after the text, which every decompressor skips. With
//! it, a list shows the ending without decompressing.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use grandstand_protocol::MatchResult;

use super::ending::RecordingEnd;

/// Magic number of the frame with the last lines.
const TAIL_MAGIC: [u8; 4] = [0x50, 0x2A, 0x4D, 0x18];

/// Bytes at the end of a recording that are searched for its last lines: first attempt, and maximum.
const TAILS: [u64; 2] = [16 * 1024, 1024 * 1024];

/// Content of the last lines.
pub(super) struct Tail {
    pub(super) ending: RecordingEnd,
    pub(super) result: Option<MatchResult>,
}

impl Tail {
    /// Parses the end of a recording's text; `None` if the last line is not an ending.
    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        let mut lines = text.strip_suffix(b"\n").unwrap_or(text).rsplit(|byte| *byte == b'\n');
        let ending = lines.next().and_then(RecordingEnd::parse)?;
        let result = lines.next().and_then(|line| {
            let (_, code, result) = serde_json::from_slice::<(f64, String, MatchResult)>(line).ok()?;
            (code == "r").then_some(result)
        });
        Some(Self { ending, result })
    }
}

/// The end of a recording's text, with at least its last lines.
pub(super) fn plain_tail(file: &mut File) -> io::Result<Vec<u8>> {
    let mut tail = Vec::new();
    for most in TAILS {
        tail = end(file, most)?;
        if last_lines(&tail).len() < tail.len() {
            break;
        }
    }
    Ok(tail)
}

/// The last bytes of a file, at most `most`.
fn end(file: &mut File, most: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(file.metadata()?.len().saturating_sub(most)))?;
    let mut end = Vec::new();
    file.take(most).read_to_end(&mut end)?;
    Ok(end)
}

/// The result and ending lines at the end of a recording's text.
pub(super) fn last_lines(tail: &[u8]) -> &[u8] {
    let mut ends = memchr::memrchr_iter(b'\n', tail.strip_suffix(b"\n").unwrap_or(tail));
    &tail[ends.nth(1).map_or(0, |end| end + 1)..]
}

/// Whether the last line of an uncompressed recording is an ending.
pub(super) fn is_over(file: &mut File) -> io::Result<bool> {
    Ok(Tail::parse(&plain_tail(file)?).is_some())
}

/// The last lines of a compressed recording; empty if the file has no such frame.
pub(super) fn compressed_tail(file: &mut File) -> io::Result<Vec<u8>> {
    for most in TAILS {
        let end = end(file, most + 8)?;
        // The frame that reaches exactly to the end, by its own length.
        let starts = memchr::memmem::rfind_iter(&end, &TAIL_MAGIC);
        let mut texts = starts.filter_map(|at| {
            let (length, text) = end[at + TAIL_MAGIC.len()..].split_first_chunk()?;
            (u32::from_le_bytes(*length) as usize == text.len()).then(|| text.to_vec())
        });
        if let Some(text) = texts.next() {
            return Ok(text);
        }
    }
    Ok(Vec::new())
}

/// Appends the frame with the last lines to a compressed recording.
pub(super) fn write_tail(tail: &[u8], out: &mut impl Write) -> io::Result<()> {
    out.write_all(&TAIL_MAGIC)?;
    // The length is at most the maximum of the search.
    out.write_all(&(tail.len() as u32).to_le_bytes())?;
    out.write_all(tail)
}
