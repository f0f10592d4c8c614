//! The director's HTTP: what workers ask it. server/HTTP.md describes it.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::contents::hash_of;
use super::dispatch::{ReportError, Shared};
use super::job_queue::{EnterError, LEASE, UnknownSession};
use super::messages::{Assignment, Heartbeat, HeartbeatReply, Hello, JobRequest, Session, Taken, Welcome};
use super::report::{Report, Upload};
use super::wire::{MESSAGE_BYTES, Message, UPLOAD_BYTES, decode, encode};
use crate::http::body::{Body, read_whole};
use crate::http::refusal::Refusal;
use crate::http::response::{answer, refused, respond};
use crate::http::tls::Tls;
use crate::limits::connections::{ConnectionLimit, Permit, Port};
use crate::metrics::Counter;
use crate::shutdown::until_stop;

/// Greatest numbers of connections: in all, and from one address.
const CONNECTIONS: usize = 4096;
const PER_ADDRESS: usize = 2048;
/// Time limits for a request's head, a message, and an upload.
const HEAD: Duration = Duration::from_secs(30);
const BODY: Duration = Duration::from_secs(20);
const UPLOAD: Duration = Duration::from_secs(300);
/// Time for which a request for a game waits for one; less than a lease.
const WAIT: Duration = Duration::from_secs(2);
/// Path before the hash of a content, and before that of an upload.
const CONTENT: &str = "/api/worker/content/";
const UPLOADS: &str = "/api/worker/recordings/";
/// Header that names the session of an upload.
pub(super) const SESSION: &str = "x-grandstand-session";

/// Accepts connections until the director stops.
pub(super) async fn serve(
    shared: Arc<Shared>,
    listener: TcpListener,
    tls: Option<Tls>,
    mut stopping: watch::Receiver<bool>,
) {
    let (limit, too_many) = (ConnectionLimit::new(CONNECTIONS, PER_ADDRESS), Counter::default());
    let port = Port { connection: "a worker's connection", limit: &limit, refused: &too_many };
    while let Some((stream, _, permit)) = port.accept(&listener, &mut stopping).await {
        tokio::spawn(connection(shared.clone(), stream, permit, tls.clone(), stopping.clone()));
    }
}

async fn connection(
    shared: Arc<Shared>,
    stream: TcpStream,
    permit: Permit,
    tls: Option<Tls>,
    mut stopping: watch::Receiver<bool>,
) {
    // Answers are written whole. On failure they only come later.
    let _ = stream.set_nodelay(true);
    let (stream, _permit) = match &tls {
        None => (stream, Some(permit)),
        Some(tls) => match tls.unwrap(stream, permit).await {
            Ok(plain) => (plain, None),
            Err(error) => return tracing::debug!(%error, "a worker's connection could not be encrypted"),
        },
    };
    let service = service_fn(|request| {
        let shared = shared.clone();
        async move { Ok::<_, Infallible>(handle(&shared, request).await.unwrap_or_else(|why| refused(&why))) }
    });
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD);
    let connection = http.serve_connection(TokioIo::new(stream), service);
    tokio::pin!(connection);
    tokio::select! {
        // A connection that breaks is the worker's business: it asks again.
        _ = connection.as_mut() => {}
        () = until_stop(&mut stopping) => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

async fn handle(shared: &Shared, request: Request<Incoming>) -> Result<Response<Body>, Refusal> {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    match (&method, &*path) {
        (&Method::GET, "/healthz" | "/readyz") => return Ok(answer("text/plain; charset=utf-8", "ok\n")),
        (&Method::GET, "/metrics") => return Ok(answer("text/plain; version=0.0.4", metrics(shared))),
        _ => {}
    }
    if !shared.token.is_shown(request.headers()) {
        let words = "this is not the token of the director: the file that --token names must have the same";
        return Err(Refusal::new(StatusCode::FORBIDDEN, words));
    }
    match (&method, &*path) {
        (&Method::POST, "/api/worker/hello") => hello(shared, &read::<Hello>(request).await?),
        (&Method::POST, "/api/worker/next") => next(shared, &read::<JobRequest>(request).await?).await,
        (&Method::POST, "/api/worker/beat") => {
            let beat: Heartbeat = read(request).await?;
            let dropped = shared.on_queue(|queue| queue.beat(&beat.session, &beat.running, Instant::now()));
            Ok(json(&HeartbeatReply { drop: dropped.map_err(unknown)? }))
        }
        (&Method::POST, "/api/worker/results") => match shared.report(read::<Report>(request).await?) {
            Ok(counts) => Ok(json(&Taken { counts })),
            Err(ReportError::Session(error)) => Err(unknown(error)),
            Err(ReportError::NotYet) => {
                let words = "the director was started only now, and does not know this game yet";
                Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, words))
            }
            Err(ReportError::Missing) => {
                Err(Refusal::new(StatusCode::CONFLICT, "the recording was not uploaded before the result"))
            }
        },
        (&Method::POST, "/api/worker/bye") => {
            let ask: JobRequest = read(request).await?;
            shared.on_queue(|queue| queue.leave(&ask.session));
            shared.changed.send_modify(|times| *times += 1);
            Ok(answer("application/json", "{}"))
        }
        (&Method::GET, path) if path.starts_with(CONTENT) => content(shared, &path[CONTENT.len()..]).await,
        (&Method::PUT, path) if path.starts_with(UPLOADS) => {
            let hash = path[UPLOADS.len()..].to_owned();
            upload(shared, hash, request).await
        }
        _ => Err(Refusal::new(StatusCode::NOT_FOUND, "there is nothing at this address of a director")),
    }
}

