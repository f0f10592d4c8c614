//! Our own player of Gomoku and Pente: the engine of `grandstand-search` on a clock.

use std::time::Duration;

use grandstand_protocol::stones::Point;
use grandstand_rules::SplitMix64;
use grandstand_rules::clock::TimeControl;
use grandstand_rules::stones::{Position, Rule, players};
use grandstand_rules::swap2::{Choice as Opened, Stage, Swap2};
use grandstand_rules::turn::Position as _;
use grandstand_search::gomoku::{self, Best, Engine, Limits, Options};

use crate::turns::options::{self, OptionError};
use crate::turns::player::{Asked, Bid, Choice, Forfeit, Player, Preparation, Stop, Thought, Turn};
use crate::turns::players::open;

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

/// How it is written.
pub const USAGE: &str = "search[:time=1s,nodes=N,depth=N,threads=N,memory=MIB]";

impl SearchOptions {
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

    fn threads(&self) -> usize {
        let limited = self.time.is_none() && (self.nodes.is_some() || self.depth.is_some());
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(|| if limited { 1 } else { all() })
    }
}

/// What a search that nothing else ends may take.
const WITHOUT_CLOCK: Duration = Duration::from_secs(5);
/// How many more moves a side is thought to make, for sharing out the time of a match.
const MOVES_TO_COME: u32 = 22;
/// Positions for each choice of an opening.
const OPENING_NODES: u64 = 20_000;
/// How many triples of stones are looked at for an opening.
const TRIPLES: usize = 8;

/// The player `search`.
#[derive(Debug)]
pub struct Search {
    options: SearchOptions,
    ready: Option<Ready>,
}

#[derive(Debug)]
struct Ready {
    engine: Engine,
    start: Position,
    time: TimeControl,
    random: SplitMix64,
    stop: Stop,
}

impl Search {
    /// With these options.
    pub fn new(options: SearchOptions) -> Self {
        Self { options, ready: None }
    }
}

impl Player<Position> for Search {
    fn prepare(&mut self, game: &Preparation<Position>) -> Result<(), Forfeit> {
        let rule = match game.start.rule() {
            Rule::Freestyle => gomoku::Rule::Freestyle,
            Rule::Exactly5 => gomoku::Rule::Exactly5,
            Rule::Renju => gomoku::Rule::Renju,
            Rule::Pente => gomoku::Rule::Pente,
        };
        let usual = Options::default();
        let options = Options {
            threads: self.options.threads(),
            memory_mib: self.options.memory.unwrap_or(usual.memory_mib),
            ..usual
        };
        self.ready = Some(Ready {
            engine: Engine::new(game.start.size().get(), rule, options),
            start: game.start.clone(),
            time: game.time,
            random: SplitMix64::new(game.seed),
            stop: game.stop.clone(),
        });
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_, Position>) -> Result<Choice<Point>, Forfeit> {
        let Some(ready) = &mut self.ready else { return Ok(Choice::Resign) };
        let limits = limits(&self.options, ready.time, turn);
        let tell = |thought: Thought<Point>| turn.reports.thought(thought);
        let best = ready.think(turn.moves, &limits, tell);
        let chosen = best.and_then(|best| Point::new(best.mv.0, best.mv.1));
        // The engine knows nothing of where black's first stones may go.
        let legal = chosen.filter(|&point| turn.position.check(point).is_ok());
        let choice = legal.or_else(|| players::stupid(turn.position, &mut ready.random));
        Ok(choice.map_or(Choice::Resign, Choice::Move))
    }

    fn bid(&mut self, asked: Asked, turn: &Turn<'_, Position>) -> Result<Bid<Point>, Forfeit> {
        let Some(ready) = &mut self.ready else { return Ok(Bid::Resign) };
        let start = ready.start.clone();
        let mut placed = Vec::new().into_iter();
        open(&start, asked, turn, |opening| match opening.stage() {
            Stage::Place => {
                if opening.position().ply() == start.ply() {
                    placed = ready.even_triple(opening).into_iter();
                }
                placed.next().map(Opened::Place)
            }
            Stage::Answer | Stage::PlaceMore | Stage::Choose => {
                let side = opening.position().to_move();
                let score = ready.score(opening.position().moves());
                Some(Opened::Take(if score >= 0 { side } else { side.opponent() }))
            }
            Stage::Settled { .. } => None,
        })
    }
}

