//! Leases: what workers say of their games, and what becomes of the games of those that are silent.

use std::collections::BTreeSet;
use std::time::Instant;

use super::super::job::JobId;
use super::super::messages::Session;
use super::{
    DEATHS, GRACE, JobEvent, JobQueue, LEASE, LEFT_OUT, LOSSES, Lease, STUCK, Seat, Task, UnknownSession,
};

impl JobQueue {
    /// Renews the leases of a worker. A game that it plays and nobody else does becomes its own: so a director that was
    /// started again lets workers go on. A game that it leaves out goes to others: it was never told of it. Returns the
    /// games that it should abandon.
    ///
    /// # Errors
    /// If the session is not known.
    pub(in super::super) fn renew_leases(
        &mut self,
        session: &Session,
        running: &[(JobId, u64)],
        now: Instant,
    ) -> Result<Vec<JobId>, UnknownSession> {
        let seat = self.seats.get_mut(session).ok_or(UnknownSession)?;
        seat.heard = now;
        let machine = seat.machine.clone();
        for (_, lease) in self.leased.iter_mut().filter(|(_, lease)| lease.session == *session) {
            lease.left_out += 1;
        }
        let mut dropped = Vec::new();
        for (id, progress) in running {
            match self.leased.get_mut(id) {
                Some(lease) if lease.session == *session => {
                    lease.left_out = 0;
                    if *progress != lease.progress {
                        (lease.progress, lease.moved) = (*progress, now);
                    }
                    continue;
                }
                Some(_) => {}
                None => {
                    let is_own = self.held.get(id).is_some_and(|held| held.is_of(&machine));
                    // A game that this worker was lost over, or stood still at it, is for another.
                    let fits = |task: &Task| {
                        task.id == *id
                            && !task.ended.contains(&machine)
                            && !is_own
                            && self.is_free_for(session, task)
                    };
                    let queued = self.queue.iter().position(fits).and_then(|at| self.queue.remove(at));
                    if let Some(task) = queued {
                        self.lease(task, session, *progress, now);
                        continue;
                    }
                    if self.is_new(id, now) {
                        continue;
                    }
                }
            }
            dropped.push(id.clone());
        }
        let left_out = |lease: &Lease| lease.session == *session && lease.left_out >= LEFT_OUT;
        let left_out: Vec<JobId> =
            self.leased.iter().filter(|(_, lease)| left_out(lease)).map(|(id, _)| id.clone()).collect();
        for id in left_out {
            let Some(lease) = self.unlease(&id) else { continue };
            let number = lease.task.of.game.number;
            self.news(format!(
                "game {number} is not played by worker {machine} that was given it, and goes to others"
            ));
            self.requeue(lease.task, None);
        }
        Ok(dropped)
    }

    /// Whether a game may be one that the run offers only after its start: it is on no queue, and did not end here. When all is
    /// over none is offered any more.
    pub(super) fn is_new(&self, id: &JobId, now: Instant) -> bool {
        let grace = self.began.is_some_and(|began| now.saturating_duration_since(began) < GRACE);
        grace && !self.over && !self.is_open(id) && !self.finished.contains(id)
    }

    /// Whether a game does not count yet.
    fn is_open(&self, id: &JobId) -> bool {
        self.leased.contains_key(id)
            || self.held.contains_key(id)
            || self.firsts.values().any(|(task, _)| task.id == *id)
            || self.queue.iter().any(|task| task.id == *id)
    }

    /// Those of these games whose results are stored, or count no more: their worker can forget them.
    pub(in super::super) fn no_longer_waited_for(&self, kept: &[JobId], now: Instant) -> Vec<JobId> {
        let unstored: BTreeSet<&JobId> = self.unstored.values().collect();
        let is_over = |id: &&JobId| !unstored.contains(id) && !self.is_open(id) && !self.is_new(id, now);
        kept.iter().filter(is_over).cloned().collect()
    }

    /// No worker could be heard until now, by no fault of theirs.
    pub(in super::super) fn renew_all(&mut self, now: Instant) {
        self.seats.values_mut().for_each(|seat| seat.heard = now);
    }

