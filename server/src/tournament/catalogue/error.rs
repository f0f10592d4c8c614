//! Errors of a catalogue, in one sentence each.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Reason for which a catalogue can't be used.
#[derive(Debug, Error)]
pub enum CatalogueError {
    /// The catalogue does not exist.
    #[error("{}: there is no such tournament", .0.display())]
    Missing(PathBuf),
    /// The file exists already.
    #[error("{}: this tournament has begun already", .0.display())]
    Exists(PathBuf),
    /// Another process writes the catalogue.
    #[error("{}: it is in use by another run; one program at a time may write it", .0.display())]
    InUse(PathBuf),
    /// The file is not a catalogue.
    #[error("{}: this is no catalogue of a tournament", .0.display())]
    Foreign(PathBuf),
    /// The catalogue was written by a later version.
    #[error("{}: it is of version {found}, and this program knows versions up to {known}; use a newer one", .path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of the file.
        found: i64,
        /// The latest version that this program knows.
        known: i64,
    },
    /// The catalogue is damaged.
    #[error(
        "{}: it is damaged ({why}); `grandstand tournament salvage {} NEW.db` saves what can be read",
        .path.display(),
        .path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The message of SQLite.
        why: String,
    },
    /// An SQLite operation failed.
    #[error("{}: {source}", .path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// The error of SQLite.
        source: rusqlite::Error,
    },
    /// A file beside the catalogue can't be read or written.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl CatalogueError {
    /// Whether the disk is full, so that the same write may succeed later.
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
