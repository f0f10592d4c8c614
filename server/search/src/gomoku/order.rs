//! Order of the moves of a position, and the line that the table holds.

use super::evaluation;
use super::geometry::{NOWHERE, Point};
use super::history::Context;
use super::kind;
use super::moves::{self, Scored};
use super::worker::Worker;

/// The points of history that weigh as much as one of the fitted order.
const HISTORY_UNIT: i32 = 128;

impl Worker<'_> {
    /// The context of the position for the history.
    pub(super) fn context(&self) -> Context {
        Context { side: self.board.turn(), last: [self.board.last(0), self.board.last(1)] }
    }

    /// Scores the moves from `start` on.
    pub(super) fn order(&mut self, start: usize, first: Point, ply: usize) {
        let (me, other) = (self.board.turn(), self.board.turn() ^ 1);
        let context = self.context();
        let history = &self.memory.history;
        let counter = history.counter(&context);
        let [replies, continuations] = history.pairs(&context);
        let weight = self.shared.tuning.replies as i32;
        let killers = self.killers[ply];
        for scored in &mut self.moves[start..] {
            let point = scored.point;
            let at = usize::from(point);
            let pairs = (i32::from(replies[at]) + i32::from(continuations[at])) * weight / 100;
            let mut score = i32::from(self.board.order(me, point)[0])
                + i32::from(self.board.order(other, point)[1])
                + (history.of(me, point) + pairs) / HISTORY_UNIT;
            if point == first {
                score += 1_000_000;
            } else if killers.contains(&point) {
                score += 40;
            } else if point == counter {
                score += 30;
            }
            if self.board.pente() {
                score += evaluation::captures_order(&self.board, point);
            }
            scored.score = score;
        }
    }

    /// Updates what orders the moves: `best` refuted the previous move, and the moves tried before it did not.
    pub(super) fn reward(&mut self, start: usize, next: usize, best: Point, depth: i32, ply: usize) {
        let context = self.context();
        let others = self.moves[start..next].iter().map(|m| m.point).filter(|&point| point != best);
        self.memory.history.reward(&context, best, others, depth);
        if self.killers[ply][0] != best {
            self.killers[ply] = [best, self.killers[ply][0]];
        }
    }

    /// The moves of the root, in descending order of their static scores.
    pub(super) fn root_moves(&mut self) -> Vec<Point> {
        // A five comes first: elsewhere in the tree such a position is decided before moves are generated.
        if let Some(five) = self.board.five(self.board.turn()) {
            return vec![five];
        }
        let start = self.moves.len();
        moves::generate(&self.board, &mut self.moves);
        self.order(start, NOWHERE, 0);
        let mut all: Vec<Scored> = self.moves.drain(start..).collect();
        all.retain(|m| self.board.is_empty(m.point) && !self.board.is_forbidden(self.board.turn(), m.point));
        all.sort_by_key(|m| std::cmp::Reverse(m.score));
        all.into_iter().map(|m| m.point).collect()
    }

    /// The principal variation in the table, from `first` on.
    pub(super) fn line(&mut self, first: Point) -> Vec<Point> {
        let mut line = vec![first];
        let player = self.board.turn();
        self.board.make(first);
        while line.len() < 64 && !self.board.is_full() {
            let (me, other) = (self.board.turn(), self.board.turn() ^ 1);
            let next = self
                .board
                .five(me)
                .or_else(|| self.board.five(other))
                .or_else(|| self.memory.threats.best(self.board.key(), player, me == player))
                .or_else(|| self.shared.table.probe(self.board.key()).map(|entry| entry.best));
            let ends = self.board.count(me, kind::FIVE) > 0;
            match next {
                Some(point) if self.board.is_empty(point) && !self.board.is_forbidden(me, point) => {
                    line.push(point);
                    self.board.make(point);
                    if ends {
                        break;
                    }
                }
                _ => break,
            }
        }
        for _ in 0..line.len() {
            self.board.undo();
        }
        line
    }
}
