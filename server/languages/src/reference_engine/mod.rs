//! Reference engine: minimal and slow. It defines the behaviour of the compiled one.
//!
//! Every cycle steps every live thread once, lowest pid first; `step` is one reduction. The words of a team are not counted.

mod step;
mod store;

use std::collections::BTreeMap;
use std::sync::Arc;

use self::step::{Effect, Focus, State, Step};
use self::store::{Binding, Bound, Store, Value};
use crate::arithmetic::SplitMix64;
use crate::core::{ExprId, Module};
use crate::datum::{DATUM_ELEMENTS, Datum};
use crate::program::Program;
use crate::source::Location;
use crate::vm::Mode;
use crate::world::{Answer, Cause, End, LATEST, Limit, Limits, LockWait, Pid, Stuck, TeamId, World};

/// A machine with the same interface as [`crate::Machine`].
#[derive(Clone, Debug)]
pub struct Machine {
    limits: Limits,
    seed: u64,
    cycle: u64,
    pids: u32,
    teams: Vec<Arc<Module>>,
    threads: BTreeMap<Pid, Thread>,
    store: Store,
}

#[derive(Clone, Debug)]
struct Thread {
    team: TeamId,
    state: State,
    chance: SplitMix64,
    /// The first cycle in which the thread can step.
    from: u64,
    waits: Waits,
    steps: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waits {
    No,
    ForWorld,
    ForLock,
    /// The thread waits for the answer to an action. In each cycle it asks again, this many more times.
    ForTime(u64),
}

impl Machine {
    /// A machine without teams. `seed` determines the numbers of `rand`.
    pub fn new(limits: Limits, seed: u64) -> Self {
        Machine {
            limits,
            seed,
            cycle: 0,
            pids: 0,
            teams: Vec::new(),
            threads: BTreeMap::new(),
            store: Store::default(),
        }
    }

    /// Does nothing: this engine always steps every thread in every cycle.
    pub fn set_mode(&mut self, _mode: Mode) {}

    /// Adds a team with its program.
    pub fn add_team(&mut self, program: &Program) -> TeamId {
        self.teams.push(program.module().clone());
        TeamId((self.teams.len() - 1) as u32)
    }

    /// Starts a thread that runs its team's program from the beginning.
    pub fn start(&mut self, team: TeamId) -> Pid {
        let root = self.teams[team.0 as usize].root();
        self.add_thread(team, root, None)
    }

    fn add_thread(&mut self, team: TeamId, expr: ExprId, env: store::Env) -> Pid {
        self.pids += 1;
        let pid = Pid(self.pids);
        let thread = Thread {
            team,
            state: State::new(expr, env),
            chance: SplitMix64::new(self.seed, pid),
            from: self.cycle + 1,
            waits: Waits::No,
            steps: 0,
        };
        self.threads.insert(pid, thread);
        pid
    }

    /// The last cycle that was executed, 0 before the first.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// The live threads, lowest pid first.
    pub fn live(&self) -> Vec<Pid> {
        self.threads.keys().copied().collect()
    }

    /// Whether every live thread waits, for the world or for a lock, so that nothing more happens by itself.
    pub fn all_wait(&self) -> bool {
        self.threads.values().all(|thread| matches!(thread.waits, Waits::ForWorld | Waits::ForLock))
    }

    /// Executes cycles up to and including `until`.
    pub fn run(&mut self, until: u64, world: &mut impl World) {
        while self.cycle < until {
            if self.all_wait() {
                self.cycle = until;
                return;
            }
            self.cycle += 1;
            for pid in self.live() {
                self.step(pid, world);
            }
        }
    }

