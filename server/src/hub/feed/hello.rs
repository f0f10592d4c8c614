//! The `hello` frame, with which a spectator's feed begins.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use bytes::Bytes;
use grandstand_protocol::message::{MatchSummary, Message, PROTOCOL};

use super::{Inner, MatchFeed, SHORT};
use crate::limits::memory::{MemoryBudget, MemoryUse};
use crate::locked::Locked as _;
use crate::wire::encode;

/// Age up to which a `hello` is sent again, with the number of spectators that it had.
const HELLO_AGE: Duration = Duration::from_millis(100);

/// A `hello` frame, reused for spectators that join within [`HELLO_AGE`].
#[derive(Debug)]
pub(super) struct Hello {
    at: Instant,
    frame: Bytes,
}

impl MatchFeed {
    /// The current `hello` frame: it tells all changes so far, and a number of spectators and a time at most [`HELLO_AGE`] old.
    pub(crate) fn hello(&self) -> Bytes {
        self.hello_encoded_by(|introduction| hello(self.snapshots.memory(), introduction))
    }

    pub(super) fn hello_encoded_by(&self, encode: impl FnOnce(MatchSummary) -> Bytes) -> Bytes {
        let (changes, introduction) = {
            let inner = self.inner.locked();
            if let Some(hello) = inner.hello.as_ref().filter(|hello| hello.at.elapsed() < HELLO_AGE) {
                return hello.frame.clone();
            }
            (inner.changes, inner.timed_introduction(self.spectators.load(Ordering::Relaxed)))
        };
        // Without the lock, since rules can be long. A frame that a change has outdated meanwhile is for this caller
        // alone, whose place in the feed is before the change.
        let frame = encode(introduction);
        let mut inner = self.inner.locked();
        if inner.changes == changes {
            inner.hello = Some(Hello { at: Instant::now(), frame: frame.clone() });
        }
        frame
    }
}

impl Inner {
    /// Drops the `hello`, also one that is being encoded. Every change of what it tells calls this.
    pub(super) fn outdate_hello(&mut self) {
        self.hello = None;
        self.changes += 1;
    }
}

/// The `hello` frame of a match. A long one is reserved in the memory budget; if that is full, it goes without the
/// rules.
pub(crate) fn hello(memory: &Arc<MemoryBudget>, summary: MatchSummary) -> Bytes {
    let without_rules = MatchSummary { rules: None, setup: Vec::new(), ..summary.clone() };
    let frame = encode(&Message::Hello { protocol: PROTOCOL, r#match: summary });
    if frame.len() < SHORT {
        return frame;
    }
    let short = |_| encode(&Message::Hello { protocol: PROTOCOL, r#match: without_rules });
    memory.hold(MemoryUse::Snapshots, frame).unwrap_or_else(short)
}

#[cfg(test)]
mod tests {
    use grandstand_protocol::message::MatchState;
    use grandstand_protocol::{Game, MatchHeader, Micros, Seat};

    use super::*;
    use crate::config::SeatLimits;
    use crate::hub::snapshot::Snapshots;
    use crate::wire::{CloseReason, frame};

    fn feed() -> MatchFeed {
        let snapshots = Snapshots::new(MemoryBudget::new(1 << 20), 1 << 16);
        let seats = SeatLimits { per_second: 10, answer: Duration::from_secs(5) };
        let id = "a".parse().unwrap();
        MatchFeed::new(id, "2026-01-01T00:00:00Z".to_owned(), 1 << 16, None, snapshots, &seats)
    }

    /// The `hello` for a spectator that comes after `change`, which happens while one for another is encoded.
    fn hello_after(change: impl FnOnce(&MatchFeed)) -> MatchSummary {
        let feed = feed();
        feed.hello_encoded_by(|introduction| {
            change(&feed);
            hello(feed.snapshots.memory(), introduction)
        });
        let frame = feed.hello();
        match Message::from_json(None, std::str::from_utf8(&frame::payload(&frame)).unwrap()) {
            Ok(Message::Hello { r#match, .. }) => r#match,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_hello_tells_what_changed_while_another_was_encoded() {
        let header = MatchHeader { title: "Final".into(), ..MatchHeader::default() };
        assert_eq!(hello_after(|feed| feed.set_header(&header)).title, "Final");
        let seat = Seat { team: "black".into(), ..Seat::default() };
        let summary = hello_after(|feed| {
            // Nobody asks for the seat here.
            let _ = feed.seats.announce(vec![seat.clone()]);
            feed.publish_seats();
        });
        assert_eq!(summary.seats, [seat]);
        let summary = hello_after(|feed| {
            feed.finish(Micros(1), MatchState::Finished, None, CloseReason::Finished, None)
        });
        assert_eq!(summary.state, MatchState::Finished);
        assert_eq!(hello_after(|feed| feed.set_game(Game::Shark)).game, Game::Shark);
    }
}
