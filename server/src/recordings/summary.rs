//! Summary of a recording, read from as little of its file as possible.

use std::io::{self, Seek};
use std::time::{Duration, UNIX_EPOCH};

use grandstand_protocol::message::{MatchId, MatchState, MatchSummary};
use grandstand_protocol::{MatchHeader, MatchResult};
use grandstand_replays::Header;

use super::ending::RecordingEnd;
use super::reader::RecordingReader;
use super::tail::{Tail, compressed_tail, plain_tail};
use super::text::{StoredFile, read_header};
use crate::timestamp::rfc3339;
use crate::wire::shortened;

/// Reads a summary for a list. `started`, in Unix milliseconds, is used if the header has no start.
///
/// If the end of the file has no ending, the text is scanned, but at most `most` bytes of it: a small compressed file
/// may hold more than can ever be read. The rest is ignored then.
pub(super) fn read(id: &MatchId, started: u64, mut file: StoredFile, most: u64) -> io::Result<MatchSummary> {
    let tail = if file.compressed { compressed_tail } else { plain_tail }(&mut file.file)?;
    file.file.rewind()?;
    if let Some(tail) = Tail::parse(&tail) {
        let (header, _) = read_header(&mut file.into_text())?;
        return Ok(summary(id, started, header, tail.ending, tail.result));
    }
    let reader = RecordingReader::new(file.open()?, u64::MAX, None, most)?;
    let read = reader.scan(most)?;
    let ending = read.ending.unwrap_or(RecordingEnd {
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
    ending: RecordingEnd,
    result: Option<MatchResult>,
) -> MatchSummary {
    let MatchHeader { title, event, round, teams, started: said, .. } = header.about;
    let started = said.unwrap_or_else(|| rfc3339(UNIX_EPOCH + Duration::from_millis(started)).into());
    MatchSummary {
        id: id.clone(),
        game: header.game,
        title,
        event,
        round,
        teams,
        rules: None,
        by: None,
        seats: Vec::new(),
        setup: Vec::new(),
        state: ending.state,
        started,
        seq: ending.seq,
        now: None,
        spectators: 0,
        result: result.map(shortened),
    }
}

/// Approximate size of a summary in bytes of memory.
pub(super) fn bytes(summary: &MatchSummary) -> usize {
    // Names and values of JSON have their own allocations.
    let json = serde_json::to_vec(summary).map_or(0, |json| json.len());
    size_of::<MatchSummary>() + 2 * json
}
