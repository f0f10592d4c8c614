//! Answers of an origin to relays: ranges, scenes and texts of its matches, and requests of people who play.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_nats::{Client, Message};
use bytes::{BufMut as _, Bytes, BytesMut};
use futures_util::StreamExt as _;
use grandstand_protocol::message::MatchId;
use hyper::StatusCode;
use tokio::sync::Semaphore;

use super::entry::{encode_range, encode_scene};
use super::facts::{MAX_QUESTION, OriginRequest, Question, read, seat_path};
use super::origin::Origin;
use super::question_subject;
use crate::http::command_range::trim;
use crate::http::seats;
use crate::http::state::{AppState, await_recorder};
use crate::limits::client;
use crate::locked::Locked as _;
use crate::recordings::download::ReplayFile;
use crate::recordings::match_reader::MatchReader;
use crate::recordings::reader::DrawProgress;
use crate::recordings::upstream::{RangeAnswer, SceneAnswer};
use crate::wire::frame;

/// Answers at the same time, and besides requests of people who play: those wait for game servers.
const AT_ONCE: usize = 64;
const SEATS_AT_ONCE: usize = 64;
/// End of the subject of such requests.
const SEAT: &str = ".seat";
/// Open recordings that are kept, since relays read them piece by piece.
const OPEN: usize = 16;
/// Bytes of text per read.
const PIECE: usize = 32 * 1024;
/// Pause before the subscription is made again.
const RETRY: Duration = Duration::from_secs(1);

/// First byte of an answer with a result. In an answer with an error message, it is the kind of the error.
pub(super) const OK: u8 = 0;
const FAULTS: [io::ErrorKind; 3] =
    [io::ErrorKind::NotFound, io::ErrorKind::UnexpectedEof, io::ErrorKind::OutOfMemory];

/// The answer for an error.
fn fault(error: &io::Error) -> Bytes {
    let code = FAULTS.iter().position(|kind| *kind == error.kind()).map_or(u8::MAX, |index| index as u8 + 1);
    [&[code][..], error.to_string().as_bytes()].concat().into()
}

/// The result in an answer, or its error with the original kind.
pub(super) fn parse(answer: &Bytes) -> io::Result<Bytes> {
    match answer.first() {
        Some(&OK) => Ok(answer.slice(1..)),
        Some(code) => {
            let kind = usize::from(*code).checked_sub(1).and_then(|index| FAULTS.get(index)).copied();
            let words: String = String::from_utf8_lossy(&answer[1..]).chars().take(400).collect();
            Err(io::Error::new(kind.unwrap_or(io::ErrorKind::Other), words))
        }
        None => Err(io::Error::new(io::ErrorKind::InvalidData, "an empty answer")),
    }
}

/// Recordings that were read in part, by match and position.
#[derive(Debug)]
struct Open<T>(Mutex<Vec<(MatchId, u64, T)>>);

impl<T> Default for Open<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Open<T> {
    fn take(&self, id: &MatchId, at: u64) -> Option<T> {
        let mut open = self.0.locked();
        let index = open.iter().position(|(of, place, _)| of == id && *place == at)?;
        Some(open.remove(index).2)
    }

    fn keep(&self, id: &MatchId, at: u64, reader: T) {
        let mut open = self.0.locked();
        open.push((id.clone(), at, reader));
        if open.len() > OPEN {
            open.remove(0);
        }
    }
}

#[derive(Debug, Default)]
struct Readers {
    ranges: Open<MatchReader>,
    texts: Open<ReplayFile>,
}

/// Answers until the process ends.
pub(super) async fn serve(origin: Arc<Origin>) {
    let client = origin.link().client.clone();
    let readers = Arc::<Readers>::default();
    let (turns, seats) = (Arc::new(Semaphore::new(AT_ONCE)), Arc::new(Semaphore::new(SEATS_AT_ONCE)));
    let subject = question_subject(origin.link().name(), "*");
    loop {
        match client.subscribe(subject.clone()).await {
            Err(error) => tracing::debug!(%error, "requests of relays can't be read"),
            Ok(mut questions) => {
                while let Some(message) = questions.next().await {
                    let turn = if message.subject.ends_with(SEAT) {
                        let Ok(turn) = seats.clone().try_acquire_owned() else {
                            refuse(&client, message).await;
                            continue;
                        };
                        turn
                    } else {
                        // The semaphore is never closed.
                        let Ok(turn) = turns.clone().acquire_owned().await else { return };
                        turn
                    };
                    let (origin, readers) = (origin.clone(), readers.clone());
                    tokio::spawn(async move {
                        respond(&origin, &readers, message).await;
                        drop(turn);
                    });
                }
            }
        }
        tokio::time::sleep(RETRY).await;
    }
}

