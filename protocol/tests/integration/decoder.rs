//! The decoder against streams that are cut, spoiled, endless or too large.

use grandstand_protocol::{Command, DecodeError, Decoder, Event, Game, Limits, SeatLine, SeatRequest};

fn drain(decoder: &mut Decoder) -> Vec<Result<Event, DecodeError>> {
    std::iter::from_fn(|| decoder.next()).collect()
}

fn lines(decoder: &mut Decoder) -> Vec<String> {
    drain(decoder).into_iter().map(|event| event.expect("no line is too long").to_line()).collect()
}

#[test]
fn a_line_comes_with_its_line_feed() {
    let mut decoder = Decoder::new(Limits::default());
    decoder.push(b"set B~2");
    assert!(decoder.next().is_none());
    decoder.push(b" w4\r");
    assert!(decoder.next().is_none());
    decoder.push(b"\nturns 1\nturns");
    assert_eq!(lines(&mut decoder), ["set B~2 w4", "turns 1"]);
    assert_eq!(decoder.line_number(), 2);
}

#[test]
fn half_a_line_at_the_end_comes_when_the_stream_is_finished() {
    let mut decoder = Decoder::new(Limits::default());
    decoder.push(b"turns 1\nbsay I had more to s");
    assert_eq!(lines(&mut decoder), ["turns 1"]);
    decoder.finish();
    assert_eq!(lines(&mut decoder), ["bsay I had more to s"]);
    decoder.push(b"ay\n");
    assert!(decoder.next().is_none(), "nothing comes after the end");
}

#[test]
fn blank_lines_yield_nothing_but_count_as_lines() {
    let mut decoder = Decoder::new(Limits::default());
    decoder.push(b"\n\r\n \t\r\nturns 1\n\n");
    decoder.finish();
    assert_eq!(lines(&mut decoder), ["turns 1"]);
    assert_eq!(decoder.line_number(), 5);
    let mut decoder = Decoder::new(Limits::default());
    decoder.finish();
    assert!(decoder.next().is_none());
    assert_eq!(decoder.line_number(), 0);
}

#[test]
fn a_byte_over_the_line_limit_is_an_error() {
    let limits = Limits { line_bytes: 12, match_bytes: 12 };
    let mut decoder = Decoder::new(limits);
    decoder.push(b"turns 1\nbsay 7 bytes\nturns 2\nbsay 78 bytes\nturns 3\n");
    let events = drain(&mut decoder);
    assert_eq!(events.len(), 4);
    assert!(events[..3].iter().all(Result::is_ok));
    let error = DecodeError::LineTooLong { line: 4, byte: 29, limit: 12 };
    assert_eq!(events[3], Err(error.clone()));
    assert_eq!(error.to_string(), "line 4, which begins at byte 29, is longer than 12 bytes");
    decoder.push(b"turns 4\n");
    decoder.finish();
    assert!(decoder.next().is_none(), "it stays in error");
    assert_eq!(decoder.error(), Some(&error));
}

#[test]
fn the_error_of_a_long_line_does_not_wait_for_its_end() {
    let mut decoder = Decoder::new(Limits::default());
    decoder.push(&vec![b'x'; 65_536]);
    assert!(decoder.next().is_none());
    decoder.push(b"x");
    assert_eq!(decoder.next(), Some(Err(DecodeError::LineTooLong { line: 1, byte: 0, limit: 65_536 })));
}

#[test]
fn a_line_without_end_is_an_error_after_the_limit() {
    for chunk in [1_000, 10 << 20] {
        let mut decoder = Decoder::new(Limits::default());
        let mut failed = 0;
        for bytes in vec![b'x'; 10 << 20].chunks(chunk) {
            decoder.push(bytes);
            assert!(
                decoder.buffered_bytes() <= (1 << 20) + 1,
                "no more is kept than the longest line may have"
            );
            failed += drain(&mut decoder).iter().filter(|event| event.is_err()).count();
        }
        assert_eq!(failed, 1);
    }
}

#[test]
fn lines_that_wait_do_not_count_against_the_line_that_follows() {
    let limits = Limits { line_bytes: 10, match_bytes: 10 };
    let mut decoder = Decoder::new(limits);
    for _ in 0..100 {
        decoder.push(b"turns 1\n");
        decoder.push(b"tur");
        decoder.push(b"ns 2\n");
    }
    assert_eq!(lines(&mut decoder).len(), 200);
}

