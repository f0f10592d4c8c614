//! The threads that a search runs on.

use thiserror::Error;

/// Threads that wait for work; they end with it.
#[derive(Debug)]
pub struct Threads(rayon::ThreadPool);

/// The threads can't be started.
#[derive(Debug, Error)]
#[error("can't start {threads} threads: {source}")]
pub struct NoThreads {
    /// How many were wanted.
    pub threads: usize,
    /// Why not.
    pub source: rayon::ThreadPoolBuildError,
}

impl Threads {
    /// Starts so many, at least one.
    ///
    /// # Errors
    /// The system gives no threads.
    pub fn start(threads: usize) -> Result<Self, NoThreads> {
        let threads = threads.max(1);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(8 << 20).build();
        pool.map(Self).map_err(|source| NoThreads { threads, source })
    }

    /// Runs this on one of them, and what it does in parallel on the others.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.0.install(work)
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.0.current_num_threads()
    }

    /// Does this here, and that on each of the threads at the same time; each is told its number.
    pub(crate) fn beside<T>(&self, here: impl FnOnce() -> T, there: impl Fn(usize) + Sync) -> T {
        let there = &there;
        self.0.in_place_scope(|scope| {
            (0..self.count()).for_each(|number| scope.spawn(move |_| there(number)));
            here()
        })
    }
}
