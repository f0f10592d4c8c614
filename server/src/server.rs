//! The server: construction from its parts, start and shutdown.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use grandstand_protocol::MatchSummary;
use grandstand_protocol::message::MatchState;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};
use tracing::{error, info, warn};

use crate::bridge::Bridge;
use crate::config::Config;

use crate::http::listener::HttpListener;
use crate::http::state::AppState;
use crate::hub::Hub;
use crate::limits::memory::MemoryBudget;
use crate::listeners::Listeners;
use crate::live::Live;
use crate::metrics::Metrics;
use crate::nats::{self, NatsRole};
use crate::recorder::{Recorder, RecordingOutcome};
use crate::recordings::compressor::Compressor;
use crate::recordings::directory::Directory;
use crate::recordings::{DataDirectoryError, Recordings};
use crate::shutdown::until_stop;

/// Deadlines after the start of a shutdown: for the end of the matches, for the close of the websockets, and for the
/// disk to take queued writes.
const MATCHES: Duration = Duration::from_millis(1_000);
const WEBSOCKETS: Duration = Duration::from_millis(1_800);
const DISK: Duration = Duration::from_millis(2_500);

/// Reason for which a server can't be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The data directory can't be used.
    #[error(transparent)]
    Recordings(#[from] DataDirectoryError),
    /// The system refused a file, an address or a thread.
    #[error("the server can't be started: {0}")]
    Io(#[from] io::Error),
}

/// A running server. Dropping the handle does not stop it; [`Server::stop`] and the `shutdown` future do.
///
/// ```
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// use grandstand::{Config, Listeners, Server};
///
/// let listeners = Listeners::bind(&["127.0.0.1:0"], &["127.0.0.1:0"])?;
/// let server = Server::start(Config::default(), listeners, std::future::pending())?;
/// println!("watch at http://{}/", server.http_addresses()[0]);
/// server.stop();
/// server.stopped().await;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Server {
    hub: Arc<Hub>,
    lines: Vec<SocketAddr>,
    http: Vec<SocketAddr>,
    stop: watch::Sender<bool>,
    stopped: watch::Receiver<bool>,
}