    fn step(&mut self, pid: Pid, world: &mut impl World) {
        let cycle = self.cycle;
        let Some(thread) = self.threads.get_mut(&pid) else { return };
        if thread.from > cycle {
            return;
        }
        match thread.waits {
            Waits::No => {}
            Waits::ForWorld | Waits::ForLock => return,
            Waits::ForTime(asks) => {
                thread.waits = if asks > 1 { Waits::ForTime(asks - 1) } else { Waits::No };
                return;
            }
        }
        let module = &self.teams[thread.team.0 as usize];
        let step = thread.state.step(module, &mut self.store, &self.limits, pid, &mut thread.chance);
        match step {
            Step::Reduced => thread.steps += 1,
            Step::Effect(effect, at) => {
                thread.steps += 1;
                self.effect(pid, effect, at, world);
            }
            Step::Value(value) => {
                let value = self.store.datum(value, DATUM_ELEMENTS).0;
                self.end(pid, Cause::Value(value), world);
            }
            Step::Stuck(reason, at) => self.stuck(pid, reason, at, world),
            Step::Limit(limit, at) => {
                let cause = Cause::Limit { limit, place: self.place(pid, at) };
                self.end(pid, cause, world);
            }
        }
    }

    /// Performs an effect, which a thread can't do alone. Its step is already counted; a thread that ends here takes it back.
    fn effect(&mut self, pid: Pid, effect: Effect, at: ExprId, world: &mut impl World) {
        let cycle = self.cycle;
        let value = match effect {
            Effect::Do(operand) => {
                let (request, cut) = self.store.datum(operand, DATUM_ELEMENTS);
                if cut {
                    return self.fail(pid, Stuck::RequestTooLarge, at, world);
                }
                self.tell_place(pid, at, world);
                let answer = world.act(cycle, pid, &request);
                self.take_killed(world);
                match answer {
                    Answer::Value(datum) => self.store.value(&datum.cut()),
                    Answer::Later { cycles, value } => {
                        let value = self.store.value(&value.cut());
                        self.go_on(pid, value);
                        if cycles > 0 {
                            self.wait(pid, Waits::ForTime(cycles.min(LATEST)));
                        }
                        return;
                    }
                    Answer::Block => return self.wait(pid, Waits::ForWorld),
                    Answer::Stuck(reason) => return self.fail(pid, Stuck::Action(reason), at, world),
                }
            }
            Effect::Spawn(body, parent, mut env) => {
                let team = self.threads[&pid].team;
                let threads = self.threads.values().filter(|thread| thread.team == team).count();
                if threads >= self.limits.threads {
                    let cause = Cause::Limit {
                        limit: Limit::Threads(self.limits.threads),
                        place: self.place(pid, at),
                    };
                    self.uncount(pid);
                    return self.end(pid, cause, world);
                }
                let mut value = 0;
                self.tell_place(pid, at, world);
                if world.spawn(cycle, pid, Pid(self.pids + 1)) {
                    if let Some(name) = parent {
                        let bound = Bound::Value(Value::Int(i64::from(pid.0)));
                        env = self.store.bind(Binding { name, bound, outer: env });
                    }
                    value = i64::from(self.add_thread(team, body, env).0);
                }
                self.take_killed(world);
                Value::Int(value)
            }
            Effect::Acquire(cell) => {
                let cell = &mut self.store.shared[cell];
                if cell.holder.is_some() {
                    cell.waiting.push((pid, at, cycle));
                    self.wait(pid, Waits::ForLock);
                    if let Some(circle) = LockWait::circle(pid, &self.lock_waits()) {
                        world.deadlocked(cycle, &circle);
                        self.take_killed(world);
                    }
                    return;
                }
                cell.holder = Some((pid, at));
                Value::Int(0)
            }
            Effect::Release(cell) => {
                self.hand_over(cell);
                Value::Int(0)
            }
        };
        self.go_on(pid, value);
    }

    fn wait(&mut self, pid: Pid, waits: Waits) {
        if let Some(thread) = self.threads.get_mut(&pid) {
            thread.waits = waits;
        }
    }

