//! Reader of a recording: messages in pieces, from any command on.

use std::io::{self, Read, Seek, SeekFrom};

use bytes::Bytes;
use grandstand_protocol::{Command, MatchHeader, MatchResult, Micros, Scene};
use grandstand_replays::{Content, Header, Limits, ReadError, Reader};

use super::checkpoints::{Checkpoint, EVERY};
use super::ending::RecordingEnd;
use super::text::{StoredText, Text, invalid, read_header, read_some};
use crate::wire::encode_commands;

/// Bytes of text per read.
const CHUNK: usize = 32 * 1024;
/// Maximum number of commands in a message.
const MESSAGE: usize = 256;

/// Commands read per turn.
const TURN: u64 = 8 * 1024;

/// Bytes at the end of the text that are kept to find the ending.
const TAIL: usize = 512;

/// Reads one recording from front to back. All methods block, for some milliseconds at most except when opening.
///
/// A file that is still being written can be read further after its end; a damaged one ends at the damage.
pub(crate) struct RecordingReader {
    input: Text,
    decoder: Reader,
    header: Header,
    chunk: Vec<u8>,
    tail: Vec<u8>,
    /// Number of the last command read, and time of the last line.
    seq: u64,
    t: Micros,
    /// Commands up to this number are skipped.
    since: u64,
    /// Scene after command `seq`, while every command was drawn, and time of the last drawn one.
    scene: Option<Scene>,
    drawn: Micros,
    /// Commands with the time `together_t`, the last of number `seq`, that are not encoded yet.
    together: Vec<Command>,
    together_t: Micros,
    result: Option<MatchResult>,
    bytes: usize,
}

impl std::fmt::Debug for RecordingReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut reader = f.debug_struct("RecordingReader");
        reader.field("seq", &self.seq).field("since", &self.since).finish_non_exhaustive()
    }
}

/// Content of a whole file.
#[derive(Debug)]
pub(super) struct Scan {
    pub(super) header: Header,
    pub(super) seq: u64,
    pub(super) result: Option<MatchResult>,
    pub(super) ending: Option<RecordingEnd>,
}

/// Messages of a recording, in order.
#[derive(Debug, Default)]
pub(crate) struct FrameBatch {
    /// `commands` messages: numbers of the first and the last command, and the frame.
    pub(crate) frames: Vec<(u64, u64, Bytes)>,
    /// Whether the file has no more for now, or the requested range is complete.
    pub(crate) at_end: bool,
}

/// Progress of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DrawProgress {
    /// More commands follow.
    Unfinished,
    /// The file has no more, for now or for good.
    OutOfInput,
    /// The snapshot is complete.
    Done,
}

enum Line {
    /// A command, parsed if it comes after `since`.
    Command(Option<Command>),
    Other,
    /// The end of the file, for now or for good.
    End,
}

impl RecordingReader {
    /// Reads from after command `since`. A checkpoint `place` at or before it saves reading what precedes it. A text
    /// longer than both the limit of replays and `recording` bytes is cut off there.
    pub(super) fn new(
        stored: StoredText,
        since: u64,
        place: Option<Checkpoint>,
        recording: u64,
    ) -> io::Result<Self> {
        let limits = Limits::default();
        let limits = Limits { text_bytes: limits.text_bytes.max(recording), ..limits };
        let StoredText { text: mut input, mut seek, bytes: decompressing } = stored;
        let (header, head) = read_header(&mut input)?;
        let bytes = 4 * CHUNK + head.len() + decompressing;
        let (decoder, seq, t, scene) = match place {
            None => {
                let mut decoder = Reader::new(limits);
                decoder.push(&head);
                (decoder, 0, Micros(0), Scene::new(header.game))
            }
            Some(Checkpoint { seq, place, scene }) => {
                let mut decoder = Reader::resume(limits, header.clone(), place);
                let begin = place.byte as usize;
                if let Some(file) = &mut seek {
                    file.seek(SeekFrom::Start(place.byte))?;
                } else if let Some(rest) = head.get(begin..) {
                    decoder.push(rest);
                } else {
                    let skipped = (begin - head.len()) as u64;
                    io::copy(&mut input.by_ref().take(skipped), &mut io::sink())?;
                }
                (decoder, seq, place.t, scene)
            }
        };
        let tail = head[head.len().saturating_sub(TAIL)..].to_vec();
        Ok(Self {
            input,
            decoder,
            header,
            chunk: vec![0; CHUNK],
            tail,
            seq,
            t,
            since,
            scene: Some(scene),
            drawn: t,
            together: Vec::new(),
            together_t: Micros(0),
            result: None,
            bytes,
        })
    }

    /// The match header.
    pub(super) fn into_about(self) -> MatchHeader {
        self.header.about
    }

    /// Approximate size in bytes of memory, without the scene.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The number of the last command read.
    pub(crate) fn seq(&self) -> u64 {
        self.seq
    }

