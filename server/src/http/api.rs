//! The routes.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use grandstand_protocol::message::{MatchId, Summary};
use grandstand_protocol::{Game, Message};
use hyper::body::Body as HttpBody;
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, HeaderValue, X_CONTENT_TYPE_OPTIONS,
};
use hyper::{Method, Request, Response, StatusCode, Uri};
use tokio::sync::Semaphore;

use super::body::{self, Body, Pieces};
use super::seats;
use crate::hub::Hub;
use crate::live::Live;
use crate::live::upgrade::{Refusal, query_number};
use crate::metrics::Metrics;
use crate::web::{self, Asked};

/// Matches in a list when the request does not say, and at most.
const LIST: u64 = 100;
const LIST_MAX: u64 = 1_000;
/// Responses that are read from files at the same time.
const READERS: usize = 32;
/// How long a request waits for the recorder to catch up with it.
const SETTLE: Duration = Duration::from_secs(2);
/// Bytes of a piece of a streamed response.
const PIECE: usize = 32 * 1024;

/// What the routes work on.
#[derive(Debug)]
pub(crate) struct Api {
    pub(crate) hub: Arc<Hub>,
    pub(crate) live: Arc<Live>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) allow_origins: Vec<String>,
    pub(crate) publish_programs: bool,
    pub(crate) readers: Arc<Semaphore>,
}

impl Api {
    pub(crate) fn new(
        hub: Arc<Hub>,
        live: Arc<Live>,
        metrics: Arc<Metrics>,
        allow_origins: Vec<String>,
        publish_programs: bool,
    ) -> Arc<Self> {
        let readers = Arc::new(Semaphore::new(READERS));
        Arc::new(Self { hub, live, metrics, allow_origins, publish_programs, readers })
    }
}

/// Answers any request that is not for a websocket.
pub(crate) async fn handle<B: HttpBody>(api: Arc<Api>, request: Request<B>) -> Response<Body> {
    api.metrics.http_requests.add(1);
    let for_posts = seats::is_for_posts(request.uri().path());
    if for_posts && request.method() == Method::POST {
        return seats::post(&api, request).await.unwrap_or_else(|refusal| refused(&refusal));
    }
    let head_only = request.method() == Method::HEAD;
    if for_posts || (!head_only && request.method() != Method::GET) {
        let allowed = if for_posts { "POST" } else { "GET, HEAD" };
        let words = format!("only {} answered here", if for_posts { "POST is" } else { "GET and HEAD are" });
        let mut response = refused(&Refusal::new(StatusCode::METHOD_NOT_ALLOWED, words));
        response.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
        return response;
    }
    let mut response = match route(&api, request.uri(), Asked::of(&request)).await {
        Ok(response) => response,
        Err(refusal) => refused(&refusal),
    };
    if head_only {
        *response.body_mut() = Body::Whole(None);
    }
    response
}

async fn route(api: &Arc<Api>, uri: &Uri, asked: Asked<'_>) -> Result<Response<Body>, Refusal> {
    let path: Vec<&str> = uri.path().split('/').skip(1).collect();
    match path.as_slice() {
        [""] => match web::index(asked) {
            Some(page) => Ok(page.map(Body::from)),
            None => plain(api, uri).await,
        },
        ["plain"] => plain(api, uri).await,
        ["healthz"] => Ok(answer("text/plain; charset=utf-8", "ok\n")),
        ["metrics"] => {
            let text = api.metrics.render(api.hub.live());
            Ok(answer("text/plain; version=0.0.4; charset=utf-8", text))
        }
        ["api", "matches"] => {
            let limit = query_number(uri, "limit")?.unwrap_or(LIST).min(LIST_MAX) as usize;
            let before = query_text(uri, "before").map(|id| known_id(&id)).transpose()?;
            Ok(answer_json(&list(api, before, limit).await))
        }
        ["api", "matches", id] => Ok(answer_json(&introduction(api, &known_id(id)?).await?)),
        ["api", "matches", id, "replay"] => replay(api, known_id(id)?).await,
        ["api", "matches", id, "commands"] => {
            let id = known_id(id)?;
            let from = query_number(uri, "from")?.unwrap_or(1).max(1);
            let to = query_number(uri, "to")?.unwrap_or(u64::MAX);
            if to < from {
                let message = format!("from={from} comes after to={to}");
                return Err(Refusal::new(StatusCode::BAD_REQUEST, message));
            }
            let with_scene = query_number(uri, "scene")?.unwrap_or(0) > 0;
            commands(api, id, from, to, with_scene).await
        }
        [name] if let Some(file) = web::file(name, asked) => Ok(file.map(Body::from)),
        _ => Err(Refusal::new(StatusCode::NOT_FOUND, "there is nothing at this address")),
    }
}

