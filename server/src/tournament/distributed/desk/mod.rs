//! The director's desk: which worker plays which game, and until when. Pure: it is told the time.
//!
//! A game that is handed out is leased. Each beat of its worker renews the lease; a lease that runs out gives the game to
//! another worker. A game counts with the first result that is handed in, whoever hands it in; one that is compared
//! ([`compare`]) with the second.

mod compare;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use self::compare::Held;
use super::evidence::Handed;
use super::job::{Job, JobId};
use super::messages::{Hello, Session};
use crate::tournament::playing;

/// Time without a beat after which a worker is lost, and its games are handed out again.
pub(super) const LEASE: Duration = Duration::from_secs(6);
/// Time for which a game may make no progress at all before it is handed out again.
const STUCK: Duration = Duration::from_secs(3600);
/// Number of workers that a game may end or be refused by before it is set aside.
const DEATHS: usize = 3;
/// Greatest number of workers at a time.
const WORKERS: usize = 1024;

/// A game on the desk.
#[derive(Debug, Clone)]
pub(super) struct Task {
    pub(super) id: JobId,
    pub(super) job: Arc<Job>,
    /// The game as the run knows it.
    pub(super) of: playing::Job,
    /// Whether it is played by two workers, and compared.
    pub(super) compared: bool,
    /// Names of the workers that were lost while they played it.
    pub(super) ended: Vec<String>,
    /// Names of the workers that refused it, with the reasons.
    pub(super) refused: Vec<(String, String)>,
}

impl Task {
    pub(super) fn new(job: Job, of: playing::Job, compared: bool) -> Self {
        Self { id: job.id(), job: Arc::new(job), of, compared, ended: Vec::new(), refused: Vec::new() }
    }

    /// The pair of a game with clocks: the encounter, and the number in it.
    fn pair(&self) -> Option<(u32, u32)> {
        self.job.clocks.then_some((self.of.game.encounter, self.of.game.pair))
    }
}

#[derive(Debug)]
struct Lease {
    task: Task,
    session: Session,
    progress: u64,
    /// When the progress was seen to grow.
    moved: Instant,
}

/// A worker that takes part.
#[derive(Debug)]
struct Seat {
    name: String,
    /// The name by which the worker calls itself; several of one name are held for one machine.
    machine: String,
    jobs: u32,
    heard: Instant,
}

/// What the desk has to tell.
#[derive(Debug)]
pub(super) enum Told {
    /// News for people.
    News(String),
    /// A game that ended so many workers that it is not played any more, with the reason.
    SetAside(Task, String),
    /// A game that no worker can play, with the reason.
    Stuck(String),
    /// A game that counts.
    Ended(Task, Handed),
    /// A worker whose results don't count, with the reason.
    Distrusted(String, String),
}

/// Why a request of a worker is not answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UnknownSession;

/// The desk.
#[derive(Debug, Default)]
pub(super) struct Desk {
    queue: VecDeque<Task>,
    leased: BTreeMap<JobId, Lease>,
    /// Workers that play the pairs with clocks, both games of each.
    pairs: BTreeMap<(u32, u32), Session>,
    seats: BTreeMap<Session, Seat>,
    /// Games that were handed in, and wait to be compared. Their tasks are queued or leased for another worker.
    held: BTreeMap<JobId, Held>,
    /// Workers that are set aside, with the reasons.
    distrusted: BTreeMap<String, String>,
    /// The only worker, while it was said that nothing is compared.
    alone: Option<String>,
    /// Number of games that were compared.
    compared: u64,
    told: Vec<Told>,
    /// When the leases were looked at last.
    looked: Option<Instant>,
    over: bool,
}

/// Counts for the metrics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) workers: usize,
    pub(super) slots: usize,
    pub(super) queued: usize,
    pub(super) leased: usize,
    pub(super) compared: u64,
    pub(super) distrusted: usize,
}

/// Why a worker is not taken in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum EnterError {
    /// Too many workers take part.
    #[error("{WORKERS} workers take part, as many as are allowed")]
    Full,
    /// No session could be made, for this reason.
    #[error("no session could be made: {0}")]
    NoSession(String),
    /// The worker is set aside.
    #[error("worker {0} is set aside: {1}. A machine that is mended takes part under another --name")]
    Distrusted(String, String),
}

impl Desk {
    /// Takes a worker in. A name that another one has gets a number.
    ///
    /// # Errors
    /// If too many workers take part, or this one is set aside.
    pub(super) fn enter(&mut self, hello: &Hello, session: Session, now: Instant) -> Result<(), EnterError> {
        if self.seats.len() >= WORKERS {
            return Err(EnterError::Full);
        }
        if let Some(why) = self.distrusted.get(&hello.name) {
            return Err(EnterError::Distrusted(hello.name.clone(), why.clone()));
        }
        let is_taken = |name: &str| self.seats.values().any(|seat| seat.name == name);
        let mut name = hello.name.clone();
        let mut number = 2;
        while is_taken(&name) {
            name = format!("{} ({number})", hello.name);
            number += 1;
        }
        let at_a_time = if hello.jobs == 1 { "one game".to_owned() } else { format!("{} games", hello.jobs) };
        self.news(format!("worker {name} takes part, {at_a_time} at a time"));
        if self.alone.as_ref().is_some_and(|alone| *alone != hello.name) {
            self.alone = None;
        }
        self.seats.insert(session, Seat { name, machine: hello.name.clone(), jobs: hello.jobs, heard: now });
        Ok(())
    }

