//! Wins that can be shown move by move: what a side threatens in a position.

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Instant;

use super::board_region::BoardRegion;
use super::busy::Busy;
use super::geometry::{Point, STRIDE};
use super::kind;
use super::worker::{Shared, Worker};
use super::{Engine, Unplayable, think};

/// The most moves that the search for wins by fours tries.
const FOURS: u32 = 20_000;
/// The most moves that the search for wins by threats tries.
const THREATS: u32 = 20_000;
/// The longest line that is shown, in plies.
const LINE: usize = 64;

/// The means of a win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Means {
    /// A winning row with the next stone.
    Five,
    /// In Pente: the fifth pair with the next stone.
    Captures,
    /// An open four with the next stone. Not in Pente, where a capture may break it.
    OpenFour,
    /// Fours alone, each with one answer.
    Fours,
    /// Fours and open threes. Not in Pente.
    Threats,
}

/// A win of the side to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Win {
    /// The means.
    pub means: Means,
    /// The moves as far as they are shown, the winner's first (column and row from the lower left). They end early where
    /// the other side has a choice of captures.
    pub line: Vec<(u16, u16)>,
    /// The number of plies to the winning move, at most.
    pub plies: usize,
}

impl Engine {
    /// A win that can be shown: of the side to move after these moves, or of the other side if `passes`, as if the side to
    /// move passed. `None` if none is found within a fixed number of moves. The same calls have the same results.
    ///
    /// # Errors
    /// [`Unplayable`]: a move is off the board or on a stone.
    pub fn win(&mut self, moves: &[(u16, u16)], passes: bool) -> Result<Option<Win>, Unplayable> {
        let region = BoardRegion::around(moves, self.size);
        let mut board = think::set_up(self, moves, region)?;
        if passes {
            board.pass();
        }
        let stop = AtomicBool::new(false);
        let shared = Shared {
            table: &self.table,
            halt: AtomicBool::new(false),
            stop: &stop,
            started: Instant::now(),
            hard: None,
            max_nodes: None,
            nodes: AtomicU64::new(0),
            tuning: self.options.tuning,
            busy: Busy::new(1),
        };
        let Some(memory) = self.memories.first_mut() else { return Ok(None) };
        let mut worker = Worker::new(board, &shared, memory, true);
        let Some((means, line, plies)) = worker.shown_win() else { return Ok(None) };
        let line = line.into_iter().map(|point| region.outside((point % STRIDE, point / STRIDE))).collect();
        Ok(Some(Win { means, line, plies }))
    }
}

impl Worker<'_> {
    fn shown_win(&mut self) -> Option<(Means, Vec<Point>, usize)> {
        let (me, other) = (self.board.turn(), self.board.turn() ^ 1);
        if self.board.is_full() || self.board.has_captured_all(me) || self.board.has_captured_all(other) {
            return None;
        }
        if let Some(point) = self.board.five(me) {
            return Some((Means::Five, vec![point], 1));
        }
        if self.board.wins_by_capture(me) {
            let point =
                self.board.capture_points(me).into_iter().find(|&p| self.board.captures_win(me, p))?;
            return Some((Means::Captures, vec![point], 1));
        }
        if !self.board.pente() && self.board.count(other, kind::FIVE) == 0 {
            let open_four = self.board.four_points(me).find(|&p| self.board.kind(me, p) == kind::OPEN_FOUR);
            if let Some(point) = open_four {
                return Some((Means::OpenFour, vec![point], 3));
            }
        }
        if let Some((point, plies)) = self.first_of_fours(FOURS) {
            return Some((Means::Fours, self.line_of_fours(point), plies));
        }
        let (point, plies) = self.win_by_threats(THREATS)?;
        Some((Means::Threats, self.line(point), plies))
    }

    /// The moves of a win by fours, with the one answer to each; up to the first four that has several, in Pente.
    fn line_of_fours(&mut self, first: Point) -> Vec<Point> {
        let mut line = vec![first];
        self.board.make(first);
        while line.len() < LINE {
            let (me, attacker) = (self.board.turn(), self.board.turn() ^ 1);
            let has_choice = self.board.pente() && self.board.capture_count(me) > 0;
            let Some(answer) = self.board.five(attacker) else { break };
            let is_over = self.board.count(attacker, kind::FIVE) > 1;
            if has_choice || is_over || self.board.is_forbidden(me, answer) {
                break;
            }
            line.push(answer);
            self.board.make(answer);
            let next = match self.board.five(attacker) {
                Some(five) => Some((five, 1)),
                None => self.first_of_fours(FOURS),
            };
            let Some((next, plies)) = next else { break };
            line.push(next);
            self.board.make(next);
            if plies == 1 {
                break;
            }
        }
        for _ in 0..line.len() {
            self.board.undo();
        }
        line
    }
}
