//! The programs that play, each in its box.

use std::fs::{self, File};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use grandstand_rules::fortress::{BySquad, Squad};

use super::shared::{Event, Shared};
use super::{LiveError, LiveOptions};
use crate::sandbox::{self, Ending, Job, Log, NOBODY, Program, Scratch, directories_of};

/// The programs of a match.
#[derive(Debug)]
pub(super) struct Programs {
    address: SocketAddr,
    running: BySquad<Option<Running>>,
}

#[derive(Debug)]
struct Running {
    program: Option<Program>,
    ended: Arc<AtomicBool>,
    /// Its scratch directory, which goes with it.
    _scratch: Scratch,
}

impl Programs {
    /// None yet. They reach the match at `address`.
    pub(super) fn new(setup: &LiveOptions, address: SocketAddr) -> Result<Self, LiveError> {
        if let Some(directory) = &setup.logs {
            fs::create_dir_all(directory)
                .map_err(|source| LiveError::File { path: directory.clone(), source })?;
        }
        Ok(Self { address, running: BySquad { red: None, blue: None } })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Starts a team's program. What goes wrong is told like everything that becomes of it.
    pub(super) fn start(
        &mut self,
        setup: &LiveOptions,
        team: Squad,
        command: &[String],
        secret: &str,
        shared: &Arc<Shared>,
    ) {
        let ended = Arc::new(AtomicBool::new(false));
        match self.try_start(setup, team, command, secret, shared, &ended) {
            Ok(running) => self.running[team] = Some(running),
            Err(text) => {
                shared.tell(team, Event { text, urgent: true });
                ended.store(true, Ordering::Release);
                self.running[team] = None;
                shared.absent_if_gone(team);
            }
        }
    }

    fn try_start(
        &self,
        setup: &LiveOptions,
        team: Squad,
        command: &[String],
        secret: &str,
        shared: &Arc<Shared>,
        ended: &Arc<AtomicBool>,
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
        let log = match &setup.logs {
            None => Log::Forget,
            Some(directory) => {
                let path = directory.join(format!("{team}.log"));
                let file = File::create(&path).map_err(|error| format!("{}: {error}", path.display()))?;
                Log::Keep(file)
            }
        };
        let (listener, flag) = (Arc::clone(shared), Arc::clone(ended));
        let tell = move |event| hear(&listener, team, &flag, event);
        let program =
            Program::start(&job, &setup.grandstand, log, tell).map_err(|error| error.to_string())?;
        Ok(Running { program: Some(program), ended: Arc::clone(ended), _scratch: scratch })
    }

    /// Whether the team's program was started and has ended.
    pub(super) fn has_ended(&self, team: Squad) -> bool {
        self.running[team].as_ref().is_some_and(|running| running.ended.load(Ordering::Acquire))
    }

    /// The last line that the team's program has written.
    pub(super) fn last_line(&self, team: Squad) -> Option<String> {
        let words = self.running[team].as_ref()?.program.as_ref()?.last_words();
        words.lines().last().map(str::to_owned)
    }

    /// Whether no program runs.
    pub(super) fn all_ended(&self) -> bool {
        Squad::ALL.iter().all(|team| self.running[*team].is_none() || self.has_ended(*team))
    }

    /// Ends all of them, with everything that they began.
    pub(super) fn stop(&mut self) {
        for team in Squad::ALL {
            if let Some(program) = self.running[team].as_mut().and_then(|running| running.program.take()) {
                program.stop();
            }
        }
    }
}

fn hear(shared: &Shared, team: Squad, ended: &AtomicBool, event: sandbox::Event) {
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
            ended.store(true, Ordering::Release);
        }
    }
}
