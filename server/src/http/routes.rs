//! Routes of the HTTP port.

use std::sync::Arc;

use grandstand_protocol::message::{MatchId, MatchSummary};
use hyper::body::Body as HttpBody;
use hyper::header::{ALLOW, CONTENT_DISPOSITION, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode, Uri};

use super::body::Body;
use super::command_range::CommandRange;
use super::match_list::{MatchList, MatchListBody};
use super::paths::is_for_posts;
use super::query::{query_number, query_text};
use super::refusal::{Refusal, known_id, nothing, unreadable};
use super::response::{answer, refused, respond};
use super::seats;
use super::state::{AppState, await_recorder, introduction, summary};
use super::streamed::{Replay, held, streamed};
use super::tournament;
use crate::http::web::{self, AssetRequest};
use crate::limits::client::Client;
use crate::metrics;
use crate::nats::Link;

/// Default and maximum length of the list of matches.
const LIST: u64 = 100;
const LIST_MAX: u64 = 1_000;
/// Header of the list with the port for game servers.
const FEED_PORT: HeaderName = HeaderName::from_static("grandstand-feed");
/// Handles any request that is not for a websocket.
pub(crate) async fn handle<B: HttpBody>(
    state: Arc<AppState>,
    client: Client,
    request: Request<B>,
) -> Response<Body> {
    state.metrics.http_requests.add(1);
    let for_posts = is_for_posts(request.uri().path());
    if for_posts && request.method() == Method::POST {
        return seats::post(&state, client, request).await.unwrap_or_else(|refusal| refused(&refusal));
    }
    let head_only = request.method() == Method::HEAD;
    if for_posts || (!head_only && request.method() != Method::GET) {
        let allowed = if for_posts { "POST" } else { "GET, HEAD" };
        let words = format!("only {} answered here", if for_posts { "POST is" } else { "GET and HEAD are" });
        let mut response = refused(&Refusal::new(StatusCode::METHOD_NOT_ALLOWED, words));
        response.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
        return response;
    }
    let mut response = match route(&state, request.uri(), AssetRequest::of(&request), client).await {
        Ok(response) => response,
        Err(refusal) => refused(&refusal),
    };
    if head_only {
        *response.body_mut() = Body::Whole(None);
    }
    response
}

async fn route(
    state: &Arc<AppState>,
    uri: &Uri,
    request: AssetRequest<'_>,
    client: Client,
) -> Result<Response<Body>, Refusal> {
    let path: Vec<&str> = uri.path().split('/').skip(1).collect();
    match path.as_slice() {
        [""] => match web::index(request) {
            Some(page) => Ok(page.map(Body::from)),
            None => plain(state, uri, client).await,
        },
        ["plain"] => plain(state, uri, client).await,
        ["healthz"] => Ok(answer("text/plain; charset=utf-8", "ok\n")),
        ["readyz"] => match not_ready(state) {
            None => Ok(answer("text/plain; charset=utf-8", "ok\n")),
            Some(reason) => Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, reason)),
        },
        ["metrics"] => {
            state.metrics.nats_connected.set(u64::from(state.nats.as_ref().is_some_and(Link::is_connected)));
            let text = state.metrics.render(state.hub.live(), state.hub.memory());
            Ok(answer(metrics::CONTENT_TYPE, text))
        }
        ["api", "matches"] => {
            let limit = query_number(uri, "limit")?.unwrap_or(LIST).min(LIST_MAX) as usize;
            let list = MatchListBody::new(matches(state, uri, limit)?);
            let mut response = streamed(state, "application/json", client, list).await?;
            if let Some(port) = state.feed_port {
                response.headers_mut().insert(FEED_PORT, HeaderValue::from(port));
            }
            Ok(response)
        }
        ["api", "matches", id] => {
            let json = serde_json::to_vec(&introduction(state, known_id(id)?, client).await?);
            let json = json.map_err(|error| unreadable(error.into()))?;
            Ok(respond(StatusCode::OK, "application/json", held(state, json.into())?.into()))
        }
        ["api", "matches", id, "replay"] => replay(state, known_id(id)?, request.headers, client).await,
        ["api", "matches", id, "commands"] => {
            let id = known_id(id)?;
            let from = query_number(uri, "from")?.unwrap_or(1).max(1);
            let to = query_number(uri, "to")?.unwrap_or(u64::MAX);
            if to < from {
                let message = format!("from={from} comes after to={to}");
                return Err(Refusal::new(StatusCode::BAD_REQUEST, message));
            }
            let with_scene = query_number(uri, "scene")?.unwrap_or(0) > 0;
            commands(state, id, (from, to), with_scene, client).await
        }
        ["tournament", path @ ..] => tournament::page(state, path, uri, request.headers, client).await,
        ["api", "tournament", path @ ..] => tournament::api(state, path, uri, client).await,
        [name] if let Some(file) = web::file(name, request) => Ok(file.map(Body::from)),
        _ => Err(nothing()),
    }
}

