//! Process of an engine: a [`Manager`] on the pipes of a sandboxed program and on a clock.
//!
//! The thread that asks a question writes it itself and then waits for the answer, the end of the process and a stop,
//! all at once. Nothing polls, and no other thread stands between a question and its answer.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::manager::{self, Event, Fault, Manager, Question, Setup};
use super::pipes::{EnginePipes, PipeEvent, Waker, Waking};
use crate::sandbox::{
    self, Ending, Isolation, Job, NOBODY, OutputLog, Program, ProgramError, Scratch, directories_of,
};

/// Maximum number of chunks that are read before a question; an engine that has written more is blocked on its pipe.
const CHUNKS: usize = 16;
/// Time after a deadline during which an answer that was written in time may still arrive.
const ON_ITS_WAY: Duration = Duration::from_millis(250);
/// Time in which an engine must end after `END`.
pub const LEAVE: Duration = Duration::from_secs(1);
/// Default memory of an engine, in bytes, as in Gomocup.
pub const MEMORY_BYTES: u64 = 350 << 20;

/// Default limits of an engine: 350 MiB and every core of the machine. Its processor time is limited by the clocks alone.
pub fn engine_limits() -> sandbox::Limits {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    sandbox::Limits { memory_bytes: MEMORY_BYTES, cores, cpu_secs: 1_000_000, ..sandbox::Limits::default() }
}

/// Settings of an engine's process.
#[derive(Debug, Clone)]
pub struct Options {
    /// Limits on the program.
    pub limits: sandbox::Limits,
    /// Isolation of the engine.
    pub isolation: Isolation,
    /// Paths that the engine may read besides the directories of its files.
    pub readable: Vec<PathBuf>,
    /// File for the engine's standard error.
    pub log: Option<PathBuf>,
    /// Limits on the engine's output.
    pub said: manager::Limits,
    /// Path of the `grandstand` executable.
    pub grandstand: PathBuf,
}

impl Options {
    /// The defaults, with [`engine_limits`].
    pub fn new(grandstand: PathBuf) -> Self {
        Self {
            limits: engine_limits(),
            isolation: Isolation::On,
            readable: Vec::new(),
            log: None,
            said: manager::Limits::default(),
            grandstand,
        }
    }
}

/// Message from other threads.
enum EngineMessage {
    /// The process runs. The restrictions that are not enforced, in words.
    Gaps(Vec<String>),
    /// A note for the log.
    Note(String),
    /// The process has ended.
    Ended(Ending),
    /// The match with this number is to stop.
    Stop(u64),
}

/// Sender of messages to the thread that waits for an engine, from any thread.
#[derive(Debug, Clone)]
struct Teller {
    news: Sender<EngineMessage>,
    waker: Waker,
}

impl Teller {
    fn tell(&self, news: EngineMessage) {
        // Sending fails only if the engine has been dropped.
        if self.news.send(news).is_ok() {
            self.waker.wake();
        }
    }
}

/// Outcome of a wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Waited {
    /// An [event](Event) that ends a wait: readiness, an answer, or a fault.
    For(Event),
    /// Another thread stopped the wait.
    Stopped,
}

/// Moments of a question and its answer, without the delays of our own threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// Moment just before the first byte of the question left.
    pub asked: Instant,
    /// Moment at which the last byte of the answer had arrived.
    pub answered: Instant,
}

/// Handle that stops a wait of one match, from any thread; waits of the engine's later matches go on.
#[derive(Debug, Clone)]
pub struct Stopper {
    teller: Teller,
    number: u64,
}

impl Stopper {
    /// Ends the current wait, or the next one.
    pub fn stop(&self) {
        self.teller.tell(EngineMessage::Stop(self.number));
    }
}

/// An engine's process. Dropping it ends the process and its children.
#[derive(Debug)]
pub struct Engine {
    manager: Manager,
    epoch: Instant,
    pipes: EnginePipes,
    program: Program,
    news: Receiver<EngineMessage>,
    teller: Teller,
    timing: Timing,
    /// The question has not left yet.
    asking: bool,
    /// Number of earlier matches of this process.
    number: u64,
    /// Another thread wants this match to stop.
    stopped: bool,
    /// The process is to run in the sandbox.
    boxed: bool,
    /// The process runs with every restriction enforced, so that it can't reach its warden.
    enclosed: bool,
    _scratch: Scratch,
}

