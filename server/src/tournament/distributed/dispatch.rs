//! A run's side of the queue: puts games on it, and passes on what workers hand in.

use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use bytes::Bytes;
use grandstand_matches::bundle::sha256;
use grandstand_tournaments::{PlayerIndex, ScheduledGame};
use tokio::runtime::Runtime;
use tokio::sync::{Notify, watch};

use super::super::catalogue::{NewResult, TournamentRecord};
use super::super::definition::needs::Needs;
use super::super::playing::{self, Outcome, RunContext, spoiled};
use super::contents::Contents;
use super::evidence::{self, Handed};
use super::job::{Job, SetUpData};
use super::job_queue::suits::Fairness;
use super::job_queue::{Counts, EnterError, FinishError, JobEvent, JobQueue, Task, UnknownSession};
use super::messages::{Hello, Session};
use super::report::{Ending, PlayedData, Report};
use super::service;
use super::token::Token;
use super::uploads::Uploads;
use super::wire::Message as _;
use crate::http::tls::Tls;
use crate::listeners::Listeners;
use crate::locked::Locked as _;
use crate::metrics::Counter;

/// Interval at which leases are looked at.
const LOOK: Duration = Duration::from_millis(250);
/// Time for which workers are told that the tournament is over.
const FAREWELL: Duration = Duration::from_secs(2);

/// Where and how a director waits for workers.
#[derive(Debug, Clone)]
pub struct Hosting {
    /// Address to listen on, as `HOST:PORT`.
    pub address: String,
    /// Certificate and key; without them only workers on this machine can be spoken to.
    pub tls: Option<Tls>,
    /// What workers have to show.
    pub token: Token,
    /// The file that has the token, for the line that says how to start a worker.
    pub token_path: PathBuf,
    /// Of so many games that only the seed decides, one is played by two workers and compared; 0 for none.
    pub compare: u32,
    /// Least speed of a worker that gets games with clocks, in percent of that of the fastest.
    pub min_speed: u32,
    /// Most that other programs may use of the cores of a worker that gets games with clocks, in percent.
    pub max_load: u32,
}

/// The director's side of the games that are handed out.
pub(in super::super) struct Dispatch<'a> {
    field: RunContext<'a>,
    clocks: bool,
    /// Hash of the tournament's seed, which chooses the games that are compared: one of so many.
    compared: (String, u32),
    /// What the players need, in their order.
    needs: Vec<Needs>,
    shared: Arc<Shared>,
    runtime: Option<Runtime>,
    stop: watch::Sender<bool>,
}

/// What the requests of workers see.
pub(super) struct Shared {
    queue: Mutex<JobQueue>,
    pub(super) contents: Contents,
    pub(super) token: Token,
    /// Name of the tournament.
    pub(super) name: String,
    /// Hash that tells tournaments apart.
    pub(super) tournament: String,
    /// Whether games have clocks.
    pub(super) clocks: bool,
    versions: Vec<i64>,
    pub(super) uploads: Uploads,
    tell: Mutex<Sender<Outcome>>,
    /// A game was put on the queue: one of those who wait for a game is woken.
    pub(super) offered: Notify,
    /// Other games are for other workers now, or the queue is closed: all are woken.
    pub(super) changed: Notify,
    pub(super) handed_in: Counter,
    pub(super) spare: Counter,
}