impl Server {
    /// Starts a server on the current tokio runtime. It runs until `shutdown` completes or [`Server::stop`] is called:
    /// then live matches are ended as interrupted, websockets are closed with 1001, and recordings are written out, all
    /// within three seconds. What the disk has not taken by then is given up, and the log says so.
    ///
    /// # Errors
    /// [`StartError`] if the data directory can't be listed or is in use, or a thread can't be started. A read-only
    /// directory is not an error: its matches are shown, none is recorded, and the log says so.
    pub fn start(
        config: Config,
        listeners: Listeners,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) -> Result<Self, StartError> {
        let config = Arc::new(config);
        let metrics = Arc::new(Metrics::default());
        let (stop, stopping) = watch::channel(false);
        let (done, stopped) = watch::channel(false);
        let memory = MemoryBudget::new(config.readers.memory_bytes);
        let recordings = Recordings::open(config.data.as_deref(), &config.history, memory, metrics.clone())?;
        let recordings = Arc::new(recordings);
        let compressor = start_compressor(&config, &recordings)?;
        let (recorder, hub_cell) = start_recorder(&config, &metrics, &recordings, compressor.clone())?;
        let hub = Arc::new(Hub::new(config.clone(), metrics.clone(), recorder, recordings));
        // Set once, here.
        let _ = hub_cell.set(Arc::downgrade(&hub));
        let live = Live::new(hub.clone(), config.clone(), metrics.clone(), stopping.clone());
        let addresses =
            |all: &[TcpListener]| all.iter().map(TcpListener::local_addr).collect::<io::Result<Vec<_>>>();
        let (lines, http) = (addresses(&listeners.lines)?, addresses(&listeners.http)?);
        let feed_port = lines.first().map(SocketAddr::port);
        let state = AppState::new(hub.clone(), live, metrics.clone(), &config, feed_port);
        let publication = match config.nats.clone() {
            Some(link) if link.role() == NatsRole::Origin => {
                let limits = config.nats_limits.clone();
                Some(nats::publication::start(link, limits, state.clone(), hub.observe()))
            }
            Some(link) => {
                nats::relay::start(link, &config, &hub, metrics.clone());
                None
            }
            None => None,
        };
        let bridge = Bridge::new(hub.clone(), config.lines.clone(), stopping.clone());
        let http_listener = HttpListener::new(state, config.tls.clone(), stopping.clone());
        for address in lines.iter().chain(&http).filter(|a| !a.ip().is_loopback()) {
            warn!(%address, "open to other machines: anybody who can reach it can draw or watch");
        }
        let mut bridges = tokio::task::JoinSet::new();
        for listener in listeners.lines {
            bridges.spawn(bridge.clone().serve(listener));
        }
        for listener in listeners.http {
            tokio::spawn(http_listener.clone().serve(listener));
        }
        let stopper = stop.clone();
        let stopped_hub = hub.clone();
        tokio::spawn(async move {
            let mut stopping = stopping;
            tokio::select! {
                () = shutdown => { stopper.send_replace(true); }
                () = until_stop(&mut stopping) => {}
            }
            info!("stopping");
            let asked = Instant::now();
            // Each connection on the line port ends its match. The websockets receive that end, then close.
            let over = async { while bridges.join_next().await.is_some() {} };
            if timeout_at(asked + MATCHES, over).await.is_err() {
                warn!("connections that do not end are given up");
                bridges.shutdown().await;
            }
            let closed = async {
                if let Some(publication) = publication {
                    publication.published().await;
                }
                while metrics.spectators.get() > 0 {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            };
            let _ = timeout_at(asked + WEBSOCKETS, closed).await;
            let hub = stopped_hub.clone();
            let written = tokio::task::spawn_blocking(move || {
                hub.stop_recorder();
                if let Some(compressor) = compressor {
                    compressor.stop();
                }
            });
            match timeout_at(asked + DISK, written).await {
                Ok(Ok(())) => stopped_hub.recordings().release(),
                Ok(Err(_)) => error!("the recorder could not be stopped in order"),
                Err(_) => {
                    let bytes = stopped_hub.unwritten();
                    error!(
                        bytes,
                        "the disk does not take what waits for it: recordings stay without their end"
                    );
                }
            }
            done.send_replace(true);
        });
        Ok(Self { hub, lines, http, stop, stopped })
    }

    /// Addresses of the text-line port.
    pub fn line_addresses(&self) -> &[SocketAddr] {
        &self.lines
    }

    /// Addresses of the HTTP port.
    pub fn http_addresses(&self) -> &[SocketAddr] {
        &self.http
    }

    /// The live matches, newest first.
    pub fn live_matches(&self) -> Vec<MatchSummary> {
        let mut matches = self.hub.summaries();
        matches.retain(|summary| summary.state == MatchState::Live);
        matches
    }

    /// Asks the server to stop.
    pub fn stop(&self) {
        self.stop.send_replace(true);
    }

    /// Waits until the server has stopped and everything is written.
    pub async fn stopped(mut self) {
        // The sender is dropped only with the runtime.
        let _ = self.stopped.wait_for(|stopped| *stopped).await;
    }
}

type HubCell = Arc<OnceLock<Weak<Hub>>>;

/// Starts the compressor of recordings, if it is enabled and this process owns the directory.
fn start_compressor(config: &Config, recordings: &Arc<Recordings>) -> io::Result<Option<Arc<Compressor>>> {
    let ours = recordings.directory().is_some_and(Directory::is_ours);
    (config.history.compress && ours).then(|| Compressor::start(recordings.clone()).map(Arc::new)).transpose()
}

/// Starts the recorder. The caller sets the hub in the cell once the hub exists.
fn start_recorder(
    config: &Config,
    metrics: &Arc<Metrics>,
    recordings: &Arc<Recordings>,
    compressor: Option<Arc<Compressor>>,
) -> io::Result<(Option<Recorder>, HubCell)> {
    let cell = HubCell::default();
    if recordings.directory().is_none() {
        return Ok((None, cell));
    }
    let hub_cell = cell.clone();
    let on_done = Box::new(move |id: &_, outcome| {
        if let Some(hub) = hub_cell.get().and_then(Weak::upgrade) {
            hub.recorded(id, outcome);
        }
        if let Some(compressor) = compressor.as_ref().filter(|_| outcome != RecordingOutcome::Lost) {
            compressor.compress(id);
        }
    });
    let recorder = Recorder::start(recordings.clone(), config.history.clone(), metrics.clone(), on_done)?;
    Ok((Some(recorder), cell))
}
