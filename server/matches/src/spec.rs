//! A match of any game: [`MatchSpec`] before it begins, [`RunningMatch`] while it is played, [`Ending`] once it is over.

use std::error::Error;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use grandstand_protocol::{Color, Command, Game, MatchHeader, MatchResult, Scene, Seat, SeatRequest};
use serde_json::{Map, Value, json};

/// All that decides a match. Started twice, it draws the same commands byte for byte, unless its players depend on time.
pub trait MatchSpec: Send + Sync {
    /// Whose rules it is played by.
    fn game(&self) -> Game;

    /// The two sides, in the order in which players are named.
    fn sides(&self) -> [Side; 2];

    /// How its ticks become time.
    fn tempo(&self) -> Tempo;

    /// What chance is drawn from.
    fn seed(&self) -> u64;

    /// What is known of it before it begins; `started` is when that is, in RFC 3339.
    fn header(&self, started: Option<&str>) -> MatchHeader;

    /// The same match with another seed, and with the players on each other's sides if they are `swapped`.
    fn variation(&self, seed: u64, swapped: bool) -> Box<dyn MatchSpec>;

    /// Begins it.
    ///
    /// # Errors
    /// If it can't begin: the settings are wrong, or a port, file or program is missing.
    fn start(&self) -> Result<Box<dyn RunningMatch>, StartError>;
}

/// A match that is being played.
pub trait RunningMatch: Send {
    /// Plays on a little, so that what is drawn can be taken away in between; a match that
    /// [keeps time](Tempo::keeps_time) takes that time. Does nothing once the match is over.
    fn advance(&mut self);

    /// What was drawn since the last call, in order.
    fn drain_commands(&mut self) -> Vec<StampedCommand>;

    /// Diagnostics since the last call, in order: what became of the players, and what they said; when it is
    /// [traced](Self::trace), what they did too.
    fn drain_log_lines(&mut self) -> Vec<LogLine>;

    /// Asks, before it is played, for more than the diagnostics that there always are. What is drawn is the same.
    fn trace(&mut self, tracing: Tracing) {
        let _ = tracing;
    }

    /// What cost each side most of its moves, worst first, each in one line; nothing unless it is [traced](Self::trace), and in games whose players
    /// are no programs of threads.
    fn costs(&self) -> [Vec<String>; 2] {
        [Vec::new(), Vec::new()]
    }

    /// The picture that what was drawn so far must show, without talk and what else passes.
    fn scene(&self) -> Scene;

    /// The seats at which people may play over bridges, where there are some.
    fn seats(&self) -> Option<Arc<dyn Seats>> {
        None
    }

    /// How the match stands, in one short line.
    fn progress(&self) -> String;

    /// How it ended, once it has.
    fn ending(&self) -> Option<Ending>;
}

/// Plays a match on to its end. What is drawn and said meanwhile is dropped, so that it does not pile up.
pub fn play_out(running: &mut dyn RunningMatch) -> Ending {
    loop {
        if let Some(ending) = running.ending() {
            return ending;
        }
        running.advance();
        running.drain_commands();
        running.drain_log_lines();
    }
}

/// Seats of a match at which people may play over bridges.
pub trait Seats: Debug + Send + Sync {
    /// The seats in the order of the sides, as bridges are told.
    fn list(&self) -> Vec<Seat>;

    /// Takes a request of the holder of a team's seat; `reply` is told the outcome, sooner or later.
    fn request(&self, team: &str, request: SeatRequest, reply: SeatReply);
}

/// Where the outcome of a request goes: done, or why it is refused.
pub type SeatReply = Box<dyn FnOnce(Result<(), String>) + Send>;

/// One of the two sides of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Side {
    /// The team's name in the game's dialect.
    pub name: &'static str,
    /// The colour that it is shown in.
    pub color: Color,
}

