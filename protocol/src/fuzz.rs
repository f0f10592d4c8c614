//! The bodies of the fuzz targets: each takes any bytes and panics when something that must always hold does not.

use crate::{Command, Decoder, Event, Game, Limits, Message, Micros, Request, Scene};

/// Any bytes as a connection: nothing is lost, the canonical lines decode to the same events, JSON gives back the same
/// command, and the scene can be drawn and written.
pub fn lines(data: &[u8]) {
    let events = decode(data);
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
                    // Why a line may not stand where it stands is not in the JSON.
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
    assert_eq!(decode(&text), events, "canonical lines decode to the same events");
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
        if let Ok(request) = Request::from_line(line) {
            let line = request.to_line();
            assert!(!line.contains('\n'), "a request is one line");
            let back = Request::from_line(line.as_bytes());
            assert_eq!(back.expect("a request reads what it wrote"), request);
        }
    }
}

fn decode(data: &[u8]) -> Vec<Event> {
    let mut decoder = Decoder::new(Limits { line_bytes: usize::MAX, match_bytes: usize::MAX });
    decoder.push(data);
    decoder.finish();
    let mut events = Vec::new();
    while let Some(event) = decoder.next() {
        events.push(event.expect("no line is too long"));
    }
    events
}
