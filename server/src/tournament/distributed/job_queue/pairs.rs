//! Pairs with clocks: both games of one are played by one worker, or both are played again.

use super::super::evidence::Handed;
use super::super::messages::Session;
use super::{JobEvent, JobQueue, Task};

/// A pair: the encounter, and the number in it.
pub(super) type Pair = (u32, u32);

impl JobQueue {
    /// Whether a worker may be given a game, or may hand it in, so that its pair stays with one worker.
    pub(super) fn is_free_for(&self, session: &Session, task: &Task) -> bool {
        let holder = task.pair().and_then(|pair| self.pairs.get(&pair));
        holder.is_none_or(|holder| holder == session)
    }

    /// A game has ended: the first of a pair with clocks waits for the other, any other counts.
    pub(super) fn land(&mut self, task: Task, handed: Handed) {
        let Some(pair) = task.pair().filter(|_| !handed.played.is_spoiled()) else {
            return self.told.push(JobEvent::Ended(task, handed));
        };
        match self.firsts.remove(&pair) {
            None => {
                self.firsts.insert(pair, (task, handed));
            }
            Some((first, of_first)) => {
                self.pairs.remove(&pair);
                self.told.push(JobEvent::Pair(Box::new([(first, of_first), (task, handed)])));
            }
        }
    }

    /// The worker of these pairs is gone: what it played of them is played again with the rest.
    pub(super) fn unpair(&mut self, is_gone: impl Fn(&Pair, &Session) -> bool) {
        let gone: Vec<Pair> = self
            .pairs
            .iter()
            .filter(|(pair, session)| is_gone(pair, session))
            .map(|(pair, _)| *pair)
            .collect();
        for pair in gone {
            self.pairs.remove(&pair);
            if let Some((first, _)) = self.firsts.remove(&pair) {
                let number = first.of.game.number;
                self.news(format!(
                    "game {number} is played again, so that both games of its pair are played on one machine"
                ));
                self.queue_in_order(first);
            }
        }
    }

    /// No more games come before one of those counts that wait here, so many in all: the first games whose others are not
    /// played (a player was retired) count alone.
    pub(in super::super) fn nothing_more(&mut self, waited_for: usize) {
        if waited_for != self.firsts.len() {
            return;
        }
        for (pair, (first, handed)) in std::mem::take(&mut self.firsts) {
            self.pairs.remove(&pair);
            self.told.push(JobEvent::Ended(first, handed));
        }
    }
}
