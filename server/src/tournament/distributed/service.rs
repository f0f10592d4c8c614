//! The director's HTTP: what workers ask it. server/HTTP.md describes it.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use grandstand_matches::bundle::sha256;
use hyper::body::{Body as _, Incoming};
use hyper::header::{HeaderValue, RETRY_AFTER};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

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
use crate::metrics::{CONTENT_TYPE, Counter, Gauge, family};
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
        (&Method::GET, "/metrics") => return Ok(answer(CONTENT_TYPE, metrics(shared))),
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
            let reply = shared.on_queue(|queue| {
                let drop = queue.beat(&beat.session, &beat.running, Instant::now())?;
                Ok(HeartbeatReply { drop, stored: queue.no_longer_waited_for(&beat.kept, Instant::now()) })
            });
            Ok(json(&reply.map_err(unknown)?))
        }
        (&Method::POST, "/api/worker/results") => match shared.report(read::<Report>(request).await?) {
            Ok(counts) => Ok(json(&Taken { counts })),
            Err(ReportError::Session(error)) => Err(unknown(error)),
            Err(ReportError::NotYet) => {
                let words = "the director was started only now, and does not know this game yet";
                let mut answer = refused(&Refusal::new(StatusCode::SERVICE_UNAVAILABLE, words));
                // It will soon.
                answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("0"));
                Ok(answer)
            }
            Err(ReportError::Missing) => {
                Err(Refusal::new(StatusCode::CONFLICT, "the recording was not uploaded before the result"))
            }
        },
        (&Method::POST, "/api/worker/bye") => {
            let ask: JobRequest = read(request).await?;
            shared.on_queue(|queue| queue.leave(&ask.session));
            shared.changed.notify_waiters();
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
    Ok(json(&Welcome {
        session,
        tournament: shared.name.clone(),
        tournament_id: shared.tournament.clone(),
        beat_ms,
        clocks: shared.clocks,
    }))
}

/// Answers with a game, as soon as there is one. Each game that is offered wakes one of those who wait; one that it is not for
/// wakes the others.
pub(super) async fn next(
    shared: &Shared,
    JobRequest { session, load }: &JobRequest,
) -> Result<Response<Body>, Refusal> {
    let until = tokio::time::Instant::now() + WAIT;
    let mut woken_alone = false;
    loop {
        let (offered, changed) = (shared.offered.notified(), shared.changed.notified());
        tokio::pin!(offered, changed);
        // Before the queue is asked, so that nothing is missed.
        offered.as_mut().enable();
        changed.as_mut().enable();
        let asked = shared.on_queue(|queue| {
            if queue.is_over() {
                // It need not say that it leaves.
                queue.forget(session);
                return Ok(Err(Assignment::Over));
            }
            let taken = queue.take(session, *load, Instant::now())?;
            Ok(taken.ok_or(Assignment::Nothing))
        });
        match asked.map_err(unknown)? {
            // Copied and encoded while nobody waits for the queue.
            Ok((id, job)) => return Ok(json(&Assignment::Job { id, job: Box::new((*job).clone()) })),
            Err(Assignment::Nothing) => {}
            Err(other) => return Ok(json(&other)),
        }
        if woken_alone && shared.counts().queued > 0 {
            shared.changed.notify_waiters();
        }
        woken_alone = false;
        tokio::select! {
            () = offered => woken_alone = true,
            () = changed => {}
            () = tokio::time::sleep_until(until) => return Ok(json(&Assignment::Nothing)),
        }
    }
}

/// A content by its hash.
async fn content(shared: &Shared, hash: &str) -> Result<Response<Body>, Refusal> {
    match shared.contents.get(hash).await {
        None => Err(Refusal::new(StatusCode::NOT_FOUND, "no player has this content")),
        Some(Err(error)) => Err(Refusal::new(StatusCode::CONFLICT, format!("{error:#}"))),
        Some(Ok(bytes)) => Ok(respond(StatusCode::OK, "application/octet-stream", Body::from(bytes))),
    }
}

