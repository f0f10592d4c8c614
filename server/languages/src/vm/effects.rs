//! Effects of a thread that other threads or the world observe: actions, shared cells, locks, spawns.

use super::thread::{Held, Waits};
use super::value::{Ref, Value};
use super::{Machine, data, place};
use crate::compile::code::{Op, Pc, Reg};
use crate::datum::{DATUM_ELEMENTS, Datum};
use crate::source::Span;
use crate::world::{Answer, Cause, LATEST, Limit, LockWait, Pid, Stuck, World};

impl Machine {
    /// Whether an operation is an effect, given its operand. Operations on the thread's own cells are none.
    pub(super) fn is_effect(&mut self, index: usize, operand: Reg, op: Op) -> bool {
        match op {
            Op::Do { .. } | Op::Spawn { .. } => true,
            _ => matches!(self.threads[index].register(operand), Value::Shared(_)),
        }
    }

    /// Performs the effect at which a thread has stopped.
    pub(super) fn effect(
        &mut self,
        index: usize,
        op: Op,
        (d, first, second): (Reg, Reg, Reg),
        world: &mut impl World,
    ) {
        let thread = &mut self.threads[index];
        thread.clock = self.cycle;
        thread.shown = thread.made;
        let (pid, team) = (thread.pid, thread.team);
        let (operand, value) = (*thread.register(first), *thread.register(second));
        match (op, operand) {
            (Op::Get { .. }, Value::Shared(cell)) => {
                let value = self.teams[team].heap.get(cell, 0);
                self.threads[index].go_on(d, value, self.cycle + 1);
            }
            (Op::Assign { .. }, Value::Shared(cell)) => {
                self.teams[team].heap.set(cell, 0, value);
                self.note_write(index, cell);
                self.threads[index].go_on(d, Value::Int(0), self.cycle + 1);
            }
            (Op::Acquire { .. }, Value::Shared(cell)) => match self.holder(team, cell) {
                None => {
                    self.give_lock(index, cell);
                    self.threads[index].go_on(d, Value::Int(0), self.cycle + 1);
                }
                Some(holder) if holder == pid => self.stuck(index, Stuck::LockHeld, world),
                Some(_) => {
                    self.tickets += 1;
                    self.threads[index].waits = Waits::Lock { ticket: self.tickets };
                    if self.closes_circle(index)
                        && let Some(circle) = LockWait::circle(pid, &self.lock_waits())
                    {
                        world.deadlocked(self.cycle, &circle);
                        self.take_killed(world);
                    }
                }
            },
            (Op::Release { .. }, Value::Shared(cell)) => {
                if self.holder(team, cell) != Some(pid) {
                    return self.stuck(index, Stuck::LockNotHeld, world);
                }
                self.drop_lock(index, cell);
                self.threads[index].go_on(d, Value::Int(0), self.cycle + 1);
                self.hand_over(team, cell);
            }
            (Op::Do { .. }, _) => {
                let (request, cut) = data::datum(&self.teams[team].heap, operand, DATUM_ELEMENTS);
                if cut {
                    return self.stuck(index, Stuck::RequestTooLarge, world);
                }
                world.acts_at(pid, || self.span(index));
                let answer = world.act(self.cycle, pid, &request);
                self.take_killed(world);
                let Some(index) = self.find(pid) else { return };
                let mut answered = |cycles: u64, value: &Datum| {
                    let value = self.make(index, value);
                    self.threads[index].go_on(d, value, self.cycle + 1 + cycles);
                };
                match answer {
                    Answer::Value(value) => answered(0, &value),
                    Answer::Later { cycles, value } => answered(cycles.min(LATEST), &value),
                    Answer::Block => self.threads[index].waits = Waits::World,
                    Answer::Stuck(reason) => self.stuck(index, Stuck::Action(reason), world),
                }
            }
            (Op::Spawn { to, told, .. }, _) => self.spawn(index, d, (to, told), operand, world),
            _ => unreachable!("{op:?} of {operand:?} is no effect"),
        }
    }

    fn spawn(
        &mut self,
        index: usize,
        d: Reg,
        (to, told): (u32, bool),
        closure: Value,
        world: &mut impl World,
    ) {
        let thread = &self.threads[index];
        let (pid, team) = (thread.pid, thread.team);
        if self.threads.iter().filter(|thread| thread.team == team).count() >= self.limits.threads {
            let code = self.teams[team].code.clone();
            let at = code.details[thread.pc as usize].exprs[0];
            let cause = Cause::Limit { limit: Limit::Threads(self.limits.threads), place: place(&code, at) };
            let steps = self.cycle - thread.idle;
            return self.end(index, cause, steps, world);
        }
        // A register that is not in use must be ignored, and must not be kept alive.
        let in_use = self.teams[team].code.details[thread.pc as usize].height > d;
        let closure = if in_use { closure } else { Value::Int(0) };
        let mut child = 0;
        world.acts_at(pid, || self.span(index));
        if world.spawn(self.cycle, pid, self.next_pid()) {
            let parent = told.then_some(Value::Int(i64::from(pid.0)));
            let new = self.add_thread(team, to, parent.into_iter().chain([closure]).collect());
            self.woken.push(new);
            child = i64::from(new.0);
        }
        self.take_killed(world);
        if let Some(index) = self.find(pid) {
            self.threads[index].go_on(d, Value::Int(child), self.cycle + 1);
        }
    }

    /// The source location of the thread.
    fn span(&self, index: usize) -> Span {
        let thread = &self.threads[index];
        let code = &self.teams[thread.team].code;
        code.module.span(code.details[thread.pc as usize].exprs[0])
    }

