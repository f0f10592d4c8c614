//! Catalogue of a tournament: one SQLite file with all its data, and packs of recordings beside it.
//!
//! A catalogue has one writer, which holds a lock, and any number of readers. Readers see only whole transactions, and
//! a result is only visible once its recording is safe on disk.

mod distrusted;
mod error;
mod packs;
mod player_hashes;
mod read;
mod rows;
mod salvage;
mod write;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use grandstand_matches::bundle::sha256;
use rusqlite::{Connection, OpenFlags};

use super::definition::{Definition, SeedChoice};
use crate::file_names::beside;
use crate::timestamp::rfc3339;

pub use grandstand_protocol::tournament::{Fault, RulingKind};

pub use self::error::CatalogueError;
pub use self::packs::{Packed, Packs};
pub use self::player_hashes::{PlayerChange, version_of};
pub use self::rows::{
    ATTEMPTS, Event, GameRecord, NewResult, PlayerRecord, ResultRecord, Ruling, TournamentRecord,
};
pub use self::salvage::{Salvaged, salvage};

/// The version of the schema, stored as `user_version` of the file.
pub const VERSION: i64 = 2;
/// Mark of the file format: `GSTC`, stored as `application_id` of the file.
const APPLICATION: i64 = 0x4753_5443;
/// Migrations, each from one version to the next; the first creates the schema.
const MIGRATIONS: [&str; 2] = [include_str!("schema.sql"), include_str!("schema_2.sql")];
/// Time for which a reader waits for the writer.
const PATIENCE: Duration = Duration::from_secs(10);

/// An open catalogue.
#[derive(Debug)]
pub struct Catalogue {
    db: Connection,
    path: PathBuf,
    /// Lock file that excludes other writers; `None` for a reader.
    lock: Option<File>,
}

impl Catalogue {
    /// Creates a tournament in a new file. The definition's files are relative to `directory`; `versions` are the
    /// hashes of the players' content, in their order.
    ///
    /// # Errors
    /// If the file exists, or can't be written.
    pub fn create(
        path: &Path,
        definition: &Definition,
        directory: &Path,
        versions: &[String],
    ) -> Result<Self, CatalogueError> {
        if path.exists() {
            return Err(CatalogueError::Exists(path.to_owned()));
        }
        let lock = lock(path)?;
        // Written under another name first, so that a file with the final name is always a whole catalogue.
        let part = beside(path, ".part");
        let _ = std::fs::remove_file(&part);
        let mut this =
            Self { db: open(&part, OpenFlags::SQLITE_OPEN_CREATE)?, path: path.to_owned(), lock: Some(lock) };
        this.migrate(0, VERSION)?;
        this.begin(definition, directory, versions)?;
        let Self { db, lock, .. } = this;
        db.close().map_err(|(_, source)| CatalogueError::Sqlite { path: path.to_owned(), source })?;
        std::fs::rename(&part, path)
            .map_err(|source| CatalogueError::Io { path: path.to_owned(), source })?;
        sync_directory(path);
        Self::writable(path, lock)
    }

    /// Opens a catalogue for writing.
    ///
    /// # Errors
    /// If it does not exist, another process writes it, it has a newer version, or is damaged.
    pub fn open(path: &Path) -> Result<Self, CatalogueError> {
        if !path.exists() {
            return Err(CatalogueError::Missing(path.to_owned()));
        }
        // The file is checked first: no lock file is created beside a file that is not a catalogue.
        drop(Self::read_only(path)?);
        Self::writable(path, Some(lock(path)?))
    }

    /// Opens a catalogue for reading, also while another process writes it.
    ///
    /// # Errors
    /// If it does not exist, has a newer version, or is damaged.
    pub fn read_only(path: &Path) -> Result<Self, CatalogueError> {
        if !path.exists() {
            return Err(CatalogueError::Missing(path.to_owned()));
        }
        let this = Self { db: open(path, OpenFlags::empty())?, path: path.to_owned(), lock: None };
        this.check()?;
        Ok(this)
    }

    fn writable(path: &Path, lock: Option<File>) -> Result<Self, CatalogueError> {
        let mut this = Self { db: open(path, OpenFlags::empty())?, path: path.to_owned(), lock };
        let version = this.check()?;
        this.migrate(version, VERSION)?;
        // Readers are not blocked by a write, and committed data survives a power failure.
        let wal = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;";
        this.db.execute_batch(wal).map_err(|source| this.sqlite(source))?;
        Ok(this)
    }

