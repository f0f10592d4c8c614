//! Comparison of the results of two workers. Some games are played twice. If the results differ, a third worker decides,
//! and the one that differs from it is set aside.

use std::time::Instant;

use super::super::evidence::Handed;
use super::super::job::JobId;
use super::super::messages::Session;
use super::{FinishError, JobEvent, JobQueue, Lease, Task};

/// A game that is compared: it was handed in, and counts when it is decided.
#[derive(Debug)]
pub(super) struct Held {
    task: Task,
    /// Origin of the results: one worker, or two that differ.
    said: Vec<Handed>,
    /// Whether it was said that nobody can decide.
    told: bool,
}

impl Held {
    pub(super) fn is_of(&self, machine: &str) -> bool {
        self.said.iter().any(|handed| handed.worker == machine)
    }
}

impl JobQueue {
    /// Takes a result; `false` if the game counts already, was handed in by this worker, or is not known.
    ///
    /// # Errors
    /// If the session is not known, or the game is not known yet.
    pub(in super::super) fn finish(
        &mut self,
        session: &Session,
        id: &JobId,
        handed: Handed,
        now: Instant,
    ) -> Result<bool, FinishError> {
        let seat = self.seats.get_mut(session).ok_or(FinishError::Session)?;
        seat.heard = now;
        if self.held.get(id).is_some_and(|held| held.is_of(&handed.worker)) {
            return Ok(false);
        }
        let is_other = |lease: &Lease| !self.is_free_for(session, &lease.task);
        if self.leased.get(id).is_some_and(is_other) {
            return Ok(false);
        }
        let task = match self.unlease(id) {
            Some(lease) => lease.task,
            None => {
                match self.queue.iter().position(|task| task.id == *id && self.is_free_for(session, task)) {
                    Some(at) => self.queue.remove(at).ok_or(FinishError::NotYet)?,
                    None if self.is_new(id, now) => return Err(FinishError::NotYet),
                    None => return Ok(false),
                }
            }
        };
        self.finished.insert(id.clone());
        let spoiled = handed.played.is_spoiled();
        match self.held.remove(id) {
            // Where the machine failed, nothing is known of the game.
            None if spoiled || !task.compared => {
                self.pairs.extend(task.pair().map(|pair| (pair, session.clone())));
                self.land(task, handed);
            }
            None => {
                let held = Held { task: task.clone(), said: vec![handed], told: false };
                self.held.insert(id.clone(), held);
                self.queue.push_front(task);
                self.settle();
            }
            Some(held) if spoiled => {
                let mut task = task;
                task.refused.push((session.clone(), handed.worker));
                self.held.insert(id.clone(), held);
                self.queue.push_front(task);
                self.settle();
            }
            Some(mut held) => {
                held.said.push(handed);
                self.decide(held);
            }
        }
        Ok(true)
    }

    /// Whether the result of a game has to be compared.
    pub(in super::super) fn is_compared(&self, id: &JobId) -> bool {
        let queued = || self.queue.iter().find(|task| task.id == *id);
        let task = self.leased.get(id).map(|lease| &lease.task).or_else(queued);
        task.is_some_and(|task| task.compared)
    }

    /// Decides between two or three results.
    fn decide(&mut self, mut held: Held) {
        let number = held.task.of.game.number;
        let Some(last) = held.said.last() else { return };
        let alike: Vec<bool> = held.said.iter().map(|one| one.difference(last).is_none()).collect();
        match &alike[..] {
            [true, true] => {
                self.compared += 1;
                self.told.push(JobEvent::Ended(held.task, held.said.swap_remove(0)));
            }
            [false, true] => {
                let what = held.said[0].difference(&held.said[1]).unwrap_or_default();
                let (one, other) = (&held.said[0].worker, &held.said[1].worker);
                self.news(format!(
                    "game {number} was played by the workers {one} and {other}, and {what} differs: a third decides"
                ));
                self.queue.push_front(held.task.clone());
                self.held.insert(held.task.id.clone(), held);
                self.settle();
            }
            [first, second, true] if first != second => {
                let wrong = usize::from(*first);
                let (agree, differs) = (held.said[1 - wrong].worker.clone(), held.said[wrong].worker.clone());
                let what = held.said[wrong].difference(&held.said[1 - wrong]).unwrap_or_default();
                let judge = held.said[2].worker.clone();
                self.compared += 1;
                self.told.push(JobEvent::Ended(held.task, held.said.swap_remove(1 - wrong)));
                let why = format!(
                    "{what} of game {number} is not that of {agree} and {judge}, though only the seed decides it"
                );
                self.distrust(&differs, why);
            }
            _ => {
                let names: Vec<&str> = held.said.iter().map(|handed| handed.worker.as_str()).collect();
                self.news(format!(
                    "game {number} was played by {}, and each has another result: it can't be decided who is wrong; \
                     the first counts, and nobody is set aside. A player may depend on more than the seed",
                    names.join(", ")
                ));
                self.told.push(JobEvent::Ended(held.task, held.said.swap_remove(0)));
            }
        }
    }

