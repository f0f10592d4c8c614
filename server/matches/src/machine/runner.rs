//! Runner of a match of programs: the machine that runs their threads, joined with the world of a game.

use std::sync::Arc;

use grandstand_languages::source::Sources;
use grandstand_languages::{
    self as languages, Answer, Datum, End, LockWait, Machine, Mode, Span, TeamId, Watch,
};
use grandstand_protocol::Scene;
use grandstand_rules::Pid;

use super::asked::{self, Asked, What};
use super::costs::Account;
use super::log::{LogEntry, LogEvent};
use super::program_match::{Player, ProgramMatch};
use super::refused::Refused;
use super::tracer::Tracer;
use super::world::{BotInfo, Departure, GameWorld};
use crate::spec::{Ending, LogLine, RunningMatch, StampedCommand, StartError, Tracing};

/// A running match. A clone is a snapshot.
#[derive(Debug, Clone)]
pub struct Runner<W: GameWorld> {
    machine: Machine,
    /// Source files of the programs, by side.
    sources: [Sources; 2],
    /// Number of cycles in which a bot can move once.
    per_move: u64,
    /// Teams of the machine, by side.
    teams: [Option<TeamId>; 2],
    /// Target cycle of the current advance, if it stopped before that.
    heading: Option<u64>,
    recorded: RecordedWorld<W>,
}

/// Maximum number of cycles of one advance.
const SLICE: u64 = 10_000;

/// World that records events; the machine talks to it.
#[derive(Debug, Clone)]
struct RecordedWorld<W: GameWorld> {
    world: W,
    /// Teams that are not threads of the machine.
    natives: W::Natives,
    /// Bots that these teams have removed, whose threads must still be ended.
    killed: Vec<Departure>,
    commands: Vec<StampedCommand>,
    log: Vec<LogEntry>,
    tracer: Option<Box<Tracer>>,
    /// The requests since the last call of `drain_asked`, if they are kept.
    kept: Option<Vec<Asked>>,
    /// The requests of a side that is recorded, and how many of them have been made.
    script: Arc<[Asked]>,
    made: usize,
}

impl<W: GameWorld> Runner<W> {
    /// A match in which both teams have one thread each, which has not run yet.
    ///
    /// # Errors
    /// If no match can be played by the rules.
    pub fn new(spec: &ProgramMatch<W>) -> Result<Self, StartError> {
        let mut machine = Machine::new(spec.settings.limits, spec.seed);
        let mut teams = [None; 2];
        let mut root = |side: usize| {
            to_rules(match &spec.players[side] {
                Player::Program(program) => {
                    let team = machine.add_team(program);
                    teams[side] = Some(team);
                    machine.start(team)
                }
                Player::Native(_) | Player::Recorded(_) => machine.reserve_pid(),
            })
        };
        let roots = if W::first_side(spec.seed) == 0 {
            [root(0), root(1)]
        } else {
            let second = root(1);
            [root(0), second]
        };
        let world = W::begin(&spec.settings.rules, spec.seed, roots, spec.names())?;
        let natives = [0, 1].map(|side| match spec.players[side] {
            Player::Program(_) | Player::Recorded(_) => None,
            Player::Native(name) => Some((name, roots[side])),
        });
        let natives = W::natives(natives, spec.seed);
        let (killed, commands, log) = (Vec::new(), Vec::new(), Vec::new());
        let mut script = Vec::new();
        for (side, player) in spec.players.iter().enumerate() {
            if let Player::Recorded(recorded) = player {
                script.extend(asked::of_side(&recorded.asked, roots[side]));
            }
        }
        let spawned = script.iter().filter_map(|asked| match asked.what {
            What::Spawned(child) => Some(to_languages(child)),
            What::Do(_) | What::Ended => None,
        });
        let mut spawned: Vec<languages::Pid> = spawned.collect();
        spawned.sort_unstable();
        machine.leave_pids(&spawned);
        let (tracer, kept, script, made) = (None, None, script.into(), 0);
        let mut recorded =
            RecordedWorld { world, natives, killed, commands, log, tracer, kept, script, made };
        recorded.collect(0);
        let sources = spec.players.each_ref().map(|player| match player {
            Player::Program(program) => program.sources().clone(),
            Player::Native(_) | Player::Recorded(_) => Sources::default(),
        });
        let per_move = W::move_cycles(&spec.settings.rules);
        Ok(Self { machine, sources, per_move, teams, heading: None, recorded })
    }

    /// Sets the mode in which the machine executes cycles; the default is run-ahead. The commands are the same in
    /// each mode.
    pub fn set_mode(&mut self, mode: Mode) {
        self.machine.set_mode(mode);
    }

    /// State of the machine.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Makes the machine record the last writer of each shared cell from now on.
    pub fn keep_writes(&mut self) {
        self.machine.keep_writes();
    }

