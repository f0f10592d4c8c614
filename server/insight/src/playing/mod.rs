//! A replayed match with its snapshots: the implementation of [`Insight`](crate::Insight) for one game.
//!
//! `reaching` finds and prints at lines, `stepping` makes steps in a bot's program.

mod reaching;
mod replayed_match;
mod stepping;

use std::borrow::Cow;
use std::sync::Arc;

use grandstand_languages::view::{CellView, ValueView, ViewLimits, Visit};
use grandstand_languages::{self as languages, Operations, Program, TeamId, Watch, Watcher};
use grandstand_matches::machine::{
    Account, BotInfo, GameWorld, LogEntry, LogEvent, Player, ProgramMatch, Runner,
};
use grandstand_matches::{Ending, MatchSpec as _, RunningMatch as _, Side, StartError, Tempo, Tracing};
use grandstand_protocol::insight::StepUnit;
use grandstand_rules::Pid;

use crate::bots::{Bot, Bots};
use crate::breakpoint::{Resumed, StopConditions};
use crate::compare::{Compared, Comparison};
use crate::keyframes::Keyframes;
use crate::logpoint::{Logpoint, LogpointError, LogpointHit};
use crate::score::{Scored, Scores};
use crate::search::{Direction, Moment, Search};
use crate::state::State;
use crate::view::{AskError, BotView};

pub use self::replayed_match::ReplayedMatch;

/// A match that is replayed.
#[derive(Debug)]
pub(crate) struct MatchReplay<W: GameWorld> {
    spec: ProgramMatch<W>,
    /// State at the last cycle that has been played.
    front: State<W>,
    keyframes: Keyframes<W>,
    /// State at the cycle of the last question.
    cursor: Option<State<W>>,
    comparison: Comparison,
    bots: Bots,
    /// Log entries of losses, waits and deadlocks.
    fates: Vec<Arc<LogEntry>>,
    scores: Scores,
    /// Whether the match is over, or differs from its recording.
    over: bool,
}

impl<W: GameWorld> MatchReplay<W> {
    pub(crate) fn new(
        spec: ProgramMatch<W>,
        comparison: Comparison,
        memory: usize,
    ) -> Result<Self, StartError> {
        let mut runner = Runner::new(&spec)?;
        runner.trace(Tracing::Actions);
        runner.keep_writes();
        let mut bots = Bots::default();
        for pid in runner.machine().live() {
            if let Some(bot) = runner.world().bot(0, Pid(pid.0)) {
                bots.begins(pid.0, bot.side);
            }
        }
        let mut front = State::new(runner);
        let mut this = Self {
            spec,
            keyframes: Keyframes::new(&mut front, memory),
            front,
            cursor: None,
            comparison,
            bots,
            fates: Vec::new(),
            scores: Scores::new(W::GAME),
            over: false,
        };
        let drawn = this.front.runner.drain_commands();
        this.comparison.take(&drawn);
        this.scores.take(&drawn, W::SIDES);
        Ok(this)
    }

    /// State at the end of a cycle that has been played.
    fn state(&mut self, cycle: u64) -> Result<&mut State<W>, AskError> {
        let (played, end) = (self.front.cycle(), self.last_cycle());
        if self.over && cycle > end {
            return Err(AskError::Over { cycle, end });
        }
        if cycle > played {
            return Err(AskError::NotPlayed { played });
        }
        let frame = self.keyframes.before(cycle);
        let mut state = match self.cursor.take() {
            Some(cursor) if (frame.cycle()..=cycle).contains(&cursor.cycle()) => cursor,
            _ => frame.restore(),
        };
        state.play_to(cycle, None);
        Ok(self.cursor.insert(state))
    }

    /// State at a bot's moment.
    fn looked(&mut self, moment: Moment, bot: u32) -> Result<Cow<'_, State<W>>, AskError> {
        let state = &*self.state(moment.cycle)?;
        if moment.within == 0 {
            return Ok(Cow::Borrowed(state));
        }
        let mut ahead = state.clone();
        ahead.runner.step_inside(Pid(bot), moment.within, None);
        Ok(Cow::Owned(ahead))
    }

    /// Error for a bot that is not alive at a cycle.
    fn absent(&self, bot: u32, cycle: u64) -> AskError {
        let Some(life) = self.bots.get(bot) else { return AskError::NoBot(bot) };
        let end = match &life.gone {
            None => String::new(),
            Some(entry) => format!(", and gone in cycle {}: {}", entry.cycle, fate(entry)),
        };
        AskError::NotThere { bot, cycle, life: format!("it was spawned in cycle {}{end}", life.born) }
    }

    fn program_of(&self, side: usize) -> Option<&Program> {
        match &self.spec.players[side] {
            Player::Program(program) => Some(program),
            Player::Native(_) | Player::Recorded(_) => None,
        }
    }
}

