//! A worker's requests to its director by NATS.

use std::sync::Mutex;
use std::time::Duration;

use anyhow::Context as _;
use async_nats::client::{Request as NatsRequest, RequestErrorKind};
use grandstand_matches::bundle::sha256;
use tokio::runtime::Runtime;

use super::super::link::{LinkError, Transport, outcome, read};
use super::super::messages::Session;
use super::super::report::Upload;
use super::super::requests::Request;
use super::super::wire::{CONTENT_BYTES, encode};
use super::{AGAIN, CONTENT, ContentRequest, FIND, Found, STATUS, subject, upload_name};
use crate::locked::Locked as _;
use crate::nats::connection::{Link, chain};
use crate::nats::objects::{ObjectError, Objects};
use crate::nats::{NatsSettings, PROGRAMS, RESULTS};

/// Time limits for an answer: to a beat, so that two of them fit into a lease; to what waits at the director or is done at once;
/// and where the director has to read or write much.
const BEAT: Duration = Duration::from_secs(2);
const ANSWER: Duration = Duration::from_secs(4);
const LONG_ANSWER: Duration = Duration::from_secs(20);
/// Time within which a content has to be read or written.
const TRANSFER: Duration = Duration::from_secs(300);
/// Said where nobody is subscribed to the subjects of a director.
const NOBODY: &str = "no director is there";

/// The way to a director by NATS.
#[derive(Debug)]
pub(in super::super) struct NatsLink {
    /// Dropped first, with all that uses it.
    link: Link,
    programs: Objects,
    results: Objects,
    /// The director that was found last.
    director: Mutex<Option<String>>,
    runtime: Runtime,
}

impl NatsLink {
    /// Connects. A server that can't be reached yet is no error.
    ///
    /// # Errors
    /// If the settings are of no use, or the server has no JetStream.
    pub(in super::super) fn open(settings: NatsSettings) -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.context("a thread for NATS")?;
        let link = runtime.block_on(Link::open(settings))?;
        let (programs, results) = (Objects::new(link.clone(), PROGRAMS), Objects::new(link.clone(), RESULTS));
        Ok(Self { link, programs, results, director: Mutex::default(), runtime })
    }

    /// Finds a director, within some seconds.
    async fn find(&self) -> Result<Found, LinkError> {
        read(&self.request(Some(Request::Hello), FIND.to_owned(), Vec::new()).await?)
    }

    async fn request(
        &self,
        of: Option<Request>,
        subject: String,
        body: Vec<u8>,
    ) -> Result<Vec<u8>, LinkError> {
        let patience = match of {
            Some(Request::Beat) => BEAT,
            Some(Request::Results) | None => LONG_ANSWER,
            Some(_) => ANSWER,
        };
        let away = |why: &str| LinkError::Away(why.to_owned());
        if !self.link.is_connected() {
            return Err(away("the NATS server can't be reached"));
        }
        let mut connected = self.link.connected.clone();
        connected.mark_unchanged();
        let request = NatsRequest::new().payload(body.into()).timeout(Some(patience));
        let answer = tokio::select! {
            answer = self.link.client.send_request(subject, request) => answer,
            // The answer may have been lost with the old connection.
            _ = connected.changed() => return Err(away("the connection to NATS broke")),
        };
        let answer = answer.map_err(|error| match error.kind() {
            RequestErrorKind::NoResponders => away(NOBODY),
            RequestErrorKind::TimedOut => away(
                "no answer; the permissions of this user may not allow it (grandstand doctor --role worker)",
            ),
            _ => LinkError::Away(chain(&error)),
        })?;
        let header =
            |name: &str| -> Option<u64> { answer.headers.as_ref()?.get(name)?.as_str().parse().ok() };
        let status = header(STATUS).and_then(|status| u16::try_from(status).ok()).unwrap_or(0);
        outcome(of, status, header(AGAIN), answer.payload.to_vec())
    }

    async fn send(&self, request: Request, body: Vec<u8>) -> Result<Vec<u8>, LinkError> {
        if request == Request::Hello {
            match self.find().await {
                Ok(found) => *self.director.locked() = Some(found.director),
                // One that is over tells its own workers so.
                Err(LinkError::Busy(..)) if self.director.locked().is_some() => {}
                Err(error) => return Err(error),
            }
        }
        let Some(director) = self.director.locked().clone() else { return Err(LinkError::Session) };
        let answer = self.request(Some(request), subject(&director, request.name()), body).await;
        if request == Request::Beat
            && matches!(&answer, Err(LinkError::Away(why)) if why == NOBODY)
            && let Ok(found) = self.find().await
            && found.director != director
        {
            // The own director is gone, and another one has work.
            return Err(LinkError::Session);
        }
        answer
    }

    async fn fetch(&self, hash: &str) -> Result<Vec<u8>, LinkError> {
        // It is written by the director when somebody misses it.
        for asked in [false, true] {
            if asked {
                let Some(director) = self.director.locked().clone() else { return Err(LinkError::Session) };
                let wanted = encode(&ContentRequest { sha256: hash.to_owned() });
                self.request(None, subject(&director, CONTENT), wanted).await?;
            }
            match self.programs.get(hash, CONTENT_BYTES).await {
                Ok(Some(content)) if sha256(&content) == hash => return Ok(content.into()),
                Ok(_) => {}
                // A store that is not there yet is made by the director.
                Err(_) if !asked => {}
                Err(error) => return Err(failed(error)),
            }
        }
        Err(LinkError::Busy("the program is not in NATS yet".to_owned(), None))
    }

    /// Does something within the time for a content, unless the connection is not there.
    fn transfer<T>(&self, work: impl Future<Output = Result<T, LinkError>>) -> Result<T, LinkError> {
        if !self.link.is_connected() {
            return Err(LinkError::Away("the NATS server can't be reached".to_owned()));
        }
        let late = |_| LinkError::Away("a content takes too long".to_owned());
        self.runtime.block_on(async { tokio::time::timeout(TRANSFER, work).await.map_err(late).flatten() })
    }
}

fn failed(error: ObjectError) -> LinkError {
    match error {
        ObjectError::Away(why) => LinkError::Away(why),
        ObjectError::Full(_) => LinkError::Busy(
            "recordings have no room in NATS: the director takes more with --nats-limit nats-work-mib=N"
                .to_owned(),
            None,
        ),
    }
}

impl Transport for NatsLink {
    fn address(&self) -> &str {
        &self.link.shown
    }

    fn send(&self, request: Request, body: &[u8]) -> Result<Vec<u8>, LinkError> {
        self.runtime.block_on(Self::send(self, request, body.to_vec()))
    }

    fn content(&self, hash: &str) -> Result<Vec<u8>, LinkError> {
        self.transfer(self.fetch(hash))
    }

    fn upload(&self, session: &Session, bytes: &[u8]) -> Result<Upload, LinkError> {
        let upload = Upload { sha256: sha256(bytes), bytes: bytes.len() as u64 };
        let name = upload_name(session, &upload);
        self.transfer(async { self.results.put(&name, bytes).await.map_err(failed) })?;
        Ok(upload)
    }
}
