//! The player `stupid`, which looks no further than the next threat, and its play in the opening [swap2](crate::swap2). The player
//! `random` is [`random_move`](crate::turn::random_move).

use std::cmp::Reverse;

use super::Point;
use super::board::{AXES, Board, WAYS};
use super::position::{PAIRS_TO_WIN, Position, five};
use super::rules::Rule;
use crate::SplitMix64;
use crate::swap2::{Choice, Stage, Swap2};
use crate::turn::{Position as _, Side};

/// A move of `stupid`; `None` once the game is over.
///
/// It wins if it can, prevents a win of the other side's next stone, makes a double threat, and prevents one of
/// the other side: so it blocks fives and open fours. Otherwise it extends its rows and obstructs the other side's, and in
/// Pente likes to capture. Ties are broken at random.
pub fn stupid(position: &Position, random: &mut SplitMix64) -> Option<Point> {
    let candidates = candidates(position);
    let (own, other) = (position.to_move(), position.to_move().opponent());
    if let Some(&win) = candidates.iter().find(|&&point| wins(position, own, point)) {
        return Some(win);
    }
    let mut look = Look { position, board: position.board().clone() };
    let mut scored: Vec<(i64, u64, Point)> =
        candidates.iter().map(|&point| (look.score(own, point), random.next_u64(), point)).collect();
    scored.sort_unstable_by_key(|&(score, tie, _)| Reverse((score, tie)));
    let threats: Vec<Point> = near(position).filter(|&point| wins(position, other, point)).collect();
    if !threats.is_empty() {
        let left = |&(_, _, point): &(i64, u64, Point)| {
            let after = advanced(position, point);
            threats
                .iter()
                .filter(|&&threat| after.stone(threat).is_none() && wins(&after, other, threat))
                .count()
        };
        return scored.iter().min_by_key(|candidate| left(candidate)).map(|&(_, _, point)| point);
    }
    let best = scored.first().map(|&(_, _, point)| point)?;
    let doubles = |look: &mut Look<'_>, side| {
        scored.iter().find(|&&(_, _, point)| look.ways_to_win(side, point) > 1).copied()
    };
    if let Some((_, _, double)) = doubles(&mut look, own) {
        return Some(double);
    }
    let dangers: Vec<Point> =
        candidates.iter().copied().filter(|&point| look.ways_to_win(other, point) > 1).collect();
    if dangers.is_empty() {
        return Some(best);
    }
    // Candidates for a defence: the dangerous points themselves, and the best moves without the danger.
    let mut answers: Vec<Point> = scored.iter().take(12).map(|&(_, _, point)| point).collect();
    answers.extend(dangers.iter().filter(|danger| !answers.contains(danger)).copied().collect::<Vec<_>>());
    answers.into_iter().min_by_key(|&point| {
        let after = advanced(position, point);
        let mut look = Look { position: &after, board: after.board().clone() };
        dangers
            .iter()
            .filter(|&&danger| after.stone(danger).is_none() && look.ways_to_win(other, danger) > 1)
            .count()
    })
}

/// The choice of `stupid` in an opening by swap2; `None` once the sides are settled. It places stones near the centre, and takes
/// the side with the better next move.
pub fn stupid_choice(opening: &Swap2<Position>, random: &mut SplitMix64) -> Option<Choice<Point>> {
    let position = opening.position();
    match opening.stage() {
        Stage::Settled { .. } => None,
        Stage::Place | Stage::PlaceMore => {
            let centre = position.size().centre();
            let is_near =
                |point: &Point| point.x().abs_diff(centre.x()).max(point.y().abs_diff(centre.y())) <= 3;
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            moves.retain(is_near);
            random.choose(&moves).map(Choice::Place)
        }
        Stage::Answer | Stage::Choose => {
            let look = Look { position, board: position.board().clone() };
            let best = |side| near(position).map(|point| look.rows(side, point)).max();
            // The second side is to move, which is an advantage.
            let side = if best(Side::First) > best(Side::Second).map(|best| best * 2) {
                Side::First
            } else {
                Side::Second
            };
            Some(Choice::Take(side))
        }
    }
}

fn advanced(position: &Position, point: Point) -> Position {
    let mut after = position.clone();
    after.advance(point);
    after
}

