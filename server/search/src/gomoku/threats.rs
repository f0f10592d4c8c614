//! Wins by threats: fours, which leave one answer, and open threes, which leave few.
//!
//! Depth-first proof-number search (Nagai 2002) visits the position with the least left to prove. The defender's answers are
//! complete: against an open three everything that stops the open four, and every own four. Captures would invalidate such
//! proofs, so the search is not used in Pente.

use super::board::Columns;
use super::geometry::{NOWHERE, Point, STRIDE};
use super::kind;
use super::moves;
use super::worker::Worker;

/// A proof number above all others: the goal can't be proved.
const NEVER: u32 = 1 << 24;
/// The longest line of threats, in plies.
const MAX_PLIES: usize = 100;
/// The number of positions in the table.
const SLOTS: usize = 1 << 16;
/// Combined with the keys of positions in which white attacks.
const WHITE_ATTACKS: u64 = 0x3c6e_f372_fe94_f82b;

/// The knowledge about a position in which one side attacks.
#[derive(Debug, Clone, Copy)]
struct Known {
    /// The proof number of the side to move: the least remaining effort to reach its goal, 0 if it is reached, [`NEVER`] if it is
    /// unreachable. The attacker's goal is to win, the defender's to survive the threats.
    own: u32,
    /// The proof number of the other side.
    other: u32,
    /// If the attacker wins: the maximal number of plies.
    plies: u16,
    /// The move that reaches the goal, or delays defeat longest.
    best: Point,
}

impl Known {
    /// A win of the attacker within `plies` plies; `attacking` is whether the attacker is to move.
    fn won(attacking: bool, plies: usize, best: Point) -> Known {
        let (own, other) = if attacking { (0, NEVER) } else { (NEVER, 0) };
        Known { own, other, plies: plies as u16, best }
    }

    /// The end of the threats; `attacking` is whether the attacker is to move.
    fn over(attacking: bool) -> Known {
        let (own, other) = if attacking { (NEVER, 0) } else { (0, NEVER) };
        Known { own, other, plies: 0, best: NOWHERE }
    }
}

/// A move of the current position, with the knowledge about the position after it.
#[derive(Debug, Clone, Copy)]
struct Child {
    point: Point,
    after: Known,
}

/// A thread's table of threats, kept from search to search.
pub(super) struct Threats {
    slots: Vec<(u64, Known)>,
    /// The moves of the positions from the root to the current one.
    children: Vec<Child>,
    /// The number of moves that may still be made.
    left: u32,
}

impl Threats {
    pub(super) fn new() -> Threats {
        let nothing = Known { own: 1, other: 1, plies: 0, best: NOWHERE };
        Threats { slots: vec![(0, nothing); SLOTS], children: Vec::new(), left: 0 }
    }

    fn get(&self, key: u64) -> Option<Known> {
        let (of, known) = self.slots[key as usize & (SLOTS - 1)];
        (of == key).then_some(known)
    }

    fn put(&mut self, key: u64, known: Known) {
        self.slots[key as usize & (SLOTS - 1)] = (key, known);
    }

    /// The move in a position that the attacker is known to win.
    pub(super) fn best(&self, position: u64, attacker: usize, attacking: bool) -> Option<Point> {
        let known = self.get(key_of(position, attacker))?;
        let won = if attacking { known.own == 0 } else { known.other == 0 };
        (won && known.best != NOWHERE).then_some(known.best)
    }
}

/// The key of a position in which this side attacks.
fn key_of(position: u64, attacker: usize) -> u64 {
    if attacker == 0 { position } else { position ^ WHITE_ATTACKS }
}

