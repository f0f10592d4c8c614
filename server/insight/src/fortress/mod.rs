//! A match of Steam Fortress that can be asked: what its units did and were answered, and what their team was told.
//!
//! A match between shipped teams is played again from its recording, and any other from the file of its inputs. Each
//! question plays it once more; nothing but what the answer needs is kept.

mod account;
mod told;
mod words;

use grandstand_matches::games::fortress::inputs;
use grandstand_matches::games::fortress::spec::ShippedMatch;
use grandstand_matches::inputs::InputsError;
use grandstand_matches::{Ending, HeaderError, LogLine, MatchSpec as _, StampedCommand, StartError, Tracing};
use grandstand_protocol::fortress::Team;
use grandstand_protocol::{Game, MatchHeader};
use grandstand_replays::{Log, Replay};
use serde_json::Value;

pub use self::account::{Idle, IdleKind, Loss, Report, UnitReport};
pub use self::told::{Deed, UnitView, When};
use crate::compare::{Comparison, Difference};

/// Why a match of Fortress can't be asked.
#[derive(Debug, thiserror::Error)]
pub enum FortressError {
    /// The header does not tell the match.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// It can't begin.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The file of inputs is wrong.
    #[error(transparent)]
    Inputs(#[from] InputsError),
    /// There is no such unit.
    #[error("there is no unit {unit}: {known}")]
    NoUnit {
        /// The number that was asked for.
        unit: u32,
        /// The numbers that there are.
        known: String,
    },
    /// The unit was never destroyed.
    #[error("unit {0} was not lost")]
    NotLost(u32),
}

/// What is played again.
#[derive(Debug)]
enum Source {
    Shipped(Box<ShippedMatch>),
    Inputs(String),
}

/// A match that can be asked.
#[derive(Debug)]
pub struct Fortress {
    source: Source,
    header: MatchHeader,
    /// The recording that what is drawn is compared with.
    log: Option<(Log, bool)>,
    versions: Option<String>,
    remarks: Vec<String>,
}

/// What hears of a match while it is played again.
trait Listener {
    /// A unit's action with its answer, or a message that is none: the entry of the match's log.
    fn action(&mut self, millis: u64, entry: LogLine);
    /// A command was drawn.
    fn command(&mut self, command: &StampedCommand);
    /// Whether there is more to hear.
    fn listens(&self) -> bool {
        true
    }
}

/// How a match that was played again came out.
struct Outcome {
    ending: Option<Ending>,
    difference: Option<Difference>,
    /// The millisecond in which it ended, or from which on the recording has nothing more.
    end: u64,
}

impl Fortress {
    /// The match of a recording: one between shipped teams.
    ///
    /// # Errors
    /// [`HeaderError::Inputs`] for one in real time, which only the file of its inputs repeats.
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

    /// The match of a file of inputs.
    ///
    /// # Errors
    /// The first line that is wrong.
    pub fn of_inputs(text: String) -> Result<Self, FortressError> {
        let referee = inputs::replay(&text)?;
        let mut header = referee.header();
        header.by = text.lines().next().and_then(grandstand_matches::inputs::by_of);
        let versions = grandstand_matches::games::changed(Game::Fortress, &header);
        let remarks = versions.iter().cloned().collect();
        Ok(Self { source: Source::Inputs(text), header, log: None, versions, remarks })
    }

    /// The names of the teams' players.
    fn players(&self) -> [String; 2] {
        Team::ALL.map(|team| {
            let named = self.header.teams.iter().find(|info| info.color == team.color());
            named.map_or_else(|| team.name().to_owned(), |info| info.name.to_string())
        })
    }

    /// Why the match went as it did.
    ///
    /// # Errors
    /// [`FortressError`]: the match can't be played again.
    pub fn report(&self) -> Result<Report, FortressError> {
        let mut accounts = account::Accounts::default();
        let outcome = self.play(&mut accounts)?;
        Ok(accounts.into_report(self, outcome))
    }

    /// A unit at a moment.
    ///
    /// # Errors
    /// There is no such unit, or it was not lost where its loss is asked for.
    pub fn at(&self, unit: u32, when: When) -> Result<UnitView, FortressError> {
        let mut watch = told::Watch::new(unit, when);
        let outcome = self.play(&mut watch)?;
        watch.into_view(self, &outcome)
    }

    /// Plays the match, up to its end or the end of the recording, as long as `listener` listens.
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

/// Tells commands and entries in the order of time; of the same millisecond, actions before what they drew. Returns the last
/// millisecond.
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

/// The unit of an entry.
fn unit_of(trace: &Value) -> Option<u32> {
    trace["bot"].as_u64().and_then(|id| u32::try_from(id).ok())
}

/// An entry's action and answer, without its time and place: `Move left = Success`.
fn deed_text(text: &str) -> String {
    text.splitn(3, ": ").nth(2).unwrap_or(text).to_owned()
}

/// `34.120 s`
fn clock(millis: u64) -> String {
    format!("{}.{:03} s", millis / 1_000, millis % 1_000)
}
