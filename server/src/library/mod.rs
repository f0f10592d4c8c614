//! The data directory: which recordings there are, and their summaries.
//!
//! Starting reads the names only. A summary is made when it is first asked for, from the first line and the last one
//! of the file (or, if the recording was cut short, by reading it through), and kept.
//!
//! - [`reel`]: reads a recording as messages, from any command on; [`replay`]: as a file to hand out
//! - [`places`]: pictures on the way, so that a moment far back is near
//! - [`archive`]: compresses recordings that are over

pub(crate) mod archive;
mod places;
pub(crate) mod reel;
mod replay;
mod summary;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::UNIX_EPOCH;

use bytes::Bytes;
use grandstand_protocol::message::{MatchId, Summary};
use grandstand_protocol::{Message, Micros};

use self::places::Places;
use self::reel::{Place, Reel};
use self::replay::ReplayFile;
use crate::hub::id::Ulid;

/// How many final scenes are kept for those who come to look at finished matches.
const SCENES: usize = 64;

/// A place in the list: time of the start in Unix milliseconds, then the id.
type Key = (u64, MatchId);

/// The recordings of finished and interrupted matches.
#[derive(Debug, Default)]
pub(crate) struct Library {
    directory: Option<PathBuf>,
    shelf: Mutex<Shelf>,
    places: Mutex<Places>,
    /// Held while the process runs, so that no second one writes here.
    lock: Mutex<Option<File>>,
}

#[derive(Debug, Default)]
struct Shelf {
    entries: BTreeMap<Key, Option<Summary>>,
    keys: BTreeMap<MatchId, Key>,
    scenes: Vec<(MatchId, (Bytes, Micros))>,
}

/// Why a data directory can't be used.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// It can't be made or listed.
    #[error("the data directory {path}: {source}")]
    Io {
        /// The directory.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// Another process records there.
    #[error("the data directory {0} is in use by another grandstand")]
    InUse(PathBuf),
}

impl Library {
    /// Opens a data directory, making it if need be, and lists what is in it. Without one the library is empty.
    pub(crate) fn open(directory: Option<&Path>) -> Result<Self, LibraryError> {
        let Some(path) = directory else { return Ok(Self::default()) };
        let wrap = |source| LibraryError::Io { path: path.to_owned(), source };
        fs::create_dir_all(path).map_err(wrap)?;
        let lock = match File::create(path.join(".lock")) {
            Ok(file) => match file.try_lock() {
                Ok(()) => Some(file),
                Err(fs::TryLockError::WouldBlock) => return Err(LibraryError::InUse(path.to_owned())),
                // Some network file systems have no locks; one server on each directory is then up to the operator.
                Err(fs::TryLockError::Error(_)) => None,
            },
            Err(error) => {
                tracing::error!(directory = %path.display(), %error, "the data directory can't be written: nothing will be recorded");
                None
            }
        };
        let mut shelf = Shelf::default();
        for entry in fs::read_dir(path).map_err(wrap)? {
            let entry = entry.map_err(wrap)?;
            let name = entry.file_name();
            let Some(id) = name.to_str().and_then(id_of_file) else { continue };
            let modified = || entry.metadata().ok()?.modified().ok()?.duration_since(UNIX_EPOCH).ok();
            let millis = match id.as_str().parse::<Ulid>() {
                Ok(ulid) => ulid.unix_millis(),
                Err(_) => modified().map_or(0, |age| age.as_millis() as u64),
            };
            shelf.insert(id, millis, None);
        }
        let directory = Some(path.to_owned());
        Ok(Self { directory, shelf: Mutex::new(shelf), places: Mutex::default(), lock: Mutex::new(lock) })
    }

