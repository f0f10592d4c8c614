//! Log entries for lines that are not understood.
//!
//! The first lines of a connection are logged with their problem. After those only the count is logged, at each power
//! of ten.

use std::net::SocketAddr;

use grandstand_protocol::{Unknown, clean_text};
use tracing::warn;

use grandstand_protocol::message::MatchId;

/// Unknown lines of one connection.
#[derive(Debug)]
pub(super) struct UnknownLines {
    /// Number of lines that are logged one by one.
    told: u32,
    count: u64,
}

impl UnknownLines {
    pub(super) fn new(told: u32) -> Self {
        Self { told, count: 0 }
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Counts line `number` of the connection, and logs it or the count.
    pub(super) fn note(&mut self, peer: SocketAddr, id: &MatchId, number: u64, unknown: &Unknown) {
        self.count += 1;
        let count = self.count;
        if count <= u64::from(self.told) {
            let (problem, text) = (unknown.problem(), clean_text(&unknown.text()));
            warn!(%peer, %id, line = number, %problem, text, "a line is not understood");
        } else if 10_u64.pow(count.ilog10()) == count {
            warn!(%peer, %id, lines = count, "so many lines were not understood by now");
        }
    }
}
