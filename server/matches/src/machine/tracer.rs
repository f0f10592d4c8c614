//! Tracer of bots during a match: entries of the log, and the accounts of both sides.

use std::collections::BTreeMap;

use grandstand_languages::source::Sources;
use grandstand_languages::{Answer, Cause, Datum, End, Location, LockWait, Span};
use grandstand_rules::Pid;

use super::costs::{Account, Costs, Key, Kind};
use super::log::LogEvent;
use super::refused::Refused;
use super::text;
use super::world::{GameWorld, MoveReport, TurnReport};
use crate::spec::Tracing;

/// Number of final moves without any action after which a bot is reported as silent.
const SILENT_MOVES: u64 = 20;

/// State of a traced match.
#[derive(Debug, Clone)]
pub(super) struct Tracer {
    tracing: Tracing,
    /// Source files of the programs, by side.
    sources: [Sources; 2],
    /// Number of cycles in which a bot can move once.
    per_move: u64,
    /// Place in its program of the thread that acts.
    at: Span,
    bots: BTreeMap<Pid, LastActions>,
    costs: [Costs; 2],
    /// Cycle of the last check of waits.
    looked: u64,
    /// Start of the waits that were found in the last check, by bot.
    waiting: BTreeMap<Pid, u64>,
    /// Whether moves are committed first and tried at the end of a turn.
    has_turns: bool,
}

/// Last actions of a bot.
#[derive(Debug, Clone, Copy)]
struct LastActions {
    side: usize,
    /// Cycle and place of its last action.
    cycle: u64,
    acted: Span,
    /// Place of its last commit of a move.
    committed: Span,
    /// End of the turn that it missed while computing.
    missed: Option<u64>,
}

impl Tracer {
    /// A tracer for a match between programs with these files.
    pub(super) fn new(tracing: Tracing, sources: [Sources; 2], per_move: u64) -> Self {
        Self {
            tracing,
            sources,
            per_move,
            at: Span::default(),
            bots: BTreeMap::new(),
            costs: <[Costs; 2]>::default(),
            looked: 0,
            waiting: BTreeMap::new(),
            has_turns: false,
        }
    }

    /// Registers a bot that exists when the match begins.
    pub(super) fn begins(&mut self, pid: Pid, side: usize) {
        self.doing(pid, side, 0);
    }

    /// Whether the log has an entry for every action.
    pub(super) fn tells_actions(&self) -> bool {
        self.tracing == Tracing::Actions
    }

    /// Sets the place of the thread that acts next.
    pub(super) fn acts_at(&mut self, at: Span) {
        self.at = at;
    }

    fn place(&self, side: usize, at: Span) -> Location {
        self.sources[side].place(at)
    }

    fn doing(&mut self, pid: Pid, side: usize, cycle: u64) -> &mut LastActions {
        let new = LastActions { side, cycle, acted: self.at, committed: Span::default(), missed: None };
        let doing = self.bots.entry(pid).or_insert(new);
        (doing.cycle, doing.acted) = (cycle, self.at);
        doing
    }

