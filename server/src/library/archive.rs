//! Compressed recordings.
//!
//! After the zstd frame with the text comes a skippable one, which every decompressor passes over, with the text's last
//! lines once more: so a list knows how a recording ended without decompressing it.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek as _, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;

use grandstand_protocol::message::MatchId;
use grandstand_replays::{Limits, zst};

use super::directory::Directory;
use super::{Library, file, summary};

/// What the frame with the last lines begins with.
const TAIL_MAGIC: [u8; 4] = [0x50, 0x2A, 0x4D, 0x18];

/// The text of a compressed recording.
pub(super) fn decompress(file: File) -> Box<dyn Read + Send> {
    Box::new(zst::Text::new(file, Limits::default().window_bytes))
}

/// The last lines of a compressed recording; nothing if they are not there to be read without the rest.
pub(super) fn tail(file: &mut File) -> io::Result<Vec<u8>> {
    for most in summary::TAILS {
        let end = summary::end(file, most + 8)?;
        // The frame that reaches just to the end; it says its length itself.
        let starts = memchr::memmem::rfind_iter(&end, &TAIL_MAGIC);
        let mut texts = starts.filter_map(|at| {
            let (length, text) = end[at + TAIL_MAGIC.len()..].split_first_chunk()?;
            (u32::from_le_bytes(*length) as usize == text.len()).then(|| text.to_vec())
        });
        if let Some(text) = texts.next() {
            return Ok(text);
        }
    }
    Ok(Vec::new())
}

/// Compresses recordings that are over, one after the other, in a thread of low priority.
#[derive(Debug)]
pub(crate) struct Archivist {
    ids: Mutex<Option<mpsc::Sender<MatchId>>>,
    stop: Arc<AtomicBool>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Archivist {
    /// Starts the thread, for the directory of `library`. It begins with what is over and was not compressed before the
    /// last stop.
    pub(crate) fn start(library: Arc<Library>) -> io::Result<Self> {
        let (sender, receiver) = mpsc::channel::<MatchId>();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        // Known now: a match that begins later has lines at its end that are not its last.
        let left = library.ids();
        let thread = std::thread::Builder::new().name("archivist".into()).spawn(move || {
            // Games and spectators come first; where that can't be had, they share.
            #[cfg(target_os = "linux")]
            let _ = rustix::process::setpriority_process(None, 19);
            let Some(directory) = library.directory() else { return };
            let uncompressed = |id: &MatchId| {
                let opened = file::open(&directory.file(id, ".replay"));
                // What can't be read is said when it is listed.
                opened.and_then(|mut file| summary::is_over(&mut file)).unwrap_or(false)
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

    /// Compresses a recording sometime.
    pub(crate) fn compress(&self, id: &MatchId) {
        if let Some(ids) = &*self.ids.lock().unwrap_or_else(PoisonError::into_inner) {
            // If the thread is gone, the recording stays as it is.
            let _ = ids.send(id.clone());
        }
    }

    /// Ends the thread, and gives up what it compresses; blocks meanwhile. What is left is for the next start.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.ids.lock().unwrap_or_else(PoisonError::into_inner).take();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::error!("the archivist's thread panicked");
        }
    }
}

/// Puts `ID.replay.zst` in the place of `ID.replay`. At every moment one of the two is whole.
fn compress(directory: &Directory, id: &MatchId, stop: &AtomicBool) -> io::Result<()> {
    let [plain, compressed, partial] =
        [".replay", ".replay.zst", ".replay.zst.part"].map(|ending| directory.file(id, ending));
    let written = write_whole(&plain, &partial, stop);
    let saved = match written.and_then(|saved| fs::rename(&partial, &compressed).map(|()| saved)) {
        Ok(saved) => saved,
        Err(error) => {
            // The part is of no use; if it can't be removed either, the next start does it.
            let _ = fs::remove_file(&partial);
            return Err(error);
        }
    };
    fs::remove_file(plain)?;
    directory.shrank(saved);
    Ok(())
}

/// How many bytes are saved.
fn write_whole(plain: &Path, partial: &Path, stop: &AtomicBool) -> io::Result<u64> {
    let mut source = file::open(plain)?;
    let length = source.metadata()?.len();
    let tail = summary::plain_tail(&mut source)?;
    let tail = summary::last_lines(&tail);
    source.rewind()?;
    let mut drain = file::create(partial)?;
    zst::compress(BufReader::new(Stoppable { source, stop }), &drain)?;
    drain.write_all(&TAIL_MAGIC)?;
    // At most as long as what is looked for.
    drain.write_all(&(tail.len() as u32).to_le_bytes())?;
    drain.write_all(tail)?;
    drain.sync_all()?;
    Ok(length.saturating_sub(drain.metadata()?.len()))
}

/// A file that can't be read any further once there is no time for it.
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
