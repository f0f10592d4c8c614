//! Saving what SQLite can read of a damaged catalogue.

use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};

use super::{APPLICATION, Catalogue, CatalogueError, MIGRATIONS, open, packs};

/// The tables in an order in which what is referred to comes first, and whether a catalogue is nothing without them.
const TABLES: [(&str, bool); 10] = [
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
];

/// What was saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Salvaged {
    /// Rows of each table.
    pub rows: Vec<(&'static str, usize)>,
    /// Results that were left behind, because the round, encounter or game that they are of can't be read.
    pub orphans: usize,
}

/// Saves what can be read of the catalogue at `from` in a new one at `to`, which takes over the packs beside it. What can't be read is
/// played again when the tournament goes on.
///
/// # Errors
/// If `to` is there already, or the tournament itself, its players or its stages can't be read.
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
    let source = open(from, OpenFlags::empty())?;
    let part = super::beside(to, ".part");
    let _ = std::fs::remove_file(&part);
    let target = open(&part, OpenFlags::SQLITE_OPEN_CREATE)?;
    let mut saved = Salvaged { rows: Vec::new(), orphans: 0 };
    let result = (|| {
        let schema = format!(
            "PRAGMA foreign_keys = OFF; BEGIN; {} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = 1;",
            MIGRATIONS[0]
        );
        target.execute_batch(&schema).map_err(sqlite(to))?;
        for (table, needed) in TABLES {
            let rows = copy(&source, &target, table).map_err(sqlite(to))?;
            if needed && rows == 0 {
                let why =
                    format!("nothing of the table {table} can be read, without which there is no tournament");
                return Err(CatalogueError::Damaged { path: from.to_owned(), why });
            }
            saved.rows.push((table, rows));
        }
        saved.orphans = prune(&target).map_err(sqlite(to))?;
        target.execute_batch("COMMIT").map_err(sqlite(to))
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

/// Copies the rows of a table that can be read: from its beginning up to the damage, and from its end back to it.
fn copy(from: &Connection, to: &Connection, table: &str) -> rusqlite::Result<usize> {
    let mut copied = 0;
    // `result` is ordered by its key, the others by their number.
    let order = if table == "result" {
        ["game, attempt", "game DESC, attempt DESC"]
    } else {
        ["rowid", "rowid DESC"]
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
            // A row that does not fit the table any more is damaged too.
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

/// Takes away what refers to something that is not there: rounds after a gap, with all that is of them. Gives the results among it.
fn prune(db: &Connection) -> rusqlite::Result<usize> {
    db.execute_batch(
        // A round of which an encounter is missing is drawn again, with all after it.
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

/// Gives the packs a second name, or copies them where a file can't have two.
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
