//! Interface of matches of any game: [`MatchSpec`] before, [`RunningMatch`] during and [`Ending`] after play.

use std::error::Error;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use grandstand_protocol::{Color, Command, Game, MatchHeader, MatchResult, Scene, Seat, SeatRequest};
use serde_json::{Map, Value, json};

/// Everything that decides a match. Started twice, it draws the same commands byte for byte, unless its players depend
/// on time.
pub trait MatchSpec: Send + Sync {
    /// The game.
    fn game(&self) -> Game;

    /// The two sides, in the order in which players are named.
    fn sides(&self) -> [Side; 2];

    /// Relation of ticks to time.
    fn tempo(&self) -> Tempo;

    /// Seed of all chance.
    fn seed(&self) -> u64;

    /// Header of the match before it begins; `started` is the time of its start, in RFC 3339.
    fn header(&self, started: Option<&str>) -> MatchHeader;

    /// The same match with another seed, and with the sides exchanged if `swapped`.
    fn variation(&self, seed: u64, swapped: bool) -> Box<dyn MatchSpec>;

    /// Gives the players the names, by side, under which the match draws them, such as theirs in a tournament. A game that
    /// draws no names shows those of its header.
    fn name_players(&mut self, names: [&str; 2]) {
        let _ = names;
    }

    /// Settings that the holder of a seat may choose for the next match; `None` for games without seats.
    fn seat_choices(&self) -> Option<&'static SeatChoices> {
        None
    }

    /// Begins the match.
    ///
    /// # Errors
    /// If the match can't begin: the settings are wrong, or a port, file or program is missing.
    fn start(&self) -> Result<Box<dyn RunningMatch>, StartError>;
}

/// A value of a setting, as `--set` takes it, with its label.
pub type LabelledValue = (&'static str, &'static str);

/// Settings that the holder of a seat may choose for the next match, besides the side and the clock.
#[derive(Debug)]
pub struct SeatChoices {
    /// Opponents, as `play` takes them, the weakest first.
    pub opponents: &'static [LabelledValue],
    /// Settings: name, label and values.
    pub settings: &'static [(&'static str, &'static str, &'static [LabelledValue])],
}

/// A match that is being played.
pub trait RunningMatch: Send {
    /// Plays a short part of the match, so that its commands can be drained in between; a match that [keeps
    /// time](Tempo::keeps_time) takes as long as that part. Does nothing once the match is over.
    fn advance(&mut self);

    /// Commands drawn since the last call, in order.
    fn drain_commands(&mut self) -> Vec<StampedCommand>;

    /// Log entries since the last call, in order: fates and messages of the players, and also their actions if the
    /// match is [traced](Self::trace).
    fn drain_log_lines(&mut self) -> Vec<LogLine>;

    /// Makes the match keep the requests of its bots that change its world, from now on. Games whose players are not
    /// programs of threads have none.
    fn keep_bot_requests(&mut self) {}

    /// The requests since the last call, in order, where they are [kept](Self::keep_bot_requests): the data of a line of code
    /// `q`. `None` without a request.
    fn drain_bot_requests(&mut self) -> Option<String> {
        None
    }

    /// Requests more than the usual diagnostics, before the match is played. The commands are the same.
    fn trace(&mut self, tracing: Tracing) {
        let _ = tracing;
    }

    /// The greatest costs of each side in lost moves, worst first, one line each; empty unless the match is
    /// [traced](Self::trace), and in games whose players are not programs of threads.
    fn costs(&self) -> [Vec<String>; 2] {
        [Vec::new(), Vec::new()]
    }

    /// The scene that the commands so far must give, without talk and other transient effects.
    fn scene(&self) -> Scene;

    /// Seats at which people may play over bridges, if there are any.
    fn seats(&self) -> Option<Arc<dyn Seats>> {
        None
    }

    /// State of the match in one short line.
    fn progress(&self) -> String;

    /// Ending of the match, once it is over.
    fn ending(&self) -> Option<Ending>;
}

/// Plays a match to its end. Commands and log entries are discarded, so that they do not pile up.
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
    /// The seats in the order of the sides, in the form for bridges.
    fn list(&self) -> Vec<Seat>;

    /// Takes a request of the holder of a team's seat; `reply` receives the outcome, sooner or later.
    fn request(&self, team: &str, request: SeatRequest, reply: SeatReply);
}

