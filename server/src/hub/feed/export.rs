//! Export of a feed: its frames one by one, with their numbers, and its whole state at a frame.
//!
//! Like a broadcaster, an exporter has only a cursor into the ring, and nothing waits for it.

use grandstand_protocol::message::MatchSummary;
use grandstand_protocol::{Micros, Scene};

use super::MatchFeed;
use crate::hub::ring::Entry;
use crate::locked::Locked as _;
use crate::wire::CloseReason;

/// Content of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FrameKind {
    /// Commands.
    Commands,
    /// The seats as they are from now on.
    Seats,
    /// The end of the match.
    End,
}

/// Frames that an exporter takes at once.
#[derive(Debug)]
pub(crate) struct Export {
    /// The frames, oldest first; `None` if the ring has dropped the cursor.
    pub(crate) frames: Option<Vec<(FrameKind, Entry)>>,
    /// The description of the match, with its rules, if game or header changed; it is in force for the frames.
    pub(crate) header: Option<MatchSummary>,
    /// Number of the changes of game and header so far.
    pub(crate) headers: u64,
}

/// The whole state of a match after one of its frames.
#[derive(Debug)]
pub(crate) struct Keyframe {
    /// The description of the match, with its rules.
    pub(crate) introduction: MatchSummary,
    /// Number of the last frame before it, 0 if there is none.
    pub(crate) number: u64,
    /// Number of the changes of game and header so far.
    pub(crate) headers: u64,
    /// Offset at which the feed continues.
    pub(crate) cursor: u64,
    pub(crate) t: Micros,
    pub(crate) scene: Scene,
}

impl MatchFeed {
    /// Whole frames from offset `cursor` on, at most `most` of them, for a reader that knows the first `headers` changes of
    /// game and header.
    pub(crate) fn export(&self, cursor: u64, headers: u64, most: usize) -> Export {
        let inner = self.inner.locked();
        let over = inner.over.map_or(u64::MAX, |over| over.offset);
        let frames = inner.ring.since(cursor).map(|entries| {
            let kind = |entry: &Entry| match () {
                () if entry.offset >= over => FrameKind::End,
                () if entry.last < entry.first => FrameKind::Seats,
                () => FrameKind::Commands,
            };
            entries.take(most).map(|entry| (kind(entry), entry.clone())).collect()
        });
        let header = (inner.headers != headers).then(|| inner.introduction(0));
        Export { frames, header, headers: inner.headers }
    }

    /// The state after the newest frame.
    pub(crate) fn keyframe(&self) -> Keyframe {
        let inner = self.inner.locked();
        Keyframe {
            introduction: inner.introduction(0),
            number: inner.ring.number(),
            headers: inner.headers,
            cursor: inner.ring.end(),
            t: inner.t,
            scene: inner.scene.clone(),
        }
    }

    /// The number of the newest frame.
    pub(crate) fn frame_number(&self) -> u64 {
        self.inner.locked().ring.number()
    }

    /// The state at the end and the reason for the close of the websockets, once the match is over.
    pub(crate) fn ending(&self) -> Option<(grandstand_protocol::message::MatchState, CloseReason)> {
        let inner = self.inner.locked();
        inner.over.map(|over| (inner.about.state, over.reason))
    }
}
