//! Shutdown signal of a server: a watch channel that becomes true once.

use tokio::sync::watch;

/// Completes when the server stops.
pub(crate) async fn until_stop(stopping: &mut watch::Receiver<bool>) {
    // An error means that the server is gone.
    let _ = stopping.wait_for(|stop| *stop).await;
}