/// Keeps a recording, whose hash is in the path.
async fn upload(
    shared: &Shared,
    hash: String,
    request: Request<Incoming>,
) -> Result<Response<Body>, Refusal> {
    let session = request.headers().get(SESSION).and_then(|session| session.to_str().ok());
    let session = Session(session.unwrap_or_default().to_owned());
    if shared.on_queue(|queue| queue.machine(&session).is_none()) {
        return Err(unknown(UnknownSession));
    }
    let body = request.into_body();
    let size =
        body.size_hint().exact().map_or(UPLOAD_BYTES, |size| usize::try_from(size).unwrap_or(usize::MAX));
    if size > UPLOAD_BYTES {
        let words = format!("the body is longer than {UPLOAD_BYTES} bytes");
        return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, words));
    }
    let Some(room) = shared.uploads.reserve(size) else {
        let words = "too many recordings are waiting for their results";
        return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, words));
    };
    let bytes = read_whole(body, size, UPLOAD).await?;
    if sha256(&bytes) != hash {
        let words = "the content is not what the hash in its address says";
        return Err(Refusal::new(StatusCode::BAD_REQUEST, words));
    }
    let upload = Upload { sha256: hash, bytes: bytes.len() as u64 };
    shared.uploads.keep((session, upload), bytes.into(), room, Instant::now());
    Ok(answer("application/json", "{}"))
}

/// The Prometheus text exposition.
fn metrics(shared: &Shared) -> String {
    let counts = shared.counts();
    let mut text = String::new();
    for (name, help, value) in [
        ("workers", "Workers that take part.", counts.workers),
        ("slots", "Games that they can play at a time.", counts.slots),
        ("queued", "Games that wait for a worker.", counts.queued),
        ("playing", "Games that are handed out.", counts.leased),
        ("set_aside", "Workers that are set aside, since a result of theirs differed.", counts.distrusted),
    ] {
        family(&mut text, &format!("grandstand_work_{name}"), Gauge::KIND, help, [("", value as u64)]);
    }
    for (name, help, value) in [
        ("compared_total", "Games that were played by several workers and compared.", counts.compared),
        ("results_total", "Results that count.", shared.handed_in.get()),
        ("spare_results_total", "Results of games that counted already.", shared.spare.get()),
    ] {
        family(&mut text, &format!("grandstand_work_{name}"), Counter::KIND, help, [("", value)]);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Context, Poll, Wake, Waker};

    use super::super::dispatch::tests::shared;
    use super::super::job_queue::tests::{hello, task};
    use super::*;

    /// Number of times that a request was woken.
    #[derive(Default)]
    struct Woken(AtomicUsize);

    impl Wake for Woken {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// A request for a game that waits.
    struct Waiting<'a> {
        answer: Pin<Box<dyn Future<Output = Result<Response<Body>, Refusal>> + 'a>>,
        woken: Arc<Woken>,
    }

    impl Waiting<'_> {
        /// Whether it has a game now.
        fn has_a_game(&mut self) -> bool {
            let waker = Waker::from(self.woken.clone());
            match self.answer.as_mut().poll(&mut Context::from_waker(&waker)) {
                Poll::Pending => false,
                Poll::Ready(answer) => {
                    let Body::Whole(Some(body)) = answer.unwrap().into_body() else {
                        panic!("the answer is whole")
                    };
                    assert!(body.starts_with(b"{\"job\""), "{body:?}");
                    true
                }
            }
        }

        fn woken(&self) -> usize {
            self.woken.0.load(Ordering::Relaxed)
        }
    }

    #[tokio::test]
    async fn an_offered_game_wakes_one_worker_and_the_others_if_it_is_not_for_that_one() {
        let shared = shared();
        let asks = ["red", "blue", "green"]
            .map(|name| JobRequest { session: shared.enter(&hello(name)).unwrap(), load: None });
        let mut waiting = asks
            .each_ref()
            .map(|ask| Waiting { answer: Box::pin(next(&shared, ask)), woken: Arc::default() });
        assert!(waiting.iter_mut().all(|waiting| !waiting.has_a_game()));
        shared.offer(task(0));
        assert_eq!(waiting.each_ref().map(Waiting::woken), [1, 0, 0]);
        assert!(waiting[0].has_a_game());
        let refused = vec![(asks[1].session.clone(), "blue".to_owned())];
        shared.offer(super::super::job_queue::Task { refused, ..task(1) });
        assert_eq!(waiting.each_ref().map(Waiting::woken), [1, 1, 0]);
        assert!(!waiting[1].has_a_game());
        assert_eq!(waiting[2].woken(), 1);
        assert!(waiting[2].has_a_game());
    }
}
