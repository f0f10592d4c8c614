//! Keeping a log small: what is far from everything that is looked at is dropped.

use std::sync::Arc;

use super::chunk::Chunk;
use super::{Log, Segment};

/// How many pictures are kept of what was dropped, at most: so that any moment has one not far before it.
const PICTURES: usize = 256;
/// The part of the memory that they may take, at most.
const PICTURES_PART: usize = 4;

/// Chunks one after the other, the first of them with a stored scene: what is dropped or kept as a whole.
struct Run {
    segment: usize,
    /// The places of the first chunk and after the last one in the segment.
    from: usize,
    to: usize,
    bytes: usize,
    /// How many commands are between it and the nearest that is looked at.
    distance: u64,
}

impl Log {
    /// About how many bytes of memory it takes, where it shares nothing with a clone.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let chunks = self.segments.iter().flat_map(|segment| &segment.chunks);
        chunks.map(|chunk| chunk.bytes()).sum()
    }

    /// Drops commands until it takes no more than about `budget` bytes: those that are farthest from the commands
    /// `near`, from which the viewer looks at it. They are missing from then on, and can be
    /// [inserted](Log::insert) again. Of what was dropped a few pictures stay, at most a few hundred, evenly over the
    /// match. The end of the log stays, and so does what is around the commands `near`, whatever the budget.
    ///
    /// Whether it dropped something. A log within its budget is left as it is, and this costs next to nothing.
    pub fn trim(&mut self, budget: usize, near: &[u64]) -> bool {
        let mut bytes = self.bytes();
        if bytes <= budget {
            return false;
        }
        // A little more than necessary, so that it is not done for every command.
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

    /// Everything that may be dropped.
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
        // What comes next belongs to the end.
        runs.pop_if(|run| run.segment + 1 == self.segments.len());
        runs
    }

    /// Takes out pictures that stand alone, those first that are nearest to others, until they take no more than
    /// `budget` bytes.
    fn thin_out(&mut self, budget: usize) {
        // The first picture and the last are where everything begins and goes on.
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

/// What is left of a segment without some of its runs of chunks, which are given in order.
fn without(segment: Segment, dropped: &[(usize, usize)]) -> Vec<Segment> {
    if dropped.is_empty() {
        return vec![segment];
    }
    let Segment { chunks, head, since_keyframe } = segment;
    let mut left: Vec<Segment> = Vec::new();
    let mut keep = |chunks: &[Arc<Chunk>], next: Option<&Arc<Chunk>>| {
        if !chunks.is_empty() {
            // It ends with the picture with which the next one begins.
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
        // The end is there, and the pictures before it lie evenly.
        let stretch = log.stretch(log.last_seq());
        assert!(stretch.end() - stretch.start() > 3_000, "{stretch:?}");
        let gaps = log.gaps();
        assert!((20..=PICTURES).contains(&gaps.len()), "{} gaps", gaps.len());
        let widest = gaps.iter().map(|gap| gap.end() - gap.start()).max().unwrap_or(0);
        assert!(widest < 4 * 400_000 / gaps.len() as u64, "{widest} of {}", gaps.len());
    }
}