/// Loss of a bot in a few words.
pub(crate) fn fate(entry: &LogEntry) -> String {
    match &entry.event {
        LogEvent::Removed(how) => format!("it {how}"),
        LogEvent::Ended(end) => match &end.cause {
            languages::Cause::Value(_) => "its program ended".to_owned(),
            languages::Cause::Stuck { reason, place } => format!("it was stuck at {place}: {reason}"),
            languages::Cause::Limit { limit, place } => format!("it was stopped at {place}: {limit}"),
        },
        _ => String::new(),
    }
}

impl<W: GameWorld> ReplayedMatch for MatchReplay<W> {
    fn play_on(&mut self, cycles: u64) {
        let until = self.front.cycle().saturating_add(cycles);
        let sides = W::SIDES;
        while self.front.cycle() < until && !self.over {
            let news = self.front.advance(until.min(self.keyframes.due()), None);
            self.comparison.take(&news.commands);
            self.scores.take(&news.commands, sides);
            for entry in news.entries {
                self.bots.take(&entry, sides);
                if matches!(
                    entry.event,
                    LogEvent::Removed(_) | LogEvent::Ended(_) | LogEvent::Deadlocked(_) | LogEvent::Waited(_)
                ) {
                    self.fates.push(entry);
                }
            }
            if self.front.runner.is_finished() {
                self.comparison.finish(self.front.cycle());
                self.over = true;
            }
            self.over |= self.comparison.compared.difference.is_some();
            // A side without its program is unknown after the end of the recording.
            let is_recorded = self.spec.players.iter().any(|player| matches!(player, Player::Recorded(_)));
            self.over |= is_recorded && self.comparison.compared.cut.is_some();
            if self.front.cycle() >= self.keyframes.due() {
                self.keyframes.add(&mut self.front);
            }
        }
    }

    fn cycle(&self) -> u64 {
        self.front.cycle()
    }

    fn is_over(&self) -> bool {
        self.over
    }

    fn last_cycle(&self) -> u64 {
        self.front.runner.ending().map_or(self.front.cycle(), |ending| ending.tick)
    }

    fn progress(&self) -> f32 {
        if self.over { 1.0 } else { self.comparison.progress() }
    }

    fn ending(&self) -> Option<Ending> {
        self.front.runner.ending()
    }

    fn compared(&self) -> &Compared {
        &self.comparison.compared
    }

    fn cycle_of(&self, seq: u64) -> Option<u64> {
        // Commands drawn after the end belong to the turn that the end cut short.
        let end = if self.is_over() { self.last_cycle() } else { u64::MAX };
        self.comparison.cycle_of(seq).map(|cycle| cycle.min(end))
    }

    fn seq_at(&self, cycle: u64) -> u64 {
        self.comparison.seq_at(cycle)
    }

    fn sides(&self) -> [Side; 2] {
        W::SIDES
    }

    fn names(&self) -> [String; 2] {
        self.spec.names().map(str::to_owned)
    }

    fn tempo(&self) -> Tempo {
        self.spec.tempo()
    }

