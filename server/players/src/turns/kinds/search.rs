//! Options and thinking times of the players `search` of all games.

use std::time::Duration;

use grandstand_rules::turn::Position;
use grandstand_search::budget::{Budget, TimeLeft};

use super::search_thread::Times;
use crate::turns::options::{self, OptionError};
use crate::turns::player::{Player, Turn};
use crate::turns::player_factory::{PlayerFactory, PlayerKind};

/// Options of the player `search`, which follow its name after a colon.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SearchOptions {
    /// Time limit of a move, whatever the clock shows.
    pub time: Option<Duration>,
    /// Limit of positions visited for a move.
    pub nodes: Option<u64>,
    /// Depth limit, in moves.
    pub depth: Option<u32>,
    /// Number of search threads. Default: one if only nodes or depth are limited, otherwise one for each core.
    pub threads: Option<usize>,
    /// Size of the table, in MiB.
    pub memory: Option<usize>,
}

/// Time for a move if nothing else limits the search.
const WITHOUT_CLOCK: Duration = Duration::from_secs(5);

impl SearchOptions {
    /// Syntax of the player and its options.
    pub const USAGE: &str = "search[:time=1s,nodes=N,depth=N,threads=N,memory=MIB]";

    /// Parses options such as `time=1s,nodes=100000`.
    ///
    /// # Errors
    /// The first unknown or wrong option.
    pub fn parse(text: Option<&str>) -> Result<Self, OptionError> {
        let mut found = Self::default();
        for option in options::each(text) {
            let (name, value) = option?;
            match name {
                "time" => found.time = Some(options::span(name, value)?),
                "nodes" => found.nodes = Some(options::number(name, value, 1..=u64::MAX)?),
                "depth" => found.depth = Some(options::number(name, value, 1..=100)? as u32),
                "threads" => found.threads = Some(options::number(name, value, 1..=64)? as usize),
                "memory" => found.memory = Some(options::number(name, value, 1..=16_384)? as usize),
                _ => return Err(OptionError::unknown(name, "time, nodes, depth, threads, memory")),
            }
        }
        Ok(found)
    }

    /// Whether the search chooses the same move for the same question, however fast the machine is.
    pub fn is_exact(&self) -> bool {
        self.time.is_none() && (self.nodes.is_some() || self.depth.is_some()) && self.threads() == 1
    }

    /// Number of search threads.
    pub fn threads(&self) -> usize {
        let limited = self.time.is_none() && (self.nodes.is_some() || self.depth.is_some());
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(|| if limited { 1 } else { all() })
    }
}

/// The kind `search` of a game.
pub const fn search_kind<S: Player<P> + From<SearchOptions> + 'static, P: Position>() -> PlayerKind<P> {
    PlayerKind {
        name: "search",
        usage: SearchOptions::USAGE,
        create: |options| {
            let options = SearchOptions::parse(options).map_err(|error| error.to_string())?;
            let factory = PlayerFactory::new("search", move || S::from(options));
            Ok(if options.is_exact() { factory.deterministic() } else { factory })
        },
    }
}

/// Times of a search for one move, if its side has `to_come` more to make. Without a clock and any other limit the
/// search takes a few seconds.
pub fn think_for<P: Position>(options: &SearchOptions, turn: &Turn<'_, P>, to_come: u32) -> Times {
    let left =
        TimeLeft { turn: turn.budget(), game: turn.left[turn.side.index()], increment: turn.increment };
    match left.budget(to_come) {
        None => {
            let unlimited = options.time.is_none() && options.nodes.is_none() && options.depth.is_none();
            let most = options.time.or(unlimited.then_some(WITHOUT_CLOCK));
            Times { soft: most, hard: most, answer: None }
        }
        Some(Budget { soft, hard, answer }) => {
            let at_most = |time: Duration| Some(options.time.map_or(time, |own| own.min(time)));
            Times { soft: at_most(soft), hard: at_most(hard), answer: Some(answer) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_names_with_values() {
        let parse = |text| SearchOptions::parse(Some(text));
        let own = parse("time=1.5s,nodes=1000,depth=7,threads=2,memory=32").unwrap();
        assert_eq!((own.time, own.nodes), (Some(Duration::from_millis(1_500)), Some(1_000)));
        assert_eq!((own.depth, own.threads, own.memory), (Some(7), Some(2), Some(32)));
        assert_eq!(SearchOptions::parse(None).unwrap(), SearchOptions::default());
        for (text, exact) in
            [("nodes=5", true), ("depth=3", true), ("depth=3,threads=2", false), ("time=1s,nodes=5", false)]
        {
            assert_eq!(parse(text).unwrap().is_exact(), exact, "{text}");
        }
        let error = |text| parse(text).unwrap_err().to_string();
        assert_eq!(error("speed=5"), "`speed` is unknown; expected time, nodes, depth, threads, memory");
        assert_eq!(error("nodes"), "`nodes` has no value; expected NAME=VALUE");
        assert_eq!(error("nodes=0"), "`nodes` is 0; expected a number from 1");
        assert_eq!(error("depth=many"), "`depth` is many; expected a number from 1 to 100");
        assert_eq!(error("time=0s"), "`time` is 0s; expected a time such as 1s or 500ms");
    }
}
