//! Speed at which lines become commands, JSON and scenes: `cargo bench -p grandstand-protocol`. The column `items` is in
//! lines (or scenes) a second, on one core.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use grandstand_protocol::message::write_commands;
use grandstand_protocol::{Command, Decoder, Event, Game, Limits, Micros, Scene};

const LINES: usize = 10_000;

fn main() {
    divan::main();
}

/// Lines in the proportions of a match: nearly all of them set a hex; one in fifty is a turn, a score or talk.
fn match_text() -> String {
    let columns = ["A~4", "B~2", "C0", "D3", "E~4", "E4", "F~3", "G1", "H4", "I0", "I4"];
    let pieces = ["e", "b0", "w4", "b1", "w2", "b3", "w6", "b5"];
    let mut text = String::new();
    for i in 0..LINES {
        match i % 50 {
            49 => match i / 50 % 4 {
                0 => text.push_str("bsay we push on the left\n"),
                1 => text.push_str("wscore 3\n"),
                _ => text.push_str(&format!("turns {i}\n")),
            },
            _ => text.push_str(&format!("set {} {}\n", columns[i % 11], pieces[i * 7 % 8])),
        }
    }
    text
}

/// The same as commands.
fn match_commands() -> Vec<Command> {
    match_text().lines().map(|line| Command::parse(Game::Abalone, line.as_bytes())).collect()
}

/// Bytes in, commands out, pushed in the pieces that a socket gives.
#[divan::bench(args = [1_460, 16_384])]
fn decode(bencher: Bencher<'_, '_>, chunk: usize) {
    let text = match_text();
    bencher.counter(ItemsCount::new(LINES)).bench(|| {
        let mut decoder = Decoder::new(Limits::default());
        let mut count = 0;
        for bytes in text.as_bytes().chunks(chunk) {
            decoder.push(bytes);
            while let Some(event) = decoder.next() {
                black_box(event).expect("no line is too long");
                count += 1;
            }
        }
        assert_eq!(count, LINES);
    });
}

/// Bytes in, a `commands` message for each line out.
#[divan::bench]
fn text_to_json(bencher: Bencher<'_, '_>) {
    let text = match_text();
    let mut json = Vec::new();
    bencher.counter(ItemsCount::new(LINES)).bench_local(|| {
        let mut decoder = Decoder::new(Limits::default());
        let mut seq = 0;
        for bytes in text.as_bytes().chunks(16_384) {
            decoder.push(bytes);
            while let Some(event) = decoder.next() {
                if let Event::Command(command) = event.expect("no line is too long") {
                    seq += 1;
                    json.clear();
                    write_commands(&mut json, seq, Micros(seq * 1_234), &[command], usize::MAX);
                    black_box(&json);
                }
            }
        }
        assert_eq!(seq, LINES as u64);
    });
}

/// A spectator's way: JSON commands in.
#[divan::bench]
fn json_to_command(bencher: Bencher<'_, '_>) {
    let json: Vec<String> = match_commands()
        .iter()
        .map(|command| {
            let mut out = Vec::new();
            command.write_json(&mut out);
            String::from_utf8(out).expect("JSON is UTF-8")
        })
        .collect();
    bencher.counter(ItemsCount::new(LINES)).bench(|| {
        for json in &json {
            black_box(Command::from_json(Game::Abalone, json)).expect("a command");
        }
    });
}

/// Commands as canonical lines.
#[divan::bench]
fn command_to_text(bencher: Bencher<'_, '_>) {
    let commands = match_commands();
    let mut text = String::new();
    bencher.counter(ItemsCount::new(LINES)).bench_local(|| {
        text.clear();
        for command in &commands {
            command.write_line(&mut text);
            text.push('\n');
        }
        black_box(&text);
    });
}

/// The fold.
#[divan::bench]
fn apply(bencher: Bencher<'_, '_>) {
    let commands = match_commands();
    bencher.counter(ItemsCount::new(LINES)).bench(|| {
        let mut scene = Scene::new(Game::Abalone);
        for (command, seq) in commands.iter().zip(1..) {
            scene.apply(seq, Micros(seq), command);
        }
        scene
    });
}

/// What a keyframe costs: a clone of a scene in the midst of a match.
#[divan::bench]
fn clone_scene(bencher: Bencher<'_, '_>) {
    let mut scene = Scene::new(Game::Abalone);
    for (command, seq) in match_commands().iter().zip(1..) {
        scene.apply(seq, Micros(seq), command);
    }
    bencher.counter(ItemsCount::new(1_usize)).bench(|| scene.clone());
}
