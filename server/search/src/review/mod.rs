//! Review of a played game: what each move gave up, by an engine.
//!
//! Every position of the game is searched, from the last one back, so that earlier positions profit from later
//! findings. A move with a large loss is compared with the engine's choice again: both positions after them are
//! searched alike, with [`AGAIN`] times the nodes.

mod experts;

use std::sync::atomic::{AtomicBool, Ordering};

use grandstand_rules::turn::{Outcome, Position, Side, Thought};

pub use self::experts::{Riskless, Stones};

/// The score of a won game. A forced win has at least [`SURE`], less the later it comes.
pub const WON: i32 = 30_000;
/// The least score of a forced win.
pub const SURE: i32 = 29_000;
/// The nodes of the second comparison, as a multiple of those of a position.
pub const AGAIN: u64 = 4;
/// The fall of the chance from which on a move is a mistake.
pub const MISTAKE: f64 = 0.1;
/// The fall of the chance from which on a move is a blunder.
pub const BLUNDER: f64 = 0.25;

/// An engine for reviews.
pub trait Expert<P: Position> {
    /// The best line for the side to move, searched with this number of nodes; a forced win has a score from [`SURE`]
    /// to [`WON`]. `None` if there is no move, or `stop` was set. The same calls in the same order have the same
    /// results.
    fn think(&mut self, position: &P, nodes: u64, stop: &AtomicBool) -> Option<Thought<P::Move>>;

    /// The score at which the odds of a win are e : 1.
    fn scale(&self) -> f64;
}

/// The chance of a win with this score, from 0 to 1; a forced win is 1.
#[must_use]
pub fn chance(score: i32, scale: f64) -> f64 {
    match score {
        SURE.. => 1.0,
        _ if score <= -SURE => 0.0,
        _ => 1.0 / (1.0 + (-f64::from(score) / scale).exp()),
    }
}

/// Grade of a bad move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// It gave up at least [`MISTAKE`] of the chance: `?`.
    Mistake,
    /// It gave up at least [`BLUNDER`]: `??`.
    Blunder,
}

impl Grade {
    /// The mark beside a move.
    #[must_use]
    pub fn mark(self) -> &'static str {
        match self {
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    fn of(loss: f64) -> Option<Self> {
        match loss {
            _ if loss >= BLUNDER => Some(Self::Blunder),
            _ if loss >= MISTAKE => Some(Self::Mistake),
            _ => None,
        }
    }
}

/// A reviewed move. Scores are from the view of the side that made it.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged<M> {
    /// The side that made it.
    pub side: Side,
    /// The move.
    pub played: M,
    /// The score with the best move.
    pub before: i32,
    /// The score after the move that was played.
    pub after: i32,
    /// The engine's line, beginning with the best move; empty where the move that was played is as good.
    pub better: Vec<M>,
    /// The line with which the other side answers the move.
    pub reply: Vec<M>,
    /// The fall of the chance by the move.
    pub loss: f64,
    /// The depth of the search before it.
    pub depth: u32,
}

impl<M> Judged<M> {
    /// The grade of the move; `None` if it gave up little.
    #[must_use]
    pub fn grade(&self) -> Option<Grade> {
        Grade::of(self.loss)
    }
}

/// Search result of a position: its score for the side to move, the line, the depth.
#[derive(Debug, Clone)]
struct Known<M> {
    score: i32,
    line: Vec<M>,
    depth: u32,
}

/// A review in progress.
#[derive(Debug)]
pub struct Review<P: Position, E> {
    expert: E,
    start: P,
    moves: Vec<P::Move>,
    nodes: u64,
    /// The position after this number of moves comes next; `None` at the end.
    next: Option<usize>,
    /// The position after the one that comes next.
    after: Option<Known<P::Move>>,
    /// The reviewed moves, the last one first.
    judged: Vec<Judged<P::Move>>,
    /// The score of the last position for the side to move.
    last: Option<i32>,
}

impl<P: Position, E: Expert<P>> Review<P, E> {
    /// A review of the moves since `start`, which must be legal, with this number of nodes a position.
    pub fn new(expert: E, start: P, moves: Vec<P::Move>, nodes: u64) -> Self {
        let next = Some(moves.len());
        Self { expert, start, moves, nodes, next, after: None, judged: Vec::new(), last: None }
    }

    /// Searches one position. Returns whether there are more; nothing is done once `stop` is set.
    pub fn work(&mut self, stop: &AtomicBool) -> bool {
        let Some(ply) = self.next else { return false };
        let position = self.position(ply);
        let Some(mut known) = self.know(&position, self.nodes, stop) else {
            return false;
        };
        match self.after.take() {
            None => self.last = Some(known.score),
            Some(after) => {
                let Some(judged) = self.judge(&position, ply, &known, after, stop) else { return false };
                // The score of the better move is the score of the position.
                known.score = judged.before;
                if !judged.better.is_empty() {
                    known.line.clone_from(&judged.better);
                }
                self.judged.push(judged);
            }
        }
        self.after = Some(known);
        self.next = ply.checked_sub(1);
        self.next.is_some()
    }

