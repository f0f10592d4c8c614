//! Bodies of the fuzz targets. Each takes any bytes and panics when an invariant does not hold.

use crate::{
    Command, DecodeError, Decoder, Event, Game, Limits, Message, Micros, Scene, SeatLine, SeatPath, SeatPost,
    SeatRequest,
};

/// Limits that are soon reached.
const SHORT: Limits = Limits { line_bytes: 40, match_bytes: 90 };

/// Any bytes as a connection. However they are cut, nothing is lost; the canonical lines decode to the same events, JSON gives
/// back the same command, and the scene can be drawn and written.
pub fn lines(data: &[u8]) {
    let events = whole(data);
    assert_eq!(decode(data, 7, LONG), (events.clone(), None), "the pieces make a difference");
    assert_eq!(decode(data, 1, SHORT), decode(data, data.len(), SHORT), "the pieces make a difference");
    let mut text = Vec::new();
    let mut game = Game::Abalone;
    let mut scene = None;
    for (event, seq) in events.iter().zip(1..) {
        match event {
            Event::Command(command) => {
                command.write_bytes(&mut text);
                let mut json = Vec::new();
                command.write_json(&mut json);
                let json = String::from_utf8(json).expect("JSON is UTF-8");
                let back = Command::from_json(game, &json).expect("a command reads what it wrote");
                match (command, &back) {
                    // The JSON of an unknown line does not contain the reason for a wrong position.
                    (Command::Unknown(a), Command::Unknown(b)) => assert_eq!(a.bytes(), b.bytes()),
                    (a, b) => assert_eq!(a, b),
                }
                scene.get_or_insert_with(|| Scene::new(game)).apply(seq, Micros(seq), command);
            }
            Event::Game(said) => game = *said,
            Event::Match(_) | Event::Seats(_) | Event::Answer(_) | Event::Result(_) => {}
        }
        if !matches!(event, Event::Command(_)) {
            text.extend_from_slice(event.to_line().as_bytes());
        }
        text.push(b'\n');
    }
    assert_eq!(whole(&text), events, "canonical lines decode to the same events");
    if let Some(scene) = scene {
        let json = serde_json::to_string(&scene).expect("a scene can be written");
        assert_eq!(serde_json::from_str::<Scene>(&json).expect("a scene reads what it wrote"), scene);
    }
}

/// Any bytes as JSON from a server: reading never panics, and what was read is written and read the same.
pub fn json(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for game in Game::ALL {
        if let Ok(command) = Command::from_json(game, &text) {
            let mut json = Vec::new();
            command.write_json(&mut json);
            let json = String::from_utf8(json).expect("JSON is UTF-8");
            assert_eq!(Command::from_json(game, &json).expect("a command reads what it wrote"), command);
        }
        if let Ok(message) = Message::from_json(Some(game), &text) {
            let back = Message::from_json(Some(game), &message.to_json());
            assert_eq!(back.expect("a message reads what it wrote"), message);
        }
    }
}

/// Any bytes as lines from a bridge: reading never panics, and a request that was read is written and read the same.
pub fn requests(data: &[u8]) {
    for line in data.split(|&byte| byte == b'\n') {
        if let Ok(request) = SeatLine::from_line(line) {
            let line = request.to_line();
            assert!(!line.contains('\n'), "a request is one line");
            let back = SeatLine::from_line(line.as_bytes());
            assert_eq!(back.expect("a request reads what it wrote"), request);
        }
    }
}

/// Any bytes as the body of a request over HTTP: reading never panics, a request that was read is written and read the same,
/// and its texts fit into one line.
pub fn seat_posts(data: &[u8]) {
    for path in SeatPath::ALL {
        if let Ok(post) = SeatPost::from_json(path, data) {
            assert_eq!(post.path(), path);
            let back = SeatPost::from_json(path, post.to_json().as_bytes());
            assert_eq!(back.expect("a request reads what it wrote"), post);
            let texts: Vec<_> = match &post.request {
                SeatRequest::Take { name } => name.iter().collect(),
                SeatRequest::Move { text, .. } => vec![text],
                SeatRequest::Leave => Vec::new(),
                SeatRequest::New { settings } => {
                    settings.iter().flat_map(|(name, value)| [name, value]).collect()
                }
            };
            let mut labels = post.team.iter().chain(texts);
            assert!(labels.all(|label| !label.contains(char::is_control)), "a request is one line");
        }
    }
}

const LONG: Limits = Limits { line_bytes: usize::MAX, match_bytes: usize::MAX };

fn whole(data: &[u8]) -> Vec<Event> {
    let (events, error) = decode(data, data.len(), LONG);
    assert_eq!(error, None, "no line is too long");
    events
}

/// The events and the error of a connection that is read in pieces of `piece` bytes.
fn decode(data: &[u8], piece: usize, limits: Limits) -> (Vec<Event>, Option<DecodeError>) {
    let mut decoder = Decoder::new(limits);
    let mut events = Vec::new();
    let mut take = |decoder: &mut Decoder| {
        while let Some(event) = decoder.next() {
            events.push(event?);
        }
        Ok(())
    };
    let mut read = || {
        for piece in data.chunks(piece.max(1)) {
            decoder.push(piece);
            take(&mut decoder)?;
        }
        decoder.finish();
        take(&mut decoder)
    };
    let error = read().err();
    (events, error)
}
