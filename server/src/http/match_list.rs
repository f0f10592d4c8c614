//! List of matches, newest first: those in memory and the recorded ones.

use std::io;
use std::sync::Arc;

use grandstand_protocol::message::Summary;

use super::body::{JsonArray, Source, Step};
use crate::hub::Hub;
use crate::limits::memory::Reservation;
use crate::recordings::Key;

/// Matches looked up at a time.
const PAGE: usize = 32;

/// Goes through the matches from the newest on.
#[derive(Debug)]
pub(super) struct MatchList {
    hub: Arc<Hub>,
    /// The place of the last one.
    at: Option<Key>,
    /// How many more there may be.
    left: usize,
    /// The next ones, the last one first.
    page: Vec<Key>,
}

impl MatchList {
    /// At most `limit` from the newest on, or from the one after `before`.
    pub(super) fn new(hub: Arc<Hub>, before: Option<Key>, limit: usize) -> Self {
        Self { hub, at: before, left: limit, page: Vec::new() }
    }

    /// The next one; the outer `None` at the end, the inner one if it turns out to be none. Blocks if its summary is not
    /// in memory.
    pub(super) fn next(&mut self) -> Option<Option<Summary>> {
        if self.page.is_empty() {
            let limit = self.left.min(PAGE);
            self.page = self.hub.page(self.at.as_ref(), limit);
            self.page.extend(self.hub.recordings().page(self.at.as_ref(), limit));
            self.page.sort_unstable_by(|a, b| b.cmp(a));
            // A match whose file was finished this moment is in both.
            self.page.dedup();
            self.page.truncate(limit);
            self.left -= self.page.len();
            self.page.reverse();
        }
        let key = self.page.pop()?;
        let summary = match self.hub.get(&key.1) {
            Some(feed) => Some(feed.summary()),
            None => self.hub.recordings().summary(&key.1),
        };
        self.at = Some(key);
        Some(summary)
    }
}

/// The list as a JSON array.
#[derive(Debug)]
pub(super) struct MatchListBody {
    matches: MatchList,
    array: JsonArray,
}

impl MatchListBody {
    pub(super) fn new(matches: MatchList) -> Self {
        Self { matches, array: JsonArray::default() }
    }
}

impl Source for MatchListBody {
    fn next(&mut self, _: &mut Reservation) -> io::Result<Step> {
        for _ in 0..PAGE {
            match self.matches.next() {
                Some(Some(summary)) => serde_json::to_writer(self.array.element(), &summary)?,
                Some(None) => {}
                None => return Ok(self.array.finish()),
            }
            if let piece @ Step::Piece(_) = self.array.step() {
                return Ok(piece);
            }
        }
        Ok(Step::Working)
    }
}
