//! Effects of the machine on matches: suspension, lack of memory, late wake-ups; and the assignment of cores.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Interval at which the wake-up delay of a thread is measured.
const BEAT: Duration = Duration::from_millis(10);
/// Age from which the count of the kernel's out-of-memory kills is read again: a read takes as long as some moves.
const FRESH: Duration = Duration::from_secs(1);
/// Shortest suspension of the machine that counts.
const SLEPT: Duration = Duration::from_secs(1);

/// Number of processes that the kernel had killed for lack of memory, at a moment.
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

/// Counters before a match, for comparison with those after it.
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

    /// The fault of the machine that explains the end of a real-time match, in words; `None` if there is none.
    pub(super) fn fault(&self, termination: &str, reason: Option<&str>) -> Option<String> {
        self.fault_until(asleep(), killed_for_memory, termination, reason)
    }

    /// The fault in the time until the counters have these values.
    fn fault_until(
        &self,
        asleep: Duration,
        killed: impl FnOnce() -> u64,
        termination: &str,
        reason: Option<&str>,
    ) -> Option<String> {
        let slept = asleep.saturating_sub(self.asleep);
        if slept >= SLEPT {
            return Some(format!("the machine slept for {} s while the match was played", slept.as_secs()));
        }
        // A program that is killed for exceeding its own memory limit loses by `memory`.
        let is_killed = termination == "crash" && reason.is_some_and(|reason| reason.contains("SIGKILL"));
        (is_killed && killed() > self.killed)
            .then(|| "the machine ran out of memory, and its kernel ended a player".to_owned())
    }
}

/// Time for which the machine has been suspended since its start.
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

/// Number of processes that the kernel has killed for lack of memory.
fn killed_for_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/vmstat").unwrap_or_default();
    text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.parse().ok()).unwrap_or(0)
}

/// Restricts the calling thread, and all threads and processes that it starts later, to share `index` of `count` of the
/// cores.
#[cfg(target_os = "linux")]
pub(super) fn keep_to_share(index: usize, count: usize) {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    let Ok(allowed) = sched_getaffinity(None) else { return };
    let all: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
    let mut own = CpuSet::new();
    for core in share(&all, index, count) {
        own.set(*core);
    }
    // On failure the system's scheduler decides.
    let _ = sched_setaffinity(None, &own);
}

#[cfg(not(target_os = "linux"))]
pub(super) fn keep_to_share(_index: usize, _count: usize) {}

/// Part `index` of `count` of the cores; with fewer cores than parts, one core.
#[cfg(target_os = "linux")]
fn share(all: &[usize], index: usize, count: usize) -> &[usize] {
    let count = count.clamp(1, all.len().max(1));
    let index = index % count;
    &all[all.len() * index / count..all.len() * (index + 1) / count]
}

/// Measures the wake-up delay of threads on the cores of the thread that starts it.
#[derive(Debug)]
pub(super) struct Disturbance {
    worst_micros: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
}

impl Disturbance {
    /// Measures until it is dropped.
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
        // Without the thread no delay is known.
        drop(thread::Builder::new().name("disturbance".to_owned()).spawn(look));
        this
    }

    /// The longest delay since the last call, in milliseconds.
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
    fn a_machine_that_slept_or_ran_out_of_memory_is_at_fault() {
        let before = Before { asleep: Duration::from_secs(100), killed: 7 };
        let (time, crash) = (("time", None), ("crash", Some("ended by SIGKILL")));
        let fault = |asleep: u64, killed: u64, (by, reason): (&str, Option<&str>)| {
            before.fault_until(Duration::from_millis(asleep), || killed, by, reason)
        };
        // What slept before the match is of no account, nor are moments in which a laptop's clocks drift apart.
        assert_eq!((fault(100_000, 7, time), fault(100_999, 7, time)), (None, None));
        let slept = fault(3_700_000, 7, time).unwrap();
        assert_eq!(slept, "the machine slept for 3600 s while the match was played");
        assert_eq!(fault(100_000, 7, crash), None, "the player was killed for a reason of its own");
        let full = fault(100_000, 8, crash).unwrap();
        assert_eq!(full, "the machine ran out of memory, and its kernel ended a player");
        assert_eq!(fault(100_000, 8, time), None, "another program was killed");
        assert_eq!(fault(100_000, 8, ("crash", Some("ended with status 1"))), None);
    }

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
