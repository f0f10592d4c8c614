//! Whether a request becomes a websocket, and the handshake.

use std::sync::Arc;

use bytes::Bytes;
use grandstand_protocol::message::{MatchId, Summary};
use hyper::header::{HOST, HeaderMap, ORIGIN};
use hyper::{Method, StatusCode, Uri};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::error::{Error, ProtocolError};
use tokio_tungstenite::tungstenite::handshake::server::{Request, Response, create_response, write_response};

use super::Live;
use super::broadcaster::Join;
use super::playback::Playback;
use super::socket::Socket;
use crate::http::api::unreadable;
use crate::http::body::Body;
use crate::hub::feed::{Match, SHORT, hello};
use crate::hub::picture::Picture;
use crate::limits::Permit;
use crate::memory::Full;
use crate::readers::Client;

/// Why a request does not become a websocket: an HTTP status and words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) message: String,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }
}

/// A request that becomes a websocket.
#[derive(Debug)]
pub(crate) struct Admission {
    /// The response that agrees.
    switch: Response,
    source: Source,
    since: Option<u64>,
}

#[derive(Debug)]
enum Source {
    /// With the picture for one that has nothing yet.
    Feed(Arc<Match>, Option<Picture>),
    Recording(Box<Summary>),
}

/// The match of `/api/matches/{id}/live`; `None` for any other path.
pub(crate) fn match_of(path: &str) -> Option<&str> {
    path.strip_prefix("/api/matches/")?.strip_suffix("/live").filter(|id| !id.contains('/'))
}

/// The number after `name=` in a query; `Ok(None)` if it is not there.
pub(crate) fn query_number(uri: &Uri, name: &str) -> Result<Option<u64>, Refusal> {
    let pairs = uri
        .query()
        .unwrap_or_default()
        .split('&')
        .filter_map(|pair| pair.split_once('=').or(Some((pair, ""))));
    let mut found = None;
    for (key, value) in pairs {
        if key != name {
            continue;
        }
        let digits = !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit());
        let number = value.parse().ok().filter(|_| digits && found.is_none());
        let wrong = || {
            Refusal::new(StatusCode::BAD_REQUEST, format!("{name} must be given once and be a whole number"))
        };
        found = Some(number.ok_or_else(wrong)?);
    }
    Ok(found)
}

/// Whether a browser's page of this origin may open a websocket here. Programs that are no browsers send none.
pub(crate) fn origin_allowed(headers: &HeaderMap, allowed: &[String]) -> bool {
    let Some(origin) = headers.get(ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    let host = headers.get(HOST).and_then(|h| h.to_str().ok());
    let authority = origin.split_once("://").map(|(_, authority)| authority);
    let same = matches!((authority, host), (Some(a), Some(h)) if a.eq_ignore_ascii_case(h));
    same || allowed.iter().any(|a| a.trim_end_matches('/').eq_ignore_ascii_case(origin))
}

impl Live {
    /// Decides on a request whose head is whole.
    pub(crate) async fn admit(
        &self,
        client: Client,
        request: &Request,
        allowed: &[String],
    ) -> Result<Admission, Refusal> {
        let not_found = || Refusal::new(StatusCode::NOT_FOUND, "there is no such match");
        let id: MatchId =
            match_of(request.uri().path()).and_then(|id| id.parse().ok()).ok_or_else(not_found)?;
        if !origin_allowed(request.headers(), allowed) {
            let words = "pages of this origin may not open websockets here; `serve --allow-origin` lets them";
            return Err(Refusal::new(StatusCode::FORBIDDEN, words));
        }
        let since = query_number(request.uri(), "since")?;
        let (source, seq) = match self.hub.get(&id) {
            Some(feed) => {
                let seq = feed.seq();
                (Source::Feed(feed, None), seq)
            }
            None => {
                let read = self.read(client, move |library| library.introduction(&id)).await;
                let summary = read.map_err(unreadable)?.ok_or_else(not_found)?;
                let seq = summary.seq;
                (Source::Recording(Box::new(summary)), seq)
            }
        };
        if let Some(since) = since.filter(|since| *since > seq) {
            let message = format!("since={since} is beyond the last command, {seq}");
            return Err(Refusal::new(StatusCode::BAD_REQUEST, message));
        }
        let switch = create_response(request).map_err(|error| handshake_refusal(&error))?;
        let source = match source {
            Source::Feed(feed, _) if since.is_none() => {
                let stopping = |_| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "the server is stopping");
                let full = |full: Full| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, full.to_string());
                let picture = feed.picture().await.map_err(stopping)?.map_err(full)?;
                Source::Feed(feed, Some(picture))
            }
            source => source,
        };
        Ok(Admission { switch, source, since })
    }

    /// Begins a websocket on `stream`. `received` are bytes that came after the request's head.
    pub(crate) fn open(
        self: &Arc<Self>,
        admission: Admission,
        stream: TcpStream,
        client: Client,
        permit: Option<Permit>,
        received: &[u8],
        response_sent: bool,
    ) {
        // Frames are whole when they are written, so waiting for more bytes could only delay them.
        let _ = stream.set_nodelay(true);
        let mut socket = Socket::new(stream, permit);
        let mut head = Vec::with_capacity(1024);
        if !response_sent {
            // Memory does not fail, and the headers are our own.
            let _ = write_response(&mut head, &admission.switch);
        }
        let since = admission.since;
        match admission.source {
            Source::Feed(feed, picture) => {
                self.count_opened(Some(&feed));
                let (cursor, picture) = match (picture, since) {
                    (Some(Picture { frame, cursor }), _) => (Some(cursor), frame),
                    (None, since) => (feed.offset_after(since.unwrap_or(0)), Bytes::new()),
                };
                greet(&mut socket, head, [feed.hello(), picture]);
                socket.receive(received, &self.limits);
                // Those who have a long way to go don't do it at the broadcaster's cost. A picture is always near.
                let near = |cursor: &u64| since.is_none() || feed.end() - cursor <= self.limits.lag_bytes / 4;
                match cursor.filter(near) {
                    Some(cursor) => self.join(&feed, Join { socket, cursor }),
                    None => {
                        let since = since.unwrap_or(0);
                        let playback = Playback::of_feed(self.clone(), client, feed, socket, since);
                        tokio::spawn(playback.run());
                    }
                }
            }
            Source::Recording(summary) => {
                self.count_opened(None);
                let rest = Summary { rules: None, ..(*summary).clone() };
                greet(&mut socket, head, [hello(self.hub.memory(), *summary), Bytes::new()]);
                socket.receive(received, &self.limits);
                tokio::spawn(Playback::of_recording(self.clone(), client, rest, socket, since).run());
            }
        }
    }
}

