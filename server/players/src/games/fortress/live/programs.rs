//! Programs of a match, each in its sandbox.

use std::fs;
use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};

use grandstand_rules::fortress::{ByTeam, Team};

use super::super::options::LiveOptions;
use super::LiveError;
use super::shared::{Event, Shared};
use crate::sandbox::{self, Ending, Job, NOBODY, OutputLog, Program, Scratch, directories_of};

/// The programs of a match.
#[derive(Debug)]
pub(super) struct Programs {
    address: SocketAddr,
    running: ByTeam<Team, Option<Running>>,
    /// Ending of each program, once it has ended, or the reason for which it was not started.
    ended: ByTeam<Team, Arc<OnceLock<String>>>,
}

#[derive(Debug)]
struct Running {
    program: Option<Program>,
    /// Scratch directory; it is removed with the program.
    _scratch: Scratch,
}

impl Programs {
    /// A set without programs; they will reach the match at `address`.
    pub(super) fn new(setup: &LiveOptions, address: SocketAddr) -> Result<Self, LiveError> {
        if let Some(directory) = &setup.logs {
            fs::create_dir_all(directory)
                .map_err(|source| LiveError::File { path: directory.clone(), source })?;
        }
        Ok(Self { address, running: ByTeam::new(None, None), ended: ByTeam::default() })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Starts a team's program. A failure is reported as an event and as the program's end.
    pub(super) fn start(
        &mut self,
        setup: &LiveOptions,
        team: Team,
        command: &[String],
        secret: &str,
        shared: &Arc<Shared>,
    ) {
        match self.try_start(setup, team, command, secret, shared) {
            Ok(running) => self.running[team] = Some(running),
            Err(text) => {
                shared.tell(team, Event { text: text.clone(), urgent: true });
                // Nothing else can have set it.
                let _ = self.ended[team].set(text);
            }
        }
    }

    fn try_start(
        &self,
        setup: &LiveOptions,
        team: Team,
        command: &[String],
        secret: &str,
        shared: &Arc<Shared>,
    ) -> Result<Running, String> {
        let scratch =
            Scratch::new(&team.to_string()).map_err(|error| format!("no scratch directory: {error}"))?;
        let directory = std::env::current_dir().map_err(|error| error.to_string())?;
        let mut readable = setup.readable.clone();
        readable.extend(directories_of(&directory, command));
        let job = Job {
            command: command.iter().map(|word| word.replace("{secret}", secret)).collect(),
            env: [("ADDRESS", "{address}"), ("HOST", "{host}"), ("PORT", "{port}"), ("SECRET", secret)]
                .map(|(name, value)| (format!("GRANDSTAND_{name}"), value.to_owned()))
                .into(),
            directory,
            readable,
            scratch: scratch.path().to_owned(),
            server: Some(self.address),
            limits: setup.program_limits.clone(),
            strict: false,
            isolation: setup.isolation,
            user: NOBODY,
            seat: team.index(),
        };
        let log =
            OutputLog::open(setup.logs.as_ref().map(|logs| logs.join(format!("{team}.log"))).as_deref())?;
        let (listener, ended) = (Arc::clone(shared), Arc::clone(&self.ended[team]));
        let tell = move |event| hear(&listener, team, &ended, event);
        let program =
            Program::start(&job, &setup.grandstand, log, tell).map_err(|error| error.to_string())?;
        Ok(Running { program: Some(program), _scratch: scratch })
    }

    /// Ending of the team's program, or the reason for which it was not started, with its last words; `None` while it
    /// runs, and for a team without a program.
    pub(super) fn ended(&self, team: Team) -> Option<String> {
        Some(format!("{}{}", self.ended[team].get()?, self.last_words(team)))
    }

    /// `; its last words: …` with the last line of the team's program, or nothing if it has written none.
    pub(super) fn last_words(&self, team: Team) -> String {
        let program = self.running[team].as_ref().and_then(|running| running.program.as_ref());
        let words = program.map(Program::last_words).unwrap_or_default();
        words.lines().last().map(|line| format!("; its last words: {line}")).unwrap_or_default()
    }

    /// Whether no program runs.
    pub(super) fn all_ended(&self) -> bool {
        Team::ALL.iter().all(|team| self.running[*team].is_none() || self.ended[*team].get().is_some())
    }

    /// Ends all programs and their children.
    pub(super) fn stop(&mut self) {
        for team in Team::ALL {
            if let Some(program) = self.running[team].as_mut().and_then(|running| running.program.take()) {
                program.stop();
            }
        }
    }
}

fn hear(shared: &Shared, team: Team, ended: &OnceLock<String>, event: sandbox::Event) {
    match event {
        sandbox::Event::Started { gaps } => {
            for gap in gaps {
                shared.tell(team, Event { text: format!("not enforced: {gap}"), urgent: true });
            }
        }
        sandbox::Event::Note { text } => shared.tell(team, Event { text, urgent: true }),
        sandbox::Event::Ended(ending) => {
            let urgent = !matches!(ending, Ending::Stopped | Ending::Exited { status: 0 });
            shared.tell(team, Event { text: ending.to_string(), urgent });
            // `Ended` is the last event, so this is set once.
            let _ = ended.set(ending.to_string());
        }
    }
}
