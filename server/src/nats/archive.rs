//! Recordings of an origin's matches that are over, in the object store: relays have them while the origin is away.
//!
//! They are what is handed out to everybody, compressed, one after the other, the newest first. What has no room, or is too
//! large, relays ask for.

use std::collections::{HashMap, HashSet, VecDeque};
use std::io::{self, Read, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, SystemTime};

use async_nats::jetstream::object_store::{InfoErrorKind, ObjectInfo, ObjectMetadata, ObjectStore};
use async_nats::jetstream::stream::Stream;
use bytes::{Buf as _, Bytes};
use futures_util::TryStreamExt as _;
use grandstand_protocol::message::MatchId;
use grandstand_replays::zst;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::mpsc;

use super::connection::chain;
use super::origin::Origin;
use super::{RECORDINGS, recording_name};
use crate::recordings::Recordings;
use crate::recordings::disclosure::Disclosure;
use crate::recordings::download::ReplayFile;

/// Largest compressed recording in bytes; a relay holds it in memory.
pub(super) const LARGEST: u64 = 32 << 20;
/// Pieces of a recording that wait for NATS.
const WAITING: usize = 4;
/// Bytes of text per read.
const PIECE: usize = 32 * 1024;
/// Pause before something that failed is tried again; it doubles up to the longest.
const RETRY: Duration = Duration::from_secs(1);
const LONGEST_RETRY: Duration = Duration::from_secs(60);
/// Age of the last chunk from which an upload without an object counts as given up, by whichever origin.
const GIVEN_UP: Duration = Duration::from_secs(10 * 60);

/// Message to the archive.
#[derive(Debug)]
pub(super) enum Order {
    /// A recording is whole, and is to be published.
    Keep(MatchId),
    /// Relays are not told of the match any more.
    Drop(MatchId),
    /// The object store may be new: everything is looked at again.
    Again,
}

#[derive(Debug)]
enum Work {
    Put(MatchId),
    Remove(MatchId),
}

/// Why a recording was not published.
#[derive(Debug, thiserror::Error)]
enum ArchiveError {
    /// The store was not found: it is looked at, and made again.
    #[error("{0}")]
    NoStore(String),
    /// NATS is away, or refuses: it is tried again.
    #[error("{0}")]
    Store(String),
    /// It stays out of the store.
    #[error("a recording is not in NATS, and relays ask for it: {0}")]
    Recording(String),
}

/// The recordings that are in the object store, or shall be.
pub(super) struct Archive {
    origin: Arc<Origin>,
    /// Oldest first.
    wanted: VecDeque<MatchId>,
    work: VecDeque<Work>,
    /// Sizes in bytes of the own recordings that are known to be in the store.
    stored: HashMap<MatchId, u64>,
    /// The fault that the log was told of.
    told: Option<String>,
}

impl Archive {
    /// Starts the task; it ends when the sender is dropped.
    pub(super) fn start(origin: Arc<Origin>) -> mpsc::UnboundedSender<Order> {
        let (sender, orders) = mpsc::unbounded_channel();
        let (wanted, work, stored) = (VecDeque::new(), VecDeque::new(), HashMap::new());
        let archive = Self { origin, wanted, work, stored, told: None };
        tokio::spawn(archive.run(orders));
        sender
    }

    async fn run(mut self, mut orders: mpsc::UnboundedReceiver<Order>) {
        let mut pause = RETRY;
        loop {
            while let Ok(order) = orders.try_recv() {
                self.take(order);
            }
            let Some(work) = self.work.pop_front() else {
                match orders.recv().await {
                    Some(order) => self.take(order),
                    None => return,
                }
                continue;
            };
            self.origin.ready().await;
            let done = match &work {
                Work::Put(id) => self.put(id).await,
                Work::Remove(id) => self.remove(id).await,
            };
            let is_missing = matches!(done, Err(ArchiveError::NoStore(_)));
            let again = is_missing || matches!(done, Err(ArchiveError::Store(_)));
            self.tell(done.err());
            if is_missing {
                self.origin.check();
            }
            if again {
                // Behind the others, which may fare better.
                self.work.push_back(work);
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(LONGEST_RETRY);
            } else {
                pause = RETRY;
            }
        }
    }

    fn take(&mut self, order: Order) {
        match order {
            Order::Keep(id) => {
                self.wanted.retain(|other| *other != id);
                self.wanted.push_back(id.clone());
                self.work.push_front(Work::Put(id));
            }
            Order::Drop(id) => {
                self.wanted.retain(|other| *other != id);
                self.work.push_back(Work::Remove(id));
            }
            Order::Again => {
                self.stored.clear();
                self.work.retain(|work| matches!(work, Work::Remove(_)));
                self.work.extend(self.wanted.iter().rev().cloned().map(Work::Put));
            }
        }
    }