/// Puts the head and the first frames in front: short ones as one chunk, long ones as they are, since they are everyone's.
fn greet(socket: &mut Socket, mut head: Vec<u8>, frames: [Bytes; 2]) {
    for frame in frames {
        if frame.len() < SHORT {
            head.extend_from_slice(&frame);
        } else {
            socket.push(std::mem::take(&mut head).into());
            socket.push(frame);
        }
    }
    socket.push(head.into());
}

/// What is wrong with a handshake.
pub(crate) fn handshake_refusal(error: &Error) -> Refusal {
    let status = match error {
        Error::Protocol(
            ProtocolError::MissingSecWebSocketVersionHeader
            | ProtocolError::MissingConnectionUpgradeHeader
            | ProtocolError::MissingUpgradeWebSocketHeader,
        ) => StatusCode::UPGRADE_REQUIRED,
        Error::Protocol(ProtocolError::WrongHttpMethod) => StatusCode::METHOD_NOT_ALLOWED,
        _ => StatusCode::BAD_REQUEST,
    };
    Refusal::new(status, format!("not a websocket handshake: {error}"))
}

/// A request in the form that tungstenite checks.
pub(crate) fn handshake_request<B>(request: &hyper::Request<B>) -> Result<Request, Refusal> {
    if request.method() != Method::GET {
        return Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "only GET becomes a websocket"));
    }
    let mut handshake = Request::new(());
    *handshake.uri_mut() = request.uri().clone();
    *handshake.version_mut() = request.version();
    *handshake.headers_mut() = request.headers().clone();
    Ok(handshake)
}

impl Admission {
    /// The response for a connection that hyper owns.
    pub(crate) fn switching_protocols(&self) -> hyper::Response<Body> {
        let (parts, ()) = self.switch.clone().into_parts();
        hyper::Response::from_parts(parts, Body::Whole(None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_live_path_of_one_match() {
        assert_eq!(match_of("/api/matches/01ABC/live"), Some("01ABC"));
        for other in ["/api/matches/live", "/api/matches/a/b/live", "/api/matches/a/live/", "/", ""] {
            assert_eq!(match_of(other).filter(|id| !id.is_empty()), None, "{other}");
        }
    }

    #[test]
    fn numbers_in_a_query() {
        let number =
            |query: &str| query_number(&format!("/x{query}").parse().unwrap(), "since").map_err(|r| r.status);
        assert_eq!(number(""), Ok(None));
        assert_eq!(number("?other=3"), Ok(None));
        assert_eq!(number("?a=b&since=0012"), Ok(Some(12)));
        for wrong in [
            "?since=",
            "?since",
            "?since=-1",
            "?since=+1",
            "?since=x",
            "?since=1&since=2",
            "?since=99999999999999999999",
        ] {
            assert_eq!(number(wrong), Err(StatusCode::BAD_REQUEST), "{wrong}");
        }
    }

    #[test]
    fn origins() {
        let allowed = ["https://wall.example/".to_owned()];
        let check = |origin: Option<&str>, host: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, host.parse().unwrap());
            if let Some(origin) = origin {
                headers.insert(ORIGIN, origin.parse().unwrap());
            }
            origin_allowed(&headers, &allowed)
        };
        assert!(check(None, "localhost:8126"));
        assert!(check(Some("http://LOCALHOST:8126"), "localhost:8126"));
        assert!(check(Some("https://wall.example"), "localhost:8126"));
        for bad in [
            "null",
            "http://localhost",
            "http://localhost:81260",
            "https://evil.example",
            "https://wall.example.evil",
        ] {
            assert!(!check(Some(bad), "localhost:8126"), "{bad}");
        }
    }
}
