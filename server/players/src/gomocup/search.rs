//! Search for the moves of our own Gomocup engine.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use grandstand_search::gomoku::{Engine, Limits, Options, Thought};

use super::brain::{Request, Tables};

/// The search of [`grandstand_search::gomoku`].
#[derive(Debug, Default)]
pub(super) struct Searcher {
    engine: Option<(Tables, Engine)>,
}

impl Searcher {
    /// The engine for these tables; created anew only if they differ from the last ones.
    fn engine(&mut self, tables: &Tables) -> &mut Engine {
        // The old table must be freed before the new one is allocated.
        self.engine.take_if(|(of, _)| of != tables);
        &mut self.engine.get_or_insert_with(|| (tables.clone(), made(tables))).1
    }

    /// Prepares a new game with these tables.
    pub(super) fn prepare(&mut self, tables: &Tables) {
        match &mut self.engine {
            Some((of, engine)) if of == tables => engine.clear(),
            _ => drop(self.engine(tables)),
        }
    }

    /// Searches until `stop` is set or a limit is reached, first the soft time limit, then the hard one. `report`
    /// receives the intermediate results.
    pub(super) fn think(
        &mut self,
        request: &Request,
        [soft, hard]: [Duration; 2],
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Thought),
    ) -> Option<Thought> {
        let limits =
            Limits { soft: Some(soft), hard: Some(hard), nodes: request.nodes, depth: request.depth };
        self.engine(&request.tables).think(&request.moves, &limits, stop, report).ok()
    }
}

fn made(tables: &Tables) -> Engine {
    let Tables { size, rule, threads, memory_mib } = *tables;
    Engine::new(size, rule, Options { threads, memory_mib, ..Options::default() })
}
