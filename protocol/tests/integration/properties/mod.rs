//! Properties of every command, every message and every stream of bytes.

mod any;
mod any_message;

use grandstand_protocol::message::write_commands;
use grandstand_protocol::{
    Command, Decoder, Event, Limits, Message, Micros, Place, Scene, SeatLine, SeatPost, Text, abalone,
    clean_text, fortress, stones,
};
use proptest::collection::vec;
use proptest::prelude::*;

use any::{commands, game, micros, nasty_text, scene_of, stream};
use any_message::{message, seat_line, seat_post};

/// Every event of a stream, pushed in one piece.
fn decode(bytes: &[u8], limits: Limits) -> Vec<String> {
    decode_in_pieces(bytes, &[], limits)
}

/// Every event and error of a stream, cut after so many bytes at a time.
fn decode_in_pieces(bytes: &[u8], cuts: &[usize], limits: Limits) -> Vec<String> {
    let mut decoder = Decoder::new(limits);
    let mut events = Vec::new();
    let mut rest = bytes;
    let mut cuts = cuts.iter();
    loop {
        let cut = cuts.next().map_or(rest.len(), |&cut| cut.min(rest.len()));
        decoder.push(&rest[..cut]);
        rest = &rest[cut..];
        if rest.is_empty() {
            decoder.finish();
        }
        while let Some(event) = decoder.next() {
            events.push(format!("{} {event:?}", decoder.line_number()));
        }
        if rest.is_empty() {
            return events;
        }
    }
}

proptest! {
    #[test]
    fn a_command_written_as_text_reads_back_the_same((game, commands) in commands()) {
        for command in commands {
            let mut bytes = Vec::new();
            command.write_bytes(&mut bytes);
            prop_assert!(!bytes.contains(&b'\n'));
            let back = Command::parse(game, &bytes);
            prop_assert_eq!(&back, &command);
            bytes.extend_from_slice(b"\r\n");
            prop_assert_eq!(&Command::parse(game, &bytes), &command, "with its line ending");
            prop_assert_eq!(back.to_line(), command.to_line());
        }
    }

    #[test]
    fn a_canonical_line_is_the_only_way_to_write_a_command(game in game(), bytes in stream()) {
        for line in bytes.split(|&byte| byte == b'\n') {
            let command = Command::parse(game, line);
            let mut canonical = Vec::new();
            command.write_bytes(&mut canonical);
            let again = Command::parse(game, &canonical);
            prop_assert_eq!(&again, &command);
            let mut twice = Vec::new();
            again.write_bytes(&mut twice);
            prop_assert_eq!(twice, canonical);
        }
    }

    #[test]
    fn a_command_written_as_json_reads_back_the_same((game, commands) in commands()) {
        for command in commands {
            let mut json = Vec::new();
            command.write_json(&mut json);
            let json = String::from_utf8(json).expect("JSON is UTF-8");
            let value: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
            prop_assert!(value["cmd"].is_string());
            prop_assert_eq!(serde_json::to_string(&command).expect("serde writes it"), json.as_str());
            prop_assert_eq!(Command::from_json(game, &json).expect("a command reads what it wrote"), command);
        }
    }

    #[test]
    fn a_message_reads_back_the_same((game, message) in message()) {
        let json = message.to_json();
        prop_assert!(json.starts_with("{\"type\":\""), "`type` comes first");
        let back = Message::from_json(Some(game), &json);
        prop_assert_eq!(back.expect("a message reads what it wrote"), message);
    }

    #[test]
    fn a_seat_line_reads_back_the_same_and_is_one_line(request in seat_line()) {
        let line = request.to_line();
        prop_assert!(!line.contains(['\n', '\r']));
        prop_assert_eq!(SeatLine::from_line(line.as_bytes()), Ok(request));
    }

    #[test]
    fn a_seat_post_reads_back_the_same(post in seat_post()) {
        let back = SeatPost::from_json(post.path(), post.to_json().as_bytes());
        prop_assert_eq!(back.expect("a request reads what it wrote"), post);
    }

    #[test]
    fn commands_in_place_are_written_as_the_message((_, commands) in commands(), seq: u64, t in micros()) {
        let mut direct = Vec::new();
        let count = write_commands(&mut direct, seq, t, &commands, usize::MAX);
        prop_assert_eq!(count, commands.len());
        prop_assert_eq!(String::from_utf8(direct), Ok(Message::Commands { seq, t, commands }.to_json()));
    }

    #[test]
    fn a_scene_reads_back_the_same((game, commands) in commands()) {
        let scene = scene_of(game, &commands);
        let json = serde_json::to_string(&scene).expect("a scene is written");
        prop_assert_eq!(serde_json::from_str::<Scene>(&json).expect("a scene is read"), scene);
    }

    #[test]
    fn a_scene_in_the_middle_and_the_rest_is_the_scene_at_the_end((game, commands) in commands(), at: prop::sample::Index) {
        let at = at.index(commands.len() + 1);
        let mut late = scene_of(game, &commands[..at]);
        for (command, seq) in commands.iter().zip(1..).skip(at) {
            late.apply(seq, Micros(seq * 1_000), command);
        }
        prop_assert_eq!(late, scene_of(game, &commands));
    }

    #[test]
    fn any_cutting_of_a_stream_gives_the_same_events(bytes in stream(), cuts in vec(0..30_usize, 0..40), limit in 1..60_usize) {
        for limits in [Limits::default(), Limits { line_bytes: limit, match_bytes: limit + 10 }] {
            let whole = decode(&bytes, limits);
            prop_assert_eq!(&decode_in_pieces(&bytes, &cuts, limits), &whole);
            let ones = vec![1; bytes.len()];
            prop_assert_eq!(&decode_in_pieces(&bytes, &ones, limits), &whole, "byte by byte");
        }
    }

    #[test]
    fn every_line_that_is_not_blank_is_one_event(bytes in vec(any::<u8>(), 0..300), newlines in vec(any::<prop::sample::Index>(), 0..20)) {
        let mut bytes = bytes;
        for index in newlines {
            if !bytes.is_empty() {
                let index = index.index(bytes.len());
                bytes[index] = b'\n';
            }
        }
        let blank = |line: &&[u8]| {
            let end = line.iter().rposition(|&byte| byte != b'\r').map_or(0, |at| at + 1);
            !line[..end].iter().all(|byte| matches!(byte, b' ' | b'\t'))
        };
        let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').filter(blank).collect();
        let mut decoder = Decoder::new(Limits::default());
        decoder.push(&bytes);
        decoder.finish();
        for line in lines {
            let event = decoder.next().expect("an event for every line").expect("no line is too long");
            if let Event::Command(Command::Unknown(unknown)) = event {
                prop_assert!(line.starts_with(unknown.bytes()), "nothing of the line is lost");
            }
        }
        prop_assert!(decoder.next().is_none());
    }

    #[test]
    fn a_time_is_a_decimal_with_at_most_six_places(t in micros()) {
        let json = serde_json::to_string(&t).expect("a time is written");
        let plain = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match json.split_once('.') {
            Some((secs, places)) => {
                prop_assert!(plain(secs) && plain(places) && places.len() <= 6 && !places.ends_with('0'));
            }
            None => prop_assert!(plain(&json)),
        }
        prop_assert_eq!(serde_json::from_str::<Micros>(&json).expect("a time is read"), t);
        prop_assert_eq!(json.parse::<Micros>(), Ok(t));
        prop_assert_eq!(serde_json::from_value::<Micros>(serde_json::to_value(t).expect("a value")).expect("a time"), t);
    }

    #[test]
    fn cleaned_text_stays_in_its_line_and_is_short(text in nasty_text(), times in 1..60_usize) {
        let cleaned = clean_text(&text.repeat(times));
        prop_assert!(cleaned.chars().count() <= 200);
        let breaks = cleaned.contains(|c: char| c.is_control() || c == '\u{2028}');
        prop_assert!(!breaks);
        prop_assert_eq!(clean_text(&cleaned), cleaned.as_str());
        let line = Command::Abalone(abalone::Command::Say { team: abalone::Team::Black, text: Text::from(text) }).to_line();
        prop_assert!(!line.contains(['\n', '\r']), "talk can't forge a line");
    }
}

