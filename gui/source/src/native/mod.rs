//! Native sources: one thread each, with blocking sockets and files.

mod arguments;
mod file;
mod folder;
mod http;
mod live;
mod post;
mod tls;

use std::net::{Shutdown, TcpStream};
use std::pin::pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use ureq::Agent;

pub use arguments::{target, targets};
pub use file::{open_file, open_sample};
pub use folder::{FolderFeed, files_in, recording_after, watch_folder};
pub(crate) use http::{Client, text_of};
pub use http::{fetch_recording, open_recording};
pub(crate) use live::follow;
pub(crate) use post::call;
pub use post::{save_seat, saved_seat};

/// Starts a thread that nobody stops. If it can't start, what `work` holds is dropped at once.
pub(crate) fn spawn(name: &str, work: impl AsyncFnOnce() + Send + 'static) {
    drop(std::thread::Builder::new().name(name.to_owned()).spawn(move || block_on(work())));
}

/// Runs a task of which each call blocks the thread until it is done, so that it is never pending.
fn block_on<F: Future>(task: F) -> F::Output {
    let mut task = pin!(task);
    loop {
        if let Poll::Ready(output) = task.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return output;
        }
    }
}

/// The viewer's handle of a source's thread: dropping it stops the thread, wherever it waits.
#[derive(Debug)]
pub(crate) struct Control(Arc<Shared>);

/// The state shared with the thread.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    stopped: bool,
    hurried: bool,
    /// What the thread may be blocked on.
    blocked_on: Option<Connection>,
}

/// What ends a thread's wait for a server.
#[derive(Debug)]
enum Connection {
    Socket(TcpStream),
    /// All connections of an HTTP client.
    Agent(Agent),
}

impl Control {
    /// Starts a thread that runs `work` until it is stopped.
    pub(crate) fn spawn(name: &str, work: impl FnOnce(&Arc<Shared>) + Send + 'static) -> Control {
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        let spawned = std::thread::Builder::new().name(name.to_owned()).spawn(move || work(&theirs));
        // If the thread can't start, the channel is closed at once, which counts as a failure.
        drop(spawned);
        Control(shared)
    }

    /// Ends the current pause of the thread.
    pub(crate) fn hurry(&self) {
        self.0.lock().hurried = true;
        self.0.changed.notify_all();
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.stopped = true;
        let connection = state.blocked_on.take();
        drop(state);
        match connection {
            // The socket may be closed already.
            Some(Connection::Socket(socket)) => drop(socket.shutdown(Shutdown::Both)),
            Some(Connection::Agent(agent)) => agent.shutdown(),
            None => {}
        }
        self.0.changed.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn stopped(&self) -> bool {
        self.lock().stopped
    }

    /// Registers the socket that the thread is going to block on, so that a stop closes it; returns `false` if the thread was stopped.
    pub(crate) fn blocks_on(&self, socket: &TcpStream) -> bool {
        let mut state = self.lock();
        state.blocked_on = socket.try_clone().ok().map(Connection::Socket);
        !state.stopped
    }

    /// Registers the HTTP client whose requests the thread is going to wait for, so that a stop ends them; returns `false` if the thread was stopped.
    pub(crate) fn waits_for(&self, agent: &Agent) -> bool {
        let mut state = self.lock();
        state.blocked_on = Some(Connection::Agent(agent.clone()));
        !state.stopped
    }

    /// Waits for the duration, or until hurried or stopped; returns `false` if the thread was stopped.
    pub(crate) fn pause(&self, duration: Duration) -> bool {
        let end = Instant::now() + duration;
        let mut state = self.lock();
        while !state.stopped && !state.hurried {
            let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) else {
                break;
            };
            (state, _) = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner);
        }
        state.hurried = false;
        !state.stopped
    }
}