impl Engine {
    /// Starts `command` and begins a match; the engine must be ready by `deadline`.
    ///
    /// # Errors
    /// A message if nothing was started.
    pub fn start(
        command: &[String],
        options: &Options,
        setup: Setup,
        deadline: Option<Instant>,
        seat: usize,
    ) -> Result<Self, String> {
        let scratch = Scratch::new("engine").map_err(|error| format!("no scratch directory: {error}"))?;
        let job = job(command, options, scratch.path(), seat)?;
        let log = OutputLog::open(options.log.as_deref())?;
        let waking = Waking::new().map_err(|error| format!("a pipe: {error}"))?;
        let (send, news) = mpsc::channel();
        let teller = Teller { news: send, waker: waking.waker() };
        let tells = teller.clone();
        let tell = move |event| match event {
            sandbox::Event::Started { gaps } => tells.tell(EngineMessage::Gaps(gaps)),
            sandbox::Event::Note { text } => tells.tell(EngineMessage::Note(text)),
            sandbox::Event::Ended(ending) => tells.tell(EngineMessage::Ended(ending)),
        };
        let words = |error: ProgramError| error.to_string();
        let (program, pipes) = Program::start_piped(&job, &options.grandstand, log, tell).map_err(words)?;
        let pipes = EnginePipes::new(pipes, waking).map_err(|error| format!("its pipes: {error}"))?;
        let epoch = Instant::now();
        let since = |at: Instant| at.saturating_duration_since(epoch);
        let setup = Setup { folder: Some(scratch.path().display().to_string()), ..setup };
        Ok(Self {
            manager: Manager::new(setup, options.said, deadline.map(since)),
            epoch,
            pipes,
            program,
            news,
            teller,
            timing: Timing { asked: epoch, answered: epoch },
            asking: false,
            number: 0,
            stopped: false,
            boxed: options.isolation != Isolation::Off,
            enclosed: false,
            _scratch: scratch,
        })
    }

    /// Begins another match with the same process, or gives [`Event::Renew`] if the process can't play another one.
    pub fn restart(&mut self, setup: Setup, deadline: Option<Instant>) {
        // A stop of the previous match may still arrive: the new number makes it void.
        (self.number, self.stopped) = (self.number + 1, false);
        let deadline = deadline.map(|at| at.saturating_duration_since(self.epoch));
        self.manager.restart(setup, deadline);
    }

    /// Asks a question; `left` is the engine's remaining time of the match.
    pub fn ask(&mut self, question: Question, left: Option<Duration>, deadline: Option<Instant>) {
        // Output from before the question is no answer to it.
        self.hear_news();
        for _ in 0..CHUNKS {
            let Some(bytes) = self.pipes.arrived() else { break };
            self.manager.input(&bytes);
        }
        let now = Instant::now();
        (self.timing, self.asking) = (Timing { asked: now, answered: now }, true);
        let deadline = deadline.map(|at| at.saturating_duration_since(self.epoch));
        self.manager.ask(question, left, deadline);
        self.write();
    }

    /// Handle by which another thread stops a wait of this match.
    pub fn stopper(&self) -> Stopper {
        Stopper { teller: self.teller.clone(), number: self.number }
    }

    /// Waits for the answer to the last question; other events go to `besides`.
    pub fn wait(&mut self, besides: &mut dyn FnMut(Event)) -> Waited {
        // Without `until`, only a stop ends the wait without an answer.
        self.wait_until(None, besides).unwrap_or(Waited::Stopped)
    }

