//! Matches of other servers, read by request: what a relay has instead of files.

use std::fmt::Debug;
use std::io;
use std::sync::Arc;

use bytes::Bytes;
use grandstand_protocol::Micros;
use grandstand_protocol::message::{MatchId, MatchSummary};

use super::Key;
use super::reader::{DrawProgress, FrameBatch};

/// Consecutive commands as frames, as another server answers a request for a range.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct RangeAnswer {
    /// Time of the last line before the end of the answer.
    pub(crate) t: Micros,
    /// Whether there is no more for now, or the range is complete.
    pub(crate) at_end: bool,
    /// Numbers of the first and the last command of each frame, and the frame.
    pub(crate) frames: Vec<(u64, u64, Bytes)>,
}

/// A scene as another server answers a request for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SceneAnswer {
    /// Number of the last command in it.
    pub(crate) seq: u64,
    /// Time of the last line before it.
    pub(crate) t: Micros,
    /// The `scene` message as a frame.
    pub(crate) frame: Bytes,
}

/// The other servers' matches. What is read by request blocks, and fails after a time limit.
pub(crate) trait Upstream: Debug + Send + Sync {
    /// Keys of at most `limit` known matches, newest first, older than `before` if that is given.
    fn page(&self, before: Option<&Key>, limit: usize) -> Vec<Key>;

    /// The last known description of a match, with its rules.
    fn full_summary(&self, id: &MatchId) -> Option<MatchSummary>;

    /// The server that has the match, and what is known of it, for lists.
    fn origin_state(&self, id: &MatchId) -> Option<OriginState>;

    /// The compressed recording of a match that is over, as it is handed out to everybody; `None` if its server did not
    /// publish it, or it can't be had now: then it is asked for.
    fn recording(&self, id: &MatchId) -> Option<Bytes>;

    /// The commands from `from` to `to`, as far as one answer reaches.
    fn commands(&self, id: &MatchId, from: u64, to: u64) -> io::Result<RangeAnswer>;

    /// The scene after command `after`, or after the last one of a match that is over.
    fn scene(&self, id: &MatchId, after: Option<u64>) -> io::Result<SceneAnswer>;

    /// Whole lines of the replay file from byte `offset` on, as far as one answer reaches; empty at the end.
    fn text(&self, id: &MatchId, offset: u64) -> io::Result<Bytes>;
}

/// The server on which a match is played.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub(crate) struct OriginState {
    /// Name of the server.
    pub(crate) name: String,
    /// `here` while it is heard from, otherwise `lost`.
    pub(crate) state: &'static str,
}

/// Reads a match of another server from front to back.
#[derive(Debug)]
pub(crate) struct RemoteReader {
    upstream: Arc<dyn Upstream>,
    id: MatchId,
    /// Number of the last command read.
    seq: u64,
    t: Micros,
    scene: Option<SceneAnswer>,
}

impl RemoteReader {
    pub(super) fn new(upstream: Arc<dyn Upstream>, id: MatchId, since: u64) -> Self {
        Self { upstream, id, seq: since, t: Micros(0), scene: None }
    }

    /// Approximate size in bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        // An answer is about as long as a piece.
        256 * 1024
    }

    pub(super) fn seq(&self) -> u64 {
        self.seq
    }

    pub(super) fn t(&self) -> Micros {
        self.t
    }

    pub(super) fn next(&mut self, to: u64) -> io::Result<FrameBatch> {
        if self.seq >= to {
            return Ok(FrameBatch { frames: Vec::new(), at_end: true });
        }
        let answer = self.upstream.commands(&self.id, self.seq + 1, to)?;
        for (first, last, _) in &answer.frames {
            if *first != self.seq + 1 || last < first || *last > to {
                let error = format!("the answer has commands {first} to {last} after {}", self.seq);
                return Err(io::Error::new(io::ErrorKind::InvalidData, error));
            }
            self.seq = *last;
        }
        self.t = answer.t;
        Ok(FrameBatch { frames: answer.frames, at_end: answer.at_end })
    }

    pub(super) fn advance_snapshot(&mut self, to: u64) -> io::Result<DrawProgress> {
        let after = (to < u64::MAX).then_some(to);
        let scene = match self.upstream.scene(&self.id, after) {
            // The server there has not recorded it yet.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Ok(DrawProgress::OutOfInput);
            }
            scene => scene?,
        };
        (self.seq, self.t) = (scene.seq, scene.t);
        self.scene = Some(scene);
        Ok(DrawProgress::Done)
    }

    /// The scene as a frame, with the time of the last line before it.
    pub(super) fn snapshot(&self) -> io::Result<(Bytes, Micros)> {
        let unread = || io::Error::other("the scene was not read");
        self.scene.as_ref().map(|scene| (scene.frame.clone(), scene.t)).ok_or_else(unread)
    }
}

/// The text of a replay file of another server.
#[derive(Debug)]
pub(super) struct RemoteText {
    upstream: Arc<dyn Upstream>,
    id: MatchId,
    offset: u64,
    held: Bytes,
}

impl RemoteText {
    pub(super) fn new(upstream: Arc<dyn Upstream>, id: MatchId) -> Self {
        Self { upstream, id, offset: 0, held: Bytes::new() }
    }
}

impl io::Read for RemoteText {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.held.is_empty() {
            self.held = self.upstream.text(&self.id, self.offset)?;
            self.offset += self.held.len() as u64;
        }
        let n = self.held.len().min(buffer.len());
        buffer[..n].copy_from_slice(&self.held.split_to(n));
        Ok(n)
    }
}
