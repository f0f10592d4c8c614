//! Console: lines that people type, and texts that are shown to them.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Instant;

use grandstand_protocol::terminal;

use crate::turns::player::Stop;

/// Maximum number of bytes that are read of a line; the rest of a longer one is dropped.
const LONGEST_LINE: u64 = 1_000;
/// Maximum number of lines that wait to be read.
const MOST_LINES: usize = 1_000;

/// Console for typed lines. Clones share it: two people at one keyboard take turns.
#[derive(Clone)]
pub struct Console {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    output: Mutex<Box<dyn Write + Send>>,
}

struct State {
    lines: VecDeque<(Instant, String)>,
    ended: bool,
}

/// Result of waiting for a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A typed line, and the moment at which it was read.
    Typed(Instant, String),
    /// The input has ended.
    Ended,
    /// No line came in time.
    Late,
    /// The wait was stopped.
    Stopped,
}

impl fmt::Debug for Console {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Console").finish_non_exhaustive()
    }
}

impl Console {
    /// Console on the process's standard input. Texts go to standard error, since standard output is for results.
    pub fn terminal() -> Self {
        static TERMINAL: OnceLock<Console> = OnceLock::new();
        TERMINAL.get_or_init(|| Self::new(BufReader::new(io::stdin()), Box::new(io::stderr()))).clone()
    }

    /// Console that reads lines from `input` on a thread of its own.
    pub fn new(input: impl BufRead + Send + 'static, output: Box<dyn Write + Send>) -> Self {
        let state = State { lines: VecDeque::new(), ended: false };
        let shared = Shared { state: Mutex::new(state), changed: Condvar::new(), output: Mutex::new(output) };
        let console = Self { shared: Arc::new(shared) };
        let reader = Arc::clone(&console.shared);
        let started = thread::Builder::new().name("console".to_owned()).spawn(move || reader.read(input));
        if started.is_err() {
            console.shared.lock().ended = true;
        }
        console
    }

    /// Waits for the next line.
    pub fn next(&self, deadline: Option<Instant>, stop: &Stop) -> Line {
        let waker = Arc::clone(&self.shared);
        stop.when_set(move || {
            // The waiting thread holds the lock from its check of `stop` until it waits, so it can't miss the wake-up.
            drop(waker.lock());
            waker.changed.notify_all();
        });
        let mut state = self.shared.lock();
        loop {
            if stop.is_set() {
                return Line::Stopped;
            }
            if let Some((at, line)) = state.lines.pop_front() {
                self.shared.changed.notify_all();
                return Line::Typed(at, line);
            }
            if state.ended {
                return Line::Ended;
            }
            let changed = &self.shared.changed;
            state = match deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())) {
                Some(left) if left.is_zero() => return Line::Late,
                Some(left) => changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0,
                None => changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// Writes a text without the control sequences that a terminal obeys.
    pub fn write(&self, text: &str) {
        let mut output = self.shared.output.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody is left to read an error if the terminal is gone.
        let _ = output.write_all(terminal::lines(text).as_bytes()).and_then(|()| output.flush());
    }
}

impl Shared {
    fn read(&self, mut input: impl BufRead) {
        while let Some(line) = read_line(&mut input) {
            let mut state = self.lock();
            while state.lines.len() >= MOST_LINES {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            state.lines.push_back((Instant::now(), line));
            drop(state);
            self.changed.notify_all();
        }
        self.lock().ended = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No code panics while it holds the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The next line without its end; `None` after the last one, or if reading fails.
fn read_line(input: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).ok()?;
    if read == 0 {
        return None;
    }
    if line.last() != Some(&b'\n') && read as u64 == LONGEST_LINE {
        skip_line(input)?;
    }
    Some(String::from_utf8_lossy(&line).trim().to_owned())
}

fn skip_line(input: &mut impl BufRead) -> Option<()> {
    loop {
        let buffer = input.fill_buf().ok()?;
        if buffer.is_empty() {
            return Some(());
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(buffer.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Some(());
        }
    }
}
