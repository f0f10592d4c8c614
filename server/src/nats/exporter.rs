//! Exporter: publishes one live match.
//!
//! Like a broadcaster, it reads the match's feed with a cursor, so the match does not wait for it. Frames are sent in
//! order, with a limited number in flight. If one is not acknowledged, or the ring has dropped the cursor, the frames
//! up to the present are skipped: an entry marks the gap, and a new scene replaces them.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use async_nats::jetstream::context::PublishError;
use async_nats::jetstream::publish::PublishAck;
use bytes::Bytes;
use grandstand_protocol::Message;
use grandstand_protocol::message::{MatchState, MatchSummary};
use tokio::sync::Notify;

use super::entry::{FeedEntry, Kind, ScenePart};
use super::origin::Origin;
use super::{feed_subject, scene_subject};
use crate::hub::feed::MatchFeed;
use crate::hub::feed::export::{Export, FrameKind};
use crate::hub::ring::Entry;
use crate::wire::{CloseReason, encode};

/// Frames taken from the feed at once.
const TURN: usize = 64;
/// Pause before the next attempt after a failure.
const RETRY: Duration = Duration::from_millis(500);
/// Interval between two checks for due work.
const TICK: Duration = Duration::from_millis(250);

/// Reason for which the exporter begins again with a scene.
#[derive(Debug, thiserror::Error)]
enum ExportError {
    #[error("the ring has dropped frames that were not published")]
    Fallen,
    #[error("NATS has not taken a message: {0}")]
    Publish(#[from] PublishError),
    #[error("the scene could not be encoded")]
    Encode,
}

type Ack = Pin<Box<dyn Future<Output = Result<PublishAck, PublishError>> + Send>>;

/// Publishes one match.
pub(super) struct Exporter {
    origin: Arc<Origin>,
    feed: Arc<MatchFeed>,
    wake: Arc<Notify>,
    /// Asks for a scene.
    scene_wanted: Arc<Notify>,
    /// Offset of the next frame in the feed.
    cursor: u64,
    /// Number of the last frame that was sent.
    number: u64,
    /// Number of the changes of game and header that were sent.
    headers: u64,
    in_flight: VecDeque<Ack>,
    /// Sequence in the stream of the last acknowledged entry.
    stored: u64,
    /// Commands since the last scene, whether anything came since, and its time.
    commands: u64,
    changed: bool,
    scene_at: Instant,
}

impl Exporter {
    pub(super) fn new(origin: Arc<Origin>, feed: Arc<MatchFeed>, scene_wanted: Arc<Notify>) -> Self {
        Self {
            origin,
            feed,
            wake: Arc::default(),
            scene_wanted,
            cursor: 0,
            number: 0,
            headers: 0,
            in_flight: VecDeque::new(),
            stored: 0,
            commands: 0,
            changed: false,
            scene_at: Instant::now(),
        }
    }

    /// Runs until the match is over and all of it was published.
    pub(super) async fn run(mut self) {
        self.feed.subscribe(self.wake.clone());
        while let Err(error) = self.publish_match().await {
            self.clear();
            self.origin.metrics().nats_skipped.add(1);
            tracing::debug!(id = %self.feed.id(), %error, "a match is published again from a scene on");
            self.origin.check();
            tokio::time::sleep(RETRY).await;
        }
        self.feed.unsubscribe(&self.wake);
    }

    /// Publishes a scene and what follows it.
    async fn publish_match(&mut self) -> Result<(), ExportError> {
        self.origin.ready().await;
        // The frames up to here are skipped. The entry comes first, since its place in the stream is that of the
        // scene.
        let start = self.feed.keyframe();
        (self.cursor, self.number, self.headers) = (start.cursor, start.number, start.headers);
        self.send(Kind::Resync, (0, 0), Bytes::new()).await?;
        self.drain().await?;
        self.publish_scene().await?;
        loop {
            let Export { frames, header, headers } = self.feed.export(self.cursor, self.headers, TURN);
            if let Some(introduction) = header {
                self.headers = headers;
                self.send(Kind::Header, (0, 0), json(&introduction)).await?;
                self.publish_scene().await?;
            }
            let frames = frames.ok_or(ExportError::Fallen)?;
            let idle = frames.is_empty();
            for (kind, entry) in frames {
                self.send_frame(kind, entry).await?;
            }
            let limits = self.origin.limits();
            let age = self.scene_at.elapsed();
            if self.commands >= limits.scene_commands
                || (self.changed && age >= limits.scene_secs)
                || age >= limits.feed_age / 2
            {
                self.publish_scene().await?;
            }
            if idle {
                if self.feed.over().is_some() && self.cursor >= self.feed.end() {
                    self.drain().await?;
                    return self.publish_scene().await;
                }
                self.wait().await?;
            }
        }
    }