    /// Gives a waiting reduction its value; the thread steps again in the next cycle.
    fn go_on(&mut self, pid: Pid, value: Value) {
        if let Some(thread) = self.threads.get_mut(&pid) {
            thread.state.focus = Focus::Value(value);
            thread.waits = Waits::No;
            thread.from = self.cycle + 1;
        }
    }

    /// Gives a lock to the thread that has waited longest, if any.
    fn hand_over(&mut self, cell: usize) {
        let cell = &mut self.store.shared[cell];
        if cell.waiting.is_empty() {
            cell.holder = None;
        } else {
            let (next, at, _) = cell.waiting.remove(0);
            cell.holder = Some((next, at));
            self.go_on(next, Value::Int(0));
        }
    }

    /// The threads that wait for locks, lowest pid first.
    pub fn lock_waits(&self) -> Vec<LockWait> {
        let mut waits = Vec::new();
        for cell in &self.store.shared {
            for (&(pid, at, since), &(holder, taken)) in cell.waiting.iter().zip(cell.holder.iter().cycle()) {
                let place = |at: ExprId| *self.place(pid, at);
                waits.push(LockWait { pid, place: place(at), since, holder, taken: place(taken) });
            }
        }
        waits.sort_by_key(|wait| wait.pid);
        waits
    }

    fn uncount(&mut self, pid: Pid) {
        if let Some(thread) = self.threads.get_mut(&pid) {
            thread.steps -= 1;
        }
    }

    fn fail(&mut self, pid: Pid, reason: Stuck, at: ExprId, world: &mut impl World) {
        self.uncount(pid);
        self.stuck(pid, reason, at, world);
    }

    fn stuck(&mut self, pid: Pid, reason: Stuck, at: ExprId, world: &mut impl World) {
        // The world may have killed the thread during its action.
        if !self.threads.contains_key(&pid) {
            return;
        }
        let cause = Cause::Stuck { reason, place: self.place(pid, at) };
        self.end(pid, cause, world);
    }

    fn tell_place(&self, pid: Pid, at: ExprId, world: &mut impl World) {
        world.acts_at(pid, || self.teams[self.threads[&pid].team.0 as usize].span(at));
    }

    fn place(&self, pid: Pid, at: ExprId) -> Box<Location> {
        let module = &self.teams[self.threads[&pid].team.0 as usize];
        Box::new(module.sources().place(module.span(at)))
    }

    fn end(&mut self, pid: Pid, cause: Cause, world: &mut impl World) {
        if let Some(thread) = self.remove(pid) {
            world.ended(self.cycle, pid, &End { cause, steps: thread.steps });
            self.take_killed(world);
        }
    }

    /// Ends the threads that the world has destroyed.
    fn take_killed(&mut self, world: &mut impl World) {
        for pid in world.take_killed() {
            self.remove(pid);
        }
    }

    /// Removes a thread; its locks go to the threads that wait for them.
    fn remove(&mut self, pid: Pid) -> Option<Thread> {
        let thread = self.threads.remove(&pid)?;
        for cell in 0..self.store.shared.len() {
            self.store.shared[cell].waiting.retain(|&(waiting, ..)| waiting != pid);
            if self.store.shared[cell].is_held_by(pid) {
                self.hand_over(cell);
            }
        }
        Some(thread)
    }

    /// Gives the action that a thread waits for its value; the thread steps again in the next cycle. Returns `false`
    /// if it does not wait for one.
    pub fn wake(&mut self, pid: Pid, value: &Datum) -> bool {
        if self.threads.get(&pid).is_none_or(|thread| thread.waits != Waits::ForWorld) {
            return false;
        }
        let value = self.store.value(&value.clone().cut());
        self.go_on(pid, value);
        true
    }

    /// Ends a thread from outside, without an `ended` event. Returns `false` if it does not live.
    pub fn kill(&mut self, pid: Pid) -> bool {
        self.remove(pid).is_some()
    }
}
