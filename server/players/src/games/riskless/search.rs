//! Player `search` of Riskless: the strong search of `grandstand-search` on a clock.

use std::time::Instant;

use grandstand_matches::turns::answer::{Answer, Forfeit};
use grandstand_protocol::turn;
use grandstand_rules::riskless::{Move, Position};
use grandstand_rules::turn::Position as _;
use grandstand_rules::turn::Thought;
use grandstand_search::PrunePercentage;
use grandstand_search::riskless::Balance;
use grandstand_search::strong::{self, Info, Limits, Options, WIN_AT_LEAST};

use crate::turns::kinds::{Job, SearchOptions, SearchThread, think_for};
use crate::turns::player::{Player, Preparation, Turn};

/// Score of a forced win in thoughts.
pub(super) const FORCED: i32 = turn::FORCED;

/// Score of a guess in thoughts: below that of a forced win.
pub(super) fn told(guess: i32) -> i32 {
    guess.clamp(1 - FORCED, FORCED - 1)
}

/// Default size of the table, in MiB.
const TABLE_MEBIBYTES: usize = 64;

/// Maximum number of further moves that a side is expected to make: most matches end long before a draw.
const MOVES_TO_COME: u32 = 60;

/// Number of further moves of the side to move, at most until the match is a draw, for sharing out its time.
fn moves_to_come(position: &Position) -> u32 {
    let plies = position.map().draw_plies().saturating_sub(position.ply());
    plies.div_ceil(2).clamp(1, MOVES_TO_COME)
}

/// Moves of a match since the position `start`.
pub(super) fn since<'a>(start: &Position, moves: &'a [Move]) -> &'a [Move] {
    moves.get(start.ply() as usize..).unwrap_or_default()
}

/// Question to the search thread.
#[derive(Debug)]
struct Question {
    position: Position,
    /// All moves of the match, including those of the opening.
    moves: Vec<Move>,
}

/// The player `search`.
#[derive(Debug)]
pub(super) struct Search {
    options: SearchOptions,
    thinker: Option<SearchThread<Question, Move>>,
}

impl From<SearchOptions> for Search {
    fn from(options: SearchOptions) -> Self {
        Self { options, thinker: None }
    }
}

impl Player<Position> for Search {
    fn prepare(&mut self, game: &Preparation<Position>) -> Result<(), Forfeit> {
        let options = Options {
            threads: self.options.threads(),
            table_mebibytes: self.options.memory.unwrap_or(TABLE_MEBIBYTES),
            prune: PrunePercentage::NONE,
        };
        let SearchOptions { nodes, depth, .. } = self.options;
        let startup = |why: String| Forfeit::new(Forfeit::STARTUP, why);
        let search = strong::Search::new(Balance::new(game.start.map()), options);
        let mut search = search.map_err(|error| startup(error.to_string()))?;
        let start = game.start.clone();
        let thinker = SearchThread::start(&game.stop, move |job: Job<'_, Question>, report| {
            let Question { position, moves } = job.question;
            search.knowledge_mut().recall(&start, since(&start, &moves));
            let limits = Limits { soft: job.times.soft, hard: job.times.hard, nodes, depth };
            let best = search.think(&position, &limits, job.stop, &mut |info| report(thought(info)))?;
            Some(thought(&best))
        });
        self.thinker = Some(thinker.map_err(|error| startup(error.to_string()))?);
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_, Position>) -> Result<Answer<Move>, Forfeit> {
        let Some(thinker) = &mut self.thinker else { return Ok(Answer::Resign) };
        let times = think_for(&self.options, turn, moves_to_come(turn.position));
        let mut told = 0;
        let question = Question { position: turn.position.clone(), moves: turn.moves.to_vec() };
        let (best, there) = thinker.ask(question, turn.began, times, |thought| {
            // The final thought may repeat one that was reported before.
            if thought.depth > told {
                told = thought.depth;
                turn.reports.thought(thought.clone());
            }
        });
        let asked = Instant::now();
        let mv = best.and_then(|best| best.line.first().copied());
        let any = || {
            let mut moves = Vec::new();
            turn.position.legal_moves(&mut moves);
            moves.first().copied()
        };
        let choice = mv.or_else(any).map_or(Answer::Resign, Answer::Move);
        turn.answered_at(there + asked.elapsed());
        Ok(choice)
    }

    fn finish(&mut self) {
        self.thinker = None;
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
