//! The data directory: which recordings there are, and their summaries.
//!
//! Starting reads the names only. A summary is made when it is asked for, from the first line and the last one
//! of the file (or, if the recording was cut short, by reading it through, as far as a limit). Those of the newest matches
//! are kept, as many as the account of memory has room for. One is made at a time: whoever wants the same finds it made.
//!
//! - [`reader`]: reads a recording as messages, from any command on; [`download`]: as a file to hand out
//! - [`checkpoints`]: scenes on the way, from which a moment far back is read quickly
//! - [`summary`]: the summary of a file; [`text`], [`tail`], [`ending`]: its text, its last lines, and what they say
//! - [`compressor`]: compresses recordings that are over; [`directory`]: where they lie; [`mod@file`]: opens files, and nothing else

mod checkpoints;
pub(crate) mod compressor;
pub(crate) mod directory;
pub(crate) mod download;
mod ending;
pub(crate) mod file;
pub(crate) mod reader;
mod summary;
mod tail;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use grandstand_protocol::message::{MatchId, Summary};
use grandstand_protocol::{Message, Micros};

use self::checkpoints::Places;
use self::directory::Directory;
use self::download::ReplayFile;
pub(crate) use self::ending::{Cut, Ending};
use self::reader::{Drawing, Reel};
use self::text::StoredFile;
use crate::config::HistoryLimits;
use crate::match_id::Ulid;
use crate::memory::{Kept, Memory, Reservation, Use};
use crate::metrics::Metrics;
use crate::wire::encode;

/// A place in the list: time of the start in Unix milliseconds, then the id.
pub(crate) type Key = (u64, MatchId);

/// The recordings of finished and interrupted matches.
#[derive(Debug)]
pub(crate) struct Library {
    directory: Option<Directory>,
    limits: HistoryLimits,
    memory: Arc<Memory>,
    metrics: Arc<Metrics>,
    shelf: Mutex<Shelf>,
    places: Mutex<Places>,
    /// Pictures that were wanted lately: after which command, or the last one; as a frame, with the time of the last line.
    pictures: Mutex<Pictures>,
    /// Held while a summary is read.
    turn: Mutex<()>,
}

type Pictures = Kept<(MatchId, Option<u64>), (Bytes, Micros)>;

#[derive(Debug, Default)]
struct Shelf {
    entries: BTreeSet<Key>,
    keys: BTreeMap<MatchId, Key>,
    /// Those that are in memory, without rules: of the newest matches that were asked for.
    summaries: BTreeMap<Key, (Summary, Reservation)>,
    /// Recordings that could not be read for a reason that may pass, and of which the log has said so.
    warned: BTreeSet<MatchId>,
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
    pub(crate) fn open(
        path: Option<&Path>,
        limits: &HistoryLimits,
        memory: Arc<Memory>,
        metrics: Arc<Metrics>,
    ) -> Result<Self, LibraryError> {
        let directory = path.map(Directory::open).transpose()?;
        let library = Self {
            directory,
            limits: limits.clone(),
            metrics,
            shelf: Mutex::default(),
            places: Mutex::default(),
            pictures: Mutex::new(Kept::new(memory.share(Use::Pictures) / 6)),
            turn: Mutex::default(),
            memory,
        };
        library.list()?;
        Ok(library)
    }

    /// Takes what is now in the place of a directory that went away.
    ///
    /// # Errors
    /// As [`Library::open`].
    pub(crate) fn reopen(&self) -> Result<(), LibraryError> {
        let Some(directory) = &self.directory else { return Ok(()) };
        directory.take()?;
        self.list()
    }

    fn list(&self) -> Result<(), LibraryError> {
        let Some(directory) = &self.directory else { return Ok(()) };
        let wrap = |source| LibraryError::Io { path: directory.path().to_owned(), source };
        let mut shelf = Shelf::default();
        for (id, millis) in directory.list().map_err(wrap)? {
            shelf.insert(id, millis);
        }
        *self.shelf() = shelf;
        Ok(())
    }

    /// Lets another process write to the directory.
    pub(crate) fn release(&self) {
        if let Some(directory) = &self.directory {
            directory.release();
        }
    }

    /// The account of what is kept here, and handed out.
    pub(crate) fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a recording that is over.
    pub(crate) fn add(&self, summary: Summary) {
        let millis = summary.id.as_str().parse::<Ulid>().map_or(0, Ulid::unix_millis);
        let mut shelf = self.shelf();
        let key = shelf.insert(summary.id.clone(), millis);
        shelf.keep(&self.memory, key, summary);
    }

    /// The summary of a recording with what only one match is told with, which is read each time. `None` as for [`Library::summary`]. Blocks.
    pub(crate) fn introduction(&self, id: &MatchId) -> Option<Summary> {
        let summary = self.summary(id)?;
        // A file that can't be read any more has nothing to tell.
        let about = self.reel(id, 0).map(Reel::into_about).unwrap_or_default();
        Some(Summary { rules: about.rules, by: about.by, ..summary })
    }

    /// The summary, if it is in memory; `None` if there is no such recording.
    fn kept_summary(&self, id: &MatchId) -> Option<Option<Summary>> {
        let shelf = self.shelf();
        let key = shelf.keys.get(id)?;
        Some(shelf.summaries.get(key).map(|(summary, _)| summary.clone()))
    }

