//! Live matches of other servers: what a relay has instead of publishers.

use std::fmt::Debug;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use grandstand_protocol::SeatPath;
use grandstand_protocol::message::MatchId;

use super::feed::MatchFeed;

/// A future of this module's trait.
pub(crate) type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The other servers' live matches.
pub(crate) trait RemoteMatches: Debug + Send + Sync {
    /// The feed of a live match, followed from now on; `None` if no live match is known by this id.
    fn watch<'a>(&'a self, id: &'a MatchId) -> BoxFuture<'a, io::Result<Option<Arc<MatchFeed>>>>;

    /// Passes on a request of a player; returns status and body of the answer, or `None` if no match is known by this
    /// id.
    fn play<'a>(
        &'a self,
        id: &'a MatchId,
        path: SeatPath,
        body: &'a [u8],
        from: Option<IpAddr>,
    ) -> BoxFuture<'a, io::Result<Option<(u16, Bytes)>>>;

    /// Whether the other servers' matches are known as far as they can be.
    fn is_ready(&self) -> bool;
}
