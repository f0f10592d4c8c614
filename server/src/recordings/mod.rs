//! Recordings in the data directory, and their summaries.
//!
//! A start reads the names only. A summary is read on demand, from the first and the last line of the file (or, if the
//! recording is incomplete, by scanning it up to a limit). Summaries of the newest matches are cached within the memory
//! budget. One summary is read at a time, so that concurrent requests for it share the result.
//!
//! - [`reader`]: reads a recording as messages, from any command on; [`download`]: as a file; [`disclosure`]: whose programs are in that
//! - [`upstream`]: matches of other servers; [`match_reader`]: reads either
//! - [`checkpoints`]: stored scenes, for quick access to distant commands
//! - [`summary`]: the summary of a file; [`text`], [`tail`], [`ending`]: its text, its last lines, and their content
//! - [`compressor`]: compresses finished recordings; [`directory`]: the directory; [`mod@file`]: opening of files

mod checkpoints;
pub(crate) mod compressor;
pub(crate) mod directory;
pub(crate) mod disclosure;
pub(crate) mod download;
mod ending;
pub(crate) mod file;
pub(crate) mod match_reader;
pub(crate) mod reader;
mod summary;
mod tail;
mod text;
pub(crate) mod upstream;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use bytes::Bytes;
use grandstand_protocol::message::{MatchId, MatchSummary};
use grandstand_protocol::{Message, Micros};

use self::checkpoints::Checkpoints;
use self::directory::Directory;
use self::disclosure::Disclosure;
use self::download::ReplayFile;
pub(crate) use self::ending::{CutReason, RecordingEnd};
use self::match_reader::MatchReader;
use self::reader::{DrawProgress, RecordingReader};
use self::text::{StoredFile, StoredText};
use self::upstream::{OriginState, RemoteReader, RemoteText, Upstream};
use crate::config::HistoryLimits;
use crate::limits::memory::{LruCache, MemoryBudget, MemoryUse, Reservation};
use crate::locked::Locked as _;
use crate::match_id::Ulid;
use crate::metrics::Metrics;
use crate::wire::encode;

/// Sort key of a match: start time in Unix milliseconds, then the id.
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
    /// Recently used snapshots, by match and last command (`None`: the end), as a frame with the time of the last line.
    snapshots: Mutex<Snapshots>,
    /// Held while a summary is read.
    turn: Mutex<()>,
    /// The matches of other servers, if this is a relay.
    upstream: OnceLock<Arc<dyn Upstream>>,
}

type Snapshots = LruCache<(MatchId, Option<u64>), (Bytes, Micros)>;

#[derive(Debug, Default)]
struct Index {
    entries: BTreeSet<Key>,
    keys: BTreeMap<MatchId, Key>,
    /// Cached summaries, without rules, of the newest requested matches.
    summaries: BTreeMap<Key, (MatchSummary, Reservation)>,
    /// Recordings that had a temporary read error, which is logged once.
    warned: BTreeSet<MatchId>,
}

