//! Handle of a sandboxed program, in the server.

use std::collections::VecDeque;
use std::fmt::Debug;
use std::fs::{self, File};
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::path::Path;
use std::process::Child;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::error::ProgramError;
use super::job::{Ending, Event, Job};

/// Bytes of output read at a time.
const CHUNK: usize = 64 * 1024;
/// Pause between two reads of output that is not kept; it slows down a program that floods its output.
const UNKEPT: Duration = Duration::from_millis(20);
/// Bytes of the latest output, for [`Program::last_words`].
const TAIL: usize = 2 * 1024;
/// Longest wait for the output to be read to its end before the end of the program is reported.
const DRAIN: Duration = Duration::from_secs(1);
/// Longest wait for the warden to end the program's processes before the warden itself is killed.
const LAST: Duration = Duration::from_secs(10);

/// Destination of a program's output: both streams in their order, up to [`super::Limits::log_bytes`].
#[derive(Debug)]
pub enum OutputLog {
    /// No destination; only the last words are kept.
    Forget,
    /// A file.
    Keep(File),
}

impl OutputLog {
    /// The file at `path`, whose directory is created; [`Self::Forget`] without a path.
    ///
    /// # Errors
    /// A message if the file can't be created.
    pub fn open(path: Option<&Path>) -> Result<Self, String> {
        let Some(path) = path else { return Ok(Self::Forget) };
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
        }
        File::create(path).map(Self::Keep).map_err(|error| format!("{}: {error}", path.display()))
    }
}

/// Our ends of a program's standard streams.
#[derive(Debug)]
pub struct Pipes {
    /// Pipe to the program's standard input.
    pub to: PipeWriter,
    /// Pipe from the program's standard output.
    pub from: PipeReader,
}

/// A running program. Dropping it ends the program and its children.
#[derive(Debug)]
pub struct Program {
    shared: Arc<Shared>,
    /// Dropping it ends the program.
    control: Option<Box<dyn Debug + Send + Sync>>,
}

/// State of a program that its threads share.
#[derive(Debug)]
pub(super) struct Shared {
    /// The warden; without a sandbox, the program itself.
    process: Mutex<Child>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    ending: Option<Ending>,
    /// The output has been read to its end.
    drained: bool,
    tail: VecDeque<u8>,
}

impl Program {
    /// Starts `job`. `grandstand` is this program's own executable, which is started as the warden; a system
    /// without the sandbox needs no warden. `tell` receives the events, on another thread; the last one is
    /// always [`Event::Ended`].
    ///
    /// # Errors
    /// If nothing was started. A program that turns out not to run in the sandbox is no error but an
    /// [`Ending::NotStarted`].
    pub fn start(
        job: &Job,
        grandstand: &Path,
        log: OutputLog,
        tell: impl FnMut(Event) + Send + 'static,
    ) -> Result<Self, ProgramError> {
        Self::start_with(job, grandstand, log, None, tell)
    }

