//! History of the search: which moves refuted others, for the order of moves and their reductions.

use super::geometry::{NOWHERE, POINTS, Point};

/// The bound of every entry.
const MOST: i32 = 16_384;
/// The largest change of an entry.
const MOST_BONUS: i32 = 1600;

/// The context of a position: the side to move, the other side's last move, and the own one before it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context {
    pub(super) side: usize,
    pub(super) last: [Point; 2],
}

/// The success of moves, by point, and by point and one of the last two moves.
pub(super) struct History {
    moves: Box<[[i16; POINTS]; 2]>,
    /// By the side, the number of plies back, the move made then, and the point.
    pairs: Vec<i16>,
    counters: Box<[[Point; POINTS]; 2]>,
}

/// The index of the first entry of a row of `pairs`.
fn row_of(context: &Context, back: usize) -> usize {
    ((context.side * 2 + back) * POINTS + (usize::from(context.last[back]) & (POINTS - 1))) * POINTS
}

impl History {
    pub(super) fn new() -> History {
        History {
            moves: Box::new([[0; POINTS]; 2]),
            pairs: vec![0; 4 * POINTS * POINTS],
            counters: Box::new([[NOWHERE; POINTS]; 2]),
        }
    }

    /// Lessens what earlier searches found.
    pub(super) fn age(&mut self) {
        for side in self.moves.iter_mut() {
            side.iter_mut().for_each(|h| *h /= 2);
        }
    }

    /// The success of a point by itself, from -16384 to 16384.
    #[inline]
    pub(super) fn of(&self, side: usize, point: Point) -> i32 {
        i32::from(self.moves[side][usize::from(point) & (POINTS - 1)])
    }

    /// The success of points after the last two moves: two rows by point, each entry from -16384 to 16384.
    #[inline]
    pub(super) fn pairs(&self, context: &Context) -> [&[i16]; 2] {
        [0, 1].map(|back| {
            let start = row_of(context, back);
            &self.pairs[start..start + POINTS]
        })
    }

    /// The move that last refuted the other side's last move.
    pub(super) fn counter(&self, context: &Context) -> Point {
        self.counters[context.side][usize::from(context.last[0]) & (POINTS - 1)]
    }

    /// Notes that `best` refuted the last move in a search of this depth, and that the other moves did not.
    pub(super) fn reward(
        &mut self,
        context: &Context,
        best: Point,
        others: impl Iterator<Item = Point>,
        depth: i32,
    ) {
        let bonus = (depth * depth * 16).min(MOST_BONUS);
        self.add(context, best, bonus);
        for point in others {
            self.add(context, point, -bonus);
        }
        self.counters[context.side][usize::from(context.last[0]) & (POINTS - 1)] = best;
    }

    fn add(&mut self, context: &Context, point: Point, change: i32) {
        let at = usize::from(point) & (POINTS - 1);
        let tend = |entry: &mut i16| *entry += (change - i32::from(*entry) * change.abs() / MOST) as i16;
        tend(&mut self.moves[context.side][at]);
        for back in [0, 1] {
            tend(&mut self.pairs[row_of(context, back) + at]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stay_within_their_bounds_and_belong_to_their_context() {
        let mut history = History::new();
        let context = Context { side: 1, last: [40, 72] };
        for _ in 0..200 {
            history.reward(&context, 100, [101, 102].into_iter(), 30);
        }
        assert!(history.of(1, 100) > 15_000 && history.of(1, 101) < -15_000);
        assert!(history.of(1, 100) <= MOST && history.of(1, 101) >= -MOST);
        assert_eq!((history.of(0, 100), history.counter(&context)), (0, 100));
        let [replies, continuations] = history.pairs(&context);
        assert!(replies[100] > 15_000 && continuations[102] < -15_000);
        let elsewhere = Context { side: 1, last: [41, 72] };
        let [replies, continuations] = history.pairs(&elsewhere);
        assert!(replies[100] == 0 && continuations[100] > 15_000, "only the own move before is the same");
    }
}