/// Refuses a request of a person who plays.
async fn refuse(client: &Client, message: Message) {
    let Some(reply) = message.reply else { return };
    let words = "too many requests of players wait for their game servers; try again";
    let answer = seat_answer(StatusCode::SERVICE_UNAVAILABLE, words.as_bytes());
    // A relay that gets no answer asks again.
    let _ = client.publish(reply, whole(&answer)).await;
}

/// The answer with a result.
fn whole(answer: &[u8]) -> Bytes {
    [&[OK][..], answer].concat().into()
}

/// Status and body of an answer to a person who plays.
fn seat_answer(status: StatusCode, body: &[u8]) -> Bytes {
    let mut out = BytesMut::new();
    out.put_u16(status.as_u16());
    out.put_slice(body);
    out.freeze()
}

fn not_live() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "the match is not live")
}

async fn respond(origin: &Arc<Origin>, readers: &Arc<Readers>, message: Message) {
    let Some(reply) = message.reply else { return };
    let answer = match read::<Question>(&message.payload, MAX_QUESTION) {
        Ok(question) if message.subject.ends_with(&format!(".{}", question.ask.name())) => {
            answer(origin, readers, question).await
        }
        Ok(_) => Err(io::Error::other("the request is not of its subject")),
        Err(error) => Err(io::Error::other(format!("a request to `{}`: {error}", origin.link().name()))),
    };
    let answer = match answer {
        Ok(answer) => whole(&answer),
        Err(error) => fault(&error),
    };
    // A relay that gets no answer asks again.
    let _ = origin.link().client.publish(reply, answer).await;
}

async fn answer(origin: &Arc<Origin>, readers: &Arc<Readers>, question: Question) -> io::Result<Bytes> {
    let Question { id, ask, .. } = question;
    let (state, most) = (origin.state().clone(), origin.link().most() - 1);
    match ask {
        OriginRequest::Commands { from, to } => {
            range(&state, readers, &id, (from.max(1), to), most).await.map(|answer| encode_range(&answer))
        }
        OriginRequest::Scene { after, offset } => {
            let answer = scene(&state, &id, after).await?;
            Ok(encode_scene(&answer, usize::try_from(offset).unwrap_or(usize::MAX), most - 64))
        }
        OriginRequest::Text { offset } => {
            if offset == 0 {
                await_recorder(&state, &id).await;
            }
            let readers = readers.clone();
            reading(state, move |state| text(state, &readers, &id, offset, most)).await
        }
        OriginRequest::Keyframe => origin.want_scene(&id).then(Bytes::new).ok_or_else(not_live),
        OriginRequest::Now => {
            let now = state.hub.get(&id).and_then(|feed| feed.now()).ok_or_else(not_live)?;
            Ok(Bytes::copy_from_slice(&now.0.to_be_bytes()))
        }
        OriginRequest::Seat { path, body, from } => {
            let path = seat_path(&path).ok_or_else(|| io::Error::other("no such request of a player"))?;
            let played = seats::play(&state.hub, &id, path, body.as_bytes(), from).await;
            Ok(match played {
                Ok(json) => seat_answer(StatusCode::OK, &json),
                Err(refusal) => seat_answer(refusal.status, refusal.message.as_bytes()),
            })
        }
    }
}

/// Reads once it is the relays' turn: all of them together count as one client.
async fn reading<T: Send + 'static>(
    state: Arc<AppState>,
    work: impl FnOnce(&AppState) -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let client = client::Client::from(SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)));
    let turns = state.live.read_turns().clone();
    turns.read(client, move || work(&state)).await?
}

/// Reads with a reader of a recording, each piece in a turn of its own, until there is an answer.
async fn in_pieces<T: Send + 'static>(
    state: &Arc<AppState>,
    open: impl FnOnce(&AppState) -> io::Result<MatchReader> + Send + 'static,
    read: impl Fn(&AppState, &mut MatchReader) -> io::Result<Option<T>> + Clone + Send + 'static,
) -> io::Result<(T, MatchReader)> {
    let mut reader = reading(state.clone(), open).await?;
    loop {
        let read = read.clone();
        let piece = move |state: &AppState| Ok((read(state, &mut reader)?, reader));
        match reading(state.clone(), piece).await? {
            (Some(answer), reader) => return Ok((answer, reader)),
            (None, rest) => reader = rest,
        }
    }
}

