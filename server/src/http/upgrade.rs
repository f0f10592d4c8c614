//! Websocket upgrade: the checks of a request, and the handshake.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use grandstand_protocol::message::{MatchId, MatchState, MatchSummary};
use hyper::{Method, StatusCode};
use tokio::sync::Notify;
use tokio_tungstenite::tungstenite::error::{Error, ProtocolError};
use tokio_tungstenite::tungstenite::handshake::server::{Request, Response, create_response, write_response};

use super::body::Body;
use super::origin::origin_allowed;
use super::paths::match_of;
use super::query::query_number;
use super::refusal::{Refusal, unknown_match, unreadable};
use crate::hub::feed::{MatchFeed, SHORT, hello};
use crate::hub::snapshot::Snapshot;
use crate::limits::client::Client;
use crate::limits::connections::Permit;
use crate::limits::memory::MemoryFull;
use crate::live::Live;
use crate::live::catch_up::CatchUp;
use crate::live::inbox::Join;
use crate::live::socket::Socket;
use crate::live::transport::Transport;

/// Maximum wait for a followed match to reach the commands that a spectator already has.
const FURTHER: Duration = Duration::from_secs(3);

/// A request that is accepted as a websocket.
#[derive(Debug)]
pub(crate) struct Admission {
    /// The response that switches protocols.
    switch: Response,
    source: Source,
    since: Option<u64>,
}

#[derive(Debug)]
enum Source {
    /// A match in memory, with the snapshot for a client that has no commands yet.
    Feed(Arc<MatchFeed>, Option<Snapshot>),
    Recording(Box<MatchSummary>),
}

/// Checks a request whose head is whole.
pub(super) async fn admit(
    live: &Live,
    client: Client,
    request: &Request,
    allowed: &[String],
) -> Result<Admission, Refusal> {
    let id: MatchId =
        match_of(request.uri().path()).and_then(|id| id.parse().ok()).ok_or_else(unknown_match)?;
    if !origin_allowed(request.headers(), allowed) {
        let words = "pages of this origin may not open websockets here; `serve --allow-origin` lets them";
        return Err(Refusal::new(StatusCode::FORBIDDEN, words));
    }
    let since = query_number(request.uri(), "since")?;
    let source = find(live, client, id).await?;
    let seq = match &source {
        Source::Feed(feed, _) => reached(feed, since).await,
        Source::Recording(summary) => summary.seq,
    };
    if let Some(since) = since.filter(|since| *since > seq) {
        let message = format!("since={since} is beyond the last command, {seq}");
        return Err(Refusal::new(StatusCode::BAD_REQUEST, message));
    }
    let switch = create_response(request).map_err(|error| handshake_refusal(&error))?;
    let source = match source {
        Source::Feed(feed, _) if since.is_none() => {
            let stopping = |_| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "the server is stopping");
            let full = |full: MemoryFull| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, full.to_string());
            let snapshot = feed.snapshot().await.map_err(stopping)?.map_err(full)?;
            Source::Feed(feed, Some(snapshot))
        }
        source => source,
    };
    Ok(Admission { switch, source, since })
}

/// Where a match is. One that is live and not in memory has begun, or was heard of by this relay, only since memory was asked: it is
/// asked again, since a recording is sent with an end.
async fn find(live: &Live, client: Client, id: MatchId) -> Result<Source, Refusal> {
    let mut is_asked_again = false;
    loop {
        let feed = match (live.hub().get(&id), live.hub().elsewhere()) {
            (None, Some(elsewhere)) => elsewhere.watch(&id).await.map_err(not_followed)?,
            (feed, _) => feed,
        };
        if let Some(feed) = feed {
            return Ok(Source::Feed(feed, None));
        }
        let wanted = id.clone();
        let read = live.read(client, move |recordings| recordings.full_summary(&wanted)).await;
        let summary = read.map_err(unreadable)?.ok_or_else(unknown_match)?;
        if summary.state != MatchState::Live || is_asked_again {
            return Ok(Source::Recording(Box::new(summary)));
        }
        is_asked_again = true;
    }
}

/// The refusal for a match of another server that can't be followed.
fn not_followed(error: io::Error) -> Refusal {
    Refusal::new(StatusCode::SERVICE_UNAVAILABLE, format!("the match can't be followed here now: {error}"))
}

/// The number of the last command. In a followed match, a spectator may come from a relay that is further ahead. The
/// commands that it already has are waited for, at most [`FURTHER`].
async fn reached(feed: &MatchFeed, since: Option<u64>) -> u64 {
    let Some(since) = since.filter(|since| feed.is_followed() && *since > feed.seq()) else {
        return feed.seq();
    };
    let comes = Arc::new(Notify::new());
    feed.subscribe(comes.clone());
    let wait = async {
        while feed.seq() < since && feed.over().is_none() {
            comes.notified().await;
        }
    };
    // Past the time the request is refused.
    let _ = tokio::time::timeout(FURTHER, wait).await;
    feed.unsubscribe(&comes);
    feed.seq()
}

