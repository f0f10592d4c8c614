//! Runner of a match of programs: the machine that runs their threads, joined with the world of a game.

use grandstand_languages::source::Sources;
use grandstand_languages::{self as languages, Datum, LockWait, Machine, Mode, Snapshot, TeamId, Watch};
use grandstand_protocol::Scene;
use grandstand_rules::Pid;

use super::bot_request::{self, BotRequestKind};
use super::costs::Account;
use super::log::{LogEntry, LogEvent};
use super::program_match::{Player, ProgramMatch};
use super::recording_world::{RecordingWorld, to_languages, to_rules};
use super::tracer::Tracer;
use super::world::GameWorld;
use crate::spec::{Ending, LogLine, RunningMatch, StampedCommand, StartError, Tracing};

/// A running match.
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
    recorded: RecordingWorld<W>,
}

/// A copy of a running match, whose machine is packed.
#[derive(Debug, Clone)]
pub struct RunnerSnapshot<W: GameWorld> {
    machine: Snapshot,
    sources: [Sources; 2],
    per_move: u64,
    teams: [Option<TeamId>; 2],
    heading: Option<u64>,
    recorded: RecordingWorld<W>,
}

impl<W: GameWorld> RunnerSnapshot<W> {
    /// The match as it was.
    #[must_use]
    pub fn restore(&self) -> Runner<W> {
        Runner {
            machine: self.machine.restore(),
            sources: self.sources.clone(),
            recorded: self.recorded.clone(),
            per_move: self.per_move,
            teams: self.teams,
            heading: self.heading,
        }
    }

    /// State of the machine.
    pub fn machine(&self) -> &Snapshot {
        &self.machine
    }
}

/// Maximum number of cycles of one advance.
const SLICE: u64 = 10_000;

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
                script.extend(bot_request::of_side(&recorded.asked, roots[side]));
            }
        }
        let spawned = script.iter().filter_map(|asked| match asked.what {
            BotRequestKind::Spawned(child) => Some(to_languages(child)),
            BotRequestKind::Do(_) | BotRequestKind::Ended => None,
        });
        let mut spawned: Vec<languages::Pid> = spawned.collect();
        spawned.sort_unstable();
        machine.leave_pids(&spawned);
        let (tracer, kept, script, made) = (None, None, script.into(), 0);
        let mut recorded =
            RecordingWorld { world, natives, killed, commands, log, tracer, kept, script, made };
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

    /// A copy that can be kept and restored; both continue in the same way. Garbage is collected first.
    #[must_use]
    pub fn snapshot(&mut self) -> RunnerSnapshot<W> {
        RunnerSnapshot {
            machine: self.machine.snapshot(),
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

    fn keep_bot_requests(&mut self) {
        self.recorded.kept.get_or_insert_default();
    }

    fn drain_bot_requests(&mut self) -> Option<String> {
        self.recorded.kept.as_mut()?.take()
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
