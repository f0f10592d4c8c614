//! Whether the table's move is the only good one of its position.

use super::geometry::NOWHERE;
use super::score::{SURE, from_table};
use super::transposition::{Bound, Entry};
use super::worker::{Singular, Worker};

impl Worker<'_> {
    /// Whether the table's move is the only good one: a search of half the depth without it tells.
    pub(super) fn singular<const PV: bool>(
        &mut self,
        entry: &Entry,
        beta: i32,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Singular {
        let score = from_table(entry.score, ply);
        if !self.shared.tuning.singular
            || depth < 6
            || self.excluded[ply] != NOWHERE
            || entry.bound == Bound::Upper
            || i32::from(entry.depth) + 3 < depth
            || score.abs() >= SURE
            || ply as i32 >= 2 * self.root_depth
        {
            return Singular::Extend(0);
        }
        let target = score - depth - 2;
        self.excluded[ply] = entry.best;
        let other = self.search::<false>(target - 1, target, (depth - 1) / 2, ply, cut);
        self.excluded[ply] = NOWHERE;
        if other < target {
            Singular::Extend(1)
        } else if target >= beta {
            // Several moves are good enough.
            Singular::Cut(target)
        } else {
            Singular::Extend(-i32::from(score >= beta))
        }
    }
}
