//! Costs of a side's mistakes, grouped by kind, rule and source line, in time that its bots lost.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use grandstand_languages::Location;
use grandstand_rules::Pid;

/// Cost in moves of a bot that is lost by its own program, besides the moves that it misses: the other team gets nearer
/// to its goal.
const LOST_BOT: u64 = 10;

/// Number of mistakes that are reported.
const TOLD: usize = 3;

/// A kind of mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A thread got stuck or exceeded a limit.
    Died,
    /// A thread came to its end.
    Ended,
    /// A thread waits for a lock.
    Waited,
    /// A committed move was illegal.
    Move,
    /// An action of this name, or a spawn, had no effect.
    Action(&'static str),
    /// A move was committed after the end of the turn.
    Late,
    /// A bot had no move because it was still computing at the end of the turn.
    Computing,
    /// A bot waited for the next turn without having committed a move.
    Resting,
    /// A bot did nothing more until the end.
    Silent,
}

/// Cost of a side's mistakes of one kind, for the same reason, on the same line.
#[derive(Debug, Clone, PartialEq)]
pub struct Account {
    /// Kind in a word: `died`, `ended`, `lock`, `move`, `action`, `late`, `computing`, `resting` or `silent`.
    pub kind: &'static str,
    /// Name of the action, for the kind `action`.
    pub action: Option<&'static str>,
    /// The rule, or the reason.
    pub why: String,
    /// File and line of the source, if the mistake has a place.
    pub place: Option<(String, u32)>,
    /// The bots.
    pub bots: Vec<Pid>,
    /// Number of occurrences.
    pub times: u64,
    /// Cost in moves of one bot.
    pub moves: f64,
    /// The first occurrence: its cycle and its first bot.
    pub first: Option<(u64, Pid)>,
    /// The account in one line.
    pub words: String,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Died => "died",
            Kind::Ended => "ended",
            Kind::Waited => "lock",
            Kind::Move => "move",
            Kind::Action(_) => "action",
            Kind::Late => "late",
            Kind::Computing => "computing",
            Kind::Resting => "resting",
            Kind::Silent => "silent",
        }
    }
}

/// Key of one line of the account.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) kind: Kind,
    /// The rule, or the reason.
    pub(super) why: String,
    pub(super) file: String,
    pub(super) line: u32,
}

impl Key {
    pub(super) fn new(kind: Kind, why: impl Into<String>, place: Option<&Location>) -> Self {
        let (file, line) = place.map(|place| (place.file.clone(), place.line)).unwrap_or_default();
        Self { kind, why: why.into(), file, line }
    }
}

#[derive(Debug, Clone, Default)]
struct Cost {
    bots: BTreeSet<Pid>,
    times: u64,
    cycles: u64,
    /// Bots that are lost or stuck until the end, with the first such cycle.
    since: BTreeMap<Pid, u64>,
    first: Option<(u64, Pid)>,
    example: String,
}

/// Account of a side.
#[derive(Debug, Clone, Default)]
pub(super) struct Costs(BTreeMap<Key, Cost>);

impl Costs {
    /// Adds an occurrence in cycle `at` that cost bots `cycles` cycles.
    pub(super) fn add(
        &mut self,
        key: Key,
        at: u64,
        bots: impl IntoIterator<Item = Pid>,
        cycles: u64,
        example: impl FnOnce() -> String,
    ) {
        let cost = self.0.entry(key).or_default();
        let mut bots = bots.into_iter().peekable();
        cost.first = cost.first.or_else(|| Some((at, *bots.peek()?)));
        cost.bots.extend(bots);
        cost.times += 1;
        cost.cycles += cycles;
        if cost.example.is_empty() {
            cost.example = example();
        }
    }

    /// Removes an occurrence that was added.
    pub(super) fn take_back(&mut self, key: &Key, cycles: u64) {
        if let Some(cost) = self.0.get_mut(key) {
            cost.times = cost.times.saturating_sub(1);
            cost.cycles = cost.cycles.saturating_sub(cycles);
        }
    }

    /// Adds an occurrence that costs a bot all time from `cycle` to the end of the match.
    pub(super) fn begin(&mut self, key: Key, bot: Pid, cycle: u64, example: impl FnOnce() -> String) {
        self.add(key.clone(), cycle, [bot], 0, example);
        if let Some(cost) = self.0.get_mut(&key) {
            cost.since.insert(bot, cycle);
        }
    }

