//! Runner of a tournament: plays the games that the state of the tournament schedules, with one worker per job, or hands them out to
//! workers on other machines ([`distributed`](super::distributed)).
//!
//! One thread counts, stores and hands out games; the workers play. A result is stored in this order: its recording is
//! written and synced, then its row is committed, then the state is told. So after an interruption at any point, a
//! game either counts with its recording or is played again.

mod distrusted;
mod executor;
mod matches;
mod progress;
mod store;
#[cfg(test)]
mod tests;
mod worker;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use grandstand_matches::MatchSpec;
use grandstand_matches::games::language;
use grandstand_tournaments::TournamentState;

use self::executor::Executor;
pub use self::matches::problems;
pub use self::progress::{Measured, Progress, expected_games, measure};
use self::worker::Worker;
use super::catalogue::{Catalogue, GameRecord, NewResult, Packs};
use super::distributed::DirectorOptions;
use super::distributed::dispatch::Dispatch;
use super::playing::game_runner::GameControl;
use super::playing::{GameAttempt, RunContext, RunEvent};
use super::report::{NoticeLine, Snapshot};
use crate::locked::Locked as _;
use crate::workers;

/// Maximum number of results per transaction, and of outcomes taken at a time.
const BATCH: usize = 1024;
/// Interval of the checks for a stop request.
const LOOK: Duration = Duration::from_millis(100);
/// Interval of the attempts to write to a full disk.
const FULL: Duration = Duration::from_secs(1);
/// Time for which the queued games of a job last, so that no worker waits for the disk, and their greatest number.
const QUEUED: Duration = Duration::from_millis(100);
const QUEUED_MAX: usize = 64;
/// Time for which results are collected before they are stored together: two syncs take as long as many short games.
const COLLECT: Duration = Duration::from_millis(20);

/// Options of a run.
#[derive(Debug, Clone, Default)]
pub struct RunOptions {
    /// Number of concurrent games; `None` for the number of cores.
    pub jobs: Option<usize>,
    /// Port and settings for workers, which play all games; `None` to play them here.
    pub workers: Option<DirectorOptions>,
}

/// Observer of a run.
pub trait Watcher {
    /// A game has ended, and its result is stored.
    fn game(&mut self, snapshot: &RunState<'_>, result: &NewResult);
    /// A notice for people.
    fn notice(&mut self, notice: &NoticeLine);
    /// Progress of the run; called often.
    fn progress(&mut self, snapshot: &RunState<'_>, progress: &Progress);
    /// News of the workers on other machines.
    fn workers(&mut self, news: &str) {
        let _ = news;
    }
    /// The disk is full, or can be written again.
    fn trouble(&mut self, what: &str);
}

/// State that an observer may read.
#[derive(Debug)]
pub struct RunState<'a> {
    /// Names of the players, in the order of the plan.
    pub names: &'a [String],
    /// The state, which decides what counts.
    pub state: &'a TournamentState,
}

/// End of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnd {
    /// All games were played.
    Over,
    /// The run was stopped on request.
    Stopped,
}

/// Runs a tournament from its current state to its end, or until `stop` is set.
///
/// # Errors
/// If a player does not load or has changed, or the catalogue can't be read or written. Results stored until then
/// count.
pub fn run(
    catalogue: &mut Catalogue,
    options: &RunOptions,
    stop: &AtomicBool,
    watcher: &mut dyn Watcher,
) -> anyhow::Result<RunEnd> {
    let snapshot = Snapshot::read(catalogue)?;
    // Workers of an earlier run may not know yet that it is over.
    if snapshot.state.is_over() && options.workers.is_none() {
        return Ok(RunEnd::Over);
    }
    let definition = snapshot.tournament.definition.clone();
    let names: Vec<String> = snapshot.players.iter().map(|player| player.name.clone()).collect();
    let hashes: Vec<String> = snapshot.players.iter().map(|player| player.sha256.clone()).collect();
    let versions: Vec<i64> = snapshot.players.iter().map(|player| player.version).collect();
    let field = RunContext { definition: &definition, names: &names, hashes: &hashes, versions: &versions };
    let clocks = keeps_time(&definition)?;
    let packs = Packs::new(catalogue.path());
    if let Some(hosting) = &options.workers {
        let (tell, hear) = mpsc::channel();
        let distrusted = catalogue.distrusted_workers()?;
        let is_resumed = snapshot.state.counted() > 0;
        let known = &snapshot.tournament;
        let dispatch = Dispatch::start(hosting, field, clocks, known, distrusted, is_resumed, tell)?;
        let mut run = Run::new(catalogue, packs, snapshot, &names, watcher);
        loop {
            if let Leg::End(end) = run.play_on(&Executor::Remote(&dispatch), &hear, stop)? {
                return Ok(end);
            }
            // Results were taken out: it goes on as after a new start, with the same workers.
            dispatch.withdraw();
            run.read_again()?;
        }
    }
    let cores = workers::cores();
    let jobs = options.jobs.unwrap_or(cores);
    if clocks && jobs > cores {
        bail!("--jobs {jobs}: this machine has {cores} cores, and games with clocks need one each");
    }
    let controls: Vec<GameControl> = (0..jobs).map(|_| GameControl::default()).collect();
    let (give, take) = mpsc::channel::<GameAttempt>();
    let (tell, hear) = mpsc::channel();
    let take = Mutex::new(take);
    thread::scope(|scope| {
        for (index, control) in controls.iter().enumerate() {
            let (tell, take) = (tell.clone(), &take);
            let work = move || {
                let mut worker = Worker::new(field, (index, jobs), clocks, control);
                work(&mut worker, take, &tell);
            };
            thread::Builder::new()
                .name(format!("match {index}"))
                .spawn_scoped(scope, work)
                .context("a thread")?;
        }
        let mut run = Run::new(catalogue, packs, snapshot, &names, watcher);
        let end = run.play_on(&Executor::Local { give, jobs }, &hear, stop);
        // Workers abandon their games, and end since the channel is closed.
        controls.iter().for_each(|control| control.stop.store(true, Ordering::Relaxed));
        match end? {
            Leg::End(end) => Ok(end),
            Leg::Again => {
                bail!("a worker was set aside where there is none; this is a fault of this program")
            }
        }
    })
}

