//! The summary of a recording, from as little of its file as will do.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::time::{Duration, UNIX_EPOCH};

use grandstand_protocol::message::{MatchId, MatchState, Summary};
use grandstand_protocol::{MatchHeader, MatchResult};
use grandstand_replays::Header;

use super::archive;
use super::reel::{Reel, read_header};
use crate::hub::clock::rfc3339;
use crate::hub::result::shortened;
use crate::recorder::Ending;

/// How much of the end of a recording is looked at for its last lines: mostly, and if they are longer.
pub(super) const TAILS: [u64; 2] = [16 * 1024, 1024 * 1024];

/// Reads a summary, as lists have it. `started` in Unix milliseconds serves if the header does not say when.
///
/// Where the end of the file does not tell how the recording ended, it is read through, but no more than `most` bytes
/// of its text: a small compressed file may hold more than can ever be read. What lies beyond is not known then.
pub(super) fn read(
    id: &MatchId,
    started: u64,
    mut file: File,
    compressed: bool,
    most: u64,
) -> io::Result<Summary> {
    let tail = if compressed { archive::tail(&mut file)? } else { plain_tail(&mut file)? };
    file.rewind()?;
    if let Some(tail) = Tail::parse(&tail) {
        let mut text: Box<dyn Read> = if compressed { archive::decompress(file) } else { Box::new(file) };
        let (header, _) = read_header(&mut text)?;
        return Ok(summary(id, started, header, tail.ending, tail.result));
    }
    let reel = Reel::new(file, compressed, u64::MAX, None, most)?;
    let read = reel.read_through(most)?;
    let ending = read.ending.unwrap_or(Ending {
        state: if read.result.is_some() { MatchState::Finished } else { MatchState::Interrupted },
        seq: read.seq,
        cut: None,
    });
    Ok(summary(id, started, read.header, ending, read.result))
}

fn summary(
    id: &MatchId,
    started: u64,
    header: Header,
    ending: Ending,
    result: Option<MatchResult>,
) -> Summary {
    let MatchHeader { title, teams, started: said, .. } = header.about;
    let started = said.unwrap_or_else(|| rfc3339(UNIX_EPOCH + Duration::from_millis(started)).into());
    Summary {
        id: id.clone(),
        game: header.game,
        title,
        teams,
        rules: None,
        by: None,
        seats: Vec::new(),
        state: ending.state,
        started,
        seq: ending.seq,
        spectators: 0,
        result: result.map(shortened),
    }
}

/// About how many bytes of memory a summary takes.
pub(super) fn bytes(summary: &Summary) -> usize {
    // Names and values of JSON lie in allocations of their own.
    let json = serde_json::to_vec(summary).map_or(0, |json| json.len());
    size_of::<Summary>() + 2 * json
}

struct Tail {
    ending: Ending,
    result: Option<MatchResult>,
}

impl Tail {
    /// Understands the end of a recording's text, if the last line is an ending.
    fn parse(text: &[u8]) -> Option<Self> {
        let mut lines = text.strip_suffix(b"\n").unwrap_or(text).rsplit(|byte| *byte == b'\n');
        let ending = lines.next().and_then(Ending::parse)?;
        let result = lines.next().and_then(|line| {
            let (_, code, result) = serde_json::from_slice::<(f64, String, MatchResult)>(line).ok()?;
            (code == "r").then_some(result)
        });
        Some(Self { ending, result })
    }
}

/// The end of a recording's text.
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

/// The last bytes of a file, at most so many.
pub(super) fn end(file: &mut File, most: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(file.metadata()?.len().saturating_sub(most)))?;
    let mut end = Vec::new();
    file.take(most).read_to_end(&mut end)?;
    Ok(end)
}

/// Those lines at the end of a recording's text that say how it ended.
pub(super) fn last_lines(tail: &[u8]) -> &[u8] {
    let mut ends = memchr::memrchr_iter(b'\n', tail.strip_suffix(b"\n").unwrap_or(tail));
    &tail[ends.nth(1).map_or(0, |end| end + 1)..]
}

/// Whether the last line of a recording, which is not compressed, says how it ended.
pub(super) fn is_over(file: &mut File) -> io::Result<bool> {
    Ok(Tail::parse(&plain_tail(file)?).is_some())
}
