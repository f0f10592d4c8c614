//! Data directory: its lock, files and size, and the check that it still exists.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::UNIX_EPOCH;

use grandstand_protocol::message::MatchId;

use super::{DataDirectoryError, file};
use crate::locked::Locked as _;
use crate::match_id::Ulid;

/// Approximate overhead of a file besides its bytes: its name, and the rest of its last block.
pub(crate) const FILE_BYTES: u64 = 4096;

/// A directory of recordings.
#[derive(Debug)]
pub(crate) struct Directory {
    path: PathBuf,
    claim: Mutex<DirectoryLock>,
    /// Bytes of the recordings in the directory.
    used: AtomicU64,
}

/// This process's hold on the directory.
#[derive(Debug, Default)]
struct DirectoryLock {
    /// Lock file, locked while the process runs, so that no second one writes here; `None` if the directory is
    /// read-only.
    lock: Option<File>,
    /// Identity of the directory, to notice a replacement at its path.
    identity: Option<Identity>,
}

/// Device and inode number.
type Identity = (u64, u64);

impl Directory {
    /// Opens and locks a directory, creating it if needed.
    pub(super) fn open(path: &Path) -> Result<Self, DataDirectoryError> {
        let wrap = |source| DataDirectoryError::Io { path: path.to_owned(), source };
        fs::create_dir_all(path).map_err(wrap)?;
        let directory = Self { path: path.to_owned(), claim: Mutex::default(), used: AtomicU64::new(0) };
        directory.take()?;
        Ok(directory)
    }

    /// Locks the directory that is at the path now.
    pub(super) fn take(&self) -> Result<(), DataDirectoryError> {
        let path = &self.path;
        let lock = match file::create(&path.join(".lock")) {
            Ok(file) => match file.try_lock() {
                Err(fs::TryLockError::WouldBlock) => return Err(DataDirectoryError::InUse(path.clone())),
                // Some network file systems have no locks; then the operator must ensure that only one server uses the
                // directory.
                Ok(()) | Err(fs::TryLockError::Error(_)) => Some(file),
            },
            Err(error) => {
                tracing::error!(directory = %path.display(), %error, "the data directory can't be written: nothing will be recorded");
                None
            }
        };
        *self.claim.locked() = DirectoryLock { lock, identity: identity(path) };
        Ok(())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Path of a match's file.
    pub(crate) fn file(&self, id: &MatchId, ending: &str) -> PathBuf {
        self.path.join(format!("{id}{ending}"))
    }

    /// Whether this process may write to the directory.
    pub(crate) fn is_ours(&self) -> bool {
        self.claim.locked().lock.is_some()
    }

    /// Releases the lock, so that another process may write to it.
    pub(crate) fn release(&self) {
        self.claim.locked().lock = None;
    }

    /// Whether the opened directory is still at its path. Blocks.
    pub(crate) fn is_there(&self) -> bool {
        identity(&self.path).is_some_and(|now| self.claim.locked().identity == Some(now))
    }

    /// Whether any directory is at the path. Blocks.
    pub(crate) fn is_back(&self) -> bool {
        identity(&self.path).is_some()
    }

    /// The recordings, each with the Unix milliseconds of its start, or of its last change if its name does not have
    /// the start. Partial files of an interrupted process are removed.
    pub(super) fn list(&self) -> io::Result<Vec<(MatchId, u64)>> {
        let mut recordings = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            if self.is_ours() && is_part(name) {
                // A file that can't be removed is overwritten later.
                let _ = fs::remove_file(entry.path());
            }
            let Some(id) = id_of_file(name) else { continue };
            let modified = || entry.metadata().ok()?.modified().ok()?.duration_since(UNIX_EPOCH).ok();
            let millis = match id.as_str().parse::<Ulid>() {
                Ok(ulid) => ulid.unix_millis(),
                Err(_) => modified().map_or(0, |age| age.as_millis() as u64),
            };
            recordings.push((id, millis));
        }
        Ok(recordings)
    }

    /// Known size of the recordings in bytes.
    pub(crate) fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Adds to the size.
    pub(crate) fn grew(&self, bytes: u64) {
        self.used.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Subtracts from the size.
    pub(crate) fn shrank(&self, bytes: u64) {
        let less = |used: u64| Some(used.saturating_sub(bytes));
        // The closure always returns a value.
        let _ = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }

    /// Measures the size again: others may have removed files. Blocks.
    pub(crate) fn measure(&self) -> io::Result<()> {
        let mut used = 0;
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            if entry.file_name().to_str().and_then(id_of_file).is_some() {
                // A file that was removed in this moment has no size.
                used += entry.metadata().map_or(0, |about| about.len() + FILE_BYTES);
            }
        }
        self.used.store(used, Ordering::Relaxed);
        Ok(())
    }

    /// Free bytes of the disk; `None` if unknown. Blocks.
    pub(crate) fn free(&self) -> Option<u64> {
        #[cfg(unix)]
        {
            let about = rustix::fs::statvfs(&self.path).ok()?;
            // Some file systems do not report their size.
            (about.f_blocks > 0).then(|| about.f_bavail.saturating_mul(about.f_frsize))
        }
        #[cfg(not(unix))]
        None
    }
}

/// Identity of the directory at a path, if there is one.
fn identity(path: &Path) -> Option<Identity> {
    let about = fs::metadata(path).ok().filter(fs::Metadata::is_dir)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        Some((about.dev(), about.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = about;
        Some((0, 0))
    }
}

/// The match recorded in a file of this name.
fn id_of_file(name: &str) -> Option<MatchId> {
    let stem = name.strip_suffix(".replay").or_else(|| name.strip_suffix(".replay.zst"))?;
    stem.parse().ok()
}

/// Whether the name is that of a partial compressed recording.
fn is_part(name: &str) -> bool {
    name.strip_suffix(".part").is_some_and(|name| name.ends_with(".zst") && id_of_file(name).is_some())
}
