//! Games from their settings to their ends, as files that a person can read: `games/*.txt`.

use std::fs;
use std::path::Path;

use grandstand_rules::stones::{Position, Rules};
use grandstand_rules::turn::{Outcome, Position as _, Side};

use super::common::picture;

/// Plays a file: a line of settings in JSON, moves by turns, `! MOVE REASON` for a move that is refused, `pairs BLACK WHITE`,
/// `end WINNER TERMINATION` or `goes on`, and the board with `x` for black and `o` for white.
fn play(name: &str, text: &str) {
    let mut lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let rules: Rules = serde_json::from_str(lines.next().unwrap()).unwrap();
    let mut position = Position::new(&rules).unwrap();
    let mut board = Vec::new();
    let mut is_ended = false;
    for line in lines {
        let place = format!("{name}: {line}");
        match line.split_once(' ').unwrap_or((line, "")) {
            ("!", refused) => {
                let (mv, reason) = refused.split_once(' ').unwrap();
                let mv = position.parse_move(mv).unwrap();
                let refused = position.clone().play(mv).unwrap_err();
                assert_eq!(refused.to_string(), reason, "{place}");
                assert_eq!(*refused.position, position);
            }
            ("pairs", pairs) => {
                let found = Side::ALL.map(|side| position.pairs(side).to_string()).join(" ");
                assert_eq!(found, pairs, "{place}");
            }
            ("end", expected) => {
                let end = position.end().unwrap_or_else(|| panic!("{place}: it is not over"));
                let winner = match end.outcome {
                    Outcome::Win(Side::First) => "black",
                    Outcome::Win(Side::Second) => "white",
                    Outcome::Draw => "draw",
                };
                assert_eq!(format!("{winner} {}", end.termination), expected, "{place}");
                is_ended = true;
            }
            ("goes", "on") => {
                assert_eq!(position.end(), None, "{place}");
                is_ended = true;
            }
            _ if is_ended => board.push(line.to_owned()),
            _ => {
                for mv in line.split_whitespace() {
                    let mv = position.parse_move(mv).unwrap();
                    position = position.play(mv).unwrap_or_else(|refused| panic!("{place}: {refused}"));
                }
            }
        }
    }
    assert!(is_ended, "{name} has no end");
    assert_eq!(picture(&position), board, "{name}");
}

#[test]
fn games() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stones/games");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 6);
    for file in files {
        play(&file.file_name().unwrap().to_string_lossy(), &fs::read_to_string(&file).unwrap());
    }
}
