//! The searches of the handout as players: minimax, alpha-beta and Jamboree to a fixed depth.

use grandstand_rules::riskless::{Move, Position};
use grandstand_rules::turn::Side;
use grandstand_search::riskless::Balance;
use grandstand_search::{
    Estimate, Found, PrunePercentage, StopWhen, Threads, alphabeta_watched, jamboree_watched, minimax_watched,
};

use super::search::{FORCED, since, told};
use crate::turns::options::{self, OptionError};
use crate::turns::player::{Choice, Forfeit, Player, Preparation, Thought, Turn};

/// Which search, to which depth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Method {
    Minimax { depth: u32 },
    Alphabeta { depth: u32 },
    Jamboree { depth: u32, prune: PrunePercentage },
}

impl Method {
    pub(super) fn minimax(options: Option<&str>) -> Result<Self, OptionError> {
        let mut depth = 2;
        for option in options::each(options) {
            match option? {
                ("depth", value) => depth = options::number("depth", value, 1..=10)? as u32,
                (name, _) => return Err(OptionError::unknown(name, "depth")),
            }
        }
        Ok(Self::Minimax { depth })
    }

    pub(super) fn alphabeta(options: Option<&str>) -> Result<Self, OptionError> {
        let mut depth = 4;
        for option in options::each(options) {
            match option? {
                ("depth", value) => depth = options::number("depth", value, 1..=20)? as u32,
                (name, _) => return Err(OptionError::unknown(name, "depth")),
            }
        }
        Ok(Self::Alphabeta { depth })
    }

    pub(super) fn jamboree(options: Option<&str>) -> Result<Self, OptionError> {
        let (mut depth, mut prune) = (4, PrunePercentage::HALF);
        for option in options::each(options) {
            match option? {
                ("depth", value) => depth = options::number("depth", value, 1..=20)? as u32,
                ("prune", value) => {
                    let share = value.parse().ok().and_then(|share| PrunePercentage::new(share).ok());
                    prune =
                        share.ok_or_else(|| OptionError::value("prune", value, "a number from 0 to 1"))?;
                }
                (name, _) => return Err(OptionError::unknown(name, "depth, prune")),
            }
        }
        Ok(Self::Jamboree { depth, prune })
    }
}

/// What is made before the match.
#[derive(Debug)]
struct Ready {
    start: Position,
    balance: Balance,
    threads: Threads,
}

/// A player that searches so.
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
        let threads = match self.method {
            Method::Jamboree { .. } => std::thread::available_parallelism().map_or(1, usize::from),
            Method::Minimax { .. } | Method::Alphabeta { .. } => 1,
        };
        let threads =
            Threads::start(threads).map_err(|error| Forfeit::new(Forfeit::STARTUP, error.to_string()))?;
        let balance = Balance::new(game.start.map());
        self.ready = Some(Ready { start: game.start.clone(), balance, threads });
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_, Position>) -> Result<Choice<Move>, Forfeit> {
        let Some(Ready { start, balance, threads }) = &mut self.ready else { return Ok(Choice::Resign) };
        balance.recall(start, since(start, turn.moves));
        let balance = &*balance;
        let position = turn.position;
        let mut watch = StopWhen(turn.stop.flag());
        let (found, depth) = threads.run(|| match self.method {
            Method::Minimax { depth } => (minimax_watched(position, depth, balance, &mut watch), depth),
            Method::Alphabeta { depth } => (alphabeta_watched(position, depth, balance, &mut watch), depth),
            Method::Jamboree { depth, prune } => {
                (jamboree_watched(position, depth, prune, balance, &mut watch), depth)
            }
        });
        let Found { mv, estimate, counts } = found;
        let score = match (estimate, turn.side) {
            (Estimate::Guess(guess), Side::First) => told(guess),
            (Estimate::Guess(guess), Side::Second) => told(-guess),
            (won, side) if won == Estimate::win(side) => FORCED,
            _ => -FORCED,
        };
        turn.reports.thought(Thought { score, depth, nodes: counts.nodes, line: mv.into_iter().collect() });
        Ok(mv.map_or(Choice::Resign, Choice::Move))
    }
}
