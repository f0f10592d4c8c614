//! The summary of a recording, from as little of its file as will do.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::time::{Duration, UNIX_EPOCH};

use grandstand_protocol::message::{MatchId, MatchState, Summary};
use grandstand_protocol::{MatchHeader, MatchResult};
use grandstand_replays::Header;

use super::reel::{Reel, read_header};
use crate::hub::clock::rfc3339;
use crate::hub::result::shortened;
use crate::recorder::Ending;

/// How much of the end of a file is looked at for its last lines.
const TAIL: u64 = 16 * 1024;

/// Reads a summary, as lists have it. `started` in Unix milliseconds serves if the header does not say when.
pub(super) fn read(id: &MatchId, started: u64, mut file: File, compressed: bool) -> io::Result<Summary> {
    if !compressed && let Some(tail) = read_tail(&mut file)? {
        file.rewind()?;
        let (header, _) = read_header(&mut file)?;
        return Ok(summary(id, started, header, tail.ending, tail.result));
    }
    file.rewind()?;
    let reel = Reel::new(file, compressed, u64::MAX, None)?;
    let read = reel.read_through()?;
    let ending = read.ending.unwrap_or(Ending {
        state: if read.result.is_some() { MatchState::Finished } else { MatchState::Interrupted },
        seq: read.seq,
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

/// The last lines, if the last one is an ending.
fn read_tail(file: &mut File) -> io::Result<Option<Tail>> {
    let len = file.metadata()?.len();
    file.seek(SeekFrom::Start(len.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail)?;
    let mut lines = tail.strip_suffix(b"\n").unwrap_or(&tail).rsplit(|byte| *byte == b'\n');
    let Some(ending) = lines.next().and_then(Ending::parse) else { return Ok(None) };
    let result = lines.next().and_then(|line| {
        let (_, code, result) = serde_json::from_slice::<(f64, String, MatchResult)>(line).ok()?;
        (code == "r").then_some(result)
    });
    Ok(Some(Tail { ending, result }))
}
