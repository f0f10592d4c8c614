//! Recovery of the readable rows of a damaged catalogue.

use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};

use super::{Catalogue, CatalogueError, VERSION, lock, open, packs};

/// Tables in the order of their references, and whether each is essential.
const TABLES: [(&str, bool); 11] = [
    ("tournament", true),
    ("player", true),
    ("version", true),
    ("stage", true),
    ("round", false),
    ("encounter", false),
    ("game", false),
    ("result", false),
    ("ruling", false),
    ("event", false),
    ("set_aside", false),
];

/// Result of a recovery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Salvaged {
    /// Number of rows recovered from each table.
    pub rows: Vec<(&'static str, usize)>,
    /// Number of results dropped because their round, encounter or game is unreadable.
    pub orphans: usize,
}

/// Recovers the readable rows of the catalogue at `from` into a new one at `to`, together with its packs. Games with
/// lost results are played again when the tournament continues.
///
/// # Errors
/// If `to` exists, `from` is not a catalogue, has a newer version or is written by another process, or the tournament
/// itself, its players or its stages can't be read.
pub fn salvage(from: &Path, to: &Path) -> Result<Salvaged, CatalogueError> {
    if !from.exists() {
        return Err(CatalogueError::Missing(from.to_owned()));
    }
    if to.exists() {
        return Err(CatalogueError::Exists(to.to_owned()));
    }
    let sqlite = |path: &Path| {
        let path = path.to_owned();
        move |source| CatalogueError::Sqlite { path: path.clone(), source }
    };
    let source = Catalogue { db: open(from, OpenFlags::empty())?, path: from.to_owned(), lock: None };
    let version = source.version()?;
    let _lock = match lock(from) {
        Ok(lock) => Some(lock),
        Err(error @ CatalogueError::InUse(_)) => return Err(error),
        // A disk that can only be read has no writer.
        Err(_) => None,
    };
    let part = super::beside(to, ".part");
    let _ = std::fs::remove_file(&part);
    let mut target =
        Catalogue { db: open(&part, OpenFlags::SQLITE_OPEN_CREATE)?, path: to.to_owned(), lock: None };
    let mut saved = Salvaged { rows: Vec::new(), orphans: 0 };
    let result = (|| {
        // Rows of the source fit its own version of the schema.
        target.migrate(0, version)?;
        target.db.execute_batch("PRAGMA foreign_keys = OFF; BEGIN;").map_err(sqlite(to))?;
        for (table, needed) in TABLES {
            let rows = copy(&source.db, &target.db, table).map_err(sqlite(to))?;
            if needed && rows == 0 {
                let why =
                    format!("nothing of the table {table} can be read, without which there is no tournament");
                return Err(CatalogueError::Damaged { path: from.to_owned(), why });
            }
            saved.rows.push((table, rows));
        }
        saved.orphans = prune(&target.db).map_err(sqlite(to))?;
        target.db.execute_batch("COMMIT").map_err(sqlite(to))?;
        target.migrate(version, VERSION)
    })();
    drop(target);
    if let Err(error) = result {
        let _ = std::fs::remove_file(&part);
        return Err(error);
    }
    let io = |path: &Path, source| CatalogueError::Io { path: path.to_owned(), source };
    let (old, new) = (packs::directory(from), packs::directory(to));
    if old.is_dir() {
        link(&old, &new).map_err(|source| io(&new, source))?;
    }
    std::fs::rename(&part, to).map_err(|source| io(to, source))?;
    drop(Catalogue::read_only(to)?);
    Ok(saved)
}

/// Copies the readable rows of a table: from its start up to the damage, and from its end back to it.
fn copy(from: &Connection, to: &Connection, table: &str) -> rusqlite::Result<usize> {
    let mut copied = 0;
    // Two tables are ordered by their keys, the others by `rowid`.
    let order = match table {
        "result" => ["game, attempt", "game DESC, attempt DESC"],
        "set_aside" => ["worker", "worker DESC"],
        _ => ["rowid", "rowid DESC"],
    };
    for order in order {
        let Ok(mut query) = from.prepare(&format!("SELECT * FROM {table} ORDER BY {order}")) else {
            continue;
        };
        let columns = query.column_count();
        let places = vec!["?"; columns].join(", ");
        let mut insert = to.prepare(&format!("INSERT OR IGNORE INTO {table} VALUES ({places})"))?;
        let Ok(mut rows) = query.query([]) else { continue };
        let mut whole = true;
        loop {
            let row = match rows.next() {
                Ok(Some(row)) => row,
                Ok(None) => break,
                Err(_) => {
                    whole = false;
                    break;
                }
            };
            let values: rusqlite::Result<Vec<Value>> = (0..columns).map(|column| row.get(column)).collect();
            // A row that does not fit the table is damaged too.
            if let Ok(values) = values
                && let Ok(new) = insert.execute(params_from_iter(values))
            {
                copied += new;
            }
        }
        if whole {
            break;
        }
    }
    Ok(copied)
}

/// Deletes rows with missing references: rounds after a gap, with everything in them. Returns the number of deleted
/// results.
fn prune(db: &Connection) -> rusqlite::Result<usize> {
    db.execute_batch(
        // A round with a missing encounter is drawn again, with all later rounds.
        "DELETE FROM round WHERE id >= (SELECT count(*) FROM round AS r WHERE r.id <= round.id);
         DELETE FROM round WHERE id >= (SELECT min(id) FROM round AS r
            WHERE r.encounters <> (SELECT count(*) FROM encounter WHERE encounter.round = r.id));
         DELETE FROM encounter WHERE round NOT IN (SELECT id FROM round);
         DELETE FROM game WHERE encounter NOT IN (SELECT id FROM encounter);",
    )?;
    let orphans = db.execute("DELETE FROM result WHERE game NOT IN (SELECT number FROM game)", [])?;
    db.execute("DELETE FROM game WHERE number NOT IN (SELECT game FROM result)", [])?;
    db.execute("DELETE FROM ruling WHERE game NOT IN (SELECT number FROM game)", [])?;
    Ok(orphans)
}

/// Hard-links the packs, or copies them where hard links are not supported.
fn link(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if std::fs::hard_link(entry.path(), &target).is_err() {
            std::fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}
