//! Recorder: writes each live match to its replay file.
//!
//! The publisher encodes lines into memory; one thread writes those of all matches, one write per file and round. So a
//! slow disk slows neither a game nor a spectator, and a file is whole up to its last line even if this process is
//! killed.
//!
//! The file has the replay format. After the result, if there is one, it ends with a line of code `e` (which readers
//! skip) with the state at the end of the feed: `[interval,"e",{"state":"finished","seq":N}]`. A file without it is
//! incomplete.
//!
//! If a [`quota`] or the disk ends a recording before its match, such a line is written at once, with the reason in
//! `cut`; the result, and a final line that counts, follow when the match is over.

mod open_file;
mod quota;
mod write_queue;
mod writer;

use std::io;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use grandstand_protocol::message::{MatchId, MatchState};
use grandstand_protocol::{Command, Game, MatchHeader, MatchResult, Micros};
use grandstand_replays::Header;

pub(crate) use self::write_queue::WriteQueue;
use self::write_queue::{FinalState, Position, Waiting, WorkList};
use crate::config::HistoryLimits;
use crate::locked::Locked as _;
use crate::metrics::Metrics;
use crate::recordings::Recordings;

/// Bytes that a recording may always have waiting, whatever the others have.
const SMALL: usize = 64 * 1024;

/// Result of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RecordingOutcome {
    /// The file is complete.
    Whole,
    /// The file has the commands up to this number.
    Cut(u64),
    /// There is no file.
    Lost,
}

/// Callback for a match that is over and whose file is closed.
pub(crate) type OnDone = Box<dyn Fn(&MatchId, RecordingOutcome) + Send>;

/// Handle of the recorder's thread.
#[derive(Debug)]
pub(crate) struct Recorder {
    work: Arc<WorkList>,
    limits: HistoryLimits,
    thread: Mutex<Option<std::thread::JoinHandle<()>>>,
}

impl Recorder {
    /// Starts the thread, for files in the directory of `recordings`.
    pub(crate) fn start(
        recordings: Arc<Recordings>,
        limits: HistoryLimits,
        metrics: Arc<Metrics>,
        on_done: OnDone,
    ) -> io::Result<Self> {
        let work = Arc::new(WorkList::default());
        let worker = writer::Writer::new(recordings, limits.clone(), work.clone(), metrics, on_done);
        let thread = std::thread::Builder::new().name("recorder".into()).spawn(move || worker.run())?;
        Ok(Self { work, limits, thread: Mutex::new(Some(thread)) })
    }

    /// A recording for a new match from `peer`. Its file is created once the header is known.
    pub(crate) fn record(&self, id: MatchId, peer: IpAddr) -> Recording {
        let queue = Arc::new(WriteQueue {
            id,
            peer,
            waiting: Mutex::default(),
            written: AtomicU64::new(0),
            failed: AtomicBool::new(false),
        });
        let (limit, limit_of_all) = (self.limits.unwritten_bytes, self.limits.unwritten_total);
        Recording { work: self.work.clone(), queue, position: Position::default(), limit, limit_of_all }
    }

    /// Bytes that wait to be written to the disk.
    pub(crate) fn unwritten(&self) -> u64 {
        self.work.unwritten.load(Ordering::Relaxed)
    }

    /// Writes what is waiting and ends the thread; blocks meanwhile. Unfinished recordings stay without an ending.
    pub(crate) fn stop(&self) {
        self.work.state.locked().stop = true;
        self.work.wake.notify_one();
        let thread = self.thread.locked().take();
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::error!("the recorder's thread panicked");
        }
    }
}

/// Encoder of one match's recording, and its queue to the writer thread.
#[derive(Debug)]
pub(crate) struct Recording {
    work: Arc<WorkList>,
    queue: Arc<WriteQueue>,
    position: Position,
    limit: usize,
    limit_of_all: usize,
}

impl Recording {
    /// The queue, which tells others how far the recording is.
    pub(crate) fn queue(&self) -> &Arc<WriteQueue> {
        &self.queue
    }

    /// Starts the file, or restarts it; valid only before the first command.
    pub(crate) fn header(&mut self, game: Game, about: &MatchHeader) {
        let header = Header::new(game, about.clone());
        self.put_lines(|_, waiting| {
            waiting.bytes.clear();
            waiting.restart = true;
            header.write_line(&mut waiting.bytes);
        });
    }

    /// Appends commands that arrived together.
    pub(crate) fn append(&mut self, t: Micros, commands: &[Command]) {
        self.put_lines(|position, waiting| {
            position.t = position.t.max(t);
            for command in commands {
                position.encoder.command(t, command, &mut waiting.bytes);
            }
            waiting.position = position.clone();
        });
    }

    /// Ends the file.
    pub(crate) fn finish(self, t: Micros, state: MatchState, result: Option<MatchResult>) {
        self.put(|waiting| waiting.end = Some(FinalState { t, state, result }));
    }

    /// Queues lines, unless the recording has failed or too much is waiting.
    fn put_lines(&mut self, write: impl FnOnce(&mut Position, &mut Waiting)) {
        if self.queue.failed() {
            return;
        }
        let mut position = std::mem::take(&mut self.position);
        let crowded = self.work.unwritten.load(Ordering::Relaxed) > self.limit_of_all as u64;
        self.put(|waiting| {
            write(&mut position, waiting);
            let own = waiting.bytes.len();
            if own > self.limit || (crowded && own > SMALL) {
                waiting.slow = true;
                waiting.bytes = Vec::new();
                self.queue.failed.store(true, Ordering::Release);
            }
        });
        self.position = position;
    }

    fn put(&self, change: impl FnOnce(&mut Waiting)) {
        let mut waiting = self.queue.waiting.locked();
        let before = waiting.bytes.len() as u64;
        change(&mut waiting);
        // Added first, so that the sum never falls below zero.
        self.work.unwritten.fetch_add(waiting.bytes.len() as u64, Ordering::Relaxed);
        self.work.unwritten.fetch_sub(before, Ordering::Relaxed);
        let work = !std::mem::replace(&mut waiting.queued, true);
        drop(waiting);
        if work {
            self.work.add(&self.queue);
        }
    }
}
