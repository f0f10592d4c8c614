//! What the players `search` of all games share: their options, and how long they think.

use std::time::Duration;

use grandstand_rules::turn::Position;

use crate::turns::options::{self, OptionError};
use crate::turns::player::Turn;

/// What the player `search` may be told after a colon.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SearchOptions {
    /// The most that it takes for a move, whatever its clock shows.
    pub time: Option<Duration>,
    /// The most positions that it looks at for a move.
    pub nodes: Option<u64>,
    /// How many moves ahead it looks at most.
    pub depth: Option<u32>,
    /// How many threads search; without it one where only nodes or depth are limited, otherwise all cores.
    pub threads: Option<usize>,
    /// The size of its table, in MiB.
    pub memory: Option<usize>,
}

/// What a search that nothing else ends may take.
const WITHOUT_CLOCK: Duration = Duration::from_secs(5);
/// So much of a match's time no search uses up: it is for what the way of each answer takes, on a machine that may be busy.
const RESERVE: Duration = Duration::from_millis(300);

impl SearchOptions {
    /// How it is written.
    pub const USAGE: &str = "search[:time=1s,nodes=N,depth=N,threads=N,memory=MIB]";

    /// Reads `time=1s,nodes=100000`.
    ///
    /// # Errors
    /// The first option that is unknown or wrong.
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

    /// Whether it chooses the same move whenever it is asked the same, however fast the machine is.
    pub fn is_exact(&self) -> bool {
        self.time.is_none() && (self.nodes.is_some() || self.depth.is_some()) && self.threads() == 1
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        let limited = self.time.is_none() && (self.nodes.is_some() || self.depth.is_some());
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(|| if limited { 1 } else { all() })
    }
}

/// How long a search thinks at most, softly and whatever happens: of a match's time a share, as one of so many moves that its side has
/// to come; of a move's limit all but what it takes to answer. Without a clock and any other limit it thinks for some seconds.
pub fn think_for<P: Position>(
    options: &SearchOptions,
    turn: &Turn<'_, P>,
    to_come: u32,
) -> (Option<Duration>, Option<Duration>) {
    let Some(budget) = turn.budget() else {
        let unlimited = options.time.is_none() && options.nodes.is_none() && options.depth.is_none();
        let most = options.time.or(unlimited.then_some(WITHOUT_CLOCK));
        return (most, most);
    };
    let budget = within(budget.saturating_sub(turn.began.elapsed()));
    let at_most = |time: Duration| Some(options.time.map_or(time, |own| own.min(time)));
    match turn.left[turn.side.index()] {
        Some(left) => {
            let (soft, hard) = share(left, turn.increment, to_come);
            (at_most(soft.min(budget)), at_most(hard.min(budget)))
        }
        None => (at_most(budget), at_most(budget)),
    }
}

/// What one of so many moves may take of what is left, softly and at most: hardly anything when there is only the reserve.
fn share(left: Duration, increment: Duration, to_come: u32) -> (Duration, Duration) {
    let (free, least) = (left.saturating_sub(RESERVE), left / 100);
    let soft = (free / to_come.max(1)).max(least) + increment * 3 / 4;
    let hard = (soft * 4).min(free / 3 + increment).max(least);
    (soft.min(hard), hard)
}

/// What may be used of a time that must not be overstepped: the rest is for the way to the referee, on a machine that may be
/// busy.
fn within(time: Duration) -> Duration {
    time - (time / 4).min(Duration::from_millis(60) + time / 40)
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

    #[test]
    fn a_match_of_any_length_is_played_out_within_its_clock() {
        // Each move takes all that it may at most every tenth time, and the way of the answer besides.
        let way = Duration::from_micros(700);
        for (seconds, moves, cap) in [(10, 200, 60), (10, 200, 22), (1, 60, 22), (60, 200, 60)] {
            let mut left = Duration::from_secs(seconds);
            for mv in 0..moves {
                let (soft, hard) = share(left, Duration::ZERO, cap.min(moves - mv));
                assert!(soft <= hard && hard <= left, "{mv}: {soft:?} {hard:?} of {left:?}");
                let took = way + if mv % 10 == 3 { hard } else { soft };
                assert!(took < left, "lost at move {mv} of {moves} in {seconds} s");
                left -= took;
            }
        }
        // An increment may be used up, and what is left stays.
        let (soft, hard) = share(Duration::from_millis(350), Duration::from_secs(1), 10);
        assert!(soft >= Duration::from_millis(750) && hard < Duration::from_millis(1_100));
    }

    #[test]
    fn what_is_left_for_the_answer_is_never_all_or_nothing() {
        for millis in [1, 4, 20, 100, 1_000, 60_000] {
            let time = Duration::from_millis(millis);
            assert!(within(time) >= time * 3 / 4 && within(time) < time, "{time:?}");
        }
    }
}