    /// Records an action of a bot and its answer; returns the entries for the log, if actions are logged.
    pub(super) fn acted<W: GameWorld>(
        &mut self,
        (cycle, pid, side): (u64, Pid, usize),
        request: &Datum,
        answer: &Answer,
        refused: Option<Refused>,
    ) -> Vec<LogEvent> {
        let at = self.at;
        let commits = W::commits(request);
        let doing = self.doing(pid, side, cycle);
        let mut late = None;
        if commits {
            doing.committed = at;
            late = doing.missed.take();
        }
        let refused = match answer {
            Answer::Stuck(reason) => Some(Refused::request(reason)),
            _ => refused,
        };
        let (delay, value) = match answer {
            Answer::Value(value) => (0, Some(value)),
            Answer::Later { cycles, value } => (*cycles, Some(value)),
            Answer::Block | Answer::Stuck(_) => (0, None),
        };
        // A thread that gets stuck is reported when it ends.
        if let (Some(Refused { rule, words }), Some(_)) = (&refused, value) {
            let name = action_name::<W>(request);
            let key = Key::new(Kind::Action(name), *rule, Some(&self.place(side, at)));
            self.costs[side].add(key, cycle, [pid], delay + 1, || words.clone());
        }
        let late = late.map(|turn_end| cycle - turn_end).filter(|&cycles| cycles <= self.per_move / 2);
        if let Some(cycles) = late {
            let place = self.place(side, at);
            self.costs[side].take_back(&Key::new(Kind::Computing, "", None), self.per_move);
            let key = Key::new(Kind::Late, "", Some(&place));
            self.costs[side].add(key, cycle, [pid], self.per_move, || format!("{cycles} cycles"));
        }
        if !self.tells_actions() {
            return Vec::new();
        }
        let place = self.place(side, at);
        let acted = LogEvent::Acted {
            action: text::request(W::ACTIONS, request),
            answer: value.map(ToString::to_string),
            delay,
            place: place.clone(),
            refused,
        };
        let late = late.map(|cycles| LogEvent::Late { cycles, place });
        [acted].into_iter().chain(late).collect()
    }

    /// Records an attempt to spawn.
    pub(super) fn spawned(
        &mut self,
        (cycle, pid, side): (u64, Pid, usize),
        child: Pid,
        refused: Option<Refused>,
    ) -> Option<LogEvent> {
        let at = self.at;
        self.doing(pid, side, cycle);
        if let Some(Refused { rule, words }) = &refused {
            let key = Key::new(Kind::Action("spawn"), *rule, Some(&self.place(side, at)));
            self.costs[side].add(key, cycle, [pid], 1, || words.clone());
        } else {
            self.doing(child, side, cycle);
        }
        let child = refused.is_none().then_some(child);
        self.tells_actions().then(|| LogEvent::Spawned { child, place: self.place(side, at), refused })
    }

    /// Records that a bot is lost because its thread ended.
    pub(super) fn ended(&mut self, cycle: u64, pid: Pid, side: usize, end: &End) {
        self.bots.remove(&pid);
        let key = match &end.cause {
            Cause::Value(_) => Key::new(Kind::Ended, "", None),
            Cause::Stuck { reason, place } => Key::new(Kind::Died, reason.to_string(), Some(place)),
            Cause::Limit { limit, place } => Key::new(Kind::Died, limit.to_string(), Some(place)),
        };
        self.costs[side].begin(key, pid, cycle, String::new);
    }

    /// Records that a bot has left the board.
    pub(super) fn removed(&mut self, pid: Pid) {
        self.bots.remove(&pid);
    }

    /// Records the results of committed moves. Returns log entries, each with its bots.
    pub(super) fn moved(&mut self, report: TurnReport, waits: &[LockWait]) -> Vec<(Vec<Pid>, LogEvent)> {
        self.has_turns = true;
        let TurnReport { cycle, side, moves, mut idle, .. } = report;
        // Waits for locks are accounted for elsewhere.
        idle.retain(|(pid, _)| !waits.iter().any(|wait| wait.pid.0 == pid.0));
        let per_move = self.per_move;
        for &pid in moves.iter().flat_map(|chain| &chain.bots) {
            if let Some(doing) = self.bots.get_mut(&pid) {
                doing.missed = None;
            }
        }
        for MoveReport { bots, refused, .. } in &moves {
            let Some(Refused { rule, words }) = refused else { continue };
            let committed = bots.first().and_then(|pid| self.bots.get(pid)).map(|doing| doing.committed);
            let key = Key::new(Kind::Move, *rule, Some(&self.place(side, committed.unwrap_or_default())));
            let cycles = per_move * bots.len() as u64;
            self.costs[side].add(key, cycle, bots.iter().copied(), cycles, || words.clone());
        }
        for &(pid, is_waiting) in &idle {
            let Some(doing) = self.bots.get_mut(&pid) else { continue };
            let key = if is_waiting {
                Key::new(Kind::Resting, "", Some(&self.sources[side].place(doing.acted)))
            } else {
                doing.missed = Some(cycle);
                Key::new(Kind::Computing, "", None)
            };
            self.costs[side].add(key, cycle, [pid], per_move, String::new);
        }
        if !self.tells_actions() {
            return Vec::new();
        }
        let moves = moves
            .into_iter()
            .map(|MoveReport { bots, text, path, refused }| (bots, LogEvent::Moved { text, path, refused }));
        let idle = idle.into_iter().map(|(pid, waits)| (vec![pid], LogEvent::NoMove { waits }));
        moves.chain(idle).collect()
    }

