//! Lines that were skipped because they were not in memory, until they arrive.

use std::ops::RangeInclusive;

use grandstand_replays::Log;

/// Ranges of the missing lines, in order.
#[derive(Debug, Default)]
pub(super) struct Missing {
    ranges: Vec<RangeInclusive<u64>>,
    /// The log's count of late lines at the last look.
    late: u64,
    /// Whether some of them may have arrived.
    look: bool,
}

impl Missing {
    /// Notes the missing lines after `after` up to `to`, all of which lie behind those noted before.
    pub(super) fn note(&mut self, log: &Log, after: u64, to: u64) {
        for gap in log.gaps() {
            let (from, to) = ((*gap.start()).max(after + 1), (*gap.end()).min(to));
            match self.ranges.last_mut() {
                _ if from > to => {}
                Some(last) if last.end() + 1 == from => *last = *last.start()..=to,
                _ => self.ranges.push(from..=to),
            }
        }
    }

    /// Number of missing lines.
    pub(super) fn count(&self) -> u64 {
        self.ranges.iter().map(|range| range.end() - range.start() + 1).sum()
    }

    /// The last missing line.
    pub(super) fn last(&self) -> Option<u64> {
        self.ranges.last().map(|range| *range.end())
    }

    /// At most `most` consecutive lines that have arrived; they are no longer missing.
    pub(super) fn take_arrived(&mut self, log: &Log, most: u64) -> Option<RangeInclusive<u64>> {
        if log.late() != self.late {
            (self.late, self.look) = (log.late(), true);
        }
        if !self.look {
            return None;
        }
        let arrived = |(index, range)| Some((index, log.first_known(range)?));
        let found = self.ranges.iter().enumerate().find_map(arrived);
        let Some((index, found)) = found else {
            self.look = false;
            return None;
        };
        let found = *found.start()..=(*found.end()).min(found.start() + most - 1);
        let range = self.ranges[index].clone();
        let rest = [*range.start()..=found.start() - 1, found.end() + 1..=*range.end()];
        self.ranges.splice(index..=index, rest.into_iter().filter(|rest| !rest.is_empty()));
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_protocol::{Command, Game, Micros, Scene};

    fn put(log: &mut Log, seq: u64) {
        let _ = log.insert(seq, Micros(seq), &Command::parse(Game::Abalone, b"turns 1"));
    }

    #[test]
    fn what_comes_late_is_found_once_and_a_little_at_a_time() {
        let mut log = Log::live(Game::Abalone);
        (1..=3).for_each(|seq| put(&mut log, seq));
        log.rebase(20, Micros(20), Scene::new(Game::Abalone));
        put(&mut log, 21);
        let mut missing = Missing::default();
        missing.note(&log, 0, 10);
        missing.note(&log, 10, 21);
        assert_eq!((missing.count(), missing.last()), (17, Some(20)));
        assert_eq!(missing.take_arrived(&log, 100), None);
        log.rebase(10, Micros(10), Scene::new(Game::Abalone));
        (11..=15).for_each(|seq| put(&mut log, seq));
        put(&mut log, 4);
        let found = |missing: &mut Missing, log: &Log| {
            std::iter::from_fn(|| missing.take_arrived(log, 3)).collect::<Vec<_>>()
        };
        assert_eq!(found(&mut missing, &log), [4..=4, 11..=13, 14..=15]);
        assert_eq!(missing.count(), 11);
        (5..=10).chain(16..=20).for_each(|seq| put(&mut log, seq));
        assert_eq!(found(&mut missing, &log), [5..=7, 8..=10, 16..=18, 19..=20]);
        assert_eq!((missing.count(), missing.last()), (0, None));
    }
}
