//! What the machine does to matches: sleep, want of memory, late wake-ups; and cores for each of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two looks at how late a thread is woken up.
const BEAT: Duration = Duration::from_millis(10);
/// What is known of the kernel's ends for want of memory is taken anew when it is older: reading it takes as long as some moves.
const FRESH: Duration = Duration::from_secs(1);
/// A sleep of the machine that is shorter is none.
const SLEPT: Duration = Duration::from_secs(1);

/// How many processes the kernel had ended for want of memory at a moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Killed {
    at: Instant,
    count: u64,
}

impl Killed {
    pub(super) fn now() -> Self {
        Self { at: Instant::now(), count: killed_for_memory() }
    }
}

/// Moments before a match, to be compared with those after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Before {
    asleep: Duration,
    killed: u64,
}

impl Before {
    pub(super) fn now(killed: &mut Killed) -> Self {
        if killed.at.elapsed() > FRESH {
            *killed = Killed::now();
        }
        Self { asleep: asleep(), killed: killed.count }
    }

    /// Why the machine is at fault that a match in real time ended as it did, in words; `None` if it is not.
    pub(super) fn fault(&self, termination: &str, reason: Option<&str>) -> Option<String> {
        let slept = asleep().saturating_sub(self.asleep);
        if slept >= SLEPT {
            return Some(format!("the machine slept for {} s while the match was played", slept.as_secs()));
        }
        // A program that is ended for its own memory loses by `memory`.
        let killed = termination == "crash" && reason.is_some_and(|reason| reason.contains("SIGKILL"));
        (killed && killed_for_memory() > self.killed)
            .then(|| "the machine ran out of memory, and its kernel ended a player".to_owned())
    }
}

/// For how long the machine has slept since it was started.
#[cfg(target_os = "linux")]
fn asleep() -> Duration {
    use rustix::time::{ClockId, clock_gettime};

    let since = |clock| {
        let time = clock_gettime(clock);
        Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
    };
    let awake = since(ClockId::Monotonic);
    since(ClockId::Boottime).saturating_sub(awake)
}

#[cfg(not(target_os = "linux"))]
fn asleep() -> Duration {
    Duration::ZERO
}

/// How many processes the kernel has ended for want of memory.
fn killed_for_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/vmstat").unwrap_or_default();
    text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.parse().ok()).unwrap_or(0)
}

/// Keeps the calling thread, and all that it starts from now on, to the share of the cores that `index` of `count` has.
#[cfg(target_os = "linux")]
pub(super) fn keep_to_share(index: usize, count: usize) {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    let Ok(allowed) = sched_getaffinity(None) else { return };
    let all: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
    let mut own = CpuSet::new();
    for core in share(&all, index, count) {
        own.set(*core);
    }
    // Where it is refused the system's own scheduler decides.
    let _ = sched_setaffinity(None, &own);
}

#[cfg(not(target_os = "linux"))]
pub(super) fn keep_to_share(_index: usize, _count: usize) {}

/// Part `index` of `count` of the cores; with fewer cores than parts one core of them.
#[cfg(target_os = "linux")]
fn share(all: &[usize], index: usize, count: usize) -> &[usize] {
    let count = count.clamp(1, all.len().max(1));
    let index = index % count;
    &all[all.len() * index / count..all.len() * (index + 1) / count]
}

/// Looks at how late this machine wakes up a thread on the cores of the thread that starts it.
#[derive(Debug)]
pub(super) struct Disturbance {
    worst_micros: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
}

impl Disturbance {
    /// Looks until it is dropped.
    pub(super) fn watch() -> Self {
        let this = Self { worst_micros: Arc::default(), stop: Arc::default() };
        let (worst, stop) = (Arc::clone(&this.worst_micros), Arc::clone(&this.stop));
        let look = move || {
            while !stop.load(Ordering::Relaxed) {
                let began = Instant::now();
                thread::sleep(BEAT);
                let late = began.elapsed().saturating_sub(BEAT);
                worst.fetch_max(u64::try_from(late.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
            }
        };
        // Without it nothing is known to be late.
        drop(thread::Builder::new().name("disturbance".to_owned()).spawn(look));
        this
    }

    /// The worst since the last call, in milliseconds.
    pub(super) fn take_ms(&self) -> u64 {
        self.worst_micros.swap(0, Ordering::Relaxed) / 1000
    }
}

impl Drop for Disturbance {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn shares_of_cores_are_apart_and_whole() {
        for cores in 1..9 {
            let all: Vec<usize> = (0..cores).map(|core| core * 2).collect();
            for count in 1..=cores {
                let shares: Vec<&[usize]> = (0..count).map(|index| share(&all, index, count)).collect();
                assert!(shares.iter().all(|share| !share.is_empty()));
                assert_eq!(shares.concat(), all);
            }
        }
        assert_eq!(share(&[3], 1, 2), [3]);
    }
}
