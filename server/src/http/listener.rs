//! HTTP listener: accepts connections and reads the first request head of each.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_rustls::server::TlsStream;
use tokio_tungstenite::tungstenite::handshake::machine::TryParse;
use tokio_tungstenite::tungstenite::handshake::server::Request as Handshake;
use tracing::debug;

use super::body::Body;
use super::paths::match_of;
use super::response::{error_body, refused};
use super::routes;
use super::slow_reader::{ReadCredit, SlowReaderGuard};
use super::state::AppState;
use super::tls::{self, Tls};
use super::upgrade::{self, Admission};
use crate::limits::client::Client;
use crate::limits::connections::{ConnectionLimit, Permit, Port};
use crate::live::transport::Transport;
use crate::locked::Locked as _;
use crate::shutdown::until_stop;

/// Initial size of the head buffer, in bytes.
const HEAD_ROOM: usize = 1024;

/// The HTTP listener.
#[derive(Debug)]
pub(crate) struct HttpListener {
    state: Arc<AppState>,
    connection_limit: Arc<ConnectionLimit>,
    tls: Option<Tls>,
    stopping: watch::Receiver<bool>,
}

impl HttpListener {
    pub(crate) fn new(state: Arc<AppState>, tls: Option<Tls>, stopping: watch::Receiver<bool>) -> Arc<Self> {
        let limits = state.live.limits();
        let connection_limit = ConnectionLimit::new(limits.connections, limits.connections_per_address);
        Arc::new(Self { state, connection_limit, tls, stopping })
    }

    /// Accepts connections until the server stops.
    pub(crate) async fn serve(self: Arc<Self>, listener: TcpListener) {
        let mut stopping = self.stopping.clone();
        let (limit, refused) = (&self.connection_limit, &self.state.metrics.http_refused);
        let port = Port { connection: "an HTTP connection", limit, refused };
        while let Some((stream, peer, permit)) = port.accept(&listener, &mut stopping).await {
            tokio::spawn(self.clone().connection(stream, peer, permit));
        }
    }

    async fn connection(self: Arc<Self>, stream: TcpStream, peer: SocketAddr, permit: Permit) {
        let state = &self.state;
        let _open = OpenGauge::new(state.clone());
        limit_send_buffer(&stream, state);
        match &self.tls {
            None => self.clone().first_request(stream, peer, permit).await,
            Some(tls) => match tls.accept(stream).await {
                Ok(encrypted) => self.clone().first_request(encrypted, peer, permit).await,
                Err(error) => debug!(%peer, %error, "a connection could not be encrypted"),
            },
        }
    }

    /// Reads the first head of a connection. A valid websocket handshake makes it that of a spectator; the rest is hyper's.
    async fn first_request(self: Arc<Self>, mut stream: impl Connection, peer: SocketAddr, permit: Permit) {
        let state = &self.state;
        let head = tokio::time::timeout(
            state.live.limits().head,
            read_head(&mut stream, state.live.limits().head_bytes),
        );
        let head = match head.await {
            Ok(Ok(Head::Whole(head))) => head,
            Ok(Ok(Head::TooLong)) => {
                let refusal = "the request's head is too long";
                return refuse(stream, StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, refusal).await;
            }
            Ok(Ok(Head::Ended)) => return,
            Ok(Err(error)) => return debug!(%peer, %error, "a connection broke before its request"),
            Err(_) => return refuse(stream, StatusCode::REQUEST_TIMEOUT, "no request came").await,
        };
        if looks_like_upgrade(&head)
            && let Ok(Some((len, request))) = Handshake::try_parse(&head)
            && match_of(request.uri().path()).is_some()
            && state.hosts.check(&request).is_ok()
            && let Ok(admission) =
                upgrade::admit(&state.live, peer.into(), &request, &state.allow_origins).await
        {
            state.metrics.http_requests.add(1);
            let (transport, permit) = (stream.into(), Some(permit));
            return upgrade::open(
                &state.live,
                admission,
                transport,
                peer.into(),
                permit,
                &head[len..],
                false,
            );
        }
        match stream.plain(permit).await {
            Ok((plain, permit)) => {
                limit_send_buffer(&plain, state);
                let credit = ReadCredit::new(&state.live.config().readers);
                self.serve_http(SlowReaderGuard::new(head.into(), plain, credit), peer, permit).await;
            }
            Err(error) => debug!(%peer, %error, "a connection could not be passed on"),
        }
    }

