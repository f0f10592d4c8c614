//! The director's queue: which worker plays which game, and until when. Pure: it is told the time.
//!
//! A game that is handed out is leased. Each beat of its worker renews the lease; a lease that runs out gives the game to
//! another worker. A game counts with the first result that is handed in, whoever hands it in; one that is compared
//! ([`compare`]) with the second.

mod compare;
mod leases;
mod pairs;
pub(super) mod suits;
#[cfg(test)]
pub(super) mod tests;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use self::compare::Held;
use self::leases::back_in_words;
use self::pairs::Pair;
use self::suits::{ClockedGameRequirements, Machine};
use super::evidence::Handed;
use super::job::{Job, JobId};
use super::messages::{Hello, Session, at_a_time};
use crate::tournament::definition::needs::Needs;
use crate::tournament::playing;

/// Time without a beat after which a worker is lost, and its games are handed out again.
pub(super) const LEASE: Duration = Duration::from_secs(6);
/// Time for which a game may make no progress at all before it is handed out again.
const STUCK: Duration = Duration::from_secs(3600);
/// Number of workers that a game may end before it is set aside, and number of times that it may end any.
const DEATHS: usize = 3;
const LOSSES: usize = 9;
/// Number of workers that have to refuse a game, besides all that take part, before the run gives up.
const REFUSALS: usize = 3;
/// Number of beats of its worker that may leave a game out before it is held not to play it.
const LEFT_OUT: u8 = 2;
/// Time after the director's start in which workers go on with games that it does not know yet.
const GRACE: Duration = Duration::from_secs(30);
/// Greatest number of workers at a time.
const WORKERS: usize = 1024;

/// A game on the queue.
#[derive(Debug, Clone)]
pub(super) struct Task {
    pub(super) id: JobId,
    pub(super) job: Arc<Job>,
    /// The game as the run knows it.
    pub(super) of: playing::GameAttempt,
    /// Whether it is played by two workers, and compared.
    pub(super) compared: bool,
    /// Requirements of its players.
    pub(super) needs: Needs,
    /// Names of the workers that were lost while they played it.
    pub(super) ended: Vec<String>,
    /// The workers that refused it, with their names.
    pub(super) refused: Vec<(Session, String)>,
}

impl Task {
    pub(super) fn new(job: Job, of: playing::GameAttempt, compared: bool, needs: Needs) -> Self {
        Self { id: job.id(), job: Arc::new(job), of, compared, needs, ended: Vec::new(), refused: Vec::new() }
    }

    /// The pair of a game with clocks: the encounter, and the number in it.
    fn pair(&self) -> Option<Pair> {
        self.job.clocks.then_some((self.of.game.encounter, self.of.game.pair))
    }
}

#[derive(Debug)]
struct Lease {
    task: Task,
    session: Session,
    progress: u64,
    /// Number of its worker's last beats that left it out.
    left_out: u8,
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
    /// Number of games that are leased to it.
    held: u32,
    heard: Instant,
    of: Machine,
}

/// News of the queue.
#[derive(Debug)]
pub(super) enum JobEvent {
    /// News for people.
    News(String),
    /// A game that ended so many workers that it is not played any more, with the reason.
    GivenUp(Task, String),
    /// A game that no worker can play, with the reason.
    Stuck(String),
    /// A game that counts.
    Ended(Task, Handed),
    /// Both games of a pair, which count together.
    Pair(Box<[(Task, Handed); 2]>),
    /// A worker whose results don't count, with the reason.
    Distrusted(String, String),
}

/// Why a request of a worker is not answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UnknownSession;

/// Why a result is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FinishError {
    /// The session is not known.
    Session,
    /// The game is not known yet, since the director was started only now.
    NotYet,
}

/// The queue.
#[derive(Debug, Default)]
pub(super) struct JobQueue {
    queue: VecDeque<Task>,
    leased: BTreeMap<JobId, Lease>,
    /// Workers that play the pairs with clocks, both games of each.
    pairs: BTreeMap<Pair, Session>,
    /// First games of these pairs that were handed in, and wait for the second.
    firsts: BTreeMap<Pair, (Task, Handed)>,
    seats: BTreeMap<Session, Seat>,
    /// Games that were handed in, and wait to be compared. Their tasks are queued or leased for another worker.
    held: BTreeMap<JobId, Held>,
    /// Workers that are set aside, with the reasons.
    distrusted: BTreeMap<String, String>,
    /// The only worker, while it was said that nothing is compared.
    alone: Option<String>,
    /// Number of games that were compared.
    compared: u64,
    fairness: ClockedGameRequirements,
    /// Needs of games of which it was said that no worker has them.
    lacking: BTreeSet<Needs>,
    told: Vec<JobEvent>,
    /// When the first worker came, and the games that ended in the time of grace since then.
    began: Option<Instant>,
    finished: BTreeSet<JobId>,
    /// Games that count, by number and attempt, until they are stored.
    unstored: BTreeMap<(u64, u32), JobId>,
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

impl JobQueue {
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
        self.news(format!("worker {name} takes part, {}", at_a_time(hello.jobs)));
        if self.alone.as_ref().is_some_and(|alone| *alone != hello.name) {
            self.alone = None;
        }
        self.lacking.clear();
        self.began.get_or_insert(now);
        let (machine, of) = (hello.name.clone(), Machine::of(hello));
        self.seats.insert(session, Seat { name, machine, jobs: hello.jobs, held: 0, heard: now, of });
        Ok(())
    }

