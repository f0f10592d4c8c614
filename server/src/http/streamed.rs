//! Responses on the memory budget: whole ones, and those made piece by piece.

use std::io;

use bytes::Bytes;
use hyper::{Response, StatusCode};

use super::body::{Body, PIECE, Source, Step, Stream};
use super::refusal::{Refusal, unreadable};
use super::response::respond;
use super::state::AppState;
use crate::limits::client::Client;
use crate::limits::memory::{MemoryUse, Reservation};
use crate::recordings::download::ReplayFile;

/// Source of a replay file.
pub(super) struct Replay(pub(super) ReplayFile);

impl Source for Replay {
    fn next(&mut self, memory: &mut Reservation) -> io::Result<Step> {
        memory.resize(2 * PIECE + self.0.bytes())?;
        Ok(match self.0.next_piece(PIECE)? {
            Some(piece) if piece.is_empty() => Step::Working,
            Some(piece) => Step::Piece(piece),
            None => Step::Last(Bytes::new()),
        })
    }
}

/// A response whose body is made piece by piece.
pub(super) async fn streamed(
    state: &AppState,
    kind: &'static str,
    client: Client,
    source: impl Source + 'static,
) -> Result<Response<Body>, Refusal> {
    let memory = state.hub.memory().reserve(MemoryUse::Answers, 2 * PIECE).map_err(io::Error::from);
    let begun =
        async { Stream::begin(state.live.read_turns().clone(), client, Box::new(source), memory?).await };
    Ok(respond(StatusCode::OK, kind, begun.await.map_err(unreadable)?))
}

/// Reserves the bytes of a whole response in the memory budget.
pub(super) fn held(state: &AppState, bytes: Bytes) -> Result<Bytes, Refusal> {
    state.hub.memory().hold(MemoryUse::Answers, bytes).map_err(|full| unreadable(full.into()))
}
