//! Memory of a machine's teams: collections, and the limit of words.

use std::cmp::Reverse;

use super::thread::Thread;
use super::{Machine, Team, place};
use crate::world::{Cause, Limit, World};

impl Machine {
    /// Collects a team's heap and makes room for `words` more words.
    pub(super) fn collect(&mut self, team: usize, words: usize) {
        let Team { code, heap, writes, .. } = &mut self.teams[team];
        let mut collection = heap.collect();
        for thread in self.threads.iter_mut().filter(|thread| thread.team == team) {
            let used = thread.used(code);
            for value in &mut thread.stack[..used] {
                collection.keep(value);
            }
            for held in &mut thread.held {
                collection.keep_object(&mut held.cell);
            }
        }
        collection.copy();
        if let Some(writes) = writes {
            let kept = std::mem::take(writes).into_iter();
            *writes = kept.filter_map(|(at, write)| Some((collection.moved(at)?, write))).collect();
        }
        collection.finish(words);
    }

    /// Whether a team has grown so much that its words must be counted.
    pub(super) fn is_due(&self, team: usize) -> bool {
        let Team { code, made, .. } = &self.teams[team];
        let threads = self.threads.iter().filter(|thread| thread.team == team);
        let (least, most) = (self.limits.words as u64 / 2, threads.clone().map(Thread::grown_at_most));
        // This is called often, and the cheap upper bound usually suffices.
        made + most.sum::<u64>() > least
            && made + threads.map(|thread| thread.grown(code)).sum::<u64>() > least
    }

    /// Counts a team's words, and ends threads until the limit is kept.
    pub(super) fn count_words(&mut self, team: usize, world: &mut impl World) {
        loop {
            self.collect(team, 0);
            let code = self.teams[team].code.clone();
            let threads = self.threads.iter().enumerate().filter(|(_, thread)| thread.team == team);
            let calls: usize = threads.clone().map(|(_, thread)| thread.call_words(&code)).sum();
            if self.teams[team].heap.used() + calls <= self.limits.words {
                break;
            }
            // The thread that grew most; of several the one with the lowest pid.
            let Some((index, _)) =
                threads.max_by_key(|(_, thread)| (thread.grown(&code), Reverse(thread.pid)))
            else {
                break;
            };
            let at = code.details[self.threads[index].pc as usize].exprs[0];
            // The thread ends with this cycle: reductions ahead of it are not counted.
            let steps = self.threads[index].steps(self.cycle);
            let cause = Cause::Limit { limit: Limit::Words(self.limits.words), place: place(&code, at) };
            self.end(index, cause, steps, world);
            self.woken.clear();
        }
        self.teams[team].made = 0;
        let code = &self.teams[team].code;
        for thread in self.threads.iter_mut().filter(|thread| thread.team == team) {
            (thread.made, thread.shown, thread.counted) = (0, 0, thread.call_words(code));
        }
    }
}
