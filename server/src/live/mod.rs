//! Websockets of spectators.
//!
//! - [`broadcaster`]: writes a live match's feed to its spectators; [`inbox`]: new ones and ready sockets; [`spectator`]: one of them
//! - [`catch_up`]: sends commands that are no longer in memory, from a recording
//! - [`socket`], [`inbound`]: one connection's writer and reader; [`transport`]: its bytes, plain or encrypted

pub(crate) mod broadcaster;
pub(crate) mod catch_up;
pub(crate) mod inbound;
pub(crate) mod inbox;
pub(crate) mod socket;
mod spectator;
pub(crate) mod transport;

use std::collections::HashMap;
use std::io;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use grandstand_protocol::message::MatchId;
use tokio::sync::watch;

use self::broadcaster::Broadcaster;
use self::inbox::{Inbox, Join};
use crate::config::{Config, SpectatorLimits};
use crate::hub::Hub;
use crate::hub::feed::MatchFeed;
use crate::limits::client::Client;
use crate::limits::read_turns::ReadTurns;
use crate::locked::Locked as _;
use crate::metrics::Metrics;
use crate::recordings::Recordings;
use crate::wire::CloseReason;

/// The inbox of a broadcaster, and the feed that it reads.
type FeedInbox = (Arc<MatchFeed>, Arc<Inbox>);

/// All spectators, and the broadcasters that serve them.
#[derive(Debug)]
pub(crate) struct Live {
    hub: Arc<Hub>,
    config: Arc<Config>,
    metrics: Arc<Metrics>,
    /// The broadcasters of each match, with the feed that each reads. A match that was dropped and is followed again
    /// has a new feed.
    inboxes: Mutex<HashMap<MatchId, Vec<FeedInbox>>>,
    /// Maximum number of broadcasters of a match.
    workers: usize,
    /// Turns at reading recordings, shared with HTTP responses.
    read_turns: Arc<ReadTurns>,
    /// Becomes true when the server stops.
    stopping: watch::Receiver<bool>,
}

impl Live {
    pub(crate) fn new(
        hub: Arc<Hub>,
        config: Arc<Config>,
        metrics: Arc<Metrics>,
        stopping: watch::Receiver<bool>,
    ) -> Arc<Self> {
        let workers = tokio::runtime::Handle::current().metrics().num_workers();
        let read_turns = ReadTurns::new(config.readers.from_archive);
        Arc::new(Self { hub, config, metrics, inboxes: Mutex::default(), workers, read_turns, stopping })
    }

    pub(crate) fn hub(&self) -> &Hub {
        &self.hub
    }

    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    pub(crate) fn limits(&self) -> &SpectatorLimits {
        &self.config.spectators
    }

    /// Turns at reading recordings, shared with HTTP responses.
    pub(crate) fn read_turns(&self) -> &Arc<ReadTurns> {
        &self.read_turns
    }

    /// Reads from the recordings once it is the client's turn.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        client: Client,
        work: impl FnOnce(&Recordings) -> T + Send + 'static,
    ) -> io::Result<T> {
        let recordings = self.hub.recordings().clone();
        self.read_turns.read(client, move || work(&recordings)).await
    }

    /// Counts an opened websocket, also on the match if that is in memory.
    pub(crate) fn count_opened(&self, feed: Option<&MatchFeed>) {
        self.metrics.spectators.up();
        self.metrics.spectators_total.add(1);
        if let Some(feed) = feed {
            feed.spectators.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Counts a websocket that was closed before a broadcaster had it; a broadcaster counts its own.
    pub(crate) fn count_closed(&self, feed: Option<&MatchFeed>, reason: CloseReason) {
        self.metrics.spectators.down();
        self.metrics.count_closed(reason);
        if let Some(feed) = feed {
            feed.spectators.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Hands a spectator to the match's least loaded broadcaster, or to a new one.
    pub(crate) fn join(self: &Arc<Self>, feed: &Arc<MatchFeed>, mut join: Join) {
        let mut all = self.inboxes.locked();
        let inboxes = all.entry(feed.id().clone()).or_default();
        let of_feed = inboxes.iter().filter(|(of, _)| Arc::ptr_eq(of, feed));
        let idlest = of_feed.map(|(_, inbox)| (inbox.load(), inbox)).min_by_key(|(load, _)| *load);
        if let Some((load, inbox)) = idlest
            && (load < self.config.spectators.per_broadcaster || inboxes.len() >= self.workers)
        {
            match inbox.join(join) {
                Ok(()) => return,
                Err(back) => join = back,
            }
        }
        let broadcaster = Broadcaster::new(feed.clone(), self.config.clone(), self.metrics.clone());
        let inbox = broadcaster.inbox().clone();
        // A broadcaster that has not started yet accepts everyone.
        let _ = inbox.join(join);
        inboxes.push((feed.clone(), inbox.clone()));
        drop(all);
        let (live, id) = (self.clone(), feed.id().clone());
        tokio::spawn(async move {
            broadcaster.run().await;
            live.forget(&id, &inbox);
        });
    }

    fn forget(&self, id: &MatchId, ended: &Arc<Inbox>) {
        let mut all = self.inboxes.locked();
        if let Some(inboxes) = all.get_mut(id) {
            inboxes.retain(|(_, inbox)| !Arc::ptr_eq(inbox, ended));
            if inboxes.is_empty() {
                all.remove(id);
            }
        }
    }
}
