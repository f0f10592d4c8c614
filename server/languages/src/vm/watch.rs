//! Watchers: a machine reports, while it runs, that a thread is about to perform a watched operation.
//!
//! A watched machine runs in lockstep, so that everything before an operation has happened when it is reported. The results
//! are the same.

use std::collections::BTreeMap;
use std::fmt;

use super::Machine;
use super::exit::{Exit, NeverStop, StopCheck};
use super::interpret;
use super::thread::Thread;
use crate::compile::code::Pc;
use crate::view::Visit;
use crate::world::{Pid, TeamId, World};

/// A receiver of reports about threads at operations.
pub trait Watcher {
    /// The operations of a thread's program to stop before, by index; `None` for a thread that is not watched.
    fn stops(&self, team: TeamId, pid: Pid) -> Option<&[bool]>;

    /// Called when a thread is about to perform one of them.
    fn reached(&mut self, machine: &Machine, visit: Visit);
}

/// A watcher, with the last report for each thread. It serves all cycles of one run, in sequence.
pub struct Watch<'a> {
    watcher: &'a mut dyn Watcher,
    told: BTreeMap<Pid, (Pc, u64)>,
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("told", &self.told).finish_non_exhaustive()
    }
}

impl<'a> Watch<'a> {
    /// A watch without reports so far.
    pub fn new(watcher: &'a mut dyn Watcher) -> Self {
        Watch { watcher, told: BTreeMap::new() }
    }
}

/// An observer of a running machine.
pub(super) trait Observer {
    /// The check that stops a thread of a team.
    fn stops(&self, team: usize, pid: Pid) -> impl StopCheck;

    /// Called when the thread has stopped before an operation.
    fn reached(&mut self, machine: &Machine, index: usize);
}

/// The observer of a normal run, which does nothing.
pub(super) struct NoObserver;

impl Observer for NoObserver {
    #[inline(always)]
    fn stops(&self, _: usize, _: Pid) -> impl StopCheck {
        NeverStop
    }

    fn reached(&mut self, _: &Machine, _: usize) {}
}

/// Stops before selected operations, but not twice at the same one.
struct Stops<'a> {
    at: &'a [bool],
    told: Option<(Pc, u64)>,
}

impl StopCheck for Stops<'_> {
    #[inline(always)]
    fn stops(&mut self, pc: usize, clock: u64) -> bool {
        self.at.get(pc) == Some(&true) && self.told != Some((pc as Pc, clock))
    }
}

impl Observer for Watch<'_> {
    fn stops(&self, team: usize, pid: Pid) -> impl StopCheck {
        let at = self.watcher.stops(TeamId(team as u32), pid).unwrap_or_default();
        Stops { at, told: self.told.get(&pid).copied() }
    }

    fn reached(&mut self, machine: &Machine, index: usize) {
        let Thread { pid, pc, clock, .. } = machine.threads[index];
        self.told.insert(pid, (pc, clock));
        let depth = machine.threads[index].frames.len();
        self.watcher.reached(machine, Visit { pid, cycle: clock, operation: pc, depth });
    }
}

/// Stops before every operation except the first one.
struct Single(bool);

impl StopCheck for Single {
    fn stops(&mut self, _: usize, _: u64) -> bool {
        std::mem::replace(&mut self.0, true)
    }
}

impl Machine {
    /// Executes cycles up to and including `until`, like [`run`](Machine::run), and reports the watched operations in the order of
    /// (cycle, pid).
    pub fn run_watched(&mut self, until: u64, world: &mut impl World, watch: &mut Watch<'_>) {
        self.run_in(super::Mode::Lockstep, until, world, watch);
    }

    /// Runs one thread, ahead of all others, within its current cycle: past operations that take no time, up to
    /// `count` of them or to `operation`. Returns the number of operations passed. Only for a machine that is
    /// inspected and then dropped.
    pub fn step_inside(&mut self, pid: Pid, count: u32, operation: Option<u32>) -> u32 {
        let Some(index) = self.find(pid) else { return 0 };
        let until = self.threads[index].clock;
        let mut passed = 0;
        while passed < count && operation != Some(self.threads[index].pc) {
            let thread = &mut self.threads[index];
            let super::Team { code, heap, .. } = &mut self.teams[thread.team];
            let exit = interpret::run(thread, heap, code, &self.limits, until, &mut Single(false));
            match exit {
                Exit::Watched => passed += 1,
                Exit::Collect(words) => self.collect(self.threads[index].team, words),
                Exit::Paused | Exit::Event(..) => return passed,
            }
        }
        passed
    }
}