    /// Waits like [`wait`](Self::wait), but at most until `until`; `None` if the answer has not come by then.
    pub fn wait_until(&mut self, until: Option<Instant>, besides: &mut dyn FnMut(Event)) -> Option<Waited> {
        loop {
            self.hear_news();
            if std::mem::take(&mut self.stopped) {
                return Some(Waited::Stopped);
            }
            while let Some(event) = self.manager.event() {
                match event {
                    Event::Name(_) | Event::Thought(_) | Event::Note(_) => besides(event),
                    event => return Some(Waited::For(event)),
                }
            }
            self.write();
            let due = self.manager.next_timeout().map(|at| self.epoch + at);
            let late = due.map(|due| due + ON_ITS_WAY);
            match self.pipes.wait([late, until].into_iter().flatten().min()) {
                PipeEvent::Bytes(bytes, at) => {
                    // The engine wrote this after its deadline.
                    if due.is_some_and(|due| at > due) {
                        self.manager.timeout(at.saturating_duration_since(self.epoch));
                    }
                    self.timing.answered = at;
                    self.manager.input(&bytes);
                }
                PipeEvent::Closed => self.manager.end_of_input(self.epoch.elapsed()),
                PipeEvent::Woken => {}
                PipeEvent::TimedOut => {
                    let now = Instant::now();
                    if late.is_some_and(|late| late <= now) {
                        self.manager.timeout(now.saturating_duration_since(self.epoch));
                    } else if until.is_some_and(|until| until <= now) {
                        return None;
                    }
                }
            }
        }
    }

    /// Writes the manager's pending output.
    fn write(&mut self) {
        let Some(bytes) = self.manager.output() else { return };
        let at = self.pipes.send(&bytes);
        // Only the question itself counts: what is sent while the engine thinks is within its time.
        if std::mem::take(&mut self.asking) {
            // The time until the question left is not the engine's.
            self.manager.put_off(at.saturating_duration_since(self.timing.asked));
            self.timing.asked = at;
        }
    }

    /// Times of the last question and its answer.
    pub fn timing(&self) -> Timing {
        self.timing
    }

    /// Latest output on its standard error.
    pub fn last_words(&self) -> String {
        self.program.last_words()
    }

    /// Whether a fault is not the engine's own: its sandbox could not be created, or is gone though the engine could
    /// not have destroyed it.
    pub fn is_of_machine(&self, fault: &Fault) -> bool {
        match fault {
            Fault::Ended(Ending::NoBox { .. }) => true,
            Fault::Ended(Ending::Lost) => self.enclosed,
            _ => false,
        }
    }

    fn hear_news(&mut self) {
        while let Ok(news) = self.news.try_recv() {
            match news {
                EngineMessage::Gaps(gaps) => {
                    self.enclosed = self.boxed && gaps.is_empty();
                    for gap in gaps {
                        self.manager.remark(format!("not enforced: {gap}"));
                    }
                }
                EngineMessage::Note(text) => self.manager.remark(text),
                EngineMessage::Ended(ending) => self.manager.ended(ending),
                EngineMessage::Stop(number) => self.stopped |= number == self.number,
            }
        }
    }

    /// Sends `END`, waits for [`LEAVE`], and then ends the process and its children; returns a note if that was
    /// necessary.
    pub fn leave(mut self) -> Option<String> {
        self.pipes.send(b"END\r\n");
        self.pipes.close_output();
        match self.program.wait(LEAVE) {
            None => Some(format!("it did not leave within {} s of END and was ended", LEAVE.as_secs())),
            Some(_) => None,
        }
    }
}

/// Sandbox job for an engine.
fn job(command: &[String], options: &Options, scratch: &Path, seat: usize) -> Result<Job, String> {
    let directory = std::env::current_dir().map_err(|error| error.to_string())?;
    let mut command = command.to_vec();
    if let Some(program) = command.first_mut().filter(|program| *program == "grandstand") {
        // The name stands for this program itself, wherever it is installed.
        *program = options.grandstand.display().to_string();
    }
    let mut readable = options.readable.clone();
    readable.extend(directories_of(&directory, &command));
    Ok(Job {
        command,
        env: Vec::new(),
        directory,
        readable,
        scratch: scratch.to_owned(),
        server: None,
        limits: options.limits.clone(),
        strict: true,
        isolation: options.isolation,
        user: NOBODY,
        seat,
    })
}
