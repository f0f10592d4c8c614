//! Bodies of the server's fuzz targets. Each takes any bytes and panics when an invariant is broken.

use grandstand_protocol::{Game, MatchHeader};
use hyper::StatusCode;
use tokio_tungstenite::tungstenite::handshake::machine::TryParse;
use tokio_tungstenite::tungstenite::handshake::server::{Request, create_response, write_response};

use crate::games::from_header;
use crate::http::origin::origin_allowed;
use crate::http::paths::match_of;
use crate::http::query::query_number;
use crate::http::upgrade::handshake_refusal;
use crate::live::inbound::{Inbound, Received};
use crate::match_id::Ulid;
use crate::recordings::RecordingEnd;
use crate::tournament::definition::{self, Definition};

/// Any bytes as the header of a replay: the match that it sets up has the same header.
pub fn header(data: &[u8]) {
    let Ok(header) = serde_json::from_slice::<MatchHeader>(data) else { return };
    for game in Game::ALL {
        let Ok(spec) = from_header(game, &header) else { continue };
        let written = spec.header(None);
        let same = from_header(game, &written).expect("a header sets up the match that it was made for");
        assert_eq!(same.header(None), written);
    }
}

/// Longest frame and message in the fuzzed websocket.
const LIMIT: usize = 256;

/// Any bytes from a websocket client: reading them whole and byte by byte gives the same result, and less than one
/// frame is buffered between two reads.
pub fn websocket(data: &[u8]) {
    let whole = receive(data.chunks(data.len().max(1)));
    let bytewise = receive(data.chunks(1));
    assert_eq!(whole, bytewise);
}

fn receive<'a>(chunks: impl Iterator<Item = &'a [u8]>) -> Received {
    let mut total = Received::default();
    let mut state = None;
    for chunk in chunks {
        let (received, next) = Inbound::receive(state.take(), chunk, LIMIT, u32::MAX);
        total.answer.extend(received.answer);
        total.messages += received.messages;
        state = next;
        assert!(state.as_ref().is_none_or(|s| s.held() < LIMIT + 14));
        if received.close.is_some() {
            total.close = received.close;
            break;
        }
    }
    total
}

/// Any bytes as a message between an origin and a relay: it is refused, or written again as it came.
pub fn feeds(data: &[u8]) {
    crate::nats::entry::check(data);
    crate::nats::check_facts(data);
}

/// Any bytes as the head of a request that may become a websocket: a part of a head does not parse as a head, and a
/// handshake is accepted, or refused with a reason.
pub fn upgrade(data: &[u8]) {
    let Ok(Some((len, request))) = Request::try_parse(data) else { return };
    assert!(len <= data.len(), "a head is of the bytes that came");
    assert!(matches!(Request::try_parse(&data[..len / 2]), Ok(None)), "half of a head is not one");
    let _ = match_of(request.uri().path()).map(str::parse::<Ulid>);
    let _ = (query_number(request.uri(), "since"), origin_allowed(request.headers(), &[]));
    match create_response(&request) {
        Ok(response) => {
            assert_eq!(response.status(), StatusCode::SWITCHING_PROTOCOLS);
            let mut head = Vec::new();
            write_response(&mut head, &response).expect("memory does not fail");
            assert!(head.ends_with(b"\r\n\r\n"));
        }
        Err(error) => {
            let refusal = handshake_refusal(&error);
            assert!(refusal.status.is_client_error() && !refusal.message.is_empty());
        }
    }
}

/// Any bytes as a request's target and body, as a match's id, and as the last line of a recording.
pub fn text(data: &[u8]) {
    grandstand_protocol::fuzz::seat_posts(data);
    if let Some(ending) = RecordingEnd::parse(data) {
        let mut line = Vec::new();
        ending.write_line(Default::default(), &mut line);
        assert_eq!(RecordingEnd::parse(&line), Some(ending));
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(id) = text.parse::<Ulid>() {
        assert_eq!(id.to_string(), text);
    }
    if let Ok(uri) = text.parse::<hyper::Uri>() {
        // Errors in either are returned, never a panic.
        let _ = (match_of(uri.path()), query_number(&uri, "since"));
    }
}

/// Any bytes as the file of a tournament: a valid definition can be stored in a catalogue; an error names its place.
pub fn tournament(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match definition::parse("fuzz.toml", &text) {
        Ok(read) => {
            let kept = serde_json::to_string(&read).expect("a definition is JSON");
            let again: Definition =
                serde_json::from_str(&kept).expect("a catalogue's definition can be read");
            assert_eq!(again, read);
        }
        Err(error) => assert!(error.to_string().contains("fuzz.toml"), "{error}"),
    }
}

/// Any bytes as the rubric of a grade.
pub fn rubric(data: &[u8]) {
    crate::cli::grade::rubric::fuzz(&String::from_utf8_lossy(data));
}

/// Any bytes as a script of answers to a program's actions.
pub fn actions(data: &[u8]) {
    crate::cli::run::script::fuzz(&String::from_utf8_lossy(data));
}

/// Any bytes as a message between a director and a worker, or as what one reports of a game: it is refused, or written
/// again as it came.
pub fn work(data: &[u8]) {
    crate::tournament::distributed::fuzz(data);
}
