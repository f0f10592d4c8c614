//! Stops at operations: a machine that tells somebody, while it runs, that a thread is about to do one that is watched.
//!
//! A watched machine goes in lockstep, so that everything that happens before an operation has happened when it is told of. What it
//! comes to is the same.

use std::collections::BTreeMap;
use std::fmt;

use super::Machine;
use super::exit::{Exit, StopCheck, Unwatched};
use super::interpret;
use super::thread::Thread;
use crate::compile::code::Pc;
use crate::view::Visit;
use crate::world::{Pid, TeamId, World};

/// Somebody who wants to know when threads come to operations.
pub trait Watcher {
    /// The operations of a thread's program that it stops before, by their indices; `None` for a thread that is not looked at.
    fn stops(&self, team: TeamId, pid: Pid) -> Option<&[bool]>;

    /// A thread is about to do one of them.
    fn reached(&mut self, machine: &Machine, visit: Visit);
}

/// A watcher, and what it has been told last of each thread. It is used for all cycles of one run, one after the other.
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
    /// Nothing told yet.
    pub fn new(watcher: &'a mut dyn Watcher) -> Self {
        Watch { watcher, told: BTreeMap::new() }
    }
}

/// Who looks at a machine while it runs.
pub(super) trait Observer {
    /// Where a thread of a team stops.
    fn stops(&self, team: usize, pid: Pid) -> impl StopCheck;

    /// The thread has stopped before an operation.
    fn reached(&mut self, machine: &Machine, index: usize);
}

/// As matches are played.
pub(super) struct Unobserved;

impl Observer for Unobserved {
    #[inline(always)]
    fn stops(&self, _: usize, _: Pid) -> impl StopCheck {
        Unwatched
    }

    fn reached(&mut self, _: &Machine, _: usize) {}
}

/// Stops before some operations, but not again where it has stopped already.
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

/// Stops before every operation but the one where it begins.
struct Single(bool);

impl StopCheck for Single {
    fn stops(&mut self, _: usize, _: u64) -> bool {
        std::mem::replace(&mut self.0, true)
    }
}

impl Machine {
    /// Executes cycles up to and including `until`, as [`run`](Machine::run) does, and tells a watcher of the operations that it wants to know of, in the order of
    /// (cycle, pid).
    pub fn run_watched(&mut self, until: u64, world: &mut impl World, watch: &mut Watch<'_>) {
        self.run_in(super::Mode::Lockstep, until, world, watch);
    }

    /// Lets one thread go on, ahead of all others, past operations that take no time, up to the `count`th from here or `operation`. Gives how many it has passed.
    /// For a machine that is looked at and then dropped.
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