    /// The number of searched positions, and of all.
    pub fn progress(&self) -> (usize, usize) {
        let all = self.moves.len() + 1;
        (self.next.map_or(all, |next| self.moves.len() - next), all)
    }

    /// The reviewed moves with their numbers (from 0), the last one first.
    pub fn judged(&self) -> impl Iterator<Item = (usize, &Judged<P::Move>)> {
        (0..self.moves.len()).rev().zip(&self.judged)
    }

    /// The score of the last position for the side to move, once it has been searched.
    pub fn last(&self) -> Option<i32> {
        self.last
    }

    /// The position after this number of moves.
    pub fn position(&self, ply: usize) -> P {
        let mut position = self.start.clone();
        self.moves.iter().take(ply).for_each(|&mv| position.advance(mv));
        position
    }

    /// The engine, for other questions. The same questions at the same places keep a review the same.
    pub fn expert_mut(&mut self) -> &mut E {
        &mut self.expert
    }

    /// The engine, unchanged.
    pub fn expert(&self) -> &E {
        &self.expert
    }

    fn know(&mut self, position: &P, nodes: u64, stop: &AtomicBool) -> Option<Known<P::Move>> {
        if let Some(end) = position.end() {
            let score = match end.outcome {
                Outcome::Draw => 0,
                Outcome::Win(side) if side == position.to_move() => WON,
                Outcome::Win(_) => -WON,
            };
            return Some(Known { score, line: Vec::new(), depth: 0 });
        }
        let thought = self.expert.think(position, nodes, stop);
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let thought = thought.unwrap_or(Thought { score: 0, depth: 0, nodes: 0, line: Vec::new() });
        let is_legal = thought.line.first().is_some_and(|&mv| position.check(mv).is_ok());
        // An engine knows nothing of restrictions of an opening.
        let line = if is_legal { thought.line } else { Vec::new() };
        Some(Known { score: thought.score.clamp(-WON, WON), line, depth: thought.depth })
    }

    /// Judges the move after the position. `known` is its search, `after` that of the position after the move.
    fn judge(
        &mut self,
        position: &P,
        ply: usize,
        known: &Known<P::Move>,
        after: Known<P::Move>,
        stop: &AtomicBool,
    ) -> Option<Judged<P::Move>> {
        let (side, played) = (position.to_move(), *self.moves.get(ply)?);
        let scale = self.expert.scale();
        let loss = |before, after| (chance(before, scale) - chance(after, scale)).max(0.0);
        // Small differences are noise of the search.
        let as_good = |before: i32, after: i32, reply, depth| Judged {
            side,
            played,
            before: before.max(after),
            after,
            better: Vec::new(),
            reply,
            loss: loss(before, after),
            depth,
        };
        let shown = later(-after.score);
        if known.line.first().is_none_or(|&best| best == played) {
            return Some(as_good(shown, shown, after.line, known.depth));
        }
        if Grade::of(loss(known.score, shown)).is_none() {
            return Some(as_good(known.score, shown, after.line, known.depth));
        }
        let nodes = self.nodes.saturating_mul(AGAIN);
        let mut next = position.clone();
        next.advance(played);
        let answered = self.know(&next, nodes, stop)?;
        // A loss that is known from later positions stays one, however deep it is.
        let shown = if shown <= -SURE { shown } else { later(-answered.score) };
        let mut line = known.line.clone();
        let mut depth = known.depth;
        let mut best = self.after_first(position, &line, nodes, stop)?;
        if Grade::of(loss(best.0, shown)).is_none() {
            // The choice was refuted: another one, by a longer search.
            let again = self.know(position, nodes, stop)?;
            if again.line.first().is_some_and(|first| *first != played && Some(first) != line.first()) {
                let other = self.after_first(position, &again.line, nodes, stop)?;
                if other.0 > best.0 {
                    (best, line, depth) = (other, again.line, again.depth);
                }
            }
        }
        if best.0 <= shown || Grade::of(loss(best.0, shown)).is_none() {
            return Some(as_good(best.0, shown, answered.line, depth));
        }
        let better = line.first().copied().into_iter().chain(best.1).collect();
        Some(Judged {
            side,
            played,
            before: best.0,
            after: shown,
            better,
            reply: answered.line,
            loss: loss(best.0, shown),
            depth,
        })
    }

    /// The score after the first move of a line for the side that makes it, and the line from there on.
    fn after_first(
        &mut self,
        position: &P,
        line: &[P::Move],
        nodes: u64,
        stop: &AtomicBool,
    ) -> Option<(i32, Vec<P::Move>)> {
        let mut next = position.clone();
        next.advance(*line.first()?);
        let known = self.know(&next, nodes, stop)?;
        Some((later(-known.score), known.line))
    }
}

/// The score of a position as it is one ply earlier: forced ends are a ply farther away.
fn later(score: i32) -> i32 {
    match score {
        SURE.. => score - 1,
        _ if score <= -SURE => score + 1,
        _ => score,
    }
}