impl Ready {
    fn think(&mut self, moves: &[Point], limits: &Limits, tell: impl Fn(Thought<Point>)) -> Option<Best> {
        let moves: Vec<(u16, u16)> = moves.iter().map(|point| (point.x(), point.y())).collect();
        let points = |line: &[(u16, u16)]| line.iter().filter_map(|&(x, y)| Point::new(x, y)).collect();
        let found = self.engine.think(&moves, limits, self.stop.flag(), &mut |info| {
            let line = points(&info.line);
            tell(Thought { score: info.score, depth: info.depth, nodes: info.nodes, line });
        });
        let best = found.ok()?;
        tell(Thought { score: best.score, depth: best.depth, nodes: best.nodes, line: points(&best.line) });
        Some(best)
    }

    /// How well who is to move stands, by a short look.
    fn score(&mut self, moves: &[Point]) -> i32 {
        let limits = Limits { nodes: Some(OPENING_NODES), ..Limits::default() };
        self.think(moves, &limits, |_| {}).map_or(0, |best| best.score)
    }

    /// Three stones after which neither side seems to stand better, of some near the centre.
    fn even_triple(&mut self, opening: &Swap2<Position>) -> Vec<Point> {
        let mut best: Option<(i32, Vec<Point>)> = None;
        for _ in 0..TRIPLES {
            let (mut trial, mut stones) = (opening.clone(), Vec::new());
            while trial.stage() == Stage::Place
                && let Some(choice @ Opened::Place(stone)) = players::stupid_choice(&trial, &mut self.random)
                && trial.choose(choice).is_ok()
            {
                stones.push(stone);
            }
            let off = self.score(trial.position().moves()).abs();
            if best.as_ref().is_none_or(|(least, _)| off < *least) {
                best = Some((off, stones));
            }
        }
        best.map(|(_, stones)| stones).unwrap_or_default()
    }
}

/// How long it thinks: of a match's time a share, of a move's limit all but what it takes to answer.
fn limits(options: &SearchOptions, control: TimeControl, turn: &Turn<'_, Position>) -> Limits {
    let limits =
        Limits { nodes: options.nodes, depth: options.depth, soft: options.time, hard: options.time };
    let Some(budget) = turn.budget() else {
        let unlimited = limits.hard.is_none() && limits.nodes.is_none() && limits.depth.is_none();
        let hard = limits.hard.or(unlimited.then_some(WITHOUT_CLOCK));
        return Limits { soft: hard, hard, ..limits };
    };
    let budget = within(budget.saturating_sub(turn.began.elapsed()));
    let at_most = |time: Duration| options.time.map_or(time, |own| own.min(time));
    let increment = Duration::from_millis(control.increment_millis);
    match turn.left[turn.side.index()] {
        Some(left) => {
            let share = left / MOVES_TO_COME + increment * 3 / 4;
            let (soft, hard) = (share.min(budget), (share * 4).min(left / 3 + increment).min(budget));
            Limits { soft: Some(at_most(soft)), hard: Some(at_most(hard)), ..limits }
        }
        None => Limits { soft: Some(at_most(budget)), hard: Some(at_most(budget)), ..limits },
    }
}

/// What may be used of a time that must not be overstepped: the rest is for the way to the referee, on a machine that may be
/// busy.
fn within(time: Duration) -> Duration {
    time - (time / 4).min(Duration::from_millis(20) + time / 40)
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
    fn what_is_left_for_the_answer_is_never_all_or_nothing() {
        for millis in [1, 4, 20, 100, 1_000, 60_000] {
            let time = Duration::from_millis(millis);
            assert!(within(time) >= time * 3 / 4 && within(time) < time, "{time:?}");
        }
    }
}
