//! State machine of the manager's end of the protocol: commands to an engine, and its answers.
//!
//! A [`Manager`] owns no process and no clock. [`input`](Manager::input) takes the bytes that the engine wrote,
//! [`output`](Manager::output) gives the bytes to write to it, and [`event`](Manager::event) gives the results. Times are
//! durations since one fixed moment.

mod event;
mod setup;

use std::collections::VecDeque;
use std::time::Duration;

use grandstand_protocol::text::shorten;
use grandstand_rules::stones::Rule;

pub use event::{Event, Fault};
pub use setup::{BoardPoint, Limits, Opponent, Question, Setup, reserve, told};

use super::command::UNLIMITED;
use super::{Answer, Pair, TruncatingLineDecoder, evaluation};
use crate::sandbox::Ending;

/// Time in which an engine that has closed its output may end, so that the cause is known.
const LAST_GASP: Duration = Duration::from_secs(1);
/// Time for a move that is sent to the engine if nothing is limited.
const UNLIMITED_MOVE: Duration = Duration::from_secs(5);
/// Maximum length of the engine's text in a fault.
const TEXT_MAX: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    /// `START` or `RESTART` was sent.
    Starting { restart: bool },
    /// The engine is idle.
    Ready,
    /// `TAKEBACK` was sent; it will be sent `further` times more before the rest of the question.
    TakingBack { further: usize },
    /// `RESTART` was sent before a `BOARD`.
    Clearing,
    /// The question was sent.
    OpeningQuestion,
    /// The engine has lost or its process has ended.
    Over,
}

/// Output of the engine since the last question.
#[derive(Debug, Default)]
struct OutputCount {
    bytes: u64,
    senseless: u32,
    last: Option<String>,
}

/// One engine, from the start of its process to its end.
#[derive(Debug)]
pub struct Manager {
    setup: Setup,
    limits: Limits,
    lines: TruncatingLineDecoder,
    output: Vec<u8>,
    events: VecDeque<Event>,
    state: State,
    /// The current question: to be sent or already sent.
    question: Question,
    deadline: Option<Duration>,
    /// Moves on the engine's board, if they are known.
    known: Option<Vec<BoardPoint>>,
    /// Side of the engine on its board: it moves first (0) or second (1).
    side: Option<usize>,
    /// `ABOUT` was sent and has not been answered.
    about: bool,
    takes_back: bool,
    since: OutputCount,
    closed: bool,
}

impl Manager {
    /// Manager of an engine whose process has just started. The engine must be [ready](Event::Ready) by `deadline`.
    pub fn new(setup: Setup, limits: Limits, deadline: Option<Duration>) -> Self {
        let mut this = Self {
            setup,
            limits,
            lines: TruncatingLineDecoder::new(limits.line_bytes),
            output: Vec::new(),
            events: VecDeque::new(),
            state: State::Starting { restart: false },
            question: Question::Move(Vec::new()),
            deadline,
            known: Some(Vec::new()),
            side: None,
            about: true,
            takes_back: true,
            since: OutputCount::default(),
            closed: false,
        };
        // An engine allocates its tables when it learns their limit. That must happen before START, whose answer is
        // waited for, and not within a turn.
        this.inform(true);
        let start = this.start_command();
        this.send(&start);
        this
    }

    /// Begins another match with the same engine. The result is [`Event::Ready`] or [`Event::Renew`].
    pub fn restart(&mut self, setup: Setup, deadline: Option<Duration>) {
        let same =
            self.setup.size == setup.size && (self.setup.rule == Rule::Pente) == (setup.rule == Rule::Pente);
        self.setup = setup;
        (self.deadline, self.since) = (deadline, OutputCount::default());
        // Half a line would become the beginning of the first answer.
        let is_clean = self.lines.rest().is_none();
        if self.state != State::Ready || !same || self.closed || !is_clean {
            self.events.push_back(Event::Renew);
            return;
        }
        self.inform(true);
        self.send("RESTART");
        self.state = State::Starting { restart: true };
    }

    fn start_command(&self) -> String {
        let (width, height) = self.setup.size;
        match self.setup.rule {
            Rule::Pente => format!("PENTESTART {width}"),
            _ if width == height => format!("START {width}"),
            _ => format!("RECTSTART {width},{height}"),
        }
    }

    /// Sends the settings of the match; `all` includes those that may take the engine time.
    fn inform(&mut self, all: bool) {
        let Setup { rule, time, memory_bytes, opponent, .. } = self.setup;
        let bits = match rule {
            Rule::Freestyle | Rule::Pente => 0,
            Rule::Exactly5 => 1,
            Rule::Renju => 4,
        };
        let of_match = time.time_millis.map(Duration::from_millis);
        let of_move = time.move_millis.map(Duration::from_millis).or(of_match).unwrap_or(UNLIMITED_MOVE);
        self.send(&format!("INFO rule {bits}"));
        self.send(&format!("INFO timeout_turn {}", told(of_move)));
        self.send(&format!("INFO timeout_match {}", of_match.map_or(0, told)));
        if time.increment_millis > 0 {
            self.send(&format!("INFO time_increment {}", time.increment_millis));
        }
        self.send(&format!("INFO game_type {}", opponent as u8));
        if all {
            self.send(&format!("INFO max_memory {memory_bytes}"));
            if let Some(folder) = self.setup.folder.clone() {
                self.send(&format!("INFO folder {folder}"));
            }
        }
    }