    /// Tells the log of a fault, once.
    fn tell(&mut self, fault: Option<ArchiveError>) {
        let Some(fault) = fault.map(|fault| fault.to_string()) else { return };
        if self.told.as_ref() != Some(&fault) {
            tracing::warn!("{fault}");
            self.told = Some(fault);
        }
    }

    async fn store(&self) -> Result<ObjectStore, ArchiveError> {
        let store = self.origin.link().jetstream.get_object_store(RECORDINGS).await;
        store.map_err(|error| ArchiveError::NoStore(self.fault(&error).to_string()))
    }

    fn fault(&self, error: &dyn std::error::Error) -> ArchiveError {
        ArchiveError::Store(self.origin.link().failed("the recordings", error).to_string())
    }

    /// Publishes a recording, unless it is in the store.
    async fn put(&mut self, id: &MatchId) -> Result<(), ArchiveError> {
        if !self.wanted.contains(id) {
            return Ok(());
        }
        let store = self.store().await?;
        if self.stored_size(&store, id).await?.is_some() {
            return Ok(());
        }
        // A recording that is gone, or was not kept, is no fault.
        let Ok(file) = self.origin.state().hub.recordings().file(id) else { return Ok(()) };
        let Some(size) = file.compressed_estimate().filter(|size| *size <= LARGEST) else { return Ok(()) };
        drop(file);
        self.make_room(&store, id, size).await?;

        let (sender, receiver) = mpsc::channel(WAITING);
        let (state, disclosure) = (self.origin.state().clone(), self.origin.state().public_disclosure());
        let of = id.clone();
        let reading =
            tokio::task::spawn_blocking(move || compress(state.hub.recordings(), &of, &disclosure, &sender));
        let about = ObjectMetadata {
            name: recording_name(id),
            metadata: HashMap::from([("origin".to_owned(), self.origin.link().name().to_owned())]),
            ..ObjectMetadata::default()
        };
        let put = store.put(about, &mut Pieces { receiver, held: Bytes::new() }).await;
        match (put, reading.await) {
            (Ok(info), _) => {
                self.stored.insert(id.clone(), info.size as u64);
                self.origin.metrics().nats_recordings.add(1);
                Ok(())
            }
            // Its own end, not that of a receiver that is gone.
            (Err(_), Ok(Err(error))) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(ArchiveError::Recording(format!("{id}: {error}")))
            }
            (Err(error), _) => Err(self.fault(&error)),
        }
    }

    /// Makes room for `size` bytes: what uploads that were given up have left goes first, then the oldest of the own recordings.
    /// Nothing goes that would not help.
    async fn make_room(&mut self, store: &ObjectStore, id: &MatchId, size: u64) -> Result<(), ArchiveError> {
        let no_room =
            || ArchiveError::Recording("they have no room there (`nats-recordings-mib`)".to_owned());
        let (limit, size) = (self.origin.limits().recording_bytes, size + size / 8);
        if size > limit {
            return Err(no_room());
        }
        if self.used().await? + size <= limit {
            return Ok(());
        }
        self.purge_given_up().await?;
        loop {
            let missing = (self.used().await? + size).saturating_sub(limit);
            if missing == 0 {
                return Ok(());
            }
            // The newest are worth most.
            let older: Vec<MatchId> = self.wanted.iter().filter(|other| *other != id).cloned().collect();
            let (mut freed, mut going) = (0, Vec::new());
            for other in older {
                if freed >= missing {
                    break;
                }
                if let Some(size) = self.stored_size(store, &other).await? {
                    freed += size;
                    going.push(other);
                }
            }
            if freed < missing {
                return Err(no_room());
            }
            for other in going {
                delete(store, &other).await.map_err(|error| self.fault(&*error))?;
                self.stored.remove(&other);
                self.wanted.retain(|wanted| *wanted != other);
            }
        }
    }

    /// Size in bytes of a recording in the store; `None` if it is not there.
    async fn stored_size(&mut self, store: &ObjectStore, id: &MatchId) -> Result<Option<u64>, ArchiveError> {
        if let Some(size) = self.stored.get(id) {
            return Ok(Some(*size));
        }
        match store.info(recording_name(id)).await {
            Ok(info) if !info.deleted => {
                self.stored.insert(id.clone(), info.size as u64);
                Ok(Some(info.size as u64))
            }
            Err(error) if error.kind() != InfoErrorKind::NotFound => Err(self.fault(&error)),
            _ => Ok(None),
        }
    }

    async fn stream(&self) -> Result<Stream, ArchiveError> {
        let stream = self.origin.link().jetstream.get_stream(format!("OBJ_{RECORDINGS}")).await;
        stream.map_err(|error| self.fault(&error))
    }

    /// Bytes in the store.
    async fn used(&self) -> Result<u64, ArchiveError> {
        Ok(self.stream().await?.cached_info().state.bytes)
    }

    /// Deletes the chunks that belong to no object, and are older than any upload under way.
    async fn purge_given_up(&self) -> Result<(), ArchiveError> {
        let stream = self.stream().await?;
        let prefix = |kind: &str| format!("$O.{RECORDINGS}.{kind}.");
        let subjects = stream.info_with_subjects(format!("$O.{RECORDINGS}.>")).await;
        let subjects = subjects.map_err(|error| self.fault(&error))?;
        let subjects: Vec<(String, usize)> =
            subjects.try_collect().await.map_err(|error| self.fault(&error))?;
        let mut objects = HashSet::new();
        for (subject, _) in subjects.iter().filter(|(subject, _)| subject.starts_with(&prefix("M"))) {
            let about =
                stream.direct_get_last_for_subject(subject).await.map_err(|error| self.fault(&error))?;
            // Of an object that can't be read no chunk is known, so nothing is deleted.
            let about: ObjectInfo =
                serde_json::from_slice(&about.payload).map_err(|error| self.fault(&error))?;
            objects.insert(about.nuid);
        }
        for (subject, _) in &subjects {
            let Some(nuid) = subject.strip_prefix(&prefix("C")).filter(|nuid| !objects.contains(*nuid))
            else {
                continue;
            };
            let last =
                stream.direct_get_last_for_subject(subject).await.map_err(|error| self.fault(&error))?;
            let age = SystemTime::now().duration_since(last.time.into()).unwrap_or_default();
            if age >= GIVEN_UP {
                tracing::info!(nuid, "a recording that was not published whole is deleted from NATS");
                stream.purge().filter(subject).await.map_err(|error| self.fault(&error))?;
            }
        }
        Ok(())
    }

    async fn remove(&mut self, id: &MatchId) -> Result<(), ArchiveError> {
        let store = self.store().await?;
        delete(&store, id).await.map_err(|error| self.fault(&*error))?;
        self.stored.remove(id);
        Ok(())
    }
}

