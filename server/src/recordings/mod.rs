//! Recordings in the data directory, and their summaries.
//!
//! Starting reads the names only. A summary is made when it is asked for, from the first line and the last one
//! of the file (or, if the recording was cut short, by reading it through, as far as a limit). Those of the newest matches
//! are kept, as many as the memory budget has room for. One is made at a time: whoever wants the same finds it made.
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
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use grandstand_protocol::message::{MatchId, Summary};
use grandstand_protocol::{Message, Micros};

use self::checkpoints::Checkpoints;
use self::directory::Directory;
use self::download::ReplayFile;
pub(crate) use self::ending::{CutReason, RecordingEnd};
use self::reader::{DrawProgress, RecordingReader};
use self::text::StoredFile;
use crate::config::HistoryLimits;
use crate::limits::memory::{LruCache, MemoryBudget, MemoryUse, Reservation};
use crate::locked::Locked as _;
use crate::match_id::Ulid;
use crate::metrics::Metrics;
use crate::wire::encode;

/// A place in the list: time of the start in Unix milliseconds, then the id.
pub(crate) type Key = (u64, MatchId);

/// The recordings of finished and interrupted matches.
#[derive(Debug)]
pub(crate) struct Recordings {
    directory: Option<Directory>,
    limits: HistoryLimits,
    memory: Arc<MemoryBudget>,
    metrics: Arc<Metrics>,
    index: Mutex<Index>,
    checkpoints: Mutex<Checkpoints>,
    /// Snapshots that were wanted lately: after which command, or the last one; as a frame, with the time of the last line.
    snapshots: Mutex<Snapshots>,
    /// Held while a summary is read.
    turn: Mutex<()>,
}

type Snapshots = LruCache<(MatchId, Option<u64>), (Bytes, Micros)>;

#[derive(Debug, Default)]
struct Index {
    entries: BTreeSet<Key>,
    keys: BTreeMap<MatchId, Key>,
    /// Those that are in memory, without rules: of the newest matches that were asked for.
    summaries: BTreeMap<Key, (Summary, Reservation)>,
    /// Recordings that could not be read for a reason that may pass, and of which the log has said so.
    warned: BTreeSet<MatchId>,
}

/// Why a data directory can't be used.
#[derive(Debug, thiserror::Error)]
pub enum DataDirectoryError {
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

impl Recordings {
    /// Opens a data directory, making it if need be, and lists what is in it. Without one there are no recordings.
    pub(crate) fn open(
        path: Option<&Path>,
        limits: &HistoryLimits,
        memory: Arc<MemoryBudget>,
        metrics: Arc<Metrics>,
    ) -> Result<Self, DataDirectoryError> {
        let directory = path.map(Directory::open).transpose()?;
        let recordings = Self {
            directory,
            limits: limits.clone(),
            metrics,
            index: Mutex::default(),
            checkpoints: Mutex::default(),
            snapshots: Mutex::new(LruCache::new(memory.share(MemoryUse::Snapshots) / 6)),
            turn: Mutex::default(),
            memory,
        };
        recordings.list()?;
        Ok(recordings)
    }

    /// Takes what is now in the place of a directory that went away.
    ///
    /// # Errors
    /// As [`Recordings::open`].
    pub(crate) fn reopen(&self) -> Result<(), DataDirectoryError> {
        let Some(directory) = &self.directory else { return Ok(()) };
        directory.take()?;
        self.list()
    }

    fn list(&self) -> Result<(), DataDirectoryError> {
        let Some(directory) = &self.directory else { return Ok(()) };
        let wrap = |source| DataDirectoryError::Io { path: directory.path().to_owned(), source };
        let mut index = Index::default();
        for (id, millis) in directory.list().map_err(wrap)? {
            index.insert(id, millis);
        }
        *self.index.locked() = index;
        Ok(())
    }

    /// Lets another process write to the directory.
    pub(crate) fn release(&self) {
        if let Some(directory) = &self.directory {
            directory.release();
        }
    }

    /// The budget of what is kept here, and handed out.
    pub(crate) fn memory(&self) -> &Arc<MemoryBudget> {
        &self.memory
    }

    /// Adds a recording that is over.
    pub(crate) fn add(&self, summary: Summary) {
        let millis = summary.id.as_str().parse::<Ulid>().map_or(0, Ulid::unix_millis);
        let mut index = self.index.locked();
        let key = index.insert(summary.id.clone(), millis);
        index.keep(&self.memory, key, summary);
    }