/// Reads a message.
async fn read<T: Message>(request: Request<Incoming>) -> Result<T, Refusal> {
    let bytes = read_whole(request.into_body(), MESSAGE_BYTES, BODY).await?;
    decode(&bytes).map_err(|error| Refusal::new(StatusCode::BAD_REQUEST, format!("the body: {error}")))
}

fn json(message: &impl Message) -> Response<Body> {
    answer("application/json", encode(message))
}

fn unknown(_: UnknownSession) -> Refusal {
    Refusal::new(StatusCode::GONE, "this session is not known: say hello again")
}

fn hello(shared: &Shared, hello: &Hello) -> Result<Response<Body>, Refusal> {
    if let Some(why) = hello.version.refusal() {
        return Err(Refusal::new(StatusCode::CONFLICT, why));
    }
    if shared.on_queue(|queue| queue.is_over()) {
        return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "the tournament is over"));
    }
    let refused = |why: EnterError| {
        let status = match why {
            EnterError::Full | EnterError::NoSession(_) => StatusCode::SERVICE_UNAVAILABLE,
            EnterError::Distrusted(..) => StatusCode::FORBIDDEN,
        };
        Refusal::new(status, why.to_string())
    };
    let session = shared.enter(hello).map_err(refused)?;
    let beat_ms = (LEASE / 4).as_millis() as u64;
    Ok(json(&Welcome { session, tournament: shared.name.clone(), beat_ms, clocks: shared.clocks }))
}

/// Answers with a game, as soon as there is one.
async fn next(shared: &Shared, JobRequest { session, load }: &JobRequest) -> Result<Response<Body>, Refusal> {
    let mut changed = shared.changed.subscribe();
    let until = tokio::time::Instant::now() + WAIT;
    loop {
        changed.borrow_and_update();
        let given = shared.on_queue(|queue| {
            if queue.is_over() {
                // It need not say that it leaves.
                queue.forget(session);
                return Ok(Assignment::Over);
            }
            let taken = queue.take(session, *load, Instant::now())?;
            Ok(taken.map_or(Assignment::Nothing, |(id, job)| Assignment::Job {
                id,
                job: Box::new((*job).clone()),
            }))
        });
        let given = given.map_err(unknown)?;
        if given != Assignment::Nothing {
            return Ok(json(&given));
        }
        match tokio::time::timeout_at(until, changed.changed()).await {
            Ok(Ok(())) => {}
            _ => return Ok(json(&Assignment::Nothing)),
        }
    }
}

/// A content by its hash.
async fn content(shared: &Shared, hash: &str) -> Result<Response<Body>, Refusal> {
    let read = tokio::task::block_in_place(|| shared.contents.get(hash));
    match read {
        None => Err(Refusal::new(StatusCode::NOT_FOUND, "no player has this content")),
        Some(Err(error)) => Err(Refusal::new(StatusCode::CONFLICT, format!("{error:#}"))),
        Some(Ok(bytes)) => Ok(respond(StatusCode::OK, "application/octet-stream", bytes.into())),
    }
}

/// Keeps a recording, whose hash is in the path.
async fn upload(
    shared: &Shared,
    sha256: String,
    request: Request<Incoming>,
) -> Result<Response<Body>, Refusal> {
    let session = request.headers().get(SESSION).and_then(|session| session.to_str().ok());
    let session = Session(session.unwrap_or_default().to_owned());
    if shared.on_queue(|queue| queue.machine(&session).is_none()) {
        return Err(unknown(UnknownSession));
    }
    let bytes = read_whole(request.into_body(), UPLOAD_BYTES, UPLOAD).await?;
    if hash_of(&bytes) != sha256 {
        let words = "the content is not what the hash in its address says";
        return Err(Refusal::new(StatusCode::BAD_REQUEST, words));
    }
    let upload = Upload { sha256, bytes: bytes.len() as u64 };
    let full = |why| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, why);
    shared.keep(session, upload, bytes.into()).map_err(full)?;
    Ok(answer("application/json", "{}"))
}

/// The Prometheus text exposition.
fn metrics(shared: &Shared) -> String {
    let counts = shared.counts();
    let mut text = String::new();
    for (name, kind, help, value) in [
        ("work_workers", "gauge", "Workers that take part", counts.workers as u64),
        ("work_slots", "gauge", "Games that they can play at a time", counts.slots as u64),
        ("work_queued", "gauge", "Games that wait for a worker", counts.queued as u64),
        ("work_playing", "gauge", "Games that are handed out", counts.leased as u64),
        (
            "work_set_aside",
            "gauge",
            "Workers that are set aside, since a result of theirs differed",
            counts.distrusted as u64,
        ),
        (
            "work_compared_total",
            "counter",
            "Games that were played by several workers and compared",
            counts.compared,
        ),
        ("work_results_total", "counter", "Results that count", shared.handed_in.get()),
        ("work_spare_results_total", "counter", "Results of games that counted already", shared.spare.get()),
    ] {
        // Writing to a string can't fail.
        let _ = write!(
            text,
            "# HELP grandstand_{name} {help}.\n# TYPE grandstand_{name} {kind}\ngrandstand_{name} {value}\n"
        );
    }
    text
}
