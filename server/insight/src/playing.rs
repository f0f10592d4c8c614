//! A match that is played again, with its snapshots: what an [`Insight`](crate::Insight) asks, for one game.

use std::sync::Arc;

use grandstand_languages::view::Extent;
use grandstand_languages::{self as languages, MemoryFiles, Operations, Program, Watch};
use grandstand_matches::machine::{Account, GameWorld, LogEntry, LogEvent, Player, ProgramMatch, Runner};
use grandstand_matches::{Ending, MatchSpec as _, RunningMatch as _, Side, StartError, Tempo, Tracing};
use grandstand_rules::Pid;

use crate::bots::{Bot, Bots};
use crate::compare::{Compared, Comparison};
use crate::keyframes::Keyframes;
use crate::print::{PrintError, Printed, Prints};
use crate::score::{Scored, Scores};
use crate::search::{Direction, From, Hit, Lines, Moment, Search, Step, Steps};
use crate::state::State;
use crate::view::{AskError, BotView};

/// What an insight asks of the match of any game.
pub(crate) trait Played: std::fmt::Debug + Send {
    fn play_on(&mut self, cycles: u64);
    fn cycle(&self) -> u64;
    fn is_over(&self) -> bool;
    fn ending(&self) -> Option<Ending>;
    fn compared(&self) -> &Compared;
    fn cycle_of(&self, seq: u64) -> Option<u64>;
    fn seq_at(&self, cycle: u64) -> u64;
    fn sides(&self) -> [Side; 2];
    fn names(&self) -> [String; 2];
    fn tempo(&self) -> Tempo;
    fn bot_word(&self) -> &'static str;
    fn program(&self, side: usize) -> Option<&Program>;
    fn bots(&self) -> Vec<Bot>;
    fn fates(&self) -> &[Arc<LogEntry>];
    fn scores(&self) -> &[Scored];
    fn turned(&self, winner: usize) -> Option<u64>;
    fn accounts(&self) -> [Vec<Account>; 2];
    fn at(&mut self, moment: Moment, bot: u32, extent: Extent) -> Result<BotView, AskError>;
    fn step(
        &mut self,
        from: Moment,
        bot: u32,
        step: Step,
        direction: Direction,
    ) -> Result<Option<Moment>, AskError>;
    fn find(
        &mut self,
        from: Moment,
        search: &Search,
        direction: Direction,
    ) -> Result<Option<(Moment, u32)>, AskError>;
    fn print(&mut self, prints: &Prints, most: usize) -> Result<(Vec<Printed>, u64), PrintError>;
    fn entries(&mut self, from: u64, to: u64) -> Vec<Arc<LogEntry>>;
}

/// A match that is played again.
#[derive(Debug)]
pub(crate) struct Playing<W: GameWorld> {
    spec: ProgramMatch<W>,
    /// As far as it has been played.
    front: State<W>,
    keyframes: Keyframes<W>,
    /// Where it was asked last.
    cursor: Option<State<W>>,
    comparison: Comparison,
    bots: Bots,
    /// What became of bots, and who was in a deadlock.
    fates: Vec<Arc<LogEntry>>,
    scores: Scores,
    /// Where the match parts from its recording, or is over.
    over: bool,
}

impl<W: GameWorld> Playing<W> {
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
        let front = State::new(runner);
        let mut this = Self {
            spec,
            keyframes: Keyframes::new(front.clone(), memory),
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

    /// The match at the end of a cycle that has been played.
    fn state(&mut self, cycle: u64) -> Result<&mut State<W>, AskError> {
        let (played, end) = (self.front.cycle(), self.end());
        if self.over && cycle > end {
            return Err(AskError::Over { cycle, end });
        }
        if cycle > played {
            return Err(AskError::NotPlayed { played });
        }
        let frame = self.keyframes.before(cycle);
        let mut state = match self.cursor.take() {
            Some(cursor) if (frame.cycle()..=cycle).contains(&cursor.cycle()) => cursor,
            _ => frame.clone(),
        };
        state.play_to(cycle, None);
        Ok(self.cursor.insert(state))
    }

    /// The last cycle that counts.
    fn end(&self) -> u64 {
        self.front.runner.ending().map_or(self.front.cycle(), |ending| ending.tick)
    }

    /// Why a bot is not there.
    fn absent(&self, bot: u32, cycle: u64) -> AskError {
        let Some(life) = self.bots.get(bot) else { return AskError::NoBot(bot) };
        let end = match &life.gone {
            None => String::new(),
            Some(entry) => format!(", and gone in cycle {}: {}", entry.cycle, fate(entry)),
        };
        AskError::NotThere { bot, cycle, life: format!("it was spawned in cycle {}{end}", life.born) }
    }

    fn side_of(&self, bot: u32) -> usize {
        self.bots.get(bot).map_or(0, |bot| bot.side)
    }

    fn program_of(&self, side: usize) -> Option<&Program> {
        match &self.spec.players[side] {
            Player::Program(program) => Some(program),
            Player::Native(_) => None,
        }
    }

    /// The operations that are meant, by the machine's teams.
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

    /// Where lines are reached after cycle `after`, up to `until`, at most `most` of them.
    fn lines_between(
        &mut self,
        (after, until): (u64, u64),
        mut lines: Lines<'_>,
    ) -> Result<Lines<'static>, AskError> {
        let state = self.state(after)?;
        let mut state = state.clone();
        let mut watch = Watch::new(&mut lines);
        state.play_to(until, Some(&mut watch));
        Ok(Lines { expression: None, ..lines })
    }

