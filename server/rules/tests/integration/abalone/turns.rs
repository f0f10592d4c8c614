//! The figures of the handout and other turns: every file in `tests/turns/` is a board, one team's moves, and
//! the board afterwards.

use std::fs;
use std::path::Path;

use grandstand_protocol::abalone::Scene;

use super::common;
use super::diagram::Diagram;

#[test]
fn every_turn_ends_as_drawn() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/turns");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 10, "the files of turns are missing");
    for file in files {
        check(&file.display().to_string(), &fs::read_to_string(&file).unwrap());
    }
}

/// A file is comments, `black moves` or `white moves`, a diagram, `black N white N dead PID…`, a diagram.
fn check(name: &str, text: &str) {
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with(';')).collect();
    assert_eq!(lines.len(), 20, "{name}: two headings and two diagrams of nine lines");
    let turn = match lines[0] {
        "black moves" => 1,
        "white moves" => 2,
        other => panic!("{name}: {other}"),
    };
    let mut world = common::world(turn, &lines[1..10].join("\n"));
    let mut scene = Scene::default();
    common::draw(&mut scene, &world.drain_commands());

    let end = world.end_cycle(world.next_event_cycle());

    let (black, white) = common::score(&world);
    let dead: String = end.dead.iter().map(|bot| format!(" {}", bot.pid)).collect();
    assert_eq!(format!("black {black} white {white} dead{dead}"), lines[10], "{name}");
    let expected: Diagram = lines[11..].join("\n").parse().unwrap();
    assert_eq!(common::board(&world), expected.to_string(), "{name}");
    common::draw(&mut scene, &world.drain_commands());
    common::assert_same_picture(&scene, &world.scene());
}