    /// Ends a thread that is stuck at an effect.
    fn stuck(&mut self, index: usize, reason: Stuck, world: &mut impl World) {
        let thread = &self.threads[index];
        let code = self.teams[thread.team].code.clone();
        let at = code.details[thread.pc as usize].exprs[0];
        let steps = self.cycle - thread.idle;
        self.end(index, Cause::Stuck { reason, place: place(&code, at) }, steps, world);
    }

    /// Gives a waiting operation its value; the thread steps again in the next cycle.
    pub(super) fn go_on(&mut self, index: usize, value: Value) {
        let thread = &mut self.threads[index];
        let op = self.teams[thread.team].code.ops[thread.pc as usize];
        let Some((d, ..)) = effect_registers(op) else { unreachable!("threads wait in effects") };
        thread.go_on(d, value, self.cycle + 1);
    }

    pub(super) fn holder(&self, team: usize, cell: Ref) -> Option<Pid> {
        match self.teams[team].heap.get(cell, 1) {
            Value::Int(0) => None,
            Value::Int(pid) => Some(Pid(pid as u32)),
            other => unreachable!("{other:?} holds a lock"),
        }
    }

    fn give_lock(&mut self, index: usize, cell: Ref) {
        let since = self.cycle;
        let thread = &mut self.threads[index];
        let heap = &mut self.teams[thread.team].heap;
        heap.set(cell, 1, Value::Int(i64::from(thread.pid.0)));
        heap.set(cell, 2, Value::Int(thread.held.len() as i64));
        thread.held.push(Held { cell, at: thread.pc, since });
    }

    /// Removes a lock from its holder's list.
    fn drop_lock(&mut self, index: usize, cell: Ref) {
        let thread = &mut self.threads[index];
        let heap = &mut self.teams[thread.team].heap;
        let Value::Int(at) = heap.get(cell, 2) else { unreachable!("a lock knows its place") };
        thread.held.swap_remove(at as usize);
        if let Some(&moved) = thread.held.get(at as usize) {
            heap.set(moved.cell, 2, Value::Int(at));
        }
    }

    /// Gives a free lock to the thread that has waited longest, if any.
    pub(super) fn hand_over(&mut self, team: usize, cell: Ref) {
        self.teams[team].heap.set(cell, 1, Value::Int(0));
        let mut next: Option<(u64, usize)> = None;
        for index in 0..self.threads.len() {
            if let Waits::Lock { ticket } = self.threads[index].waits
                && self.threads[index].team == team
                && self.waits_for(index) == Value::Shared(cell)
                && next.is_none_or(|(first, _)| ticket < first)
            {
                next = Some((ticket, index));
            }
        }
        if let Some((_, index)) = next {
            self.give_lock(index, cell);
            self.go_on(index, Value::Int(0));
            self.woken.push(self.threads[index].pid);
        }
    }

    /// The operand of the effect in which a thread waits.
    fn waits_for(&self, index: usize) -> Value {
        let thread = &self.threads[index];
        let op = self.teams[thread.team].code.ops[thread.pc as usize];
        match effect_registers(op) {
            Some((_, operand, _)) => {
                thread.stack.get(thread.base + operand as usize).copied().unwrap_or(Value::Int(0))
            }
            None => unreachable!("threads wait in effects"),
        }
    }

    /// The cell whose lock a thread waits for, and the index of the thread that holds it.
    pub(super) fn blocked_by(&self, index: usize) -> Option<(Ref, usize)> {
        let thread = &self.threads[index];
        let Waits::Lock { .. } = thread.waits else { return None };
        let Value::Shared(cell) = self.waits_for(index) else { return None };
        Some((cell, self.find(self.holder(thread.team, cell)?)?))
    }

    /// Whether a thread waits, directly or through others, for itself.
    fn closes_circle(&self, first: usize) -> bool {
        let next = |&index: &usize| self.blocked_by(index).map(|(_, holder)| holder);
        // A thread that waits for a cycle without being part of it never comes back to itself, so the length is limited.
        let holders = std::iter::successors(next(&first), next).take(self.threads.len());
        holders.into_iter().any(|holder| holder == first)
    }

    /// The threads that wait for locks, lowest pid first.
    pub fn lock_waits(&self) -> Vec<LockWait> {
        let waits = self.threads.iter().enumerate().filter_map(|(index, thread)| {
            let (cell, holder) = self.blocked_by(index)?;
            let holder = &self.threads[holder];
            let held = holder.held.iter().find(|held| held.cell == cell)?;
            let code = &self.teams[thread.team].code;
            let place = |pc: Pc| *place(code, code.details[pc as usize].exprs[0]);
            Some(LockWait {
                pid: thread.pid,
                place: place(thread.pc),
                since: thread.clock,
                holder: holder.pid,
                taken: place(held.at),
            })
        });
        waits.collect()
    }

    /// Creates a value from the world in the heap of a thread's team.
    pub(super) fn make(&mut self, index: usize, datum: &Datum) -> Value {
        let datum = datum.clone().cut();
        let team = self.threads[index].team;
        let words = data::words(&datum);
        if !self.teams[team].heap.has_room(words) {
            self.collect(team, words);
        }
        let heap = &mut self.teams[team].heap;
        let before = heap.len();
        let value = data::value(heap, &datum);
        self.threads[index].made += (heap.len() - before) as u64;
        value
    }
}

/// The registers of an effect's operation: result, operand, second operand.
pub(super) fn effect_registers(op: Op) -> Option<(Reg, Reg, Reg)> {
    match op {
        Op::Get { d, s, .. } | Op::Acquire { d, s, .. } | Op::Release { d, s, .. } | Op::Do { d, s, .. } => {
            Some((d, s, s))
        }
        Op::Spawn { d, s, .. } => Some((d, s, s)),
        Op::Assign { d, a, b, .. } => Some((d, a, b)),
        _ => None,
    }
}
