//! Compilation of functions, `rec`, `spawn` and application.

use std::collections::BTreeSet;

use super::code::{Capture, Op};
use super::scope::{Binding, BindingForm, Job, ValueLocation};
use super::{Compiler, MAX_ARITY, MAX_CAPTURES};
use crate::core::{BinaryOp, Expr, ExprId, NameId};
use crate::vm::value::{Object, Value};

/// A function whose code is queued or compiled.
pub(super) struct Closure {
    pub(super) proto: u32,
    /// The closure itself, if it is a constant.
    pub(super) constant: Option<Value>,
}

/// The statically known function of an application.
struct Known {
    proto: u32,
    /// The location of its closure; `None` if the closure must be created.
    at: Option<ValueLocation>,
}

impl Compiler {
    /// Queues code for compilation: `body` with `params`, which may also call itself by a name.
    fn later(
        &mut self,
        free: BTreeSet<NameId>,
        params: Vec<NameId>,
        body: ExprId,
        itself: Option<(NameId, BindingForm)>,
        inner: bool,
    ) -> Closure {
        let (mut scope, mut captures) = (Vec::new(), Vec::new());
        for name in free {
            // A name that is unbound here is unbound there.
            let Some(binding) = self.function.lookup(name) else { continue };
            if itself.is_some_and(|(own, _)| own == name) {
                continue;
            }
            let closure = self.function.closure.unwrap_or(0);
            let capture = match binding.at {
                ValueLocation::Const(_) => {
                    scope.push((name, binding));
                    continue;
                }
                ValueLocation::Reg(reg) => Capture::Reg(reg),
                ValueLocation::Captured(index) => Capture::Captured(closure, index),
                ValueLocation::Closure => Capture::Reg(closure),
            };
            scope.push((name, Binding { at: ValueLocation::Captured(captures.len() as u32), ..binding }));
            captures.push(capture);
        }
        if captures.len() > MAX_CAPTURES {
            self.too_large(body, "a number of names used from around a function", MAX_CAPTURES);
        }
        let closed = !captures.is_empty();
        let proto = self.proto(params.len(), closed, captures);
        let constant = (!closed).then(|| Value::Fn(self.statics.object(Object::Closure, proto, &[])));
        if let Some((name, how)) = itself {
            let at = constant.map_or(ValueLocation::Closure, ValueLocation::Const);
            scope.push((name, Binding { at, known: Some(proto), how }));
        }
        let around = self.function.innermost;
        self.jobs.push_back(Job { proto, params, body, scope, inner, around });
        Closure { proto, constant }
    }

    /// The closure of an `fn`, or of a `rec` of one. A `rec` costs its reduction.
    pub(super) fn closure(&mut self, expr: ExprId) -> Closure {
        let module = self.module.clone();
        let free = self.free.of(&module, expr);
        let (mut body, itself) = match module.expr(expr) {
            Expr::Rec { name, body } => {
                self.tick();
                (*body, Some((*name, BindingForm::RecFn)))
            }
            _ => (expr, None),
        };
        let mut params = Vec::new();
        while let Expr::Fn { param, body: inner } = module.expr(body)
            && params.len() < MAX_ARITY
        {
            params.push(*param);
            body = *inner;
        }
        // A parameter hides the function's own name.
        let itself = itself.filter(|(name, _)| !params.contains(name));
        self.later(free, params, body, itself, false)
    }

    /// Emits code that puts a closure into the next free register.
    pub(super) fn make(&mut self, closure: &Closure, at: ExprId) {
        let (d, proto) = (self.top(), closure.proto);
        match closure.constant {
            Some(value) => self.constant(value, at),
            None => {
                self.emit_with(0, |cost| Op::Closure { cost, d, proto }, [at; 2]);
            }
        }
    }

    /// Emits code that puts the value of a name into the next free register, without unrolling.
    fn load(&mut self, at: ValueLocation, expr: ExprId) {
        let d = self.top();
        match at {
            ValueLocation::Const(value) => self.constant(value, expr),
            ValueLocation::Reg(s) => {
                self.emit_with(0, |cost| Op::Move { cost, d, s }, [expr; 2]);
            }
            ValueLocation::Captured(i) => {
                let s = self.function.closure.unwrap_or(0);
                self.emit_with(0, |cost| Op::Captured { cost, d, s, i }, [expr; 2]);
            }
            ValueLocation::Closure => {
                let s = self.function.closure.unwrap_or(0);
                self.emit_with(0, |cost| Op::Move { cost, d, s }, [expr; 2]);
            }
        }
    }

    /// Emits code that puts the value of a name into the next free register.
    pub(super) fn name(&mut self, name: NameId, expr: ExprId) {
        match self.function.lookup(name) {
            None => {
                self.emit_with(1, |cost| Op::Unbound { cost }, [expr; 2]);
            }
            Some(Binding { how: BindingForm::RecOther, .. }) => self.run_name(name, expr, false),
            Some(binding) => {
                if binding.how == BindingForm::RecFn {
                    self.tick();
                }
                self.load(binding.at, expr);
            }
        }
    }

