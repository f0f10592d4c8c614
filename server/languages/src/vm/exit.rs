//! Why a thread stops running, and what makes it stop.

use crate::core::ExprId;
use crate::world::{Limit, Stuck};

/// What is asked before every operation whether the thread is to stop there.
pub(super) trait StopCheck {
    /// Whether the thread stops before the operation at `pc`, which begins in cycle `clock`.
    fn stops(&mut self, pc: usize, clock: u64) -> bool;
}

/// Stops nowhere: as matches are played.
pub(super) struct Unwatched;

impl StopCheck for Unwatched {
    #[inline(always)]
    fn stops(&mut self, _: usize, _: u64) -> bool {
        false
    }
}

/// Why a thread stopped running.
#[derive(Debug)]
pub(super) enum Exit {
    /// Its next operation is one that it was to stop at.
    Watched,
    /// Its next operation begins after the cycle that it was to run to.
    Paused,
    /// Something that others can see, in this cycle.
    Event(u64, Event),
    /// Its operation needs room for so many words.
    Collect(usize),
}

/// What others can see of a thread.
#[derive(Debug)]
pub(super) enum Event {
    /// The operation that it is at is an effect.
    Effect,
    /// Its program is the value of its register 0.
    Ended,
    Stuck(Stuck, ExprId),
    Limit(Limit, ExprId),
}