/// Deletes a recording, if it is there.
async fn delete(store: &ObjectStore, id: &MatchId) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let name = recording_name(id);
    match store.info(&name).await {
        Ok(info) if !info.deleted => Ok(store.delete(&name).await?),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == InfoErrorKind::NotFound => Ok(()),
        Err(error) => Err(chain(&error).into()),
    }
}

/// Sends the compressed text of a recording, and `None` at its end. Blocks.
fn compress(
    recordings: &Recordings,
    id: &MatchId,
    disclosure: &Disclosure,
    sender: &mpsc::Sender<Option<Bytes>>,
) -> io::Result<()> {
    let text = WholeText { file: recordings.replay(id, disclosure)?, held: Bytes::new() };
    let mut sink = Sink(sender);
    zst::compress(text, &mut sink)?;
    sink.send(None)
}

/// Text of a download, as a `Read`.
struct WholeText {
    file: ReplayFile,
    held: Bytes,
}

impl Read for WholeText {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.held.is_empty() {
            match self.file.next_piece(PIECE)? {
                Some(piece) => self.held = piece,
                None => return Ok(0),
            }
        }
        let n = self.held.len().min(buffer.len());
        self.held.copy_to_slice(&mut buffer[..n]);
        Ok(n)
    }
}

/// Writer into the channel.
struct Sink<'a>(&'a mpsc::Sender<Option<Bytes>>);

impl Sink<'_> {
    fn send(&self, piece: Option<Bytes>) -> io::Result<()> {
        self.0.blocking_send(piece).map_err(|_closed| io::ErrorKind::BrokenPipe.into())
    }
}

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.send(Some(Bytes::copy_from_slice(bytes)))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What came through the channel, as an `AsyncRead`. A channel that is closed before the end is an error, so that no part of
/// a recording looks whole.
struct Pieces {
    receiver: mpsc::Receiver<Option<Bytes>>,
    held: Bytes,
}

impl AsyncRead for Pieces {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        while this.held.is_empty() {
            match ready!(this.receiver.poll_recv(context)) {
                Some(Some(piece)) => this.held = piece,
                Some(None) => return Poll::Ready(Ok(())),
                None => return Poll::Ready(Err(io::ErrorKind::UnexpectedEof.into())),
            }
        }
        let n = this.held.len().min(buffer.remaining());
        buffer.put_slice(&this.held.split_to(n));
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt as _;

    use super::*;

    #[tokio::test]
    async fn a_part_of_a_recording_never_looks_whole() {
        for (end, whole) in [(true, true), (false, false)] {
            let (sender, receiver) = mpsc::channel(WAITING);
            sender.send(Some(Bytes::from_static(b"begun"))).await.unwrap();
            if end {
                sender.send(None).await.unwrap();
            }
            drop(sender);
            let mut read = Vec::new();
            let done = Pieces { receiver, held: Bytes::new() }.read_to_end(&mut read).await;
            assert_eq!((done.is_ok(), &read[..]), (whole, &b"begun"[..]));
        }
    }
}