impl Worker<'_> {
    /// A win by threats of the side to move, if it is found within `budget` moves: the first move, and the maximal number of
    /// plies. Results stay in the table, so that a second call continues where the first one ended.
    pub(super) fn win_by_threats(&mut self, budget: u32) -> Option<(Point, usize)> {
        let me = self.board.turn();
        if self.board.pente() || budget == 0 {
            return None;
        }
        self.memory.threats.left = budget;
        let mut found = self.prove(me, [NEVER, NEVER], 0);
        if found.own == 0 && found.best == NOWHERE {
            found.best = self.winning_point()?;
        }
        (found.own == 0).then_some((found.best, usize::from(found.plies)))
    }

    /// The move of a win that is recognized without a search.
    fn winning_point(&self) -> Option<Point> {
        let me = self.board.turn();
        let rows = moves::near(&self.board);
        let points =
            (0..self.board.size()).flat_map(|y| Columns(rows[usize::from(y)]).map(move |x| y * STRIDE + x));
        points
            .map(|point| (self.board.kind(me, point), point))
            .filter(|&(kind, _)| kind == kind::THREE_THREE || kind >= kind::FOUR_THREE)
            .max()
            .map(|(_, point)| point)
    }

    /// Searches a position until the proof number of the side to move or of the other side reaches its limit in `most`.
    fn prove(&mut self, attacker: usize, most: [u32; 2], ply: usize) -> Known {
        let key = key_of(self.board.key(), attacker);
        let attacking = self.board.turn() == attacker;
        if let Some(known) = self.at_a_glance(attacker) {
            self.memory.threats.put(key, known);
            return known;
        }
        if ply >= MAX_PLIES {
            return Known::over(attacking);
        }
        let start = self.memory.threats.children.len();
        if attacking {
            self.list_threats();
        } else {
            self.list_answers();
        }
        let known = loop {
            let (known, next, second) = self.sum_up(start, attacking);
            if known.own >= most[0] || known.other >= most[1] || self.memory.threats.left == 0 {
                break known;
            }
            let Child { point, after } = self.memory.threats.children[next];
            // The child's own proof number is the other side's here, and vice versa.
            let child_most =
                [most[1] - (known.other - after.own), most[0].min(second.saturating_add(1 + second / 4))];
            self.memory.threats.left -= 1;
            self.count_node();
            if self.halted {
                self.memory.threats.left = 0;
                break known;
            }
            self.board.make(point);
            let after = self.prove(attacker, child_most, ply + 1);
            self.board.undo();
            self.memory.threats.children[next].after = after;
        };
        self.memory.threats.children.truncate(start);
        self.memory.threats.put(key, known);
        known
    }

    /// Combines the children into the knowledge about the position; also returns the child to visit next, and the proof number of the
    /// second-best one.
    fn sum_up(&self, start: usize, attacking: bool) -> (Known, usize, u32) {
        let children = &self.memory.threats.children[start..];
        let (mut next, mut least, mut second, mut sum) = (0, NEVER, NEVER, 0u32);
        let (mut longest, mut holds_longest) = (0, NOWHERE);
        for (index, &Child { point, after }) in children.iter().enumerate() {
            sum = (sum + after.own).min(NEVER - 1);
            if after.other < least {
                (next, second, least) = (index, least, after.other);
            } else {
                second = second.min(after.other);
            }
            if after.plies > longest {
                (longest, holds_longest) = (after.plies, point);
            }
        }
        let mut known = Known { own: least, other: sum, plies: 0, best: NOWHERE };
        if least == 0 {
            let Child { point, after } = children[next];
            known.other = NEVER;
            if attacking {
                (known.plies, known.best) = (after.plies + 1, point);
            }
        } else if sum == 0 {
            known.own = NEVER;
            if !attacking {
                // A stone elsewhere does not stop the open four, which wins in three.
                (known.plies, known.best) = (longest.max(3) + 1, holds_longest);
            }
        }
        (known, start + next, second)
    }

    /// The knowledge that needs no move generation.
    fn at_a_glance(&self, attacker: usize) -> Option<Known> {
        let board = &self.board;
        let (me, other) = (board.turn(), board.turn() ^ 1);
        if me == attacker {
            if board.count(me, kind::FIVE) > 0 {
                return Some(Known::won(true, 1, NOWHERE));
            }
            match board.count(other, kind::FIVE) {
                0 => {}
                1 => return None,
                _ => return Some(Known::over(true)),
            }
            if board.count(me, kind::OPEN_FOUR) > 0 {
                return Some(Known::won(true, 3, NOWHERE));
            }
            let both = board.count(me, kind::FOUR_THREE) + board.count(me, kind::THREE_THREE) > 0;
            let free = board.four_count(other) == 0 && !board.restricts(me);
            return (both && free).then(|| Known::won(true, 5, NOWHERE));
        }
        if board.count(me, kind::FIVE) > 0 {
            return Some(Known::over(false));
        }
        match board.count(other, kind::FIVE) {
            // An open four of the defender comes before the attacker's.
            0 => (board.count(other, kind::OPEN_FOUR) == 0 || board.count(me, kind::OPEN_FOUR) > 0)
                .then(|| Known::over(false)),
            1 => {
                let answer = board.five(other)?;
                board.is_forbidden(me, answer).then(|| Known::won(false, 2, NOWHERE))
            }
            _ => Some(Known::won(false, 2, NOWHERE)),
        }
    }

    /// Lists the attacker's threats; against a four, only its defence.
    fn list_threats(&mut self) {
        let board = &self.board;
        let (me, other) = (board.turn(), board.turn() ^ 1);
        let mut points: Vec<(Point, u32)> = Vec::new();
        if board.count(other, kind::FIVE) > 0 {
            let answer = board.five(other).filter(|&point| !board.is_forbidden(me, point));
            points.extend(answer.map(|point| (point, 1)));
        } else {
            let effort = |point| if board.kind(me, point) == kind::FOUR { 2 } else { 1 };
            points.extend(board.four_points(me).map(|point| (point, effort(point))));
            let threes = [kind::THREE, kind::THREE_PLUS, kind::THREE_THREE].map(|kind| board.count(me, kind));
            if threes.iter().any(|&n| n > 0) {
                let endangered = board.count(other, kind::OPEN_FOUR) > 0;
                let rows = moves::near(board);
                for y in 0..board.size() {
                    for x in Columns(rows[usize::from(y)]) {
                        let point = y * STRIDE + x;
                        let kind = board.kind(me, point);
                        let three = (kind::THREE..=kind::THREE_THREE).contains(&kind);
                        // Against an open three, only threes that also stop it.
                        if three && (!endangered || board.kind(other, point) >= kind::FOUR) {
                            points.push((point, if kind == kind::THREE { 3 } else { 2 }));
                        }
                    }
                }
            }
        }
        self.add_children(points, me);
    }

    /// Lists the defender's answers: all that do not lose at once.
    fn list_answers(&mut self) {
        let board = &self.board;
        let (me, other) = (board.turn(), board.turn() ^ 1);
        let mut points = Vec::new();
        if board.count(other, kind::FIVE) > 0 {
            points.extend(board.five(other).map(|point| (point, 1)));
        } else {
            moves::against_an_open_four(board, |point| points.push((point, 1)));
            points.retain(|&(point, _)| !board.is_forbidden(me, point));
        }
        self.add_children(points, other);
    }

    fn add_children(&mut self, points: Vec<(Point, u32)>, attacker: usize) {
        for (point, effort) in points {
            let key = key_of(self.board.key_after(point), attacker);
            let fresh = Known { own: 1, other: effort, plies: 0, best: NOWHERE };
            let after = self.memory.threats.get(key).unwrap_or(fresh);
            self.memory.threats.children.push(Child { point, after });
        }
    }
}