#[test]
fn only_a_header_at_its_place_may_be_longer_than_a_line() {
    let header = format!("#gs match {{\"title\":\"{}\"}}\n", "x".repeat(100_000));
    let mut decoder = Decoder::new(Limits::default());
    decoder.push(header.as_bytes());
    assert!(matches!(decoder.next(), Some(Ok(Event::Match(_)))));
    decoder.push(header.as_bytes());
    assert!(matches!(decoder.next(), Some(Err(DecodeError::LineTooLong { line: 2, limit: 65_536, .. }))));

    let mut decoder = Decoder::new(Limits::default());
    decoder.push(b"turns 1\n");
    decoder.push(header.as_bytes());
    assert!(matches!(decoder.next(), Some(Ok(_))));
    assert!(matches!(decoder.next(), Some(Err(DecodeError::LineTooLong { line: 2, .. }))));

    let mut decoder = Decoder::new(Limits::default());
    decoder.push(format!("#gs match {{\"title\":\"{}", "x".repeat(2 << 20)).as_bytes());
    assert!(matches!(decoder.next(), Some(Err(DecodeError::LineTooLong { limit: 1_048_576, .. }))));
}

#[test]
fn a_million_lines_at_once_are_a_million_commands() {
    let mut decoder = Decoder::new(Limits::default());
    decoder.push("set B~2 w4\n".repeat(1_000_000).as_bytes());
    let mut count = 0;
    while let Some(event) = decoder.next() {
        assert!(matches!(event, Ok(Event::Command(Command::Abalone(_)))));
        count += 1;
    }
    assert_eq!(count, 1_000_000);
}

#[test]
fn a_connection_speaks_abalone_until_it_says_otherwise() {
    let mut decoder = Decoder::new(Limits::default());
    assert_eq!(decoder.game(), Game::Abalone);
    decoder.push(b"#gs game grid\n");
    assert_eq!(decoder.next(), Some(Ok(Event::Game(Game::Grid))));
    assert_eq!(decoder.game(), Game::Grid);
}

#[test]
fn a_line_feed_inside_one_line_can_not_forge_another() {
    let command = Command::parse(Game::Abalone, b"bsay one\nset B~2 w4\n");
    assert_eq!(command.to_line(), "bsay one set B~2 w4");
    let Command::Unknown(unknown) = Command::parse(Game::Abalone, b"draw\nset B~2 w4") else {
        panic!("it is understood")
    };
    assert_eq!(unknown.bytes(), b"draw set B~2 w4");
}

#[test]
fn a_request_about_a_seat_says_what_is_wrong_with_it() {
    let problem = |line: &str| SeatLine::from_line(line.as_bytes()).expect_err(line).to_string();
    assert_eq!(problem(""), "column 1: expected #gs, found the end of the line");
    assert_eq!(problem("#gs take {}"), "column 5: expected seat, move, leave or new, found `take`");
    assert_eq!(problem("#gs seat 7"), "column 10: expected the request's JSON object, found `7`");
    assert!(problem(r##"#gs seat {"id":1}"##).contains("missing field `team`"));
    let without = r##"#gs move {"id":1,"team":"black","move":"h8"}"##;
    assert!(problem(without).starts_with("column 10: expected a move's `ply` and `move`, found"));
    let deep = format!("#gs leave {}", "{\"a\":".repeat(40));
    assert!(problem(&deep).contains("nested at most 32 deep"));
    let many: Vec<String> = (0..9).map(|n| format!(r##""{n}":"x""##)).collect();
    let many = format!(r##"#gs new {{"id":1,"team":"black","settings":{{{}}}}}"##, many.join(","));
    assert!(problem(&many).contains("at most 8 settings are chosen, these are 9"));
    let line = SeatLine::from_line(br##"#gs new {"id":4,"team":"black","settings":{"SIZE":"19"}}"##);
    let settings = [("SIZE".into(), "19".into())].into();
    let request = SeatRequest::New { settings };
    assert_eq!(line, Ok(SeatLine { id: 4, team: "black".into(), request }));
    let line = SeatLine::from_line(br##"#gs move {"id":2,"team":"black","ply":3,"move":"h8","more":1}"##);
    let request = SeatRequest::Move { ply: 3, text: "h8".into() };
    assert_eq!(line, Ok(SeatLine { id: 2, team: "black".into(), request }));
}
