//! Questions to a match of Steam Fortress: actions and answers of its units, and the knowledge of their team.
//!
//! A match between shipped teams is replayed from its recording, any other from its file of inputs. Each question
//! replays the match and keeps only the data for its answer.

mod account;
mod json;
mod known_answers;
mod words;

use grandstand_matches::games::fortress::inputs;
use grandstand_matches::games::fortress::spec::ShippedMatch;
use grandstand_matches::inputs::InputsError;
use grandstand_matches::{Ending, HeaderError, LogLine, MatchSpec as _, StampedCommand, StartError, Tracing};
use grandstand_protocol::fortress::Team;
use grandstand_protocol::{Game, MatchHeader};
use grandstand_replays::{Log, Replay};
use grandstand_story::sides::teams_of_sides;
use serde_json::Value;

pub use self::account::{Idle, IdleKind, Loss, Report, UnitReport};
pub use self::known_answers::{PastAction, UnitView, When};
use crate::compare::{Comparison, Difference};

/// Errors of questions to a match of Fortress.
#[derive(Debug, thiserror::Error)]
pub enum FortressError {
    /// The header doesn't describe a match.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// The match can't begin.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The file of inputs is wrong.
    #[error(transparent)]
    Inputs(#[from] InputsError),
    /// No unit has this number.
    #[error("there is no unit {unit}: {known}")]
    NoUnit {
        /// Number in the question.
        unit: u32,
        /// Numbers of the units, in words.
        known: String,
    },
    /// The unit was never destroyed.
    #[error("unit {0} was not lost")]
    NotLost(u32),
}

/// Source of the replay.
#[derive(Debug)]
enum Source {
    Shipped(Box<ShippedMatch>),
    Inputs(String),
}

/// A match that can be replayed.
#[derive(Debug)]
pub struct Fortress {
    source: Source,
    header: MatchHeader,
    /// Recording to compare with.
    log: Option<(Log, bool)>,
    versions: Option<String>,
    remarks: Vec<String>,
}

/// Listener of a replay.
trait Listener {
    /// Called for each entry of the match's log: a unit's action with its answer, or an invalid message.
    fn action(&mut self, millis: u64, entry: LogLine);
    /// Called for each drawn command.
    fn command(&mut self, command: &StampedCommand);
    /// Whether the replay continues.
    fn listens(&self) -> bool {
        true
    }
}

/// Outcome of a replay.
struct Outcome {
    ending: Option<Ending>,
    difference: Option<Difference>,
    /// Time of the end in milliseconds, or that of the recording's last command.
    end: u64,
}

impl Fortress {
    /// Opens the recording of a match between shipped teams.
    ///
    /// # Errors
    /// [`HeaderError::Inputs`] for a match in real time, which only its file of inputs can replay.
    pub fn of_replay(replay: &Replay) -> Result<Self, FortressError> {
        let header = &replay.header().about;
        let spec = ShippedMatch::from_header(header)?;
        let whole = replay.damage().is_none() && replay.log().end().is_some();
        let mut remarks = Vec::new();
        if let Some(damage) = replay.damage() {
            remarks.push(format!("the recording is damaged, and is compared up to there: {damage}"));
        } else if !whole {
            remarks.push("the recording has no result: the match was cut, and is played on".to_owned());
        }
        Ok(Self {
            source: Source::Shipped(Box::new(spec)),
            header: header.clone(),
            log: Some((replay.log().clone(), whole)),
            versions: grandstand_matches::games::changed(Game::Fortress, header),
            remarks,
        })
    }

    /// Opens a file of inputs.
    ///
    /// # Errors
    /// The first invalid line.
    pub fn of_inputs(text: String) -> Result<Self, FortressError> {
        let referee = inputs::replay(&text)?;
        let mut header = referee.header();
        header.by = text.lines().next().and_then(grandstand_matches::inputs::by_of);
        let versions = grandstand_matches::games::changed(Game::Fortress, &header);
        let remarks = versions.iter().cloned().collect();
        Ok(Self { source: Source::Inputs(text), header, log: None, versions, remarks })
    }

