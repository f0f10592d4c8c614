//! Recordings in files, and folders of recordings.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use grandstand_replays::{Limits, Loader};

use super::{Control, Shared};
use crate::errors::Trouble;
use crate::{Feed, Update, Wake};

/// The interval of progress updates while a file is read.
const PROGRESS: Duration = Duration::from_millis(60);
const CHUNK: usize = 256 << 10;

/// Opens a file: the first scene arrives when its first part was read.
pub fn open_file(path: PathBuf, wake: Wake) -> Feed {
    let (sender, updates) = channel();
    let control = Control::spawn("file", move |shared| {
        let open = || {
            // Some systems can open a folder, and only reading it fails.
            if path.is_dir() {
                return Err(std::io::ErrorKind::IsADirectory.into());
            }
            File::open(&path)
        };
        match open() {
            Ok(mut file) => {
                let length = file.metadata().map_or(0, |about| about.len());
                load(shared, &sender, &wake, &name(&path), length, |buffer| {
                    file.read(buffer).map_err(|error| Trouble::unreadable(&path, &error))
                });
            }
            Err(error) => {
                let _ = sender.send(Update::Failed(Trouble::unreadable(&path, &error)));
                wake();
            }
        }
    });
    Feed { updates, control }
}

fn name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Reads a recording to its end, with progress updates. `length` is 0 if it is unknown.
pub(super) fn load(
    shared: &Shared,
    sender: &Sender<Update>,
    wake: &Wake,
    name: &str,
    length: u64,
    mut read: impl FnMut(&mut [u8]) -> Result<usize, Trouble>,
) {
    let tell = |update| {
        // If the viewer is gone, this thread ends at its next check.
        let _ = sender.send(update);
        wake();
    };
    let mut loader = Loader::new(Limits::default());
    let mut buffer = vec![0; CHUNK];
    let (mut done, mut told) = (0_u64, None::<Instant>);
    while !shared.stopped() && !loader.is_over() {
        let count = match read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(trouble) => return tell(Update::Failed(trouble)),
        };
        done += count as u64;
        if let Err(error) = loader.push(&buffer[..count]) {
            return tell(Update::Failed(Trouble::not_a_replay(name, &error)));
        }
        if told.is_none_or(|at| at.elapsed() > PROGRESS)
            && let Some(replay) = loader.replay()
        {
            told = Some(Instant::now());
            let loaded = if length == 0 { 0.0 } else { (done as f32 / length as f32).min(0.99) };
            tell(Update::Recording { replay: Box::new(replay.clone()), loaded });
        }
    }
    tell(match loader.finish() {
        Ok(replay) => Update::Recording { replay: Box::new(replay), loaded: 1.0 },
        Err(error) => Update::Failed(Trouble::not_a_replay(name, &error)),
    });
}

/// The content of a folder: its subfolders, and its recordings, the newest first.
#[derive(Debug, Default)]
pub struct Folder {
    /// The canonical path of the folder.
    pub path: PathBuf,
    /// The subfolders, by name.
    pub folders: Vec<PathBuf>,
    /// The recordings, the newest first.
    pub recordings: Vec<PathBuf>,
}

/// Lists a folder. Unreadable entries are omitted.
///
/// # Errors
/// [`Trouble`] if the folder itself can't be read.
pub fn files_in(path: &Path) -> Result<Folder, Trouble> {
    let unreadable = |error| Trouble::unreadable(path, &error);
    let path = fs::canonicalize(path).map_err(unreadable)?;
    let mut folder = Folder { path: path.clone(), ..Folder::default() };
    let mut recordings = Vec::new();
    for entry in fs::read_dir(&path).map_err(unreadable)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Ok(about) = fs::metadata(entry.path()) else { continue };
        if about.is_dir() && !name.starts_with('.') {
            folder.folders.push(entry.path());
        } else if name.ends_with(".replay") || name.ends_with(".replay.zst") {
            recordings.push((about.modified().ok(), entry.path()));
        }
    }
    folder.folders.sort();
    recordings.sort_by(|a, b| b.cmp(a));
    folder.recordings = recordings.into_iter().map(|(_, path)| path).collect();
    Ok(folder)
}

/// The next later recording in the same folder.
pub fn recording_after(path: &Path) -> Option<PathBuf> {
    let path = fs::canonicalize(path).ok()?;
    let mut newest_first = files_in(path.parent()?).ok()?.recordings;
    let place = newest_first.iter().position(|file| *file == path)?;
    Some(newest_first.swap_remove(place.checked_sub(1)?))
}