/// Opens a websocket on a connection. `received` are the bytes that came after the request's head.
pub(super) fn open(
    live: &Arc<Live>,
    admission: Admission,
    transport: Transport,
    client: Client,
    permit: Option<Permit>,
    received: &[u8],
    response_sent: bool,
) {
    let mut socket = Socket::new(transport, permit);
    let mut head = Vec::with_capacity(1024);
    if !response_sent {
        // Writing to memory can't fail, and the headers are the server's own.
        let _ = write_response(&mut head, &admission.switch);
    }
    let since = admission.since;
    match admission.source {
        Source::Feed(feed, snapshot) => {
            live.count_opened(Some(&feed));
            let (cursor, snapshot) = match (snapshot, since) {
                (Some(Snapshot { frame, cursor }), _) => (Some(cursor), frame),
                (None, since) => (feed.offset_after(since.unwrap_or(0)), Bytes::new()),
            };
            greet(&mut socket, head, [feed.hello(), snapshot]);
            socket.receive(received, live.limits());
            // Spectators far behind catch up in a task of their own, not in the broadcaster. A snapshot is always near.
            let near = |cursor: &u64| since.is_none() || feed.end() - cursor <= live.limits().lag_bytes / 4;
            match cursor.filter(near) {
                Some(cursor) => live.join(&feed, Join { socket, cursor }),
                None => {
                    let since = since.unwrap_or(0);
                    let catch_up = CatchUp::of_feed(live.clone(), client, feed, socket, since);
                    tokio::spawn(catch_up.run());
                }
            }
        }
        Source::Recording(summary) => {
            live.count_opened(None);
            let rest = MatchSummary { rules: None, ..(*summary).clone() };
            greet(&mut socket, head, [hello(live.hub().memory(), *summary), Bytes::new()]);
            socket.receive(received, live.limits());
            tokio::spawn(CatchUp::of_recording(live.clone(), client, rest, socket, since).run());
        }
    }
}

/// Queues the response head and the first frames: short ones in one chunk, long ones by reference, since they are
/// shared.
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

/// The refusal for an invalid handshake.
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

/// A request in the type that tungstenite checks.
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
    use std::net::IpAddr;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use grandstand_protocol::{Micros, Scene, SeatPath};

    use super::*;
    use crate::config::Config;
    use crate::hub::Hub;
    use crate::hub::remote_matches::{BoxFuture, RemoteMatches};
    use crate::limits::memory::MemoryBudget;
    use crate::recordings::Recordings;
    use crate::recordings::upstream::{OriginState, RangeAnswer, SceneAnswer, Upstream};

    /// A relay that hears of a match just after it was asked for it.
    #[derive(Debug)]
    struct HeardLate {
        introduction: MatchSummary,
        hub: std::sync::Weak<Hub>,
        asked: AtomicUsize,
    }

    impl RemoteMatches for HeardLate {
        fn watch<'a>(&'a self, _: &'a MatchId) -> BoxFuture<'a, io::Result<Option<Arc<MatchFeed>>>> {
            let is_heard = self.asked.fetch_add(1, Ordering::Relaxed) > 0;
            let follow = |hub: Arc<Hub>| {
                hub.follow(self.introduction.clone(), Micros(0), Scene::new(self.introduction.game))
            };
            let feed = self.hub.upgrade().filter(|_| is_heard).map(follow);
            Box::pin(async { Ok(feed) })
        }

        fn play<'a>(
            &'a self,
            _: &'a MatchId,
            _: SeatPath,
            _: &'a [u8],
            _: Option<IpAddr>,
        ) -> BoxFuture<'a, io::Result<Option<(u16, Bytes)>>> {
            Box::pin(async { Ok(None) })
        }

        fn is_ready(&self) -> bool {
            true
        }
    }

    impl Upstream for HeardLate {
        fn page(&self, _: Option<&crate::recordings::Key>, _: usize) -> Vec<crate::recordings::Key> {
            Vec::new()
        }

        fn full_summary(&self, _: &MatchId) -> Option<MatchSummary> {
            Some(self.introduction.clone())
        }

        fn origin_state(&self, _: &MatchId) -> Option<OriginState> {
            None
        }

        fn recording(&self, _: &MatchId) -> Option<Bytes> {
            None
        }

        fn commands(&self, _: &MatchId, _: u64, _: u64) -> io::Result<RangeAnswer> {
            Err(io::ErrorKind::NotFound.into())
        }

        fn scene(&self, _: &MatchId, _: Option<u64>) -> io::Result<SceneAnswer> {
            Err(io::ErrorKind::NotFound.into())
        }

        fn text(&self, _: &MatchId, _: u64) -> io::Result<Bytes> {
            Err(io::ErrorKind::NotFound.into())
        }
    }

    #[tokio::test]
    async fn a_match_that_a_relay_hears_of_while_it_is_asked_is_live() {
        let (config, metrics) = (Arc::new(Config::default()), Arc::default());
        let memory = MemoryBudget::new(1 << 20);
        let recordings = Recordings::open(None, &config.history, memory, Arc::clone(&metrics)).unwrap();
        let hub = Arc::new(Hub::new(config.clone(), Arc::clone(&metrics), None, Arc::new(recordings)));
        let id: MatchId = "01K0ABCDEFGHJKMNPQRSTVWXYZ".parse().unwrap();
        let introduction = serde_json::json!({
            "id": id, "game": "abalone", "title": "", "teams": [], "state": "live",
            "started": "2026-11-27T00:00:00Z", "seq": 0, "spectators": 0, "result": null
        });
        let introduction: MatchSummary = serde_json::from_value(introduction).unwrap();
        let relay =
            Arc::new(HeardLate { introduction, hub: Arc::downgrade(&hub), asked: AtomicUsize::default() });
        hub.set_elsewhere(relay.clone());
        hub.recordings().set_upstream(relay.clone());
        let (_stop, stopping) = tokio::sync::watch::channel(false);
        let live = Live::new(hub, config, metrics, stopping);
        let found = find(&live, std::net::SocketAddr::from(([127, 0, 0, 1], 1)).into(), id).await.unwrap();
        assert!(matches!(found, Source::Feed(..)), "{found:?}");
        assert_eq!(relay.asked.load(Ordering::Relaxed), 2);
    }
}