/// The list as a page without script.
async fn plain(api: &Arc<Api>, uri: &Uri) -> Result<Response<Body>, Refusal> {
    let before = query_text(uri, "before").map(|id| known_id(&id)).transpose()?;
    let mut matches = list(api, before, LIST as usize + 1).await;
    let older = matches.len() > LIST as usize;
    matches.truncate(LIST as usize);
    Ok(web::plain(&matches, older, web::is_built_in()).map(Body::from))
}

/// The list: those in memory and the recorded ones, newest first.
async fn list(api: &Arc<Api>, before: Option<MatchId>, limit: usize) -> Vec<Summary> {
    let library = api.hub.library();
    let before = before.and_then(|id| library.key(&id));
    let mut keyed: Vec<_> = api
        .hub
        .summaries()
        .into_iter()
        .filter_map(|summary| Some((library.key(&summary.id)?, summary)))
        .filter(|(key, _)| before.as_ref().is_none_or(|before| key < before))
        .collect();
    for summary in library.page(before, limit).await {
        // A match whose file was finished this moment is in both.
        if let Some(key) = library.key(&summary.id).filter(|key| keyed.iter().all(|(k, _)| k != key)) {
            keyed.push((key, summary));
        }
    }
    keyed.sort_by(|(a, _), (b, _)| b.cmp(a));
    keyed.truncate(limit);
    keyed.into_iter().map(|(_, summary)| summary).collect()
}

/// The match with its rules.
async fn introduction(api: &Api, id: &MatchId) -> Result<Summary, Refusal> {
    match api.hub.get(id) {
        Some(feed) => Ok(feed.introduction()),
        None => api.hub.library().introduction(id).await.ok_or_else(unknown_match),
    }
}

async fn summary(api: &Api, id: &MatchId) -> Result<Summary, Refusal> {
    match api.hub.get(id) {
        Some(feed) => Ok(feed.summary()),
        None => api.hub.library().summary(id).await.ok_or_else(unknown_match),
    }
}

