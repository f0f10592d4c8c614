//! Match of Steam Fortress in real time, between teams that connect by TCP.

mod connection;
mod port;
mod programs;
mod shared;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use grandstand_matches::games::fortress::referee::{Conditions, Input, Referee, Seat};
use grandstand_matches::games::fortress::{inputs, outcome};
use grandstand_matches::{Ending, LogLine, RunningMatch, StampedCommand, Tracing};
use grandstand_protocol::Scene;
use grandstand_protocol::terminal::line;
use grandstand_rules::fortress::{ByTeam, SetupError, Team};
use thiserror::Error;

use self::programs::Programs;
use self::shared::{Event, Shared};
use super::client;
use super::options::{LOOPBACK, LiveSpec};
use super::player::Player;
use crate::input_file::InputFile;

/// Maximum wait of one step while nothing happens.
const LOOK: Duration = Duration::from_millis(10);
/// Time for the teams to leave after the end.
const GOODBYE: Duration = Duration::from_millis(500);

/// Reason for which a match in real time can't begin.
#[derive(Debug, Error)]
pub enum LiveError {
    /// The settings are invalid.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The port can't be opened.
    #[error("can't listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The cause.
        source: io::Error,
    },
    /// A file can't be written.
    #[error("can't write {path}: {source}")]
    File {
        /// Path of the file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A resource of the system is missing.
    #[error("{0}")]
    System(String),
}

/// A match in real time. Dropping it ends the programs that it has started.
pub struct LiveMatch {
    shared: Arc<Shared>,
    runtime: Option<tokio::runtime::Runtime>,
    programs: Programs,
    clients: Vec<JoinHandle<()>>,
    /// Time since which the teams are awaited.
    waits_since: Option<Instant>,
    join: Duration,
    log: Vec<String>,
    notice: Arc<dyn Fn(&str) + Send + Sync>,
    closed: bool,
}

impl std::fmt::Debug for LiveMatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LiveMatch").field("closed", &self.closed).finish_non_exhaustive()
    }
}

impl LiveMatch {
    /// Opens the port and starts the teams.
    ///
    /// # Errors
    /// If nothing was started. A program that can't be started is no error: its team loses by that.
    pub fn start(of: &LiveSpec) -> Result<Self, LiveError> {
        let setup = &of.options;
        let seats = seats(&of.players)?;
        let conditions = Conditions {
            speed: setup.speed,
            errors: setup.limits.errors,
            rejoins: setup.limits.rejoins,
            ..Conditions::new(of.rules.clone(), of.map.clone(), seats.clone())
        };
        let inputs = setup.inputs.as_ref().map(|target| {
            InputFile::create(target, &inputs::header(&conditions))
                .map_err(|source| LiveError::File { path: target.to_string().into(), source })
        });
        let inputs = inputs.transpose()?;
        let shared =
            Arc::new(Shared::new(Referee::new(conditions)?, setup.limits.clone(), setup.speed, inputs));
        let system = |error: io::Error| LiveError::System(error.to_string());
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let runtime = builder.worker_threads(2).thread_name("teams").enable_all().build().map_err(system)?;
        let listen_error = |source| LiveError::Listen { address: setup.listen, source };
        let listener = std::net::TcpListener::bind(setup.listen).map_err(listen_error)?;
        let address = listener.local_addr().map_err(listen_error)?;
        listener.set_nonblocking(true).map_err(listen_error)?;
        runtime.spawn(port::serve(Arc::clone(&shared), listener));
        let local = SocketAddr::new(
            if address.ip().is_unspecified() { LOOPBACK } else { address.ip() },
            address.port(),
        );
        let mut this = Self {
            programs: Programs::new(setup, local)?,
            shared,
            runtime: Some(runtime),
            clients: Vec::new(),
            waits_since: None,
            join: setup.limits.join,
            log: Vec::new(),
            notice: Arc::clone(&setup.notice),
            closed: false,
        };
        for team in Team::ALL {
            let secret = seats[team].secret.clone();
            match &of.players[team] {
                Player::Wait { .. } => this.invite(team, address, &seats[team]),
                Player::Program(command) => this.programs.start(setup, team, command, &secret, &this.shared),
                Player::Shipped(shipped) => {
                    let client = client::Options {
                        team: *shipped,
                        address: local.to_string(),
                        secret: Some(secret),
                        seed: of.seed.wrapping_add(team.index() as u64),
                    };
                    let work = move || {
                        // A failure shows in the log: the team's connection is closed.
                        let _ = client::play(&client);
                    };
                    let thread = thread::Builder::new()
                        .name(format!("{team} {}", shipped.name()))
                        .spawn(work)
                        .map_err(system)?;
                    this.clients.push(thread);
                }
            }
        }
        Ok(this)
    }

