//! Recordings in files, and those built into the program.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use grandstand_replays::{Limits, Loader};
use grandstand_story::Sample;

use super::{Control, Shared};
use crate::errors::SourceError;
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
                    file.read(buffer).map_err(|error| SourceError::unreadable(&path, &error))
                });
            }
            Err(error) => {
                let _ = sender.send(Update::Failed(SourceError::unreadable(&path, &error)));
                wake();
            }
        }
    });
    Feed { updates, control }
}

fn name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Opens a recording built into the program.
pub fn open_sample(sample: Sample, wake: Wake) -> Feed {
    let (sender, updates) = channel();
    let control = Control::spawn("sample", move |shared| {
        let mut rest = sample.recording;
        let length = rest.len() as u64;
        load(shared, &sender, &wake, sample.game.name(), length, |buffer| {
            Ok(rest.read(buffer).unwrap_or_default())
        });
    });
    Feed { updates, control }
}

/// Reads a recording to its end, with progress updates. `length` is 0 if it is unknown.
pub(super) fn load(
    shared: &Shared,
    sender: &Sender<Update>,
    wake: &Wake,
    name: &str,
    length: u64,
    mut read: impl FnMut(&mut [u8]) -> Result<usize, SourceError>,
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
            return tell(Update::Failed(SourceError::not_a_replay(name, &error)));
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
        Err(error) => Update::Failed(SourceError::not_a_replay(name, &error)),
    });
}
