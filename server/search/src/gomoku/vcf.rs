//! Wins by fours alone (VCF): each move makes a four, so the other side has one answer, until there are two fours.

use super::geometry::{BLACK, NOWHERE, Point};
use super::kind;
use super::worker::Worker;

/// The most fours in one win.
const MAX_FOURS: usize = 40;

impl Worker<'_> {
    /// The number of plies to a five by fours alone for the side to move, if one is found within `budget` moves.
    pub(super) fn win_by_fours(&mut self, budget: u32) -> Option<usize> {
        self.fours_left = budget;
        self.attack_by_fours(0)
    }

    /// The first move of such a win, with its number of plies.
    pub(super) fn first_of_fours(&mut self, budget: u32) -> Option<(Point, usize)> {
        self.fours_left = budget;
        let mut points = self.attacks()?;
        points.sort_by_key(|&point| std::cmp::Reverse(self.board.kind(self.board.turn(), point)));
        for point in points {
            if let Some(plies) = self.try_four(point, 0) {
                return Some((point, plies));
            }
        }
        None
    }

    /// The points at which the side to move may continue with a four; `None` if it can't.
    fn attacks(&self) -> Option<Vec<Point>> {
        let board = &self.board;
        let (me, other) = (board.turn(), board.turn() ^ 1);
        let legal = |&point: &Point| !board.is_forbidden(me, point);
        let points = match board.count(other, kind::FIVE) {
            0 => board.four_points(me).filter(legal).collect(),
            1 => board
                .five(other)
                .filter(|&point| board.kind(me, point) >= kind::FOUR)
                .filter(legal)
                .into_iter()
                .collect(),
            _ => return None,
        };
        Some(points)
    }

    fn attack_by_fours(&mut self, depth: usize) -> Option<usize> {
        let board = &self.board;
        let (me, other) = (board.turn(), board.turn() ^ 1);
        if board.has_captured_all(other) {
            return None;
        }
        if board.count(me, kind::FIVE) > 0 || board.wins_by_capture(me) {
            return Some(1);
        }
        if board.four_count(me) == 0 {
            return None;
        }
        if !board.pente() && board.count(other, kind::FIVE) == 0 {
            if board.count(me, kind::OPEN_FOUR) > 0 {
                return Some(3);
            }
            if board.count(me, kind::FOUR_THREE) > 0 && board.four_count(other) == 0 && !board.restricts(me) {
                return Some(5);
            }
        }
        if depth >= MAX_FOURS || self.fours_left == 0 {
            self.fours_left = 0;
            return None;
        }
        let slot = board.key() as usize & (self.memory.no_fours.len() - 1);
        if self.memory.no_fours[slot] == board.key() {
            return None;
        }
        let mut points = [(0u8, NOWHERE); 64];
        let mut count = 0;
        let mut add = |point: Point| {
            if count < points.len() {
                points[count] = (board.kind(me, point), point);
                count += 1;
            }
        };
        match board.count(other, kind::FIVE) {
            0 => board.four_points(me).filter(|&p| !board.is_forbidden(me, p)).for_each(&mut add),
            1 => board
                .five(other)
                .filter(|&p| board.kind(me, p) >= kind::FOUR && !board.is_forbidden(me, p))
                .into_iter()
                .for_each(&mut add),
            _ => return None,
        }
        let key = board.key();
        let points = &mut points[..count];
        points.sort_unstable_by_key(|&(kind, point)| (std::cmp::Reverse(kind), point));
        for &(_, point) in points.iter() {
            if self.fours_left == 0 {
                return None;
            }
            if let Some(plies) = self.try_four(point, depth) {
                return Some(plies);
            }
        }
        if self.fours_left > 0 {
            self.memory.no_fours[slot] = key;
        }
        None
    }

    /// Makes a four, and tries every answer to it.
    fn try_four(&mut self, point: Point, depth: usize) -> Option<usize> {
        self.fours_left = self.fours_left.saturating_sub(1);
        self.count_node();
        if self.halted {
            self.fours_left = 0;
            return None;
        }
        self.board.make(point);
        let plies = self.answer_four(depth);
        self.board.undo();
        plies.map(|plies| plies + 1)
    }

    fn answer_four(&mut self, depth: usize) -> Option<usize> {
        let board = &self.board;
        let (me, attacker) = (board.turn(), board.turn() ^ 1);
        if board.has_captured_all(attacker) {
            return Some(0);
        }
        if board.count(me, kind::FIVE) > 0 || board.wins_by_capture(me) {
            return None;
        }
        if !board.pente() || board.capture_count(me) == 0 {
            return match board.count(attacker, kind::FIVE) {
                0 => None,
                1 => {
                    let answer = board.five(attacker)?;
                    if me == BLACK && board.is_forbidden(me, answer) {
                        return Some(2);
                    }
                    self.board.make(answer);
                    let plies = self.attack_by_fours(depth + 1);
                    self.board.undo();
                    plies.map(|plies| plies + 1)
                }
                // No capture is possible, and a stone that blocks one of the fives captures nothing.
                _ => Some(2),
            };
        }
        if board.count(attacker, kind::FIVE) == 0 {
            return None;
        }
        let mut answers: Vec<Point> =
            board.four_points(attacker).filter(|&p| board.kind(attacker, p) == kind::FIVE).collect();
        answers
            .extend(board.capture_points(me).into_iter().filter(|&p| board.kind(attacker, p) != kind::FIVE));
        let mut longest = 0;
        for answer in answers {
            self.board.make(answer);
            let plies = self.attack_by_fours(depth + 1);
            self.board.undo();
            longest = longest.max(plies? + 1);
        }
        Some(longest)
    }
}
