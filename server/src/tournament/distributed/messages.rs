//! Messages between a director and a worker, besides the report of a game.

use serde::{Deserialize, Serialize};

use super::super::definition::needs::check_label;
use super::job::{Job, JobId};
use super::wire::{self, Message, WireError};

/// Digits of a session.
const SESSION_DIGITS: usize = 32;
/// Longest name and version in bytes.
const NAME_BYTES: usize = 64;
/// Greatest number of labels.
const LABELS: usize = 64;
/// Greatest number of games that a worker plays at a time.
pub(super) const MOST_JOBS: u32 = 1024;
/// Greatest number of results that a worker keeps until they are stored.
pub(super) const MOST_KEPT: usize = 8192;
/// Greatest number of games that a worker plays, or hands in again.
const MOST_RUNNING: usize = MOST_JOBS as usize + MOST_KEPT;

/// Number of games that a worker plays at a time, in words.
pub(super) fn at_a_time(jobs: u32) -> String {
    match jobs {
        1 => "one game at a time".to_owned(),
        many => format!("{many} games at a time"),
    }
}

/// A worker's stay at a director. A director that was started again knows none.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Session(pub(super) String);

impl Session {
    /// Checks its form.
    pub(super) fn check(&self) -> Result<(), WireError> {
        wire::hex("session", &self.0, SESSION_DIGITS)
    }
}

/// Versions of a program: those that differ don't work together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Version {
    /// Version of the messages.
    pub(super) protocol: u32,
    /// Version of the program, whose rules decide the games.
    pub(super) version: String,
}

impl Version {
    /// The version of this program.
    pub(super) fn own() -> Self {
        Self { protocol: wire::PROTOCOL, version: env!("CARGO_PKG_VERSION").to_owned() }
    }

    /// Why a worker of this version can't work for this program; `None` if it can.
    pub(super) fn refusal(&self) -> Option<String> {
        let own = Self::own();
        (*self != own).then(|| {
            format!(
                "the worker is grandstand {} (work {}), and the director is grandstand {} (work {}): both must be the same version",
                self.version, self.protocol, own.version, own.protocol
            )
        })
    }
}

/// A worker comes. Members that are not known are passed over, so that a worker of another version is told so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Hello {
    #[serde(flatten)]
    pub(super) version: Version,
    /// Name of the worker.
    pub(super) name: String,
    /// Number of games that it plays at a time.
    pub(super) jobs: u32,
    /// Number of its cores.
    pub(super) cores: u32,
    /// Its processor's architecture, such as `x86_64`: one of its labels.
    pub(super) arch: String,
    /// Labels of its other capabilities.
    #[serde(default)]
    pub(super) labels: Vec<String>,
    /// Its memory in MiB, if it is known.
    #[serde(default)]
    pub(super) memory_mib: Option<u64>,
    /// Its measured speed, if it is known: see `speed`.
    #[serde(default)]
    pub(super) speed: Option<u32>,
    /// Hash of the tournament that it took part in, unless it knows that it is over: a director whose tournament is over takes
    /// it in nevertheless, to tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tournament_id: Option<String>,
}

impl Message for Hello {
    fn check(&self) -> Result<(), WireError> {
        for (name, text) in [("version", &self.version.version), ("name", &self.name), ("arch", &self.arch)] {
            wire::text(name, text, NAME_BYTES)?;
        }
        if let Some(id) = &self.tournament_id {
            wire::text("tournament_id", id, NAME_BYTES)?;
        }
        if self.name.trim().is_empty() {
            return Err(WireError::Value { name: "name", fault: "is empty".to_owned() });
        }
        wire::count("labels", self.labels.len(), LABELS)?;
        for label in &self.labels {
            check_label(label).map_err(|fault| WireError::Value { name: "labels", fault })?;
        }
        if self.jobs == 0 || self.jobs > MOST_JOBS {
            return Err(WireError::Value {
                name: "jobs",
                fault: format!("is {}; expected 1 to {MOST_JOBS}", self.jobs),
            });
        }
        Ok(())
    }
}

/// A worker is taken in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Welcome {
    pub(super) session: Session,
    /// Name of the tournament.
    pub(super) tournament: String,
    /// Hash that its games have in `tournament`.
    #[serde(default)]
    pub(super) tournament_id: String,
    /// Time between two beats, in milliseconds.
    pub(super) beat_ms: u64,
    /// Whether games have clocks, so that the worker has to say what else its machine does.
    #[serde(default)]
    pub(super) clocks: bool,
}

impl Message for Welcome {
    fn check(&self) -> Result<(), WireError> {
        self.session.check()?;
        wire::text("tournament", &self.tournament, 512)?;
        wire::text("tournament_id", &self.tournament_id, NAME_BYTES)?;
        if !(10..=60_000).contains(&self.beat_ms) {
            let fault = format!("is {}; expected 10 to 60000", self.beat_ms);
            return Err(WireError::Value { name: "beat_ms", fault });
        }
        Ok(())
    }
}

/// A worker asks for a game, or takes its leave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JobRequest {
    pub(super) session: Session,
    /// Share of its cores that other programs use, in percent, if it is known and games have clocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) load: Option<u8>,
}

impl Message for JobRequest {
    fn check(&self) -> Result<(), WireError> {
        self.session.check()
    }
}

/// Answer to a request for work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Assignment {
    /// A game to be played.
    Job {
        /// The identity under which it is reported.
        id: JobId,
        /// The game.
        job: Box<Job>,
    },
    /// Nothing now: ask again.
    Nothing,
    /// The tournament is over, or its run was stopped.
    Over,
}

impl Message for Assignment {
    fn check(&self) -> Result<(), WireError> {
        match self {
            Self::Job { id, job } => {
                id.check()?;
                job.check()
            }
            Self::Nothing | Self::Over => Ok(()),
        }
    }
}

/// Whether a result counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Taken {
    pub(super) counts: bool,
}

impl Message for Taken {
    fn check(&self) -> Result<(), WireError> {
        Ok(())
    }
}

/// A worker is alive, and plays these games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Heartbeat {
    pub(super) session: Session,
    /// Each game that is being played or handed in, and a number that grows while it goes on.
    pub(super) running: Vec<(JobId, u64)>,
    /// Games that were handed in, and whose results the worker keeps until they are stored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) kept: Vec<JobId>,
}

impl Message for Heartbeat {
    fn check(&self) -> Result<(), WireError> {
        self.session.check()?;
        wire::count("running", self.running.len(), MOST_RUNNING)?;
        wire::count("kept", self.kept.len(), MOST_KEPT)?;
        self.running.iter().map(|(job, _)| job).chain(&self.kept).try_for_each(JobId::check)
    }
}

/// Decision about a worker's games.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HeartbeatReply {
    /// Games to abandon: others play them, or their results count already.
    pub(super) drop: Vec<JobId>,
    /// Games that are stored, or count no more: the worker need not keep their results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) stored: Vec<JobId>,
}

impl Message for HeartbeatReply {
    fn check(&self) -> Result<(), WireError> {
        wire::count("drop", self.drop.len(), MOST_RUNNING)?;
        wire::count("stored", self.stored.len(), MOST_KEPT)?;
        self.drop.iter().chain(&self.stored).try_for_each(JobId::check)
    }
}