impl<'a> Dispatch<'a> {
    /// Waits for workers. What they hand in is sent to `tell`.
    ///
    /// # Errors
    /// If the address can't be listened on, or a player is made of more than workers can be handed.
    pub(in super::super) fn start(
        hosting: &Hosting,
        field: RunContext<'a>,
        clocks: bool,
        known: &TournamentRecord,
        set_aside: Vec<(String, String)>,
        tell: Sender<Outcome>,
    ) -> anyhow::Result<Self> {
        let contents = Contents::read(field)?;
        let threads = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = threads.context("threads for workers")?;
        let listeners = {
            let _inside = runtime.enter();
            Listeners::bind::<&str>(&[], &[&hosting.address])?
        };
        let listener = listeners.http.into_iter().next().context("an address for workers")?;
        let address = listener.local_addr().context("the address for workers")?;
        if hosting.tls.is_none() && !address.ip().is_loopback() {
            bail!(
                "--workers {}: workers on other machines are spoken to by HTTPS; give --tls-cert and --tls-key, or listen on 127.0.0.1",
                hosting.address
            );
        }
        let scheme = if hosting.tls.is_some() { "https" } else { "http" };
        let name = match address.ip().is_unspecified() {
            true => format!("THIS-MACHINE:{}", address.port()),
            false => address.to_string(),
        };
        // A certificate is for a name, not for a number.
        let host = hosting.address.rsplit_once(':').map_or("", |(host, _)| host);
        let is_name = host.parse::<std::net::IpAddr>().is_err() && !host.starts_with('[') && !host.is_empty();
        let name = if is_name { format!("{host}:{}", address.port()) } else { name };
        let how = format!(
            "workers take part by: grandstand worker --to {scheme}://{name} --token {}",
            hosting.token_path.display()
        );
        let compared = match (clocks, hosting.compare) {
            (true, _) => "games with clocks are not compared: the machine decides them too".to_owned(),
            (_, 0) => "results are not compared".to_owned(),
            (_, 1) => "every game is played by two workers, and compared".to_owned(),
            (_, every) => format!("one game in {every} is played by two workers, and compared"),
        };
        // The run has not begun to listen yet; its channel has no bound.
        for news in [how, compared] {
            let _ = tell.send(Outcome::News(news));
        }
        let mut queue = JobQueue::default();
        queue.keep_out(set_aside);
        queue.set_fairness(Fairness { min_speed: hosting.min_speed, max_load: hosting.max_load });
        let needs = field.definition.players.iter().map(|player| Needs::parse(&player.needs));
        let needs = needs.collect::<Result<Vec<_>, _>>().map_err(anyhow::Error::msg)?;
        let tournament =
            sha256(format!("{} {} {}", known.definition_sha256, known.seed_sha256, known.created));
        let shared = Arc::new(Shared {
            queue: Mutex::new(queue),
            contents,
            token: hosting.token.clone(),
            name: field.definition.name.clone(),
            tournament,
            clocks,
            versions: field.versions.to_vec(),
            uploads: Uploads::default(),
            tell: Mutex::new(tell),
            offered: Notify::new(),
            changed: Notify::new(),
            handed_in: Counter::default(),
            spare: Counter::default(),
        });
        let (stop, stopping) = watch::channel(false);
        runtime.spawn(service::serve(shared.clone(), listener, hosting.tls.clone(), stopping));
        runtime.spawn(look_after_leases(shared.clone()));
        // Workers must not know it: they are handed the seeds of games, but not that of the tournament.
        let compared = (sha256(format!("{} compared", known.seed)), hosting.compare);
        let this = Self { field, clocks, compared, needs, shared, runtime: Some(runtime), stop };
        this.check()?;
        Ok(this)
    }

    /// Checks that workers can take a game of each player.
    fn check(&self) -> anyhow::Result<()> {
        for (player, name) in (0..).map(PlayerIndex).zip(self.field.names) {
            let players = [player; 2];
            let game = ScheduledGame {
                number: 0,
                stage: 0,
                round: 0,
                encounter: 0,
                pair: 0,
                players,
                seed: 0,
                map: None,
                opening: None,
            };
            let job = self.job(&playing::Job { game, attempt: 0 });
            job.check().with_context(|| format!("workers can't be handed the games of {name}"))?;
        }
        Ok(())
    }

    /// Puts a game on the queue.
    pub(in super::super) fn offer(&self, of: playing::Job) {
        let compared = !self.clocks && self.is_chosen(of.game.number);
        let [first, second] = of.game.players.map(|player| &self.needs[player.index()]);
        let needs = first.clone().and(second);
        self.shared.offer(Task::new(self.job(&of), of, compared, needs));
    }

    /// Results of these games, with their attempts, are stored.
    pub(in super::super) fn stored(&self, games: impl IntoIterator<Item = (u64, u32)>) {
        self.shared.queue.locked().stored(games);
    }

