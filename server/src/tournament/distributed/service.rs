//! The director's HTTP: what workers ask it. server/HTTP.md describes it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use grandstand_matches::bundle::sha256;
use hyper::body::{Body as _, Incoming};
use hyper::{Method, Request, Response, StatusCode};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::watch;

use super::director_state::DirectorState;
use super::http_port;
use super::job_queue::UnknownSession;
use super::messages::Session;
use super::nats::host::NatsDirector;
use super::report::Upload;
use super::requests::{self, unknown};
use super::token::Token;
use super::wire::{MESSAGE_BYTES, UPLOAD_BYTES};
use crate::http::body::{Body, read_whole};
use crate::http::refusal::Refusal;
use crate::http::response::{answer, refused, respond};
use crate::http::tls::Tls;
use crate::listeners::Listeners;
use crate::metrics::{CONTENT_TYPE, Counter, Gauge, family};

/// Time limits for a message and an upload.
const BODY: Duration = Duration::from_secs(20);
const UPLOAD: Duration = Duration::from_secs(300);
/// Path before the name of a request, before the hash of a content, and before that of an upload.
const REQUESTS: &str = "/api/worker/";
const CONTENT: &str = "/api/worker/content/";
const UPLOADS: &str = "/api/worker/recordings/";
/// Header that names the session of an upload.
pub(super) const SESSION: &str = "x-grandstand-session";

/// An address at which a director waits for workers.
#[derive(Debug, Clone)]
pub struct HttpDirectorOptions {
    /// Address to listen on, as `HOST:PORT`.
    pub address: String,
    /// Certificate and key; without them only workers on this machine can be spoken to.
    pub tls: Option<Tls>,
    /// What workers have to show.
    pub token: Token,
    /// The file that has the token, for the line that says how to start a worker.
    pub token_path: PathBuf,
}

/// Listens for workers.
///
/// # Errors
/// If the address can't be listened on, or is one for other machines without a certificate.
pub(super) fn listen(hosting: &HttpDirectorOptions, runtime: &Runtime) -> anyhow::Result<TcpListener> {
    let _inside = runtime.enter();
    let listeners = Listeners::bind::<&str>(&[], &[&hosting.address])?;
    let listener = listeners.http.into_iter().next().context("an address for workers")?;
    let address = listener.local_addr().context("the address for workers")?;
    if hosting.tls.is_none() && !address.ip().is_loopback() {
        bail!(
            "--workers {}: workers on other machines are spoken to by HTTPS; give --tls-cert and --tls-key, or listen on 127.0.0.1",
            hosting.address
        );
    }
    Ok(listener)
}

/// The command with which a worker takes part.
///
/// # Errors
/// If the system does not tell the address.
pub(super) fn how_to_join(hosting: &HttpDirectorOptions, listener: &TcpListener) -> anyhow::Result<String> {
    let address = listener.local_addr().context("the address for workers")?;
    let scheme = if hosting.tls.is_some() { "https" } else { "http" };
    let name = match address.ip().is_unspecified() {
        true => format!("THIS-MACHINE:{}", address.port()),
        false => address.to_string(),
    };
    // A certificate is for a name, not for a number.
    let host = hosting.address.rsplit_once(':').map_or("", |(host, _)| host);
    let is_name = host.parse::<std::net::IpAddr>().is_err() && !host.starts_with('[') && !host.is_empty();
    let name = if is_name { format!("{host}:{}", address.port()) } else { name };
    Ok(format!("grandstand worker --to {scheme}://{name} --token {}", hosting.token_path.display()))
}

/// Who is answered.
pub(super) struct Access {
    /// What workers have to show.
    pub(super) token: Token,
    /// What has to be reached too, before the director is ready.
    pub(super) nats: Option<Arc<NatsDirector>>,
}

/// Answers workers until the director stops.
pub(super) async fn serve(
    shared: Arc<DirectorState>,
    access: Access,
    (listener, tls): (TcpListener, Option<Tls>),
    stopping: watch::Receiver<bool>,
) {
    let access = Arc::new(access);
    let answer = move |request| {
        let (shared, access) = (shared.clone(), access.clone());
        async move { handle(&shared, &access, request).await.unwrap_or_else(|why| refused(&why)) }
    };
    http_port::serve(listener, tls, answer, stopping).await;
}

async fn handle(
    shared: &DirectorState,
    access: &Access,
    request: Request<Incoming>,
) -> Result<Response<Body>, Refusal> {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    match (&method, &*path) {
        (&Method::GET, "/healthz") => return Ok(answer("text/plain; charset=utf-8", "ok\n")),
        (&Method::GET, "/readyz") => {
            if access.nats.as_ref().is_some_and(|nats| !nats.is_ready()) {
                return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "NATS can't be used now"));
            }
            return Ok(answer("text/plain; charset=utf-8", "ok\n"));
        }
        (&Method::GET, "/metrics") => return Ok(answer(CONTENT_TYPE, metrics(shared))),
        _ => {}
    }
    if !access.token.is_shown(request.headers()) {
        let words = "this is not the token of the director: the file that --token names must have the same";
        return Err(Refusal::new(StatusCode::FORBIDDEN, words));
    }
    if method == Method::GET && path.starts_with(CONTENT) {
        let content = requests::content(shared, &path[CONTENT.len()..]).await?;
        return Ok(respond(StatusCode::OK, "application/octet-stream", Body::from(content)));
    }
    if method == Method::PUT && path.starts_with(UPLOADS) {
        return upload(shared, path[UPLOADS.len()..].to_owned(), request).await;
    }
    let named = path.strip_prefix(REQUESTS).filter(|_| method == Method::POST);
    let Some(named) = named.and_then(requests::Request::named) else {
        return Err(Refusal::new(StatusCode::NOT_FOUND, "there is nothing at this address of a director"));
    };
    let body = read_whole(request.into_body(), MESSAGE_BYTES, BODY).await?;
    Ok(answer("application/json", requests::answer(shared, named, &body).await?))
}

/// Keeps a recording, whose hash is in the path.
async fn upload(
    shared: &DirectorState,
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
    let room = requests::room(shared, size)?;
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
fn metrics(shared: &DirectorState) -> String {
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
