//! Compiled engine: threads run ahead to their next effect, and effects happen in the order of (cycle, pid).
//!
//! A thread's reductions between two effects can't be observed from outside, so the results are those of stepping every thread once in
//! every cycle. Observable are actions, shared cells and their locks, spawns, and ends.

mod apply;
pub(crate) mod array;
pub(crate) mod data;
mod effects;
mod exit;
mod faults;
pub(crate) mod heap;
mod inspect;
mod interpret;
mod memory;
pub(crate) mod scope;
mod snapshot;
mod thread;
pub(crate) mod value;
mod watch;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

use self::exit::{Event, Exit, NeverStop};
use self::heap::Heap;
use self::thread::{Thread, Waits};
use self::value::{Ref, Value};
use self::watch::{NoObserver, Observer};
use crate::arithmetic::SplitMix64;
use crate::compile::code::Code;
use crate::core::ExprId;
use crate::datum::{DATUM_ELEMENTS, Datum};
use crate::program::Program;
use crate::source::Location;
use crate::view::Write;
use crate::world::{Cause, End, Limits, Pid, TeamId, World};

pub(crate) use self::faults::binary;
pub use self::snapshot::Snapshot;
pub use self::watch::{Watch, Watcher};

/// The interval, in cycles, at whose ends a team's words are counted.
const COUNTED_EVERY: u64 = 1024;

/// The mode of execution. Both modes give the same results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    /// Every thread runs ahead to its next effect.
    #[default]
    RunAhead,
    /// Every thread is stepped in every cycle, lowest pid first: for inspecting threads between two steps.
    Lockstep,
}

/// The threads of several teams, their heaps, and their clock. A clone is a snapshot.
#[derive(Clone, Debug)]
pub struct Machine {
    limits: Limits,
    seed: u64,
    mode: Mode,
    cycle: u64,
    pids: u32,
    /// Pids of participants that are not threads of this machine, in order.
    left: Arc<[u32]>,
    tickets: u64,
    teams: Vec<Team>,
    /// The threads, lowest pid first.
    threads: Vec<Thread>,
    /// Threads woken by another thread's effect, and new children, which have not run yet.
    woken: Vec<Pid>,
}

#[derive(Clone, Debug)]
struct Team {
    code: Arc<Code>,
    heap: Heap,
    /// The words made since the last count by threads that have ended.
    made: u64,
    /// The last writes to shared cells; `None` unless requested.
    writes: Option<BTreeMap<Ref, Write>>,
}

impl Machine {
    /// A machine without teams. `seed` determines the numbers of `rand`.
    pub fn new(limits: Limits, seed: u64) -> Self {
        let array_elements = limits.array_elements.min(u32::MAX as usize / 2);
        Machine {
            limits: Limits { array_elements, ..limits },
            seed,
            mode: Mode::default(),
            cycle: 0,
            pids: 0,
            left: Arc::default(),
            tickets: 0,
            teams: Vec::new(),
            threads: Vec::new(),
            woken: Vec::new(),
        }
    }

    /// Sets the mode of execution; the results do not depend on it.
    pub fn set_mode(&mut self, mode: Mode) {
        self.mode = mode;
    }

    /// Adds a team with its program.
    pub fn add_team(&mut self, program: &Program) -> TeamId {
        let code = program.code().clone();
        let heap = Heap::new(&code.statics);
        self.teams.push(Team { code, heap, made: 0, writes: None });
        TeamId((self.teams.len() - 1) as u32)
    }

    /// Starts a thread that runs its team's program from the beginning; its first step is in the next cycle.
    ///
    /// # Panics
    ///
    /// When the machine does not have the team.
    pub fn start(&mut self, team: TeamId) -> Pid {
        let entry = self.teams[team.0 as usize].code.entry;
        self.add_thread(team.0 as usize, entry, vec![Value::Int(0)])
    }

    /// Reserves a pid that no thread of this machine will have, for a participant of the same world that is no thread.
    pub fn reserve_pid(&mut self) -> Pid {
        self.pids = self.next_pid().0;
        Pid(self.pids)
    }

    /// Leaves pids for participants of the same world that are not threads of this machine. They must be in order.
    pub fn leave_pids(&mut self, pids: &[Pid]) {
        self.left = pids.iter().map(|pid| pid.0).collect();
    }

    /// The pid that the next thread will have.
    fn next_pid(&self) -> Pid {
        let mut next = self.pids + 1;
        let from = self.left.partition_point(|left| *left < next);
        for left in &self.left[from..] {
            if *left == next {
                next += 1;
            }
        }
        Pid(next)
    }