    /// Whether a game is one of those that are compared, whoever plays it.
    fn is_chosen(&self, game: u64) -> bool {
        let (seed, every) = &self.compared;
        let hash = sha256(format!("{seed} {game}"));
        let lot = hash.get(..15).and_then(|digits| u64::from_str_radix(digits, 16).ok());
        lot.and_then(|lot| lot.checked_rem(u64::from(*every))) == Some(0)
    }

    /// Nothing more is offered before one of so many games counts.
    pub(in super::super) fn nothing_more(&self, waited_for: usize) {
        if self.clocks {
            self.shared.on_queue(|queue| queue.nothing_more(waited_for));
        }
    }

    /// Takes all games off the queue, so that they can be offered again.
    pub(in super::super) fn withdraw(&self) {
        self.shared.queue.locked().withdraw();
    }

    /// Number of games that all workers play at a time.
    pub(in super::super) fn slots(&self) -> usize {
        self.shared.queue.locked().slots()
    }

    fn job(&self, of: &playing::Job) -> Job {
        let (game, definition) = (&of.game, self.field.definition);
        let (players, swapped) = game.in_order();
        Job {
            tournament: self.shared.tournament.clone(),
            number: game.number,
            attempt: of.attempt,
            set_up: SetUpData {
                game: definition.game,
                players: players.map(|player| self.shared.contents.of(player.index()).clone()),
                settings: definition.settings(game.stage as usize, game.map, game.opening),
                speed: definition.speed,
                limits: definition.limits.clone(),
                sandbox: definition.sandbox,
            },
            seed: game.seed,
            swapped,
            clocks: self.clocks,
            names: game.players.map(|player| self.field.names[player.index()].clone()),
            event: definition.name.clone(),
            round: self.field.round(game),
        }
    }
}

impl Drop for Dispatch<'_> {
    /// Tells the workers that nothing more is handed out.
    fn drop(&mut self) {
        self.shared.queue.locked().close();
        self.shared.changed.notify_waiters();
        let until = Instant::now() + FAREWELL;
        while self.shared.queue.locked().counts().workers > 0 && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.stop.send(true);
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(Duration::from_millis(200));
        }
    }
}

async fn look_after_leases(shared: Arc<Shared>) {
    loop {
        tokio::time::sleep(LOOK).await;
        let now = Instant::now();
        let back = shared.on_queue(|queue| {
            let before = queue.counts().queued;
            queue.expire(now);
            queue.counts().queued > before
        });
        if back {
            shared.changed.notify_waiters();
        }
        let queue = shared.queue.locked();
        shared.uploads.expire(|session| queue.machine(session).is_some(), now);
    }
}

/// Why a report is not taken.
pub(super) enum ReportError {
    /// The session is not known.
    Session(UnknownSession),
    /// Something that it names was not uploaded in this session.
    Missing,
    /// The game is not known yet.
    NotYet,
}

impl Shared {
    /// Puts a game on the queue.
    pub(super) fn offer(&self, task: Task) {
        self.queue.locked().offer(task);
        self.offered.notify_one();
    }

    /// Does something at the queue, and passes on what is to be told then.
    pub(super) fn on_queue<T>(&self, work: impl FnOnce(&mut JobQueue) -> T) -> T {
        let (done, told) = {
            let mut queue = self.queue.locked();
            let done = work(&mut queue);
            (done, queue.take_told())
        };
        for told in told {
            self.tell(match told {
                JobEvent::News(text) => Outcome::News(text),
                JobEvent::Stuck(why) => Outcome::Stuck(why),
                JobEvent::SetAside(task, why) => {
                    let result = spoiled(why.clone(), task.of.attempt);
                    Outcome::SetAside(Box::new(self.new_result(&task, result, [None, None])), why)
                }
                JobEvent::Distrusted(worker, why) => Outcome::Distrusted(worker, why),
                JobEvent::Ended(task, handed) => Outcome::Ended(Box::new(self.ended(&task, handed))),
                JobEvent::Pair(games) => {
                    Outcome::Pair(Box::new(games.map(|(task, handed)| self.ended(&task, handed))))
                }
            });
        }
        done
    }

