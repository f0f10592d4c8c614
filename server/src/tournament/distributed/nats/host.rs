//! The director's side of NATS: answers workers, writes programs to the object store, and reads recordings from there.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_nats::{HeaderMap, Message, Subscriber};
use futures_util::StreamExt as _;
use grandstand_matches::bundle::sha256;
use hyper::StatusCode;
use tokio::sync::{Mutex, Semaphore};

use super::super::super::playing::RunEvent;
use super::super::director_state::DirectorState;
use super::super::messages::{Session, Version};
use super::super::report::{Ending, Report, Upload};
use super::super::requests::{self, Request, read};
use super::super::wire::{CONTENT_BYTES, UPLOAD_BYTES, encode};
use super::{AGAIN, CONTENT, ContentRequest, FIND, Found, STATUS, director_of, subject, upload_name};
use crate::config::NatsLimits;
use crate::http::refusal::Refusal;
use crate::http::response::error_body;
use crate::nats::connection::{Link, NatsError};
use crate::nats::objects::{ObjectError, Objects};
use crate::nats::streams::ensure;
use crate::nats::{NatsSettings, PROGRAMS, RESULTS};

/// Greatest number of requests that are answered at a time; each worker's thread has one.
const AT_ONCE: usize = 8192;
/// Interval at which the connection is looked at, and longest time between two looks at the streams.
const LOOK: Duration = Duration::from_millis(250);
const CHECK: Duration = Duration::from_secs(5);
/// Time after the connection was made in which workers come back.
const COME_BACK: Duration = Duration::from_secs(5);
/// Time for which a recording is waited for whose result is there: a copy of the store in a cluster may be a little behind.
const BEHIND: Duration = Duration::from_secs(1);
/// Interval of the attempts to read it, and of those to subscribe.
const RETRY: Duration = Duration::from_millis(100);

/// A NATS server over which a director waits for workers.
#[derive(Debug, Clone)]
pub struct NatsDirectorOptions {
    /// The connection, with the role of a director.
    pub settings: NatsSettings,
    /// How much is stored there.
    pub limits: NatsLimits,
}

/// A director at NATS.
#[derive(Debug)]
pub(in super::super) struct NatsDirector {
    link: Link,
    limits: NatsLimits,
    /// Name of the director.
    name: String,
    programs: Objects,
    results: Objects,
    /// One program is written at a time, so that many workers that miss one have it written once.
    writing: Mutex<()>,
    turns: Arc<Semaphore>,
    /// Whether the object stores are there.
    ready: AtomicBool,
}

impl NatsDirector {
    /// Connects, and makes the object stores. A server that can't be reached yet is no error.
    ///
    /// # Errors
    /// If the settings are of no use, or the server has no JetStream or no room.
    pub(in super::super) async fn open(
        settings: NatsSettings,
        limits: NatsLimits,
        tournament: &str,
    ) -> anyhow::Result<Self> {
        let link = Link::open(settings).await?;
        let mut ready = false;
        if link.is_connected() {
            match ensure(&link, &limits).await {
                Ok(()) => ready = true,
                Err(error @ (NatsError::JetStream(_) | NatsError::Storage { .. })) => {
                    return Err(error.into());
                }
                // It is tried again.
                Err(error) => tracing::warn!(%error, "NATS can't be used yet"),
            }
        }
        let (programs, results) = (Objects::new(link.clone(), PROGRAMS), Objects::new(link.clone(), RESULTS));
        Ok(Self {
            link,
            limits,
            name: director_of(tournament),
            programs,
            results,
            writing: Mutex::default(),
            turns: Arc::new(Semaphore::new(AT_ONCE)),
            ready: AtomicBool::new(ready),
        })
    }

    /// The command with which a worker takes part.
    pub(in super::super) fn how_to_join(&self) -> String {
        format!("grandstand worker --nats {}", self.link.shown)
    }

    /// Largest message in bytes.
    pub(in super::super) fn max_message_bytes(&self) -> usize {
        self.link.most()
    }

    /// Whether workers can be answered.
    pub(in super::super) fn is_ready(&self) -> bool {
        self.link.is_connected() && self.ready.load(Ordering::Relaxed)
    }

