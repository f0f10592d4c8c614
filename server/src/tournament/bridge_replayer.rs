//! Relay of a tournament: plays recordings of finished games to a bridge, at a speed that spectators can follow.
//!
//! A recording is only taken by an idle thread, so the tournament never waits for the relay: games that end while all
//! threads are busy are not shown.

use std::io::{self, Read as _};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use grandstand_protocol::{Event, Micros};
use grandstand_replays::{Content, Limits, Reader, zst};

use crate::locked::Locked as _;
use crate::peer::{Peer, PeerLimits, match_line};

/// Number of games shown at the same time.
const BESIDE: usize = 4;
/// Longest pause between two commands; longer thinking times are cut to it.
const PAUSE: Duration = Duration::from_secs(2);
/// Time without progress after which a bridge is dropped.
const STALL: Duration = Duration::from_secs(1);
/// Decompressed bytes of a recording per read.
const CHUNK: usize = 64 << 10;

/// Sender of recordings to a bridge. Dropping it sends the rest of the current games at once, and closes the
/// connections.
#[derive(Debug)]
pub struct BridgeReplayer {
    recordings: Option<Sender<Vec<u8>>>,
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

struct Shared {
    address: String,
    /// Number of idle threads that have no recording assigned.
    free: AtomicUsize,
    /// Set when the tournament ends.
    over: Mutex<bool>,
    ended: Condvar,
    /// The bridge is unreachable, and that was reported.
    missed: AtomicBool,
    tell: Box<dyn Fn(&str) + Send + Sync>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("address", &self.address).finish_non_exhaustive()
    }
}

impl BridgeReplayer {
    /// A relay to the bridge at `address` (`HOST:PORT`), which need not be reachable yet; `tell` is called once while
    /// it is not.
    ///
    /// # Errors
    /// If a thread can't be started.
    pub fn start(address: &str, tell: impl Fn(&str) + Send + Sync + 'static) -> io::Result<Self> {
        let (recordings, take) = mpsc::channel();
        let shared = Arc::new(Shared {
            address: address.to_owned(),
            free: AtomicUsize::new(BESIDE),
            over: Mutex::default(),
            ended: Condvar::new(),
            missed: AtomicBool::new(false),
            tell: Box::new(tell),
        });
        let take = Arc::new(Mutex::new(take));
        let mut this = Self { recordings: Some(recordings), shared, threads: Vec::new() };
        for _ in 0..BESIDE {
            let (shared, take) = (Arc::clone(&this.shared), Arc::clone(&take));
            let work = move || shared.work(&take);
            this.threads.push(thread::Builder::new().name("bridge".to_owned()).spawn(work)?);
        }
        Ok(this)
    }

    /// Shows a game from its recording, in the format of `.replay.zst`, if a thread is idle.
    pub fn offer(&self, recording: &[u8]) {
        let one_less = |free: usize| free.checked_sub(1);
        let free = self.shared.free.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less);
        if let (Ok(_), Some(recordings)) = (free, &self.recordings) {
            // On failure the threads have ended.
            let _ = recordings.send(recording.to_vec());
        }
    }
}

impl Drop for BridgeReplayer {
    fn drop(&mut self) {
        self.recordings = None;
        *self.shared.over.locked() = true;
        self.shared.ended.notify_all();
        for thread in self.threads.drain(..) {
            // A thread that panicked shows nothing more.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn work(&self, take: &Mutex<Receiver<Vec<u8>>>) {
        loop {
            let recording = take.locked().recv();
            let Ok(recording) = recording else { return };
            match self.draw(&recording) {
                Ok(()) => self.missed.store(false, Ordering::Relaxed),
                Err(why) if !self.missed.swap(true, Ordering::Relaxed) => {
                    (self.tell)(&format!("{}: {why}; games are drawn there when it can be", self.address));
                }
                Err(_) => {}
            }
            self.free.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Sends one game.
    fn draw(&self, recording: &[u8]) -> Result<(), String> {
        let limits = PeerLimits { stall: STALL, ..PeerLimits::default() };
        let peer = Peer::open(&self.address, limits, |_| {}).map_err(|error| error.to_string())?;
        peer.wait_open().map_err(|error| error.to_string())?;
        let limits = Limits::default();
        let mut text = zst::Text::new(recording, limits.window_bytes);
        let (mut reader, mut chunk) = (Reader::new(limits), vec![0; CHUNK]);
        let (due, last) = (Instant::now(), Micros(0));
        let mut showing = Showing { peer, lines: String::new(), due, last, begun: false };
        loop {
            let read = text.read(&mut chunk).map_err(|error| error.to_string())?;
            if read == 0 {
                reader.finish();
            }
            reader.push(&chunk[..read]);
            loop {
                // The header is known after the first entry was read, and is sent before it.
                if let Some(header) = reader.header().filter(|_| !showing.begun) {
                    showing.begun = true;
                    let (game, about) =
                        (Event::Game(header.game).to_line(), match_line(header.about.clone()));
                    showing.lines.insert_str(0, &format!("{game}\n{about}\n"));
                }
                let Some(entry) = reader.next().map_err(|error| error.to_string())? else { break };
                self.wait_for(&mut showing, entry.t)?;
                match entry.content {
                    Content::Command(line) => {
                        showing.lines += &String::from_utf8_lossy(&line);
                        showing.lines.push('\n');
                    }
                    Content::Result(result) => showing.line(&Event::Result(result).to_line()),
                    Content::Asked(_) | Content::Skipped => {}
                }
            }
            if read == 0 {
                showing.send()?;
                return showing.peer.finish().map_err(|error| error.to_string());
            }
        }
    }

    /// If `t` is later than the last time, sends the pending lines and waits until `t` is due.
    fn wait_for(&self, showing: &mut Showing, t: Micros) -> Result<(), String> {
        let pause = Duration::from_micros(t.since(showing.last).0);
        if pause.is_zero() {
            return Ok(());
        }
        showing.send()?;
        showing.last = t;
        showing.due += pause.min(PAUSE);
        let over = self.over.locked();
        let left = showing.due.saturating_duration_since(Instant::now());
        drop(self.ended.wait_timeout_while(over, left, |over| !*over));
        Ok(())
    }
}

/// A game that is being shown.
struct Showing {
    peer: Peer,
    /// Lines of the current time that are not sent yet.
    lines: String,
    due: Instant,
    last: Micros,
    begun: bool,
}

impl Showing {
    fn line(&mut self, line: &str) {
        self.lines += line;
        self.lines.push('\n');
    }

    fn send(&mut self) -> Result<(), String> {
        if self.lines.is_empty() {
            return Ok(());
        }
        let bytes = std::mem::take(&mut self.lines).into_bytes().into();
        self.peer.send(&bytes, STALL).map_err(|error| error.to_string())
    }
}
