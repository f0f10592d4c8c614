//! Wins by threats: fours, which leave one answer, and open threes, which leave few.
//!
//! Depth-first proof-number search (Nagai 2002) goes where the least is left to prove. The defender's answers are
//! complete: against an open three whatever stops the open four, and every four of his own. Captures would break such
//! proofs, so there are none in Pente.

use super::board::Columns;
use super::geometry::{NOWHERE, Point, STRIDE};
use super::kind;
use super::moves;
use super::worker::Worker;

/// More than any effort: what can't be shown.
const NEVER: u32 = 1 << 24;
/// The longest line of threats.
const MAX_PLIES: usize = 100;
/// How many positions are remembered.
const SLOTS: usize = 1 << 16;
/// Mixed into the keys of positions in which white attacks.
const WHITE_ATTACKS: u64 = 0x3c6e_f372_fe94_f82b;

/// What is known of a position in which one side attacks.
#[derive(Debug, Clone, Copy)]
struct Known {
    /// How much is left to do, at least, for the side to move to have its way: 0 if it has, [`NEVER`] if it can't. The
    /// attacker's way is to win, the defender's to outlive the threats.
    own: u32,
    /// The same for the other side.
    other: u32,
    /// If the attacker wins: within so many plies.
    plies: u16,
    /// The move to have one's way, or to hold out longest.
    best: Point,
}

impl Known {
    /// The attacker wins within so many plies; is he to move?
    fn won(attacking: bool, plies: usize, best: Point) -> Known {
        let (own, other) = if attacking { (0, NEVER) } else { (NEVER, 0) };
        Known { own, other, plies: plies as u16, best }
    }

    /// The threats are over; is the attacker to move?
    fn over(attacking: bool) -> Known {
        let (own, other) = if attacking { (NEVER, 0) } else { (0, NEVER) };
        Known { own, other, plies: 0, best: NOWHERE }
    }
}

/// A move of the position that is looked at, with what is known of the position after it.
#[derive(Debug, Clone, Copy)]
struct Child {
    point: Point,
    after: Known,
}

/// What a thread remembers of threats, from search to search.
pub(super) struct Threats {
    slots: Vec<(u64, Known)>,
    /// The moves of the positions from the root to the one that is looked at.
    children: Vec<Child>,
    /// How many moves may still be made.
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

    /// The move of a position that the attacker is known to win.
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
    /// How the side to move wins by threats, if it finds a way within `budget` moves: the first move, and the plies
    /// that it takes at most. What was found is remembered, so that a second call goes on where the first one ended.
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

    /// The move of a win that is seen at a glance.
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

    /// Looks at a position until the side to move, or the other, would have to do as much as `most` says.
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
            // The child's own effort is part of the other side's here, and the other way round.
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

    /// What the children say of the position, which of them to look at next, and the effort of the one after that.
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
                // A stone elsewhere leaves the open four, which wins in three.
                (known.plies, known.best) = (longest.max(3) + 1, holds_longest);
            }
        }
        (known, start + next, second)
    }

    /// What needs no look at the moves.
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
            // An open four of the defender's comes before the attacker's.
            0 => (board.count(other, kind::OPEN_FOUR) == 0 || board.count(me, kind::OPEN_FOUR) > 0)
                .then(|| Known::over(false)),
            1 => {
                let answer = board.five(other)?;
                board.is_forbidden(me, answer).then(|| Known::won(false, 2, NOWHERE))
            }
            _ => Some(Known::won(false, 2, NOWHERE)),
        }
    }

    /// Lists the attacker's threats; against a four, what stops it.
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
                        // Against an open three only what stops it, too.
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
