//! Reader for a tournament that another process plays: the catalogue is opened read-only.

use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, TryLockError};
use std::time::{Duration, Instant};

use super::catalogue::{Catalogue, CatalogueError};
use super::report::{GameLine, RatingHistory, Report, Snapshot, SnapshotError};
use crate::locked::Locked as _;

/// Maximum age of the shown state, unless reading takes longer than a twentieth of it.
pub(crate) const FRESH: Duration = Duration::from_secs(1);
/// Pause between reads, as a multiple of a read's duration: viewers take little from the running matches.
const REST: u32 = 20;

/// A tournament that is shown.
#[derive(Debug)]
pub struct ShownTournament {
    reader: Mutex<Reader>,
    now: Mutex<Arc<Moment>>,
}

/// Reader of the catalogue.
#[derive(Debug)]
struct Reader {
    catalogue: Catalogue,
    /// Time of the next read at the earliest.
    due: Instant,
}

/// State of the tournament at one moment.
#[derive(Debug)]
pub(crate) struct Moment {
    /// Revision, which grows with every write.
    pub(crate) revision: u64,
    pub(crate) snapshot: Snapshot,
    pub(crate) report: Report,
    pub(crate) games: Vec<GameLine>,
    histories: OnceLock<Vec<RatingHistory>>,
}

impl Moment {
    /// Ratings over time, of the stages that have some; computed on first use.
    pub(crate) fn histories(&self) -> &[RatingHistory] {
        self.histories.get_or_init(|| self.snapshot.rating_histories())
    }
}

impl ShownTournament {
    /// Opens a catalogue and reads it.
    ///
    /// # Errors
    /// If it can't be shown.
    pub fn open(path: &Path) -> Result<Self, SnapshotError> {
        let catalogue = Catalogue::read_only(path)?;
        let began = Instant::now();
        let now = Arc::new(read(&catalogue)?);
        let reader = Mutex::new(Reader { catalogue, due: due(began) });
        Ok(Self { reader, now: Mutex::new(now) })
    }

    /// The current state. Reads, and blocks, if something new was written; calls during another's read get the previous
    /// state, and so do those soon after a read that failed.
    pub(crate) fn now(&self) -> Result<Arc<Moment>, SnapshotError> {
        let reader = match self.reader.try_lock() {
            Ok(reader) => Some(reader),
            Err(TryLockError::Poisoned(broken)) => Some(broken.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        };
        if let Some(mut reader) = reader.filter(|reader| Instant::now() >= reader.due) {
            let began = Instant::now();
            let refreshed = self.refresh(&reader.catalogue);
            reader.due = due(began);
            refreshed?;
        }
        Ok(self.now.locked().clone())
    }

    /// Reads the catalogue if something new was written.
    fn refresh(&self, catalogue: &Catalogue) -> Result<(), SnapshotError> {
        let known = self.now.locked().revision;
        if catalogue.revision()? != known {
            let now = Arc::new(read(catalogue)?);
            *self.now.locked() = now;
        }
        Ok(())
    }

    /// The compressed recording of a game; `None` if it has none.
    pub(crate) fn recording(&self, number: u64) -> Result<Option<Vec<u8>>, CatalogueError> {
        self.reader.locked().catalogue.recording(number)
    }
}

/// Time of the next read after one that began at `began` and has just ended.
fn due(began: Instant) -> Instant {
    Instant::now() + FRESH.max(began.elapsed() * REST)
}

fn read(catalogue: &Catalogue) -> Result<Moment, SnapshotError> {
    // Writes during the read are noticed the next time.
    let revision = catalogue.revision()?;
    let snapshot = Snapshot::read(catalogue)?;
    let (report, games) = (snapshot.report(), snapshot.game_lines());
    Ok(Moment { revision, snapshot, report, games, histories: OnceLock::new() })
}

#[cfg(test)]
mod tests {
    use grandstand_testing::Folder;

    use super::super::definition::parse;
    use super::*;

    #[test]
    fn a_read_that_failed_is_not_repeated_by_the_next_request() {
        let folder = Folder::new();
        let file =
            "game = \"gomoku\"\nplayers = [\"random\", \"stupid\"]\n[[stage]]\nformat = \"round-robin\"\n";
        let definition = parse("cup.toml", file).unwrap();
        let (path, versions) = (folder.join("cup.db"), ["a".to_owned(), "b".to_owned()]);
        drop(Catalogue::create(&path, &definition, folder.path(), &versions).unwrap());
        let shown = ShownTournament::open(&path).unwrap();
        let before = shown.now().unwrap();
        rusqlite::Connection::open(&path).unwrap().execute_batch("DROP TABLE ruling").unwrap();
        let soon = Instant::now();
        shown.reader.locked().due = soon;
        assert!(shown.now().is_err());
        assert!(shown.reader.locked().due > soon);
        assert!(Arc::ptr_eq(&shown.now().unwrap(), &before));
    }
}
