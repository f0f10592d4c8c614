//! Whole contents in an object store.
//!
//! They are read by direct requests and without a consumer: each request has a time limit of its own, nothing is left behind in
//! NATS, and a reader needs no more permissions than these.

use std::time::Duration;

use async_nats::jetstream::object_store::{
    InfoErrorKind, ObjectInfo, ObjectMetadata, ObjectStore, PutErrorKind,
};
use async_nats::jetstream::stream::{DirectGetErrorKind, Stream};
use bytes::{Bytes, BytesMut};
use tokio::sync::OnceCell;

use super::connection::{Link, chain};
use super::streams::is_storage;

/// Time limit for a request that nothing answers, as with a server that is gone or permissions that are missing.
const PATIENCE: Duration = Duration::from_secs(4);

/// Why a content was not written or read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ObjectError {
    /// NATS is away or does not answer, or the store is not there; it may be later.
    #[error("{0}")]
    Away(String),
    /// The store has no room.
    #[error("it has no room in NATS ({0})")]
    Full(String),
}

/// An object store.
pub(crate) struct Objects {
    link: Link,
    bucket: &'static str,
    opened: OnceCell<(ObjectStore, Stream)>,
}

impl std::fmt::Debug for Objects {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Objects").field("bucket", &self.bucket).finish_non_exhaustive()
    }
}

impl Objects {
    /// The store with this name, which is opened when it is used first.
    pub(crate) fn new(link: Link, bucket: &'static str) -> Self {
        Self { link, bucket, opened: OnceCell::new() }
    }

    async fn open(&self) -> Result<&(ObjectStore, Stream), ObjectError> {
        let open = async || {
            let store = self.link.jetstream.get_object_store(self.bucket).await;
            let store = store.map_err(|error| self.failed(&error))?;
            let stream = self.link.jetstream.get_stream(format!("OBJ_{}", self.bucket)).await;
            Ok((store, stream.map_err(|error| self.failed(&error))?))
        };
        self.opened.get_or_try_init(open).await
    }

    fn failed(&self, error: &dyn std::error::Error) -> ObjectError {
        let text = chain(error);
        if is_storage(&text) {
            return ObjectError::Full(text);
        }
        ObjectError::Away(format!("the object store {}: {text}", self.bucket))
    }

    /// Writes a content, in the place of one that had its name.
    ///
    /// # Errors
    /// If it was not stored whole.
    pub(crate) async fn put(&self, name: &str, mut content: &[u8]) -> Result<(), ObjectError> {
        let (store, _) = self.open().await?;
        let about = ObjectMetadata { name: name.to_owned(), ..ObjectMetadata::default() };
        match store.put(about, &mut content).await {
            Ok(_) => Ok(()),
            // It is stored. What is left of the one before expires, where nobody may remove it.
            Err(error) if error.kind() == PutErrorKind::PurgeOldChunks => Ok(()),
            Err(error) => Err(self.failed(&error)),
        }
    }

    /// Reads a content of at most `most` bytes; `None` if it is not there whole.
    ///
    /// # Errors
    /// If NATS does not answer.
    pub(crate) async fn get(&self, name: &str, most: u64) -> Result<Option<Bytes>, ObjectError> {
        let (_, stream) = self.open().await?;
        let Some(about) = self.about(name).await? else { return Ok(None) };
        if about.size as u64 > most {
            return Ok(None);
        }
        let subject = self.chunks(&about);
        let mut content = BytesMut::with_capacity(about.size);
        let mut after = 0;
        while content.len() < about.size {
            let got = stream.direct_get_next_for_subject(subject.clone(), Some(after + 1));
            let chunk = match tokio::time::timeout(PATIENCE, got).await {
                Ok(Ok(chunk)) => chunk,
                Ok(Err(error)) if error.kind() == DirectGetErrorKind::NotFound => return Ok(None),
                Ok(Err(error)) => return Err(self.failed(&error)),
                Err(late) => return Err(self.failed(&late)),
            };
            // A writer may lie about the size, and a chunk has something in it.
            if chunk.payload.is_empty() || content.len() + chunk.payload.len() > about.size {
                return Ok(None);
            }
            content.extend_from_slice(&chunk.payload);
            after = chunk.sequence;
        }
        Ok(Some(content.freeze()))
    }

    /// What the store says of a name; `None` if it has nothing under it.
    async fn about(&self, name: &str) -> Result<Option<ObjectInfo>, ObjectError> {
        let (store, _) = self.open().await?;
        match tokio::time::timeout(PATIENCE, store.info(name)).await {
            // It names subjects, and comes from outside.
            Ok(Ok(about)) => Ok(Some(about).filter(|about| {
                !about.deleted
                    && !about.nuid.is_empty()
                    && about.nuid.bytes().all(|byte| byte.is_ascii_alphanumeric())
            })),
            Ok(Err(error)) if error.kind() == InfoErrorKind::NotFound => Ok(None),
            Ok(Err(error)) => Err(self.failed(&error)),
            Err(late) => Err(self.failed(&late)),
        }
    }

    fn chunks(&self, about: &ObjectInfo) -> String {
        format!("$O.{}.C.{}", self.bucket, about.nuid)
    }

    /// Removes a content with all that the store says of it.
    ///
    /// # Errors
    /// If it was not removed.
    pub(crate) async fn remove(&self, name: &str) -> Result<(), ObjectError> {
        let Some(about) = self.about(name).await? else { return Ok(()) };
        let (_, stream) = self.open().await?;
        let name = data_encoding::BASE64URL.encode(name.as_bytes());
        for subject in [format!("$O.{}.M.{name}", self.bucket), self.chunks(&about)] {
            stream.purge().filter(subject).await.map_err(|error| self.failed(&error))?;
        }
        Ok(())
    }

    /// Removes everything.
    ///
    /// # Errors
    /// If it was not removed.
    pub(crate) async fn clear(&self) -> Result<(), ObjectError> {
        let (_, stream) = self.open().await?;
        stream.purge().await.map(drop).map_err(|error| self.failed(&error))
    }
}
