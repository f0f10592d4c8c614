//! How late this machine wakes up who waits: so that who must not be late gets up earlier, and that nobody pays for the lateness of
//! others.

use std::fs::File;
use std::sync::mpsc::{Receiver, RecvError, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Waits end so often, only to see how late they end.
const BEAT: Duration = Duration::from_millis(10);
/// The last part of a wait, in which that is looked at.
const WATCHED: Duration = Duration::from_secs(2);

/// The worst lateness of late. A thread that sleeps is woken within a fraction of a millisecond as a rule; where more threads
/// want to run than there are cores, it may take tens of them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Lateness {
    worst: Duration,
}

impl Lateness {
    /// A wait has ended so late. What was worse long ago counts less and less: half as much after about 700 waits.
    pub(crate) fn note(&mut self, late: Duration) {
        self.worst = (self.worst - self.worst / 1024).max(late);
    }

    /// How much earlier than on an idle machine one should get up: twice the worst, so that it may become worse.
    pub(crate) fn ahead(&self) -> Duration {
        self.worst * 2
    }

    /// Waits for something, until so long after `began`, but half of that at least: less where the machine wakes sleepers late.
    /// Without a limit it waits as long as it takes.
    pub(crate) fn receive<T>(
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

    /// A time within which something must be done, made shorter by how late this machine is.
    pub(crate) fn earlier(&self, limit: Duration) -> Duration {
        limit - self.ahead().min(limit / 2)
    }
}

/// How long one thread has queued for a core, ready to run: what happened to it happened by so much earlier than it noticed.
#[derive(Debug)]
pub(crate) struct Queueing(Option<File>);

impl Queueing {
    /// Of the thread that calls this.
    pub(crate) fn of_this_thread() -> Self {
        // Only Linux tells, and only where /proc is; elsewhere nothing is known to be late.
        Self(File::open("/proc/thread-self/schedstat").ok())
    }

    /// How long it has queued since it began.
    #[cfg(target_os = "linux")]
    pub(crate) fn so_far(&self) -> Duration {
        use std::os::unix::fs::FileExt as _;

        let mut text = [0; 128];
        let read = self.0.as_ref().and_then(|file| file.read_at(&mut text, 0).ok()).unwrap_or(0);
        // Nanoseconds on a core, nanoseconds ready for one, and how often it got one.
        let words = text[..read].split(|byte| *byte == b' ').nth(1);
        let nanos = words.and_then(|word| std::str::from_utf8(word).ok()).and_then(|word| word.parse().ok());
        Duration::from_nanos(nanos.unwrap_or(0))
    }

    /// How long it has queued since it began.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn so_far(&self) -> Duration {
        Duration::ZERO
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn who_is_woken_late_gets_up_earlier_and_forgets_it_slowly() {
        let mut lateness = Lateness::default();
        let limit = Duration::from_millis(900);
        assert_eq!(lateness.earlier(limit), limit);
        lateness.note(Duration::from_millis(60));
        assert_eq!(lateness.earlier(limit), Duration::from_millis(780));
        // However late, half of the time is used.
        lateness.note(Duration::from_secs(3));
        assert_eq!(lateness.earlier(limit), limit / 2);
        for _ in 0..20_000 {
            lateness.note(Duration::ZERO);
        }
        assert!(lateness.earlier(limit) > Duration::from_millis(899), "{lateness:?}");
    }

    #[test]
    fn a_wait_ends_with_what_comes_or_by_its_limit() {
        let (sender, receiver) = mpsc::channel();
        let (mut lateness, began) = (Lateness::default(), Instant::now());
        let limit = Duration::from_millis(35);
        assert_eq!(lateness.receive(&receiver, began, Some(limit)), Err(RecvTimeoutError::Timeout));
        sender.send(5).unwrap();
        // What is there is taken, however late it is.
        assert_eq!(lateness.receive(&receiver, began, Some(Duration::ZERO)), Ok(5));
        sender.send(6).unwrap();
        assert_eq!(lateness.receive(&receiver, began, None), Ok(6));
        drop(sender);
        assert_eq!(lateness.receive(&receiver, began, None), Err(RecvTimeoutError::Disconnected));
        assert_eq!(lateness.receive(&receiver, began, Some(limit)), Err(RecvTimeoutError::Disconnected));
    }

    #[test]
    fn queueing_grows_at_most_as_fast_as_time() {
        let (queueing, began) = (Queueing::of_this_thread(), Instant::now());
        let before = queueing.so_far();
        for _ in 0..20 {
            std::thread::sleep(Duration::from_millis(1));
            let now = queueing.so_far();
            assert!(now >= before && now - before <= began.elapsed());
        }
        // Every wake-up takes some nanoseconds, where somebody counts them.
        assert!(queueing.0.is_none() || queueing.so_far() > Duration::ZERO);
    }
}
