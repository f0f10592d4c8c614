//! Sources on a desktop: one thread each, with blocking sockets and files.

mod arguments;
mod file;
mod http;
mod live;
mod post;
mod tls;

use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub use arguments::{target, targets};
pub use file::{Folder, files_in, open_file, recording_after};
pub use http::{get, open_recording, watch_list, watch_tournament};
pub use live::{open_live, preview_live};
pub use post::{post, save_seat, saved_seat};

/// The viewer's end of a source's thread: dropping it stops the thread, wherever it waits.
#[derive(Debug)]
pub(crate) struct Control(Arc<Shared>);

/// The thread's end.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    stopped: bool,
    hurried: bool,
    /// The socket that the thread may be blocked on.
    socket: Option<TcpStream>,
}

impl Control {
    /// Starts a thread that does `work` until it is told to stop.
    pub(crate) fn spawn(name: &str, work: impl FnOnce(&Shared) + Send + 'static) -> Control {
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        let spawned = std::thread::Builder::new().name(name.to_owned()).spawn(move || work(&theirs));
        // Without a thread the channel is closed at once, which the viewer is told as a failure.
        drop(spawned);
        Control(shared)
    }

    /// Ends the pause that the thread may be in.
    pub(crate) fn hurry(&self) {
        self.0.lock().hurried = true;
        self.0.changed.notify_all();
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.stopped = true;
        if let Some(socket) = state.socket.take() {
            // A socket that is closed already needs no closing.
            let _ = socket.shutdown(Shutdown::Both);
        }
        drop(state);
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

    /// Lets a stop close the socket that the thread is going to block on; `false` when it has been stopped.
    pub(crate) fn blocks_on(&self, socket: &TcpStream) -> bool {
        let mut state = self.lock();
        state.socket = socket.try_clone().ok();
        !state.stopped
    }

    /// Waits, or until hurried or stopped; `false` when it has been stopped.
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
