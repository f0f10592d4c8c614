//! A worker's report of a job: how the game ended, or why it can't be played there.

use serde::{Deserialize, Serialize};

use super::super::catalogue::{Fault, ResultRecord};
use super::job::{JobId, check_hash};
use super::messages::Session;
use super::wire::{self, Message, UPLOAD_BYTES, WireError};

/// Greatest lengths of texts in bytes.
const WORD_BYTES: usize = 64;
const REASON_BYTES: usize = 16 << 10;
/// Greatest score and length of a game: the catalogue has signed numbers of 64 bits.
const NUMBER: u64 = i64::MAX as u64;

/// Report of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Report {
    pub(super) session: Session,
    pub(super) job: JobId,
    pub(super) ending: Ending,
}

/// End of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Ending {
    /// The game was played, or failed by a fault of the machine.
    Played(Box<PlayedData>),
    /// The game can't be played on this machine, for this reason.
    Refused(String),
}

/// A game that was played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayedData {
    pub(super) fault: Option<Fault>,
    pub(super) winner: Option<u8>,
    pub(super) termination: String,
    pub(super) reason: Option<String>,
    pub(super) score: Option<[u64; 2]>,
    pub(super) length: Option<(u64, String)>,
    pub(super) digest: Option<u64>,
    pub(super) started: String,
    pub(super) wall_ms: u64,
    pub(super) disturbed_ms: Option<u64>,
    /// The recording and the inputs, which were uploaded before.
    pub(super) recording: Option<Upload>,
    pub(super) inputs: Option<Upload>,
}

/// Something that was uploaded, by the hash of its content.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Upload {
    pub(super) sha256: String,
    pub(super) bytes: u64,
}

impl PlayedData {
    pub(super) fn new(of: ResultRecord, recording: Option<Upload>, inputs: Option<Upload>) -> Self {
        let mut reason = of.reason;
        if let Some(reason) = &mut reason {
            // What an engine wrote may be part of a reason.
            reason.truncate(reason.floor_char_boundary(REASON_BYTES));
            *reason = reason.replace(|c: char| c.is_control() && c != '\n' && c != '\t', "\u{fffd}");
            reason.truncate(reason.floor_char_boundary(REASON_BYTES));
        }
        Self {
            fault: of.fault,
            winner: of.winner,
            termination: of.termination,
            reason,
            score: of.score,
            length: of.length,
            digest: of.digest,
            started: of.started,
            wall_ms: of.wall_ms,
            disturbed_ms: of.disturbed_ms,
            recording,
            inputs,
        }
    }

    /// The result of the attempt with this number, by this worker with its measured speed.
    pub(super) fn result(&self, attempt: u32, worker: &str, speed: Option<u32>) -> ResultRecord {
        ResultRecord {
            attempt,
            fault: self.fault,
            winner: self.winner,
            termination: self.termination.clone(),
            reason: self.reason.clone(),
            score: self.score,
            length: self.length.clone(),
            digest: self.digest,
            started: self.started.clone(),
            wall_ms: self.wall_ms,
            disturbed_ms: self.disturbed_ms,
            recording_bytes: None,
            inputs: false,
            worker: Some(worker.to_owned()),
            speed,
        }
    }

    /// Whether the machine failed, rather than that the game was played.
    pub(super) fn is_spoiled(&self) -> bool {
        self.fault == Some(Fault::Machine)
    }
}

impl Message for Report {
    fn check(&self) -> Result<(), WireError> {
        self.session.check()?;
        self.job.check()?;
        match &self.ending {
            Ending::Refused(why) => wire::text("refused", why, REASON_BYTES),
            Ending::Played(played) => played.check(),
        }
    }
}

impl PlayedData {
    fn check(&self) -> Result<(), WireError> {
        let value = |name, fault: &str| Err(WireError::Value { name, fault: fault.to_owned() });
        if self.winner.is_some_and(|side| side > 1) {
            return value("winner", "is neither 0 nor 1");
        }
        wire::text("termination", &self.termination, WORD_BYTES)?;
        if let Some(reason) = &self.reason {
            wire::text("reason", reason, REASON_BYTES)?;
        }
        wire::text("started", &self.started, WORD_BYTES)?;
        if let Some((_, unit)) = &self.length {
            wire::text("length", unit, WORD_BYTES)?;
        }
        let numbers = self.score.iter().flatten().chain(self.length.as_ref().map(|(length, _)| length));
        let numbers = numbers.chain([&self.wall_ms]).chain(&self.disturbed_ms);
        if numbers.into_iter().any(|number| *number > NUMBER) {
            return value("score", "or a length or a time is too large");
        }
        for upload in self.recording.iter().chain(&self.inputs) {
            check_hash(&upload.sha256)?;
            if upload.bytes > UPLOAD_BYTES as u64 {
                return value("bytes", "are more than a recording may have");
            }
        }
        if self.is_spoiled() {
            if self.winner.is_some() {
                return value("winner", "is there, though the machine failed");
            }
            return Ok(());
        }
        if self.recording.is_none() || self.digest.is_none() {
            return value("recording", "is missing");
        }
        Ok(())
    }
}
