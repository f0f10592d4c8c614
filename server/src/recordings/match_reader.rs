//! Reader of a match that is not in memory: from its recording, or by request from another server.

use std::io;

use bytes::Bytes;
use grandstand_protocol::Micros;

use super::checkpoints::Checkpoint;
use super::reader::{DrawProgress, FrameBatch, RecordingReader};
use super::upstream::RemoteReader;

/// Reads one match from front to back. All methods block.
#[derive(Debug)]
pub(crate) enum MatchReader {
    /// From its recording: a file of the data directory, or one that another server published.
    Recording(Box<RecordingReader>),
    /// By request from the server that has it.
    Remote(RemoteReader),
}

impl MatchReader {
    /// Approximate size in bytes of memory, without the scene.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Recording(reader) => reader.bytes(),
            Self::Remote(reader) => reader.bytes(),
        }
    }

    /// The number of the last command read.
    pub(crate) fn seq(&self) -> u64 {
        match self {
            Self::Recording(reader) => reader.seq(),
            Self::Remote(reader) => reader.seq(),
        }
    }

    /// The time of the last line read.
    pub(crate) fn t(&self) -> Micros {
        match self {
            Self::Recording(reader) => reader.t(),
            Self::Remote(reader) => reader.t(),
        }
    }

    /// The next `commands` messages, of about `bytes` bytes, without commands after `to`; fewer, or none, if many commands
    /// are skipped first.
    pub(crate) fn next(&mut self, bytes: usize, to: u64) -> io::Result<FrameBatch> {
        match self {
            Self::Recording(reader) => reader.next(bytes, to),
            Self::Remote(reader) => reader.next(to),
        }
    }

    pub(super) fn advance_snapshot(
        &mut self,
        to: u64,
        passed: impl FnMut(Checkpoint),
    ) -> io::Result<DrawProgress> {
        match self {
            Self::Recording(reader) => reader.advance_snapshot(to, passed),
            Self::Remote(reader) => reader.advance_snapshot(to),
        }
    }

    /// The drawn scene, with the time of the last line before it; `encode` makes the frame of a recording's.
    pub(super) fn snapshot(
        &self,
        encode: impl FnOnce(&RecordingReader) -> io::Result<Bytes>,
    ) -> io::Result<(Bytes, Micros)> {
        match self {
            Self::Recording(reader) => Ok((encode(reader)?, reader.t())),
            Self::Remote(reader) => reader.snapshot(),
        }
    }
}