    /// Asks a question. `left` is the engine's remaining time of the match; at `deadline` it has lost.
    pub fn ask(&mut self, question: Question, left: Option<Duration>, deadline: Option<Duration>) {
        if self.state == State::Over {
            return;
        }
        (self.question, self.deadline, self.since) = (question, deadline, OutputCount::default());
        self.send(&format!("INFO time_left {}", left.map_or(UNLIMITED, told)));
        match self.question.clone() {
            Question::Swap2(stones) => {
                self.send("SWAP2BOARD");
                for (x, y) in stones {
                    self.send(&format!("{x},{y}"));
                }
                self.send("DONE");
                (self.known, self.state) = (None, State::OpeningQuestion);
            }
            Question::Move(moves) => self.bring_to(&moves),
        }
        if self.closed {
            self.fail(Fault::Closed);
        }
    }

    /// Brings the engine's board to a position by the fewest commands, and asks for a move there.
    fn bring_to(&mut self, moves: &[BoardPoint]) {
        let same = |known: &[BoardPoint]| known.iter().zip(moves).take_while(|(a, b)| a == b).count();
        let stays = self.side.is_none_or(|side| side == moves.len() % 2);
        match &self.known {
            Some(known) if known.is_empty() && moves.is_empty() => {
                self.send("BEGIN");
                self.asked(moves);
            }
            Some(known) if stays && known.len() + 1 == moves.len() && same(known) == known.len() => {
                let (x, y) = moves[known.len()];
                self.send(&format!("TURN {x},{y}"));
                self.asked(moves);
            }
            Some(known)
                if stays
                    && self.takes_back
                    && known.len() >= moves.len()
                    && same(known) + 1 == moves.len() =>
            {
                let further = known.len() - same(known);
                self.state = State::TakingBack { further };
                self.take_back();
            }
            Some(known) if known.is_empty() => self.board(moves),
            None => self.board(moves),
            Some(_) => {
                self.send("RESTART");
                self.state = State::Clearing;
            }
        }
    }

    fn take_back(&mut self) {
        let State::TakingBack { further } = self.state else { return };
        match self.known.as_mut().and_then(Vec::pop) {
            Some((x, y)) if further > 0 => {
                self.state = State::TakingBack { further: further - 1 };
                self.send(&format!("TAKEBACK {x},{y}"));
            }
            undone => {
                // Every move to be taken back has been; this one stays.
                if let (Some(known), Some(at)) = (&mut self.known, undone) {
                    known.push(at);
                }
                self.resume();
            }
        }
    }

    /// Goes on with the question once the engine's board is ready for it.
    fn resume(&mut self) {
        if let Question::Move(moves) = self.question.clone() {
            self.bring_to(&moves);
        }
    }

    fn board(&mut self, moves: &[BoardPoint]) {
        if moves.is_empty() {
            self.send("BEGIN");
            return self.asked(moves);
        }
        self.send("BOARD");
        for (number, (x, y)) in moves.iter().enumerate() {
            // The last stone is the opponent's.
            let whose = 1 + (moves.len() - number) % 2;
            self.send(&format!("{x},{y},{whose}"));
        }
        self.send("DONE");
        self.asked(moves);
    }

    fn asked(&mut self, moves: &[BoardPoint]) {
        (self.known, self.side, self.state) =
            (Some(moves.to_vec()), Some(moves.len() % 2), State::OpeningQuestion);
    }

    fn send(&mut self, line: &str) {
        self.output.extend_from_slice(line.as_bytes());
        self.output.extend_from_slice(b"\r\n");
    }

    /// Takes bytes that the engine wrote.
    pub fn input(&mut self, bytes: &[u8]) {
        self.since.bytes += bytes.len() as u64;
        self.lines.push(bytes);
        while let Some(line) = self.lines.next_line() {
            if self.state == State::Over {
                return;
            }
            self.line(&line);
        }
        if self.since.bytes > self.limits.answer_bytes && self.waits() {
            self.fail(Fault::Flood { limit: self.limits.answer_bytes });
        }
    }

    /// The engine has closed its output; as a rule its process ends then.
    pub fn end_of_input(&mut self, now: Duration) {
        self.closed = true;
        if self.waits() {
            self.deadline =
                Some(self.deadline.map_or(now + LAST_GASP, |deadline| deadline.min(now + LAST_GASP)));
        }
    }

    /// The engine's process has ended.
    pub fn ended(&mut self, ending: Ending) {
        self.fail(Fault::Ended(ending));
    }

    /// Adds a note about the engine to the log.
    pub fn remark(&mut self, text: String) {
        self.events.push_back(Event::Note(text));
    }

    /// Time at which [`timeout`](Self::timeout) must be called.
    pub fn next_timeout(&self) -> Option<Duration> {
        self.deadline.filter(|_| self.waits())
    }

