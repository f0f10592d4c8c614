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
use crate::limits::memory::{LruCache, MemoryBudget, MemoryUse};
use crate::locked::Locked as _;
use crate::metrics::Metrics;

/// Time limit of a fetch.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time after a fault in which origins are asked instead.
const PAUSE: Duration = Duration::from_secs(5);

/// The recordings, compressed, within the memory that a server with files has for its summaries.
#[derive(Debug)]
pub(super) struct Fetched {
    memory: Arc<MemoryBudget>,
    metrics: Arc<Metrics>,
    kept: Mutex<LruCache<MatchId, Bytes>>,
    /// Recordings that are being fetched: one of those who come together does it.
    turns: Mutex<HashMap<MatchId, Arc<Mutex<()>>>>,
    fault: Mutex<Option<Instant>>,
}

impl Fetched {
    pub(super) fn new(memory: Arc<MemoryBudget>, metrics: Arc<Metrics>) -> Self {
        let kept = Mutex::new(LruCache::new(memory.share(MemoryUse::Summaries)));
        Self { memory, metrics, kept, turns: Mutex::default(), fault: Mutex::default() }
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
        let is_recent = self.fault.locked().is_some_and(|at| at.elapsed() < PAUSE);
        if is_recent || !link.is_connected() {
            return None;
        }
        let late = |_| io::Error::from(io::ErrorKind::TimedOut);
        let fetching = async { tokio::time::timeout(PATIENCE, self.fetch(link, id)).await.map_err(late)? };
        match runtime.block_on(fetching) {
            Ok(fetched) => {
                if let Some(bytes) = &fetched {
                    self.metrics.nats_fetched.add(1);
                    self.kept.locked().put(id.clone(), bytes.clone(), bytes.len());
                }
                fetched
            }
            Err(error) => {
                tracing::debug!(%id, %error, "a recording can't be fetched from NATS; its origin is asked");
                *self.fault.locked() = Some(Instant::now());
                None
            }
        }
    }

    async fn fetch(&self, link: &Link, id: &MatchId) -> io::Result<Option<Bytes>> {
        let store = link.jetstream.get_object_store(RECORDINGS).await.map_err(failed)?;
        let object = match store.get(recording_name(id)).await {
            Ok(object) if !object.info.deleted => object,
            Ok(_) => return Ok(None),
            Err(error) if error.kind() == GetErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        let size = object.info.size;
        if size as u64 > LARGEST {
            return Ok(None);
        }
        let Ok(reservation) = self.memory.reserve(MemoryUse::Summaries, size) else { return Ok(None) };
        let mut bytes = Vec::with_capacity(size);
        object.take(size as u64).read_to_end(&mut bytes).await?;
        if bytes.len() < size {
            return Err(invalid("the recording is shorter than it says"));
        }
        Ok(Some(reservation.hold(bytes.into())))
    }
}