    fn expression(&self, text: &str) -> Result<Program, languages::LoadError> {
        const NAME: &str = "expression";
        W::LANGUAGE.load(NAME, &MemoryFiles::new().with(NAME, text))
    }
}

/// What became of a bot, in a few words.
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

impl<W: GameWorld> Played for Playing<W> {
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

    fn ending(&self) -> Option<Ending> {
        self.front.runner.ending()
    }

    fn compared(&self) -> &Compared {
        &self.comparison.compared
    }

    fn cycle_of(&self, seq: u64) -> Option<u64> {
        self.comparison.cycle_of(seq)
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

    fn turned(&self, winner: usize) -> Option<u64> {
        self.scores.turned(winner)
    }

    fn accounts(&self) -> [Vec<Account>; 2] {
        self.front.runner.accounts()
    }

    fn at(&mut self, moment: Moment, bot: u32, extent: Extent) -> Result<BotView, AskError> {
        let pid = languages::Pid(bot);
        let state = self.state(moment.cycle)?;
        let ahead;
        let looked = if moment.within == 0 {
            &*state
        } else {
            let mut copy = state.clone();
            copy.runner.step_inside(Pid(bot), moment.within, None);
            ahead = copy;
            &ahead
        };
        let machine = looked.runner.machine();
        let info = looked.runner.world().bot(moment.cycle, Pid(bot));
        let (Some(thread), Some(info)) = (machine.look(pid, extent), info) else {
            return Err(self.absent(bot, moment.cycle));
        };
        Ok(BotView {
            moment,
            when: info.when,
            who: info.who,
            at: info.at,
            bot,
            side: info.side,
            cells: machine.cells(thread.team, extent),
            thread,
            deeds: looked.deeds(bot),
        })
    }

    fn step(
        &mut self,
        from: Moment,
        bot: u32,
        step: Step,
        direction: Direction,
    ) -> Result<Option<Moment>, AskError> {
        let pid = languages::Pid(bot);
        let Some(program) = self.program_of(self.side_of(bot)).cloned() else {
            return Err(AskError::NoBot(bot));
        };
        let view = self.at(from, bot, Extent { calls: 1, elements: 0, depth: 0 })?;
        let (lines, all, actions) =
            (program.lines(), program.operations(&Operations::All), program.operations(&Operations::Actions));
        let here = view.thread.calls.first().map(|call| &call.place);
        let file_of = |name: &str| program.sources().files().iter().position(|file| file.name == name);
        let from = From {
            moment: from,
            is_at_operation: matches!(view.thread.state, languages::view::State::Runs { .. }),
            line: here.map_or((u32::MAX, 0), |at| {
                (file_of(&at.file).map_or(u32::MAX, |file| file as u32), at.line)
            }),
            depth: view.thread.frames,
        };
        let tables = (&all[..], &actions[..], &lines[..]);
        let (last, mut width) = (self.front.cycle(), 512);
        match direction {
            Direction::Forward => {
                let mut state = self.state(from.moment.cycle)?.clone();
                let mut steps = Steps::new(pid, step, from, direction, tables);
                while steps.found.is_none() && state.cycle() < last && state.runner.machine().is_live(pid) {
                    let to = (state.cycle() + width).min(last);
                    state.play_to(to, Some(&mut Watch::new(&mut steps)));
                    if state.runner.is_finished() {
                        break;
                    }
                    width = (2 * width).min(16_384);
                }
                Ok(steps.found)
            }
            Direction::Backward => {
                let mut until = from.moment.cycle + 1;
                loop {
                    let start = self.keyframes.before(until.saturating_sub(1)).clone();
                    let begin = start.cycle();
                    let mut state = start;
                    let mut steps = Steps::new(pid, step, from, direction, tables);
                    state.play_to(until.min(last), Some(&mut Watch::new(&mut steps)));
                    if steps.found.is_some() || begin == 0 {
                        return Ok(steps.found);
                    }
                    until = begin;
                }
            }
        }
    }

    fn find(
        &mut self,
        from: Moment,
        search: &Search,
        direction: Direction,
    ) -> Result<Option<(Moment, u32)>, AskError> {
        let condition = search.condition.as_deref().map(|text| self.expression(text)).transpose();
        let condition = condition.map_err(|error| AskError::Condition(error.to_string()))?;
        let teams = self.operations(&Operations::Line(search.line.clone()));
        if teams.iter().all(Option::is_none) {
            return Ok(None);
        }
        let lines = || Lines {
            bot: search.bot,
            teams: teams.clone(),
            expression: condition.as_ref(),
            extent: Extent { calls: 1, elements: 8, depth: 2 },
            most: usize::MAX,
            hits: Vec::new(),
            count: 0,
        };
        let holds = |hit: &&Hit| match &hit.value {
            None => true,
            Some(Ok(value)) => *value != languages::view::Seen::Int(0),
            Some(Err(_)) => false,
        };
        let last = self.front.cycle();
        let found = match direction {
            Direction::Forward => {
                let (mut after, mut width) = (from.cycle, 512);
                loop {
                    let until = (after + width).min(last);
                    let reached = self.lines_between((after, until), lines())?;
                    let later = |hit: &&Hit| hit.visit.cycle > from.cycle + 1;
                    if let Some(hit) = reached.hits.iter().filter(holds).find(later) {
                        break Some(hit.clone());
                    }
                    if until >= last {
                        break None;
                    }
                    (after, width) = (until, (2 * width).min(16_384));
                }
            }
            Direction::Backward => {
                let mut until = from.cycle;
                loop {
                    let begin = self.keyframes.before(until.saturating_sub(1)).cycle();
                    let reached = self.lines_between((begin, until), lines())?;
                    let earlier = |hit: &&Hit| hit.visit.cycle <= from.cycle;
                    if let Some(hit) = reached.hits.iter().rev().filter(holds).find(earlier) {
                        break Some(hit.clone());
                    }
                    if begin == 0 {
                        break None;
                    }
                    until = begin;
                }
            }
        };
        let Some(Hit { visit, .. }) = found else { return Ok(None) };
        let cycle = visit.cycle.saturating_sub(1);
        let mut state = self.state(cycle)?.clone();
        let within = state.runner.step_inside(Pid(visit.pid.0), u32::MAX, Some(visit.operation));
        Ok(Some((Moment { cycle, within }, visit.pid.0)))
    }

    fn print(&mut self, prints: &Prints, most: usize) -> Result<(Vec<Printed>, u64), PrintError> {
        let expression = self.expression(&prints.expression)?;
        let teams = self.operations(&Operations::Line(prints.line.clone()));
        if teams.iter().all(Option::is_none) {
            return Err(self.no_line(prints));
        }
        let lines = Lines {
            bot: prints.bot,
            teams,
            expression: Some(&expression),
            extent: Extent { calls: 1, elements: 32, depth: 5 },
            most,
            hits: Vec::new(),
            count: 0,
        };
        let end = self.end();
        let Ok(lines) = self.lines_between((0, end), lines) else { return Ok((Vec::new(), 0)) };
        let printed = lines.hits.into_iter().filter_map(|hit| {
            let (bot, cycle) = (hit.visit.pid.0, hit.visit.cycle);
            Some(Printed { cycle, bot, side: self.side_of(bot), value: hit.value? })
        });
        Ok((printed.collect(), lines.count))
    }

    fn entries(&mut self, from: u64, to: u64) -> Vec<Arc<LogEntry>> {
        let mut state = self.keyframes.before(from.saturating_sub(1)).clone();
        let mut entries = Vec::new();
        let to = to.min(self.front.cycle());
        while state.cycle() < to && !state.runner.is_finished() {
            let news = state.advance(to, None);
            entries.extend(news.entries.into_iter().filter(|entry| (from..=to).contains(&entry.cycle)));
        }
        entries
    }
}

impl<W: GameWorld> Playing<W> {
    /// Why nothing is done on a line that is asked for.
    fn no_line(&self, prints: &Prints) -> PrintError {
        let programs = [0, 1].into_iter().filter_map(|side| self.program_of(side));
        let (mut names, mut near) = (Vec::new(), None::<u32>);
        for program in programs {
            for (index, file) in program.sources().files().iter().enumerate() {
                if file.name == prints.line.file || file.name.ends_with(&format!("/{}", prints.line.file)) {
                    let lines = program.lines().into_iter().filter(|(of, _)| *of as usize == index);
                    let after = lines.map(|(_, line)| line).filter(|line| *line > prints.line.line).min();
                    near = near.or(after).or(Some(0));
                } else if !names.contains(&file.name) {
                    names.push(file.name.clone());
                }
            }
        }
        let (file, line) = (prints.line.file.clone(), prints.line.line);
        match near {
            Some(0) => PrintError::Line { file, line, hint: String::new() },
            Some(next) => PrintError::Line { file, line, hint: format!("; the next one is line {next}") },
            None => PrintError::File { file, files: names.join(", ") },
        }
    }
}