/// Whether a stone on the point would win at once.
fn wins(position: &Position, side: Side, point: Point) -> bool {
    let pairs = || position.pairs(side) + position.captured_by(side, point).len() as u32 / 2;
    position.makes_five(side, point).is_some() || (position.rule() == Rule::Pente && pairs() >= PAIRS_TO_WIN)
}

/// The empty points at a distance of at most two from a stone, in ascending order.
fn near(position: &Position) -> impl Iterator<Item = Point> {
    let board = position.board();
    let stones = position.moves().iter().filter(|&&point| board.get(point).is_some());
    let around = |&stone: &Point| {
        (1..=2)
            .flat_map(move |steps| WAYS.map(|way| board.step(stone, way, steps)))
            .chain(
                [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
                    .map(move |way| board.step(stone, way, 1)),
            )
            .flatten()
    };
    let mut points: Vec<Point> =
        stones.flat_map(around).filter(|&point| board.get(point).is_none()).collect();
    points.sort_unstable();
    points.dedup();
    points.into_iter()
}

/// The legal moves near stones, or all legal moves if there are none near stones.
fn candidates(position: &Position) -> Vec<Point> {
    if position.end().is_some() {
        return Vec::new();
    }
    let centre = position.size().centre();
    if position.check(centre).is_ok() && position.ply() == 0 {
        return vec![centre];
    }
    let mut points: Vec<Point> = near(position).filter(|&point| position.check(point).is_ok()).collect();
    if points.is_empty() {
        position.legal_moves(&mut points);
    }
    points
}

/// A board for trying stones.
struct Look<'a> {
    position: &'a Position,
    board: Board,
}

/// The value of a stone in a row of five points, by the number of its side's other stones there, if the other side has none.
const IN_ROW: [i64; 5] = [1, 8, 60, 400, 3_000];

impl Look<'_> {
    fn score(&self, own: Side, point: Point) -> i64 {
        let other = own.opponent();
        let rows = 5 * self.rows(own, point) + 4 * self.rows(other, point);
        if self.position.rule() != Rule::Pente {
            return rows;
        }
        let pairs = |side: Side| {
            let captured = self.position.captured_by(side, point).len() as i64 / 2;
            captured * i64::from(self.position.pairs(side) + 1)
        };
        rows + 1_500 * pairs(own) + 1_200 * pairs(other) - 600 * i64::from(self.exposes(own, point))
    }

    /// The value of a stone of this side for its rows.
    fn rows(&self, side: Side, point: Point) -> i64 {
        let stone = |axis, steps| self.board.step(point, axis, steps).map(|point| self.board.get(point));
        let row = |axis, from: i32| {
            let mut own = 0;
            for steps in (from..from + 5).filter(|&steps| steps != 0) {
                match stone(axis, steps) {
                    Some(Some(found)) if found == side => own += 1,
                    Some(None) => {}
                    _ => return 0,
                }
            }
            IN_ROW[own]
        };
        AXES.into_iter().flat_map(|axis| (-4..=0).map(move |from| row(axis, from))).sum()
    }

    /// Whether the other side could capture the stone with its next move.
    fn exposes(&self, side: Side, point: Point) -> bool {
        let at = |way, steps| self.board.step(point, way, steps).map(|point| self.board.get(point));
        let other = Some(Some(side.opponent()));
        WAYS.into_iter().any(|way| {
            let ends = (at(way, -1), at(way, 2));
            at(way, 1) == Some(Some(side)) && (ends == (Some(None), other) || ends == (other, Some(None)))
        })
    }

    /// The number of points on which the side could make five after a stone on this one.
    fn ways_to_win(&mut self, side: Side, point: Point) -> usize {
        let rule = self.position.rule();
        self.board.set(point, Some(side));
        let around = AXES.into_iter().flat_map(|axis| (-4..=4).map(move |steps| (axis, steps)));
        let ways = around.filter(|&(axis, steps)| {
            self.board.step(point, axis, steps).is_some_and(|way| {
                self.board.get(way).is_none() && five(&self.board, rule, side, way).is_some()
            })
        });
        let ways = ways.count();
        self.board.set(point, None);
        ways
    }
}
