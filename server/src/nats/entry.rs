//! Entries of a feed in its stream: a header of fixed length, then the frame as spectators are sent it.
//!
//! ```text
//! byte  0      version of the format, VERSION
//! byte  1      kind: 1 commands, 2 seats, 3 end, 4 resync, 5 header
//! byte  2      of an end: 0 finished, 1 interrupted, plus 2 if the server stopped; otherwise 0
//! byte  3      0
//! bytes 4-11   number of the frame, big-endian as all numbers
//! bytes 12-19  number of the first command
//! bytes 20-27  number of the last command; first - 1 if there is none
//! then         the frame; of a header the description of the match as JSON; of a resync nothing
//! ```
//!
//! A scene is cut into parts, each a message with the header of [`ScenePart`].

use bytes::{BufMut, Bytes, BytesMut};
use grandstand_protocol::Micros;

use crate::recordings::upstream::{RangeAnswer, SceneAnswer};

/// Version of the entries, the facts and the requests.
pub(super) const VERSION: u8 = 1;
/// Longest description of a match in a header entry, and in a fact.
pub(super) const MAX_HEADER: usize = 512 * 1024;
/// Longest scene, all parts together.
pub(super) const MAX_SCENE: usize = 64 * 1024 * 1024;
/// Longest frame of an entry: a batch is cut after 16 KiB, and may pass that by one command.
pub(super) const MAX_FRAME: usize = 2 * 1024 * 1024;
/// Bytes before the content of an entry.
pub(super) const ENTRY_HEAD: usize = 28;
/// Bytes before the content of a part of a scene.
pub(super) const PART_HEAD: usize = 32;

/// Content of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A frame with commands.
    Commands,
    /// A frame with the seats.
    Seats,
    /// The `end` frame; whether the match was interrupted, and whether because the server stopped.
    End { interrupted: bool, shutdown: bool },
    /// Frames up to this number are not in the stream: the scene has what they drew.
    Resync,
    /// The description of the match changed; no frame.
    Header,
}

/// An entry of a feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FeedEntry {
    pub(super) kind: Kind,
    pub(super) number: u64,
    pub(super) first: u64,
    pub(super) last: u64,
    pub(super) content: Bytes,
}

/// Reason for which a message is no entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum EntryError {
    /// Another version of this program wrote it.
    #[error(
        "it has version {0} of the feed, and this is version {VERSION}: run the same version of grandstand on both sides"
    )]
    Version(u8),
    /// The message is shorter than its header, or than the header says.
    #[error("it is cut short: {0} bytes")]
    Short(usize),
    /// The message is longer than an entry may be.
    #[error("it is too long: {0} bytes")]
    Long(usize),
    /// A field has an invalid value.
    #[error("its {0} can't be meant")]
    Value(&'static str),
}

impl FeedEntry {
    /// The message.
    pub(super) fn encode(&self) -> Bytes {
        let (kind, flags) = match self.kind {
            Kind::Commands => (1, 0),
            Kind::Seats => (2, 0),
            Kind::End { interrupted, shutdown } => (3, u8::from(interrupted) + 2 * u8::from(shutdown)),
            Kind::Resync => (4, 0),
            Kind::Header => (5, 0),
        };
        let mut out = BytesMut::with_capacity(ENTRY_HEAD + self.content.len());
        out.put_slice(&[VERSION, kind, flags, 0]);
        out.put_u64(self.number);
        out.put_u64(self.first);
        out.put_u64(self.last);
        out.put_slice(&self.content);
        out.freeze()
    }