    /// Starts a program whose standard input and output are pipes to the caller; only its standard error goes
    /// to the log.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn start_piped(
        job: &Job,
        grandstand: &Path,
        log: OutputLog,
        tell: impl FnMut(Event) + Send + 'static,
    ) -> Result<(Self, Pipes), ProgramError> {
        let (input, to) = io::pipe().map_err(ProgramError::Warden)?;
        let (from, output) = io::pipe().map_err(ProgramError::Warden)?;
        let program = Self::start_with(job, grandstand, log, Some((input, output)), tell)?;
        Ok((program, Pipes { to, from }))
    }

    /// Program behind `process`. One thread reads its output; another one runs `watch`, which waits for its
    /// end. Dropping `control` must end the program.
    pub(super) fn new(
        process: Child,
        control: impl Debug + Send + Sync + 'static,
        (output, log, limit): (Option<impl Read + Send + 'static>, OutputLog, u64),
        watch: impl FnOnce(&Shared) + Send + 'static,
    ) -> Result<Self, ProgramError> {
        let shared = Arc::new(Shared {
            process: Mutex::new(process),
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let program = Self { shared: Arc::clone(&shared), control: Some(Box::new(control)) };
        let spawn = |name: &str, work: Box<dyn FnOnce() + Send>| {
            thread::Builder::new().name(name.to_owned()).spawn(work).map_err(ProgramError::Warden)
        };
        let reader = Arc::clone(&shared);
        spawn("program output", Box::new(move || reader.drain(output, log, limit)))?;
        spawn("program events", Box::new(move || watch(&shared)))?;
        Ok(program)
    }

    /// Ending of the program, once it has ended.
    pub fn ending(&self) -> Option<Ending> {
        self.shared.lock().ending.clone()
    }

    /// Waits for the end of the program, at most for `patience`.
    pub fn wait(&self, patience: Duration) -> Option<Ending> {
        let state = self.shared.lock();
        let waited = self.shared.changed.wait_timeout_while(state, patience, |state| state.ending.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).0.ending.clone()
    }

    /// Ends the program and its children, if it has not ended before, and gives its ending. Returns when no process is left and
    /// the output is read.
    pub fn stop(mut self) -> Ending {
        self.end()
    }

    /// End of the program's output, at most 2 KiB, for a message about its failure.
    pub fn last_words(&self) -> String {
        let state = self.shared.lock();
        let bytes: Vec<u8> = state.tail.iter().copied().collect();
        String::from_utf8_lossy(&bytes).trim().to_owned()
    }

    fn end(&mut self) -> Ending {
        self.control = None;
        let ended = |state: &mut State| state.ending.is_none() || !state.drained;
        let state = self.shared.lock();
        let waited = self.shared.changed.wait_timeout_while(state, LAST, ended);
        let state = waited.unwrap_or_else(PoisonError::into_inner).0;
        if let Some(ending) = &state.ending {
            return ending.clone();
        }
        drop(state);
        // The warden did not end in time. Process 1 of the sandbox dies with it.
        let _ = self.shared.process().kill();
        Ending::Lost
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.end();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // No code panics while it holds the lock, and the state is whole at any moment.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The child process: the warden, or the program without a sandbox.
    pub(super) fn process(&self) -> MutexGuard<'_, Child> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports the end of the program, once its output is read or after [`DRAIN`].
    pub(super) fn ended(&self, ending: Ending, mut tell: impl FnMut(Event)) {
        // The receiver of the event may ask for the last words, so they have to be complete.
        let unread = |state: &mut State| !state.drained;
        drop(self.changed.wait_timeout_while(self.lock(), DRAIN, unread));
        // The event is sent before the waiting threads wake up.
        tell(Event::Ended(ending.clone()));
        self.lock().ending = Some(ending);
        self.changed.notify_all();
    }

    /// Reads the program's output to its end: the beginning goes to the log, the latest bytes into the tail.
    fn drain(&self, output: Option<impl Read>, log: OutputLog, limit: u64) {
        let mut log = match log {
            OutputLog::Forget => None,
            OutputLog::Keep(file) => Some(file),
        };
        let (mut room, mut dropped) = (limit, 0_u64);
        let mut buffer = vec![0; CHUNK];
        let mut output = output;
        while let Some(n) =
            output.as_mut().and_then(|output| output.read(&mut buffer).ok()).filter(|n| *n > 0)
        {
            let bytes = &buffer[..n];
            let keep = usize::try_from(room).unwrap_or(usize::MAX).min(n);
            room -= keep as u64;
            dropped += (n - keep) as u64;
            if let Some(file) = &mut log
                && file.write_all(&bytes[..keep]).is_err()
            {
                // A full disk must not stop the program, and with it the match.
                log = None;
            }
            let mut state = self.lock();
            state.tail.extend(&bytes[n.saturating_sub(TAIL)..]);
            let excess = state.tail.len().saturating_sub(TAIL);
            state.tail.drain(..excess);
            drop(state);
            if keep < n {
                thread::sleep(UNKEPT);
            }
        }
        if let Some(file) = &mut log
            && dropped > 0
        {
            let _ = writeln!(file, "\n[{dropped} further bytes of output were thrown away]");
        }
        self.lock().drained = true;
        self.changed.notify_all();
    }
}