    fn add_thread(&mut self, team: usize, pc: u32, stack: Vec<Value>) -> Pid {
        let pid = self.reserve_pid();
        let chance = SplitMix64::new(self.seed, pid);
        self.threads.push(Thread::new(pid, team, pc, stack, self.cycle + 1, chance));
        pid
    }

    /// The last cycle that was executed, 0 before the first.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// The live threads, lowest pid first.
    pub fn live(&self) -> Vec<Pid> {
        self.threads.iter().map(|thread| thread.pid).collect()
    }

    /// Whether a thread is live.
    pub fn is_live(&self, pid: Pid) -> bool {
        self.find(pid).is_some()
    }

    /// Whether every live thread waits, for the world or for a lock, so that nothing more happens by itself.
    pub fn all_wait(&self) -> bool {
        self.threads.iter().all(|thread| thread.waits != Waits::No)
    }

    /// The number of reductions of a live thread.
    pub fn steps(&self, pid: Pid) -> Option<u64> {
        Some(self.threads[self.find(pid)?].steps(self.cycle))
    }

    /// The location of a live thread: the expression that it reduces next, or waits in. In run-ahead mode it can be ahead of the clock.
    pub fn place(&self, pid: Pid) -> Option<Location> {
        let thread = &self.threads[self.find(pid)?];
        let code = &self.teams[thread.team].code;
        Some(*place(code, code.details[thread.pc as usize].exprs[0]))
    }

    fn find(&self, pid: Pid) -> Option<usize> {
        self.threads.binary_search_by_key(&pid, |thread| thread.pid).ok()
    }

    /// Executes cycles up to and including `until`.
    pub fn run(&mut self, until: u64, world: &mut impl World) {
        self.run_in(self.mode, until, world, &mut NoObserver);
    }

    fn run_in(&mut self, mode: Mode, until: u64, world: &mut impl World, observer: &mut impl Observer) {
        while self.cycle < until {
            // Cycles without a step are skipped.
            let clocks = self.threads.iter().filter(|thread| thread.waits == Waits::No);
            let idle = clocks.map(|thread| thread.clock - 1).min().unwrap_or(until).min(until);
            if idle > self.cycle && !(0..self.teams.len()).any(|team| self.is_due(team)) {
                self.cycle = idle;
                continue;
            }
            let counting = (self.cycle / COUNTED_EVERY + 1) * COUNTED_EVERY;
            let segment = counting.min(until);
            match mode {
                Mode::RunAhead => self.run_ahead(segment, world),
                Mode::Lockstep => self.run_lockstep(segment, world, observer),
            }
            self.cycle = segment;
            if segment == counting {
                for team in 0..self.teams.len() {
                    if self.is_due(team) {
                        self.count_words(team, world);
                    }
                }
                for thread in &mut self.threads {
                    thread.give_back(&self.teams[thread.team].code);
                }
            }
        }
    }

    fn run_ahead(&mut self, until: u64, world: &mut impl World) {
        let mut events = BinaryHeap::with_capacity(self.threads.len());
        for index in 0..self.threads.len() {
            if let Some(at) = self.advance(index, until) {
                events.push(Reverse((at, self.threads[index].pid)));
            }
        }
        while let Some(Reverse((at, pid))) = events.pop() {
            self.cycle = at;
            self.event(pid, world);
            if let Some(next) = self.find(pid).and_then(|index| self.advance(index, until)) {
                events.push(Reverse((next, pid)));
            }
            while let Some(woken) = self.woken.pop() {
                if let Some(next) = self.find(woken).and_then(|index| self.advance(index, until)) {
                    events.push(Reverse((next, woken)));
                }
            }
        }
    }

    fn run_lockstep(&mut self, until: u64, world: &mut impl World, observer: &mut impl Observer) {
        for cycle in self.cycle + 1..=until {
            self.cycle = cycle;
            let mut index = 0;
            while let Some(found) = self.step_up_to_event(index, cycle, observer) {
                let pid = self.threads[found].pid;
                if self.advance_with(found, cycle, observer).is_some() {
                    self.event(pid, world);
                    self.woken.clear();
                }
                // Threads may have ended: this one, or others because of it.
                index = self.threads.partition_point(|thread| thread.pid <= pid);
            }
        }
    }

    /// Steps the threads from `index` on in this cycle, up to one with an event.
    fn step_up_to_event(&mut self, index: usize, cycle: u64, observer: &mut impl Observer) -> Option<usize> {
        for index in index..self.threads.len() {
            let thread = &mut self.threads[index];
            if thread.clock > cycle || thread.waits != Waits::No {
                continue;
            }
            loop {
                match self.run_thread(index, cycle, observer) {
                    Exit::Paused => break,
                    Exit::Event(at, _) if at > cycle => break,
                    Exit::Event(..) | Exit::Collect(_) => return Some(index),
                    Exit::Watched => observer.reached(self, index),
                }
            }
        }
        None
    }

