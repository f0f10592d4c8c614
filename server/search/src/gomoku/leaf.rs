//! Values of positions that are not searched further.

use super::evaluation;
use super::geometry::{NOWHERE, Point};
use super::kind;
use super::score::{MAX_EVAL, from_table, to_table, win_at};
use super::transposition::{Bound, Entry};
use super::worker::Worker;

impl Worker<'_> {
    /// The static value of the position for the side to move.
    pub(super) fn evaluate(&mut self) -> i32 {
        let flags = evaluation::flags(&self.board);
        let value = evaluation::evaluate(&self.board, &flags);
        match &mut self.net {
            Some(net) => (value + net.correction(&self.board, &flags, value)).clamp(-MAX_EVAL, MAX_EVAL),
            None => value,
        }
    }

    /// The score of a position that is decided without a search; `None` for any other.
    pub(super) fn decided(&self, ply: usize) -> Option<i32> {
        let board = &self.board;
        let (me, other) = (board.turn(), board.turn() ^ 1);
        if board.has_captured_all(other) {
            return Some(-win_at(ply));
        }
        if board.count(me, kind::FIVE) > 0 || board.wins_by_capture(me) {
            return Some(win_at(ply + 1));
        }
        if board.pente() {
            return None;
        }
        match board.count(other, kind::FIVE) {
            0 => {}
            1 => return None,
            _ => return Some(-win_at(ply + 2)),
        }
        if board.count(me, kind::OPEN_FOUR) > 0 {
            return Some(win_at(ply + 3));
        }
        if board.four_count(other) == 0
            && !board.restricts(me)
            && (board.count(me, kind::FOUR_THREE) > 0 || board.count(me, kind::THREE_THREE) > 0)
        {
            return Some(win_at(ply + 5));
        }
        None
    }

    /// The value of a leaf: static, unless a win by fours is found.
    pub(super) fn leaf(&mut self, alpha: i32, beta: i32, ply: usize) -> i32 {
        let key = self.board.key();
        let known = self.shared.table.probe(key);
        if let Some(entry) = known {
            let score = from_table(entry.score, ply);
            let cut = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if cut {
                return score;
            }
        }
        let eval = known.and_then(|entry| entry.evaluation()).unwrap_or_else(|| self.evaluate());
        let (mut score, mut bound) = (eval, Bound::Lower);
        if eval < beta {
            bound = Bound::Exact;
            if let Some(plies) = self.win_by_fours(self.shared.tuning.leaf_fours) {
                score = win_at(ply + plies);
            }
        }
        if known.is_none_or(|entry| entry.depth == 0) && !self.halted {
            let best = known.map_or(NOWHERE, |entry| entry.best);
            let entry = Entry { best, score: to_table(score, ply), eval: eval as i16, depth: 0, bound };
            self.shared.table.store(key, entry);
        }
        score
    }

    /// Stores in the table that the side to move wins.
    pub(super) fn note_win(&mut self, best: Point, plies: usize, ply: usize) {
        let score = to_table(win_at(ply + plies), ply);
        let eval = self.evaluate().clamp(-MAX_EVAL, MAX_EVAL) as i16;
        let entry = Entry { best, score, eval, depth: u8::MAX, bound: Bound::Lower };
        self.shared.table.store(self.board.key(), entry);
    }
}