    /// Accounts for threads that wait for locks in `cycle`; returns the waits that began since the last check.
    pub(super) fn look_at(&mut self, cycle: u64, waits: &[LockWait]) -> Vec<LockWait> {
        let mut begun = Vec::new();
        let mut waiting = BTreeMap::new();
        for wait in waits {
            let pid = Pid(wait.pid.0);
            let Some(side) = self.bots.get(&pid).map(|doing| doing.side) else { continue };
            let key = waited(wait);
            let is_new = self.waiting.get(&pid) != Some(&wait.since);
            let from = wait.since.max(self.looked);
            if is_new {
                begun.push(wait.clone());
            }
            self.costs[side].add(key, wait.since, [pid], cycle.saturating_sub(from), String::new);
            waiting.insert(pid, wait.since);
        }
        (self.waiting, self.looked) = (waiting, cycle);
        begun
    }

    /// Completes the accounts when the match is over; `waits` are the threads that still wait for locks.
    pub(super) fn finish(&mut self, cycle: u64, waits: &[LockWait]) {
        self.look_at(cycle, waits);
        for wait in waits {
            let pid = Pid(wait.pid.0);
            if let Some(doing) = self.bots.get(&pid) {
                self.costs[doing.side].begin(waited(wait), pid, cycle, String::new);
            }
        }
        if self.has_turns {
            return;
        }
        let long_ago = cycle.saturating_sub(SILENT_MOVES * self.per_move);
        for (&pid, doing) in &self.bots {
            let waits = waits.iter().any(|wait| wait.pid.0 == pid.0);
            if !waits && doing.cycle < long_ago {
                let example = || format!("the first from cycle {} on", doing.cycle);
                self.costs[doing.side].begin(Key::new(Kind::Silent, "", None), pid, doing.cycle, example);
            }
        }
    }

    /// Costs of each side's mistakes, in a match that ended in `cycle`.
    pub(super) fn accounts(&self, cycle: u64, bot: &str) -> [Vec<Account>; 2] {
        self.costs.each_ref().map(|costs| costs.accounts(cycle, self.per_move, bot))
    }

    /// The greatest costs of each side in words, in a match that ended in `cycle`.
    pub(super) fn costs(&self, cycle: u64, bot: &str) -> [Vec<String>; 2] {
        self.costs.each_ref().map(|costs| costs.worst(cycle, self.per_move, bot))
    }
}

/// Account line for a wait.
fn waited(wait: &LockWait) -> Key {
    let LockWait { place, holder, taken, .. } = wait;
    let lock = format!("that bot {holder} took at {}:{}", taken.file, taken.line);
    Key::new(Kind::Waited, lock, Some(place))
}

fn action_name<W: GameWorld>(request: &Datum) -> &'static str {
    let number = match request {
        Datum::Array(parts) | Datum::Pair(parts) => parts.first(),
        other => Some(other),
    };
    let action = W::ACTIONS.iter().find(|(_, known)| Some(&Datum::Int(*known)) == number);
    action.map_or("an action", |(name, _)| name)
}
