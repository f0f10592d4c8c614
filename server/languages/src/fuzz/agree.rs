//! Comparison of the engines, running in parallel.

use std::collections::BTreeSet;

use crate::program::Program;
use crate::source::Span;
use crate::vm::Mode;
use crate::world::{Answer, End, Limits, LockWait, Pid, World};
use crate::{Datum, Machine, reference_engine};

/// The common interface of all engines.
trait Engine {
    fn run(&mut self, until: u64, world: &mut Log);
    fn wake(&mut self, pid: Pid, value: &Datum) -> bool;
    fn kill(&mut self, pid: Pid) -> bool;
    fn live(&self) -> Vec<Pid>;
    fn cycle(&self) -> u64;
    fn set_mode(&mut self, mode: Mode);
    /// Adds a team with one thread.
    fn start(&mut self, program: &Program) -> Pid;
    /// Takes a snapshot, and returns the machine of the two with which the test continues.
    fn snapshot(self: Box<Self>) -> Box<dyn Engine>;
}

macro_rules! engine {
    ($machine:ty, $snapshot:expr) => {
        impl Engine for $machine {
            fn run(&mut self, until: u64, world: &mut Log) {
                <$machine>::run(self, until, world)
            }
            fn wake(&mut self, pid: Pid, value: &Datum) -> bool {
                <$machine>::wake(self, pid, value)
            }
            fn kill(&mut self, pid: Pid) -> bool {
                <$machine>::kill(self, pid)
            }
            fn live(&self) -> Vec<Pid> {
                <$machine>::live(self)
            }
            fn cycle(&self) -> u64 {
                <$machine>::cycle(self)
            }
            fn set_mode(&mut self, mode: Mode) {
                <$machine>::set_mode(self, mode)
            }
            fn start(&mut self, program: &Program) -> Pid {
                let team = self.add_team(program);
                <$machine>::start(self, team)
            }
            fn snapshot(mut self: Box<Self>) -> Box<dyn Engine> {
                Box::new($snapshot(&mut *self))
            }
        }
    };
}

engine!(Machine, |machine: &mut Machine| machine.snapshot().restore());
engine!(reference_engine::Machine, |machine: &mut reference_engine::Machine| machine.clone());

/// An event that a world observed, or an action from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueView {
    /// The location of a thread that acts or spawns.
    At(Pid, Span),
    /// An action of a thread.
    Act(u64, Pid, Datum),
    /// A thread's request for a child.
    Spawn(u64, Pid, Pid),
    /// The end of a thread.
    Ended(u64, Pid, End),
    /// The destruction of a thread by the world.
    Destroyed(u64, Pid),
    /// A deadlock: threads that wait for each other's locks.
    Deadlocked(u64, Vec<LockWait>),
    /// The wake-up of a thread.
    Woken(u64, Pid),
    /// The killing of a thread from outside.
    Killed(u64, Pid),
    /// The live threads after a cycle.
    Live(u64, Vec<Pid>),
}

/// A world whose answers are a function of the requests, and that records all events.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// The events, in order.
    pub seen: Vec<ValueView>,
    /// The live threads, as far as the world knows.
    live: Vec<Pid>,
    blocked: Vec<Pid>,
    killed: Vec<Pid>,
}

impl World for Log {
    fn acts_at(&mut self, pid: Pid, place: impl FnOnce() -> Span) {
        self.seen.push(ValueView::At(pid, place()));
    }

    /// Request 7 blocks, 2 destroys a thread, 3 and 17 are answered later; an even number is answered with an array or a list, a negative
    /// one is refused, and everything else is returned.
    fn act(&mut self, cycle: u64, pid: Pid, request: &Datum) -> Answer {
        self.seen.push(ValueView::Act(cycle, pid, request.clone()));
        assert!(self.live.contains(&pid), "thread {pid} acts, and does not live");
        let both = || [request.clone(), Datum::Int(cycle as i64)];
        match request {
            Datum::Int(7) => {
                self.blocked.push(pid);
                Answer::Block
            }
            Datum::Int(2) => {
                self.destroy(cycle);
                Answer::Value(Datum::Int(2))
            }
            Datum::Int(3 | 17) => {
                let cycles = [0, 1, 30, 5, 1500][(cycle % 5) as usize];
                Answer::Later { cycles, value: Datum::list(both()) }
            }
            Datum::Int(n) if *n < 0 => Answer::Stuck("no".to_owned()),
            Datum::Int(n) if n % 4 == 0 => Answer::Value(Datum::Array(both().to_vec())),
            Datum::Int(n) if n % 4 == 2 => Answer::Value(Datum::list(both())),
            other => Answer::Value(other.clone()),
        }
    }

