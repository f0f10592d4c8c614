//! Review of a played game: what each move gave up, by an engine.
//!
//! Every position of the game is searched, from the last one back, so that earlier positions profit from later
//! findings. A position has one score: what is left after a move is what the next move had before it. Where a search sees
//! a larger loss, both positions after the move that was played and after the engine's choice are searched alike, with
//! [`AGAIN`] times the nodes. Where that contradicts what was found from later positions, these are searched again too,
//! and the moves between are judged anew.

mod experts;

use std::collections::BTreeSet;
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

/// The fall of the chance from one score to another.
fn fall(before: i32, after: i32, scale: f64) -> f64 {
    (chance(before, scale) - chance(after, scale)).max(0.0)
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

/// A searched position, and the move that was played in it.
#[derive(Debug)]
struct Searched<M> {
    known: Known<M>,
    /// The score after the engine's choice, and the line from that on, where it was searched by itself.
    choice: Option<(i32, Vec<M>)>,
    /// Whether it was searched with [`AGAIN`] times the nodes.
    is_deep: bool,
    /// `None` in the last position.
    judged: Option<Judged<M>>,
}

/// A review in progress.
#[derive(Debug)]
pub struct Review<P: Position, E> {
    expert: E,
    start: P,
    moves: Vec<P::Move>,
    nodes: u64,
    /// The searched positions, the last one first.
    searched: Vec<Searched<P::Move>>,
    /// Numbers of the moves that were judged, or judged anew, and not taken yet.
    changed: BTreeSet<usize>,
}

impl<P: Position, E: Expert<P>> Review<P, E> {
    /// A review of the moves since `start`, which must be legal, with this number of nodes a position.
    pub fn new(expert: E, start: P, moves: Vec<P::Move>, nodes: u64) -> Self {
        Self { expert, start, moves, nodes, searched: Vec::new(), changed: BTreeSet::new() }
    }

    /// Searches one position. Returns whether there are more; nothing is done once `stop` is set.
    pub fn work(&mut self, stop: &AtomicBool) -> bool {
        let Some(ply) = self.moves.len().checked_sub(self.searched.len()) else { return false };
        let position = self.position(ply);
        let Some(known) = self.know(&position, self.nodes, stop) else { return false };
        let mut searched = Searched { known, choice: None, is_deep: false, judged: None };
        if ply < self.moves.len() && self.compare(&position, ply, &mut searched, stop).is_none() {
            return false;
        }
        self.searched.push(searched);
        self.judge(ply);
        ply > 0
    }

    /// The number of searched positions, and of all.
    pub fn progress(&self) -> (usize, usize) {
        (self.searched.len(), self.moves.len() + 1)
    }

    /// The moves that were judged since the last call, and earlier ones whose judgement changed, the last one first, with
    /// their numbers (from 0).
    pub fn take_changed(&mut self) -> Vec<(usize, Judged<P::Move>)> {
        let changed = std::mem::take(&mut self.changed);
        let judged = |&ply: &usize| Some((ply, self.at(ply)?.judged.clone()?));
        changed.iter().rev().filter_map(judged).collect()
    }

    /// The score of the last position for the side to move, once it has been searched.
    pub fn last(&self) -> Option<i32> {
        self.searched.first().map(|last| last.known.score)
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

    /// The position after this number of moves, if it has been searched.
    fn at(&self, ply: usize) -> Option<&Searched<P::Move>> {
        self.searched.get(self.moves.len().checked_sub(ply)?)
    }

    fn at_mut(&mut self, ply: usize) -> Option<&mut Searched<P::Move>> {
        self.searched.get_mut(self.moves.len().checked_sub(ply)?)
    }

    /// The score after this number of moves, for the side that made the last one of them.
    fn left_after(&self, ply: usize) -> i32 {
        self.at(ply).map_or(0, |after| later(-after.known.score))
    }

    /// Where the search of the position saw more than was left after the move that was played: searches what came of it
    /// and the engine's choice alike. `None` if it was stopped.
    fn compare(
        &mut self,
        position: &P,
        ply: usize,
        searched: &mut Searched<P::Move>,
        stop: &AtomicBool,
    ) -> Option<()> {
        let played = *self.moves.get(ply)?;
        let Searched { known, choice, .. } = searched;
        if !self.is_less(self.left_after(ply + 1), known.score) {
            return Some(());
        }
        self.search_again(ply + 1, stop)?;
        let left = self.left_after(ply + 1);
        if known.line.first().is_none_or(|&best| best == played) || !self.is_less(left, known.score) {
            return Some(());
        }
        let nodes = self.nodes.saturating_mul(AGAIN);
        let mut best = self.after_first(position, &known.line, nodes, stop)?;
        if !self.is_less(left, best.0) {
            // The choice was refuted: another one, by a longer search.
            let again = self.know(position, nodes, stop)?;
            if again.line.first().is_some_and(|first| *first != played && Some(first) != known.line.first()) {
                let other = self.after_first(position, &again.line, nodes, stop)?;
                if other.0 > best.0 {
                    (best, known.depth) = (other, again.depth);
                }
            }
        }
        *choice = Some(best);
        Some(())
    }

    /// Searches a position with more nodes, and those that follow it as long as this contradicts what was found from
    /// later ones. Then the moves between are judged anew. `None` if it was stopped.
    fn search_again(&mut self, from: usize, stop: &AtomicBool) -> Option<()> {
        let nodes = self.nodes.saturating_mul(AGAIN);
        let mut to = from;
        while let Some(searched) = self.at(to).filter(|searched| !searched.is_deep) {
            let known = searched.known.clone();
            let is_chosen = searched.choice.as_ref().is_some_and(|(score, _)| *score == known.score);
            let position = self.position(to);
            let again = self.know(&position, nodes, stop)?;
            let sees_more = self.is_less(known.score, again.score);
            let played = self.moves.get(to).copied();
            let is_other = again.line.first().is_some_and(|&first| Some(first) != played);
            let choice = match sees_more && is_other && played.is_some() {
                true => Some(self.after_first(&position, &again.line, nodes, stop)?),
                false => None,
            };
            let sees_less = self.is_less(again.score, known.score) && !is_chosen;
            let is_settled = choice.is_some() || !sees_more && !sees_less;
            let is_last = played.is_none();
            let is_better = choice.as_ref().is_some_and(|choice| self.is_less(known.score, choice.0));
            let searched = self.at_mut(to)?;
            searched.is_deep = true;
            if is_last {
                searched.known = again;
            } else if is_better {
                (searched.choice, searched.known.depth) = (choice, again.depth);
            }
            if is_settled || is_last {
                break;
            }
            to += 1;
        }
        (from..=to).rev().for_each(|ply| self.judge(ply));
        Some(())
    }

    /// Judges the move after this number of moves by what is known of the positions before and after it.
    fn judge(&mut self, ply: usize) {
        let (Some(&played), left) = (self.moves.get(ply), self.left_after(ply + 1)) else { return };
        let side = self.position(ply).to_move();
        let reply = self.at(ply + 1).map_or_else(Vec::new, |after| after.known.line.clone());
        let scale = self.expert.scale();
        let Some(searched) = self.at_mut(ply) else { return };
        let Searched { known, choice, judged, .. } = searched;
        let better = choice.as_ref().filter(|(score, _)| Grade::of(fall(*score, left, scale)).is_some());
        let best = choice.as_ref().map_or(known.score, |(score, _)| *score);
        let (before, better) = match better {
            Some((score, line)) => (*score, line.clone()),
            // Small differences are noise of the search.
            None if Grade::of(fall(best, left, scale)).is_none() => (best.max(left), Vec::new()),
            None => (left, Vec::new()),
        };
        // The score of the better move is the score of the position.
        known.score = before;
        if !better.is_empty() {
            known.line.clone_from(&better);
        }
        let loss = fall(before, left, scale);
        let now = Judged { side, played, before, after: left, better, reply, loss, depth: known.depth };
        if judged.as_ref() != Some(&now) {
            *judged = Some(now);
            self.changed.insert(ply);
        }
    }

    /// Whether a score is lower than another by more than the noise of the search.
    fn is_less(&self, score: i32, than: i32) -> bool {
        Grade::of(fall(than, score, self.expert.scale())).is_some()
    }

    /// The score after the first move of a line for the side that makes it, and the line with that move.
    fn after_first(
        &mut self,
        position: &P,
        line: &[P::Move],
        nodes: u64,
        stop: &AtomicBool,
    ) -> Option<(i32, Vec<P::Move>)> {
        let mut next = position.clone();
        let first = *line.first()?;
        next.advance(first);
        let known = self.know(&next, nodes, stop)?;
        Some((later(-known.score), std::iter::once(first).chain(known.line).collect()))
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