/// Commands of a match, from memory as far back as it reaches, and from the recording before that.
async fn range(
    state: &Arc<AppState>,
    readers: &Readers,
    id: &MatchId,
    (from, to): (u64, u64),
    most: usize,
) -> io::Result<RangeAnswer> {
    let room = (most / 4).min(4 * PIECE);
    if let Some(feed) = state.hub.get(id) {
        let game = feed.summary().game;
        let mut answer = RangeAnswer::default();
        let mut size = 64;
        for (first, last, payload) in feed.payloads(from, to, room) {
            let frame = frame::text(&trim(game, first, last, payload, from, to)?);
            size += frame.len() + 20;
            if size > most && !answer.frames.is_empty() {
                break;
            }
            answer.frames.push((first.max(from), last.min(to), frame));
        }
        if let Some((_, last, _)) = answer.frames.last() {
            answer.at_end = *last >= to.min(feed.seq());
            return Ok(answer);
        }
        if from > feed.seq() {
            return Ok(RangeAnswer { at_end: true, ..answer });
        }
    }
    let (of, kept) = (id.clone(), readers.ranges.take(id, from - 1));
    let open = move |state: &AppState| match kept {
        Some(reader) => Ok(reader),
        None => state.hub.recordings().reader(&of, from - 1),
    };
    let read = move |_: &AppState, reader: &mut MatchReader| {
        let piece = reader.next(room.min(PIECE), to)?;
        // A piece of what comes before the range is empty.
        Ok((!piece.frames.is_empty() || piece.at_end).then_some(piece))
    };
    let (piece, reader) = in_pieces(state, open, read).await?;
    let (t, at_end) = (reader.t(), piece.at_end);
    if let Some((_, last, _)) = piece.frames.last()
        && !at_end
    {
        readers.ranges.keep(id, *last, reader);
    }
    Ok(RangeAnswer { t, at_end, frames: piece.frames })
}

async fn scene(state: &Arc<AppState>, id: &MatchId, after: Option<u64>) -> io::Result<SceneAnswer> {
    if let Some((frame, t)) = state.hub.recordings().cached_snapshot(id, after) {
        return Ok(SceneAnswer { seq: after.unwrap_or(0), t, frame });
    }
    let (of, to) = (id.clone(), after.unwrap_or(u64::MAX));
    let open = move |state: &AppState| state.hub.recordings().reader(&of, to);
    let of = id.clone();
    let read = move |state: &AppState, reader: &mut MatchReader| {
        let recordings = state.hub.recordings();
        match recordings.advance_snapshot(&of, reader, to)? {
            DrawProgress::Unfinished => Ok(None),
            DrawProgress::OutOfInput if after.is_some() => {
                let words = format!("command {} is not recorded yet", reader.seq() + 1);
                Err(io::Error::new(io::ErrorKind::UnexpectedEof, words))
            }
            DrawProgress::OutOfInput | DrawProgress::Done => {
                let (frame, t) = recordings.snapshot(&of, after, reader)?;
                Ok(Some(SceneAnswer { seq: after.unwrap_or(reader.seq()), t, frame }))
            }
        }
    };
    Ok(in_pieces(state, open, read).await?.0)
}

fn text(state: &AppState, readers: &Readers, id: &MatchId, offset: u64, most: usize) -> io::Result<Bytes> {
    let kept = readers.texts.take(id, offset);
    let is_kept = kept.is_some();
    let mut file = match kept {
        Some(file) => file,
        None => state.hub.recordings().replay(id, &state.public_disclosure())?,
    };
    let mut skip = if is_kept { 0 } else { offset };
    let mut out = BytesMut::new();
    while out.len() + 2 * PIECE <= most.max(2 * PIECE) {
        let Some(mut piece) = file.next_piece(PIECE)? else { break };
        let skipped = skip.min(piece.len() as u64);
        skip -= skipped;
        let _skipped = piece.split_to(skipped as usize);
        if out.len() + piece.len() > most {
            // A long line: the rest is read again from its place.
            out.put_slice(&piece[..most - out.len()]);
            return Ok(out.freeze());
        }
        out.put_slice(&piece);
    }
    if !out.is_empty() {
        readers.texts.keep(id, offset + out.len() as u64, file);
    }
    Ok(out.freeze())
}
