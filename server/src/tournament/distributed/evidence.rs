//! Evidence by which results of two workers are compared, in games that only the seed decides.

use std::io::Read as _;

use bytes::Bytes;
use grandstand_replays::{Content, Limits, Reader, zst};

use super::super::catalogue::Fault;
use super::super::playing::digest::CommandDigest;
use super::report::PlayedData;

/// Longest text of a recording that is read, in bytes. What follows is not compared.
const TEXT_BYTES: usize = 256 << 20;
const CHUNK: usize = 64 << 10;

/// A game that was handed in.
#[derive(Debug, Clone)]
pub(super) struct Handed {
    /// Name of the worker, and its measured speed.
    pub(super) worker: String,
    pub(super) speed: Option<u32>,
    pub(super) played: Box<PlayedData>,
    /// The recording and the inputs.
    pub(super) recordings: [Option<Bytes>; 2],
    /// Digest of the recording's commands, as it was read here; `None` for a game that is not compared.
    pub(super) commands: Option<u64>,
}

/// Properties of a game that are the same wherever it is played.
#[derive(Debug, PartialEq, Eq)]
struct Evidence<'a> {
    fault: Option<Fault>,
    winner: Option<u8>,
    termination: &'a str,
    score: Option<[u64; 2]>,
    length: Option<&'a (u64, String)>,
    /// The worker's report, and the content of its recording.
    digests: [Option<u64>; 2],
}

impl Handed {
    fn evidence(&self) -> Evidence<'_> {
        let played = &self.played;
        Evidence {
            fault: played.fault,
            winner: played.winner,
            termination: &played.termination,
            score: played.score,
            length: played.length.as_ref(),
            digests: [played.digest, self.commands],
        }
    }

    /// The difference between two plays of a game, in words; `None` if they are the same.
    pub(super) fn difference(&self, other: &Self) -> Option<&'static str> {
        let (own, other) = (self.evidence(), other.evidence());
        if own == other {
            return None;
        }
        let result = |of: &Evidence<'_>| (of.fault, of.winner, of.score);
        Some(if result(&own) != result(&other) {
            "the result"
        } else if own.digests != other.digests {
            "the recording"
        } else {
            "the end"
        })
    }
}

/// The digest of the commands in a recording in the format of `.replay.zst`; of those before the place where it can't be
/// read any further, if there is one.
pub(super) fn commands(recording: &[u8]) -> u64 {
    let limits = Limits::default();
    let mut text = zst::Text::new(recording, limits.window_bytes);
    let (mut reader, mut chunk, mut digest) = (Reader::new(limits), vec![0; CHUNK], CommandDigest::default());
    let mut left = TEXT_BYTES;
    loop {
        let read = text.read(&mut chunk).unwrap_or(0).min(left);
        left -= read;
        if read == 0 {
            reader.finish();
        }
        reader.push(&chunk[..read]);
        while let Ok(Some(entry)) = reader.next() {
            if let Content::Command(line) = entry.content {
                digest.line(&line);
            }
        }
        if read == 0 {
            return digest.finish();
        }
    }
}