    fn bot_word(&self) -> &'static str {
        W::BOT
    }

    fn program(&self, side: usize) -> Option<&Program> {
        self.program_of(side)
    }

    fn bots(&self) -> Vec<Bot> {
        self.bots.all().cloned().collect()
    }

    fn fates(&self) -> &[Arc<LogEntry>] {
        &self.fates
    }

    fn scores(&self) -> &[Scored] {
        &self.scores.list
    }

    fn decisive_cycle(&self, winner: usize) -> Option<u64> {
        self.scores.turned(winner)
    }

    fn mistake_costs(&self) -> [Vec<Account>; 2] {
        let mut accounts = self.front.runner.accounts();
        for (own, player) in accounts.iter_mut().zip(&self.spec.players) {
            // Without the program, mistakes have no line and are of no use.
            if matches!(player, Player::Recorded(_)) {
                own.clear();
            }
        }
        accounts
    }

    fn bot_at(&mut self, moment: Moment, bot: u32, extent: ViewLimits) -> Result<BotView, AskError> {
        let pid = languages::Pid(bot);
        let view = {
            let looked = self.looked(moment, bot)?;
            let machine = looked.runner.machine();
            let info = looked.runner.world().bot(moment.cycle, Pid(bot));
            machine.look(pid, extent).zip(info).map(|(thread, info)| BotView {
                moment,
                when: info.when,
                who: info.who,
                at: info.at,
                bot,
                side: info.side,
                cells: machine.cells(thread.team, extent),
                thread,
                past_actions: looked.past_actions(bot),
            })
        };
        view.ok_or_else(|| self.absent(bot, moment.cycle))
    }

    fn step(
        &mut self,
        from: Moment,
        bot: u32,
        step: StepUnit,
        direction: Direction,
    ) -> Result<Option<Moment>, AskError> {
        self.check(from)?;
        self.step_away(from, bot, step, direction)
    }

    fn find(
        &mut self,
        from: Moment,
        search: &Search,
        direction: Direction,
    ) -> Result<Option<(Moment, u32)>, AskError> {
        self.check(from)?;
        self.find_line(from, search, direction)
    }

    fn resume(
        &mut self,
        from: (Moment, Option<u32>),
        stops: &StopConditions,
        direction: Direction,
        cycles: u64,
    ) -> Result<Resumed, AskError> {
        self.check(from.0)?;
        self.go_on(from, stops, direction, cycles)
    }

    fn evaluate(
        &mut self,
        moment: Moment,
        bot: u32,
        text: &str,
        extent: ViewLimits,
    ) -> Result<ValueView, AskError> {
        let expression = self.asked(text)?;
        let looked = self.looked(moment, bot)?;
        let value = looked.runner.machine().evaluate(languages::Pid(bot), &expression, extent);
        value.map_err(AskError::Value)
    }

    fn check_expression(&self, text: &str) -> Result<(), AskError> {
        self.asked(text).map(|_| ())
    }

    fn logpoint_hits(
        &mut self,
        prints: &Logpoint,
        most: usize,
    ) -> Result<(Vec<LogpointHit>, u64), LogpointError> {
        self.print_line(prints, most)
    }

    fn check_logpoint(&self, prints: &Logpoint) -> Result<(), LogpointError> {
        self.printed_point(prints).map(|_| ())
    }

    fn bots_at(&mut self, cycle: u64) -> Result<Vec<BotInfo>, AskError> {
        let state = self.state(cycle)?;
        let live = state.runner.machine().live();
        Ok(live.into_iter().filter_map(|pid| state.runner.world().bot(cycle, Pid(pid.0))).collect())
    }

    fn cells(&mut self, cycle: u64, team: TeamId) -> Result<Vec<CellView>, AskError> {
        Ok(self.state(cycle)?.runner.machine().cells(team, ViewLimits::default()))
    }

    fn replay(
        &mut self,
        after: u64,
        until: u64,
        watcher: Option<&mut dyn Watcher>,
    ) -> Result<Vec<Arc<LogEntry>>, AskError> {
        let mut state = self.state(after)?.clone();
        let mut watch = watcher.map(Watch::new);
        let mut entries = Vec::new();
        while state.cycle() < until && !state.runner.is_finished() {
            entries.extend(state.advance(until, watch.as_mut()).entries);
        }
        self.cursor = Some(state);
        Ok(entries)
    }

    fn snapshot_before(&self, cycle: u64) -> u64 {
        self.keyframes.before(cycle).cycle()
    }

    fn moment_before(&mut self, visit: Visit) -> Result<Moment, AskError> {
        self.moment_of(visit.cycle, visit.pid.0, visit.operation)
    }

    fn operations(&self, meant: &Operations) -> Vec<Option<Vec<bool>>> {
        let mut teams = vec![None; 2];
        for side in [0, 1] {
            if let (Some(team), Some(program)) = (self.front.runner.team(side), self.program_of(side)) {
                let operations = program.operations(meant);
                teams[team.0 as usize] = operations.contains(&true).then_some(operations);
            }
        }
        teams
    }

    fn side_of(&self, bot: u32) -> usize {
        self.bots.get(bot).map_or(0, |bot| bot.side)
    }

    fn team(&self, side: usize) -> Option<TeamId> {
        self.front.runner.team(side)
    }
}
