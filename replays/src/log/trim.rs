//! Trimming of a log: dropping commands that are far from every viewed position.

use std::sync::Arc;

use super::chunk::Chunk;
use super::{Log, Segment};

/// The most scenes that are kept of dropped commands, so that every moment has one not far before it.
const PICTURES: usize = 256;
/// The scenes of dropped commands may take this fraction (1/4) of the memory.
const PICTURES_PART: usize = 4;

/// Consecutive chunks, the first of them with a keyframe: the unit of dropping.
struct Run {
    segment: usize,
    /// The index of the first chunk in the segment; `to` is the index after the last one.
    from: usize,
    to: usize,
    bytes: usize,
    /// The number of commands between the run and the nearest viewed command.
    distance: u64,
}

impl Log {
    /// Approximate size in bytes of memory, assuming that nothing is shared with a clone.
    pub fn bytes(&self) -> usize {
        let chunks = self.segments.iter().flat_map(|segment| &segment.chunks);
        chunks.map(|chunk| chunk.bytes()).sum()
    }

    /// Drops commands until the log takes no more than about `budget` bytes: those farthest from the commands
    /// `near`, which viewers look at. They are missing from then on, and can be
    /// [inserted](Log::insert) again. Of the dropped commands some scenes stay, at most a few hundred, spread evenly over the
    /// match. The end of the log stays, and so do the commands around `near`, whatever the budget.
    ///
    /// Returns whether anything was dropped. A log within its budget stays unchanged, at almost no cost.
    pub fn trim(&mut self, budget: usize, near: &[u64]) -> bool {
        let mut bytes = self.bytes();
        if bytes <= budget {
            return false;
        }
        // The goal is lower than the budget, so that trimming is not due again with the next command.
        let goal = budget - budget / 8;
        let mut runs = self.runs(near);
        runs.sort_by_key(|run| std::cmp::Reverse(run.distance));
        let mut dropped: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.segments.len()];
        for run in runs.iter().take_while(|run| run.distance > 0) {
            if bytes <= goal {
                break;
            }
            bytes -= run.bytes;
            dropped[run.segment].push((run.from, run.to));
        }
        let segments = std::mem::take(&mut self.segments);
        for (segment, mut dropped) in segments.into_iter().zip(dropped) {
            dropped.sort_unstable();
            self.segments.extend(without(segment, &dropped));
        }
        self.thin_out(budget / PICTURES_PART);
        true
    }

    /// All runs that may be dropped.
    fn runs(&self, near: &[u64]) -> Vec<Run> {
        let mut runs = Vec::new();
        for (index, segment) in self.segments.iter().enumerate().filter(|(_, segment)| !segment.is_picture())
        {
            let begins = |at: &usize| segment.chunks[*at].keyframe.is_some();
            let mut starts: Vec<usize> = (0..segment.chunks.len()).filter(begins).collect();
            starts.push(segment.chunks.len());
            for pair in starts.windows(2) {
                let chunks = &segment.chunks[pair[0]..pair[1]];
                let (first, last) = (chunks[0].base_seq, chunks[chunks.len() - 1].last_seq());
                let away = |&seq: &u64| first.saturating_sub(seq).max(seq.saturating_sub(last));
                let distance = near.iter().map(away).min().unwrap_or(u64::MAX);
                let bytes = chunks.iter().map(|chunk| chunk.bytes()).sum();
                runs.push(Run { segment: index, from: pair[0], to: pair[1], bytes, distance });
            }
        }
        // The last run stays: further commands are appended to it.
        runs.pop_if(|run| run.segment + 1 == self.segments.len());
        runs
    }

    /// Removes single scenes, those nearest to others first, until they take no more than
    /// `budget` bytes.
    fn thin_out(&mut self, budget: usize) {
        // The first segment and the last one stay: they are the beginning and the end of the log.
        let inner = 1..self.segments.len().saturating_sub(1);
        let mut alone: Vec<usize> = inner.filter(|index| self.segments[*index].is_picture()).collect();
        let mut bytes: usize = alone.iter().map(|index| self.segments[*index].first().bytes()).sum();
        let mut gone = vec![false; self.segments.len()];
        while alone.len() > PICTURES || bytes > budget {
            let room = |at: usize| {
                let index = alone[at];
                let before = (0..index).rev().find(|index| !gone[*index]).unwrap_or(0);
                let after = (index + 1..gone.len()).find(|index| !gone[*index]).unwrap_or(index);
                self.segments[after].first().base_seq - self.segments[before].last().last_seq()
            };
            let Some(nearest) = (0..alone.len()).min_by_key(|at| room(*at)) else { break };
            let index = alone.remove(nearest);
            gone[index] = true;
            bytes -= self.segments[index].first().bytes();
        }
        let mut gone = gone.into_iter();
        self.segments.retain(|_| !gone.next().unwrap_or(false));
    }
}

/// The rest of a segment without some of its runs of chunks, which are given in order.
fn without(segment: Segment, dropped: &[(usize, usize)]) -> Vec<Segment> {
    if dropped.is_empty() {
        return vec![segment];
    }
    let Segment { chunks, head, since_keyframe } = segment;
    let mut left: Vec<Segment> = Vec::new();
    let mut keep = |chunks: &[Arc<Chunk>], next: Option<&Arc<Chunk>>| {
        if !chunks.is_empty() {
            // The segment ends with the scene with which the next one begins.
            let (head, since_keyframe) = match next {
                Some(next) => (next.keyframe.clone().unwrap_or_else(|| head.clone()), 0),
                None => (head.clone(), since_keyframe),
            };
            left.push(Segment { chunks: chunks.to_vec(), head, since_keyframe });
        }
    };
    let mut at = 0;
    for &(from, to) in dropped {
        keep(&chunks[at..from], chunks.get(from));
        let first = &chunks[from];
        let known = from > at;
        if let Some(scene) = first.keyframe.clone().filter(|_| !known) {
            let picture = Chunk::new(first.base_seq, first.start_t, Some(scene));
            keep(&[Arc::new(picture)], Some(first));
        }
        at = to;
    }
    keep(&chunks[at..], None);
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_protocol::{Command, Game, Micros};

    #[test]
    fn a_log_that_grows_for_days_stays_as_small_as_it_is_told() {
        let budget = 300_000;
        let mut log = Log::live(Game::Abalone);
        let mut most = 0;
        for seq in 1..=400_000 {
            let line = match seq % 40 {
                0 => format!("turns {}", seq / 40),
                _ => format!("set A0 b{}", seq % 7),
            };
            let _ = log.insert(seq, Micros(seq * 20_000), &Command::parse(Game::Abalone, line.as_bytes()));
            log.trim(budget, &[seq]);
            most = most.max(log.bytes());
        }
        assert!(most <= budget + budget / 4, "{most}");
        // The end of the log is there, and the scenes before it are evenly spread.
        let stretch = log.stretch(log.last_seq());
        assert!(stretch.end() - stretch.start() > 3_000, "{stretch:?}");
        let gaps = log.gaps();
        assert!((20..=PICTURES).contains(&gaps.len()), "{} gaps", gaps.len());
        let widest = gaps.iter().map(|gap| gap.end() - gap.start()).max().unwrap_or(0);
        assert!(widest < 4 * 400_000 / gaps.len() as u64, "{widest} of {}", gaps.len());
    }
}
