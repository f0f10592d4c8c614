//! Pipes that the thread which asks reads and writes by itself.

use std::io::{self, ErrorKind, PipeReader, PipeWriter, Read, Write};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

use super::{CHUNK, Happened};
use crate::sandbox::Pipes;
use crate::wakeup_latency::queued_for_a_core;

/// The beginning of a wait. What comes within it was there at its end at the latest, however long this thread had to queue for a core then.
const QUICK: Duration = Duration::from_millis(1);

/// The pipes of an engine; nothing here waits but [`wait`](Self::wait).
#[derive(Debug)]
pub(in super::super) struct EnginePipes {
    /// None once the engine has closed it.
    to: Option<PipeWriter>,
    /// None once the engine has closed it.
    from: Option<PipeReader>,
    /// What there was no room for in the pipe.
    unsent: Vec<u8>,
    buffer: Vec<u8>,
    /// When nothing had come since the last question, after a wait, and for how long this thread had queued for a core until then.
    since: Option<(Instant, Duration)>,
    waking: Waking,
}

/// How a wait is ended from outside.
#[derive(Debug)]
pub(in super::super) struct Waking {
    woken: PipeReader,
    waker: Waker,
}

impl Waking {
    /// A new one.
    ///
    /// # Errors
    /// If there is no pipe to be had.
    pub(in super::super) fn new() -> io::Result<Self> {
        let (woken, waker) = io::pipe()?;
        do_not_block(&woken)?;
        do_not_block(&waker)?;
        Ok(Self { woken, waker: Waker(Arc::new(waker)) })
    }

    /// What ends the wait.
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
        // In a pipe that is full there is a byte already, and without a reader nobody waits.
        let _ = (&*self.0).write(&[0]);
    }
}

impl EnginePipes {
    /// Takes over the pipes of a program.
    ///
    /// # Errors
    /// If they can't be used so.
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

    /// Writes as soon as there is room; gives the moment at which the first byte was about to leave.
    pub(in super::super) fn send(&mut self, bytes: &[u8]) -> Instant {
        let at = Instant::now();
        self.since = None;
        self.unsent.extend_from_slice(bytes);
        self.write_on();
        at
    }

    /// Nothing more is sent.
    pub(in super::super) fn close_output(&mut self) {
        self.to = None;
    }

    /// What has come already.
    pub(in super::super) fn arrived(&mut self) -> Option<Vec<u8>> {
        let read = self.from.as_mut()?.read(&mut self.buffer);
        // That it is closed is told by a wait.
        read.ok().filter(|n| *n > 0).map(|n| self.buffer[..n].to_vec())
    }

    /// Waits for something to happen, at most until then.
    pub(in super::super) fn wait(&mut self, until: Option<Instant>) -> Happened {
        let (began, queued) = match self.since.take() {
            Some(since) => since,
            None => {
                let soon = Instant::now() + QUICK;
                let first = until.map_or(soon, |until| until.min(soon));
                let happened = self.look(Some(first), |now| now.min(first));
                if happened != Happened::Nothing {
                    return happened;
                }
                (Instant::now(), queued_for_a_core())
            }
        };
        let happened = self.look(until, |now| {
            // Where this thread had to queue for a core, the bytes were here by so much earlier.
            let queued = queued_for_a_core().saturating_sub(queued);
            now.checked_sub(queued).map_or(began, |at| at.max(began))
        });
        if happened == Happened::Nothing {
            self.since = Some((Instant::now(), queued_for_a_core()));
        }
        happened
    }

    /// Waits until then; `arrival` is the moment at which bytes were here that are found now.
    fn look(&mut self, until: Option<Instant>, arrival: impl Fn(Instant) -> Instant) -> Happened {
        loop {
            self.write_on();
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            let Ready { from, woken } = self.ready(left);
            if from && let Some(pipe) = &mut self.from {
                match pipe.read(&mut self.buffer) {
                    Ok(n) if n > 0 => {
                        return Happened::Bytes(self.buffer[..n].to_vec(), arrival(Instant::now()));
                    }
                    Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
                    Ok(_) | Err(_) => {
                        self.from = None;
                        return Happened::Closed;
                    }
                }
            }
            if woken {
                let mut bytes = [0; 64];
                while self.waking.woken.read(&mut bytes).is_ok_and(|n| n == bytes.len()) {}
                return Happened::Woken;
            }
            if left.is_some_and(|left| left.is_zero()) {
                return Happened::Nothing;
            }
        }
    }

    /// Which of the pipes can be read, once one of them can, something can be written, or the time is over.
    fn ready(&self, left: Option<Duration>) -> Ready {
        // A span that the kernel can't count is as good as none.
        let left = left.and_then(|left| Timespec::try_from(left).ok());
        let mut ends = Vec::with_capacity(3);
        ends.push(PollFd::new(&self.waking.woken, PollFlags::IN));
        ends.extend(self.from.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        let unsent = self.to.as_ref().filter(|_| !self.unsent.is_empty());
        ends.extend(unsent.map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
        if poll(&mut ends, left.as_ref()).is_err() {
            // It was interrupted: who called looks at the time, and comes again.
            return Ready { from: false, woken: false };
        }
        let some = |end: Option<&PollFd<'_>>| end.is_some_and(|end| !end.revents().is_empty());
        Ready { woken: some(ends.first()), from: self.from.is_some() && some(ends.get(1)) }
    }

    /// Writes what there is room for.
    fn write_on(&mut self) {
        while !self.unsent.is_empty()
            && let Some(to) = &mut self.to
        {
            match to.write(&self.unsent) {
                Ok(n) => drop(self.unsent.drain(..n)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // An engine that does not read is not our business: its answer does not come.
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => self.to = None,
            }
        }
        self.unsent.clear();
    }
}

/// Has reads and writes of an end of a pipe return at once.
fn do_not_block(end: impl AsFd) -> io::Result<()> {
    Ok(fcntl_setfl(&end, fcntl_getfl(&end)? | OFlags::NONBLOCK)?)
}

/// Which pipes can be read.
struct Ready {
    from: bool,
    woken: bool,
}
