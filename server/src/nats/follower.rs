//! Follower: repeats one match of an origin in the hub, while somebody watches it.
//!
//! Frames come in order from the stream. If one is missing, or none comes although the origin reports more, the feed
//! continues from the last published scene.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::consumer::DeliverPolicy;
use async_nats::jetstream::consumer::push::{Ordered, OrderedConfig};
use bytes::Bytes;
use futures_util::StreamExt as _;
use grandstand_protocol::Message;
use grandstand_protocol::message::{MatchState, MatchSummary};
use tokio::time::{Instant, MissedTickBehavior};

use super::entry::{EntryError, FeedEntry, Kind};
use super::facts::OriginRequest;
use super::questions::{self, PublishedScene, failed, invalid};
use super::relay::Relay;
use super::{FEEDS, feed_subject};
use crate::hub::feed::MatchFeed;
use crate::wire::{CloseReason, frame};

/// Interval between two checks for spectators and for reports of the origin.
const TICK: Duration = Duration::from_millis(500);
/// Silence after which a feed is read anew, if the origin reports more frames.
const STALL: Duration = Duration::from_secs(3);
/// Pause between two attempts to read a scene.
const PAUSE: Duration = Duration::from_millis(250);
/// Time after which a match that can't be followed is dropped.
const GIVE_UP: Duration = Duration::from_secs(30);
/// Time after which a finished match is dropped even if somebody watches it.
const AFTERWARDS: Duration = Duration::from_secs(60);

/// Reason for which the reading of a stream stops.
enum Stop {
    /// Nobody watches, or the match is over.
    Done,
    /// Something is missing: a scene of this frame or a later one is needed.
    Missing(u64),
    /// The match can't be followed.
    Unreadable(io::Error),
}

/// One followed match.
pub(super) struct Follower {
    relay: Arc<Relay>,
    feed: Arc<MatchFeed>,
    /// Number of the last frame that the feed has.
    number: u64,
    /// Sequence in the stream after which the next frames are found.
    after: u64,
    /// Time of the last successful read of the feed.
    read_at: Instant,
    /// Times of the last entry, and of the last spectator.
    heard: Instant,
    watched: Instant,
}

impl Follower {
    pub(super) fn new(relay: Arc<Relay>, feed: Arc<MatchFeed>, number: u64, after: u64) -> Self {
        let now = Instant::now();
        Self { relay, feed, number, after, read_at: now, heard: now, watched: now }
    }

    /// Runs until nobody watches, or the match is over.
    pub(super) async fn run(mut self) {
        self.relay.metrics().nats_followed.up();
        let outcome = self.follow().await;
        self.relay.metrics().nats_followed.down();
        self.relay.let_go(&self.feed);
        if let Err(error) = outcome {
            tracing::warn!(id = %self.feed.id(), %error, "a match can't be followed");
        }
    }

    async fn follow(&mut self) -> io::Result<()> {
        loop {
            let stop = match self.consumer().await {
                Ok(messages) => self.read(messages).await,
                Err(error) => {
                    if self.read_at.elapsed() >= GIVE_UP {
                        return Err(error);
                    }
                    tracing::debug!(id = %self.feed.id(), %error, "a feed can't be read");
                    tokio::time::sleep(PAUSE).await;
                    Stop::Missing(0)
                }
            };
            match stop {
                Stop::Done => return Ok(()),
                Stop::Unreadable(error) => return Err(error),
                Stop::Missing(number) => {
                    if !self.rejoin(number).await? {
                        return Ok(());
                    }
                }
            }
        }
    }