    /// The summary of a recording with what only one match is told with, which is read each time. `None` as for [`Recordings::summary`]. Blocks.
    pub(crate) fn introduction(&self, id: &MatchId) -> Option<Summary> {
        let summary = self.summary(id)?;
        // A file that can't be read any more has nothing to tell.
        let about = self.reader(id, 0).map(RecordingReader::into_about).unwrap_or_default();
        Some(Summary { rules: about.rules, by: about.by, ..summary })
    }

    /// The summary, if it is in memory; `None` if there is no such recording.
    fn kept_summary(&self, id: &MatchId) -> Option<Option<Summary>> {
        let index = self.index.locked();
        let key = index.keys.get(id)?;
        Some(index.summaries.get(key).map(|(summary, _)| summary.clone()))
    }

    /// The summary of a recording, without the rules. `None` if there is no such file, or it is not a replay. Blocks if
    /// it is not in memory.
    pub(crate) fn summary(&self, id: &MatchId) -> Option<Summary> {
        if let Some(summary) = self.kept_summary(id)? {
            return Some(summary);
        }
        let _turn = self.turn.locked();
        if let Some(summary) = self.kept_summary(id)? {
            return Some(summary);
        }
        let key = self.key(id)?;
        self.metrics.summaries_read.add(1);
        let read = self.file(id).and_then(|file| summary::read(id, key.0, file, self.limits.summary));
        let mut index = self.index.locked();
        match read {
            Ok(summary) => {
                index.warned.remove(id);
                if index.entries.contains(&key) {
                    index.keep(&self.memory, key, summary.clone());
                }
                Some(summary)
            }
            Err(error) => {
                // What is no recording does not become one; what can't be read now may be read later.
                if [io::ErrorKind::NotFound, io::ErrorKind::InvalidData].contains(&error.kind()) {
                    index.remove(&key);
                }
                if index.warned.insert(id.clone()) {
                    tracing::warn!(%id, %error, "a recording can't be listed");
                }
                None
            }
        }
    }

    /// Every recording, oldest first.
    pub(crate) fn ids(&self) -> Vec<MatchId> {
        self.index.locked().entries.iter().map(|(_, id)| id.clone()).collect()
    }

    /// At most `limit` recordings from the newest on, or from the one before `before`.
    pub(crate) fn page(&self, before: Option<&Key>, limit: usize) -> Vec<Key> {
        let end = before.map_or(Bound::Unbounded, Bound::Excluded);
        self.index.locked().entries.range((Bound::Unbounded, end)).rev().take(limit).cloned().collect()
    }

    /// Where a match stands in the list: recordings by their place, others by their id.
    pub(crate) fn key(&self, id: &MatchId) -> Option<Key> {
        let kept = self.index.locked().keys.get(id).cloned();
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
    pub(crate) fn reader(&self, id: &MatchId, since: u64) -> io::Result<RecordingReader> {
        let file = self.file(id)?;
        let place = self.checkpoints.locked().before(id, since);
        RecordingReader::new(file, since, place, self.limits.recording)
    }

    /// Draws on the snapshot of `reader`, of this match, up to command `to`. Blocks, for a while.
    pub(crate) fn draw(
        &self,
        id: &MatchId,
        reader: &mut RecordingReader,
        to: u64,
    ) -> io::Result<DrawProgress> {
        reader.draw(to, |place| self.checkpoints.locked().keep(&self.memory, id, place))
    }

    /// The snapshot after a command, or the last one, as a frame, and the time of the last line before it was taken; if
    /// it was wanted lately.
    pub(crate) fn cached_snapshot(&self, id: &MatchId, after: Option<u64>) -> Option<(Bytes, Micros)> {
        self.snapshots.locked().get(&(id.clone(), after))
    }

    /// The snapshot that `reader` has drawn, as [`Recordings::cached_snapshot`] has it from now on. Blocks.
    pub(crate) fn snapshot(
        &self,
        id: &MatchId,
        after: Option<u64>,
        reader: &RecordingReader,
    ) -> io::Result<(Bytes, Micros)> {
        let (seq, t, scene) = reader.snapshot()?;
        let mut reservation = self.memory.reserve(MemoryUse::Snapshots, scene.bytes())?;
        let frame = encode(&Message::Scene { seq, t, scene });
        reservation.resize(frame.len())?;
        let snapshot = (reservation.hold(frame), reader.t());
        self.snapshots.locked().put((id.clone(), after), snapshot.clone(), snapshot.0.len());
        Ok(snapshot)
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

impl Index {
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
    fn keep(&mut self, memory: &Arc<MemoryBudget>, key: Key, summary: Summary) {
        self.summaries.remove(&key);
        let bytes = summary::bytes(&summary);
        loop {
            if let Ok(reservation) = memory.reserve(MemoryUse::Summaries, bytes) {
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
