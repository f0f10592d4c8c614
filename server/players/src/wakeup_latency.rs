//! Wake-up latency of this machine, and the time that a thread waits for a core.
//!
//! Code with a deadline shortens its sleep by the latency. No player is charged for the time during which its thread
//! was ready but did not run.

use std::cell::Cell;
use std::fs::File;
use std::sync::mpsc::{Receiver, RecvError, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Length of the short waits that measure the latency.
const BEAT: Duration = Duration::from_millis(10);
/// Last part of a wait, which is divided into short waits.
const WATCHED: Duration = Duration::from_secs(2);

/// Worst recent wake-up latency. An idle machine wakes a sleeping thread within a fraction of a millisecond; with more
/// runnable threads than cores it may take tens of milliseconds.
#[derive(Debug, Clone, Copy, Default)]
pub struct WakeupLatency {
    worst: Duration,
}

impl WakeupLatency {
    /// Records how late a wait ended. Older values decay: to half after about 700 waits.
    pub fn note(&mut self, late: Duration) {
        self.worst = (self.worst - self.worst / 1024).max(late);
    }

    /// Time by which a sleep should end earlier than on an idle machine: twice the worst latency.
    pub fn ahead(&self) -> Duration {
        self.worst * 2
    }

    /// Receives with a deadline of `limit` after `began`, made earlier by the latency, but by no more than half of `limit`.
    /// Without a limit it waits for ever.
    ///
    /// # Errors
    /// As [`Receiver::recv_timeout`].
    pub fn receive<T>(
        &mut self,
        from: &Receiver<T>,
        began: Instant,
        limit: Option<Duration>,
    ) -> Result<T, RecvTimeoutError> {
        let Some(limit) = limit else {
            return from.recv().map_err(|RecvError| RecvTimeoutError::Disconnected);
        };
        loop {
            let until = self.earlier(limit);
            let now = Instant::now();
            let left = until.saturating_sub(now.saturating_duration_since(began));
            let wait = if left > WATCHED { left - WATCHED } else { left.min(BEAT) };
            match from.recv_timeout(wait) {
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(RecvTimeoutError::Timeout),
                Err(RecvTimeoutError::Timeout) => {
                    self.note(now.elapsed().saturating_sub(wait));
                }
                received => return received,
            }
        }
    }

    /// `limit` made shorter by the latency, but by no more than half.
    pub fn earlier(&self, limit: Duration) -> Duration {
        limit - self.ahead().min(limit / 2)
    }
}

/// Total time during which the calling thread was ready to run but had no core, since the thread began. The thread
/// notices an event later by the part of that time that passes after the event.
pub fn queued_for_a_core() -> Duration {
    OF_THIS_THREAD.with(RunQueueDelay::so_far)
}

/// The same, as of a moment at most `age` before `now`, which saves system calls; `None` where the system does not
/// count it.
pub fn queued_for_a_core_lately(now: Instant, age: Duration) -> Option<Duration> {
    OF_THIS_THREAD.with(|delay| delay.lately(now, age))
}

thread_local! {
    static OF_THIS_THREAD: RunQueueDelay = RunQueueDelay::of_this_thread();
}

/// Time during which one thread was ready to run but had no core.
#[derive(Debug)]
struct RunQueueDelay {
    counter: Option<File>,
    /// The last total that [`lately`](Self::lately) read, with its moment.
    read: Cell<Option<(Instant, Duration)>>,
}

impl RunQueueDelay {
    /// Counter of the calling thread.
    fn of_this_thread() -> Self {
        // Only Linux has this file, where /proc is mounted; elsewhere the delay counts as zero.
        Self { counter: File::open("/proc/thread-self/schedstat").ok(), read: Cell::new(None) }
    }

    /// Total since the thread began, as of a moment at most `age` before `now`; `None` where it is not counted.
    fn lately(&self, now: Instant, age: Duration) -> Option<Duration> {
        self.counter.as_ref()?;
        if let Some((at, total)) = self.read.get()
            && now.saturating_duration_since(at) <= age
        {
            return Some(total);
        }
        let total = self.so_far();
        self.read.set(Some((now, total)));
        Some(total)
    }

    /// Total since the thread began.
    #[cfg(target_os = "linux")]
    fn so_far(&self) -> Duration {
        use std::os::unix::fs::FileExt as _;

        let mut text = [0; 128];
        let read = self.counter.as_ref().and_then(|file| file.read_at(&mut text, 0).ok()).unwrap_or(0);
        // The fields are nanoseconds on a core, nanoseconds of readiness without one, and the number of time slices.
        let words = text[..read].split(|byte| *byte == b' ').nth(1);
        let nanos = words.and_then(|word| std::str::from_utf8(word).ok()).and_then(|word| word.parse().ok());
        Duration::from_nanos(nanos.unwrap_or(0))
    }

    /// Total since the thread began.
    #[cfg(not(target_os = "linux"))]
    fn so_far(&self) -> Duration {
        Duration::ZERO
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc;

    use super::*;

    /// Waits until the delay is longer than `than`, where it is counted. Meanwhile every core is busy: on an idle machine
    /// a thread may run as soon as it is ready, with no delay.
    fn wait_for_delay(delay: &RunQueueDelay, than: Duration) {
        let (began, ended) = (Instant::now(), AtomicBool::new(false));
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        std::thread::scope(|scope| {
            for _ in 0..cores {
                scope.spawn(|| {
                    while !ended.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                });
            }
            let has_grown = || delay.counter.is_none() || delay.so_far() > than;
            while !has_grown() && began.elapsed() < Duration::from_secs(60) {
                std::thread::sleep(Duration::from_millis(1));
            }
            ended.store(true, Ordering::Relaxed);
            assert!(has_grown(), "no delay within a minute");
        });
    }

    #[test]
    fn latency_shortens_waits_and_decays() {
        let mut latency = WakeupLatency::default();
        let limit = Duration::from_millis(900);
        assert_eq!(latency.earlier(limit), limit);
        latency.note(Duration::from_millis(60));
        assert_eq!(latency.earlier(limit), Duration::from_millis(780));
        // However long the latency, half of the time remains.
        latency.note(Duration::from_secs(3));
        assert_eq!(latency.earlier(limit), limit / 2);
        for _ in 0..20_000 {
            latency.note(Duration::ZERO);
        }
        assert!(latency.earlier(limit) > Duration::from_millis(899), "{latency:?}");
    }

    #[test]
    fn a_wait_ends_with_a_message_or_at_its_limit() {
        let (sender, receiver) = mpsc::channel();
        let (mut latency, began) = (WakeupLatency::default(), Instant::now());
        let limit = Duration::from_millis(35);
        assert_eq!(latency.receive(&receiver, began, Some(limit)), Err(RecvTimeoutError::Timeout));
        sender.send(5).unwrap();
        // A message that has arrived is received, even after the deadline.
        assert_eq!(latency.receive(&receiver, began, Some(Duration::ZERO)), Ok(5));
        sender.send(6).unwrap();
        assert_eq!(latency.receive(&receiver, began, None), Ok(6));
        drop(sender);
        assert_eq!(latency.receive(&receiver, began, None), Err(RecvTimeoutError::Disconnected));
        assert_eq!(latency.receive(&receiver, began, Some(limit)), Err(RecvTimeoutError::Disconnected));
    }

    #[test]
    fn the_delay_grows_no_faster_than_time() {
        let (delay, began) = (RunQueueDelay::of_this_thread(), Instant::now());
        let before = delay.so_far();
        for _ in 0..20 {
            std::thread::sleep(Duration::from_millis(1));
            let now = delay.so_far();
            assert!(now >= before && now - before <= began.elapsed());
        }
        wait_for_delay(&delay, before);
        assert!(delay.so_far() - before <= began.elapsed());
    }

    #[test]
    fn a_recent_total_is_not_read_again() {
        let (delay, began, age) = (RunQueueDelay::of_this_thread(), Instant::now(), Duration::from_millis(1));
        let first = delay.lately(began, age);
        assert_eq!(first.is_some(), delay.counter.is_some());
        wait_for_delay(&delay, first.unwrap_or_default());
        assert_eq!(delay.lately(began + age, age), first);
        assert!(delay.lately(began + 2 * age, age) > first || first.is_none());
    }
}
