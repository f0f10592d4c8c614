//! Routes for players: taking a seat, moving, leaving.
//!
//! Requests are authorised by a token that only the holder of the seat has. Other sites' pages can't play for a
//! visitor: requests must have a JSON content type, which browsers do not let a page of another origin send without
//! asking, and must not come from another origin.

use std::io;
use std::net::IpAddr;
use std::time::Duration;

use grandstand_protocol::message::MatchId;
use grandstand_protocol::{SeatPath, SeatPost, SeatRequest};
use hyper::body::Body as HttpBody;
use hyper::header::{CONTENT_TYPE, HeaderMap};
use hyper::{Request, Response, StatusCode};
use serde_json::json;

use super::body::{Body, read_whole};
use super::origin::origin_allowed;
use super::paths::seat_path;
use super::refusal::{Refusal, known_id, unknown_match, unreadable};
use super::response::respond;
use super::state::{AppState, summary};
use crate::hub::Hub;
use crate::hub::seats::{Reply, SeatError};
use crate::limits::client::Client;

/// Handles a `POST` to one of these paths.
pub(super) async fn post<B: HttpBody>(
    state: &AppState,
    client: Client,
    request: Request<B>,
) -> Result<Response<Body>, Refusal> {
    let uri_path = request.uri().path().to_owned();
    let (id, path) = seat_path(&uri_path).ok_or_else(unknown_match)?;
    let id = known_id(id)?;
    check_sender(state, request.headers())?;
    let from = client.address();
    let limits = state.live.limits();
    let body = read_whole(request.into_body(), limits.inbound_bytes, limits.head).await?;
    if let Some(elsewhere) = state.hub.elsewhere() {
        let lost = |error: io::Error| Refusal::new(StatusCode::GATEWAY_TIMEOUT, error.to_string());
        let played = elsewhere.play(&id, path, &body, from).await.map_err(lost)?;
        let (status, body) = played.ok_or_else(unknown_match)?;
        if status == StatusCode::OK {
            return Ok(respond(StatusCode::OK, "application/json", body.into()));
        }
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
        return Err(Refusal::new(status, String::from_utf8_lossy(&body)));
    }
    if state.hub.get(&id).is_none() {
        return Err(not_live(state, &id, client).await);
    }
    let json = play(&state.hub, &id, path, &body, from).await?;
    Ok(respond(StatusCode::OK, "application/json", json.into()))
}

/// Carries out a request of a player in a match in memory; returns the body of the answer.
pub(crate) async fn play(
    hub: &Hub,
    id: &MatchId,
    path: SeatPath,
    body: &[u8],
    from: Option<IpAddr>,
) -> Result<Vec<u8>, Refusal> {
    let feed = hub.get(id).ok_or(SeatError::Over)?;
    let wait = hub.seat_patience();
    let bad = |error| Refusal::new(StatusCode::BAD_REQUEST, format!("the body: {error}"));
    let SeatPost { team, token, request } = SeatPost::from_json(path, body).map_err(bad)?;
    let SeatRequest::Take { name } = request else {
        await_answer(feed.seats.request(&token, request, from)?, wait).await?;
        return to_json(&json!({ "ok": true }));
    };
    let name = name.filter(|name| !name.trim().is_empty());
    let (grant, reply) = feed.seats.take(team.as_ref(), name, from)?;
    await_answer(reply, wait).await?;
    to_json(&grant)
}

fn to_json(value: &impl serde::Serialize) -> Result<Vec<u8>, Refusal> {
    serde_json::to_vec(value).map_err(|error| unreadable(error.into()))
}

/// Checks the origin and the content type of a request.
fn check_sender(state: &AppState, headers: &HeaderMap) -> Result<(), Refusal> {
    if !origin_allowed(headers, &state.allow_origins) {
        let words = "pages of this origin may not play here; `serve --allow-origin` lets them";
        return Err(Refusal::new(StatusCode::FORBIDDEN, words));
    }
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        let words = "expected a body of the type application/json";
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, words));
    }
    Ok(())
}

/// The refusal for a match that is not in memory: it is over, or unknown.
async fn not_live(state: &AppState, id: &MatchId, client: Client) -> Refusal {
    match summary(state, id, client).await {
        Ok(_) => SeatError::Over.into(),
        Err(refusal) => refusal,
    }
}

/// Waits for the game server's answer.
async fn await_answer(reply: Reply, wait: Duration) -> Result<(), Refusal> {
    match tokio::time::timeout(wait, reply).await {
        Ok(Ok(answer)) if answer.ok => Ok(()),
        Ok(Ok(answer)) => {
            let reason = answer.reason.unwrap_or_else(|| "the game server refuses, without a reason".into());
            Err(SeatError::Refused(reason).into())
        }
        Ok(Err(_)) => Err(SeatError::Over.into()),
        Err(_) => Err(SeatError::Silent.into()),
    }
}

impl From<SeatError> for Refusal {
    fn from(error: SeatError) -> Self {
        let status = match error {
            SeatError::None | SeatError::Taken(_) | SeatError::Full | SeatError::Refused(_) => {
                StatusCode::CONFLICT
            }
            SeatError::Over => StatusCode::GONE,
            SeatError::Team { .. } => StatusCode::NOT_FOUND,
            SeatError::Token => StatusCode::FORBIDDEN,
            SeatError::Often => StatusCode::TOO_MANY_REQUESTS,
            SeatError::Silent => StatusCode::GATEWAY_TIMEOUT,
            SeatError::Random(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Refusal::new(status, error.to_string())
    }
}
