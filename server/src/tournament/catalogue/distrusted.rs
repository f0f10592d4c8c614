//! Workers that are not trusted any more: their results are taken out of the catalogue, and played again.

use rusqlite::Transaction;

use super::write::event;
use super::{Catalogue, CatalogueError, now};

impl Catalogue {
    /// The distrusted workers, each with the reason.
    ///
    /// # Errors
    /// If an SQLite operation fails.
    pub fn distrusted_workers(&self) -> Result<Vec<(String, String)>, CatalogueError> {
        if !self.knows_workers()? {
            return Ok(Vec::new());
        }
        self.read(|db| {
            let mut workers = db.prepare("SELECT worker, why FROM set_aside ORDER BY worker")?;
            let workers = workers.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
            workers?.collect()
        })
    }

    /// Distrusts a worker for this reason: takes out these games with their attempts, and all rounds after the first
    /// `rounds` with all that is in them. Recordings stay in the packs, where nothing names them any more.
    ///
    /// # Errors
    /// If an SQLite operation fails; then nothing is taken out.
    pub fn distrust_worker(
        &mut self,
        worker: &str,
        why: &str,
        games: &[u64],
        rounds: usize,
    ) -> Result<(), CatalogueError> {
        let now = now();
        self.transaction(|tx| {
            let mut removed = 0;
            for game in games {
                removed += remove(tx, "number = ?1", *game)?;
            }
            removed +=
                remove(tx, "encounter IN (SELECT id FROM encounter WHERE round >= ?1)", rounds as u64)?;
            tx.execute("DELETE FROM encounter WHERE round >= ?1", [rounds])?;
            removed += tx.execute("DELETE FROM round WHERE id >= ?1", [rounds])?;
            tx.execute(
                "INSERT INTO set_aside VALUES (?1, ?2, ?3, ?4) \
                 ON CONFLICT (worker) DO UPDATE SET why = ?2, at = ?3, removed = removed + 1 + ?4",
                (worker, why, &now, removed),
            )?;
            event(tx, &now, "set-aside", &format!("worker {worker}: {why}"))
        })
    }
}

/// Deletes the games that fit a condition, with their attempts and rulings; returns the number of attempts and rulings.
fn remove(tx: &Transaction<'_>, condition: &str, value: u64) -> rusqlite::Result<usize> {
    let games = format!("SELECT number FROM game WHERE {condition}");
    let mut removed = 0;
    for table in ["ruling", "result"] {
        removed += tx.execute(&format!("DELETE FROM {table} WHERE game IN ({games})"), [value])?;
    }
    tx.execute(&format!("DELETE FROM game WHERE {condition}"), [value])?;
    Ok(removed)
}
