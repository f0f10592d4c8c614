//! Thread pool of a search.

use thiserror::Error;

/// Threads that wait for work; they end when this value is dropped.
#[derive(Debug)]
pub struct Threads(rayon::ThreadPool);

/// The error that the threads can't be started.
#[derive(Debug, Error)]
#[error("can't start {threads} threads: {source}")]
pub struct NoThreads {
    /// The requested number of threads.
    pub threads: usize,
    /// The cause.
    pub source: rayon::ThreadPoolBuildError,
}

impl Threads {
    /// Starts `threads` threads, at least one.
    ///
    /// # Errors
    /// [`NoThreads`] if the system can't start them.
    pub fn start(threads: usize) -> Result<Self, NoThreads> {
        let threads = threads.max(1);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(8 << 20).build();
        pool.map(Self).map_err(|source| NoThreads { threads, source })
    }

    /// Runs a function on one of the threads, and its parallel parts on the others.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.0.install(work)
    }

    /// The number of threads.
    pub(crate) fn count(&self) -> usize {
        self.0.current_num_threads()
    }

    /// Runs `here` on the calling thread and `there` on each thread of the pool at the same time, with the thread's number as argument.
    pub(crate) fn in_parallel<T>(&self, here: impl FnOnce() -> T, there: impl Fn(usize) + Sync) -> T {
        let there = &there;
        self.0.in_place_scope(|scope| {
            (0..self.count()).for_each(|number| scope.spawn(move |_| there(number)));
            here()
        })
    }
}
