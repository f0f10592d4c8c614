//! A tournament that is shown while another process plays it: the catalogue is read, never written.

use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, TryLockError};
use std::time::{Duration, Instant};

use super::catalogue::{Catalogue, CatalogueError};
use super::report::{GameLine, RatingHistory, Report, Snapshot, SnapshotError};
use crate::locked::Locked as _;

/// How old what is shown may be, where reading it takes no longer than a twentieth of that.
pub(crate) const FRESH: Duration = Duration::from_secs(1);
/// Times as long as reading took until it is read again: who watches takes little from the matches that are played.
const REST: u32 = 20;

/// A tournament that is shown.
#[derive(Debug)]
pub struct ShownTournament {
    reader: Mutex<Reader>,
    now: Mutex<Arc<Moment>>,
}

/// Reads the catalogue again.
#[derive(Debug)]
struct Reader {
    catalogue: Catalogue,
    /// Not before then.
    due: Instant,
}

/// The tournament at one moment.
#[derive(Debug)]
pub(crate) struct Moment {
    /// Grows with everything that is written.
    pub(crate) revision: u64,
    pub(crate) snapshot: Snapshot,
    pub(crate) report: Report,
    pub(crate) games: Vec<GameLine>,
    histories: OnceLock<Vec<RatingHistory>>,
}

impl Moment {
    /// Ratings over time, of stages that have some; computed when somebody asks for the first time.
    pub(crate) fn histories(&self) -> &[RatingHistory] {
        self.histories.get_or_init(|| self.snapshot.rating_histories())
    }
}

impl ShownTournament {
    /// Reads a catalogue for the first time.
    ///
    /// # Errors
    /// If it is none that can be shown.
    pub fn open(path: &Path) -> Result<Self, SnapshotError> {
        let catalogue = Catalogue::read_only(path)?;
        let began = Instant::now();
        let now = Arc::new(read(&catalogue)?);
        let reader = Mutex::new(Reader { catalogue, due: due(began) });
        Ok(Self { reader, now: Mutex::new(now) })
    }

    /// How it stands. Reads, and blocks, where something was written since; whoever asks while another reads has what was there before.
    pub(crate) fn now(&self) -> Result<Arc<Moment>, SnapshotError> {
        let reader = match self.reader.try_lock() {
            Ok(reader) => Some(reader),
            Err(TryLockError::Poisoned(broken)) => Some(broken.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        };
        if let Some(mut reader) = reader.filter(|reader| Instant::now() >= reader.due) {
            let began = Instant::now();
            let known = self.now.locked().revision;
            if reader.catalogue.revision()? != known {
                let now = Arc::new(read(&reader.catalogue)?);
                *self.now.locked() = now;
            }
            reader.due = due(began);
        }
        Ok(self.now.locked().clone())
    }

    /// The recording of a game, compressed; none of one without.
    pub(crate) fn recording(&self, number: u64) -> Result<Option<Vec<u8>>, CatalogueError> {
        self.reader.locked().catalogue.recording(number)
    }
}

/// When to read again what began to be read then, and was read just now.
fn due(began: Instant) -> Instant {
    Instant::now() + FRESH.max(began.elapsed() * REST)
}

fn read(catalogue: &Catalogue) -> Result<Moment, SnapshotError> {
    // What is written while it is read is seen the next time.
    let revision = catalogue.revision()?;
    let snapshot = Snapshot::read(catalogue)?;
    let (report, games) = (snapshot.report(), snapshot.game_lines());
    Ok(Moment { revision, snapshot, report, games, histories: OnceLock::new() })
}