    /// Moves the deadline by `by`, the time from the call of [`ask`](Self::ask) until the question left.
    pub fn put_off(&mut self, by: Duration) {
        self.deadline = self.deadline.map(|deadline| deadline.saturating_add(by));
    }

    /// Handles a deadline that has passed.
    pub fn timeout(&mut self, now: Duration) {
        if self.next_timeout().is_some_and(|deadline| deadline <= now) {
            let said = self.lines.rest().map(|rest| shortened(&rest)).or(self.since.last.take());
            let fault = match (self.closed, &self.state, said) {
                (true, ..) => Fault::Closed,
                (_, State::Starting { .. }, _) => Fault::NotReady,
                (.., Some(said)) => Fault::NoAnswer { said },
                (.., None) => Fault::Silent,
            };
            self.fail(fault);
        }
    }

    /// Bytes to be written to the engine now.
    pub fn output(&mut self) -> Option<Vec<u8>> {
        (!self.output.is_empty()).then(|| std::mem::take(&mut self.output))
    }

    /// The next event.
    pub fn event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Whether an answer of the engine is awaited.
    pub fn waits(&self) -> bool {
        !matches!(self.state, State::Ready | State::Over)
    }

    fn fail(&mut self, fault: Fault) {
        if self.state != State::Over {
            self.state = State::Over;
            self.events.push_back(Event::Fault(fault));
        }
    }

    fn note(&mut self, line: &str) {
        self.events.push_back(Event::Note(line.to_owned()));
    }

    fn line(&mut self, line: &str) {
        match (Answer::parse(line), &self.state) {
            (Answer::Message(text), _) => {
                self.events.extend(evaluation::read(&text).map(Event::Thought));
                self.note(line);
            }
            (Answer::Debug(_), _) => self.note(line),
            (Answer::About(name), _) => {
                self.about = false;
                self.events.push_back(Event::Name(name));
            }
            (Answer::Ok, State::Starting { restart }) => {
                let restart = *restart;
                (self.state, self.known, self.side) = (State::Ready, Some(Vec::new()), None);
                // Some engines reset with START the settings that they got before.
                self.inform(false);
                if !restart {
                    self.send("ABOUT");
                }
                self.events.push_back(Event::Ready);
            }
            (Answer::Error(_) | Answer::Unknown(_), State::Starting { restart: true }) => {
                self.state = State::Over;
                self.events.push_back(Event::Renew);
            }
            (Answer::Error(_) | Answer::Unknown(_), State::Starting { restart: false }) => {
                let fault = Fault::Refused { command: self.start_command(), answer: shortened(line) };
                self.fail(fault);
            }
            (Answer::Ok, State::TakingBack { .. }) => self.take_back(),
            (Answer::Error(_) | Answer::Unknown(_), State::TakingBack { .. }) => {
                (self.takes_back, self.known) = (false, None);
                self.resume();
            }
            (Answer::Ok | Answer::Error(_) | Answer::Unknown(_), State::Clearing) => {
                // BOARD replaces all stones, so it is sent even to an engine that refuses RESTART.
                self.known = None;
                self.resume();
            }
            (Answer::Points(points), State::OpeningQuestion) => self.points(line, points),
            (Answer::Swap, State::OpeningQuestion) if matches!(&self.question, Question::Swap2(s) if !s.is_empty()) =>
            {
                self.answered(Event::Swap);
            }
            (Answer::Suggest((x, y)), State::OpeningQuestion) => self.send(&format!("PLAY {x},{y}")),
            (Answer::Unknown(_) | Answer::Error(_) | Answer::Other(_), _) if self.about => {
                // Some engines answer ABOUT in a form of their own, or not at all. If no better line follows, this was
                // the answer.
                (self.about, self.since.last) = (false, Some(shortened(line)));
                self.note(line);
            }
            _ => self.senseless(line),
        }
    }

    /// Takes points as an answer, if their number fits the question.
    fn points(&mut self, line: &str, points: Vec<Pair>) {
        let fits = match &self.question {
            Question::Move(_) => points.len() == 1,
            Question::Swap2(stones) => match stones.len() {
                0 => points.len() == 3,
                3 => points.len() <= 2,
                _ => points.len() == 1,
            },
        };
        if !fits {
            return self.senseless(line);
        }
        if let (Question::Move(_), Some(known)) = (&self.question, &mut self.known) {
            // A point off the board ends the match anyway.
            let (x, y) = points[0];
            known.push((u16::try_from(x).unwrap_or(u16::MAX), u16::try_from(y).unwrap_or(u16::MAX)));
        }
        self.answered(Event::Points(points));
    }

    fn answered(&mut self, event: Event) {
        self.state = State::Ready;
        self.events.push_back(event);
    }

    fn senseless(&mut self, line: &str) {
        self.note(line);
        if !self.waits() {
            return;
        }
        self.since.senseless += 1;
        let said = shortened(line);
        self.since.last = Some(said.clone());
        if self.since.senseless > self.limits.senseless {
            self.fail(Fault::Senseless { said });
        }
    }
}

fn shortened(text: &str) -> String {
    shorten(text, TEXT_MAX)
}
