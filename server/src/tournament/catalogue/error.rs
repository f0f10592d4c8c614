//! Why a catalogue can't be used, in one sentence each.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why a catalogue can't be used.
#[derive(Debug, Error)]
pub enum CatalogueError {
    /// There is none.
    #[error("{}: there is no such tournament", .0.display())]
    Missing(PathBuf),
    /// There is a file already.
    #[error("{}: this tournament has begun already", .0.display())]
    Exists(PathBuf),
    /// Somebody else writes it.
    #[error("{}: it is in use by another run; one program at a time may write it", .0.display())]
    InUse(PathBuf),
    /// It is something else.
    #[error("{}: this is no catalogue of a tournament", .0.display())]
    Foreign(PathBuf),
    /// It was written by a later version.
    #[error("{}: it is of version {found}, and this program knows versions up to {known}; use a newer one", .path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The last one that is known.
        known: i64,
    },
    /// It is damaged.
    #[error(
        "{}: it is damaged ({why}); `grandstand tournament salvage {} NEW.db` saves what can be read",
        .path.display(),
        .path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        why: String,
    },
    /// SQLite can't do something.
    #[error("{}: {source}", .path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// A file beside it can't be read or written.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl CatalogueError {
    /// Whether there is no room for what was to be written, so that the same may succeed later.
    #[must_use]
    pub fn is_full(&self) -> bool {
        match self {
            Self::Sqlite { source, .. } => matches!(
                source.sqlite_error_code(),
                Some(rusqlite::ErrorCode::DiskFull | rusqlite::ErrorCode::SystemIoFailure)
            ),
            Self::Io { source, .. } => matches!(
                source.kind(),
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
            ),
            _ => false,
        }
    }
}