    /// Reads a message.
    pub(super) fn decode(message: &Bytes) -> Result<Self, EntryError> {
        let [version, kind, flags, _] = first_bytes(message)?;
        if version != VERSION {
            return Err(EntryError::Version(version));
        }
        if message.len() < ENTRY_HEAD {
            return Err(EntryError::Short(message.len()));
        }
        let content = message.slice(ENTRY_HEAD..);
        let kind = match (kind, flags) {
            (1, 0) => Kind::Commands,
            (2, 0) => Kind::Seats,
            (3, 0..=3) => Kind::End { interrupted: flags & 1 > 0, shutdown: flags & 2 > 0 },
            (4, 0) => Kind::Resync,
            (5, 0) => Kind::Header,
            _ => return Err(EntryError::Value("kind")),
        };
        let most = if kind == Kind::Header { MAX_HEADER } else { MAX_FRAME };
        if content.len() > most {
            return Err(EntryError::Long(content.len()));
        }
        let [number, first, last] = [4, 12, 20].map(|at| number_at(message, at));
        let fits = match kind {
            Kind::Commands => first >= 1 && first <= last && last - first < MAX_FRAME as u64,
            Kind::Seats | Kind::End { .. } | Kind::Resync | Kind::Header => true,
        };
        if !fits {
            return Err(EntryError::Value("command numbers"));
        }
        Ok(Self { kind, number, first, last, content })
    }
}

/// One part of a scene.
///
/// ```text
/// byte  0      version
/// bytes 1-3    0
/// bytes 4-11   number of the last frame before the scene
/// bytes 12-19  sequence in the stream after which the frames that follow it are found
/// bytes 20-23  number of this part, from 0; bytes 24-27 of all parts
/// bytes 28-31  length of the description of the match, with which the first part begins
/// then         the bytes of this part: together the description as JSON and the `scene` frame
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ScenePart {
    pub(super) number: u64,
    pub(super) after: u64,
    pub(super) part: u32,
    pub(super) parts: u32,
    pub(super) header_len: u32,
    pub(super) content: Bytes,
}

impl ScenePart {
    /// Cuts a scene into parts of at most `most` bytes of content.
    pub(super) fn cut(number: u64, after: u64, header: &[u8], frame: &[u8], most: usize) -> Vec<Self> {
        let whole = Bytes::from([header, frame].concat());
        let most = most.max(1);
        let parts = whole.len().div_ceil(most).max(1) as u32;
        let header_len = header.len() as u32;
        let part = |part: u32| {
            let begin = part as usize * most;
            let content = whole.slice(begin..whole.len().min(begin + most));
            Self { number, after, part, parts, header_len, content }
        };
        (0..parts).map(part).collect()
    }

    /// The message.
    pub(super) fn encode(&self) -> Bytes {
        let mut out = BytesMut::with_capacity(PART_HEAD + self.content.len());
        out.put_slice(&[VERSION, 0, 0, 0]);
        out.put_u64(self.number);
        out.put_u64(self.after);
        out.put_u32(self.part);
        out.put_u32(self.parts);
        out.put_u32(self.header_len);
        out.put_slice(&self.content);
        out.freeze()
    }

    /// Reads a message.
    pub(super) fn decode(message: &Bytes) -> Result<Self, EntryError> {
        let [version, ..] = first_bytes(message)?;
        if version != VERSION {
            return Err(EntryError::Version(version));
        }
        if message.len() < PART_HEAD {
            return Err(EntryError::Short(message.len()));
        }
        let [part, parts, header_len] = [20, 24, 28].map(|at| short_number_at(message, at));
        if part >= parts || parts as usize > MAX_SCENE / 1024 {
            return Err(EntryError::Value("part"));
        }
        if header_len as usize > MAX_HEADER {
            return Err(EntryError::Long(header_len as usize));
        }
        let [number, after] = [4, 12].map(|at| number_at(message, at));
        Ok(Self { number, after, part, parts, header_len, content: message.slice(PART_HEAD..) })
    }

    /// The description and the frame of all parts; `None` if they are not of one scene.
    pub(super) fn join(parts: &[Self]) -> Option<(Bytes, Bytes)> {
        let first = parts.first()?;
        let alike = |(index, part): (usize, &Self)| {
            (part.number, part.after, part.parts, part.header_len)
                == (first.number, first.after, first.parts, first.header_len)
                && part.part as usize == index
        };
        let len: usize = parts.iter().map(|part| part.content.len()).sum();
        let is_whole = parts.len() == first.parts as usize && parts.iter().enumerate().all(alike);
        if !is_whole || len > MAX_SCENE || (first.header_len as usize) > len {
            return None;
        }
        let mut whole = BytesMut::with_capacity(len);
        parts.iter().for_each(|part| whole.put_slice(&part.content));
        let mut frame = whole.freeze();
        let header = frame.split_to(first.header_len as usize);
        Some((header, frame))
    }
}

