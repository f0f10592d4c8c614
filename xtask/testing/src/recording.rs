//! A short match as lines, messages and a recording.

use grandstand_protocol::{Command, Game, Message, Micros};

/// The short match: two turns, talk, an invalid line, and a push over the edge at 2.0 s (command 14).
pub const LINES: &[(f64, &str)] = &[
    (0.0, "turns 1"),
    (0.0, "set E2 b0"),
    (0.0, "set E3 b0"),
    (0.0, "set E4 w0"),
    (0.2, "bsay Here we come"),
    (0.5, "sett E0 b1"),
    (0.8, "set E2 b1"),
    (0.8, "set E3 b1"),
    (1.0, "turns 2"),
    (1.5, "wsay Oh no"),
    (2.0, "bscore 1"),
    (2.0, "set E4 b0"),
    (2.0, "set E3 b0"),
    (2.0, "set E2 e"),
    (2.0, "turns 3"),
    (3.0, "wsay Well played"),
];

/// A recording of `game` with these lines, between `Reds` and `Blues`.
#[must_use]
pub fn recording(game: &str, lines: &[(f64, &str)]) -> String {
    let mut text = format!(
        r#"{{"grandstand":1,"game":"{game}","title":"Final","teams":[{{"name":"Reds","color":"red"}},{{"name":"Blues","color":"blue"}}]}}"#
    );
    let mut last = 0.0;
    for (secs, line) in lines {
        text += &format!("\n[{:.6},\"c\",\"{line}\"]", secs - last);
        last = *secs;
    }
    text + "\n[0.5,\"r\",{\"winner\":\"red\",\"termination\":\"score\"}]\n"
}

/// The short match as a recording.
#[must_use]
pub fn replay() -> String {
    let mut text = r#"{"grandstand":1,"game":"abalone","title":"Final","teams":[{"name":"Reds","color":"black"},{"name":"Blues","color":"white"}],"rules":{"WINNING_SCORE":6}}"#.to_owned();
    let mut last = 0.0;
    for (secs, line) in LINES {
        let code = if line.starts_with("sett") { "x" } else { "c" };
        text += &format!("\n[{:.6},\"{code}\",\"{line}\"]", secs - last);
        last = *secs;
    }
    text + "\n[0.5,\"r\",{\"winner\":\"black\",\"termination\":\"score\"}]\n"
}

/// Summary of a match, as in the list of matches.
#[must_use]
pub fn summary(id: &str, state: &str, title: &str) -> String {
    format!(
        r#"{{"id":"{id}","game":"abalone","title":"{title}","teams":[{{"name":"Reds","color":"black"}},{{"name":"Blues","color":"white"}}],"state":"{state}","started":"2026-04-11T12:05:00Z","seq":3,"spectators":2,"result":null}}"#
    )
}

/// The first message of the short match's feed, with the given state.
#[must_use]
pub fn hello(state: &str) -> String {
    format!(r#"{{"type":"hello","protocol":1,"match":{}}}"#, summary("m1", state, "Final"))
}

/// A `commands` message with lines `from` to `to` of the short match.
#[must_use]
pub fn commands(from: usize, to: usize) -> String {
    let t = Micros::from_secs_f64(LINES[from - 1].0).unwrap();
    let commands = LINES[from - 1..to].iter();
    let commands = commands.map(|(_, line)| Command::parse(Game::Abalone, line.as_bytes())).collect();
    Message::Commands { seq: from as u64, t, commands }.to_json()
}