    /// Lets another process write to the directory.
    pub(crate) fn release(&self) {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a recording that is over.
    pub(crate) fn add(&self, summary: Summary) {
        let millis = summary.id.as_str().parse::<Ulid>().map_or(0, Ulid::unix_millis);
        self.shelf().insert(summary.id.clone(), millis, Some(summary));
    }

    /// The summary of a recording with the rules, which are read each time. `None` as for [`Library::summary`].
    pub(crate) async fn introduction(self: &Arc<Self>, id: &MatchId) -> Option<Summary> {
        let summary = self.summary(id).await?;
        let (library, id) = (self.clone(), id.clone());
        // A file that can't be read any more has no rules to tell.
        let read = move || library.reel(&id, 0).ok()?.into_rules();
        let rules = tokio::task::spawn_blocking(read).await.ok()?;
        Some(Summary { rules, ..summary })
    }

    /// The summary of a recording, without the rules. `None` if there is no such file, or it is not a replay.
    pub(crate) async fn summary(self: &Arc<Self>, id: &MatchId) -> Option<Summary> {
        let key = {
            let shelf = self.shelf();
            let key = shelf.keys.get(id)?;
            if let Some(Some(summary)) = shelf.entries.get(key) {
                return Some(summary.clone());
            }
            key.clone()
        };
        let (library, id) = (self.clone(), id.clone());
        let read = move || library.read_summary(&key, &id);
        tokio::task::spawn_blocking(read).await.ok().flatten()
    }

    /// At most `limit` summaries from the newest on, or from the one before `before`.
    ///
    /// What turns out to be no replay is left out, so there may be fewer although more follow.
    pub(crate) async fn page(self: &Arc<Self>, before: Option<Key>, limit: usize) -> Vec<Summary> {
        let ids: Vec<MatchId> = {
            let shelf = self.shelf();
            let newest_first = shelf.entries.keys().rev();
            let is_before = |key: &&Key| before.as_ref().is_none_or(|before| *key < before);
            newest_first.filter(is_before).take(limit).map(|(_, id)| id.clone()).collect()
        };
        let mut summaries = Vec::with_capacity(ids.len());
        for id in ids {
            summaries.extend(self.summary(&id).await);
        }
        summaries
    }

    /// Where a match stands in the list: recordings by their place, others by their id.
    pub(crate) fn key(&self, id: &MatchId) -> Option<Key> {
        let kept = self.shelf().keys.get(id).cloned();
        kept.or_else(|| Some((id.as_str().parse::<Ulid>().ok()?.unix_millis(), id.clone())))
    }

    /// The file of a match, over or live. Blocks.
    pub(crate) fn file(&self, id: &MatchId) -> io::Result<(File, bool)> {
        let directory = self.directory.as_deref().ok_or(io::ErrorKind::NotFound)?;
        match File::open(directory.join(format!("{id}.replay"))) {
            Ok(file) => Ok((file, false)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok((File::open(directory.join(format!("{id}.replay.zst")))?, true))
            }
            Err(error) => Err(error),
        }
    }

    /// Opens a match's recording to read what follows command `since`. Blocks.
    pub(crate) fn reel(&self, id: &MatchId, since: u64) -> io::Result<Reel> {
        let (file, compressed) = self.file(id)?;
        let place = self.places().before(id, since);
        Reel::new(file, compressed, since, place)
    }

    fn places(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the places of a match that are passed.
    fn keep_places(&self, id: &MatchId) -> impl FnMut(Place) {
        move |place| self.places().keep(id, place)
    }

    /// The picture before what `reel`, of this match and fresh, was opened for. Blocks.
    pub(crate) fn first_scene(&self, id: &MatchId, reel: &mut Reel) -> io::Result<Message> {
        reel.first_scene(self.keep_places(id))
    }

    /// Opens a match's recording to hand it out. Blocks.
    pub(crate) fn replay(&self, id: &MatchId, publish_programs: bool) -> io::Result<ReplayFile> {
        let (file, compressed) = self.file(id)?;
        ReplayFile::open(file, compressed, publish_programs)
    }

    /// The last picture of a recording as a frame, and the time of the last line. Blocks, unless it was asked for
    /// lately.
    pub(crate) fn last_scene(&self, id: &MatchId) -> io::Result<(Bytes, Micros)> {
        if let Some((_, scene)) = self.shelf().scenes.iter().find(|(kept, _)| kept == id) {
            return Ok(scene.clone());
        }
        let scene = self.reel(id, u64::MAX)?.last_scene(self.keep_places(id))?;
        let mut shelf = self.shelf();
        if shelf.scenes.len() >= SCENES {
            shelf.scenes.remove(0);
        }
        shelf.scenes.push((id.clone(), scene.clone()));
        Ok(scene)
    }

    /// The directory.
    pub(crate) fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    fn read_summary(&self, key: &Key, id: &MatchId) -> Option<Summary> {
        let read = self.file(id).and_then(|(file, compressed)| summary::read(id, key.0, file, compressed));
        match read {
            Ok(summary) => {
                self.shelf().entries.insert(key.clone(), Some(summary.clone()));
                Some(summary)
            }
            Err(error) => {
                tracing::warn!(%id, %error, "a recording can't be listed");
                if error.kind() == io::ErrorKind::NotFound {
                    let mut shelf = self.shelf();
                    shelf.entries.remove(key);
                    shelf.keys.remove(id);
                }
                None
            }
        }
    }
}

impl Shelf {
    fn insert(&mut self, id: MatchId, millis: u64, summary: Option<Summary>) {
        let key = (millis, id.clone());
        if let Some(old) = self.keys.insert(id, key.clone()) {
            self.entries.remove(&old);
        }
        self.entries.insert(key, summary);
    }
}

/// The match that a file of this name records.
fn id_of_file(name: &str) -> Option<MatchId> {
    let stem = name.strip_suffix(".replay").or_else(|| name.strip_suffix(".replay.zst"))?;
    stem.parse().ok()
}