    /// The summary of a recording, without the rules. `None` if there is no such file, or it is not a replay. Blocks if
    /// it is not in memory.
    pub(crate) fn summary(&self, id: &MatchId) -> Option<Summary> {
        if let Some(summary) = self.kept_summary(id)? {
            return Some(summary);
        }
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(summary) = self.kept_summary(id)? {
            return Some(summary);
        }
        let key = self.key(id)?;
        self.metrics.summaries_read.add(1);
        let read = self.file(id).and_then(|file| summary::read(id, key.0, file, self.limits.summary));
        let mut shelf = self.shelf();
        match read {
            Ok(summary) => {
                shelf.warned.remove(id);
                if shelf.entries.contains(&key) {
                    shelf.keep(&self.memory, key, summary.clone());
                }
                Some(summary)
            }
            Err(error) => {
                // What is no recording does not become one; what can't be read now may be read later.
                if [io::ErrorKind::NotFound, io::ErrorKind::InvalidData].contains(&error.kind()) {
                    shelf.remove(&key);
                }
                if shelf.warned.insert(id.clone()) {
                    tracing::warn!(%id, %error, "a recording can't be listed");
                }
                None
            }
        }
    }

    /// Every recording, oldest first.
    pub(crate) fn ids(&self) -> Vec<MatchId> {
        self.shelf().entries.iter().map(|(_, id)| id.clone()).collect()
    }

    /// At most `limit` recordings from the newest on, or from the one before `before`.
    pub(crate) fn page(&self, before: Option<&Key>, limit: usize) -> Vec<Key> {
        let end = before.map_or(Bound::Unbounded, Bound::Excluded);
        self.shelf().entries.range((Bound::Unbounded, end)).rev().take(limit).cloned().collect()
    }

    /// Where a match stands in the list: recordings by their place, others by their id.
    pub(crate) fn key(&self, id: &MatchId) -> Option<Key> {
        let kept = self.shelf().keys.get(id).cloned();
        kept.or_else(|| Some((id.as_str().parse::<Ulid>().ok()?.unix_millis(), id.clone())))
    }

    /// The file of a match, over or live. Blocks.
    pub(crate) fn file(&self, id: &MatchId) -> io::Result<StoredFile> {
        let directory = self.directory.as_ref().ok_or(io::ErrorKind::NotFound)?;
        match file::open(&directory.file(id, ".replay")) {
            Ok(file) => Ok(StoredFile { file, compressed: false }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let file = file::open(&directory.file(id, ".replay.zst"))?;
                Ok(StoredFile { file, compressed: true })
            }
            Err(error) => Err(error),
        }
    }

    /// Opens a match's recording to read what follows command `since`. Blocks.
    pub(crate) fn reel(&self, id: &MatchId, since: u64) -> io::Result<Reel> {
        let file = self.file(id)?;
        let place = self.places().before(id, since);
        Reel::new(file, since, place, self.limits.recording)
    }

    fn places(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Draws on the picture of `reel`, of this match, up to command `to`. Blocks, for a while.
    pub(crate) fn draw(&self, id: &MatchId, reel: &mut Reel, to: u64) -> io::Result<Drawing> {
        reel.draw(to, |place| self.places().keep(&self.memory, id, place))
    }

    /// The picture after a command, or the last one, as a frame, and the time of the last line before it was taken; if
    /// it was wanted lately.
    pub(crate) fn kept_picture(&self, id: &MatchId, after: Option<u64>) -> Option<(Bytes, Micros)> {
        self.pictures().get(&(id.clone(), after))
    }

    /// The picture that `reel` has drawn, as [`Library::kept_picture`] has it from now on. Blocks.
    pub(crate) fn picture(
        &self,
        id: &MatchId,
        after: Option<u64>,
        reel: &Reel,
    ) -> io::Result<(Bytes, Micros)> {
        let (seq, t, scene) = reel.picture()?;
        let mut reservation = self.memory.reserve(Use::Pictures, scene.bytes())?;
        let frame = encode(&Message::Scene { seq, t, scene });
        reservation.resize(frame.len())?;
        let picture = (reservation.hold(frame), reel.t());
        self.pictures().put((id.clone(), after), picture.clone(), picture.0.len());
        Ok(picture)
    }

    fn pictures(&self) -> MutexGuard<'_, Pictures> {
        self.pictures.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a match's recording to hand it out. Blocks.
    pub(crate) fn replay(&self, id: &MatchId, publish_programs: bool) -> io::Result<ReplayFile> {
        ReplayFile::open(self.file(id)?, publish_programs)
    }

    /// The directory.
    pub(crate) fn directory(&self) -> Option<&Directory> {
        self.directory.as_ref()
    }
}

impl Shelf {
    fn insert(&mut self, id: MatchId, millis: u64) -> Key {
        let key = (millis, id.clone());
        if let Some(old) = self.keys.insert(id, key.clone()) {
            self.entries.remove(&old);
            self.summaries.remove(&old);
        }
        self.entries.insert(key.clone());
        key
    }

    fn remove(&mut self, key: &Key) {
        self.entries.remove(key);
        self.keys.remove(&key.1);
        self.summaries.remove(key);
    }

    /// Keeps a summary in memory, at the cost of older matches.
    fn keep(&mut self, memory: &Arc<Memory>, key: Key, summary: Summary) {
        self.summaries.remove(&key);
        let bytes = summary::bytes(&summary);
        loop {
            if let Ok(reservation) = memory.reserve(Use::Summaries, bytes) {
                self.summaries.insert(key, (summary, reservation));
                return;
            }
            match self.summaries.first_entry() {
                Some(oldest) if *oldest.key() < key => drop(oldest.remove()),
                _ => return,
            }
        }
    }
}