    /// Runs a thread until cycle `until` at most.
    fn run_thread(&mut self, index: usize, until: u64, observer: &mut impl Observer) -> Exit {
        let thread = &mut self.threads[index];
        let Team { code, heap, .. } = &mut self.teams[thread.team];
        let before = heap.len();
        let mut stops = observer.stops(thread.team, thread.pid);
        let exit = interpret::run(thread, heap, code, &self.limits, until, &mut stops);
        thread.made += (heap.len() - before) as u64;
        exit
    }

    /// Runs a thread until cycle `until` at most, with collections. Returns the cycle of its next event if that is not later.
    fn advance(&mut self, index: usize, until: u64) -> Option<u64> {
        self.advance_with(index, until, &mut NoObserver)
    }

    fn advance_with(&mut self, index: usize, until: u64, observer: &mut impl Observer) -> Option<u64> {
        loop {
            let thread = &self.threads[index];
            if thread.waits != Waits::No || thread.clock > until {
                return None;
            }
            match self.run_thread(index, until, observer) {
                Exit::Paused => return None,
                Exit::Event(at, _) => return (at <= until).then_some(at),
                Exit::Collect(words) => self.collect(self.threads[index].team, words),
                Exit::Watched => observer.reached(self, index),
            }
        }
    }

    /// Performs the event that a thread has reached in this cycle.
    fn event(&mut self, pid: Pid, world: &mut impl World) {
        let Some(index) = self.find(pid) else { return };
        let thread = &mut self.threads[index];
        let code = self.teams[thread.team].code.clone();
        let op = code.ops[thread.pc as usize];
        if let Some(registers) = effects::effect_registers(op)
            && self.is_effect(index, registers.1, op)
        {
            return self.effect(index, op, registers, world);
        }
        let thread = &mut self.threads[index];
        let heap = &mut self.teams[thread.team].heap;
        let cause = match interpret::run(thread, heap, &code, &self.limits, self.cycle, &mut NeverStop) {
            Exit::Event(_, Event::Ended) => {
                let value = *thread.register(0);
                Cause::Value(data::datum(heap, value, DATUM_ELEMENTS).0)
            }
            Exit::Event(_, Event::Stuck(reason, at)) => Cause::Stuck { reason, place: place(&code, at) },
            Exit::Event(_, Event::Limit(limit, at)) => Cause::Limit { limit, place: place(&code, at) },
            other => unreachable!("a thread that has had an event has it again, not {other:?}"),
        };
        let steps = self.cycle - self.threads[index].idle;
        self.end(index, cause, steps, world);
    }

    /// Ends a thread after `steps` reductions, and reports its end.
    fn end(&mut self, index: usize, cause: Cause, steps: u64, world: &mut impl World) {
        let made = self.threads[index].made;
        let pid = self.remove(index, made).pid;
        world.ended(self.cycle, pid, &End { cause, steps });
        self.take_killed(world);
    }

    /// Ends the threads that the world has destroyed.
    fn take_killed(&mut self, world: &mut impl World) {
        for pid in world.take_killed() {
            self.remove_killed(pid);
        }
    }

    /// Ends a thread from outside. The words that it made after its last effect are not counted: their number depends on how far it ran
    /// ahead, and no other thread can refer to them.
    fn remove_killed(&mut self, pid: Pid) -> bool {
        let Some(index) = self.find(pid) else { return false };
        let made = self.threads[index].shown;
        self.remove(index, made);
        true
    }

    /// Removes a thread, of whose words `made` are still counted; its locks go to the threads that wait for them.
    fn remove(&mut self, index: usize, made: u64) -> Thread {
        let thread = self.threads.remove(index);
        self.teams[thread.team].made += made;
        for held in &thread.held {
            self.hand_over(thread.team, held.cell);
        }
        thread
    }

    /// Gives the action that a thread waits for its value; the thread steps again in the next cycle. Returns `false`
    /// if it does not wait for one.
    pub fn wake(&mut self, pid: Pid, value: &Datum) -> bool {
        match self.find(pid) {
            Some(index) if self.threads[index].waits == Waits::World => {
                let value = self.make(index, value);
                self.go_on(index, value);
                true
            }
            _ => false,
        }
    }

    /// Ends a thread from outside, without an `ended` event. Returns `false` if it is not live.
    pub fn kill(&mut self, pid: Pid) -> bool {
        let killed = self.remove_killed(pid);
        self.woken.clear();
        killed
    }
}

fn place(code: &Code, at: ExprId) -> Box<Location> {
    Box::new(code.module.sources().place(code.module.span(at)))
}
