//! Locking without poisoning: a panic while a lock is held ends its thread and nothing else.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A mutex whose data stays usable after a panic of the thread that held it.
pub(crate) trait Locked<T> {
    /// Locks it.
    fn locked(&self) -> MutexGuard<'_, T>;
}

impl<T> Locked<T> for Mutex<T> {
    fn locked(&self) -> MutexGuard<'_, T> {
        self.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