/// What stands where, in words.
fn contents(scene: &Scene) -> std::collections::BTreeMap<String, String> {
    let mut contents = std::collections::BTreeMap::<String, String>::new();
    let mut put = |place: String, what: String| *contents.entry(place).or_default() += &what;
    match scene {
        Scene::Abalone(scene) => {
            scene.pieces().for_each(|(hex, piece)| put(hex.name().to_owned(), format!("{piece:?}")));
        }
        Scene::Shark(scene) => {
            scene.sprites().for_each(|(at, sprite)| put(at.to_string(), format!("{sprite:?}")));
        }
        Scene::Fortress(scene) => {
            let ground = |at: &fortress::Square| scene.elevation().get(*at) != fortress::Elevation::Low;
            fortress::Square::all().filter(ground).for_each(|at| put(at.to_string(), "ground".to_owned()));
            scene.units().iter().for_each(|unit| put(unit.at.to_string(), format!("{unit:?}")));
            scene.points().iter().for_each(|point| put(point.at.to_string(), format!("{point:?}")));
        }
        Scene::Stones(scene) => {
            scene.stones().for_each(|(point, stone)| put(point.to_string(), format!("{stone:?}")));
            scene.forbidden().iter().for_each(|point| put(point.to_string(), "forbidden".to_owned()));
        }
        Scene::Riskless(scene) => {
            for place in scene.territories() {
                put(place.id.to_string(), format!("{place:?} {:?}", scene.holding(place.id)));
            }
            for road in scene.roads() {
                put(road.a.to_string(), format!("{road:?}"));
                put(road.b.to_string(), format!("{road:?}"));
            }
        }
        Scene::Grid(scene) => scene.cells().for_each(|(at, cell)| put(at.to_string(), format!("{cell:?}"))),
    }
    contents
}

proptest! {
    #[test]
    fn a_command_changes_no_place_that_it_does_not_touch((game, commands) in commands()) {
        let mut scene = Scene::new(game);
        for (command, seq) in commands.iter().zip(1..) {
            let touched: Vec<String> = scene.places(command).map(|place| place.to_string()).collect();
            prop_assert!(touched.iter().all(|name| Place::parse(game, name).is_some()), "{touched:?}");
            let before = contents(&scene);
            scene.apply(seq, Micros(seq), command);
            let after = contents(&scene);
            // A new list of forbidden points takes the place of the one before.
            let replaces = matches!(command, Command::Stones(stones::Command::Forbid { .. }));
            if command.is_of_whole_board() || replaces {
                continue;
            }
            for place in before.keys().chain(after.keys()) {
                let same = before.get(place) == after.get(place);
                prop_assert!(same || touched.contains(place), "{place} by {}", command.to_line());
            }
        }
    }
}
