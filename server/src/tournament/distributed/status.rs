//! A worker's own HTTP: whether it takes part, and what it has played.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use anyhow::Context as _;
use hyper::body::Incoming;
use hyper::{Method, Request, Response, StatusCode};
use tokio::runtime::Runtime;
use tokio::sync::watch;

use super::http_port;
use crate::http::body::Body;
use crate::http::refusal::Refusal;
use crate::http::response::{answer, refused};
use crate::listeners::Listeners;
use crate::metrics::{CONTENT_TYPE, Counter, Gauge, family};

/// State of a worker.
#[derive(Debug, Default)]
pub(super) struct Status {
    /// Number of games at a time.
    pub(super) slots: AtomicUsize,
    /// Number of games that are played or handed in.
    pub(super) playing: AtomicUsize,
    /// Number of results that the director may not have stored yet.
    pub(super) kept: AtomicUsize,
    /// Number of games whose results count.
    pub(super) counted: AtomicU64,
    /// Whether it takes part in a tournament.
    pub(super) takes_part: AtomicBool,
}

/// The port; it is closed when this is dropped.
#[derive(Debug)]
pub(super) struct StatusPort {
    _runtime: Runtime,
    _stop: watch::Sender<bool>,
}

impl StatusPort {
    /// Listens at an address; also how it is called.
    ///
    /// # Errors
    /// If the address can't be listened on.
    pub(super) fn open(address: &str, status: Arc<Status>) -> anyhow::Result<(Self, String)> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.context("a thread for HTTP")?;
        let listener = {
            let _inside = runtime.enter();
            Listeners::bind::<&str>(&[], &[address])?.http.into_iter().next().context("an address")?
        };
        let name = listener.local_addr().context("the address")?.to_string();
        let (stop, stopping) = watch::channel(false);
        let handle = move |request: Request<Incoming>| {
            let answer = handle(&status, request.method(), request.uri().path());
            async move { answer }
        };
        runtime.spawn(http_port::serve(listener, None, handle, stopping));
        Ok((Self { _runtime: runtime, _stop: stop }, name))
    }
}

fn handle(status: &Status, method: &Method, path: &str) -> Response<Body> {
    let ok = || answer("text/plain; charset=utf-8", "ok\n");
    let refuse = |status, words: &str| refused(&Refusal::new(status, words));
    match (method, path) {
        (&Method::GET, "/healthz") => ok(),
        (&Method::GET, "/readyz") if status.takes_part.load(Ordering::Relaxed) => ok(),
        (&Method::GET, "/readyz") => {
            refuse(StatusCode::SERVICE_UNAVAILABLE, "the worker takes part in no tournament now")
        }
        (&Method::GET, "/metrics") => answer(CONTENT_TYPE, metrics(status)),
        _ => refuse(StatusCode::NOT_FOUND, "there is nothing at this address of a worker"),
    }
}

/// The Prometheus text exposition.
fn metrics(status: &Status) -> String {
    let mut text = String::new();
    let count = |count: &AtomicUsize| count.load(Ordering::Relaxed) as u64;
    for (name, help, value) in [
        (
            "takes_part",
            "1 while the worker takes part in a tournament.",
            u64::from(status.takes_part.load(Ordering::Relaxed)),
        ),
        ("slots", "Games that it can play at a time.", count(&status.slots)),
        ("playing", "Games that it plays, or hands in.", count(&status.playing)),
        ("kept", "Results that the director may not have stored yet.", count(&status.kept)),
    ] {
        family(&mut text, &format!("grandstand_worker_{name}"), Gauge::KIND, help, [("", value)]);
    }
    let counted = status.counted.load(Ordering::Relaxed);
    family(
        &mut text,
        "grandstand_worker_counted_total",
        Counter::KIND,
        "Games whose results count.",
        [("", counted)],
    );
    text
}