/// Reason for which a data directory can't be used.
#[derive(Debug, thiserror::Error)]
pub enum DataDirectoryError {
    /// The directory can't be created or listed.
    #[error("the data directory {path}: {source}")]
    Io {
        /// The directory.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Another process records in the directory.
    #[error("the data directory {0} is in use by another grandstand")]
    InUse(PathBuf),
}

impl Recordings {
    /// Opens a data directory, creating it if needed, and lists it. Without a path there are no recordings.
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
            upstream: OnceLock::new(),
            memory,
        };
        recordings.list()?;
        Ok(recordings)
    }

    /// Opens the directory that now replaces one that disappeared.
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

    /// The memory budget of the caches and responses.
    pub(crate) fn memory(&self) -> &Arc<MemoryBudget> {
        &self.memory
    }

    /// Adds the matches of other servers; at most once.
    pub(crate) fn set_upstream(&self, upstream: Arc<dyn Upstream>) {
        let _ = self.upstream.set(upstream);
    }

    /// The server of a match that is played elsewhere.
    pub(crate) fn origin_state(&self, id: &MatchId) -> Option<OriginState> {
        self.upstream.get()?.origin_state(id)
    }

    /// Adds a finished recording.
    pub(crate) fn add(&self, summary: MatchSummary) {
        let millis = summary.id.as_str().parse::<Ulid>().map_or(0, Ulid::unix_millis);
        let mut index = self.index.locked();
        let key = index.insert(summary.id.clone(), millis);
        index.keep(&self.memory, key, summary);
    }

    /// The summary of a recording with its rules and author, which are read each time. `None` as in
    /// [`Recordings::summary`]. Blocks.
    pub(crate) fn full_summary(&self, id: &MatchId) -> Option<MatchSummary> {
        if let Some(upstream) = self.upstream.get() {
            return upstream.full_summary(id);
        }
        let summary = self.summary(id)?;
        // A file that became unreadable has no header.
        let about = self.file_reader(id, 0).map(RecordingReader::into_about).unwrap_or_default();
        Some(MatchSummary { rules: about.rules, by: about.by, ..summary })
    }

    /// The cached summary; the outer `None` means that there is no such recording.
    fn kept_summary(&self, id: &MatchId) -> Option<Option<MatchSummary>> {
        let index = self.index.locked();
        let key = index.keys.get(id)?;
        Some(index.summaries.get(key).map(|(summary, _)| summary.clone()))
    }

    /// The summary of a recording, without the rules. `None` if there is no such file, or it is not a replay. Blocks if
    /// it is not in memory.
    pub(crate) fn summary(&self, id: &MatchId) -> Option<MatchSummary> {
        if let Some(upstream) = self.upstream.get() {
            return upstream.full_summary(id).map(|summary| MatchSummary {
                rules: None,
                by: None,
                ..summary
            });
        }
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
                // A file that is not a recording stays so; other read errors may be temporary.
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

    /// Ids of all recordings, oldest first.
    pub(crate) fn ids(&self) -> Vec<MatchId> {
        self.index.locked().entries.iter().map(|(_, id)| id.clone()).collect()
    }

    /// Keys of at most `limit` recordings, newest first, older than `before` if that is given.
    pub(crate) fn page(&self, before: Option<&Key>, limit: usize) -> Vec<Key> {
        if let Some(upstream) = self.upstream.get() {
            return upstream.page(before, limit);
        }
        let end = before.map_or(Bound::Unbounded, Bound::Excluded);
        self.index.locked().entries.range((Bound::Unbounded, end)).rev().take(limit).cloned().collect()
    }

    /// The sort key of a match: from the index for a recording, from the id for others.
    pub(crate) fn key(&self, id: &MatchId) -> Option<Key> {
        let kept = self.index.locked().keys.get(id).cloned();
        kept.or_else(|| Some((id.as_str().parse::<Ulid>().ok()?.unix_millis(), id.clone())))
    }

    /// The file of a finished or live match. Blocks.
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

    /// Opens a match's recording after command `since`. Blocks.
    pub(crate) fn reader(&self, id: &MatchId, since: u64) -> io::Result<MatchReader> {
        let reader = match self.upstream.get() {
            None => self.file_reader(id, since)?,
            Some(upstream) => match upstream.recording(id) {
                Some(bytes) => self.reader_of(id, StoredText::of_compressed(bytes), since)?,
                None => {
                    return Ok(MatchReader::Remote(RemoteReader::new(upstream.clone(), id.clone(), since)));
                }
            },
        };
        Ok(MatchReader::Recording(Box::new(reader)))
    }

    fn file_reader(&self, id: &MatchId, since: u64) -> io::Result<RecordingReader> {
        self.reader_of(id, self.file(id)?.open()?, since)
    }

    fn reader_of(&self, id: &MatchId, stored: StoredText, since: u64) -> io::Result<RecordingReader> {
        let place = self.checkpoints.locked().before(id, since);
        RecordingReader::new(stored, since, place, self.limits.recording)
    }

    /// Continues the snapshot of `reader`, of this match, towards command `to`. Blocks for a while.
    pub(crate) fn advance_snapshot(
        &self,
        id: &MatchId,
        reader: &mut MatchReader,
        to: u64,
    ) -> io::Result<DrawProgress> {
        reader.advance_snapshot(to, |place| self.checkpoints.locked().keep(&self.memory, id, place))
    }

    /// The recently used snapshot after a command, or the last one, as a frame, with the time of the last line before
    /// it.
    pub(crate) fn cached_snapshot(&self, id: &MatchId, after: Option<u64>) -> Option<(Bytes, Micros)> {
        self.snapshots.locked().get(&(id.clone(), after))
    }

    /// The snapshot that `reader` has drawn; cached for [`Recordings::cached_snapshot`]. Blocks.
    pub(crate) fn snapshot(
        &self,
        id: &MatchId,
        after: Option<u64>,
        reader: &MatchReader,
    ) -> io::Result<(Bytes, Micros)> {
        let snapshot = reader.snapshot(|reader| {
            let (seq, t, scene) = reader.snapshot()?;
            let mut reservation = self.memory.reserve(MemoryUse::Snapshots, scene.bytes())?;
            let frame = encode(&Message::Scene { seq, t, scene });
            reservation.resize(frame.len())?;
            Ok(reservation.hold(frame))
        })?;
        self.snapshots.locked().put((id.clone(), after), snapshot.clone(), snapshot.0.len());
        Ok(snapshot)
    }

    /// Opens a match's recording for a download. Blocks.
    pub(crate) fn replay(&self, id: &MatchId, disclosure: &Disclosure) -> io::Result<ReplayFile> {
        if let Some(upstream) = self.upstream.get() {
            // The other server has left out what is not disclosed.
            return match upstream.recording(id) {
                Some(bytes) => ReplayFile::open(StoredText::of_compressed(bytes), &Disclosure::Everything),
                None => ReplayFile::of_remote(RemoteText::new(upstream.clone(), id.clone())),
            };
        }
        ReplayFile::open(self.file(id)?.open()?, disclosure)
    }

    /// The directory, if there is one.
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

    /// Caches a summary, dropping those of older matches to make room.
    fn keep(&mut self, memory: &Arc<MemoryBudget>, key: Key, summary: MatchSummary) {
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
