//! Requests of a relay to origins.

use std::io;
use std::time::Duration;

use async_nats::client::{Request, RequestErrorKind};
use bytes::{Bytes, BytesMut};
use grandstand_protocol::message::{MatchId, MatchSummary, Message};
use grandstand_protocol::{Micros, Scene};

use super::answers::parse;
use super::connection::Link;
use super::entry::{MAX_SCENE, ScenePart, VERSION, decode_range, decode_scene};
use super::facts::{OriginRequest, Question};
use super::{SCENES, question_subject, scene_subject};
use crate::recordings::upstream::{RangeAnswer, SceneAnswer};
use crate::wire::frame;

/// Time limit for an answer that has to be read from a recording.
const PATIENCE: Duration = Duration::from_secs(10);
/// Attempts to read a scene whose parts are of one set.
const ATTEMPTS: usize = 3;

/// The last published scene of a match.
#[derive(Debug)]
pub(super) struct PublishedScene {
    /// Number of the last frame before it.
    pub(super) number: u64,
    /// Sequence in the stream after which the frames that follow are found.
    pub(super) after: u64,
    /// Description of the match; `seq` is the last command in the scene.
    pub(super) introduction: MatchSummary,
    pub(super) t: Micros,
    pub(super) scene: Scene,
}

/// Asks an origin and waits for its answer.
pub(super) async fn ask(
    link: &Link,
    origin: &str,
    id: &MatchId,
    ask: OriginRequest,
    patience: Option<Duration>,
) -> io::Result<Bytes> {
    let (subject, request) = request(origin, id, ask)?;
    let request = request.timeout(Some(patience.unwrap_or(PATIENCE)));
    let answer = link.client.send_request(subject, request).await;
    let answer = answer.map_err(|error| match error.kind() {
        RequestErrorKind::NoResponders => away(origin),
        RequestErrorKind::TimedOut => io::Error::new(
            io::ErrorKind::TimedOut,
            format!("the server `{origin}`, where the match is played, does not answer"),
        ),
        _ => io::Error::other(error.to_string()),
    })?;
    parse(&answer.payload)
}

/// The request to an origin, with its subject.
pub(super) fn request(
    origin: &str,
    id: &MatchId,
    ask: OriginRequest,
) -> serde_json::Result<(String, Request)> {
    let subject = question_subject(origin, ask.name());
    let payload = serde_json::to_vec(&Question { version: VERSION, id: id.clone(), ask })?;
    Ok((subject, Request::new().payload(payload.into())))
}

/// The error for an origin that is not there.
pub(super) fn away(origin: &str) -> io::Error {
    let words = format!("the server `{origin}`, where the match is played, is not there");
    io::Error::new(io::ErrorKind::NotConnected, words)
}

pub(super) async fn commands(
    link: &Link,
    origin: &str,
    id: &MatchId,
    (from, to): (u64, u64),
) -> io::Result<RangeAnswer> {
    let answer = ask(link, origin, id, OriginRequest::Commands { from, to }, None).await?;
    decode_range(&answer).map_err(invalid)
}

pub(super) async fn scene(
    link: &Link,
    origin: &str,
    id: &MatchId,
    after: Option<u64>,
) -> io::Result<SceneAnswer> {
    let mut whole = BytesMut::new();
    loop {
        let answer =
            ask(link, origin, id, OriginRequest::Scene { after, offset: whole.len() as u64 }, None).await?;
        let (piece, len) = decode_scene(&answer).map_err(invalid)?;
        if piece.frame.is_empty() && whole.len() < len || whole.len() + piece.frame.len() > len {
            return Err(invalid("the scene does not have the length that it says"));
        }
        whole.extend_from_slice(&piece.frame);
        if whole.len() >= len {
            return Ok(SceneAnswer { frame: whole.freeze(), ..piece });
        }
    }
}

/// The present time of a live match.
pub(super) async fn now(link: &Link, origin: &str, id: &MatchId, patience: Duration) -> io::Result<Micros> {
    let answer = ask(link, origin, id, OriginRequest::Now, Some(patience)).await?;
    let micros = <[u8; 8]>::try_from(&answer[..]).map(u64::from_be_bytes).map_err(invalid)?;
    Some(Micros(micros)).filter(|now| *now <= Micros::MAX).ok_or_else(|| invalid("such a time can't be"))
}

/// The last published scene of a match; `None` if there is none.
pub(super) async fn published_scene(link: &Link, id: &MatchId) -> io::Result<Option<PublishedScene>> {
    for _ in 0..ATTEMPTS {
        let Some(first) = part(link, id, 0).await? else { return Ok(None) };
        let (count, mut len) = (first.parts, first.content.len());
        let mut parts = vec![first];
        for number in 1..count {
            let Some(part) = part(link, id, number).await? else { break };
            len += part.content.len();
            if len > MAX_SCENE {
                return Err(invalid("the scene is too long"));
            }
            parts.push(part);
        }
        // Otherwise another scene was published meanwhile.
        if let Some((header, frame)) = ScenePart::join(&parts) {
            return decode(&parts[0], id, &header, &frame).map(Some);
        }
    }
    Ok(None)
}

async fn part(link: &Link, id: &MatchId, part: u32) -> io::Result<Option<ScenePart>> {
    use async_nats::jetstream::stream::DirectGetErrorKind;
    let stream = link.jetstream.get_stream_no_info(SCENES).await.map_err(failed)?;
    match stream.direct_get_last_for_subject(scene_subject(id.as_str(), part)).await {
        Ok(message) => ScenePart::decode(&message.payload).map(Some).map_err(invalid),
        Err(error) if error.kind() == DirectGetErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(error)),
    }
}

fn decode(part: &ScenePart, id: &MatchId, header: &[u8], frame: &Bytes) -> io::Result<PublishedScene> {
    let introduction: MatchSummary = serde_json::from_slice(header)?;
    let payload = frame::payload(frame);
    let text = std::str::from_utf8(&payload).map_err(invalid)?;
    let Message::Scene { seq, t, scene } = Message::from_json(None, text).map_err(invalid)? else {
        return Err(invalid("the scene is another message"));
    };
    if introduction.id != *id || seq != introduction.seq || scene.game() != introduction.game {
        return Err(invalid("the scene is of another match"));
    }
    Ok(PublishedScene { number: part.number, after: part.after, introduction, t, scene })
}

pub(super) fn invalid(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

pub(super) fn failed(error: impl std::error::Error) -> io::Error {
    io::Error::other(super::connection::chain(&error))
}
