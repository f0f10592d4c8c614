//! The moves that threads search at the moment, so that other threads put them off: both would do the same work, and the one that
//! comes later finds the result in the table.

use std::sync::atomic::{AtomicU64, Ordering};

use super::geometry::Point;

/// The places of a table, which a hash chooses. A mark that another one overwrites is lost, which costs only time.
const PLACES: usize = 1 << 12;
/// The depth from which on moves are marked.
const DEPTH: i32 = 3;

/// The marks of the threads of a search.
pub(super) struct Busy {
    /// Empty if there is one thread only.
    places: Vec<AtomicU64>,
}

/// A move of a position, as a mark.
#[derive(Clone, Copy)]
pub(super) struct Mark(u64);

impl Busy {
    pub(super) fn new(threads: usize) -> Busy {
        let mut places = Vec::new();
        places.resize_with(if threads > 1 { PLACES } else { 0 }, || AtomicU64::new(0));
        Busy { places }
    }

    /// The mark of a move at this depth in the position with this hash; none where nothing is marked.
    #[inline]
    pub(super) fn mark(&self, key: u64, point: Point, depth: i32) -> Option<Mark> {
        (depth >= DEPTH && !self.places.is_empty())
            .then(|| Mark((key ^ u64::from(point)).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1))
    }

    fn place(&self, mark: Mark) -> &AtomicU64 {
        &self.places[(mark.0 >> 40) as usize & (PLACES - 1)]
    }

    /// Whether a thread searches the move.
    #[inline]
    pub(super) fn holds(&self, mark: Option<Mark>) -> bool {
        mark.is_some_and(|mark| self.place(mark).load(Ordering::Relaxed) == mark.0)
    }

    /// Notes that a thread begins to search the move.
    #[inline]
    pub(super) fn begin(&self, mark: Option<Mark>) {
        if let Some(mark) = mark {
            self.place(mark).store(mark.0, Ordering::Relaxed);
        }
    }

    /// Notes that a thread has searched the move.
    #[inline]
    pub(super) fn end(&self, mark: Option<Mark>) {
        if self.holds(mark)
            && let Some(mark) = mark
        {
            self.place(mark).store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_busy_from_its_beginning_to_its_end() {
        let busy = Busy::new(2);
        let mark = busy.mark(77, 100, DEPTH);
        assert!(!busy.holds(mark));
        busy.begin(mark);
        assert!(busy.holds(mark));
        assert!(!busy.holds(busy.mark(77, 101, DEPTH)), "another move");
        assert!(!busy.holds(busy.mark(78, 100, DEPTH)), "another position");
        assert!(!busy.holds(busy.mark(77, 100, DEPTH - 1)), "shallow moves are not put off");
        busy.end(mark);
        assert!(!busy.holds(mark));
    }

    #[test]
    fn one_thread_marks_nothing() {
        let busy = Busy::new(1);
        let mark = busy.mark(77, 100, 9);
        busy.begin(mark);
        assert!(!busy.holds(mark));
    }
}
