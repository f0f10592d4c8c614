//! The engines that review games.

use std::sync::atomic::AtomicBool;

use grandstand_rules::riskless::{self, Move};
use grandstand_rules::stones::{self, Point, Rule};
use grandstand_rules::turn::{Outcome, Position as _, Thought};

use super::{Expert, SURE, WON};
use crate::PrunePercentage;
use crate::gomoku::{self, Engine};
use crate::riskless::Balance;
use crate::strong::{self, Search, WIN, WIN_AT_LEAST};
use crate::threads::NoThreads;

/// The size of an engine's table, in MiB.
const TABLE_MIB: usize = 32;
/// The most forced moves in a row that are played before a search.
const FORCED: usize = 20;

/// Expert of Gomoku and Pente.
#[derive(Debug)]
pub struct Stones {
    engine: Engine,
}

impl Stones {
    /// An engine with one thread, for a board of this size.
    #[must_use]
    pub fn new(size: u16, rule: Rule) -> Self {
        let options = gomoku::Options { threads: 1, memory_mib: TABLE_MIB, ..gomoku::Options::default() };
        Self { engine: Engine::new(size, rule, options) }
    }

    /// A proven win, as [`Engine::win`] finds it: of the side to move, or with `passes` of the other side, as if the
    /// side to move passed.
    pub fn win(&mut self, position: &stones::Position, passes: bool) -> Option<gomoku::Win> {
        if position.end().is_some() {
            return None;
        }
        self.engine.win(&coordinates(position), passes).ok().flatten()
    }
}

/// The moves of a game as the engine takes them.
fn coordinates(position: &stones::Position) -> Vec<(u16, u16)> {
    position.moves().iter().map(|point| (point.x(), point.y())).collect()
}

impl Expert<stones::Position> for Stones {
    fn think(
        &mut self,
        position: &stones::Position,
        nodes: u64,
        stop: &AtomicBool,
    ) -> Option<Thought<Point>> {
        let limits = gomoku::Limits { nodes: Some(nodes), ..gomoku::Limits::default() };
        let (me, mut moves) = (position.to_move(), coordinates(position));
        let (mut position, mut forced) = (position.clone(), Vec::new());
        loop {
            let found = self.engine.think(&moves, &limits, stop, &mut |_| {}).ok()?;
            let line: Vec<Point> = found.line.iter().map_while(|&(x, y)| Point::new(x, y)).collect();
            let first = *line.first()?;
            let plies = forced.len() as i32;
            // An only move is not searched: its score is that of the position after it.
            if found.depth == 0 && forced.len() < FORCED && position.check(first).is_ok() {
                position.advance(first);
                forced.push(first);
                let Some(end) = position.end() else {
                    moves.push((first.x(), first.y()));
                    continue;
                };
                let score = match end.outcome {
                    Outcome::Draw => 0,
                    Outcome::Win(side) if side == me => WON - plies - 1,
                    Outcome::Win(_) => plies + 1 - WON,
                };
                return Some(Thought { score, depth: 1, nodes: found.nodes, line: forced });
            }
            let score = match found.score {
                SURE.. => found.score - plies,
                score if score <= -SURE => score + plies,
                score => score,
            };
            let score = if position.to_move() == me { score } else { -score };
            forced.extend(line);
            return Some(Thought { score, depth: found.depth, nodes: found.nodes, line: forced });
        }
    }

    /// The scale to which the evaluation is fitted: `server/search/GOMOKU-ENGINE.md`.
    fn scale(&self) -> f64 {
        200.0
    }
}

/// Expert of Riskless.
#[derive(Debug)]
pub struct Riskless {
    search: Search<riskless::Position, Balance>,
}

impl Riskless {
    /// A search with one thread on this map.
    ///
    /// # Errors
    /// [`NoThreads`] if the system can't start it.
    pub fn new(map: &riskless::Map) -> Result<Self, NoThreads> {
        let options =
            strong::Options { threads: 1, table_mebibytes: TABLE_MIB, prune: PrunePercentage::NONE };
        Ok(Self { search: Search::new(Balance::new(map), options)? })
    }
}

impl Expert<riskless::Position> for Riskless {
    fn think(
        &mut self,
        position: &riskless::Position,
        nodes: u64,
        stop: &AtomicBool,
    ) -> Option<Thought<Move>> {
        let limits = strong::Limits { nodes: Some(nodes), ..strong::Limits::default() };
        let found = self.search.think(position, &limits, stop, &mut |_| {})?;
        // A win at ply `n` of the match is worth `WIN − n`.
        let plies = (WIN - found.score.abs()).saturating_sub_unsigned(position.ply()).clamp(1, WON - SURE);
        let score = match found.score {
            WIN_AT_LEAST.. => WON - plies,
            score if score <= -WIN_AT_LEAST => plies - WON,
            score => score.clamp(1 - SURE, SURE - 1),
        };
        Some(Thought { score, depth: found.depth, nodes: found.counts.nodes, line: found.line })
    }

    /// A little more than a territory, which the estimate counts as 700.
    fn scale(&self) -> f64 {
        1_000.0
    }
}