    /// Writes a program to the object store, unless it is there.
    async fn write(&self, shared: &DirectorState, hash: &str) -> Result<(), Refusal> {
        let unavailable = |why: String| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, why);
        let _writing = self.writing.lock().await;
        match self.programs.get(hash, CONTENT_BYTES).await {
            Ok(Some(there)) if sha256(&there) == hash => return Ok(()),
            Ok(_) => {}
            Err(error) => return Err(unavailable(error.to_string())),
        }
        let content = requests::content(shared, hash).await?;
        let mut written = self.programs.put(hash, &content).await;
        if matches!(written, Err(ObjectError::Full(_))) {
            // Others may be of tournaments that are over. What is still played is written again when it is asked for.
            written = match self.programs.clear().await {
                Ok(()) => self.programs.put(hash, &content).await,
                Err(error) => Err(error),
            };
        }
        written.map_err(|error| match error {
            ObjectError::Full(_) => unavailable(format!(
                "a program of {} MiB has no room in NATS: its director takes more with --nats-limit nats-work-mib=N",
                content.len().div_ceil(1 << 20)
            )),
            ObjectError::Away(why) => unavailable(why),
        })
    }

    /// Takes what a report names from the object store, as if it had been uploaded here.
    async fn fetch(&self, shared: &DirectorState, report: &Report) -> Result<(), Refusal> {
        let Ending::Played(played) = &report.ending else { return Ok(()) };
        if shared.on_queue(|queue| queue.machine(&report.session).is_none()) {
            // `requests::results` refuses an unknown session.
            return Ok(());
        }
        for upload in played.recording.iter().chain(&played.inputs) {
            let unavailable = |why: String| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, why);
            let size = usize::try_from(upload.bytes).unwrap_or(usize::MAX).min(UPLOAD_BYTES);
            let room = requests::room(shared, size)?;
            let until = Instant::now() + BEHIND;
            let bytes = loop {
                match self.results.get(&upload_name(&report.session, upload), upload.bytes).await {
                    Ok(Some(bytes)) if sha256(&bytes) == upload.sha256 => break Some(bytes),
                    Ok(_) if Instant::now() < until => tokio::time::sleep(RETRY).await,
                    Ok(_) => break None,
                    Err(error) => return Err(unavailable(error.to_string())),
                }
            };
            // Without it the report is refused.
            let Some(bytes) = bytes else { return Ok(()) };
            shared.uploads.keep((report.session.clone(), upload.clone()), bytes, room, Instant::now());
        }
        Ok(())
    }

    /// Removes what a report named: it is here now, or in the catalogue, or the worker uploads it again.
    async fn tidy(&self, session: Session, uploads: Vec<Upload>) {
        for upload in uploads {
            if let Err(error) = self.results.remove(&upload_name(&session, &upload)).await {
                // It expires.
                tracing::debug!(%error, "a recording stays in NATS");
            }
        }
    }
}

/// Answers workers, and looks after the connection, until the director ends.
pub(in super::super) async fn serve(shared: Arc<DirectorState>, host: Arc<NatsDirector>) {
    tokio::spawn(look_after(shared.clone(), host.clone()));
    loop {
        match subscribe(&host).await {
            Ok((finds, requests)) => {
                let mut all = futures_util::stream::select(finds, requests);
                while let Some(message) = all.next().await {
                    let Ok(turn) = host.turns.clone().try_acquire_owned() else {
                        let why =
                            Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "too many requests at a time");
                        reply(&host, &message, Err(why)).await;
                        continue;
                    };
                    let (shared, host) = (shared.clone(), host.clone());
                    tokio::spawn(async move {
                        respond(&shared, &host, message).await;
                        drop(turn);
                    });
                }
            }
            Err(error) => tracing::debug!(%error, "requests of workers can't be read"),
        }
        tokio::time::sleep(RETRY).await;
    }
}

async fn subscribe(host: &NatsDirector) -> Result<(Subscriber, Subscriber), async_nats::SubscribeError> {
    let client = &host.link.client;
    Ok((client.subscribe(FIND).await?, client.subscribe(subject(&host.name, "*")).await?))
}

