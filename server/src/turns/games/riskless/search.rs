//! Our own player of Riskless: the strong search of `grandstand-search` on a clock.

use grandstand_protocol::turn;
use grandstand_rules::riskless::{Move, Position};
use grandstand_rules::turn::Position as _;
use grandstand_search::PrunePercentage;
use grandstand_search::riskless::Balance;
use grandstand_search::strong::{self, Info, Limits, Options, WIN_AT_LEAST};

use crate::turns::player::{Choice, Forfeit, Player, Preparation, Thought, Turn};
use crate::turns::players::{SearchOptions, think_for};

/// A forced win, as thoughts tell it.
pub(super) const FORCED: i32 = turn::FORCED;

/// A guess as thoughts tell it: never as much as a forced win.
pub(super) fn told(guess: i32) -> i32 {
    guess.clamp(1 - FORCED, FORCED - 1)
}

/// The size of the table unless told otherwise, in MiB.
const TABLE_MEBIBYTES: usize = 64;

/// A side is never thought to make more moves than this: most matches end long before they are a draw.
const MOVES_TO_COME: u32 = 60;

/// How many moves the side whose turn it is makes still, for sharing out its time: at most until the match is a draw.
fn moves_to_come(position: &Position) -> u32 {
    let plies = position.map().draw_plies().saturating_sub(position.ply());
    plies.div_ceil(2).clamp(1, MOVES_TO_COME)
}

/// The player `search`.
#[derive(Debug)]
pub(super) struct Search {
    options: SearchOptions,
    search: Option<strong::Search<Position, Balance>>,
}

impl Search {
    pub(super) fn new(options: SearchOptions) -> Self {
        Self { options, search: None }
    }
}

impl Player<Position> for Search {
    fn prepare(&mut self, game: &Preparation<Position>) -> Result<(), Forfeit> {
        let options = Options {
            threads: self.options.threads(),
            table_mebibytes: self.options.memory.unwrap_or(TABLE_MEBIBYTES),
            prune: PrunePercentage::QUARTER,
        };
        let search = strong::Search::new(Balance::new(game.start.map()), options);
        self.search = Some(search.map_err(|error| Forfeit::new(Forfeit::STARTUP, error.to_string()))?);
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_, Position>) -> Result<Choice<Move>, Forfeit> {
        let Some(search) = &self.search else { return Ok(Choice::Resign) };
        let (soft, hard) = think_for(&self.options, turn, moves_to_come(turn.position));
        let limits = Limits { soft, hard, nodes: self.options.nodes, depth: self.options.depth };
        let reports = turn.reports;
        let best = search.think(turn.position, &limits, turn.stop.flag(), &mut |info| {
            reports.thought(thought(info));
        });
        let mv = best.and_then(|best| best.line.first().copied());
        Ok(mv.map_or(Choice::Resign, Choice::Move))
    }
}

fn thought(info: &Info<Move>) -> Thought<Move> {
    let score = match info.score {
        WIN_AT_LEAST.. => FORCED,
        score if score <= -WIN_AT_LEAST => -FORCED,
        score => told(score),
    };
    Thought { score, depth: info.depth, nodes: info.counts.nodes, line: info.line.clone() }
}
