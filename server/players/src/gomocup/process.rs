//! Process of an engine: a [`Manager`] on the pipes of a sandboxed program, and on a clock.
//!
//! One thread reads what the engine writes and notes the time, another one writes the commands. The player's thread waits
//! on one channel for their news, for the end of the process and for a stop; nothing polls.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::manager::{self, Event, Fault, Manager, Question, Setup};
use crate::sandbox::{
    self, Ending, Isolation, Job, Log, NOBODY, Program, ProgramError, Scratch, directories_of,
};
use crate::wakeup_latency::RunQueueDelay;

/// Bytes read at a time.
const CHUNK: usize = 64 * 1024;
/// Chunks that may wait to be handled; an engine that writes more has to wait.
const CHUNKS: usize = 16;
/// Time after a deadline in which an answer that came before it may still be on its way through our threads.
const ON_ITS_WAY: Duration = Duration::from_millis(250);
/// Time in which an engine has to end after `END`.
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
    /// How much of the sandbox is in force.
    pub isolation: Isolation,
    /// Paths that it may read besides the directories of its files.
    pub readable: Vec<PathBuf>,
    /// File for its standard error.
    pub log: Option<PathBuf>,
    /// Limits on its output.
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

/// Message from an engine's threads.
enum News {
    /// A command is about to be written, at this time.
    Writes(Instant),
    /// The engine has written these bytes, at this time.
    Bytes(Vec<u8>, Instant),
    /// The engine has closed its output.
    Closed,
    /// It runs; what is not enforced, in words.
    Note(String),
    /// The process has ended.
    Ended(Ending),
    /// The match with this number is to stop.
    Stop(u64),
}

/// Outcome of a wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Waited {
    /// An [event](Event) that ends a wait: readiness, an answer, a fault.
    For(Event),
    /// It was stopped.
    Stopped,
}

/// Times of a question and its answer, without the delays of our own threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// When the first byte of the question was about to leave.
    pub asked: Instant,
    /// When the last byte of the answer was here.
    pub answered: Instant,
}

/// Stops a wait of one match, from any thread; those of the engine's further matches go on.
#[derive(Debug, Clone)]
pub struct Stopper {
    tell: Sender<News>,
    number: u64,
}

impl Stopper {
    /// Ends the wait that is on, or the next one.
    pub fn stop(&self) {
        // An engine that is gone needs no stop.
        let _ = self.tell.send(News::Stop(self.number));
    }
}

/// An engine's process. Dropping it ends it, with everything that it began.
#[derive(Debug)]
pub struct Engine {
    manager: Manager,
    epoch: Instant,
    program: Option<Program>,
    writer: Option<Sender<Vec<u8>>>,
    credits: Option<Sender<()>>,
    news: Receiver<News>,
    tell: Sender<News>,
    threads: Vec<JoinHandle<()>>,
    timing: Timing,
    /// The question has not left yet.
    asking: bool,
    /// How many matches came before this one.
    number: u64,
    /// Somebody wants this match to stop.
    stopped: bool,
    _scratch: Scratch,
}

