//! Write queues: the unwritten lines of each match, and the list of queues with work for the writer thread.

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use grandstand_protocol::message::{MatchId, MatchState};
use grandstand_protocol::{MatchResult, Micros};
use grandstand_replays::Encoder;

use crate::locked::Locked as _;

/// List of recordings with work for the thread.
#[derive(Debug, Default)]
pub(super) struct WorkList {
    pub(super) state: Mutex<WorkListState>,
    pub(super) wake: Condvar,
    /// Bytes that wait to be written to the disk.
    pub(super) unwritten: AtomicU64,
}

/// State of the work list.
#[derive(Debug, Default)]
pub(super) struct WorkListState {
    pub(super) dirty: Vec<Arc<WriteQueue>>,
    /// The thread waits to be woken; otherwise it polls.
    pub(super) parked: bool,
    pub(super) stop: bool,
}

impl WorkList {
    /// Adds a queue that has lines now.
    pub(super) fn add(&self, queue: &Arc<WriteQueue>) {
        let mut state = self.state.locked();
        state.dirty.push(queue.clone());
        if state.parked {
            state.parked = false;
            self.wake.notify_one();
        }
    }
}

/// Queue of one match to its file.
#[derive(Debug)]
pub(crate) struct WriteQueue {
    pub(super) id: MatchId,
    /// Address of the match's peer.
    pub(super) peer: IpAddr,
    pub(super) waiting: Mutex<Waiting>,
    /// Number of commands in the file plus one; 0 before there is a file.
    pub(super) written: AtomicU64,
    pub(super) failed: AtomicBool,
}

/// Lines that wait for the thread.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    pub(super) bytes: Vec<u8>,
    /// Position of the recording after `bytes`.
    pub(super) position: Position,
    /// The file is to be restarted: the header changed before the first command.
    pub(super) restart: bool,
    /// The disk is too slow: no more lines are queued.
    pub(super) slow: bool,
    pub(super) end: Option<FinalState>,
    pub(super) queued: bool,
}

/// A position in a recording.
#[derive(Debug, Clone, Default)]
pub(super) struct Position {
    pub(super) encoder: Encoder,
    /// The time of the last line.
    pub(super) t: Micros,
}

/// Final state of a match.
#[derive(Debug)]
pub(super) struct FinalState {
    pub(super) t: Micros,
    pub(super) state: MatchState,
    pub(super) result: Option<MatchResult>,
}

impl WriteQueue {
    /// Whether the file exists and has the commands up to `seq`.
    pub(crate) fn has(&self, seq: u64) -> bool {
        self.written.load(Ordering::Acquire) > seq
    }

    /// Whether the recording has failed: the file gets no more commands.
    pub(crate) fn failed(&self) -> bool {
        self.failed.load(Ordering::Acquire)
    }
}
