//! Worker threads that do numbered pieces of work, such as the matches of a series.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Number of cores that this process may use; 1 if unknown.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Does `work` for every number below `count`, on `jobs` threads. Returns the results in the order of the numbers;
/// `None` if a thread panicked.
///
/// # Errors
/// An error of `work`. After it no further number is begun.
pub fn in_parallel<T: Send, E: Send>(
    jobs: usize,
    count: u64,
    work: impl Fn(u64) -> Result<T, E> + Sync,
) -> Result<Option<Vec<T>>, E> {
    let next = AtomicU64::new(0);
    let worker = || -> Result<Vec<(u64, T)>, E> {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return Ok(done);
            }
            match work(number) {
                Ok(result) => done.push((number, result)),
                Err(error) => {
                    next.store(count, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
    };
    let ends: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().map(thread::ScopedJoinHandle::join).collect()
    });
    let (mut results, mut panicked) = (Vec::new(), false);
    for end in ends {
        match end {
            Ok(done) => results.extend(done?),
            Err(_) => panicked = true,
        }
    }
    results.sort_unstable_by_key(|(number, _)| *number);
    Ok((!panicked).then(|| results.into_iter().map(|(_, result)| result).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_numbers() {
        let squares = in_parallel(3, 100, |number| Ok::<_, ()>(number * number));
        assert_eq!(squares, Ok(Some((0..100).map(|number| number * number).collect())));
        assert_eq!(in_parallel(3, 0, Ok::<_, ()>), Ok(Some(Vec::new())));
    }

    #[test]
    fn an_error_ends_the_work() {
        let begun = AtomicU64::new(0);
        let broken = in_parallel(2, u64::MAX / 2, |number| {
            begun.fetch_add(1, Ordering::Relaxed);
            if number == 50 { Err("broken") } else { Ok(()) }
        });
        assert_eq!(broken, Err("broken"));
        assert!(begun.into_inner() > 50);
    }
}
