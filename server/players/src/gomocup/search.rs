//! Search for the moves of our own engine.

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
    /// The engine for these tables; another one is made only where they differ.
    fn engine(&mut self, tables: &Tables) -> &mut Engine {
        // The old table must be gone before there is a new one.
        self.engine.take_if(|(of, _)| of != tables);
        &mut self.engine.get_or_insert_with(|| (tables.clone(), made(tables))).1
    }

    /// Makes ready for a new game with these tables.
    pub(super) fn prepare(&mut self, tables: &Tables) {
        match &mut self.engine {
            Some((of, engine)) if of == tables => engine.clear(),
            _ => drop(self.engine(tables)),
        }
    }

    /// Thinks about a request until `stop` is set, or one of its limits is reached: of `time` the soft one, then the hard
    /// one. `report` is told what it thinks meanwhile.
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