    /// Team of the machine for a side; `None` for a team written in Rust.
    pub fn team(&self, side: usize) -> Option<TeamId> {
        self.teams[side]
    }

    /// Runs a thread ahead of all others: see [`Machine::step_inside`]. For a copy that is inspected and then dropped.
    pub fn step_inside(&mut self, pid: Pid, count: u32, operation: Option<u32>) -> u32 {
        self.machine.step_inside(to_languages(pid), count, operation)
    }

    /// A copy without garbage, which continues in the same way.
    #[must_use]
    pub fn snapshot(&mut self) -> Self {
        let machine = self.machine.snapshot();
        Self {
            machine,
            sources: self.sources.clone(),
            recorded: self.recorded.clone(),
            per_move: self.per_move,
            teams: self.teams,
            heading: self.heading,
        }
    }

    /// Plays to the end of `cycle`, but no farther than [`advance`](RunningMatch::advance) would, and reports
    /// operations to `watch`. The match is the same wherever it stops in between.
    pub fn advance_to(&mut self, cycle: u64, watch: Option<&mut Watch<'_>>) {
        if self.is_over() && self.heading.is_none() {
            return;
        }
        let (world, now) = (&self.recorded.world, self.machine.cycle());
        let target = *self.heading.get_or_insert_with(|| world.next_event_cycle().min(now + SLICE));
        // Requests of a recorded side can end threads, which the machine must know in the same cycle.
        let until = cycle.min(target).min(self.recorded.next_scripted(now));
        match watch {
            Some(watch) => self.machine.run_watched(until, &mut self.recorded, watch),
            None => self.machine.run(until, &mut self.recorded),
        }
        if until == target {
            self.heading = None;
            self.end_cycle(target);
        } else if !self.recorded.script.is_empty() {
            self.recorded.run_script(until, Pid(u32::MAX));
            for pid in languages::World::take_killed(&mut self.recorded) {
                self.machine.kill(pid);
            }
        }
    }

    /// Ends a cycle in which all threads have made their steps.
    fn end_cycle(&mut self, cycle: u64) {
        self.recorded.run_natives(cycle, Pid(u32::MAX));
        for pid in languages::World::take_killed(&mut self.recorded) {
            self.machine.kill(pid);
        }
        let end = self.recorded.world.end_cycle(cycle);
        self.recorded.collect(cycle);
        if self.recorded.tracer.is_some() {
            let waits = self.machine.lock_waits();
            self.recorded.trace_end_of_cycle(cycle, &waits);
        }
        for departure in end.dead {
            let pid = self.recorded.removed(departure);
            self.machine.kill(pid);
        }
        for pid in end.woken {
            self.machine.wake(to_languages(pid), &Datum::Int(0));
        }
        if let Some(ending) = self.ending() {
            // Actions of threads after the end of the match do not count.
            let waits = self.machine.lock_waits().into_iter();
            let waits: Vec<LockWait> = waits.filter(|wait| wait.since <= ending.tick).collect();
            if let Some(tracer) = &mut self.recorded.tracer {
                tracer.finish(ending.tick, &waits);
            }
            for wait in waits {
                self.recorded.note(ending.tick, wait.pid, LogEvent::Waited(wait));
            }
        }
    }

    /// Whether the match is over and all of its commands and log entries exist.
    pub fn is_finished(&self) -> bool {
        self.is_over() && self.heading.is_none()
    }

    /// Costs of each side's mistakes, the greatest first, if the match is [traced](RunningMatch::trace).
    pub fn accounts(&self) -> [Vec<Account>; 2] {
        let Some(tracer) = &self.recorded.tracer else { return <[Vec<Account>; 2]>::default() };
        tracer.accounts(self.ending().map_or(self.machine.cycle(), |ending| ending.tick), W::BOT)
    }

    /// State of the world.
    pub fn world(&self) -> &W {
        &self.recorded.world
    }

    /// Whether the match is over.
    pub fn is_over(&self) -> bool {
        self.recorded.world.ending().is_some()
    }

    /// Log entries since the last call, in order: fates and messages of the bots.
    pub fn drain_log(&mut self) -> Vec<LogEntry> {
        std::mem::take(&mut self.recorded.log)
    }
}

impl<W: GameWorld> RunningMatch for Runner<W> {
    /// Plays to the world's next event, but at most 10,000 cycles, so that commands can be drained in between. Does
    /// nothing once the match is over.
    fn advance(&mut self) {
        self.advance_to(u64::MAX, None);
    }

    fn drain_commands(&mut self) -> Vec<StampedCommand> {
        std::mem::take(&mut self.recorded.commands)
    }

    fn keep_asked(&mut self) {
        self.recorded.kept.get_or_insert_default();
    }

