//! Recovery of the readable rows of a damaged catalogue.

use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, OptionalExtension as _, params_from_iter};

use super::super::definition::Definition;
use super::{Catalogue, CatalogueError, VERSION, lock, open, packs, write};
use crate::file_names::beside;

/// Tables that are copied, in the order of their references. Players and stages are in the tournament's definition,
/// ratings are computed again.
const TABLES: [&str; 9] =
    ["tournament", "version", "round", "encounter", "game", "result", "ruling", "event", "set_aside"];

/// Result of a recovery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Salvaged {
    /// Number of rows recovered from each table.
    pub rows: Vec<(&'static str, usize)>,
    /// Number of results dropped because their round, encounter, game, version of a player or another attempt is
    /// unreadable.
    pub orphans: usize,
}

/// Recovers the readable rows of the catalogue at `from` into a new one at `to`, together with its packs. Players
/// and stages are restored from the definition. Games with lost results are played again when the tournament continues.
///
/// # Errors
/// If `to` exists, `from` is not a catalogue, has a newer version or is written by another process, or the tournament
/// itself or all versions of a player can't be read.
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
    let part = beside(to, ".part");
    let _ = std::fs::remove_file(&part);
    let mut target =
        Catalogue { db: open(&part, OpenFlags::SQLITE_OPEN_CREATE)?, path: to.to_owned(), lock: None };
    let mut saved = Salvaged { rows: Vec::new(), orphans: 0 };
    let result = (|| {
        // Rows of the source fit its own version of the schema.
        target.migrate(0, version)?;
        target.db.execute_batch("PRAGMA foreign_keys = OFF; BEGIN;").map_err(sqlite(to))?;
        let damaged = |why: String| CatalogueError::Damaged { path: from.to_owned(), why };
        for table in TABLES {
            let rows = copy(&source.db, &target.db, table).map_err(sqlite(to))?;
            if table == "tournament" && rows == 0 {
                return Err(damaged("the tournament itself can't be read".to_owned()));
            }
            saved.rows.push((table, rows));
        }
        let definition = target.tournament()?.definition;
        let unknown = without_version(&target.db, &definition).map_err(sqlite(to))?;
        if !unknown.is_empty() {
            let names = unknown.join(", ");
            return Err(damaged(format!("no hash of the files of {names} can be read")));
        }
        saved.orphans = prune(&target.db).map_err(sqlite(to))?;
        target.db.execute_batch("COMMIT").map_err(sqlite(to))?;
        target.migrate(version, VERSION)?;
        target.db.execute_batch("BEGIN").map_err(sqlite(to))?;
        restore(&target.db, &definition).map_err(sqlite(to))?;
        target.db.execute_batch("COMMIT").map_err(sqlite(to))?;
        saved.rows.extend([("player", definition.players.len()), ("stage", definition.stages.len())]);
        match dangling(&target.db).map_err(sqlite(to))? {
            None => Ok(()),
            Some(table) => Err(damaged(format!("rows of the table {table} name what is not there"))),
        }
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

/// Inserts the stages and players, from the definition.
fn restore(db: &Connection, definition: &Definition) -> rusqlite::Result<()> {
    for (id, stage) in definition.stages.iter().enumerate() {
        write::stage(db, id, stage)?;
    }
    for (id, player) in definition.players.iter().enumerate() {
        write::player(db, id, player)?;
    }
    Ok(())
}

/// The names of players of which no version is known.
fn without_version<'a>(db: &Connection, definition: &'a Definition) -> rusqlite::Result<Vec<&'a str>> {
    let mut known = db.prepare("SELECT 1 FROM version WHERE player = ?1")?;
    let mut unknown = Vec::new();
    for (id, player) in definition.players.iter().enumerate() {
        if !known.exists([id])? {
            unknown.push(player.name.as_str());
        }
    }
    Ok(unknown)
}

/// A table with a reference to a row that does not exist.
fn dangling(db: &Connection) -> rusqlite::Result<Option<String>> {
    db.query_row("PRAGMA foreign_key_check", [], |row| row.get(0)).optional()
}

/// Deletes rows with missing references: rounds after a gap, with everything in them; of a game with a missing version
/// or attempt all results. Returns the number of deleted results.
fn prune(db: &Connection) -> rusqlite::Result<usize> {
    db.execute_batch(
        // A round with a missing encounter is drawn again, with all later rounds.
        "DELETE FROM round WHERE id >= (SELECT count(*) FROM round AS r WHERE r.id <= round.id);
         DELETE FROM round WHERE id >= (SELECT min(id) FROM round AS r
            WHERE r.encounters <> (SELECT count(*) FROM encounter WHERE encounter.round = r.id));
         DELETE FROM encounter WHERE round NOT IN (SELECT id FROM round);
         DELETE FROM game WHERE encounter NOT IN (SELECT id FROM encounter);",
    )?;
    let orphans = db.execute(
        "DELETE FROM result WHERE game NOT IN (SELECT number FROM game) OR game IN (SELECT game FROM result
            WHERE version_first NOT IN (SELECT id FROM version) OR version_second NOT IN (SELECT id FROM version))
            OR game IN (SELECT game FROM result GROUP BY game HAVING count(*) <= max(attempt))",
        [],
    )?;
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
