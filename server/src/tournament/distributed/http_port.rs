//! The HTTP port of a director or a worker.

use std::convert::Infallible;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::http::body::Body;
use crate::http::tls::Tls;
use crate::limits::connections::{ConnectionLimit, Permit, Port};
use crate::metrics::Counter;
use crate::shutdown::until_stop;

/// Greatest numbers of connections: in all, and from one address.
const CONNECTIONS: usize = 4096;
const PER_ADDRESS: usize = 2048;
/// Time limit for a request's head.
const HEAD: Duration = Duration::from_secs(30);

/// Accepts connections, and answers their requests, until `stopping`.
pub(super) async fn serve<A, F>(
    listener: TcpListener,
    tls: Option<Tls>,
    answer: A,
    mut stopping: watch::Receiver<bool>,
) where
    A: Fn(Request<Incoming>) -> F + Clone + Send + 'static,
    F: Future<Output = Response<Body>> + Send + 'static,
{
    let (limit, too_many) = (ConnectionLimit::new(CONNECTIONS, PER_ADDRESS), Counter::default());
    let port = Port { connection: "a connection", limit: &limit, refused: &too_many };
    while let Some((stream, _, permit)) = port.accept(&listener, &mut stopping).await {
        tokio::spawn(connection(answer.clone(), stream, permit, tls.clone(), stopping.clone()));
    }
}

async fn connection<A, F>(
    answer: A,
    stream: TcpStream,
    permit: Permit,
    tls: Option<Tls>,
    mut stopping: watch::Receiver<bool>,
) where
    A: Fn(Request<Incoming>) -> F + Send,
    F: Future<Output = Response<Body>> + Send,
{
    // Answers are written whole. On failure they only come later.
    let _ = stream.set_nodelay(true);
    let (stream, _permit) = match &tls {
        None => (stream, Some(permit)),
        Some(tls) => match tls.unwrap(stream, permit).await {
            Ok(plain) => (plain, None),
            Err(error) => return tracing::debug!(%error, "a connection could not be encrypted"),
        },
    };
    let service = service_fn(move |request| {
        let answer = answer(request);
        async move { Ok::<_, Infallible>(answer.await) }
    });
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD);
    let connection = http.serve_connection(TokioIo::new(stream), service);
    tokio::pin!(connection);
    tokio::select! {
        // A connection that breaks is the client's business: it asks again.
        _ = connection.as_mut() => {}
        () = until_stop(&mut stopping) => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}