/// How a match's ticks become time. A tick is the game's smallest unit of time: a cycle, a step, a millisecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tempo {
    /// What a beat is called: a turn.
    pub beat: &'static str,
    /// Ticks in a beat.
    pub ticks: u64,
    /// What a beat takes for people who watch. A replay of a match that ran faster is timed by it too.
    pub watchable: Duration,
    /// Whether the match has a clock of its own, so that nobody need hold it back.
    pub keeps_time: bool,
}

/// How much is told of a match besides what becomes of its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tracing {
    /// What cost the sides most: [`RunningMatch::costs`].
    Costs,
    /// That, and everything that players do, with its answer: entries of the log.
    Actions,
}

/// An entry of a match's log.
#[derive(Debug, Clone, PartialEq)]
pub struct LogLine {
    /// One line, or several, without the last line end.
    pub text: String,
    /// What kind of entry it is.
    pub level: LogLevel,
    /// The same for programs, as `server/TRACE.md` describes it, where the match is [traced](RunningMatch::trace).
    pub trace: Option<Value>,
}

/// Kind of an entry of a match's log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// What a bot said.
    Talk,
    /// What became of a player.
    Fate,
    /// What a player tried in vain, and why; who waits for whom.
    Failure,
    /// What a player did.
    Action,
}

impl From<String> for LogLine {
    fn from(text: String) -> Self {
        let trace = Some(json!({ "event": "note", "text": text }));
        Self { text, level: LogLevel::Fate, trace }
    }
}

/// A command and when it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StampedCommand {
    /// The tick, counted from 1; 0 for what draws the board before the match begins.
    pub tick: u64,
    /// The command.
    pub command: Command,
}

/// How a match ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Ending {
    /// The sides.
    pub sides: [Side; 2],
    /// The tick at whose end it was over.
    pub tick: u64,
    /// Which side has won, as an index; `None` for a draw.
    pub winner: Option<usize>,
    /// Why it is over, by one of the words that the game documents.
    pub termination: &'static str,
    /// The points of the two sides, in games that have some.
    pub score: Option<[u64; 2]>,
    /// How long it was, by each of the game's units, the one that people think in first.
    pub lengths: Vec<(&'static str, u64)>,
    /// What else belongs to the result, by its name in JSON.
    pub detail: Map<String, Value>,
    /// What only a summary tells, by its name in JSON.
    pub remarks: Map<String, Value>,
    /// The remarks in words, where there is something to remark.
    pub words: Option<String>,
    /// Whether the players have changed sides since the match began.
    pub swapped: bool,
}

impl Ending {
    /// The result as replays and bridges know it: besides winner and termination the score if there is one, the lengths and the
    /// detail.
    pub fn result(&self) -> MatchResult {
        let mut detail = self.detail.clone();
        if let Some(score) = self.score {
            detail.insert("score".to_owned(), each(self.sides, score));
        }
        detail.extend(self.lengths.iter().map(|&(unit, length)| (unit.to_owned(), length.into())));
        MatchResult {
            winner: self.winner.map(|side| self.sides[side].name.into()),
            termination: self.termination.into(),
            detail,
        }
    }
}

/// How many messages of the two sides were too many and not shown, as [`Ending::remarks`] and [`Ending::words`] have it.
pub(crate) fn dropped_talks(sides: [Side; 2], dropped: [u64; 2]) -> (Map<String, Value>, Option<String>) {
    let sum: u64 = dropped.iter().sum();
    let words = (sum > 0).then(|| format!("{sum} messages were too many and not shown"));
    (Map::from_iter([("dropped_talks".to_owned(), each(sides, dropped))]), words)
}

/// An object with a value for each side, by its name.
pub fn each<T: Into<Value>>(sides: [Side; 2], values: [T; 2]) -> Value {
    sides.into_iter().map(|side| side.name.to_owned()).zip(values.map(Into::into)).collect()
}

/// Why a match can't begin.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct StartError(#[from] Box<dyn Error + Send + Sync>);

impl StartError {
    /// For this reason.
    pub fn new(reason: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(reason.into())
    }
}
