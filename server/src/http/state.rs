//! Shared state of the routes, and the look-up of a match in memory or among the recordings.

use std::sync::Arc;
use std::time::Duration;

use grandstand_protocol::message::{MatchId, MatchSummary};
use hyper::header::HeaderMap;

use super::allowed_hosts::AllowedHosts;
use super::owners::Owners;
use super::refusal::{Refusal, unknown_match, unreadable};
use crate::config::Config;
use crate::hub::Hub;
use crate::limits::client::Client;
use crate::live::Live;
use crate::metrics::Metrics;
use crate::nats::Link;
use crate::recorder::WriteQueue;
use crate::recordings::disclosure::Disclosure;
use crate::tournament::shown::ShownTournament;

/// Maximum wait of a request for the recorder to catch up.
pub(super) const SETTLE: Duration = Duration::from_secs(2);
/// Shared state of the routes.
#[derive(Debug)]
pub(crate) struct AppState {
    pub(crate) hub: Arc<Hub>,
    pub(crate) live: Arc<Live>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) hosts: AllowedHosts,
    pub(crate) allow_origins: Vec<String>,
    publish_programs: bool,
    owners: Owners,
    /// The tournament to show, if any.
    pub(crate) tournament: Option<Arc<ShownTournament>>,
    /// The connection to NATS, if there is one.
    pub(crate) nats: Option<Link>,
    /// The port for game servers, if there is one.
    pub(super) feed_port: Option<u16>,
}

impl AppState {
    pub(crate) fn new(
        hub: Arc<Hub>,
        live: Arc<Live>,
        metrics: Arc<Metrics>,
        config: &Config,
        feed_port: Option<u16>,
    ) -> Arc<Self> {
        let hosts = AllowedHosts::new(&config.allow_hosts, &config.allow_origins);
        let (allow_origins, publish_programs) = (config.allow_origins.clone(), config.publish_programs);
        let (tournament, nats) = (config.tournament.clone(), config.nats.clone());
        let owners = config.owners.clone();
        Arc::new(Self {
            hub,
            live,
            metrics,
            hosts,
            allow_origins,
            publish_programs,
            owners,
            tournament,
            nats,
            feed_port,
        })
    }

    /// The disclosure of programs to everybody.
    pub(crate) fn public_disclosure(&self) -> Disclosure {
        if self.publish_programs { Disclosure::Everything } else { Disclosure::Nothing }
    }

    /// The disclosure of a recording's programs to a request.
    ///
    /// # Errors
    /// 403 for an unknown token.
    pub(super) fn disclosure(&self, headers: &HeaderMap) -> Result<Disclosure, Refusal> {
        if self.publish_programs { Ok(Disclosure::Everything) } else { self.owners.disclosure(headers) }
    }
}

/// The summary of a match with its rules.
pub(super) async fn introduction(
    state: &AppState,
    id: MatchId,
    client: Client,
) -> Result<MatchSummary, Refusal> {
    if let Some(feed) = state.hub.get(&id) {
        return Ok(feed.introduction());
    }
    let read = state.live.read(client, move |recordings| recordings.full_summary(&id)).await;
    read.map_err(unreadable)?.ok_or_else(unknown_match)
}

/// The summary of a match, in memory or recorded.
pub(super) async fn summary(state: &AppState, id: &MatchId, client: Client) -> Result<MatchSummary, Refusal> {
    if let Some(feed) = state.hub.get(id) {
        return Ok(feed.summary());
    }
    let id = id.clone();
    let read = state.live.read(client, move |recordings| recordings.summary(&id)).await;
    read.map_err(unreadable)?.ok_or_else(unknown_match)
}

/// Waits until the recorder has written the match's current commands, and the result of a finished match, unless the
/// recording has failed.
pub(crate) async fn await_recorder(state: &AppState, id: &MatchId) {
    let Some(feed) = state.hub.get(id) else { return };
    let (seq, ends) = (feed.seq(), feed.over().is_some());
    let deadline = tokio::time::Instant::now() + SETTLE;
    // The hub has a match until its recording is complete.
    let lags = |queue: &WriteQueue| !queue.has(seq) || ends && state.hub.get(id).is_some();
    while feed.write_queue().is_some_and(|queue| lags(queue) && !queue.failed())
        && tokio::time::Instant::now() < deadline
    {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}