    /// Whether an expression is a `rec` of something other than a function, so that unrolling it evaluates it.
    pub(super) fn rec_is_run(&self, expr: ExprId) -> bool {
        match self.module.expr(expr) {
            Expr::Rec { body, .. } => !matches!(self.module.expr(*body), Expr::Fn { .. }),
            _ => false,
        }
    }

    /// Whether a name is bound to a `rec` of something other than a function.
    pub(super) fn name_is_run(&self, name: NameId) -> bool {
        matches!(self.function.lookup(name), Some(Binding { how: BindingForm::RecOther, .. }))
    }

    /// Emits code that evaluates a `rec` of something other than a function.
    pub(super) fn run_rec(&mut self, expr: ExprId, tail: bool) {
        let module = self.module.clone();
        let Expr::Rec { name, body } = module.expr(expr) else { unreachable!("only called for `rec`") };
        let free = self.free.of(&module, expr);
        let closure = self.later(free, Vec::new(), *body, Some((*name, BindingForm::RecOther)), false);
        let h = self.top();
        if closure.constant.is_none() {
            self.make(&closure, expr);
            self.push();
        }
        self.call(closure.proto, h, tail, expr);
    }

    /// Emits code that evaluates such a `rec` again by its name.
    pub(super) fn run_name(&mut self, name: NameId, expr: ExprId, tail: bool) {
        let Some(Binding { at, known: Some(proto), .. }) = self.function.lookup(name) else {
            unreachable!("only called for names of such a `rec`");
        };
        let h = self.top();
        if self.protos[proto as usize].closed {
            self.load(at, expr);
            self.push();
        }
        self.call(proto, h, tail, expr);
    }

    /// Emits a call of a known function. Its arguments, and its closure if it needs one, are in the registers from `h` on.
    fn call(&mut self, proto: u32, h: u8, tail: bool, expr: ExprId) {
        let n = self.function.height - h;
        let to = proto;
        let op = move |cost| match (tail, n) {
            (false, _) => Op::Call { cost, h, to },
            (true, 1) => Op::TailCall1 { cost, h, to },
            (true, 2) => Op::TailCall2 { cost, h, to },
            (true, 3) => Op::TailCall3 { cost, h, to },
            (true, _) => Op::TailCall { cost, h, n, to },
        };
        let pc = self.emit_with(1, op, [expr; 2]);
        self.leads_to_proto(pc);
        self.function.height = h;
    }

    /// Moves an expression into code of its own, because too many registers are in use.
    pub(super) fn inner(&mut self, expr: ExprId, tail: bool) {
        let module = self.module.clone();
        let free = self.free.of(&module, expr);
        let closure = self.later(free, Vec::new(), expr, None, !tail);
        let (h, to) = (self.top(), closure.proto);
        if closure.constant.is_none() {
            self.make(&closure, expr);
            self.push();
        }
        let n = self.function.height - h;
        let op =
            move |cost| if tail { Op::TailInner { cost, h, n, to } } else { Op::CallInner { cost, h, to } };
        let pc = self.emit_with(0, op, [expr; 2]);
        self.leads_to_proto(pc);
        self.function.height = h;
    }

    pub(super) fn spawn(&mut self, body: ExprId, parent: Option<NameId>, expr: ExprId) {
        let module = self.module.clone();
        let free = self.free.of(&module, expr);
        let closure = self.later(free, parent.into_iter().collect(), body, None, false);
        let (d, to) = (self.top(), closure.proto);
        if closure.constant.is_none() {
            self.make(&closure, expr);
            self.push();
        }
        let pc = self.emit_with(1, |cost| Op::Spawn { cost, d, s: d, told: parent.is_some(), to }, [expr; 2]);
        self.leads_to_proto(pc);
    }

    /// The function of a nested application, and the applications to one argument each, in order, with the arguments.
    fn spine(&self, expr: ExprId) -> (ExprId, Vec<(ExprId, ExprId)>) {
        let (mut head, mut arguments) = (expr, Vec::new());
        while let Expr::Apply { function, argument } = self.module.expr(head) {
            arguments.push((head, *argument));
            head = *function;
        }
        arguments.reverse();
        (head, arguments)
    }

    /// Compiles an application in tail position whose function is an `fn` at this place: its parameters become bindings as by `let`.
    /// Returns the body; `None` for any other application.
    pub(super) fn bind_in_place(&mut self, expr: ExprId) -> Option<ExprId> {
        let module = self.module.clone();
        let (mut body, arguments) = self.spine(expr);
        let mut params = Vec::new();
        while let Expr::Fn { param, body: inner } = module.expr(body) {
            params.push(*param);
            body = *inner;
        }
        if params.len() != arguments.len() || params.len() > MAX_ARITY {
            return None;
        }
        let bindings: Vec<Binding> = arguments.iter().map(|&(_, argument)| self.binding(argument)).collect();
        for (param, binding) in params.into_iter().zip(bindings) {
            self.function.bind(param, binding);
        }
        Some(body)
    }

