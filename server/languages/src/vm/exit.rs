//! Reasons why a thread stops running, and the check that stops it.

use crate::core::ExprId;
use crate::world::{Limit, Stuck};

/// The check before every operation whether the thread stops there.
pub(super) trait StopCheck {
    /// Whether the thread stops before the operation at `pc`, which begins in cycle `clock`.
    fn stops(&mut self, pc: usize, clock: u64) -> bool;
}

/// The check that never stops a thread: the normal case.
pub(super) struct NeverStop;

impl StopCheck for NeverStop {
    #[inline(always)]
    fn stops(&mut self, _: usize, _: u64) -> bool {
        false
    }
}

/// The reason why a thread stopped running.
#[derive(Debug)]
pub(super) enum Exit {
    /// The next operation is one to stop at.
    Watched,
    /// The next operation begins after the last cycle to run.
    Paused,
    /// An observable event in this cycle.
    Event(u64, Event),
    /// The operation needs room for this number of words.
    Collect(usize),
}

/// An observable event of a thread.
#[derive(Debug)]
pub(super) enum Event {
    /// The current operation is an effect.
    Effect,
    /// The program is complete; its value is in register 0.
    Ended,
    Stuck(Stuck, ExprId),
    Limit(Limit, ExprId),
}