    fn drain_asked(&mut self) -> Vec<Asked> {
        self.recorded.kept.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn drain_log_lines(&mut self) -> Vec<LogLine> {
        let traced = self.recorded.tracer.as_ref().is_some_and(|tracer| tracer.tells_actions());
        self.drain_log().iter().map(|entry| entry.line(traced)).collect()
    }

    fn trace(&mut self, tracing: Tracing) {
        let mut tracer = Tracer::new(tracing, self.sources.clone(), self.per_move);
        for pid in self.machine.live() {
            if let Some(bot) = self.recorded.world.bot(0, to_rules(pid)) {
                tracer.begins(bot.pid, bot.side);
            }
        }
        self.recorded.world.keep_moves();
        self.recorded.tracer = Some(Box::new(tracer));
    }

    fn costs(&self) -> [Vec<String>; 2] {
        let Some(tracer) = &self.recorded.tracer else { return <[Vec<String>; 2]>::default() };
        tracer.costs(self.ending().map_or(self.machine.cycle(), |ending| ending.tick), W::BOT)
    }

    fn scene(&self) -> Scene {
        self.recorded.world.scene()
    }

    fn progress(&self) -> String {
        self.recorded.world.progress()
    }

    fn ending(&self) -> Option<Ending> {
        self.recorded.world.ending()
    }
}

impl<W: GameWorld> RecordedWorld<W> {
    /// Lets the teams that are not threads act as far as is due before (`cycle`, `pid`).
    fn run_natives(&mut self, cycle: u64, pid: Pid) {
        let killed = self.world.run_natives(&mut self.natives, cycle, pid);
        self.killed.extend(killed);
        self.collect(cycle);
        self.run_script(cycle, pid);
    }

    /// The cycle of the next request of a recorded side after `now`.
    fn next_scripted(&self, now: u64) -> u64 {
        let next = self.script.get(self.made).map_or(u64::MAX, |asked| asked.cycle);
        next.max(now + 1)
    }

    /// Performs the requests of a recorded side that come before (`cycle`, `pid`).
    fn run_script(&mut self, cycle: u64, pid: Pid) {
        let script = self.script.clone();
        while let Some(asked) = script.get(self.made).filter(|asked| (asked.cycle, asked.pid) < (cycle, pid))
        {
            self.made += 1;
            match &asked.what {
                What::Do(request) => {
                    self.world.request(asked.cycle, asked.pid, request);
                }
                What::Spawned(child) => {
                    // A refusal is a difference from the recording, which later commands show.
                    let _ = self.world.spawn(asked.cycle, asked.pid, *child);
                }
                What::Ended => {
                    if let Some(departure) = self.world.ended(asked.cycle, asked.pid) {
                        let departure = Departure { how: "left: its program ended".to_owned(), ..departure };
                        self.removed(departure);
                    }
                }
            }
            self.collect(asked.cycle);
        }
    }

    /// Keeps a request of a thread, if requests are kept and the match goes on.
    fn keep(&mut self, cycle: u64, pid: languages::Pid, what: What) {
        if self.world.ending().is_none()
            && let Some(kept) = &mut self.kept
        {
            kept.push(Asked { cycle, pid: to_rules(pid), what });
        }
    }

    /// Takes the commands that the world has drawn in `cycle`.
    fn collect(&mut self, cycle: u64) {
        self.commands.extend(self.world.drain_commands(cycle));
    }

    /// Logs a bot that the world removed; returns its thread.
    fn removed(&mut self, departure: Departure) -> languages::Pid {
        let (pid, team) = (to_languages(departure.bot.pid), W::SIDES[departure.bot.side].name);
        if let Some(tracer) = &mut self.tracer {
            tracer.removed(departure.bot.pid);
        }
        self.log.push(LogEntry::new(team, departure.bot, LogEvent::Removed(departure.how)));
        pid
    }

    /// The bot of a thread that is about to act, if the match is traced and not over.
    fn traced(&self, cycle: u64, pid: Pid) -> Option<BotInfo> {
        self.tracer.as_ref()?;
        self.world.bot(cycle, pid).filter(|_| self.world.ending().is_none())
    }

