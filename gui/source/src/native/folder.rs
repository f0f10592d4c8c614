//! Folders of recordings: their content, and a summary of each recording.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use grandstand_replays::ScanError;

use super::{Control, Shared};
use crate::Wake;
use crate::errors::SourceError;
use crate::recordings::{Folder, FolderUpdate, Recorded};

/// Maximum number of entries of a folder that are read.
const ENTRIES_MAX: usize = 50_000;
/// Maximum number of listed recordings of a folder, the newest ones.
const RECORDINGS_MAX: usize = 5_000;
/// Maximum memory for the last scenes of a folder's recordings, in bytes.
const SCENES_BYTES: usize = 48 << 20;
/// Interval between two wake-ups of the viewer.
const WAKE_EVERY: Duration = Duration::from_millis(80);

/// A folder that is being read. Dropping it ends the reading.
#[derive(Debug)]
pub struct FolderFeed {
    /// The updates, in order; closed when everything is read.
    pub updates: Receiver<FolderUpdate>,
    _control: Control,
}

/// Reads a folder: its content first, then its recordings, the newest first.
pub fn watch_folder(path: PathBuf, wake: Wake) -> FolderFeed {
    let (sender, updates) = channel();
    let control = Control::spawn("folder", move |shared| {
        let folder = match files_in(&path) {
            Ok(folder) => folder,
            Err(trouble) => {
                // The viewer may be gone.
                let _ = sender.send(FolderUpdate::Failed(trouble));
                return wake();
            }
        };
        let recordings = folder.recordings.clone();
        let _ = sender.send(FolderUpdate::Contents(folder));
        wake();
        let (mut kept, mut woke) = (0, Instant::now());
        for (number, path) in recordings.into_iter().enumerate() {
            let mut told = read(shared, &path);
            if shared.stopped() {
                return;
            }
            if let Ok(recorded) = &mut told {
                kept += recorded.scene.as_ref().map_or(0, |scene| scene.bytes());
                if kept > SCENES_BYTES {
                    recorded.scene = None;
                }
            }
            let _ = sender.send(FolderUpdate::Recording(number, told));
            if woke.elapsed() > WAKE_EVERY {
                woke = Instant::now();
                wake();
            }
        }
        wake();
    });
    FolderFeed { updates, _control: control }
}

/// The summary of one recording, or in a few words the reason for its absence.
fn read(shared: &Shared, path: &Path) -> Result<Box<Recorded>, String> {
    let file = open(path).map_err(|error| reason(&error))?;
    match Recorded::read(Stoppable { file, shared }) {
        Ok(recorded) => Ok(Box::new(recorded)),
        Err(ScanError::Io(error)) => Err(reason(&error)),
        Err(ScanError::Open(error)) => Err(SourceError::not_a_replay("", &error).title),
    }
}

/// Opens a regular file only: to open a pipe would wait for its writer.
fn open(path: &Path) -> io::Result<File> {
    if fs::metadata(path)?.is_file() { File::open(path) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "No permission to read it".to_owned(),
        io::ErrorKind::NotFound => "Gone".to_owned(),
        io::ErrorKind::InvalidInput => "Not a file".to_owned(),
        _ => "Can't be read".to_owned(),
    }
}

/// A file that ends once the viewer has gone.
struct Stoppable<'a> {
    file: File,
    shared: &'a Shared,
}

impl Read for Stoppable<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.shared.stopped() { Ok(0) } else { self.file.read(buffer) }
    }
}

/// Reads the content of a folder. Entries that can't be read are not listed.
///
/// # Errors
/// If the folder itself can't be read.
pub fn files_in(path: &Path) -> Result<Folder, SourceError> {
    let unreadable = |error| SourceError::unreadable(path, &error);
    let path = fs::canonicalize(path).map_err(unreadable)?;
    let mut folder = Folder { path: path.clone(), ..Folder::default() };
    let mut recordings = Vec::new();
    for entry in fs::read_dir(&path).map_err(unreadable)?.take(ENTRIES_MAX).flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Ok(about) = fs::metadata(entry.path()) else { continue };
        if about.is_dir() && !name.starts_with('.') {
            folder.folders.push(entry.path());
        } else if about.is_file() && (name.ends_with(".replay") || name.ends_with(".replay.zst")) {
            recordings.push((about.modified().ok(), entry.path()));
        }
    }
    folder.folders.sort();
    recordings.sort_by(|a, b| b.cmp(a));
    folder.left_out = recordings.len().saturating_sub(RECORDINGS_MAX);
    folder.recordings = recordings.into_iter().map(|(_, path)| path).take(RECORDINGS_MAX).collect();
    Ok(folder)
}

/// The next later recording in the same folder.
pub fn recording_after(path: &Path) -> Option<PathBuf> {
    let path = fs::canonicalize(path).ok()?;
    let mut newest_first = files_in(path.parent()?).ok()?.recordings;
    let place = newest_first.iter().position(|file| *file == path)?;
    Some(newest_first.swap_remove(place.checked_sub(1)?))
}