    /// Returns the version; refuses a file that is not a catalogue, has a newer version or is damaged.
    fn check(&self) -> Result<i64, CatalogueError> {
        let found = self.version()?;
        let health = self.db.pragma_query_value(None, "quick_check", |row| row.get::<_, String>(0));
        match health.map_err(|source| self.sqlite(source))? {
            health if health == "ok" => Ok(found),
            why => Err(CatalogueError::Damaged { path: self.path.clone(), why }),
        }
    }

    /// Returns the version; refuses a file that is not a catalogue or has a newer version.
    fn version(&self) -> Result<i64, CatalogueError> {
        let number = |pragma: &str| self.db.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
        let application = number("application_id").map_err(|source| self.sqlite(source))?;
        if application != APPLICATION {
            return Err(CatalogueError::Foreign(self.path.clone()));
        }
        let found = number("user_version").map_err(|source| self.sqlite(source))?;
        if found > VERSION {
            return Err(CatalogueError::Newer { path: self.path.clone(), found, known: VERSION });
        }
        Ok(found)
    }

    /// Migrates the file from one version to another; version 0 is an empty file.
    fn migrate(&mut self, from: i64, to: i64) -> Result<(), CatalogueError> {
        for (version, step) in (1..=to).zip(MIGRATIONS).filter(|(version, _)| *version > from) {
            let text = format!(
                "BEGIN IMMEDIATE; {step} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {version}; COMMIT;"
            );
            self.db.execute_batch(&text).map_err(|source| self.sqlite(source))?;
        }
        Ok(())
    }

    /// Writes the tournament's definition, stages and players.
    fn begin(
        &mut self,
        definition: &Definition,
        directory: &Path,
        versions: &[String],
    ) -> Result<(), CatalogueError> {
        let seed = match definition.seed {
            SeedChoice::Given(seed) => seed,
            SeedChoice::Secret => getrandom::u64().map_err(|error| CatalogueError::Io {
                path: self.path.clone(),
                source: std::io::Error::other(error),
            })?,
        };
        let now = now();
        self.transaction(|tx| {
            let text = serde_json::to_string(definition).map_err(rows::in_sqlite)?;
            tx.execute(
                "INSERT INTO tournament VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                (
                    &definition.name,
                    definition.game.name(),
                    text,
                    sha256(definition.pinned()),
                    directory.to_string_lossy(),
                    seed.to_string(),
                    definition.seed == SeedChoice::Secret,
                    seed_sha256(seed),
                    &now,
                    env!("CARGO_PKG_VERSION"),
                ),
            )?;
            for (id, stage) in definition.stages.iter().enumerate() {
                write::stage(tx, id, stage)?;
            }
            for (id, (player, version)) in definition.players.iter().zip(versions).enumerate() {
                write::player(tx, id, player)?;
                write::version(tx, id, version, &now)?;
            }
            write::event(tx, &now, "begun", &format!("{} players", definition.players.len()))
        })
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Converts an error of SQLite.
    fn sqlite(&self, source: rusqlite::Error) -> CatalogueError {
        let path = self.path.clone();
        match source.sqlite_error_code() {
            Some(rusqlite::ErrorCode::NotADatabase) => CatalogueError::Foreign(path),
            Some(rusqlite::ErrorCode::DatabaseCorrupt) => {
                CatalogueError::Damaged { path, why: source.to_string() }
            }
            Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked) => {
                CatalogueError::InUse(path)
            }
            _ => CatalogueError::Sqlite { path, source },
        }
    }
}

/// Published hash of a secret seed: the SHA-256 of the text `grandstand tournament seed N`.
pub fn seed_sha256(seed: u64) -> String {
    sha256(format!("grandstand tournament seed {seed}"))
}

/// The current time in the catalogue's format.
pub(super) fn now() -> String {
    rfc3339(SystemTime::now())
}

fn open(path: &Path, more: OpenFlags) -> Result<Connection, CatalogueError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | more;
    let open = || -> rusqlite::Result<Connection> {
        let db = Connection::open_with_flags(path, flags)?;
        db.busy_timeout(PATIENCE)?;
        Ok(db)
    };
    open().map_err(|source| CatalogueError::Sqlite { path: path.to_owned(), source })
}

/// Locks out other writers until the file is closed, also by the end of this process.
fn lock(path: &Path) -> Result<File, CatalogueError> {
    let name = beside(path, ".lock");
    let io = |source| CatalogueError::Io { path: name.clone(), source };
    let file = File::options().create(true).truncate(false).write(true).open(&name).map_err(io)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => Err(CatalogueError::InUse(path.to_owned())),
        Err(std::fs::TryLockError::Error(source)) => Err(io(source)),
    }
}

/// Syncs the directory, so that the name of a new file survives a crash; without effect where directories can't be
/// synced.
fn sync_directory(path: &Path) {
    let directory =
        path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(directory) = File::open(directory) {
        let _ = directory.sync_all();
    }
}