/// Waits for the recorder to write what a match has so far, unless it is given up.
async fn settle(api: &Api, id: &MatchId) {
    let Some(feed) = api.hub.get(id) else { return };
    let seq = feed.seq();
    let deadline = tokio::time::Instant::now() + SETTLE;
    while feed.tape().is_some_and(|tape| !tape.has(seq) && !tape.failed())
        && tokio::time::Instant::now() < deadline
    {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// The replay file; program sources only if the operator publishes them.
async fn replay(api: &Arc<Api>, id: MatchId) -> Result<Response<Body>, Refusal> {
    summary(api, &id).await?;
    settle(api, &id).await;
    let publish = api.publish_programs;
    let library = api.hub.library().clone();
    let opened = id.clone();
    let file = blocking(move || library.replay(&opened, publish)).await?;
    let mut response = streamed(api, "application/x-ndjson; charset=utf-8", move |pieces| {
        file.send(PIECE, |piece| pieces.send(piece));
    })
    .await?;
    if let Ok(name) = HeaderValue::from_str(&format!("attachment; filename=\"{id}.replay\"")) {
        response.headers_mut().insert(CONTENT_DISPOSITION, name);
    }
    Ok(response)
}

/// `commands` messages with exactly the commands `from..=to`, as far as there are any, and before them, if that is asked
/// for, the picture that they are drawn over.
async fn commands(
    api: &Arc<Api>,
    id: MatchId,
    from: u64,
    to: u64,
    with_scene: bool,
) -> Result<Response<Body>, Refusal> {
    let summary = summary(api, &id).await?;
    if with_scene && from > summary.seq + 1 {
        let message = format!("from={from} is beyond the last command, {}", summary.seq);
        return Err(Refusal::new(StatusCode::BAD_REQUEST, message));
    }
    let to = to.min(summary.seq);
    let mut recent = Vec::new();
    // What memory has is taken from there; what comes before, from the recording.
    let mut recorded_to = to;
    if let Some(feed) = api.hub.get(&id) {
        let (oldest, payloads) = feed.payloads(from, to);
        recent = payloads;
        recorded_to = to.min(oldest.saturating_sub(1));
    }
    let game = summary.game;
    let library = api.hub.library().clone();
    let reel = if from <= recorded_to || with_scene {
        settle(api, &id).await;
        let (library, id) = (library.clone(), id.clone());
        Some(blocking(move || library.reel(&id, from - 1)).await?)
    } else {
        None
    };
    streamed(api, "application/json", move |pieces| {
        let mut array = JsonArray::new(&pieces);
        if let Some(mut reel) = reel {
            if with_scene {
                match library.first_scene(&id, &mut reel) {
                    Ok(scene) => array.push(scene.to_json().as_bytes()),
                    Err(error) => return array.fail(error),
                }
            }
            let mut more = from <= recorded_to;
            while more {
                let piece = match reel.next(PIECE, recorded_to) {
                    Ok(piece) => piece,
                    Err(error) => return array.fail(error),
                };
                for (_, _, frame) in piece.frames {
                    array.push(&crate::hub::frame::payload(&frame));
                }
                more = !piece.at_end && !array.unwanted;
            }
        }
        for payload in recent {
            match trim(game, payload, from, to) {
                Ok(message) => array.push(&message),
                Err(error) => return array.fail(error),
            }
        }
        array.finish();
    })
    .await
}

/// A `commands` message without the commands outside `from..=to`.
fn trim(game: Game, payload: Bytes, from: u64, to: u64) -> io::Result<Bytes> {
    let text = std::str::from_utf8(&payload).map_err(io::Error::other)?;
    let message = Message::from_json(Some(game), text).map_err(io::Error::other)?;
    let Message::Commands { seq, t, mut commands } = message else { return Ok(payload) };
    let last = seq + commands.len() as u64 - 1;
    if seq >= from && last <= to {
        return Ok(payload);
    }
    commands.truncate((to + 1 - seq) as usize);
    let before = from.saturating_sub(seq) as usize;
    let message = Message::Commands { seq: seq + before as u64, t, commands: commands.split_off(before) };
    Ok(message.to_json().into())
}

/// A JSON array that goes out in pieces.
struct JsonArray<'a> {
    pieces: &'a Pieces,
    buffer: Vec<u8>,
    empty: bool,
    unwanted: bool,
}

impl<'a> JsonArray<'a> {
    fn new(pieces: &'a Pieces) -> Self {
        Self { pieces, buffer: vec![b'['], empty: true, unwanted: false }
    }

    fn push(&mut self, element: &[u8]) {
        if !std::mem::replace(&mut self.empty, false) {
            self.buffer.push(b',');
        }
        self.buffer.extend_from_slice(element);
        if self.buffer.len() >= PIECE {
            self.send();
        }
    }

    fn send(&mut self) {
        let piece = std::mem::take(&mut self.buffer);
        self.unwanted |= !self.pieces.send(Ok(piece.into()));
    }

    fn finish(mut self) {
        self.buffer.push(b']');
        self.send();
    }

    fn fail(self, error: io::Error) {
        tracing::warn!(%error, "a range of commands can't be read");
        self.pieces.send(Err(error));
    }
}

/// Runs `write` on a thread of its own once there is a place for it.
async fn streamed(
    api: &Api,
    kind: &'static str,
    write: impl FnOnce(Pieces) + Send + 'static,
) -> Result<Response<Body>, Refusal> {
    let stopped = |_| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "the server is stopping");
    let place = api.readers.clone().acquire_owned().await.map_err(stopped)?;
    let (body, pieces) = body::stream();
    tokio::task::spawn_blocking(move || {
        write(pieces);
        drop(place);
    });
    Ok(respond(StatusCode::OK, kind, body))
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, Refusal> {
    let done = tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(io::Error::other(error)));
    done.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Refusal::new(StatusCode::NOT_FOUND, "this match has no recording"),
        _ => Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, format!("the recording can't be read: {error}")),
    })
}

pub(super) fn known_id(id: &str) -> Result<MatchId, Refusal> {
    id.parse().or(Err(unknown_match()))
}

pub(super) fn unknown_match() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "there is no such match")
}

fn query_text(uri: &Uri, name: &str) -> Option<String> {
    let pairs = uri.query().unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
    pairs.filter(|(key, value)| *key == name && !value.is_empty()).map(|(_, value)| value.to_owned()).next()
}

/// The body of every error: `{"error": "…"}`.
pub(crate) fn error_body(message: &str) -> Vec<u8> {
    serde_json::json!({ "error": message }).to_string().into_bytes()
}

pub(crate) fn refused(refusal: &Refusal) -> Response<Body> {
    respond(refusal.status, "application/json", error_body(&refusal.message).into())
}

/// An answer of 200 in JSON.
pub(super) fn answer_json(value: &impl serde::Serialize) -> Response<Body> {
    match serde_json::to_vec(value) {
        Ok(bytes) => respond(StatusCode::OK, "application/json", bytes.into()),
        Err(error) => refused(&Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())),
    }
}

fn answer(kind: &'static str, text: impl Into<Vec<u8>>) -> Response<Body> {
    respond(StatusCode::OK, kind, text.into().into())
}

fn respond(status: StatusCode, kind: &'static str, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
