//! Pipes that two threads read and write, for systems that can't wait for several pipes at once.

use std::io::{self, Read, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::Instant;

use super::{CHUNK, PipeEvent};
use crate::sandbox::Pipes;

/// Maximum number of chunks that wait to be handled; an engine that writes more is blocked on its pipe.
const CHUNKS: usize = 16;

/// Pipes of an engine.
#[derive(Debug)]
pub(in super::super) struct EnginePipes {
    to: Option<Sender<Vec<u8>>>,
    chunks: Receiver<Vec<u8>>,
    waking: Waking,
}

/// Receiving end of [`Waker`]s: ends a wait from outside.
#[derive(Debug)]
pub(in super::super) struct Waking {
    news: Receiver<PipeEvent>,
    waker: Waker,
}

impl Waking {
    /// Creates a channel for it.
    ///
    /// # Errors
    /// None; the signature is that of the other implementation.
    pub(in super::super) fn new() -> io::Result<Self> {
        let (tell, news) = mpsc::channel();
        Ok(Self { news, waker: Waker(tell) })
    }

    /// Handle that ends the wait.
    pub(in super::super) fn waker(&self) -> Waker {
        self.waker.clone()
    }
}

/// Ends a wait, from any thread.
#[derive(Debug, Clone)]
pub(in super::super) struct Waker(Sender<PipeEvent>);

impl Waker {
    /// Ends the wait that is on, or the next one.
    pub(in super::super) fn wake(&self) {
        // Without a receiver nobody waits.
        let _ = self.0.send(PipeEvent::Woken);
    }
}

impl EnginePipes {
    /// Takes over the pipes of a program.
    ///
    /// # Errors
    /// If a thread can't be started.
    pub(in super::super) fn new(pipes: Pipes, waking: Waking) -> io::Result<Self> {
        let Pipes { mut to, from } = pipes;
        let (send, lines) = mpsc::channel::<Vec<u8>>();
        let (give, chunks) = mpsc::sync_channel(CHUNKS);
        let Waker(reads) = waking.waker();
        thread::Builder::new().name("engine says".to_owned()).spawn(move || read(from, &give, &reads))?;
        thread::Builder::new().name("engine is told".to_owned()).spawn(move || {
            for bytes in lines {
                // The error is ignored: an engine that takes no bytes will not answer either.
                if to.write_all(&bytes).and_then(|()| to.flush()).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { to: Some(send), chunks, waking })
    }

    /// Queues bytes for the writing thread; returns the current moment.
    pub(in super::super) fn send(&mut self, bytes: &[u8]) -> Instant {
        if let Some(to) = &self.to {
            // The writing thread ends with the process.
            let _ = to.send(bytes.to_vec());
        }
        Instant::now()
    }

    /// Closes the engine's standard input, once the queued bytes are written.
    pub(in super::super) fn close_output(&mut self) {
        self.to = None;
    }

    /// The next chunk that has arrived already.
    pub(in super::super) fn arrived(&mut self) -> Option<Vec<u8>> {
        self.chunks.try_recv().ok()
    }

    /// Waits for an event, at most until `until`.
    pub(in super::super) fn wait(&mut self, until: Option<Instant>) -> PipeEvent {
        let news = match until {
            Some(until) => self.waking.news.recv_timeout(until.saturating_duration_since(Instant::now())),
            None => self.waking.news.recv().map_err(|mpsc::RecvError| RecvTimeoutError::Disconnected),
        };
        match news {
            // Each chunk is announced by an empty one with its time.
            Ok(PipeEvent::Bytes(_, at)) => {
                self.chunks.try_recv().map_or(PipeEvent::Woken, |bytes| PipeEvent::Bytes(bytes, at))
            }
            Ok(happened) => happened,
            Err(_) => PipeEvent::Nothing,
        }
    }
}

fn read(mut from: impl Read, give: &SyncSender<Vec<u8>>, tell: &Sender<PipeEvent>) {
    let mut buffer = vec![0; CHUNK];
    loop {
        match from.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => break,
            Ok(n) => {
                let at = Instant::now();
                // Fails if nobody receives any more.
                if give.send(buffer[..n].to_vec()).is_err()
                    || tell.send(PipeEvent::Bytes(Vec::new(), at)).is_err()
                {
                    return;
                }
            }
        }
    }
    let _ = tell.send(PipeEvent::Closed);
}