    /// A worker takes its leave: its games are handed out again at once, and it is not said to be lost. When all is over it only
    /// says that it knows.
    pub(super) fn leave(&mut self, session: &Session) {
        let Some(seat) = self.seats.remove(session) else { return };
        if self.over {
            return;
        }
        let back = self.requeue_session(session, None);
        let games = back_in_words(back);
        self.news(format!("worker {} has left{games}", seat.name));
        self.settle();
    }

    /// Puts a game on the queue.
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
        load: Option<u8>,
        now: Instant,
    ) -> Result<Option<(JobId, Arc<Job>)>, UnknownSession> {
        let seat = self.seats.get_mut(session).ok_or(UnknownSession)?;
        seat.heard = now;
        seat.of.load = load;
        // A worker that crashes and comes again does not hold more than it plays.
        if seat.held >= seat.jobs {
            return Ok(None);
        }
        self.tell_suited(session);
        let seat = &self.seats[session];
        let may = |task: &Task| {
            let spared = || {
                self.seats.iter().any(|(other, seat)| {
                    !task.ended.contains(&seat.machine)
                        && self.may(other, seat, task)
                        && self.is_free_for(other, task)
                })
            };
            self.may(session, seat, task)
                && self.is_free_for(session, task)
                // Another machine has a try first.
                && (!task.ended.contains(&seat.machine) || !spared())
        };
        let Some(at) = self.queue.iter().position(may) else { return Ok(None) };
        let Some(task) = self.queue.remove(at) else { return Ok(None) };
        let given = (task.id.clone(), Arc::clone(&task.job));
        self.lease(task, session, 0, now);
        Ok(Some(given))
    }

    /// A game becomes a worker's own, with the pair that it belongs to.
    fn lease(&mut self, task: Task, session: &Session, progress: u64, now: Instant) {
        self.pairs.extend(task.pair().map(|pair| (pair, session.clone())));
        if let Some(seat) = self.seats.get_mut(session) {
            seat.held += 1;
        }
        let id = task.id.clone();
        self.leased.insert(id, Lease { task, session: session.clone(), progress, left_out: 0, moved: now });
    }

    /// A game is no worker's own any more.
    fn unlease(&mut self, id: &JobId) -> Option<Lease> {
        let lease = self.leased.remove(id)?;
        if let Some(seat) = self.seats.get_mut(&lease.session) {
            seat.held -= 1;
        }
        Some(lease)
    }

    /// Whether a worker can be given a game.
    fn may(&self, session: &Session, seat: &Seat, task: &Task) -> bool {
        task.refused.iter().all(|(worker, _)| worker != session)
            && self.held.get(&task.id).is_none_or(|held| !held.is_of(&seat.machine))
            && seat.of.lacks(task).is_none()
            && (!task.job.clocks || self.is_suited(seat))
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
        let (name, seat_machine) = (seat.name.clone(), seat.machine.clone());
        if self.leased.get(id).is_none_or(|lease| lease.session != *session) {
            return Ok(());
        }
        let Some(mut lease) = self.unlease(id) else { return Ok(()) };
        let pair = lease.task.pair();
        self.unpair(|of, _| Some(*of) == pair);
        let number = lease.task.of.game.number;
        lease.task.refused.push((session.clone(), seat_machine));
        self.news(format!("worker {name} can't play game {number}: {why}"));
        let task = &lease.task;
        let names: BTreeSet<&String> = task.refused.iter().map(|(_, name)| name).collect();
        let everybody = self.seats.keys().all(|seat| task.refused.iter().any(|(session, _)| session == seat));
        if names.len() >= REFUSALS && everybody && !self.held.contains_key(id) {
            let count = names.len();
            self.told
                .push(JobEvent::Stuck(format!("game {number} can't be played by {count} workers: {why}")));
        }
        self.queue.push_front(lease.task);
        self.settle();
        Ok(())
    }

    fn news(&mut self, text: String) {
        self.told.push(JobEvent::News(text));
    }

    /// News since the last call.
    pub(super) fn take_told(&mut self) -> Vec<JobEvent> {
        for told in &self.told {
            let tasks = match told {
                JobEvent::Ended(task, _) | JobEvent::GivenUp(task, _) => [Some(task), None],
                JobEvent::Pair(games) => [Some(&games[0].0), Some(&games[1].0)],
                JobEvent::News(_) | JobEvent::Stuck(_) | JobEvent::Distrusted(..) => [None, None],
            };
            let tasks = tasks.into_iter().flatten();
            self.unstored.extend(tasks.map(|task| ((task.of.game.number, task.of.attempt), task.id.clone())));
        }
        std::mem::take(&mut self.told)
    }

    /// Results of these games, with their attempts, are stored.
    pub(super) fn stored(&mut self, games: impl IntoIterator<Item = (u64, u32)>) {
        for game in games {
            self.unstored.remove(&game);
        }
    }

    /// The name by which a worker calls itself.
    pub(super) fn machine(&self, session: &Session) -> Option<&str> {
        self.seats.get(session).map(|seat| seat.machine.as_str())
    }

    /// The measured speed of a worker.
    pub(super) fn speed(&self, session: &Session) -> Option<u32> {
        self.seats.get(session)?.of.speed
    }

    /// Decides which workers get games with clocks.
    pub(super) fn set_fairness(&mut self, fairness: ClockedGameRequirements) {
        self.fairness = fairness;
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