    /// Records waits and results of moves at the end of a cycle.
    fn trace_end_of_cycle(&mut self, cycle: u64, waits: &[LockWait]) {
        let reports = self.world.drain_moves();
        let Some(tracer) = &mut self.tracer else { return };
        let begun = tracer.look_at(cycle, waits);
        let mut moved = Vec::new();
        for report in reports {
            let (cycle, when, side) = (report.cycle, report.when.clone(), report.side);
            for (bots, event) in tracer.moved(report, waits) {
                moved.push((cycle, when.clone(), side, bots, event));
            }
        }
        if !tracer.tells_actions() {
            return;
        }
        for (cycle, when, side, bots, event) in moved {
            let Some(bot) = bots.first().and_then(|&pid| self.world.bot(cycle, pid)) else { continue };
            let team = W::SIDES[side].name;
            let who = match &bots[..] {
                [_] => bot.who.clone(),
                several => {
                    let several: Vec<String> = several.iter().map(ToString::to_string).collect();
                    format!("{team} {}s {}", W::BOT, several.join(", "))
                }
            };
            self.log.push(LogEntry { bots, ..LogEntry::new(team, BotInfo { when, who, ..bot }, event) });
        }
        for wait in begun {
            self.note(cycle, wait.pid, LogEvent::Waits(wait));
        }
    }

    /// Logs an event of a bot that is on the board.
    fn note(&mut self, cycle: u64, pid: languages::Pid, event: LogEvent) {
        if let Some(bot) = self.world.bot(cycle, to_rules(pid)) {
            self.log.push(LogEntry::new(W::SIDES[bot.side].name, bot, event));
        }
    }
}

impl<W: GameWorld> languages::World for RecordedWorld<W> {
    fn acts_at(&mut self, _: languages::Pid, place: impl FnOnce() -> Span) {
        if let Some(tracer) = &mut self.tracer {
            tracer.acts_at(place());
        }
    }

    fn act(&mut self, cycle: u64, pid: languages::Pid, request: &Datum) -> Answer {
        self.run_natives(cycle, to_rules(pid));
        if self.kept.is_some() && W::changes(request) {
            self.keep(cycle, pid, What::Do(request.clone()));
        }
        let bot = self.traced(cycle, to_rules(pid));
        let answer = self.world.request(cycle, to_rules(pid), request);
        if let (Some(tracer), Some(bot)) = (&mut self.tracer, bot) {
            let acting = (cycle, bot.pid, bot.side);
            let events = tracer.acted::<W>(acting, request, &answer, self.world.refused());
            let entry = |event| LogEntry::new(W::SIDES[bot.side].name, bot.clone(), event);
            self.log.extend(events.into_iter().map(entry));
        }
        let drawn = self.commands.len();
        self.collect(cycle);
        let said = self.commands[drawn..].iter().find_map(|stamped| W::said(&stamped.command));
        if let Some(text) = said.map(str::to_owned) {
            self.note(cycle, pid, LogEvent::Said(text));
        }
        answer
    }

    fn spawn(&mut self, cycle: u64, parent: languages::Pid, child: languages::Pid) -> bool {
        self.run_natives(cycle, to_rules(parent));
        let bot = self.traced(cycle, to_rules(parent));
        let spawned = self.world.spawn(cycle, to_rules(parent), to_rules(child));
        if spawned.is_ok() {
            self.keep(cycle, parent, What::Spawned(to_rules(child)));
        }
        if let (Some(tracer), Some(bot)) = (&mut self.tracer, bot) {
            let refused = spawned.as_ref().err().map(Refused::from);
            let event = tracer.spawned((cycle, bot.pid, bot.side), to_rules(child), refused);
            self.log.extend(event.map(|event| LogEntry::new(W::SIDES[bot.side].name, bot, event)));
        }
        self.collect(cycle);
        spawned.is_ok()
    }

    fn ended(&mut self, cycle: u64, pid: languages::Pid, end: &End) {
        self.run_natives(cycle, to_rules(pid));
        self.keep(cycle, pid, What::Ended);
        let Some(departure) = self.world.ended(cycle, to_rules(pid)) else { return };
        self.collect(cycle);
        let (side, bot) = (departure.bot.side, departure.bot.pid);
        if let Some(tracer) = &mut self.tracer {
            tracer.ended(cycle, bot, side, end);
        }
        let team = W::SIDES[side].name;
        let entry = LogEntry::new(team, departure.bot, LogEvent::Ended(end.clone()));
        let marker = entry.marker();
        self.commands.extend(marker.map(|marker| StampedCommand { tick: cycle, command: marker.into() }));
        self.log.push(entry);
    }

    fn deadlocked(&mut self, cycle: u64, circle: &[LockWait]) {
        if self.world.ending().is_none()
            && let Some(first) = circle.first()
        {
            self.note(cycle, first.pid, LogEvent::Deadlocked(circle.to_vec()));
        }
    }

    fn take_killed(&mut self) -> Vec<languages::Pid> {
        let mut killed = std::mem::take(&mut self.killed);
        killed.extend(self.world.drain_killed());
        killed.into_iter().map(|departure| self.removed(departure)).collect()
    }
}

fn to_rules(pid: languages::Pid) -> Pid {
    Pid(pid.0)
}

fn to_languages(pid: Pid) -> languages::Pid {
    languages::Pid(pid.0)
}
