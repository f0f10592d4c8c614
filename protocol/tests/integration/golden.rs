//! Golden files that a person can read: what each line means, how it is written, and what is wrong with it.
//!
//! In `golden/*.txt` a line that begins with `> ` is sent (with the escapes `\t`, `\r` and `\xHH`); what stands below it
//! is what comes of it. `GOLDEN=write cargo test -p grandstand-protocol golden` writes the files anew.

use std::path::PathBuf;
use std::{env, fs};

use grandstand_protocol::{Command, Decoder, Event, Game, Limits, Message};

#[test]
fn abalone_lines_mean_what_the_handout_says() {
    check_lines("abalone.txt");
}

#[test]
fn shark_lines_mean_what_the_handout_says() {
    check_lines("shark.txt");
}

#[test]
fn fortress_lines_mean_what_the_documents_say() {
    check_lines("fortress.txt");
}

#[test]
fn stones_lines_mean_what_the_protocol_document_says() {
    check_lines("stones.txt");
}

#[test]
fn riskless_lines_mean_what_the_protocol_document_says() {
    check_lines("riskless.txt");
}

#[test]
fn grid_lines_mean_what_the_protocol_document_says() {
    check_lines("grid.txt");
}

#[test]
fn extension_lines_mean_what_the_protocol_document_says() {
    check_lines("extensions.txt");
}

#[test]
fn messages_are_read_and_written_as_they_stand() {
    let mut game = None;
    for line in read("messages.jsonl").lines() {
        let message = Message::from_json(game, line).unwrap_or_else(|error| panic!("{error} in {line}"));
        if let Message::Hello { r#match, .. } = &message {
            game = Some(r#match.game);
        }
        assert_eq!(message.to_json(), line);
    }
}

#[test]
fn the_examples_of_the_protocol_document_are_understood() {
    let document = include_str!("../../PROTOCOL.md");
    let (mut language, mut count) = ("", 0);
    for line in document.lines() {
        if let Some(fence) = line.strip_prefix("```") {
            language = if language.is_empty() && !fence.is_empty() { fence } else { "" };
            continue;
        }
        match language {
            "" => continue,
            "json" => {
                // A scene says itself of which game it is; the commands are Abalone's.
                let message = Message::from_json(Some(Game::Abalone), line);
                let message = message.unwrap_or_else(|error| panic!("{error} in {line}"));
                assert_eq!(message.to_json(), line);
            }
            dialect => {
                let command = Command::parse(dialect.parse().expect("a game"), line.as_bytes());
                assert!(!matches!(command, Command::Unknown(_)), "{command:?}");
            }
        }
        count += 1;
    }
    assert!(count > 25, "the examples were found");
}

#[test]
fn what_is_not_a_message_says_why() {
    let mut out = String::new();
    for line in read("not-messages.txt").lines() {
        if let Some(json) = line.strip_prefix("> ") {
            let error = Message::from_json(Some(Game::Abalone), json).expect_err(json);
            out.push_str(&format!("> {json}\n{error}\n"));
        } else if line.starts_with('#') || line.is_empty() {
            out.push_str(&format!("{line}\n"));
        }
    }
    compare("not-messages.txt", &out);
}

/// Sends every `> ` line of the file over one connection for each section (a `#` line begins a new one).
fn check_lines(name: &str) {
    let mut out = String::new();
    let mut decoder = Decoder::new(Limits::default());
    for line in read(name).lines() {
        if let Some(sent) = line.strip_prefix("> ") {
            decoder.push(&unescape(sent));
            decoder.push(b"\n");
            out.push_str(&format!("{line}\n"));
            while let Some(event) = decoder.next() {
                out.push_str(&describe(decoder.game(), &event.expect("no line is too long")));
            }
        } else if line.starts_with('#') || line.is_empty() {
            out.push_str(&format!("{line}\n"));
            if line.starts_with('#') {
                decoder = Decoder::new(Limits::default());
            }
        }
    }
    compare(name, &out);
}

fn describe(game: Game, event: &Event) -> String {
    let Event::Command(command) = event else {
        return format!("  line {}\n", escape(&event.to_line()));
    };
    let mut json = Vec::new();
    command.write_json(&mut json);
    let json = String::from_utf8(json).expect("JSON is UTF-8");
    let back = Command::from_json(game, &json).expect("a command reads what it wrote");
    assert_eq!(back.to_line(), command.to_line(), "JSON and back");
    match command {
        Command::Unknown(unknown) => format!("  {}\n  json {json}\n", unknown.problem()),
        known => {
            let line = known.to_line();
            assert!(!line.contains('\n'));
            assert_eq!(Command::parse(game, line.as_bytes()), *known, "text and back");
            format!("  line {}\n  json {json}\n", escape(&line) + "$")
        }
    }
}

/// The line with its control characters as the file writes them.
fn escape(line: &str) -> String {
    let escape = |c: char| if c.is_control() { format!("\\x{:02X}", c as u32) } else { c.to_string() };
    line.chars().map(escape).collect()
}

fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        match (first, tail) {
            (b'\\', [b't', ..]) => bytes.push(b'\t'),
            (b'\\', [b'r', ..]) => bytes.push(b'\r'),
            (b'\\', [b'x', high, low, ..]) => {
                let digits = [*high, *low];
                let digits = str::from_utf8(&digits).expect("hexadecimal digits");
                bytes.push(u8::from_str_radix(digits, 16).expect("hexadecimal digits"));
                rest = &tail[3..];
                continue;
            }
            _ => {
                bytes.push(*first);
                continue;
            }
        }
        rest = &tail[1..];
    }
    bytes
}

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn read(name: &str) -> String {
    fs::read_to_string(path(name)).expect("a golden file")
}

fn compare(name: &str, found: &str) {
    if env::var_os("GOLDEN").is_some() {
        fs::write(path(name), found).expect("the golden file can be written");
    } else {
        let expected = read(name);
        for (number, (expected, found)) in expected.lines().zip(found.lines()).enumerate() {
            assert_eq!(found, expected, "{name}, line {}", number + 1);
        }
        assert_eq!(found, expected, "{name}");
    }
}