/// The answer to a request for a range: time, whether it is the end, and frames with their numbers and lengths.
pub(super) fn encode_range(answer: &RangeAnswer) -> Bytes {
    let mut out = BytesMut::new();
    out.put_u64(answer.t.0);
    out.put_u8(answer.at_end.into());
    for (first, last, frame) in &answer.frames {
        out.put_u64(*first);
        out.put_u64(*last);
        out.put_u32(frame.len() as u32);
        out.put_slice(frame);
    }
    out.freeze()
}

/// Reads the answer of [`encode_range`].
pub(super) fn decode_range(message: &Bytes) -> Result<RangeAnswer, EntryError> {
    let short = || EntryError::Short(message.len());
    let mut answer =
        RangeAnswer { t: micros(message.get(..8).ok_or_else(short)?)?, ..RangeAnswer::default() };
    answer.at_end = *message.get(8).ok_or_else(short)? > 0;
    let mut rest = message.slice(9..);
    while !rest.is_empty() {
        if rest.len() < 20 {
            return Err(short());
        }
        let (first, last, len) = (number_at(&rest, 0), number_at(&rest, 8), short_number_at(&rest, 16));
        let _head = rest.split_to(20);
        if (len as usize) > rest.len() {
            return Err(short());
        }
        answer.frames.push((first, last, rest.split_to(len as usize)));
    }
    Ok(answer)
}

/// A piece of a scene in an answer: its command number, its time, the length of the whole frame, and bytes of it.
pub(super) fn encode_scene(answer: &SceneAnswer, offset: usize, most: usize) -> Bytes {
    let mut out = BytesMut::new();
    out.put_u64(answer.seq);
    out.put_u64(answer.t.0);
    out.put_u32(answer.frame.len() as u32);
    let begin = offset.min(answer.frame.len());
    out.put_slice(&answer.frame[begin..answer.frame.len().min(begin + most)]);
    out.freeze()
}

/// Reads a piece of [`encode_scene`]: the scene with the bytes of the piece, and the length of the whole frame.
pub(super) fn decode_scene(message: &Bytes) -> Result<(SceneAnswer, usize), EntryError> {
    if message.len() < 20 {
        return Err(EntryError::Short(message.len()));
    }
    let len = short_number_at(message, 16) as usize;
    if len > MAX_SCENE {
        return Err(EntryError::Long(len));
    }
    let t = micros(&message[8..16])?;
    Ok((SceneAnswer { seq: number_at(message, 0), t, frame: message.slice(20..) }, len))
}

fn first_bytes(message: &Bytes) -> Result<[u8; 4], EntryError> {
    message.first_chunk::<4>().copied().ok_or(EntryError::Short(message.len()))
}

fn micros(bytes: &[u8]) -> Result<Micros, EntryError> {
    let t = bytes.first_chunk().map_or(u64::MAX, |bytes| u64::from_be_bytes(*bytes));
    if t <= Micros::MAX.0 { Ok(Micros(t)) } else { Err(EntryError::Value("time")) }
}

/// The number at `at`; the caller has checked the length.
fn number_at(message: &[u8], at: usize) -> u64 {
    message.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u64::from_be_bytes(*bytes))
}

fn short_number_at(message: &[u8], at: usize) -> u32 {
    message.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u32::from_be_bytes(*bytes))
}