    fn tell(&self, outcome: Outcome) {
        // The run may have ended.
        let _ = self.tell.locked().send(outcome);
    }

    fn ended(&self, task: &Task, handed: Handed) -> NewResult {
        self.handed_in.add(1);
        let result = handed.played.result(task.of.attempt, &handed.worker, handed.speed);
        self.new_result(task, result, handed.recordings)
    }

    fn new_result(
        &self,
        task: &Task,
        result: super::super::catalogue::ResultRecord,
        [recording, inputs]: [Option<Bytes>; 2],
    ) -> NewResult {
        let game = task.of.game.clone();
        let versions = game.players.map(|player| self.versions[player.index()]);
        let [recording, inputs] = [recording, inputs].map(|bytes| bytes.map(Vec::from));
        NewResult { game, result, versions, recording, inputs }
    }

    /// Takes a worker in.
    ///
    /// # Errors
    /// Why it can't take part, in words.
    pub(super) fn enter(&self, hello: &Hello) -> Result<Session, EnterError> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| EnterError::NoSession(error.to_string()))?;
        let session = Session(data_encoding::HEXLOWER.encode(&bytes));
        self.on_queue(|queue| queue.enter(hello, session.clone(), Instant::now()))?;
        Ok(session)
    }

    /// Takes what a worker says of a game; `false` if it does not count.
    ///
    /// # Errors
    /// If the session is not known, or a recording is missing.
    pub(super) fn report(&self, report: Report) -> Result<bool, ReportError> {
        let (session, id) = (report.session, report.job);
        let played: Box<PlayedData> = match report.ending {
            Ending::Refused(why) => {
                let refused = self.on_queue(|queue| queue.refuse(&session, &id, why, Instant::now()));
                self.changed.notify_waiters();
                return refused.map(|()| true).map_err(ReportError::Session);
            }
            Ending::Played(played) => played,
        };
        let kept = [&played.recording, &played.inputs].map(|upload| {
            let upload = upload.as_ref()?;
            Some(self.uploads.take(&session, upload))
        });
        let known = self.on_queue(|queue| {
            let worker = queue.machine(&session)?.to_owned();
            Some((worker, queue.speed(&session), queue.is_compared(&id)))
        });
        let Some((worker, speed, compared)) = known else { return Err(ReportError::Session(UnknownSession)) };
        let recordings = match kept {
            [Some(None), _] | [_, Some(None)] => return Err(ReportError::Missing),
            kept => kept.map(Option::flatten),
        };
        let recording = recordings[0].as_ref().filter(|_| compared);
        let commands =
            recording.map(|recording| tokio::task::block_in_place(|| evidence::commands(recording)));
        let handed = Handed { worker, speed, played, recordings, commands };
        let counts = self.on_queue(|queue| queue.finish(&session, &id, handed, Instant::now()));
        let counts = counts.map_err(|error| match error {
            FinishError::Session => ReportError::Session(UnknownSession),
            FinishError::NotYet => ReportError::NotYet,
        })?;
        if compared {
            // Another worker may be wanted for it.
            self.changed.notify_waiters();
        }
        self.spare.add(u64::from(!counts));
        Ok(counts)
    }

    pub(super) fn counts(&self) -> Counts {
        self.queue.locked().counts()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// What the requests of workers see, with an empty queue.
    pub(in super::super) fn shared() -> Shared {
        let folder = grandstand_testing::Folder::new();
        Shared {
            queue: Mutex::default(),
            contents: Contents::default(),
            token: Token::read_or_make(&folder.join("token")).unwrap(),
            name: "cup".to_owned(),
            tournament: String::new(),
            clocks: false,
            versions: vec![1, 1],
            uploads: Uploads::default(),
            tell: Mutex::new(std::sync::mpsc::channel().0),
            offered: Notify::new(),
            changed: Notify::new(),
            handed_in: Counter::default(),
            spare: Counter::default(),
        }
    }
}