    /// Refuses every fourth child; occasionally a spawn destroys a thread.
    fn spawn(&mut self, cycle: u64, parent: Pid, child: Pid) -> bool {
        self.seen.push(ValueView::Spawn(cycle, parent, child));
        assert!(self.live.contains(&parent), "thread {parent} spawns, and does not live");
        let allowed = !(cycle + u64::from(parent.0)).is_multiple_of(4);
        if allowed {
            self.live.push(child);
        }
        if cycle.is_multiple_of(7) {
            self.destroy(cycle);
        }
        allowed
    }

    fn ended(&mut self, cycle: u64, pid: Pid, end: &End) {
        self.seen.push(ValueView::Ended(cycle, pid, end.clone()));
        assert!(self.live.contains(&pid), "thread {pid} ends, and does not live");
        self.live.retain(|&live| live != pid);
        if cycle.is_multiple_of(5) {
            self.destroy(cycle);
        }
    }

    fn deadlocked(&mut self, cycle: u64, circle: &[LockWait]) {
        self.seen.push(ValueView::Deadlocked(cycle, circle.to_vec()));
        if cycle.is_multiple_of(3) {
            self.destroy(cycle);
        }
    }

    fn take_killed(&mut self) -> Vec<Pid> {
        std::mem::take(&mut self.killed)
    }
}

impl Log {
    /// Destroys one of the live threads, seldom the first one, whose end would end the test.
    fn destroy(&mut self, cycle: u64) {
        let chosen = cycle as usize % self.live.len().max(1);
        if chosen > 0 || cycle.is_multiple_of(11) && !self.live.is_empty() {
            let pid = self.live.remove(chosen);
            self.seen.push(ValueView::Destroyed(cycle, pid));
            self.killed.push(pid);
        }
    }

    /// The end of a thread.
    pub fn end_of(&self, pid: Pid) -> Option<&End> {
        self.seen.iter().find_map(|seen| match seen {
            ValueView::Ended(_, ended, end) if *ended == pid => Some(end),
            _ => None,
        })
    }
}

/// Runs two teams of a program on the reference engine, and on the compiled one in both modes, until the first thread ends or
/// `cycles` cycles are over. `choices` determines when to compare, wake, kill, and continue with a snapshot. Without choices only
/// wake-ups happen. Returns the events.
///
/// # Panics
///
/// If the engines differ in anything observable.
pub fn agree(program: &Program, limits: Limits, cycles: u64, choices: &[u8]) -> Log {
    let mut first: Option<Log> = None;
    let seed = choices.len() as u64;
    for name in ["reference", "run-ahead", "lockstep"] {
        let mode = if name == "lockstep" { Mode::Lockstep } else { Mode::RunAhead };
        let mut engine: Box<dyn Engine> = match name {
            "reference" => Box::new(reference_engine::Machine::new(limits, seed)),
            _ => Box::new(Machine::new(limits, seed)),
        };
        engine.set_mode(mode);
        let mut log = Log::default();
        for _ in 0..if choices.is_empty() { 1 } else { 2 } {
            log.live.push(engine.start(program));
        }
        let mut choices = choices.iter().cycle();
        while engine.cycle() < cycles && log.end_of(Pid(1)).is_none() {
            let choice = choices.next().copied();
            let step = choice.map_or(1000, |choice| u64::from(choice) + 1);
            engine.run((engine.cycle() + step).min(cycles), &mut log);
            log.seen.push(ValueView::Live(engine.cycle(), engine.live()));
            assert_eq!(
                log.live.iter().copied().collect::<BTreeSet<_>>(),
                engine.live().into_iter().collect()
            );
            let outside = choice.map_or(0, |choice| choice % 8);
            if outside < 5 {
                for pid in std::mem::take(&mut log.blocked) {
                    if engine.wake(pid, &Datum::text("woken")) {
                        log.seen.push(ValueView::Woken(engine.cycle(), pid));
                    }
                }
            } else if outside == 5 {
                let last = engine.live().last().copied();
                if let Some(pid) = last.filter(|&pid| engine.kill(pid)) {
                    log.live.retain(|&live| live != pid);
                    log.seen.push(ValueView::Killed(engine.cycle(), pid));
                }
            } else if outside == 6 {
                engine = engine.snapshot();
            }
        }
        match &first {
            None => first = Some(log),
            Some(first) => {
                let differs = first.seen.iter().zip(&log.seen).find(|(one, other)| one != other);
                assert!(
                    first.seen == log.seen,
                    "{name} differs from the reference: {differs:?} (of {} and {})\n{}",
                    first.seen.len(),
                    log.seen.len(),
                    program.sources().files()[0].text
                );
            }
        }
    }
    first.unwrap_or_default()
}
