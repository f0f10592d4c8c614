//! Failure of `accept` on a listening socket.

use std::io;
use std::time::Duration;

use tracing::warn;

/// Logs the failure and pauses. The cause is one connection, or lack of descriptors, which passes when others close.
pub async fn accept_failed(error: &io::Error) {
    warn!(%error, "a connection can't be accepted");
    tokio::time::sleep(Duration::from_millis(50)).await;
}
