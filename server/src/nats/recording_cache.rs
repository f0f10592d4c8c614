//! Recordings that a relay fetched from the object store, in memory.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_nats::jetstream::object_store::GetErrorKind;
use bytes::Bytes;
use grandstand_protocol::message::MatchId;
use tokio::io::AsyncReadExt as _;
use tokio::runtime::Handle;

use super::archive::LARGEST;
use super::connection::Link;
use super::questions::{failed, invalid};
use super::{RECORDINGS, recording_name};
use crate::limits::memory::{LruCache, MemoryBudget, MemoryUse, Reservation};
use crate::locked::Locked as _;
use crate::metrics::Metrics;

/// Time limit of a fetch.
const PATIENCE: Duration = Duration::from_secs(10);
/// Number of broken objects that are remembered.
const BROKEN: usize = 64;
/// Time after a fault in which origins are asked instead.
const PAUSE: Duration = Duration::from_secs(5);

/// The recordings, compressed, within the memory that a server with files has for its summaries.
#[derive(Debug)]
pub(super) struct RecordingCache {
    memory: Arc<MemoryBudget>,
    metrics: Arc<Metrics>,
    kept: Mutex<LruCache<MatchId, Bytes>>,
    /// Recordings that are being fetched: one of those who come together does it.
    turns: Mutex<HashMap<MatchId, Arc<Mutex<()>>>>,
    /// Time of the last fault of the connection.
    fault: Mutex<Option<Instant>>,
    /// Recordings whose objects are broken, with the time.
    broken: Mutex<LruCache<MatchId, Instant>>,
}

/// Why a recording was not fetched.
#[derive(Debug, thiserror::Error)]
enum FetchError {
    #[error(transparent)]
    Connection(io::Error),
    /// This object can't be read; others may be.
    #[error("the object is broken: {0}")]
    Object(io::Error),
}

impl RecordingCache {
    pub(super) fn new(memory: Arc<MemoryBudget>, metrics: Arc<Metrics>) -> Self {
        let kept = Mutex::new(LruCache::new(memory.share(MemoryUse::Summaries)));
        let broken = Mutex::new(LruCache::new(BROKEN));
        Self { memory, metrics, kept, turns: Mutex::default(), fault: Mutex::default(), broken }
    }

    /// The recording of a match that is over, fetched if it is not here; `None` if it is not in the store, too large for
    /// the memory, or NATS has a fault. Blocks.
    pub(super) fn get(&self, link: &Link, runtime: &Handle, id: &MatchId) -> Option<Bytes> {
        let kept = || self.kept.locked().get(id);
        if let Some(bytes) = kept() {
            return Some(bytes);
        }
        let turn = self.turns.locked().entry(id.clone()).or_default().clone();
        let fetched = {
            let _turn = turn.locked();
            kept().or_else(|| self.fetch_now(link, runtime, id))
        };
        self.turns.locked().remove(id);
        fetched
    }

    fn fetch_now(&self, link: &Link, runtime: &Handle, id: &MatchId) -> Option<Bytes> {
        let is_recent = |at: Option<Instant>| at.is_some_and(|at| at.elapsed() < PAUSE);
        if is_recent(*self.fault.locked()) || is_recent(self.broken.locked().get(id)) || !link.is_connected()
        {
            return None;
        }
        match runtime.block_on(self.fetch(link, id)) {
            Ok(fetched) => {
                if let Some(bytes) = &fetched {
                    self.metrics.nats_fetched.add(1);
                    self.kept.locked().put(id.clone(), bytes.clone(), bytes.len());
                }
                fetched
            }
            Err(error) => {
                tracing::debug!(%id, %error, "a recording can't be fetched from NATS; its origin is asked");
                match error {
                    FetchError::Connection(_) => *self.fault.locked() = Some(Instant::now()),
                    FetchError::Object(_) => self.broken.locked().put(id.clone(), Instant::now(), 1),
                }
                None
            }
        }
    }

    async fn fetch(&self, link: &Link, id: &MatchId) -> Result<Option<Bytes>, FetchError> {
        let late = |_| io::Error::from(io::ErrorKind::TimedOut);
        let getting = async {
            let store = link.jetstream.get_object_store(RECORDINGS).await.map_err(failed)?;
            match store.get(recording_name(id)).await {
                Ok(object) => Ok(Some(object).filter(|object| !object.info.deleted)),
                Err(error) if error.kind() == GetErrorKind::NotFound => Ok(None),
                Err(error) => Err(failed(error)),
            }
        };
        let object = tokio::time::timeout(PATIENCE, getting).await.map_err(late).flatten();
        let Some(object) = object.map_err(FetchError::Connection)? else { return Ok(None) };
        let size = object.info.size;
        if size as u64 > LARGEST {
            return Ok(None);
        }
        let Some(reservation) = self.reserve(size) else { return Ok(None) };
        let mut bytes = Vec::with_capacity(size);
        let mut content = object.take(size as u64);
        let reading = tokio::time::timeout(PATIENCE, content.read_to_end(&mut bytes)).await;
        reading.map_err(late).flatten().map_err(FetchError::Object)?;
        if bytes.len() < size {
            return Err(FetchError::Object(invalid("the recording is shorter than it says")));
        }
        Ok(Some(reservation.hold(bytes.into())))
    }

    /// Memory for a recording; the recordings that were not asked for the longest make room.
    fn reserve(&self, size: usize) -> Option<Reservation> {
        if size > self.memory.share(MemoryUse::Summaries) {
            return None;
        }
        loop {
            match self.memory.reserve(MemoryUse::Summaries, size) {
                Ok(reservation) => return Some(reservation),
                Err(_) if self.kept.locked().drop_oldest() => {}
                Err(_) => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recordings_that_nobody_asked_for_make_room_for_another() {
        let memory = MemoryBudget::new(8 * 1000);
        let fetched = RecordingCache::new(memory.clone(), Arc::default());
        let share = memory.share(MemoryUse::Summaries);
        let ids: Vec<MatchId> = ["A1", "B2", "C3"].map(|id| id.parse().unwrap()).into();
        for id in &ids {
            let size = share * 2 / 5;
            let bytes = fetched.reserve(size).expect("room").hold(vec![7; size].into());
            fetched.kept.locked().put(id.clone(), bytes, size);
        }
        let mut kept = fetched.kept.locked();
        assert_eq!(ids.iter().map(|id| kept.get(id).is_some()).collect::<Vec<_>>(), [false, true, true]);
        drop(kept);
        assert!(fetched.reserve(share + 1).is_none());
        assert!(fetched.kept.locked().get(&ids[2]).is_some(), "nothing is dropped for what never has room");
    }
}
