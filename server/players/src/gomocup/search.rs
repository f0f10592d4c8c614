//! Our own search as the thinker of an engine.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use grandstand_rules::stones;
use grandstand_search::gomoku::{self, Engine, Limits, Options};

use super::brain::{Found, Request, Tables};
use super::run::Thinker;

/// The search of [`grandstand_search::gomoku`].
#[derive(Debug, Default)]
pub struct Searcher {
    engine: Option<(Tables, Engine)>,
}

impl Searcher {
    /// The engine for these tables; another one is made only where they differ.
    fn engine(&mut self, tables: &Tables) -> &mut Engine {
        // The old table must be gone before there is a new one.
        self.engine.take_if(|(of, _)| of != tables);
        &mut self.engine.get_or_insert_with(|| (tables.clone(), made(tables))).1
    }
}

fn made(tables: &Tables) -> Engine {
    let rule = match tables.rule {
        stones::Rule::Freestyle => gomoku::Rule::Freestyle,
        stones::Rule::Exactly5 => gomoku::Rule::Exactly5,
        stones::Rule::Renju => gomoku::Rule::Renju,
        stones::Rule::Pente => gomoku::Rule::Pente,
    };
    let Tables { size, threads, memory_mib, .. } = *tables;
    Engine::new(size, rule, Options { threads, memory_mib, ..Options::default() })
}

impl Thinker for Searcher {
    fn prepare(&mut self, tables: &Tables) {
        match &mut self.engine {
            Some((of, engine)) if of == tables => engine.clear(),
            _ => drop(self.engine(tables)),
        }
    }

    fn think(
        &mut self,
        request: &Request,
        [soft, hard]: [Duration; 2],
        stop: &AtomicBool,
        report: &mut dyn FnMut(Found),
    ) -> Option<Found> {
        let limits =
            Limits { soft: Some(soft), hard: Some(hard), nodes: request.nodes, depth: request.depth };
        let mut tell = |info: &gomoku::Info| {
            if let Some(at) = info.line.first() {
                let gomoku::Info { depth, score, nodes, .. } = *info;
                report(Found { at: *at, score, depth, nodes, line: info.line.clone() });
            }
        };
        let best = self.engine(&request.tables).think(&request.moves, &limits, stop, &mut tell).ok()?;
        Some(Found { at: best.mv, score: best.score, depth: best.depth, nodes: best.nodes, line: best.line })
    }
}