    /// All costs, the greatest first, in a match that ended in cycle `end`. Bots are called `bot` and can move once in
    /// `per_move` cycles.
    pub(super) fn accounts(&self, end: u64, per_move: u64, bot: &str) -> Vec<Account> {
        let cycles = |key: &Key, cost: &Cost| {
            let to_end: u64 = cost.since.values().map(|&since| end.saturating_sub(since)).sum();
            let is_lost = matches!(key.kind, Kind::Died | Kind::Ended);
            let lost = if is_lost { cost.times * LOST_BOT * per_move } else { 0 };
            cost.cycles + to_end + lost
        };
        let happened = self.0.iter().filter(|(_, cost)| cost.times > 0);
        let mut all: Vec<_> = happened.map(|(key, cost)| (cycles(key, cost), key, cost)).collect();
        all.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        let account = |(cycles, key, cost): (u64, &Key, &Cost)| Account {
            kind: key.kind.word(),
            action: if let Kind::Action(name) = key.kind { Some(name) } else { None },
            why: key.why.clone(),
            place: (!key.file.is_empty()).then(|| (key.file.clone(), key.line)),
            bots: cost.bots.iter().copied().collect(),
            times: cost.times,
            moves: cycles as f64 / per_move.max(1) as f64,
            first: cost.first,
            words: Words { key, cost, bot }.to_string(),
        };
        all.into_iter().map(account).collect()
    }

    /// The greatest costs of at least one whole move, one line each.
    pub(super) fn worst(&self, end: u64, per_move: u64, bot: &str) -> Vec<String> {
        let accounts = self.accounts(end, per_move, bot).into_iter();
        let whole = accounts.filter(|account| account.moves >= 1.0).take(TOLD);
        whole.map(|Account { moves, words, .. }| format!("{moves:>8.1}  {words}")).collect()
    }
}

/// Description of one line of the account.
struct Words<'a> {
    key: &'a Key,
    cost: &'a Cost,
    bot: &'a str,
}

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key: Key { kind, why, file, line }, cost: Cost { bots, times, since, example, .. }, bot } =
            self;
        let many = |number: usize, word: &str| match number {
            1 => format!("1 {word}"),
            _ => format!("{number} {word}s"),
        };
        let (bots, times) =
            (many(bots.len(), bot), many(usize::try_from(*times).unwrap_or(usize::MAX), "time"));
        match kind {
            Kind::Died => write!(f, "{bots} died at {file}:{line}: {why}"),
            Kind::Ended => write!(f, "{bots} left the match because the program ended"),
            Kind::Waited if since.is_empty() => {
                write!(f, "{bots} waited at {file}:{line} for the lock {why}")
            }
            Kind::Waited => write!(f, "{bots} stuck at {file}:{line}, waiting for the lock {why}"),
            Kind::Move => {
                write!(
                    f,
                    "{times} a move failed that was committed at {file}:{line} ({why}), the first: {example}"
                )
            }
            Kind::Action(name) => {
                write!(f, "{times} {name} failed at {file}:{line} ({why}), the first: {example}")
            }
            Kind::Late => write!(
                f,
                "{times} a move was committed at {file}:{line} after the end of the turn: {example}"
            ),
            Kind::Computing => {
                write!(f, "{times} a {bot} was still computing when the turn ended, and had no move")
            }
            Kind::Resting => {
                write!(f, "{times} a {bot} waited at {file}:{line} without having committed a move")
            }
            Kind::Silent => write!(f, "{bots} did nothing any more, {example}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_come_first_and_three_are_told() {
        let mut costs = Costs::default();
        let place = Location { file: "a.cl".to_owned(), line: 3, ..Location::default() };
        let wall = || Key::new(Kind::Action("A_MOVE"), "wall", Some(&place));
        for bot in [1, 2, 1] {
            costs.add(wall(), 40 + u64::from(bot), [Pid(bot)], 100, || format!("a wall is on {bot},0"));
        }
        costs.begin(Key::new(Kind::Died, "division by zero", Some(&place)), Pid(9), 900, String::new);
        costs.begin(Key::new(Kind::Waited, "of bot 2", Some(&place)), Pid(4), 500, String::new);
        costs.begin(Key::new(Kind::Waited, "of bot 2", Some(&place)), Pid(5), 400, String::new);
        let resting = Key::new(Kind::Resting, "", Some(&place));
        costs.add(resting.clone(), 600, [Pid(7)], 100, String::new);
        let told = [
            "    11.0  1 robot died at a.cl:3: division by zero",
            "    11.0  2 robots stuck at a.cl:3, waiting for the lock of bot 2",
            "     3.0  3 times A_MOVE failed at a.cl:3 (wall), the first: a wall is on 1,0",
        ];
        assert_eq!(costs.worst(1_000, 100, "robot"), told);
        let first = costs.accounts(1_000, 100, "robot")[2].first;
        assert_eq!(first, Some((41, Pid(1))), "the first of three");
        costs.0.retain(|key, _| key.kind == Kind::Resting);
        assert_eq!(costs.worst(1_000, 100, "robot").len(), 1);
        costs.take_back(&resting, 100);
        assert!(costs.worst(1_000, 100, "robot").is_empty());
    }
}
