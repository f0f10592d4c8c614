//! Data directory: its lock, its files, its size, and whether it is still there.

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

/// What a file takes besides its bytes, about: its name, and the rest of its last block.
pub(crate) const FILE_BYTES: u64 = 4096;

/// A directory of recordings.
#[derive(Debug)]
pub(crate) struct Directory {
    path: PathBuf,
    claim: Mutex<Claim>,
    /// Bytes of the recordings in it.
    used: AtomicU64,
}

/// What this process has of the directory.
#[derive(Debug, Default)]
struct Claim {
    /// Held while the process runs, so that no second one writes here; `None` if none may be written.
    lock: Option<File>,
    /// Which directory it is, whatever others are put in its place.
    identity: Option<Identity>,
}

/// Device and number.
type Identity = (u64, u64);

impl Directory {
    /// Takes a directory, making it if need be.
    pub(super) fn open(path: &Path) -> Result<Self, DataDirectoryError> {
        let wrap = |source| DataDirectoryError::Io { path: path.to_owned(), source };
        fs::create_dir_all(path).map_err(wrap)?;
        let directory = Self { path: path.to_owned(), claim: Mutex::default(), used: AtomicU64::new(0) };
        directory.take()?;
        Ok(directory)
    }

    /// Takes what is at the path now.
    pub(super) fn take(&self) -> Result<(), DataDirectoryError> {
        let path = &self.path;
        let lock = match file::create(&path.join(".lock")) {
            Ok(file) => match file.try_lock() {
                Err(fs::TryLockError::WouldBlock) => return Err(DataDirectoryError::InUse(path.clone())),
                // Some network file systems have no locks; one server on each directory is then up to the operator.
                Ok(()) | Err(fs::TryLockError::Error(_)) => Some(file),
            },
            Err(error) => {
                tracing::error!(directory = %path.display(), %error, "the data directory can't be written: nothing will be recorded");
                None
            }
        };
        *self.claim.locked() = Claim { lock, identity: identity(path) };
        Ok(())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The file of this name in it.
    pub(crate) fn file(&self, id: &MatchId, ending: &str) -> PathBuf {
        self.path.join(format!("{id}{ending}"))
    }

    /// Whether this process may write to it.
    pub(crate) fn is_ours(&self) -> bool {
        self.claim.locked().lock.is_some()
    }

    /// Lets another process write to it.
    pub(crate) fn release(&self) {
        self.claim.locked().lock = None;
    }

    /// Whether the directory that was taken is still at its path. Blocks.
    pub(crate) fn is_there(&self) -> bool {
        identity(&self.path).is_some_and(|now| self.claim.locked().identity == Some(now))
    }

    /// Whether any directory is at the path. Blocks.
    pub(crate) fn is_back(&self) -> bool {
        identity(&self.path).is_some()
    }

    /// The recordings in it, each with the Unix milliseconds of its start, or of its last change where its name does not
    /// tell. What an earlier process was cut off in writing is removed.
    pub(super) fn list(&self) -> io::Result<Vec<(MatchId, u64)>> {
        let mut recordings = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            if self.is_ours() && is_part(name) {
                // What can't be removed is overwritten in its time.
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

    /// Bytes of the recordings in it, as far as is known.
    pub(crate) fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// A recording has grown.
    pub(crate) fn grew(&self, bytes: u64) {
        self.used.fetch_add(bytes, Ordering::Relaxed);
    }

    /// A recording has shrunk.
    pub(crate) fn shrank(&self, bytes: u64) {
        let less = |used: u64| Some(used.saturating_sub(bytes));
        // It always has a value to set.
        let _ = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }

    /// Adds up the recordings anew: others may have removed some. Blocks.
    pub(crate) fn measure(&self) -> io::Result<()> {
        let mut used = 0;
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            if entry.file_name().to_str().and_then(id_of_file).is_some() {
                // One that was removed this moment takes nothing.
                used += entry.metadata().map_or(0, |about| about.len() + FILE_BYTES);
            }
        }
        self.used.store(used, Ordering::Relaxed);
        Ok(())
    }

    /// Bytes that are free on its disk; `None` where that can't be known. Blocks.
    pub(crate) fn free(&self) -> Option<u64> {
        #[cfg(unix)]
        {
            let about = rustix::fs::statvfs(&self.path).ok()?;
            // Some file systems do not count.
            (about.f_blocks > 0).then(|| about.f_bavail.saturating_mul(about.f_frsize))
        }
        #[cfg(not(unix))]
        None
    }
}

/// Which directory is at a path, if there is one.
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

/// The match that a file of this name records.
fn id_of_file(name: &str) -> Option<MatchId> {
    let stem = name.strip_suffix(".replay").or_else(|| name.strip_suffix(".replay.zst"))?;
    stem.parse().ok()
}

/// Whether a file of this name was to become a compressed recording.
fn is_part(name: &str) -> bool {
    name.strip_suffix(".part").is_some_and(|name| name.ends_with(".zst") && id_of_file(name).is_some())
}
