//! Shared state of the tasks of an origin, the server that plays.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use grandstand_protocol::message::MatchId;
use tokio::sync::{Notify, watch};

use super::connection::Link;
use crate::config::NatsLimits;
use crate::http::state::AppState;
use crate::locked::Locked as _;
use crate::metrics::Metrics;

/// Shared state of an origin's tasks.
#[derive(Debug)]
pub(super) struct Origin {
    pub(super) link: Link,
    pub(super) limits: NatsLimits,
    pub(super) state: Arc<AppState>,
    /// Whether the streams are there.
    pub(super) ready: watch::Sender<bool>,
    /// Requests a check of the streams.
    pub(super) checks: Notify,
    /// Asks the exporters of the live matches for a scene.
    pub(super) scenes: Mutex<HashMap<MatchId, Arc<Notify>>>,
}

impl Origin {
    pub(super) fn link(&self) -> &Link {
        &self.link
    }

    pub(super) fn limits(&self) -> &NatsLimits {
        &self.limits
    }

    pub(super) fn metrics(&self) -> &Metrics {
        &self.state.metrics
    }

    pub(super) fn state(&self) -> &Arc<AppState> {
        &self.state
    }

    /// Waits until the streams are there.
    pub(super) async fn ready(&self) {
        // The sender lives as long as this.
        let _ = self.ready.subscribe().wait_for(|ready| *ready).await;
    }

    /// Requests a check of the streams, after something was not stored.
    pub(super) fn check(&self) {
        self.checks.notify_one();
    }

    /// Asks for the scene of a live match.
    pub(super) fn want_scene(&self, id: &MatchId) -> bool {
        let scenes = self.scenes.locked();
        scenes.get(id).map(|wanted| wanted.notify_one()).is_some()
    }
}