async fn respond(shared: &DirectorState, host: &Arc<NatsDirector>, message: Message) {
    let subject = message.subject.clone();
    let answer = match subject.rsplit('.').next().unwrap_or_default() {
        _ if *subject == *FIND => find(shared, host),
        CONTENT => match read::<ContentRequest>(&message.payload) {
            Ok(wanted) => host.write(shared, &wanted.sha256).await.map(|()| b"{}".to_vec()),
            Err(why) => Err(why),
        },
        name => match Request::named(name) {
            Some(Request::Results) => results(shared, host, &message.payload).await,
            Some(request) => requests::answer(shared, request, &message.payload).await,
            None => Err(Refusal::new(StatusCode::NOT_FOUND, "a director is asked nothing at this subject")),
        },
    };
    reply(host, &message, answer).await;
}

fn find(shared: &DirectorState, host: &NatsDirector) -> Result<Vec<u8>, Refusal> {
    if shared.on_queue(|queue| queue.is_over()) {
        return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "the tournament is over"));
    }
    let (director, tournament) = (host.name.clone(), shared.name.clone());
    Ok(encode(&Found { version: Version::own(), director, tournament }))
}

async fn results(shared: &DirectorState, host: &Arc<NatsDirector>, body: &[u8]) -> Result<Vec<u8>, Refusal> {
    let report = read::<Report>(body)?;
    host.fetch(shared, &report).await?;
    let uploads: Vec<Upload> = match &report.ending {
        Ending::Played(played) => played.recording.iter().chain(&played.inputs).cloned().collect(),
        Ending::Refused(_) => Vec::new(),
    };
    let (session, host) = (report.session.clone(), host.clone());
    let answer = requests::results(shared, report)?;
    // The worker need not wait for it.
    tokio::spawn(async move { host.tidy(session, uploads).await });
    Ok(answer)
}

async fn reply(host: &NatsDirector, message: &Message, answer: Result<Vec<u8>, Refusal>) {
    let Some(to) = message.reply.clone() else { return };
    let answer = answer.and_then(|body| match body.len() <= host.max_message_bytes() {
        true => Ok(body),
        false => Err(Refusal::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            format!("the answer has {} bytes, more than a message of NATS may have", body.len()),
        )),
    });
    let mut headers = HeaderMap::new();
    let body = match answer {
        Ok(body) => {
            headers.insert(STATUS, StatusCode::OK.as_str());
            body
        }
        Err(why) => {
            headers.insert(STATUS, why.status.as_str());
            if let Some(secs) = why.again_secs {
                headers.insert(AGAIN, secs.to_string().as_str());
            }
            error_body(&why.message)
        }
    };
    // A worker that gets no answer asks again.
    let _ = host.link.client.publish_with_headers(to, headers, body.into()).await;
}

/// Creates the object stores whenever they may be lost, and sets `nats_down` while NATS is unreachable.
async fn look_after(shared: Arc<DirectorState>, host: Arc<NatsDirector>) {
    let mut connected = host.link.connected.clone();
    connected.mark_unchanged();
    let (mut heard, mut checked) = (Instant::now(), Instant::now());
    // The last message about it.
    let mut told = String::new();
    loop {
        let is_there = host.link.is_connected();
        if !is_there {
            heard = Instant::now() + COME_BACK;
        }
        shared.nats_down.store(Instant::now() < heard, Ordering::Relaxed);
        let again = connected.has_changed().unwrap_or(false);
        if is_there && (again || !host.ready.load(Ordering::Relaxed) || checked.elapsed() >= CHECK) {
            connected.mark_unchanged();
            checked = Instant::now();
            let done = ensure(&host.link, &host.limits).await;
            host.ready.store(done.is_ok(), Ordering::Relaxed);
            tell(
                &shared,
                &mut told,
                done.err().map(|error| error.to_string()).unwrap_or_default(),
                "NATS can be used again",
            );
        } else if !is_there {
            host.ready.store(false, Ordering::Relaxed);
            let away = format!(
                "the NATS server at {} can't be reached; it is tried again and again, and workers go on meanwhile",
                host.link.shown
            );
            tell(&shared, &mut told, away, "");
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// Tells of a fault once, and of its end.
fn tell(shared: &DirectorState, told: &mut String, fault: String, end: &str) {
    if *told == fault {
        return;
    }
    let news = if fault.is_empty() { end.to_owned() } else { fault.clone() };
    shared.tell(RunEvent::News(news));
    *told = fault;
}