    /// A worker takes its leave: its games are handed out again at once, and it is not said to be lost.
    pub(super) fn leave(&mut self, session: &Session) {
        let Some(seat) = self.seats.remove(session) else { return };
        let back = self.give_back(session, None);
        let games = back_in_words(back);
        self.news(format!("worker {} has left{games}", seat.name));
        self.settle();
    }

    /// A worker knows that all is over.
    pub(super) fn forget(&mut self, session: &Session) {
        self.seats.remove(session);
    }

    /// Puts a game on the desk.
    pub(super) fn offer(&mut self, task: Task) {
        self.queue.push_back(task);
    }

    /// The next game for a worker; `None` while there is none.
    ///
    /// # Errors
    /// If the session is not known.
    pub(super) fn take(
        &mut self,
        session: &Session,
        now: Instant,
    ) -> Result<Option<(JobId, Arc<Job>)>, UnknownSession> {
        let seat = self.seats.get_mut(session).ok_or(UnknownSession)?;
        seat.heard = now;
        let held = self.leased.values().filter(|lease| lease.session == *session).count();
        // A worker that crashes and comes again does not hold more than it plays.
        if held >= seat.jobs as usize {
            return Ok(None);
        }
        let seat = &self.seats[session];
        let free = |pair| self.pairs.get(&pair).is_none_or(|holder| holder == session);
        let may = |task: &Task| self.may(seat, task) && task.pair().is_none_or(free);
        let Some(at) = self.queue.iter().position(may) else { return Ok(None) };
        let Some(task) = self.queue.remove(at) else { return Ok(None) };
        if let Some(pair) = task.pair() {
            self.pairs.insert(pair, session.clone());
        }
        let given = (task.id.clone(), Arc::clone(&task.job));
        self.leased
            .insert(task.id.clone(), Lease { task, session: session.clone(), progress: 0, moved: now });
        Ok(Some(given))
    }

    /// Whether a worker can be given a game.
    fn may(&self, seat: &Seat, task: &Task) -> bool {
        task.refused.iter().all(|(worker, _)| *worker != seat.name)
            && self.held.get(&task.id).is_none_or(|held| !held.is_of(&seat.machine))
    }

    /// Renews the leases of a worker. A game that it plays and nobody else does becomes its own: so a director that was
    /// started again lets workers go on. Returns the games that it should abandon.
    ///
    /// # Errors
    /// If the session is not known.
    pub(super) fn beat(
        &mut self,
        session: &Session,
        running: &[(JobId, u64)],
        now: Instant,
    ) -> Result<Vec<JobId>, UnknownSession> {
        let seat = self.seats.get_mut(session).ok_or(UnknownSession)?;
        seat.heard = now;
        let (name, machine) = (seat.name.clone(), seat.machine.clone());
        let mut dropped = Vec::new();
        for (id, progress) in running {
            match self.leased.get_mut(id) {
                Some(lease) if lease.session == *session => {
                    if *progress != lease.progress {
                        (lease.progress, lease.moved) = (*progress, now);
                    }
                }
                Some(_) => dropped.push(id.clone()),
                // One that stood still at this worker is for another.
                None => {
                    let is_own = self.held.get(id).is_some_and(|held| held.is_of(&machine));
                    let fits = |task: &Task| task.id == *id && !task.ended.contains(&name) && !is_own;
                    match self.queue.iter().position(fits) {
                        Some(at) => {
                            let Some(task) = self.queue.remove(at) else { continue };
                            let lease =
                                Lease { task, session: session.clone(), progress: *progress, moved: now };
                            self.leased.insert(id.clone(), lease);
                        }
                        None => dropped.push(id.clone()),
                    }
                }
            }
        }
        Ok(dropped)
    }

    /// A worker can't play a game, for this reason.
    ///
    /// # Errors
    /// If the session is not known.
    pub(super) fn refuse(
        &mut self,
        session: &Session,
        id: &JobId,
        why: String,
        now: Instant,
    ) -> Result<(), UnknownSession> {
        let seat = self.seats.get_mut(session).ok_or(UnknownSession)?;
        seat.heard = now;
        let name = seat.name.clone();
        if self.leased.get(id).is_none_or(|lease| lease.session != *session) {
            return Ok(());
        }
        let Some(mut lease) = self.leased.remove(id) else { return Ok(()) };
        if let Some(pair) = lease.task.pair() {
            self.pairs.remove(&pair);
        }
        let number = lease.task.of.game.number;
        lease.task.refused.push((name.clone(), why.clone()));
        self.news(format!("worker {name} can't play game {number}: {why}"));
        let is_held = self.held.contains_key(id);
        if lease.task.refused.len() >= DEATHS && !is_held {
            self.told.push(Told::Stuck(format!("game {number} can't be played by {DEATHS} workers: {why}")));
        }
        self.queue.push_front(lease.task);
        self.settle();
        Ok(())
    }