    /// Address that teams connect to.
    pub fn address(&self) -> SocketAddr {
        self.programs.address()
    }

    fn invite(&mut self, team: Team, address: SocketAddr, seat: &Seat) {
        let secret = match seat.open {
            true => "without a secret".to_owned(),
            false => format!("with the secret {}", seat.secret),
        };
        (self.notice)(&format!("waiting for {team}: connect to {address} {secret}"));
    }

    /// Reports events of the programs to the log and to the person at the terminal.
    fn hear_programs(&mut self) {
        for (team, event) in self.shared.drain_events() {
            let Event { text, urgent } = event;
            let told = format!("{team}'s program: {text}");
            if urgent {
                (self.notice)(&line(&format!("{told}{}", self.programs.last_words(team))));
            }
            self.log.push(told);
        }
    }

    /// Begins the match without the teams that do not come, and ends it when a team has lost by its absence or its
    /// later failure.
    fn mind_absent(&mut self) {
        let ended = |team: Team| self.programs.ended(team);
        let ended = ByTeam::new(ended(Team::Red), ended(Team::Blue));
        for team in Team::ALL.into_iter().filter(|team| ended[*team].is_some()) {
            self.shared.absent_if_gone(team);
        }
        self.shared.forfeit(ended);
        if self.shared.waits() {
            let since = *self.waits_since.get_or_insert_with(Instant::now);
            if since.elapsed() >= self.join {
                self.shared.apply(0, Input::Begin);
            }
        }
    }

    /// Lets the teams leave, and ends everything.
    fn close(&mut self) {
        if self.closed {
            return;
        }
        self.closed = true;
        let deadline = Instant::now() + GOODBYE;
        while Instant::now() < deadline && !(self.programs.all_ended() && self.shared.is_empty()) {
            thread::sleep(LOOK);
        }
        self.shared.close();
        self.programs.stop();
        for client in self.clients.drain(..) {
            // The clients end with their connections.
            let _ = client.join();
        }
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(GOODBYE);
        }
        self.hear_programs();
        if let Some(error) = self.shared.finish_inputs() {
            (self.notice)(&format!("the file of inputs is not complete: {error}"));
        }
    }
}

/// Seats with a secret for every team. A team that is started by hand needs none to join, unless a program plays that
/// could take its place.
fn seats(players: &ByTeam<Team, Player>) -> Result<ByTeam<Team, Seat>, LiveError> {
    let has_program = Team::ALL.iter().any(|team| matches!(players[*team], Player::Program(_)));
    let seat = |team: Team| -> Result<Seat, LiveError> {
        let made =
            || getrandom::u64().map(|n| format!("{n:016x}")).map_err(|e| LiveError::System(e.to_string()));
        Ok(match &players[team] {
            Player::Wait { secret: Some(secret) } => Seat { secret: secret.clone(), open: false },
            Player::Wait { secret: None } => Seat { secret: made()?, open: !has_program },
            Player::Shipped(_) | Player::Program(_) => Seat { secret: made()?, open: false },
        })
    };
    Ok(ByTeam::new(seat(Team::Red)?, seat(Team::Blue)?))
}

impl RunningMatch for LiveMatch {
    fn advance(&mut self) {
        if self.shared.is_over() {
            return self.close();
        }
        self.shared.wait(LOOK);
        self.hear_programs();
        self.mind_absent();
        self.shared.tick();
    }

    fn drain_commands(&mut self) -> Vec<StampedCommand> {
        self.shared.with(Referee::drain_commands)
    }

    fn drain_log_lines(&mut self) -> Vec<LogLine> {
        let lines = self.log.drain(..).chain(self.shared.with(Referee::drain_log));
        let mut lines: Vec<LogLine> = lines.map(|text| line(&text).into_owned().into()).collect();
        lines.extend(self.shared.with(Referee::drain_actions));
        lines
    }

    fn trace(&mut self, tracing: Tracing) {
        if tracing == Tracing::Actions {
            self.shared.with(Referee::keep_actions);
        }
    }

    fn progress(&self) -> String {
        self.shared.with(|referee| match referee.world() {
            Some(world) => outcome::progress(world),
            None => "waiting for the teams".to_owned(),
        })
    }

    fn scene(&self) -> Scene {
        let scene = self.shared.with(|referee| referee.world().map(|world| world.scene()));
        Scene::Fortress(scene.unwrap_or_default())
    }

    fn ending(&self) -> Option<Ending> {
        if !self.closed {
            return None;
        }
        self.shared.with(|referee| referee.ending())
    }
}

impl Drop for LiveMatch {
    fn drop(&mut self) {
        self.close();
    }
}
