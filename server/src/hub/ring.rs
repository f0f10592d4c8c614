//! Ring buffer of a match's frames, shared by all readers.
//!
//! Frames lie one after the other on an axis of byte offsets that only grows. A reader's position is an offset, always
//! at the start of a frame. The ring keeps the newest frames up to a limit of bytes and drops the oldest.

use std::collections::VecDeque;
use std::time::Instant;

use bytes::Bytes;

/// Overhead of a frame besides its bytes, counted against the limit.
const OVERHEAD: usize = 128;

/// One frame in the ring.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// Offset of the first byte.
    pub(crate) offset: u64,
    /// Number of the first command in the frame.
    pub(crate) first: u64,
    /// Number of the last command in the frame; `first - 1` if it has none.
    pub(crate) last: u64,
    /// Number of the frame, counted from 1 without gaps: frames without commands have one of their own too.
    pub(crate) number: u64,
    /// Time of the append.
    pub(crate) at: Instant,
    /// The whole frame, header included.
    pub(crate) frame: Bytes,
}

impl Entry {
    fn end(&self) -> u64 {
        self.offset + self.frame.len() as u64
    }
}

/// The newest frames of one match.
#[derive(Debug)]
pub(crate) struct FrameRing {
    entries: VecDeque<Entry>,
    end: u64,
    /// Number of the newest frame.
    number: u64,
    /// A reader that has the commands up to this number needs nothing from before the ring. 0 unless frames were skipped.
    base: u64,
    cost: usize,
    limit: usize,
}

impl FrameRing {
    /// An empty ring that keeps about `limit` bytes, and always the newest frame.
    pub(crate) fn new(limit: usize) -> Self {
        Self { entries: VecDeque::new(), end: 0, number: 0, base: 0, cost: 0, limit }
    }

    /// Appends a frame with the commands `first..=last`.
    pub(crate) fn append(&mut self, first: u64, last: u64, frame: Bytes, at: Instant) {
        self.cost += frame.len() + OVERHEAD;
        self.number += 1;
        let entry = Entry { offset: self.end, first, last, number: self.number, at, frame };
        self.end = entry.end();
        self.entries.push_back(entry);
        while self.cost > self.limit && self.entries.len() > 1 {
            if let Some(old) = self.entries.pop_front() {
                self.cost -= old.frame.len() + OVERHEAD;
            }
        }
    }

    /// Drops every frame and goes on after command `seq`. Positions of all readers are before the ring then, so that each
    /// notices that it has missed something.
    pub(crate) fn skip_to(&mut self, seq: u64) {
        self.entries.clear();
        self.cost = 0;
        self.end += 1;
        self.base = seq;
    }

    /// The number of the newest frame.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The offset after the newest frame.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// The offset of the oldest frame in the ring.
    pub(crate) fn start(&self) -> u64 {
        self.entries.front().map_or(self.end, |e| e.offset)
    }

    /// Offset at which a reader that has everything up to command `seq` continues; `None` if the ring has dropped it.
    ///
    /// The frame there may begin with commands that the reader already has.
    pub(crate) fn offset_after(&self, seq: u64) -> Option<u64> {
        let index = self.entries.partition_point(|e| e.last <= seq);
        match self.entries.get(index) {
            Some(entry) if index > 0 || entry.first <= seq + 1 => Some(entry.offset),
            Some(_) => None,
            None => (seq >= self.base || index > 0).then_some(self.end),
        }
    }

    /// The frames from `offset` on, oldest first; `None` if the ring has dropped `offset`.
    pub(crate) fn since(&self, offset: u64) -> Option<impl Iterator<Item = &Entry>> {
        if offset < self.start() {
            return None;
        }
        let index = self.entries.partition_point(|e| e.offset < offset);
        Some(self.entries.range(index..))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(limit: usize, frames: &[(u64, u64, usize)]) -> FrameRing {
        let mut ring = FrameRing::new(limit);
        for (first, last, len) in frames {
            ring.append(*first, *last, Bytes::from(vec![b'x'; *len]), Instant::now());
        }
        ring
    }

    #[test]
    fn a_reader_finds_its_place_by_number() {
        let ring = ring(10_000, &[(1, 3, 10), (4, 4, 20), (5, 9, 30)]);
        assert_eq!([0, 1, 2].map(|seq| ring.offset_after(seq)), [Some(0); 3]);
        assert_eq!(ring.offset_after(3), Some(10));
        assert_eq!([4, 7, 8].map(|seq| ring.offset_after(seq)), [Some(30); 3]);
        assert_eq!(ring.offset_after(9), Some(60));
        assert_eq!(ring.since(30).map(|f| f.map(|e| e.first).collect()), Some(vec![5]));
        assert_eq!(ring.since(60).map(|f| f.count()), Some(0));
    }

    #[test]
    fn the_oldest_frames_are_forgotten_and_that_is_noticed() {
        let ring = ring(2 * (100 + OVERHEAD), &[(1, 1, 100), (2, 2, 100), (3, 3, 100)]);
        assert_eq!((ring.start(), ring.end()), (100, 300));
        assert_eq!(ring.offset_after(0), None);
        assert_eq!(ring.offset_after(1), Some(100));
        assert!(ring.since(0).is_none());
        let mut ring = ring;
        ring.skip_to(7);
        assert_eq!((ring.start(), ring.end()), (301, 301));
        assert_eq!([3, 6, 7].map(|seq| ring.offset_after(seq)), [None, None, Some(301)]);
        assert!(ring.since(300).is_none());
        ring.append(8, 8, Bytes::from_static(b"8"), Instant::now());
        assert_eq!([6, 7, 8].map(|seq| ring.offset_after(seq)), [None, Some(301), Some(302)]);
        assert_eq!(ring.since(301).map(|f| f.map(|e| e.number).collect()), Some(vec![4]));
        // Even a frame larger than the limit stays until the next one is appended.
        let ring = self::ring(10, &[(1, 1, 100)]);
        assert_eq!(ring.offset_after(0), Some(0));
    }
}