    async fn consumer(&self) -> io::Result<Ordered> {
        let link = self.relay.link();
        let config = OrderedConfig {
            deliver_subject: link.client.new_inbox(),
            filter_subject: feed_subject(self.feed.id().as_str()),
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: self.after + 1 },
            ..OrderedConfig::default()
        };
        let consumer = link.jetstream.create_consumer_on_stream(config, FEEDS).await.map_err(failed)?;
        consumer.messages().await.map_err(failed)
    }

    async fn read(&mut self, mut messages: Ordered) -> Stop {
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        (self.heard, self.read_at) = (Instant::now(), Instant::now());
        loop {
            tokio::select! {
                message = messages.next() => match message {
                    Some(Ok(message)) => {
                        self.heard = Instant::now();
                        if let Err(stop) = self.take(&message.payload) {
                            return stop;
                        }
                    }
                    // The client creates the consumer again by itself.
                    Some(Err(error)) => tracing::debug!(id = %self.feed.id(), %error, "a feed"),
                    None => return Stop::Missing(0),
                },
                _ = tick.tick() => {
                    if self.is_done() {
                        return Stop::Done;
                    }
                    let lag = self.relay.frame_of(self.feed.id()).saturating_sub(self.number);
                    self.relay.metrics().nats_lag.set(lag);
                    if lag > 0 && self.heard.elapsed() >= STALL && self.feed.over().is_none() {
                        return Stop::Missing(0);
                    }
                }
            }
        }
    }

    /// Whether the match can be dropped.
    fn is_done(&mut self) -> bool {
        if self.feed.watched_by() > 0 {
            self.watched = Instant::now();
        }
        let ended = self.feed.over().is_some();
        self.watched.elapsed() >= self.relay.limits().linger
            || ended && self.heard.elapsed() >= AFTERWARDS
            || ended && self.watched.elapsed() >= TICK && !self.relay.is_live(self.feed.id())
    }

    /// Takes one entry.
    fn take(&mut self, message: &Bytes) -> Result<(), Stop> {
        let entry = match FeedEntry::decode(message) {
            Ok(entry) => entry,
            Err(error @ EntryError::Version(_)) => return Err(Stop::Unreadable(invalid(error))),
            Err(error) => {
                tracing::warn!(id = %self.feed.id(), %error, "an entry of a feed is not understood");
                return Err(Stop::Missing(self.number + 1));
            }
        };
        match entry.kind {
            Kind::Header => {
                if let Ok(introduction) = serde_json::from_slice::<MatchSummary>(&entry.content)
                    && introduction.id == *self.feed.id()
                {
                    self.feed.describe(introduction);
                }
                return Ok(());
            }
            Kind::Resync if entry.number > self.number => return Err(Stop::Missing(entry.number)),
            Kind::Resync => return Ok(()),
            // The scene contains this frame already.
            _ if entry.number <= self.number => return Ok(()),
            _ if entry.number > self.number + 1 => return Err(Stop::Missing(entry.number - 1)),
            Kind::Commands | Kind::Seats | Kind::End { .. } => {}
        }
        let number = entry.number;
        self.append(entry).map_err(|error| {
            tracing::warn!(id = %self.feed.id(), %error, "a frame of a feed is not understood");
            Stop::Missing(number)
        })?;
        self.number = number;
        self.relay.metrics().nats_frames.add(1);
        Ok(())
    }

    /// Appends a frame to the feed.
    fn append(&self, entry: FeedEntry) -> io::Result<()> {
        let wrong = || invalid("it is not what its entry says");
        let FeedEntry { kind, first, last, content, .. } = entry;
        let payload = frame::checked_payload(&content).ok_or_else(wrong)?;
        let text = std::str::from_utf8(&payload).map_err(invalid)?;
        let summary = self.feed.summary();
        match (kind, Message::from_json(Some(summary.game), text).map_err(invalid)?) {
            (Kind::Commands, Message::Commands { seq, t, commands }) => {
                let count = (last + 1).saturating_sub(first);
                if seq != first || commands.len() as u64 != count || first != summary.seq + 1 {
                    return Err(wrong());
                }
                self.feed.append(t, &commands, vec![(first, last, content)]);
            }
            (Kind::Seats, Message::Seats { seats }) => self.feed.append_seats(seats, content),
            (Kind::End { interrupted, shutdown }, Message::End { t, result, .. }) => {
                let state = if interrupted { MatchState::Interrupted } else { MatchState::Finished };
                let reason = if shutdown { CloseReason::Shutdown } else { CloseReason::Finished };
                self.feed.finish(t, state, result, reason, Some(content));
            }
            _ => return Err(wrong()),
        }
        Ok(())
    }

    /// Continues from a published scene of frame `number` or a later one; `false` if nobody waits for it.
    async fn rejoin(&mut self, number: u64) -> io::Result<bool> {
        let (relay, id) = (self.relay.clone(), self.feed.id().clone());
        let deadline = Instant::now() + GIVE_UP;
        loop {
            if self.is_done() {
                return Ok(false);
            }
            let scene = match questions::published_scene(relay.link(), &id).await {
                Ok(scene) => scene.filter(|scene| scene.number >= number),
                Err(error) => {
                    tracing::debug!(%id, %error, "a scene can't be read");
                    None
                }
            };
            if let Some(scene) = scene {
                self.go_on(scene);
                return Ok(true);
            }
            if Instant::now() >= deadline {
                return Err(io::Error::other("its scene is missing"));
            }
            // If this fails, the scene comes with the next one that the origin publishes by itself.
            let _ = relay.ask(&id, OriginRequest::Keyframe, Some(PAUSE)).await;
            tokio::time::sleep(PAUSE).await;
        }
    }

    fn go_on(&mut self, scene: PublishedScene) {
        let PublishedScene { number, after, introduction, t, scene } = scene;
        self.after = after;
        if number <= self.number {
            return;
        }
        self.number = number;
        self.relay.metrics().nats_resyncs.add(1);
        let MatchSummary { state, result, .. } = introduction.clone();
        self.feed.resync(introduction, t, scene);
        if state != MatchState::Live {
            self.feed.finish(t, state, result, CloseReason::Finished, None);
        }
    }
}
