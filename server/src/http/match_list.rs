//! List of matches, newest first: in memory and recorded.

use std::io;
use std::sync::Arc;

use grandstand_protocol::message::MatchSummary;

use super::body::{JsonArray, Source, Step};
use crate::hub::Hub;
use crate::limits::memory::Reservation;
use crate::recordings::Key;
use crate::recordings::upstream::OriginState;

/// Keys looked up at a time.
const PAGE: usize = 32;

/// Iterator over the matches, newest first.
#[derive(Debug)]
pub(super) struct MatchList {
    hub: Arc<Hub>,
    /// Key of the last returned match.
    at: Option<Key>,
    /// Remaining matches up to the limit.
    left: usize,
    /// The following keys in reverse order.
    page: Vec<Key>,
}

impl MatchList {
    /// At most `limit` matches: the newest, or those after `before`.
    pub(super) fn new(hub: Arc<Hub>, before: Option<Key>, limit: usize) -> Self {
        Self { hub, at: before, left: limit, page: Vec::new() }
    }

    /// The next match. The outer `None` is the end; the inner `None` is an entry without a readable recording. Blocks
    /// if the summary is not in memory.
    pub(super) fn next(&mut self) -> Option<Option<MatchSummary>> {
        if self.page.is_empty() {
            let limit = self.left.min(PAGE);
            self.page = self.hub.page(self.at.as_ref(), limit);
            self.page.extend(self.hub.recordings().page(self.at.as_ref(), limit));
            self.page.sort_unstable_by(|a, b| b.cmp(a));
            // A match whose file was finished in this moment is in both.
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

/// A match of another server in a list.
#[derive(serde::Serialize)]
struct Placed<'a> {
    #[serde(flatten)]
    summary: &'a MatchSummary,
    origin: OriginState,
}

impl MatchListBody {
    fn write(&mut self, summary: &MatchSummary) -> io::Result<()> {
        let place = self.matches.hub.recordings().origin_state(&summary.id);
        let out = self.array.element();
        match place {
            Some(origin) => serde_json::to_writer(out, &Placed { summary, origin })?,
            None => serde_json::to_writer(out, summary)?,
        }
        Ok(())
    }
}

impl Source for MatchListBody {
    fn next(&mut self, _: &mut Reservation) -> io::Result<Step> {
        for _ in 0..PAGE {
            match self.matches.next() {
                Some(Some(summary)) => self.write(&summary)?,
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