/// Body of a fuzz target: any bytes as each of the messages. A decoded message is encoded to the same bytes, and the
/// parts of a cut scene join to the same scene.
pub(crate) fn check(data: &[u8]) {
    let message = Bytes::copy_from_slice(data);
    if let Ok(entry) = FeedEntry::decode(&message) {
        let written = entry.encode();
        assert_eq!((&written[..3], &written[4..]), (&message[..3], &message[4..]));
    }
    if let Ok(part) = ScenePart::decode(&message) {
        assert_eq!(part.encode()[4..], message[4..]);
        // One part of several is no scene; a whole one has the bytes that it came with.
        if let Some((header, frame)) = ScenePart::join(std::slice::from_ref(&part)) {
            assert_eq!([header, frame].concat(), part.content);
        }
    }
    if let Ok(answer) = decode_range(&message) {
        assert_eq!(decode_range(&encode_range(&answer)), Ok(answer));
    }
    if let Ok((answer, len)) = decode_scene(&message) {
        assert!(len <= MAX_SCENE && answer.frame.len() <= message.len());
    }
    let (header, frame) = data.split_at(data.len() / 3);
    for most in [1, 7, 1 << 20] {
        let parts = ScenePart::cut(9, 3, header, frame, most);
        let parts: Vec<_> = parts.iter().filter_map(|part| ScenePart::decode(&part.encode()).ok()).collect();
        let joined = ScenePart::join(&parts).map(|(header, frame)| (header.to_vec(), frame.to_vec()));
        // More parts than a scene may have are refused one by one.
        if data.len().div_ceil(most) <= MAX_SCENE / 1024 {
            assert_eq!(joined, Some((header.to_vec(), frame.to_vec())));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(kind: Kind) -> FeedEntry {
        FeedEntry { kind, number: 7, first: 30, last: 31, content: Bytes::from_static(b"frame") }
    }

    #[test]
    fn an_entry_is_read_as_it_was_written() {
        let ends = [(false, false), (true, false), (false, true), (true, true)];
        let ends = ends.map(|(interrupted, shutdown)| Kind::End { interrupted, shutdown });
        for kind in [Kind::Commands, Kind::Seats, Kind::Resync, Kind::Header].into_iter().chain(ends) {
            assert_eq!(FeedEntry::decode(&entry(kind).encode()), Ok(entry(kind)));
        }
    }

    #[test]
    fn what_is_no_entry_is_refused_in_words() {
        let with = |at: usize, byte: u8| {
            let mut message = entry(Kind::Commands).encode().to_vec();
            message[at] = byte;
            FeedEntry::decode(&message.into()).unwrap_err().to_string()
        };
        assert_eq!(
            with(0, 2),
            "it has version 2 of the feed, and this is version 1: run the same version of grandstand on both sides"
        );
        assert_eq!(with(1, 9), "its kind can't be meant");
        assert_eq!(with(20, 1), "its command numbers can't be meant");
        let short = FeedEntry::decode(&Bytes::from_static(&[VERSION, 1, 0, 0, 9]));
        assert_eq!(short, Err(EntryError::Short(5)));
        let long = FeedEntry { content: vec![0; MAX_FRAME + 1].into(), ..entry(Kind::Commands) };
        assert_eq!(FeedEntry::decode(&long.encode()), Err(EntryError::Long(MAX_FRAME + 1)));
    }

    #[test]
    fn a_torn_set_of_parts_is_noticed() {
        let old = ScenePart::cut(1, 1, b"{}", b"an older scene", 5);
        let new = ScenePart::cut(2, 1, b"{}", b"the newer one", 5);
        assert!(old.len() > 2 && ScenePart::join(&new).is_some());
        let torn = [&new[..1], &old[1..]].concat();
        assert_eq!(ScenePart::join(&torn), None);
        assert_eq!(ScenePart::join(&new[1..]), None);
        assert_eq!(ScenePart::join(&[]), None);
    }

    #[test]
    fn any_bytes_are_read_or_refused() {
        let mut seed = 1_u64;
        for len in 0..400_usize {
            let mut byte = || {
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (seed >> 56) as u8
            };
            let mut data: Vec<u8> = (0..len).map(|_| byte()).collect();
            check(&data);
            // After a valid beginning more of the message is read.
            let begin = [VERSION, 1 + (len % 5) as u8, 0, 0];
            data.iter_mut().zip(begin).for_each(|(byte, begin)| *byte = begin);
            data.iter_mut().skip(4).take(24).step_by(2).for_each(|byte| *byte = 0);
            check(&data);
        }
    }
}
