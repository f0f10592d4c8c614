//! Locking without poisoning: a panic while a lock is held ends its thread and nothing else.

use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

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

/// A lock of readers and writers whose data stays usable after a panic of the thread that held it.
pub(crate) trait RwLocked<T> {
    /// Locks it for reading.
    fn reading(&self) -> RwLockReadGuard<'_, T>;

    /// Locks it for writing.
    fn writing(&self) -> RwLockWriteGuard<'_, T>;
}

impl<T> RwLocked<T> for RwLock<T> {
    fn reading(&self) -> RwLockReadGuard<'_, T> {
        self.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn writing(&self) -> RwLockWriteGuard<'_, T> {
        self.write().unwrap_or_else(PoisonError::into_inner)
    }
}