    /// Hands out again what lost workers played, and games that stand still.
    pub(super) fn expire(&mut self, now: Instant) {
        let before = self.looked.replace(now).unwrap_or(now);
        if now.saturating_duration_since(before) >= LEASE / 3 {
            // This machine stood still, and could hear nobody.
            self.seats.values_mut().for_each(|seat| seat.heard = now);
        }
        let is_lost = |seat: &Seat| now.saturating_duration_since(seat.heard) >= LEASE;
        let lost: Vec<(Session, String)> = self
            .seats
            .iter()
            .filter(|(_, seat)| is_lost(seat))
            .map(|(session, seat)| (session.clone(), seat.name.clone()))
            .collect();
        for (session, name) in lost {
            self.seats.remove(&session);
            let back = self.give_back(&session, Some(&name));
            let secs = LEASE.as_secs();
            let games = back_in_words(back);
            self.news(format!("worker {name} is lost: nothing was heard of it for {secs} s{games}"));
        }
        let is_stuck = |lease: &Lease| now.saturating_duration_since(lease.moved) >= STUCK;
        let stuck: Vec<JobId> =
            self.leased.iter().filter(|(_, lease)| is_stuck(lease)).map(|(id, _)| id.clone()).collect();
        for id in stuck {
            let Some(lease) = self.leased.remove(&id) else { continue };
            let name = self.seats.get(&lease.session).map(|seat| seat.name.clone()).unwrap_or_default();
            let number = lease.task.of.game.number;
            self.news(format!("game {number} stands still at worker {name}, and goes to another"));
            self.put_back(lease.task, Some(&name));
        }
        self.settle();
    }

    /// Puts the games of a session back, for a worker of this name if it was lost; returns their number.
    fn give_back(&mut self, session: &Session, lost: Option<&str>) -> usize {
        self.pairs.retain(|_, holder| holder != session);
        let of_session = |lease: &Lease| lease.session == *session;
        let ids: Vec<JobId> =
            self.leased.iter().filter(|(_, lease)| of_session(lease)).map(|(id, _)| id.clone()).collect();
        let tasks: Vec<Task> = ids.iter().filter_map(|id| Some(self.leased.remove(id)?.task)).collect();
        let count = tasks.len();
        for task in tasks {
            self.put_back(task, lost);
        }
        count
    }

    /// Puts a game back in the order of the schedule, or sets it aside when it has ended too many workers.
    fn put_back(&mut self, mut task: Task, lost: Option<&str>) {
        task.ended.extend(lost.map(str::to_owned));
        if task.ended.len() < DEATHS {
            let number = task.of.game.number;
            let later = self.queue.iter().position(|queued| queued.of.game.number > number);
            self.queue.insert(later.unwrap_or(self.queue.len()), task);
            return;
        }
        if self.count_first(&task.id) {
            return;
        }
        let why = format!(
            "set aside, since {DEATHS} workers were lost while they played it: {}",
            task.ended.join(", ")
        );
        self.told.push(Told::SetAside(task, why));
    }

    fn news(&mut self, text: String) {
        self.told.push(Told::News(text));
    }

    /// What is to be told since the last call.
    pub(super) fn take_told(&mut self) -> Vec<Told> {
        std::mem::take(&mut self.told)
    }

    /// The name by which a worker calls itself.
    pub(super) fn machine(&self, session: &Session) -> Option<&str> {
        self.seats.get(session).map(|seat| seat.machine.as_str())
    }

    /// Number of games that all workers play at a time.
    pub(super) fn slots(&self) -> usize {
        self.seats.values().map(|seat| seat.jobs as usize).sum()
    }

    pub(super) fn counts(&self) -> Counts {
        Counts {
            workers: self.seats.len(),
            slots: self.slots(),
            queued: self.queue.len(),
            leased: self.leased.len(),
            compared: self.compared,
            distrusted: self.distrusted.len(),
        }
    }

    /// Nothing is handed out any more.
    pub(super) fn close(&mut self) {
        self.over = true;
        self.withdraw();
    }

    pub(super) fn is_over(&self) -> bool {
        self.over
    }
}

/// What becomes of the games of a worker that is gone.
fn back_in_words(games: usize) -> String {
    match games {
        0 => String::new(),
        1 => "; its game goes to another".to_owned(),
        many => format!("; its {many} games go to others"),
    }
}