    /// Emits code for an application to all consecutive arguments.
    pub(super) fn apply(&mut self, expr: ExprId, tail: bool) {
        let (head, arguments) = self.spine(expr);
        let h = self.top();
        let done = match self.known(head) {
            Some(known) => self.apply_known(known, head, &arguments, tail),
            None => {
                self.value(head);
                0
            }
        };
        self.apply_unknown(&arguments[done..], h, tail);
        self.function.height = h;
    }

    /// The statically known function of an expression, if there is one. A `rec` costs its reduction.
    fn known(&mut self, head: ExprId) -> Option<Known> {
        let module = self.module.clone();
        match module.expr(head) {
            Expr::Name(name) => {
                let binding = self.function.lookup(*name)?;
                if binding.how == BindingForm::RecOther {
                    return None;
                }
                let proto = binding.known?;
                if binding.how == BindingForm::RecFn {
                    self.tick();
                }
                Some(Known { proto, at: Some(binding.at) })
            }
            Expr::Fn { .. } | Expr::Rec { .. } if !self.rec_is_run(head) => {
                let closure = self.closure(head);
                Some(Known { proto: closure.proto, at: closure.constant.map(ValueLocation::Const) })
            }
            _ => None,
        }
    }

    fn load_known(&mut self, known: &Known, expr: ExprId) {
        match known.at {
            Some(at) => self.load(at, expr),
            None => self.make(&Closure { proto: known.proto, constant: None }, expr),
        }
    }

    /// Applies a known function to as many arguments as it takes, or to all available ones. The value is then in the next free register
    /// (except after a tail call). Returns the number of these arguments.
    fn apply_known(
        &mut self,
        known: Known,
        head: ExprId,
        arguments: &[(ExprId, ExprId)],
        tail: bool,
    ) -> usize {
        let h = self.top();
        let (arity, closed) = {
            let proto = &self.protos[known.proto as usize];
            (proto.arity as usize, proto.closed)
        };
        let count = arity.min(arguments.len());
        let (last, last_argument) = arguments[count - 1];
        if count == arity
            && arity == 1
            && !closed
            && !(tail && arguments.len() == 1)
            && self.call_sub(known.proto, last, last_argument)
        {
            return 1;
        }
        for (index, (_, argument)) in arguments[..count].iter().enumerate() {
            if index > 0 {
                // The application to the previous argument gave a function.
                self.tick();
            }
            self.value(*argument);
            self.push();
        }
        if count < arity {
            self.load_known(&known, head);
            self.push();
            self.emit_with(1, |cost| Op::Partial { cost, h, n: count as u8 }, [last; 2]);
            self.function.height = h;
            if tail {
                self.emit_with_top(0, |cost| Op::Return { cost, s: h }, [last; 2]);
            }
            return count;
        }
        let tail = tail && count == arguments.len();
        // A function that calls itself in tail position already has its closure in place.
        if closed && !(tail && known.proto == self.function.proto) {
            self.load_known(&known, head);
            self.push();
        }
        self.call(known.proto, h, tail, last);
        count
    }

    /// Emits `f (x - n)` as a single operation, if possible.
    fn call_sub(&mut self, to: u32, expr: ExprId, argument: ExprId) -> bool {
        let Expr::Binary { op: BinaryOp::Sub, left, right } = *self.module.expr(argument) else {
            return false;
        };
        let Some(v) = self.small(right) else { return false };
        let h = self.top();
        let a = self.operand(left);
        let pc = self.emit_with(2, |cost| Op::CallSubInt { cost, h, a, v, to }, [argument, expr]);
        self.leads_to_proto(pc);
        self.function.height = h;
        true
    }

    /// Applies the value in `h` to arguments, two at a time.
    fn apply_unknown(&mut self, mut arguments: &[(ExprId, ExprId)], h: u8, tail: bool) {
        while let Some((&(first, first_argument), rest)) = arguments.split_first() {
            self.function.height = h + 1;
            self.value(first_argument);
            self.push();
            if let Some((&(second, second_argument), rest)) = rest.split_first() {
                self.emit_with(1, |cost| Op::ApplyFirst { cost, h }, [first; 2]);
                // After a call, its value is in `h` and the registers above are free.
                self.function.height = h + 1;
                self.emit(Op::Applied { h }, first);
                self.function.height = h + 2;
                self.value(second_argument);
                self.push();
                if tail && rest.is_empty() {
                    self.emit_with(1, |cost| Op::TailApplySecond { cost, h }, [second; 2]);
                } else {
                    self.emit_with(1, |cost| Op::ApplySecond { cost, h }, [second; 2]);
                }
                arguments = rest;
            } else {
                if tail {
                    self.emit_with(1, |cost| Op::TailApply { cost, h }, [first; 2]);
                } else {
                    self.emit_with(1, |cost| Op::Apply { cost, h }, [first; 2]);
                }
                arguments = rest;
            }
        }
    }
}