    /// The time of the last line read.
    pub(crate) fn t(&self) -> Micros {
        self.t
    }

    /// The next `commands` messages, of about `bytes` bytes, without commands after `to`; fewer, or none, if many
    /// commands are skipped first.
    pub(crate) fn next(&mut self, bytes: usize, to: u64) -> io::Result<FrameBatch> {
        self.scene = None;
        let mut piece = FrameBatch::default();
        let mut size = 0;
        let turn = self.seq + TURN;
        while size < bytes && (self.seq < turn || !self.together.is_empty()) {
            let more = self.seq < to;
            let line = if more { self.next_line()? } else { Line::End };
            match line {
                Line::Command(Some(command)) => {
                    if self.t != self.together_t || self.together.len() >= MESSAGE {
                        size += self.flush(self.seq - 1, &mut piece);
                    }
                    self.together_t = self.t;
                    self.together.push(command);
                }
                Line::Command(None) | Line::Other => {}
                Line::End => {
                    self.flush(self.seq, &mut piece);
                    piece.at_end = true;
                    break;
                }
            }
        }
        Ok(piece)
    }

    /// Encodes the collected commands, the last of which has number `last`; returns their size.
    fn flush(&mut self, last: u64, piece: &mut FrameBatch) -> usize {
        let commands = std::mem::take(&mut self.together);
        let frames = encode_commands(last + 1 - commands.len() as u64, self.together_t, &commands);
        let size = frames.iter().map(|(_, _, frame)| frame.len()).sum();
        piece.frames.extend(frames);
        size
    }

    /// Draws for one turn towards command `to`, and passes checkpoints on the way to `passed`.
    pub(super) fn advance_snapshot(
        &mut self,
        to: u64,
        mut passed: impl FnMut(Checkpoint),
    ) -> io::Result<DrawProgress> {
        let unread = || io::Error::other("the recording was read on without its scene");
        let mut scene = self.scene.take().ok_or_else(unread)?;
        let (since, turn) = (std::mem::take(&mut self.since), self.seq + TURN);
        let drawing = loop {
            if self.seq >= to {
                break DrawProgress::Done;
            }
            if self.seq >= turn {
                break DrawProgress::Unfinished;
            }
            match self.next_line()? {
                Line::Command(Some(command)) => {
                    self.drawn = self.t;
                    scene.apply(self.seq, self.drawn, &command);
                    if self.seq.is_multiple_of(EVERY) {
                        passed(Checkpoint {
                            seq: self.seq,
                            place: self.decoder.place(),
                            scene: scene.clone(),
                        });
                    }
                }
                Line::Command(None) | Line::Other => {}
                Line::End => break DrawProgress::OutOfInput,
            }
        };
        self.since = since;
        self.scene = Some(scene);
        Ok(drawing)
    }

    /// The snapshot drawn so far, with number and time of its last command.
    pub(super) fn snapshot(&self) -> io::Result<(u64, Micros, Scene)> {
        let unread = || io::Error::other("the recording was read on without its scene");
        Ok((self.seq, self.drawn, self.scene.clone().ok_or_else(unread)?))
    }

    /// Reads about `most` bytes of text, or all of it, without parsing commands.
    pub(super) fn scan(mut self, most: u64) -> io::Result<Scan> {
        self.since = u64::MAX;
        self.input = Box::new(self.input.take(most));
        while !matches!(self.next_line()?, Line::End) {}
        let text = self.tail.strip_suffix(b"\n").unwrap_or(&self.tail);
        let ending = text.rsplit(|byte| *byte == b'\n').next().and_then(RecordingEnd::parse);
        Ok(Scan { header: self.header, seq: self.seq, result: self.result, ending })
    }

    fn next_line(&mut self) -> io::Result<Line> {
        loop {
            match self.decoder.next() {
                Ok(Some(entry)) => {
                    self.t = entry.t;
                    return Ok(match entry.content {
                        Content::Command(line) => {
                            self.seq += 1;
                            let wanted = self.seq > self.since;
                            Line::Command(wanted.then(|| Command::parse(self.header.game, &line)))
                        }
                        Content::Result(result) => {
                            self.result = Some(*result);
                            Line::Other
                        }
                        Content::Asked(_) | Content::Skipped => Line::Other,
                    });
                }
                Ok(None) => {
                    let n = read_some(&mut self.input, &mut self.chunk)?;
                    if n == 0 {
                        return Ok(Line::End);
                    }
                    self.decoder.push(&self.chunk[..n]);
                    self.tail.extend_from_slice(&self.chunk[n.saturating_sub(TAIL)..n]);
                    self.tail.drain(..self.tail.len().saturating_sub(TAIL));
                }
                Err(ReadError::Open(error)) => return Err(invalid(error)),
                Err(ReadError::Damage(damage)) => {
                    tracing::debug!(%damage, "a recording is damaged");
                    return Ok(Line::End);
                }
            }
        }
    }
}
