//! Player `search` of Gomoku and Pente: the engine of `grandstand-search` on a clock.

use std::time::Instant;

use grandstand_matches::turns::answer::{Answer, Forfeit, OpeningQuestion};
use grandstand_protocol::stones::Point;
use grandstand_rules::SplitMix64;
use grandstand_rules::stones::{Position, players};
use grandstand_rules::swap2::{Choice as Opened, Stage, Swap2};
use grandstand_rules::turn::Position as _;
use grandstand_rules::turn::Thought;
use grandstand_search::gomoku::{self, Engine, Limits, Options};

use crate::turns::kinds::{Job, SearchOptions, SearchThread, Times, open, think_for};
use crate::turns::player::{Player, Preparation, Turn};

/// Positions that are searched for each choice of an opening.
const OPENING_NODES: u64 = 20_000;
/// Number of further moves among which a side's remaining time is shared out.
const MOVES_TO_COME: u32 = 22;
/// Number of triples of stones that are compared for an opening.
const TRIPLES: usize = 8;

/// The player `search`.
#[derive(Debug)]
pub struct Search {
    options: SearchOptions,
    ready: Option<Ready>,
}

#[derive(Debug)]
struct Ready {
    thinker: SearchThread<Question, Point>,
    start: Position,
    random: SplitMix64,
}

/// Question to the search thread.
#[derive(Debug)]
struct Question {
    moves: Vec<Point>,
    nodes: Option<u64>,
    depth: Option<u32>,
}

impl From<SearchOptions> for Search {
    fn from(options: SearchOptions) -> Self {
        Self { options, ready: None }
    }
}

impl Player<Position> for Search {
    fn prepare(&mut self, game: &Preparation<Position>) -> Result<(), Forfeit> {
        let usual = Options::default();
        let options = Options {
            threads: self.options.threads(),
            memory_mib: self.options.memory.unwrap_or(usual.memory_mib),
            ..usual
        };
        let mut engine = Engine::new(game.start.size().get(), game.start.rule(), options);
        let thinker = SearchThread::start(&game.stop, move |job, report| think(&mut engine, &job, report));
        self.ready = Some(Ready {
            thinker: thinker.map_err(|error| Forfeit::new(Forfeit::STARTUP, error.to_string()))?,
            start: game.start.clone(),
            random: SplitMix64::new(game.seed),
        });
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_, Position>) -> Result<Answer<Point>, Forfeit> {
        let Some(ready) = &mut self.ready else { return Ok(Answer::Resign) };
        let times = think_for(&self.options, turn, MOVES_TO_COME);
        let SearchOptions { nodes, depth, .. } = self.options;
        let question = Question { moves: turn.moves.to_vec(), nodes, depth };
        let tell = |thought: &Thought<Point>| turn.reports.thought(thought.clone());
        let (best, there) = ready.thinker.ask(question, turn.began, times, tell);
        let asked = Instant::now();
        let chosen = best.and_then(|best| best.line.first().copied());
        // The engine does not know the restrictions on black's first stones.
        let legal = chosen.filter(|&point| turn.position.check(point).is_ok());
        let choice = legal.or_else(|| players::stupid(turn.position, &mut ready.random));
        turn.answered_at(there + asked.elapsed());
        Ok(choice.map_or(Answer::Resign, Answer::Move))
    }

    fn answer_opening(
        &mut self,
        asked: OpeningQuestion,
        turn: &Turn<'_, Position>,
    ) -> Result<Answer<Point>, Forfeit> {
        let Some(ready) = &mut self.ready else { return Ok(Answer::Resign) };
        let start = ready.start.clone();
        // All searches of an opening share the time of one answer; after that the results so far decide.
        let Times { hard, answer, .. } = think_for(&SearchOptions::default(), turn, MOVES_TO_COME);
        let clock = Clock { began: turn.began, times: Times { soft: None, hard: answer.and(hard), answer } };
        let mut placed = Vec::new().into_iter();
        open(&start, asked, turn, |opening| match opening.stage() {
            Stage::Place => {
                if opening.position().ply() == start.ply() {
                    placed = ready.even_triple(opening, clock).into_iter();
                }
                placed.next().map(Opened::Place)
            }
            Stage::Answer | Stage::PlaceMore | Stage::Choose => {
                let side = opening.position().to_move();
                let score = ready.score(opening.position().moves(), clock);
                Some(Opened::Take(if score >= 0 { side } else { side.opponent() }))
            }
            Stage::Settled { .. } => None,
        })
    }

    fn finish(&mut self) {
        self.ready = None;
    }
}

/// Searches the position of a question, on the engine's thread.
fn think(
    engine: &mut Engine,
    job: &Job<'_, Question>,
    report: &mut (dyn FnMut(Thought<Point>) + Send),
) -> Option<Thought<Point>> {
    let Job { question: Question { moves, nodes, depth }, times: Times { soft, hard, .. }, stop } = job;
    let limits = Limits { soft: *soft, hard: *hard, nodes: *nodes, depth: *depth };
    let moves: Vec<(u16, u16)> = moves.iter().map(|point| (point.x(), point.y())).collect();
    let thought = |found: &gomoku::Thought| {
        let line = found.line.iter().filter_map(|&(x, y)| Point::new(x, y)).collect();
        Thought { score: found.score, depth: found.depth, nodes: found.nodes, line }
    };
    let found = engine.think(&moves, &limits, stop, &mut |found| report(thought(found)));
    found.ok().as_ref().map(thought)
}

/// Time for an answer.
#[derive(Debug, Clone, Copy)]
struct Clock {
    began: Instant,
    times: Times,
}

impl Ready {
    /// Score of the position for the side to move, by a short search.
    fn score(&mut self, moves: &[Point], clock: Clock) -> i32 {
        let question = Question { moves: moves.to_vec(), nodes: Some(OPENING_NODES), depth: None };
        self.thinker.ask(question, clock.began, clock.times, |_| {}).0.map_or(0, |best| best.score)
    }

    /// Three stones near the centre after which neither side seems to stand better.
    fn even_triple(&mut self, opening: &Swap2<Position>, clock: Clock) -> Vec<Point> {
        let mut best: Option<(i32, Vec<Point>)> = None;
        for _ in 0..TRIPLES {
            let (mut trial, mut stones) = (opening.clone(), Vec::new());
            while trial.stage() == Stage::Place
                && let Some(choice @ Opened::Place(stone)) = players::stupid_choice(&trial, &mut self.random)
                && trial.choose(choice).is_ok()
            {
                stones.push(stone);
            }
            let off = self.score(trial.position().moves(), clock).abs();
            if best.as_ref().is_none_or(|(least, _)| off < *least) {
                best = Some((off, stones));
            }
        }
        best.map(|(_, stones)| stones).unwrap_or_default()
    }
}
