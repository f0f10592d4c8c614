//! A tournament that is shown while another process plays it: the catalogue is read, never written.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::catalogue::{Catalogue, CatalogueError};
use super::report::{GameLine, Report, Snapshot, SnapshotError};
use crate::locked::Locked as _;

/// How old what is shown may be.
pub(crate) const FRESH: Duration = Duration::from_secs(1);

/// A tournament that is shown.
#[derive(Debug)]
pub struct ShownTournament {
    seen: Mutex<Seen>,
}

/// What was read last.
#[derive(Debug)]
struct Seen {
    catalogue: Catalogue,
    looked: Instant,
    now: Arc<Moment>,
}

/// The tournament at one moment.
#[derive(Debug)]
pub(crate) struct Moment {
    /// Grows with everything that is written.
    pub(crate) revision: u64,
    pub(crate) snapshot: Snapshot,
    pub(crate) report: Report,
    pub(crate) games: Vec<GameLine>,
}

impl ShownTournament {
    /// Reads a catalogue for the first time.
    ///
    /// # Errors
    /// If it is none that can be shown.
    pub fn open(path: &Path) -> Result<Self, SnapshotError> {
        let catalogue = Catalogue::read_only(path)?;
        let now = Arc::new(read(&catalogue)?);
        Ok(Self { seen: Mutex::new(Seen { catalogue, looked: Instant::now(), now }) })
    }

    /// How it stands. Blocks, while it is read again where something was written since.
    pub(crate) fn now(&self) -> Result<Arc<Moment>, SnapshotError> {
        let mut seen = self.seen.locked();
        if seen.looked.elapsed() >= FRESH {
            if seen.catalogue.revision()? != seen.now.revision {
                seen.now = Arc::new(read(&seen.catalogue)?);
            }
            seen.looked = Instant::now();
        }
        Ok(seen.now.clone())
    }

    /// The recording of a game, compressed; none of one without.
    pub(crate) fn recording(&self, number: u64) -> Result<Option<Vec<u8>>, CatalogueError> {
        self.seen.locked().catalogue.recording(number)
    }
}

fn read(catalogue: &Catalogue) -> Result<Moment, SnapshotError> {
    // What is written while it is read is seen the next time.
    let revision = catalogue.revision()?;
    let snapshot = Snapshot::read(catalogue)?;
    let (report, games) = (snapshot.report(), snapshot.game_lines());
    Ok(Moment { revision, snapshot, report, games })
}