    /// Waits for something to do.
    async fn wait(&mut self) -> Result<(), ExportError> {
        let Self { in_flight, wake, scene_wanted, .. } = self;
        let oldest = async {
            match in_flight.front_mut() {
                Some(ack) => ack.await,
                None => std::future::pending().await,
            }
        };
        let mut wanted = false;
        tokio::select! {
            ack = oldest => {
                self.in_flight.pop_front();
                self.acknowledged(ack)?;
            }
            () = wake.notified() => {}
            () = scene_wanted.notified() => wanted = true,
            () = tokio::time::sleep(TICK) => {}
        }
        if wanted { self.publish_scene().await } else { Ok(()) }
    }

    async fn send_frame(&mut self, kind: FrameKind, entry: Entry) -> Result<(), ExportError> {
        let kind = match kind {
            FrameKind::Commands => Kind::Commands,
            FrameKind::Seats => Kind::Seats,
            FrameKind::End => {
                let (state, reason) =
                    self.feed.ending().unwrap_or((MatchState::Finished, CloseReason::Finished));
                let shutdown = reason == CloseReason::Shutdown;
                Kind::End { interrupted: state == MatchState::Interrupted, shutdown }
            }
        };
        self.number = entry.number;
        self.cursor = entry.offset + entry.frame.len() as u64;
        self.commands += (entry.last + 1).saturating_sub(entry.first);
        self.changed = true;
        self.send(kind, (entry.first, entry.last), entry.frame).await
    }

    /// Sends an entry once there is room in flight.
    async fn send(
        &mut self,
        kind: Kind,
        (first, last): (u64, u64),
        content: Bytes,
    ) -> Result<(), ExportError> {
        while self.in_flight.len() >= self.origin.limits().in_flight {
            let Some(ack) = self.in_flight.pop_front() else { break };
            let ack = ack.await;
            self.acknowledged(ack)?;
        }
        let id = self.feed.id();
        let mut headers = HeaderMap::new();
        if matches!(kind, Kind::Commands | Kind::Seats | Kind::End { .. }) {
            headers.insert("Nats-Msg-Id", format!("{id}:{}", self.number));
        }
        let message = FeedEntry { kind, number: self.number, first, last, content }.encode();
        let jetstream = &self.origin.link().jetstream;
        let sent = jetstream.publish_with_headers(feed_subject(id.as_str()), headers, message).await?;
        self.origin.metrics().nats_published.add(1);
        self.origin.metrics().nats_in_flight.up();
        self.in_flight.push_back(sent.into_future());
        Ok(())
    }

    fn acknowledged(&mut self, ack: Result<PublishAck, PublishError>) -> Result<(), ExportError> {
        self.origin.metrics().nats_in_flight.down();
        self.stored = ack?.sequence;
        Ok(())
    }

    /// Waits until everything that was sent is acknowledged.
    async fn drain(&mut self) -> Result<(), ExportError> {
        while let Some(ack) = self.in_flight.pop_front() {
            let ack = ack.await;
            self.acknowledged(ack)?;
        }
        Ok(())
    }

    /// Drops what is in flight.
    fn clear(&mut self) {
        for _ in self.in_flight.drain(..) {
            self.origin.metrics().nats_in_flight.down();
        }
    }

    /// Publishes the current scene, in parts.
    async fn publish_scene(&mut self) -> Result<(), ExportError> {
        let (feed, most, stored) = (self.feed.clone(), self.origin.link().most(), self.stored);
        // Large ones take a while.
        let cut = move || {
            let keyframe = feed.keyframe();
            let (seq, t, scene) = (keyframe.introduction.seq, keyframe.t, keyframe.scene);
            let frame = encode(&Message::Scene { seq, t, scene });
            ScenePart::cut(keyframe.number, stored, &json(&keyframe.introduction), &frame, most)
        };
        let parts = tokio::task::spawn_blocking(cut).await.or(Err(ExportError::Encode))?;
        let jetstream = &self.origin.link().jetstream;
        let mut acks = Vec::new();
        for part in parts {
            let subject = scene_subject(self.feed.id().as_str(), part.part);
            acks.push(jetstream.publish(subject, part.encode()).await?);
        }
        for ack in acks {
            ack.await?;
        }
        (self.commands, self.changed, self.scene_at) = (0, false, Instant::now());
        Ok(())
    }
}

fn json(introduction: &MatchSummary) -> Bytes {
    // A summary has only types that JSON supports.
    serde_json::to_vec(introduction).unwrap_or_default().into()
}
