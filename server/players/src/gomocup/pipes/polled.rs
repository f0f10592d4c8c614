//! Pipes that the asking thread reads and writes by itself, with `poll`.

use std::io::{self, ErrorKind, PipeReader, PipeWriter, Read, Write};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

use super::{CHUNK, PipeEvent};
use crate::sandbox::Pipes;
use crate::wakeup_latency::{queued_for_a_core, queued_for_a_core_lately};

/// Length of a wait up to which the time that this thread queued for a core is not checked. Where the system does not
/// count that time, a longer wait is divided at this point: bytes that are found after its first part without another
/// wait count as arrived by the end of that part.
const QUICK: Duration = Duration::from_millis(1);

/// Pipes of an engine. Nothing here blocks except [`wait`](Self::wait).
#[derive(Debug)]
pub(in super::super) struct EnginePipes {
    /// Pipe to the engine; `None` after [`close_output`](Self::close_output) or when the engine has closed it.
    to: Option<PipeWriter>,
    /// Pipe from the engine; `None` when the engine has closed it.
    from: Option<PipeReader>,
    /// Bytes for which the pipe had no room.
    unsent: Vec<u8>,
    buffer: Vec<u8>,
    /// Moment, after a wait, at which nothing had arrived since the last question, and for how long this thread had
    /// queued for a core until then.
    since: Option<(Instant, Duration)>,
    waking: Waking,
}

/// Receiving end of [`Waker`]s: ends a wait from outside.
#[derive(Debug)]
pub(in super::super) struct Waking {
    woken: PipeReader,
    waker: Waker,
}

impl Waking {
    /// Creates a pipe for it.
    ///
    /// # Errors
    /// If no pipe can be created.
    pub(in super::super) fn new() -> io::Result<Self> {
        let (woken, waker) = io::pipe()?;
        do_not_block(&woken)?;
        do_not_block(&waker)?;
        Ok(Self { woken, waker: Waker(Arc::new(waker)) })
    }

    /// Handle that ends the wait.
    pub(in super::super) fn waker(&self) -> Waker {
        self.waker.clone()
    }
}

/// Ends a wait, from any thread.
#[derive(Debug, Clone)]
pub(in super::super) struct Waker(Arc<PipeWriter>);

impl Waker {
    /// Ends the wait that is on, or the next one.
    pub(in super::super) fn wake(&self) {
        // A full pipe already holds a byte; without a reader nobody waits.
        let _ = (&*self.0).write(&[0]);
    }
}

impl EnginePipes {
    /// Takes over the pipes of a program.
    ///
    /// # Errors
    /// If they can't be made non-blocking.
    pub(in super::super) fn new(pipes: Pipes, waking: Waking) -> io::Result<Self> {
        let Pipes { to, from } = pipes;
        do_not_block(&to)?;
        do_not_block(&from)?;
        Ok(Self {
            to: Some(to),
            from: Some(from),
            unsent: Vec::new(),
            buffer: vec![0; CHUNK],
            since: None,
            waking,
        })
    }

    /// Sends bytes as soon as there is room; returns the moment just before the first byte was to leave.
    pub(in super::super) fn send(&mut self, bytes: &[u8]) -> Instant {
        let at = Instant::now();
        self.since = None;
        self.unsent.extend_from_slice(bytes);
        self.write_on();
        at
    }

    /// Closes the engine's standard input.
    pub(in super::super) fn close_output(&mut self) {
        self.to = None;
    }

    /// Bytes that have arrived already.
    pub(in super::super) fn arrived(&mut self) -> Option<Vec<u8>> {
        let read = self.from.as_mut()?.read(&mut self.buffer);
        // A closed pipe is reported by `wait`.
        read.ok().filter(|n| *n > 0).map(|n| self.buffer[..n].to_vec())
    }

    /// Waits for an event, at most until `until`.
    pub(in super::super) fn wait(&mut self, until: Option<Instant>) -> PipeEvent {
        let (began, queued) = match self.since.take() {
            Some(since) => since,
            None => {
                let now = Instant::now();
                match queued_for_a_core_lately(now, QUICK) {
                    // One wait, so that a question that is answered at once costs no timer of its own.
                    Some(queued) => (now, queued),
                    None => {
                        let first = until.map_or(now + QUICK, |until| until.min(now + QUICK));
                        let happened = self.look(Some(first), |now| now.min(first));
                        if happened != PipeEvent::TimedOut {
                            return happened;
                        }
                        (Instant::now(), queued_for_a_core())
                    }
                }
            }
        };
        let happened = self.look(until, |now| {
            if now.saturating_duration_since(began) <= QUICK {
                return now;
            }
            // While this thread queued for a core the bytes were already here, so that time is subtracted.
            let queued = queued_for_a_core().saturating_sub(queued);
            now.checked_sub(queued).map_or(began, |at| at.max(began))
        });
        if happened == PipeEvent::TimedOut {
            self.since = Some((Instant::now(), queued_for_a_core()));
        }
        happened
    }

    /// Waits until `until`. `arrival` maps the current moment to the one at which bytes that are found now had arrived.
    fn look(&mut self, until: Option<Instant>, arrival: impl Fn(Instant) -> Instant) -> PipeEvent {
        loop {
            self.write_on();
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            let Ready { from, woken } = self.ready(left);
            if from && let Some(pipe) = &mut self.from {
                match pipe.read(&mut self.buffer) {
                    Ok(n) if n > 0 => {
                        return PipeEvent::Bytes(self.buffer[..n].to_vec(), arrival(Instant::now()));
                    }
                    Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
                    Ok(_) | Err(_) => {
                        self.from = None;
                        return PipeEvent::Closed;
                    }
                }
            }
            if woken {
                let mut bytes = [0; 64];
                while self.waking.woken.read(&mut bytes).is_ok_and(|n| n == bytes.len()) {}
                return PipeEvent::Woken;
            }
            if left.is_some_and(|left| left.is_zero()) {
                return PipeEvent::TimedOut;
            }
        }
    }

    /// Polls until a pipe can be read or written or the time is over; returns which pipes can be read.
    fn ready(&self, left: Option<Duration>) -> Ready {
        // A span that the kernel can't represent counts as unlimited.
        let left = left.and_then(|left| Timespec::try_from(left).ok());
        let mut ends = Vec::with_capacity(3);
        ends.push(PollFd::new(&self.waking.woken, PollFlags::IN));
        ends.extend(self.from.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        let unsent = self.to.as_ref().filter(|_| !self.unsent.is_empty());
        ends.extend(unsent.map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
        if poll(&mut ends, left.as_ref()).is_err() {
            // Interrupted: the caller checks the time and calls again.
            return Ready { from: false, woken: false };
        }
        let some = |end: Option<&PollFd<'_>>| end.is_some_and(|end| !end.revents().is_empty());
        Ready { woken: some(ends.first()), from: self.from.is_some() && some(ends.get(1)) }
    }

    /// Writes as much as there is room for.
    fn write_on(&mut self) {
        while !self.unsent.is_empty()
            && let Some(to) = &mut self.to
        {
            match to.write(&self.unsent) {
                Ok(n) => drop(self.unsent.drain(..n)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // The rest leaves later; an engine that never reads will not answer either.
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => self.to = None,
            }
        }
        self.unsent.clear();
    }
}

/// Makes one end of a pipe non-blocking.
fn do_not_block(end: impl AsFd) -> io::Result<()> {
    Ok(fcntl_setfl(&end, fcntl_getfl(&end)? | OFlags::NONBLOCK)?)
}

/// Readability of the pipes.
struct Ready {
    from: bool,
    woken: bool,
}