    /// Serves a connection by hyper: everything that does not begin with a valid websocket handshake.
    async fn serve_http(&self, io: SlowReaderGuard, peer: SocketAddr, permit: Option<Permit>) {
        let state = &self.state;
        let client = Client::from(peer);
        // Taken by the request that becomes a websocket, if one does after others on the same connection.
        let permit = Arc::new(std::sync::Mutex::new(permit));
        let service = service_fn(|request: Request<hyper::body::Incoming>| {
            let (state, permit) = (state.clone(), permit.clone());
            async move { Ok::<_, Infallible>(respond(state, permit, client, request).await) }
        });
        let limits = state.live.limits();
        let mut http = hyper::server::conn::http1::Builder::new();
        http.timer(TokioTimer::new())
            .header_read_timeout(limits.head)
            .max_buf_size(limits.head_bytes.max(8192));
        let connection = http.serve_connection(TokioIo::new(io), service).with_upgrades();
        tokio::pin!(connection);
        let mut stopping = self.stopping.clone();
        let served = tokio::select! {
            served = connection.as_mut() => served,
            () = until_stop(&mut stopping) => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
        if let Err(error) = served {
            debug!(%peer, %error, "an HTTP connection failed");
        }
    }
}

/// A connection of a peer, plain or encrypted.
trait Connection: AsyncRead + AsyncWrite + Unpin + Into<Transport> {
    /// As a plain stream for hyper, and the permit, unless it is kept elsewhere as long as the connection lasts.
    async fn plain(self, permit: Permit) -> io::Result<(TcpStream, Option<Permit>)>;
}

impl Connection for TcpStream {
    async fn plain(self, permit: Permit) -> io::Result<(TcpStream, Option<Permit>)> {
        Ok((self, Some(permit)))
    }
}

impl Connection for TlsStream<TcpStream> {
    async fn plain(self, permit: Permit) -> io::Result<(TcpStream, Option<Permit>)> {
        Ok((tls::terminate(self, permit).await?, None))
    }
}

/// Limits the send buffer: the kernel's default grows to megabytes for a peer that does not read.
fn limit_send_buffer(stream: &TcpStream, state: &AppState) {
    // On failure a slow peer is only detected later.
    let _ = SockRef::from(stream).set_send_buffer_size(state.live.limits().send_buffer_bytes);
}

/// Counts an open connection until it is dropped.
struct OpenGauge(Arc<AppState>);

impl OpenGauge {
    fn new(state: Arc<AppState>) -> Self {
        state.metrics.http_connections.up();
        Self(state)
    }
}

impl Drop for OpenGauge {
    fn drop(&mut self) {
        self.0.metrics.http_connections.down();
    }
}

type PermitCell = Arc<std::sync::Mutex<Option<Permit>>>;

async fn respond(
    state: Arc<AppState>,
    permit: PermitCell,
    client: Client,
    mut request: Request<hyper::body::Incoming>,
) -> Response<Body> {
    if let Err(refusal) = state.hosts.check(&request) {
        state.metrics.http_requests.add(1);
        return refused(&refusal);
    }
    if match_of(request.uri().path()).is_some() {
        let handshake = upgrade::handshake_request(&request);
        let admission = match handshake {
            Ok(handshake) => upgrade::admit(&state.live, client, &handshake, &state.allow_origins).await,
            Err(refusal) => Err(refusal),
        };
        return match admission {
            Ok(admission) => {
                state.metrics.http_requests.add(1);
                let response = admission.switching_protocols();
                let on_upgrade = hyper::upgrade::on(&mut request);
                tokio::spawn(open_later(state, permit, client, admission, on_upgrade));
                response
            }
            Err(refusal) => refused(&refusal),
        };
    }
    routes::handle(state, client, request).await
}

/// Opens a websocket on a connection that hyper has read from.
async fn open_later(
    state: Arc<AppState>,
    permit: PermitCell,
    client: Client,
    admission: Admission,
    on_upgrade: hyper::upgrade::OnUpgrade,
) {
    let Ok(upgraded) = on_upgrade.await else { return };
    let Ok(parts) = upgraded.downcast::<TokioIo<SlowReaderGuard>>() else { return };
    let (prefix, stream) = parts.io.into_inner().into_inner();
    let permit = permit.locked().take();
    let received = [&prefix[..], &parts.read_buf[..]].concat();
    upgrade::open(&state.live, admission, stream.into(), client, permit, &received, true);
}

enum Head {
    /// All bytes read so far, with a whole head.
    Whole(Vec<u8>),
    TooLong,
    /// The peer closed before its head was whole.
    Ended,
}

/// Reads until the blank line after the head. A first line that is not HTTP ends the read at once.
async fn read_head(stream: &mut (impl AsyncRead + Unpin), limit: usize) -> io::Result<Head> {
    let mut head = Vec::with_capacity(HEAD_ROOM);
    loop {
        let n = stream.read_buf(&mut head).await?;
        if n == 0 {
            return Ok(Head::Ended);
        }
        let from = (head.len() - n).saturating_sub(3);
        if memchr::memmem::find(&head[from..], b"\r\n\r\n").is_some() {
            return Ok(Head::Whole(head));
        }
        if head.len() > limit {
            return Ok(Head::TooLong);
        }
        // hyper makes the error response.
        if !could_be_http(&head) {
            return Ok(Head::Whole(head));
        }
        head.reserve(HEAD_ROOM);
    }
}

/// Whether the bytes may still become a request, so that text lines sent to this port are answered at once.
fn could_be_http(head: &[u8]) -> bool {
    let mut headers = [httparse::EMPTY_HEADER; 100];
    httparse::Request::new(&mut headers).parse(head).is_ok()
}

/// Cheap test that saves most other requests a second parse.
fn looks_like_upgrade(head: &[u8]) -> bool {
    let line = &head[..memchr::memchr(b'\r', head).unwrap_or(0)];
    head.starts_with(b"GET /api/matches/") && memchr::memmem::find(line, b"/live").is_some()
}

/// Sends an error response and closes, before hyper has a request.
async fn refuse(mut stream: impl AsyncWrite + Unpin, status: StatusCode, message: &str) {
    let body = error_body(message);
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    // A peer that sent no request may be gone.
    let _ = stream.write_all(&[head.as_bytes(), &body].concat()).await;
    let _ = stream.shutdown().await;
}
