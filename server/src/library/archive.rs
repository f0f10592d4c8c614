//! Compressed recordings.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use grandstand_protocol::message::MatchId;
use grandstand_replays::{Limits, zst};

/// The text of a compressed recording.
pub(super) fn decompress(file: File) -> Box<dyn Read + Send> {
    Box::new(zst::Text::new(file, Limits::default().window_bytes))
}

/// Compresses recordings that are over, one after the other, in a thread of low priority.
#[derive(Debug)]
pub(crate) struct Archivist {
    ids: mpsc::Sender<MatchId>,
}

impl Archivist {
    /// Starts the thread; it ends with its work when this is dropped.
    pub(crate) fn start(directory: &Path) -> io::Result<Self> {
        let (sender, receiver) = mpsc::channel::<MatchId>();
        let directory = directory.to_owned();
        std::thread::Builder::new().name("archivist".into()).spawn(move || {
            // Games and spectators come first; where that can't be had, they share.
            #[cfg(target_os = "linux")]
            let _ = rustix::process::setpriority_process(None, 19);
            for id in receiver {
                if let Err(error) = compress(&directory, &id) {
                    tracing::warn!(%id, %error, "a recording could not be compressed and stays as it is");
                }
            }
        })?;
        Ok(Self { ids: sender })
    }

    /// Compresses a recording sometime.
    pub(crate) fn compress(&self, id: &MatchId) {
        // If the thread is gone, the recording stays as it is.
        let _ = self.ids.send(id.clone());
    }
}

/// Puts `ID.replay.zst` in the place of `ID.replay`. At every moment one of the two is whole.
fn compress(directory: &Path, id: &MatchId) -> io::Result<()> {
    let plain = directory.join(format!("{id}.replay"));
    let compressed = directory.join(format!("{id}.replay.zst"));
    let partial: PathBuf = directory.join(format!("{id}.replay.zst.part"));
    let written = write_whole(&plain, &partial).and_then(|()| fs::rename(&partial, &compressed));
    if let Err(error) = written {
        // The part is of no use; if it can't be removed either, it is overwritten or left.
        let _ = fs::remove_file(&partial);
        return Err(error);
    }
    fs::remove_file(plain)
}

fn write_whole(plain: &Path, partial: &Path) -> io::Result<()> {
    let source = BufReader::new(File::open(plain)?);
    let drain = File::create(partial)?;
    zst::compress(source, &drain)?;
    drain.sync_all()
}
