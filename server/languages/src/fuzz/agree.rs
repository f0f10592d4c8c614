//! The engines side by side.

use std::collections::BTreeSet;

use crate::program::Program;
use crate::source::Span;
use crate::vm::Mode;
use crate::world::{Answer, End, Limits, LockWait, Pid, World};
use crate::{Datum, Machine, reference};

/// What every engine does.
trait Engine {
    fn run(&mut self, until: u64, world: &mut Log);
    fn wake(&mut self, pid: Pid, value: &Datum) -> bool;
    fn kill(&mut self, pid: Pid) -> bool;
    fn live(&self) -> Vec<Pid>;
    fn cycle(&self) -> u64;
    fn set_mode(&mut self, mode: Mode);
    /// Adds a team with one thread.
    fn start(&mut self, program: &Program) -> Pid;
    /// The machine as it will be after a snapshot of it has been taken and is gone on with.
    fn snapshot(self: Box<Self>) -> Box<dyn Engine>;
}

macro_rules! engine {
    ($machine:ty) => {
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
                Box::new(<$machine>::snapshot(&mut self))
            }
        }
    };
}

engine!(Machine);
engine!(reference::Machine);

/// Something that a world saw, or that was done from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Where a thread is that acts or spawns.
    At(Pid, Span),
    /// A thread did an action.
    Act(u64, Pid, Datum),
    /// A thread wanted a child.
    Spawn(u64, Pid, Pid),
    /// A thread ended.
    Ended(u64, Pid, End),
    /// The world put an end to a thread.
    Destroyed(u64, Pid),
    /// Threads wait for each other's locks.
    Deadlocked(u64, Vec<LockWait>),
    /// A thread was woken.
    Woken(u64, Pid),
    /// A thread was ended from outside.
    Killed(u64, Pid),
    /// The threads that lived after a cycle.
    Live(u64, Vec<Pid>),
}

/// A world whose answers follow from the requests, and that keeps everything that it sees.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// In the order in which it happened.
    pub seen: Vec<Seen>,
    /// The threads that live, as far as the world was told.
    live: Vec<Pid>,
    blocked: Vec<Pid>,
    killed: Vec<Pid>,
}

impl World for Log {
    fn acts_at(&mut self, pid: Pid, place: impl FnOnce() -> Span) {
        self.seen.push(Seen::At(pid, place()));
    }

    /// 7 waits, 2 destroys a thread, 3 and 17 are answered later, an even number is answered by an array or a list, a negative one is refused,
    /// everything else comes back.
    fn act(&mut self, cycle: u64, pid: Pid, request: &Datum) -> Answer {
        self.seen.push(Seen::Act(cycle, pid, request.clone()));
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

    /// Every fourth child may not be; now and then one costs the life of a thread.
    fn spawn(&mut self, cycle: u64, parent: Pid, child: Pid) -> bool {
        self.seen.push(Seen::Spawn(cycle, parent, child));
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
        self.seen.push(Seen::Ended(cycle, pid, end.clone()));
        assert!(self.live.contains(&pid), "thread {pid} ends, and does not live");
        self.live.retain(|&live| live != pid);
        if cycle.is_multiple_of(5) {
            self.destroy(cycle);
        }
    }

    fn deadlocked(&mut self, cycle: u64, circle: &[LockWait]) {
        self.seen.push(Seen::Deadlocked(cycle, circle.to_vec()));
        if cycle.is_multiple_of(3) {
            self.destroy(cycle);
        }
    }

    fn take_killed(&mut self) -> Vec<Pid> {
        std::mem::take(&mut self.killed)
    }
}

impl Log {
    /// Puts an end to one of the threads that live, mostly: the first one of all would end the whole.
    fn destroy(&mut self, cycle: u64) {
        let chosen = cycle as usize % self.live.len().max(1);
        if chosen > 0 || cycle.is_multiple_of(11) && !self.live.is_empty() {
            let pid = self.live.remove(chosen);
            self.seen.push(Seen::Destroyed(cycle, pid));
            self.killed.push(pid);
        }
    }

    /// How a thread ended.
    pub fn end_of(&self, pid: Pid) -> Option<&End> {
        self.seen.iter().find_map(|seen| match seen {
            Seen::Ended(_, ended, end) if *ended == pid => Some(end),
            _ => None,
        })
    }
}

/// Runs two teams of a program by the reference engine, and by the compiled one in both modes, until the first thread ends or so many
/// cycles are over; `choices` says when to look at them, to wake, to kill, to take a snapshot and go on with that. Without choices nothing but
/// waking is done. Returns what was seen.
///
/// # Panics
///
/// When they do not agree in everything that can be seen.
pub fn agree(program: &Program, limits: Limits, cycles: u64, choices: &[u8]) -> Log {
    let mut first: Option<Log> = None;
    let seed = choices.len() as u64;
    for name in ["reference", "run-ahead", "lockstep"] {
        let mode = if name == "lockstep" { Mode::Lockstep } else { Mode::RunAhead };
        let mut engine: Box<dyn Engine> = match name {
            "reference" => Box::new(reference::Machine::new(limits, seed)),
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
            log.seen.push(Seen::Live(engine.cycle(), engine.live()));
            assert_eq!(
                log.live.iter().copied().collect::<BTreeSet<_>>(),
                engine.live().into_iter().collect()
            );
            let outside = choice.map_or(0, |choice| choice % 8);
            if outside < 5 {
                for pid in std::mem::take(&mut log.blocked) {
                    if engine.wake(pid, &Datum::text("woken")) {
                        log.seen.push(Seen::Woken(engine.cycle(), pid));
                    }
                }
            } else if outside == 5 {
                let last = engine.live().last().copied();
                if let Some(pid) = last.filter(|&pid| engine.kill(pid)) {
                    log.live.retain(|&live| live != pid);
                    log.seen.push(Seen::Killed(engine.cycle(), pid));
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
