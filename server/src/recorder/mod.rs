//! Writes each match to its replay file as it is played.
//!
//! A match encodes its lines into memory; one thread writes what all of them have, one write per file each time it
//! comes round. So a slow disk slows neither a game nor a spectator, and what was written is whole up to its last line
//! whatever happens to this process.
//!
//! The file is the replay format's; after the result, if there is one, it ends with a line of code `e` (which readers
//! skip) that says how the feed ended: `[interval,"e",{"state":"finished","seq":N}]`. A file without it was cut short.

mod ending;
mod thread;

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use grandstand_protocol::message::{MatchId, MatchState};
use grandstand_protocol::{Command, Game, MatchHeader, MatchResult, Micros};
use grandstand_replays::{Encoder, Header};

pub(crate) use self::ending::Ending;
use crate::config::HistoryLimits;
use crate::metrics::Metrics;

/// Told when a recording is over: the match, and whether its file is whole.
pub(crate) type OnDone = Box<dyn Fn(&MatchId, bool) + Send>;

/// The recorder's thread, and the way to it.
#[derive(Debug)]
pub(crate) struct Recorder {
    queue: Arc<Queue>,
    limits: HistoryLimits,
    thread: Mutex<Option<std::thread::JoinHandle<()>>>,
}

/// Recordings that have something for the thread.
#[derive(Debug, Default)]
pub(super) struct Queue {
    state: Mutex<QueueState>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct QueueState {
    dirty: Vec<Arc<Tape>>,
    /// The thread waits to be woken; otherwise it looks by itself.
    parked: bool,
    stop: bool,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, tape: &Arc<Tape>) {
        let mut state = self.lock();
        state.dirty.push(tape.clone());
        if state.parked {
            state.parked = false;
            self.wake.notify_one();
        }
    }
}

/// What one match has for its file.
#[derive(Debug)]
pub(crate) struct Tape {
    id: MatchId,
    waiting: Mutex<Waiting>,
    /// One more than the commands that are in the file; 0 before there is a file.
    written: AtomicU64,
    failed: AtomicBool,
}

#[derive(Debug, Default)]
struct Waiting {
    bytes: Vec<u8>,
    /// Commands up to the end of `bytes`.
    seq: u64,
    /// The file begins anew: the header changed before anything was drawn.
    anew: bool,
    done: bool,
    queued: bool,
}

impl Tape {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether there is a file, with the commands up to `seq` in it.
    pub(crate) fn has(&self, seq: u64) -> bool {
        self.written.load(Ordering::Acquire) > seq
    }

    /// Whether the recording was given up.
    pub(crate) fn failed(&self) -> bool {
        self.failed.load(Ordering::Acquire)
    }
}

impl Recorder {
    /// Starts the thread, for files in `directory`.
    pub(crate) fn start(
        directory: &Path,
        limits: HistoryLimits,
        metrics: Arc<Metrics>,
        on_done: OnDone,
    ) -> io::Result<Self> {
        let queue = Arc::new(Queue::default());
        let worker = thread::Worker::new(directory.to_owned(), queue.clone(), metrics, on_done);
        let thread = std::thread::Builder::new().name("recorder".into()).spawn(move || worker.run())?;
        Ok(Self { queue, limits, thread: Mutex::new(Some(thread)) })
    }

    /// A recording for a new match. Its file is made once the header is known.
    pub(crate) fn record(&self, id: MatchId) -> Recording {
        let tape = Arc::new(Tape {
            id,
            waiting: Mutex::default(),
            written: AtomicU64::new(0),
            failed: AtomicBool::new(false),
        });
        let limit = self.limits.unwritten_bytes;
        Recording { queue: self.queue.clone(), tape, encoder: Encoder::new(), last: Micros(0), limit }
    }

    /// Writes what is waiting and ends the thread; blocks meanwhile. Recordings that are not over stay without ending.
    pub(crate) fn stop(&self) {
        self.queue.lock().stop = true;
        self.queue.wake.notify_one();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::error!("the recorder's thread panicked");
        }
    }
}

/// A match's way to its file.
#[derive(Debug)]
pub(crate) struct Recording {
    queue: Arc<Queue>,
    tape: Arc<Tape>,
    encoder: Encoder,
    last: Micros,
    limit: usize,
}

impl Recording {
    /// What others may know of the recording.
    pub(crate) fn tape(&self) -> &Arc<Tape> {
        &self.tape
    }

    /// Begins the file, or begins it anew; only before the first command.
    pub(crate) fn header(&mut self, game: Game, about: &MatchHeader) {
        let header = Header::new(game, about.clone());
        self.put(|waiting| {
            waiting.bytes.clear();
            waiting.anew = true;
            header.write_line(&mut waiting.bytes);
        });
    }

    /// Appends commands that arrived together.
    pub(crate) fn append(&mut self, t: Micros, commands: &[Command]) {
        let mut encoder = std::mem::take(&mut self.encoder);
        self.last = self.last.max(t);
        self.put(|waiting| {
            for command in commands {
                encoder.command(t, command, &mut waiting.bytes);
            }
            waiting.seq = encoder.seq();
        });
        self.encoder = encoder;
    }

    /// Ends the file. Whether there is a file to be ended.
    pub(crate) fn finish(
        mut self,
        t: Micros,
        seq: u64,
        state: MatchState,
        result: Option<MatchResult>,
    ) -> bool {
        let mut encoder = std::mem::take(&mut self.encoder);
        let mut last = self.last;
        self.put(|waiting| {
            if let Some(result) = &result {
                encoder.result(t, result, &mut waiting.bytes);
                last = last.max(t);
            }
            Ending { state, seq }.write_line(t.since(last), &mut waiting.bytes);
            waiting.done = true;
        });
        !self.tape.failed()
    }

    fn put(&mut self, write: impl FnOnce(&mut Waiting)) {
        if self.tape.failed() {
            return;
        }
        let mut waiting = self.tape.lock();
        write(&mut waiting);
        if waiting.bytes.len() > self.limit {
            tracing::error!(id = %self.tape.id, waiting = waiting.bytes.len(), "the disk is too slow: the recording is given up");
            self.tape.failed.store(true, Ordering::Release);
        }
        let queue = !std::mem::replace(&mut waiting.queued, true);
        drop(waiting);
        if queue {
            self.queue.add(&self.tape);
        }
    }
}