/// Plays jobs until the channel is closed.
fn work(worker: &mut Worker<'_>, take: &Mutex<Receiver<GameAttempt>>, tell: &Sender<RunEvent>) {
    loop {
        let job = take.locked().recv();
        let Ok(job) = job else { return };
        if tell.send(worker.play(&job)).is_err() {
            return;
        }
    }
}

/// Number of attempts of each game whose attempts all failed by a fault of the machine.
fn attempts(games: &[GameRecord]) -> BTreeMap<u64, u32> {
    let tried = games.iter().filter(|game| game.result().is_none());
    tried.map(|game| (game.game.number, u32::try_from(game.attempts.len()).unwrap_or(u32::MAX))).collect()
}

/// Whether the games of a tournament have clocks.
fn keeps_time(definition: &super::definition::Definition) -> anyhow::Result<bool> {
    if language(definition.game).is_some() {
        // Programs of threads take steps, which is known without loading a program.
        return Ok(false);
    }
    // Each player is tested against itself, since exact players need no clocks among themselves.
    let player = |play: &str| -> anyhow::Result<Box<dyn MatchSpec>> {
        let stage = definition.stages.first();
        let first = |length: usize| (length > 0).then_some(0);
        let map = stage.and_then(|stage| first(stage.maps.len()));
        let opening = stage.and_then(|stage| first(stage.openings.len()));
        matches::describe(definition, [play, play], (0, map, opening))
    };
    for entry in &definition.players {
        if player(&entry.play).with_context(|| entry.name.clone())?.tempo().keeps_time {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Why [`Run::play_on`] returns.
#[derive(Debug)]
enum Leg {
    /// The run ends.
    End(RunEnd),
    /// Results were taken out of the catalogue, which has to be read again.
    Again,
}

/// State of a run.
struct Run<'a> {
    catalogue: &'a mut Catalogue,
    packs: Packs,
    state: TournamentState,
    /// Number of attempts of the games that are to be replayed.
    attempts: BTreeMap<u64, u32>,
    names: &'a [String],
    /// Jobs to repeat after a fault of the machine.
    again: VecDeque<GameAttempt>,
    /// Games that are queued or played, with their attempts, by number.
    in_flight: BTreeMap<u64, GameAttempt>,
    progress: Progress,
    watcher: &'a mut dyn Watcher,
}

impl<'a> Run<'a> {
    fn new(
        catalogue: &'a mut Catalogue,
        packs: Packs,
        snapshot: Snapshot,
        names: &'a [String],
        watcher: &'a mut dyn Watcher,
    ) -> Self {
        Self {
            catalogue,
            packs,
            attempts: attempts(&snapshot.games),
            state: snapshot.state,
            names,
            again: VecDeque::new(),
            in_flight: BTreeMap::new(),
            progress: Progress::new(),
            watcher,
        }
    }

    /// Takes the state of the catalogue over.
    fn read_again(&mut self) -> anyhow::Result<()> {
        let snapshot = Snapshot::read(self.catalogue)?;
        self.attempts = attempts(&snapshot.games);
        self.state = snapshot.state;
        self.again.clear();
        self.in_flight.clear();
        Ok(())
    }

    fn play_on(
        &mut self,
        executor: &Executor<'_>,
        hear: &Receiver<RunEvent>,
        stop: &AtomicBool,
    ) -> anyhow::Result<Leg> {
        loop {
            if stop.load(Ordering::Relaxed) {
                // What workers were told that it counts.
                let arrived = hear.try_iter().take(BATCH).collect();
                return Ok(self.take(arrived, executor, stop)?.unwrap_or(Leg::End(RunEnd::Stopped)));
            }
            if !self.hand_out(executor, stop)? {
                return Ok(Leg::End(RunEnd::Stopped));
            }
            if self.in_flight.is_empty() {
                if self.state.is_over() {
                    return Ok(Leg::End(RunEnd::Over));
                }
                bail!(
                    "nothing can be played, and the tournament is not over; this is a fault of this program"
                );
            }
            let arrived = self.collect(hear, executor.jobs())?;
            if let Some(leg) = self.take(arrived, executor, stop)? {
                return Ok(leg);
            }
            let told = RunState { names: self.names, state: &self.state };
            self.watcher.progress(&told, &self.progress);
        }
    }

    /// Stores and counts what arrived; where the run goes on in another way then, how.
    fn take(
        &mut self,
        arrived: Vec<RunEvent>,
        executor: &Executor<'_>,
        stop: &AtomicBool,
    ) -> anyhow::Result<Option<Leg>> {
        let (mut results, mut stuck, mut distrusted) = (Vec::new(), None, Vec::new());
        for outcome in arrived {
            match outcome {
                RunEvent::News(text) => self.tell_news(&text, stop)?,
                RunEvent::Distrusted(worker, why) => distrusted.push((worker, why)),
                RunEvent::Ended(result) if self.lands(&result) => results.push((*result, None)),
                RunEvent::PairEnded(pair) => {
                    let landed = pair.into_iter().filter(|result| self.lands(result));
                    results.extend(landed.map(|result| (result, None)));
                }
                RunEvent::GivenUp(result, why) if self.lands(&result) => {
                    results.push((*result, Some(why)));
                }
                RunEvent::Stuck(why) => stuck = Some(why),
                RunEvent::Ended(_) | RunEvent::GivenUp(..) | RunEvent::Abandoned => {}
            }
        }
        let stored: Vec<(u64, u32)> =
            results.iter().map(|(result, _)| (result.game.number, result.result.attempt)).collect();
        if !results.is_empty() && !self.store(results, stop)? {
            return Ok(Some(Leg::End(RunEnd::Stopped)));
        }
        executor.stored(stored);
        for (worker, why) in &distrusted {
            if !self.distrust_worker(worker, why, stop)? {
                return Ok(Some(Leg::End(RunEnd::Stopped)));
            }
        }
        if !distrusted.is_empty() {
            return Ok(Some(Leg::Again));
        }
        // Only now, so that games which have ended count.
        if let Some(why) = stuck {
            bail!("{why}");
        }
        Ok(None)
    }

    /// Whether a result is of a game that is waited for, which it is no more then. One of a game that was taken back is not.
    fn lands(&mut self, result: &NewResult) -> bool {
        let number = result.game.number;
        let fits = |job: &GameAttempt| job.game == result.game && job.attempt == result.result.attempt;
        let waited = self.in_flight.get(&number).is_some_and(fits);
        if waited {
            self.in_flight.remove(&number);
        }
        waited
    }

    /// Events that arrived, at most [`BATCH`]; none if none came within [`LOOK`].
    fn collect(&self, hear: &Receiver<RunEvent>, jobs: usize) -> anyhow::Result<Vec<RunEvent>> {
        let mut arrived = Vec::new();
        let mut until = Instant::now() + LOOK;
        loop {
            match hear.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(outcome) => arrived.push(outcome),
                Err(RecvTimeoutError::Timeout) => return Ok(arrived),
                Err(RecvTimeoutError::Disconnected) => {
                    bail!("all workers are gone; this is a fault of this program")
                }
            }
            if arrived.len() == 1 {
                until = Instant::now() + COLLECT;
            }
            // A worker that has nothing left waits for what is handed out next.
            if arrived.len() == BATCH || self.in_flight.len().saturating_sub(arrived.len()) <= jobs {
                arrived.extend(hear.try_iter().take(BATCH - arrived.len()));
                return Ok(arrived);
            }
        }
    }

    /// Greatest number of games that are played or queued.
    fn most_in_flight(&self, jobs: usize) -> usize {
        let a_second = self.progress.per_second().unwrap_or_default() / jobs as f64;
        let queued = (a_second * QUEUED.as_secs_f64()) as usize;
        jobs * (1 + queued.clamp(1, QUEUED_MAX))
    }

    /// Gives games to the workers, after storing their rounds; `false` after a stop request.
    fn hand_out(&mut self, executor: &Executor<'_>, stop: &AtomicBool) -> anyhow::Result<bool> {
        let most = self.most_in_flight(executor.jobs());
        while self.in_flight.len() < most {
            let job = match self.again.pop_front() {
                Some(job) => job,
                None => match self.state.next_game() {
                    Some(game) => {
                        let attempt = self.attempts.remove(&game.number).unwrap_or(0);
                        GameAttempt { game, attempt }
                    }
                    None => {
                        executor.nothing_more(self.in_flight.len());
                        break;
                    }
                },
            };
            let drawn = self.state.take_drawn();
            if !self.patiently(stop, |this| this.catalogue.store_rounds(&drawn))? {
                return Ok(false);
            }
            self.in_flight.insert(job.game.number, job.clone());
            executor.give(job);
        }
        Ok(true)
    }
}