impl Engine {
    /// Starts `command` and sends what begins a match; it has to be ready by `deadline`.
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
        let log = Log::open(options.log.as_deref())?;
        let (tell, news) = mpsc::channel();
        let hears = tell.clone();
        let hear = move |event| {
            let events = match event {
                sandbox::Event::Started { gaps } => {
                    gaps.into_iter().map(|gap| News::Note(format!("not enforced: {gap}"))).collect()
                }
                sandbox::Event::Note { text } => vec![News::Note(text)],
                sandbox::Event::Ended(ending) => vec![News::Ended(ending)],
            };
            events.into_iter().for_each(|event| drop(hears.send(event)));
        };
        let words = |error: ProgramError| error.to_string();
        let (program, pipes) = Program::start_piped(&job, &options.grandstand, log, hear).map_err(words)?;
        let (writer, lines) = mpsc::channel();
        let (credits, credit) = mpsc::channel();
        for _ in 0..CHUNKS {
            // Its receiver is here still.
            let _ = credits.send(());
        }
        let (reads, writes) = (tell.clone(), tell.clone());
        let spawn = |name: &str, work: Box<dyn FnOnce() + Send>| {
            thread::Builder::new()
                .name(name.to_owned())
                .spawn(work)
                .map_err(|error| format!("a thread: {error}"))
        };
        let threads = vec![
            spawn("engine says", Box::new(move || read(pipes.from, &credit, &reads)))?,
            spawn("engine is told", Box::new(move || write(pipes.to, &lines, &writes)))?,
        ];
        let epoch = Instant::now();
        let since = |at: Instant| at.saturating_duration_since(epoch);
        let setup = Setup { folder: Some(scratch.path().display().to_string()), ..setup };
        Ok(Self {
            manager: Manager::new(setup, options.said, deadline.map(since)),
            epoch,
            program: Some(program),
            writer: Some(writer),
            credits: Some(credits),
            news,
            tell,
            threads,
            timing: Timing { asked: epoch, answered: epoch },
            asking: false,
            number: 0,
            stopped: false,
            _scratch: scratch,
        })
    }

    /// Begins another match with the same process; [`Event::Renew`] is the answer of one that can't.
    pub fn again(&mut self, setup: Setup, deadline: Option<Instant>) {
        // Who stopped the match before may do so as late as now.
        (self.number, self.stopped) = (self.number + 1, false);
        let deadline = deadline.map(|at| at.saturating_duration_since(self.epoch));
        self.manager.again(setup, deadline);
    }

    /// Asks a question; `left` is the time that it has for the rest of the match.
    pub fn ask(&mut self, question: Question, left: Option<Duration>, deadline: Option<Instant>) {
        // What came before the question is no answer to it.
        while let Ok(news) = self.news.try_recv() {
            self.hear(news);
        }
        let now = Instant::now();
        (self.timing, self.asking) = (Timing { asked: now, answered: now }, true);
        let deadline = deadline.map(|at| at.saturating_duration_since(self.epoch));
        self.manager.ask(question, left, deadline);
    }

    /// Handle by which another thread stops a wait of this match.
    pub fn stopper(&self) -> Stopper {
        Stopper { tell: self.tell.clone(), number: self.number }
    }

    /// Waits for the answer to the last question; other events go to `besides`.
    pub fn wait(&mut self, besides: &mut dyn FnMut(Event)) -> Waited {
        loop {
            if std::mem::take(&mut self.stopped) {
                return Waited::Stopped;
            }
            while let Some(event) = self.manager.event() {
                match event {
                    Event::Name(_) | Event::Thought(_) | Event::Note(_) => besides(event),
                    event => return Waited::For(event),
                }
            }
            if let (Some(bytes), Some(writer)) = (self.manager.output(), &self.writer) {
                // Its thread ends with the process.
                let _ = writer.send(bytes);
            }
            let due = self.manager.next_timeout().map(|at| self.epoch + at);
            let patience = due.map(|due| (due + ON_ITS_WAY).saturating_duration_since(Instant::now()));
            let news = match patience {
                Some(patience) => self.news.recv_timeout(patience),
                None => self.news.recv().map_err(|mpsc::RecvError| RecvTimeoutError::Disconnected),
            };
            match news {
                Ok(news) => {
                    // Its time was over before it wrote this.
                    if let (News::Bytes(_, at), Some(due)) = (&news, due)
                        && *at > due
                    {
                        self.manager.timeout(at.saturating_duration_since(self.epoch));
                    }
                    self.hear(news);
                }
                Err(RecvTimeoutError::Timeout) => self.manager.timeout(self.epoch.elapsed()),
                // It can't be: this holds a sender.
                Err(RecvTimeoutError::Disconnected) => return Waited::For(Event::Fault(Fault::Closed)),
            }
        }
    }

    /// Times of the last question and its answer.
    pub fn timing(&self) -> Timing {
        self.timing
    }

    /// Latest output on its standard error.
    pub fn last_words(&self) -> String {
        self.program.as_ref().map(Program::last_words).unwrap_or_default()
    }

    fn hear(&mut self, news: News) {
        match news {
            News::Writes(at) => {
                // Only the question itself: what it is told while it thinks is within its time.
                if std::mem::take(&mut self.asking) {
                    // What it took until then is not its time.
                    self.manager.put_off(at.saturating_duration_since(self.timing.asked));
                    self.timing.asked = at;
                }
            }
            News::Bytes(bytes, at) => {
                self.timing.answered = at;
                self.manager.input(&bytes);
                if let Some(credits) = &self.credits {
                    // A reader that has ended needs none.
                    let _ = credits.send(());
                }
            }
            News::Closed => self.manager.end_of_input(self.epoch.elapsed()),
            News::Note(text) => self.manager.remark(text),
            News::Ended(ending) => self.manager.ended(ending),
            News::Stop(number) => self.stopped |= number == self.number,
        }
    }

    /// Sends `END`, and ends the process and its children after [`LEAVE`]; gives a note if that was necessary.
    pub fn leave(mut self) -> Option<String> {
        if let Some(writer) = self.writer.take() {
            let _ = writer.send(b"END\r\n".to_vec());
        }
        let program = self.program.as_ref()?;
        match program.wait(LEAVE) {
            None => Some(format!("it did not leave within {} s of END and was ended", LEAVE.as_secs())),
            Some(_) => None,
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        (self.writer, self.credits) = (None, None);
        if let Some(program) = self.program.take() {
            program.stop();
        }
        for thread in self.threads.drain(..) {
            // Its pipe is closed: it has ended, or does so now.
            let _ = thread.join();
        }
    }
}

/// Order to the sandbox for an engine.
fn job(command: &[String], options: &Options, scratch: &Path, seat: usize) -> Result<Job, String> {
    let directory = std::env::current_dir().map_err(|error| error.to_string())?;
    let mut command = command.to_vec();
    if let Some(program) = command.first_mut().filter(|program| *program == "grandstand") {
        // This very program, wherever it lies.
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

fn read(mut from: impl Read, credit: &Receiver<()>, tell: &Sender<News>) {
    let mut buffer = vec![0; CHUNK];
    let delay = RunQueueDelay::of_this_thread();
    // Without credit nobody looks at what is read.
    while credit.recv().is_ok() {
        let (began, queued) = (Instant::now(), delay.so_far());
        let read = loop {
            match from.read(&mut buffer) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        match read {
            Ok(0) | Err(_) => break,
            Ok(n) => {
                // Where this thread had to queue for a core, the bytes were here by so much earlier.
                let queued = delay.so_far().saturating_sub(queued);
                let at = Instant::now().checked_sub(queued).map_or(began, |at| at.max(began));
                if tell.send(News::Bytes(buffer[..n].to_vec(), at)).is_err() {
                    return;
                }
            }
        }
    }
    // Nobody may listen any more.
    let _ = tell.send(News::Closed);
}

fn write(mut to: impl Write, lines: &Receiver<Vec<u8>>, tell: &Sender<News>) {
    for bytes in lines {
        // An engine that does not read is not our business: its answer does not come.
        let _ = tell.send(News::Writes(Instant::now()));
        if to.write_all(&bytes).and_then(|()| to.flush()).is_err() {
            return;
        }
    }
}