    /// Names of the teams' players.
    fn players(&self) -> [String; 2] {
        let mut teams = teams_of_sides(&self.header.teams, Team::ALL.map(Team::color)).into_iter();
        Team::ALL.map(|team| {
            teams.next().flatten().map_or_else(|| team.name().to_owned(), |info| info.name.to_string())
        })
    }

    /// Report of the match.
    ///
    /// # Errors
    /// [`FortressError`]: the match can't be replayed.
    pub fn report(&self) -> Result<Report, FortressError> {
        let mut accounts = account::Accounts::default();
        let outcome = self.play(&mut accounts)?;
        Ok(accounts.into_report(self, outcome))
    }

    /// A unit at a moment.
    ///
    /// # Errors
    /// There is no such unit, or the moment is its loss and it was not lost.
    pub fn at(&self, unit: u32, when: When) -> Result<UnitView, FortressError> {
        let mut watch = known_answers::Watch::new(unit, when);
        let outcome = self.play(&mut watch)?;
        watch.into_view(&outcome)
    }

    /// Replays the match to its end, to the end of the recording, or until `listener` stops it.
    fn play(&self, listener: &mut dyn Listener) -> Result<Outcome, FortressError> {
        let mut comparison = Comparison::new(
            self.log.as_ref().map(|(log, _)| log.clone()),
            self.log.as_ref().is_some_and(|(_, whole)| *whole),
            self.versions.clone(),
        );
        let mut end = 0;
        let mut hear = |commands: Vec<StampedCommand>, entries: Vec<LogLine>| {
            comparison.take(&commands);
            if comparison.compared.difference.is_some() {
                return false;
            }
            end = end.max(merge(commands, entries, listener));
            listener.listens()
        };
        let ending = match &self.source {
            Source::Shipped(spec) => {
                let mut running = spec.start()?;
                running.trace(Tracing::Actions);
                loop {
                    if !hear(running.drain_commands(), running.drain_log_lines()) {
                        break None;
                    }
                    if let Some(ending) = running.ending() {
                        break Some(ending);
                    }
                    running.advance();
                }
            }
            Source::Inputs(text) => {
                let mut goes_on = true;
                let referee = inputs::replay_with(text, |referee| {
                    referee.keep_actions();
                    goes_on = goes_on && hear(referee.drain_commands(), referee.drain_actions());
                })?;
                referee.ending()
            }
        };
        if let Some(ending) = &ending {
            comparison.finish(ending.tick);
            end = end.max(ending.tick);
        }
        Ok(Outcome { ending, difference: comparison.compared.difference.clone(), end })
    }
}

/// Passes commands and entries to the listener in the order of time; in the same millisecond, actions before their
/// commands. Returns the last millisecond.
fn merge(commands: Vec<StampedCommand>, entries: Vec<LogLine>, listener: &mut dyn Listener) -> u64 {
    let mut commands = commands.into_iter().peekable();
    let mut last = 0;
    for entry in entries {
        let Some(millis) = entry.trace.as_ref().and_then(|trace| trace["t"].as_u64()) else { continue };
        while let Some(command) = commands.next_if(|command| command.tick < millis) {
            last = last.max(command.tick);
            listener.command(&command);
        }
        last = last.max(millis);
        listener.action(millis, entry);
    }
    for command in commands {
        last = last.max(command.tick);
        listener.command(&command);
    }
    last
}

/// Unit of an entry.
fn unit_of(trace: &Value) -> Option<u32> {
    trace["bot"].as_u64().and_then(|id| u32::try_from(id).ok())
}

/// Action and answer of an entry, without time and place: `Move left = Success`.
fn action_text(text: &str) -> String {
    text.splitn(3, ": ").nth(2).unwrap_or(text).to_owned()
}

/// `34.120 s`
fn clock(millis: u64) -> String {
    format!("{}.{:03} s", millis / 1_000, millis % 1_000)
}