/// Receiver of a request's outcome: success, or the reason for the refusal.
pub type SeatReply = Box<dyn FnOnce(Result<(), String>) + Send>;

/// One of the two sides of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Side {
    /// Name of the team in the game's dialect.
    pub name: &'static str,
    /// Colour of the team.
    pub color: Color,
}

/// Relation of a match's ticks to time. A tick is the game's smallest unit of time: a cycle, a step, a millisecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tempo {
    /// Name of a beat, such as a turn.
    pub beat: &'static str,
    /// Ticks in a beat.
    pub ticks: u64,
    /// Duration of a beat for people who watch. The replay of a match that ran faster is timed by it too.
    pub watchable: Duration,
    /// Whether the match has a clock of its own, so that the caller need not pace it.
    pub keeps_time: bool,
}

/// Amount of diagnostics besides the players' fates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tracing {
    /// The greatest costs of the sides: [`RunningMatch::costs`].
    Costs,
    /// The costs, and all actions of players with their answers as entries of the log.
    Actions,
}

/// An entry of a match's log.
#[derive(Debug, Clone, PartialEq)]
pub struct LogLine {
    /// Text of one or several lines, without the last line end.
    pub text: String,
    /// Kind of the entry.
    pub level: LogLevel,
    /// The entry as JSON, described in `server/TRACE.md`; present if the match is [traced](RunningMatch::trace).
    pub trace: Option<Value>,
}

/// Kind of an entry of a match's log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// A message of a bot.
    Talk,
    /// The fate of a player.
    Fate,
    /// A failed action with its cause, or a wait for another thread.
    Failure,
    /// An action of a player.
    Action,
}

impl From<String> for LogLine {
    fn from(text: String) -> Self {
        let trace = Some(json!({ "event": "note", "text": text }));
        Self { text, level: LogLevel::Fate, trace }
    }
}

/// A command with its tick.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StampedCommand {
    /// Tick, counted from 1; 0 for the commands that draw the board before the match begins.
    pub tick: u64,
    /// The command.
    pub command: Command,
}

/// Ending of a match.
#[derive(Debug, Clone, PartialEq)]
pub struct Ending {
    /// The sides.
    pub sides: [Side; 2],
    /// Tick at whose end the match was over.
    pub tick: u64,
    /// Index of the side that won; `None` for a draw.
    pub winner: Option<usize>,
    /// Cause of the end, one of the words that the game documents.
    pub termination: &'static str,
    /// Points of the two sides, in games that have points.
    pub score: Option<[u64; 2]>,
    /// Lengths of the match by the game's units, the most usual one first.
    pub lengths: Vec<(&'static str, u64)>,
    /// Further fields of the result, by their names in JSON.
    pub detail: Map<String, Value>,
    /// Fields of the summary alone, by their names in JSON.
    pub remarks: Map<String, Value>,
    /// The remarks in words, if there are any.
    pub words: Option<String>,
    /// Whether the players changed sides during the match.
    pub swapped: bool,
}

impl Ending {
    /// The result for replays and bridges: winner, termination, the score if there is one, the lengths and the detail.
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

/// The numbers of each side's messages beyond the limit, which were not shown, for [`Ending::remarks`] and
/// [`Ending::words`].
pub(crate) fn dropped_talks(sides: [Side; 2], dropped: [u64; 2]) -> (Map<String, Value>, Option<String>) {
    let sum: u64 = dropped.iter().sum();
    let words = (sum > 0).then(|| format!("{sum} messages were too many and not shown"));
    (Map::from_iter([("dropped_talks".to_owned(), each(sides, dropped))]), words)
}

/// Object with a value for each side, by the side's name.
pub fn each<T: Into<Value>>(sides: [Side; 2], values: [T; 2]) -> Value {
    sides.into_iter().map(|side| side.name.to_owned()).zip(values.map(Into::into)).collect()
}

/// Reason for which a match can't begin.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct StartError(#[from] Box<dyn Error + Send + Sync>);

impl StartError {
    /// An error for this reason.
    pub fn new(reason: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(reason.into())
    }
}