    /// Ends the leases of lost workers and of games that stand still: other workers get their games.
    pub(in super::super) fn expire_leases(&mut self, now: Instant) {
        let before = self.looked.replace(now).unwrap_or(now);
        if self.began.is_some_and(|began| now.saturating_duration_since(began) >= GRACE) {
            self.finished.clear();
        }
        if now.saturating_duration_since(before) >= LEASE / 3 {
            // This machine stood still.
            self.renew_all(now);
        }
        let is_lost = |seat: &Seat| now.saturating_duration_since(seat.heard) >= LEASE;
        let lost: Vec<Session> =
            self.seats.iter().filter(|(_, seat)| is_lost(seat)).map(|(session, _)| session.clone()).collect();
        // Where several are lost at once and none is left, the fault is the network's or this machine's.
        let together = lost.len() > 1 && lost.len() == self.seats.len();
        for session in lost {
            let Some(Seat { name, machine, .. }) = self.seats.remove(&session) else { continue };
            let back = self.requeue_session(&session, Some(&*machine).filter(|_| !together));
            let secs = LEASE.as_secs();
            let games = back_in_words(back);
            self.news(format!("worker {name} is lost: nothing was heard of it for {secs} s{games}"));
        }
        let is_stuck = |lease: &Lease| now.saturating_duration_since(lease.moved) >= STUCK;
        let stuck: Vec<JobId> =
            self.leased.iter().filter(|(_, lease)| is_stuck(lease)).map(|(id, _)| id.clone()).collect();
        for id in stuck {
            let Some(lease) = self.unlease(&id) else { continue };
            let name = self.seats.get(&lease.session).map(|seat| seat.machine.clone()).unwrap_or_default();
            let number = lease.task.of.game.number;
            self.news(format!("game {number} stands still at worker {name}, and goes to another"));
            let pair = lease.task.pair();
            self.unpair(|of, _| Some(*of) == pair);
            self.requeue(lease.task, Some(&name));
        }
        self.settle();
        self.tell_lacking();
    }

    /// Puts the games of a session back, for a worker of this name if it was lost; returns their number.
    pub(super) fn requeue_session(&mut self, session: &Session, lost: Option<&str>) -> usize {
        self.unpair(|_, holder| holder == session);
        let of_session = |lease: &Lease| lease.session == *session;
        let ids: Vec<JobId> =
            self.leased.iter().filter(|(_, lease)| of_session(lease)).map(|(id, _)| id.clone()).collect();
        let tasks: Vec<Task> = ids.iter().filter_map(|id| Some(self.unlease(id)?.task)).collect();
        let count = tasks.len();
        for task in tasks {
            self.requeue(task, lost);
        }
        count
    }

    /// Puts a game back in the order of the schedule, or sets it aside when it has ended too many workers.
    pub(super) fn requeue(&mut self, mut task: Task, lost: Option<&str>) {
        task.ended.extend(lost.map(str::to_owned));
        let machines: BTreeSet<&String> = task.ended.iter().collect();
        if machines.len() < DEATHS && task.ended.len() < LOSSES {
            self.queue_in_order(task);
            return;
        }
        let why = match machines.len() {
            DEATHS.. => format!(
                "set aside, since {DEATHS} workers were lost while they played it: {}",
                task.ended.join(", ")
            ),
            _ => format!(
                "set aside, since workers were lost over it {LOSSES} times: {}",
                task.ended.join(", ")
            ),
        };
        if !self.count_first(&task.id) {
            self.told.push(JobEvent::GivenUp(task, why));
        }
    }

    pub(super) fn queue_in_order(&mut self, task: Task) {
        let number = task.of.game.number;
        let later = self.queue.iter().position(|queued| queued.of.game.number > number);
        self.queue.insert(later.unwrap_or(self.queue.len()), task);
    }
}

/// What becomes of the games of a worker that is gone.
pub(super) fn back_in_words(games: usize) -> String {
    match games {
        0 => String::new(),
        1 => "; its game goes to another".to_owned(),
        many => format!("; its {many} games go to others"),
    }
}
