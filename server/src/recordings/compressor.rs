//! Compression of finished recordings, in a thread of low priority.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek as _};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread::JoinHandle;

use grandstand_protocol::message::MatchId;
use grandstand_replays::zst;

use super::directory::Directory;
use super::{Recordings, file, tail};
use crate::locked::Locked as _;

/// Compresses finished recordings, one after the other, in a thread of low priority.
#[derive(Debug)]
pub(crate) struct Compressor {
    ids: Mutex<Option<mpsc::Sender<MatchId>>>,
    stop: Arc<AtomicBool>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Compressor {
    /// Starts the thread, for the directory of `recordings`. It first compresses the finished recordings left over from
    /// earlier runs.
    pub(crate) fn start(recordings: Arc<Recordings>) -> io::Result<Self> {
        let (sender, receiver) = mpsc::channel::<MatchId>();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        // Listed now: a later match may end with lines that look final but are not.
        let left = recordings.ids();
        let thread = std::thread::Builder::new().name("compressor".into()).spawn(move || {
            // Games and spectators have priority; on other systems they share.
            #[cfg(target_os = "linux")]
            let _ = rustix::process::setpriority_process(None, 19);
            let Some(directory) = recordings.directory() else { return };
            let uncompressed = |id: &MatchId| {
                let opened = file::open(&directory.file(id, ".replay"));
                // An unreadable file is reported when it is listed.
                opened.and_then(|mut file| tail::is_over(&mut file)).unwrap_or(false)
            };
            for id in left.into_iter().filter(uncompressed).chain(receiver) {
                let compressed = compress(directory, &id, &stopped);
                if stopped.load(Ordering::Relaxed) {
                    return;
                }
                if let Err(error) = compressed {
                    tracing::warn!(%id, %error, "a recording could not be compressed and stays as it is");
                }
            }
        })?;
        Ok(Self { ids: Mutex::new(Some(sender)), stop, thread: Mutex::new(Some(thread)) })
    }

    /// Queues a recording for compression.
    pub(crate) fn compress(&self, id: &MatchId) {
        if let Some(ids) = &*self.ids.locked() {
            // If the thread is gone, the recording stays as it is.
            let _ = ids.send(id.clone());
        }
    }

    /// Ends the thread and cancels its current compression; blocks meanwhile. The rest is left to the next start.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.ids.locked().take();
        let thread = self.thread.locked().take();
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::error!("the thread that compresses recordings panicked");
        }
    }
}

/// Replaces `ID.replay` by `ID.replay.zst`. At every moment one of the two is whole.
fn compress(directory: &Directory, id: &MatchId, stop: &AtomicBool) -> io::Result<()> {
    let [plain, compressed, partial] =
        [".replay", ".replay.zst", ".replay.zst.part"].map(|ending| directory.file(id, ending));
    let written = write_whole(&plain, &partial, stop);
    let saved = match written.and_then(|saved| fs::rename(&partial, &compressed).map(|()| saved)) {
        Ok(saved) => saved,
        Err(error) => {
            // The partial file is useless; if it can't be removed here, the next start removes it.
            let _ = fs::remove_file(&partial);
            return Err(error);
        }
    };
    fs::remove_file(plain)?;
    directory.shrank(saved);
    Ok(())
}

/// Writes the compressed file; returns the number of bytes saved.
fn write_whole(plain: &Path, partial: &Path, stop: &AtomicBool) -> io::Result<u64> {
    let mut source = file::open(plain)?;
    let length = source.metadata()?.len();
    let end = tail::plain_tail(&mut source)?;
    let last = tail::last_lines(&end);
    source.rewind()?;
    let mut drain = file::create(partial)?;
    zst::compress(BufReader::new(Stoppable { source, stop }), &drain)?;
    tail::write_tail(last, &mut drain)?;
    drain.sync_all()?;
    Ok(length.saturating_sub(drain.metadata()?.len()))
}

/// A file whose reads fail once the server stops.
struct Stoppable<'a> {
    source: File,
    stop: &'a AtomicBool,
}

impl Read for Stoppable<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(io::Error::other("the server stops"));
        }
        self.source.read(buffer)
    }
}
