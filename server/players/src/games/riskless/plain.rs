//! Searches of the handout as players: minimax, alpha-beta and Jamboree to a fixed depth.

use grandstand_matches::turns::answer::{Answer, Forfeit};
use grandstand_rules::riskless::{Move, Position};
use grandstand_rules::turn::Side;
use grandstand_rules::turn::Thought;
use grandstand_search::riskless::{Armies, Balance};
use grandstand_search::{
    Estimate, Estimator, Found, PrunePercentage, StopWhen, Threads, alphabeta_watched, jamboree_watched,
    minimax_watched,
};

use super::search::{FORCED, since, told};
use crate::turns::options::{self, OptionError};
use crate::turns::player::{Player, Preparation, Turn};

/// Search algorithm with its depth and estimate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Method {
    search: Search,
    depth: u32,
    /// Whether only armies count, as in the handout's naive estimate.
    naive: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Search {
    Minimax,
    Alphabeta,
    Jamboree(PrunePercentage),
}

impl Method {
    pub(super) fn minimax(options: Option<&str>) -> Result<Self, OptionError> {
        let usual = Self { search: Search::Minimax, depth: 2, naive: false };
        usual.with(options, 10, "depth, estimate")
    }

    pub(super) fn alphabeta(options: Option<&str>) -> Result<Self, OptionError> {
        let usual = Self { search: Search::Alphabeta, depth: 4, naive: false };
        usual.with(options, 20, "depth, estimate")
    }

    pub(super) fn jamboree(options: Option<&str>) -> Result<Self, OptionError> {
        let usual = Self { search: Search::Jamboree(PrunePercentage::HALF), depth: 4, naive: false };
        usual.with(options, 20, "depth, prune, estimate")
    }

    /// Applies options, which must be among `names`.
    fn with(mut self, options: Option<&str>, deepest: u64, names: &'static str) -> Result<Self, OptionError> {
        for option in options::each(options) {
            match (option?, &mut self.search) {
                (("depth", value), _) => {
                    self.depth = options::number("depth", value, 1..=deepest)? as u32;
                }
                (("prune", value), Search::Jamboree(prune)) => {
                    let share = value.parse().ok().and_then(|share| PrunePercentage::new(share).ok());
                    *prune =
                        share.ok_or_else(|| OptionError::value("prune", value, "a number from 0 to 1"))?;
                }
                (("estimate", value), _) => {
                    self.naive = match value {
                        "naive" => true,
                        "balance" => false,
                        _ => return Err(OptionError::value("estimate", value, "naive or balance")),
                    }
                }
                ((name, _), _) => return Err(OptionError::unknown(name, names)),
            }
        }
        Ok(self)
    }

    fn find(
        self,
        position: &Position,
        estimator: &impl Estimator<Position>,
        mut watch: StopWhen<'_>,
    ) -> Found<Move> {
        match self.search {
            Search::Minimax => minimax_watched(position, self.depth, estimator, &mut watch),
            Search::Alphabeta => alphabeta_watched(position, self.depth, estimator, &mut watch),
            Search::Jamboree(prune) => jamboree_watched(position, self.depth, prune, estimator, &mut watch),
        }
    }
}

/// Data that is prepared before the match.
#[derive(Debug)]
struct Ready {
    start: Position,
    balance: Balance,
    threads: Threads,
}

/// Player that uses one [`Method`].
#[derive(Debug)]
pub(super) struct Plain {
    method: Method,
    ready: Option<Ready>,
}

impl Plain {
    pub(super) fn new(method: Method) -> Self {
        Self { method, ready: None }
    }
}

impl Player<Position> for Plain {
    fn prepare(&mut self, game: &Preparation<Position>) -> Result<(), Forfeit> {
        let threads = match self.method.search {
            Search::Jamboree(_) => std::thread::available_parallelism().map_or(1, usize::from),
            Search::Minimax | Search::Alphabeta => 1,
        };
        let threads =
            Threads::start(threads).map_err(|error| Forfeit::new(Forfeit::STARTUP, error.to_string()))?;
        let balance = Balance::new(game.start.map());
        self.ready = Some(Ready { start: game.start.clone(), balance, threads });
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_, Position>) -> Result<Answer<Move>, Forfeit> {
        let Some(Ready { start, balance, threads }) = &mut self.ready else { return Ok(Answer::Resign) };
        balance.recall(start, since(start, turn.moves));
        let balance = &*balance;
        let watch = StopWhen(turn.stop.flag());
        let Method { depth, naive, .. } = self.method;
        let found = threads.run(|| match naive {
            true => self.method.find(turn.position, &Armies, watch),
            false => self.method.find(turn.position, balance, watch),
        });
        let Found { mv, estimate, counts } = found;
        let score = match (estimate, turn.side) {
            (Estimate::Guess(guess), Side::First) => told(guess),
            (Estimate::Guess(guess), Side::Second) => told(-guess),
            (won, side) if won == Estimate::win(side) => FORCED,
            _ => -FORCED,
        };
        turn.reports.thought(Thought { score, depth, nodes: counts.nodes, line: mv.into_iter().collect() });
        Ok(mv.map_or(Answer::Resign, Answer::Move))
    }
}