/// The reason why this server can't show all matches yet; `None` if it can.
fn not_ready(state: &AppState) -> Option<&'static str> {
    let is_whole = state.hub.elsewhere().is_none_or(|elsewhere| elsewhere.is_ready());
    (!is_whole).then_some("NATS can't be reached, or no origin has published matches there")
}

/// The list of matches as a page without script.
async fn plain(state: &Arc<AppState>, uri: &Uri, client: Client) -> Result<Response<Body>, Refusal> {
    let mut matches = matches(state, uri, LIST as usize + 1)?;
    let page = move || {
        let mut list: Vec<MatchSummary> = std::iter::from_fn(|| matches.next()).flatten().collect();
        let older = list.len() > LIST as usize;
        list.truncate(LIST as usize);
        web::plain(&list, older, web::is_built_in())
    };
    let page = state.live.read_turns().read(client, page).await.map_err(unreadable)?;
    let (head, body) = page.into_parts();
    Ok(Response::from_parts(head, Body::from(held(state, body)?)))
}

/// The matches, or those after `before` if the query has it.
fn matches(state: &AppState, uri: &Uri, limit: usize) -> Result<MatchList, Refusal> {
    let before = query_text(uri, "before").map(|id| known_id(&id)).transpose()?;
    let before = before.and_then(|id| state.hub.recordings().key(&id));
    Ok(MatchList::new(state.hub.clone(), before, limit))
}

/// The replay file; with program sources only for their owners, or if the operator publishes them.
async fn replay(
    state: &Arc<AppState>,
    id: MatchId,
    headers: &HeaderMap,
    client: Client,
) -> Result<Response<Body>, Refusal> {
    let disclosure = state.disclosure(headers)?;
    summary(state, &id, client).await?;
    await_recorder(state, &id).await;
    let opened = id.clone();
    let file = state.live.read(client, move |recordings| recordings.replay(&opened, &disclosure)).await;
    let file = file.and_then(|opened| opened).map_err(unreadable)?;
    let mut response = streamed(state, "application/x-ndjson; charset=utf-8", client, Replay(file)).await?;
    if let Ok(name) = HeaderValue::from_str(&format!("attachment; filename=\"{id}.replay\"")) {
        response.headers_mut().insert(CONTENT_DISPOSITION, name);
    }
    Ok(response)
}

/// A range of commands, as far as they exist.
async fn commands(
    state: &Arc<AppState>,
    id: MatchId,
    (from, to): (u64, u64),
    with_scene: bool,
    client: Client,
) -> Result<Response<Body>, Refusal> {
    let summary = summary(state, &id, client).await?;
    if with_scene && from > summary.seq + 1 {
        let message = format!("from={from} is beyond the last command, {}", summary.seq);
        return Err(Refusal::new(StatusCode::BAD_REQUEST, message));
    }
    let range = CommandRange::new(state.hub.clone(), id, summary.game, from, to.min(summary.seq), with_scene);
    streamed(state, "application/json", client, range).await
}