    /// Looks at the games that wait for another worker: a first result counts as it is where there is none, and a game that
    /// two disagree about waits for a third.
    pub(super) fn settle(&mut self) {
        let waiting: Vec<JobId> =
            self.held.keys().filter(|id| !self.leased.contains_key(*id)).cloned().collect();
        for id in waiting {
            let Some(at) = self.queue.iter().position(|task| task.id == id) else { continue };
            let Some(held) = self.held.get(&id) else { continue };
            if self.seats.iter().any(|(session, seat)| self.may(session, seat, &self.queue[at])) {
                continue;
            }
            let number = held.task.of.game.number;
            if held.said.len() > 1 {
                if let Some(held) = self.held.get_mut(&id).filter(|held| !held.told) {
                    held.told = true;
                    self.news(format!(
                        "game {number} can't be decided: there is no third worker. It waits for one; start it under a name of its own"
                    ));
                }
                continue;
            }
            self.queue.remove(at);
            let Some(mut held) = self.held.remove(&id) else { continue };
            let handed = held.said.swap_remove(0);
            let machine = &handed.worker;
            if self.alone.as_ref() != Some(machine) {
                self.alone = Some(machine.clone());
                self.news(format!(
                    "game {number} is not compared, since there is no worker besides {machine} that could play it too"
                ));
            }
            self.told.push(JobEvent::Ended(held.task, handed));
        }
    }

    /// A game that is held counts as it was handed in first, since it can't be played again; `false` if it is not held.
    pub(super) fn count_first(&mut self, id: &JobId) -> bool {
        let Some(mut held) = self.held.remove(id) else { return false };
        let handed = held.said.swap_remove(0);
        let machine = &handed.worker;
        let number = held.task.of.game.number;
        self.news(format!(
            "game {number} counts as worker {machine} played it: no other could play it to its end"
        ));
        self.told.push(JobEvent::Ended(held.task, handed));
        true
    }

    /// A worker is set aside: what it plays and what it handed in counts no more.
    fn distrust(&mut self, machine: &str, why: String) {
        let sessions: Vec<Session> = self.sessions_of(machine);
        for session in sessions {
            self.seats.remove(&session);
            self.requeue_session(&session, None);
        }
        let of_machine: Vec<JobId> =
            self.held.iter().filter(|(_, held)| held.is_of(machine)).map(|(id, _)| id.clone()).collect();
        for id in of_machine {
            let Some(held) = self.held.get_mut(&id) else { continue };
            held.said.retain(|handed| handed.worker != machine);
            if held.said.is_empty() {
                // Its game is in the queue, or at another worker.
                self.held.remove(&id);
            }
        }
        self.distrusted.insert(machine.to_owned(), why.clone());
        self.told.push(JobEvent::Distrusted(machine.to_owned(), why));
    }

    fn sessions_of(&self, machine: &str) -> Vec<Session> {
        let of_machine = self.seats.iter().filter(|(_, seat)| seat.machine == machine);
        of_machine.map(|(session, _)| session.clone()).collect()
    }

    /// Sets workers aside that were so before this start, each with the reason.
    pub(in super::super) fn distrust_workers(&mut self, workers: impl IntoIterator<Item = (String, String)>) {
        self.distrusted.extend(workers);
    }

    /// Takes all games off the queue. Those that workers play become theirs again when they are offered again.
    pub(in super::super) fn withdraw(&mut self) {
        self.queue.clear();
        self.leased.clear();
        self.seats.values_mut().for_each(|seat| seat.held = 0);
        self.held.clear();
        self.pairs.clear();
        self.firsts.clear();
        self.unstored.clear();
    }
}
