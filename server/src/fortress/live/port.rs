//! The port that teams connect to.

use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::task::JoinSet;

use super::connection::connection;
use super::shared::Shared;
use crate::bridge::accept_failed;

/// Accepts connections for as long as the match is there.
pub(super) async fn serve(shared: Arc<Shared>, listener: std::net::TcpListener) {
    let Ok(listener) = TcpListener::from_std(listener) else { return };
    let mut open = JoinSet::new();
    loop {
        let accepted = listener.accept().await;
        while open.try_join_next().is_some() {}
        match accepted {
            Ok((stream, _)) => {
                // Beyond that it is closed without a word: a flood is not answered.
                if open.len() < shared.limits.connections
                    && let Some(opened) = shared.open()
                {
                    open.spawn(connection(Arc::clone(&shared), stream, opened));
                }
            }
            Err(error) => accept_failed(&error).await,
        }
    }
}
