//! `grandstand check-map` as a program, and maps by name or file.

use std::fs;
use std::path::Path;

use grandstand_matches::games::title;
use grandstand_matches::maps;
use grandstand_protocol::Game;
use grandstand_testing::Folder;

use crate::program::grandstand;

const ROW: &str = "................................";

/// Exit status, standard output and standard error.
fn check(directory: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = grandstand();
    let output = command.arg("check-map").args(arguments).current_dir(directory).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A map of λ-Shark with these letters at these lines and columns, from 1.
fn shark(letters: &[(usize, usize, char)]) -> String {
    let mut rows = vec![ROW.as_bytes().to_vec(); 16];
    let base = [
        (1, 1, 'r'),
        (16, 1, 'r'),
        (8, 4, 'R'),
        (8, 29, 'B'),
        (1, 32, 'b'),
        (16, 32, 'b'),
        (8, 16, 'i'),
        (8, 17, 'i'),
    ];
    for &(line, column, letter) in base.iter().chain(letters) {
        rows[line - 1][column - 1] = letter as u8;
    }
    rows.into_iter().map(|row| String::from_utf8(row).unwrap() + "\n").collect()
}

#[test]
fn the_maps_in_the_repository_are_the_shipped_ones_and_good() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../maps");
    for format in maps::formats() {
        let directory = root.join(format.game.name());
        let mut files: Vec<String> = fs::read_dir(&directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        let mut shipped: Vec<String> =
            format.shipped.iter().map(|(name, _)| format!("{name}.{}", format.extension)).collect();
        shipped.sort();
        assert_eq!(files, shipped);
        assert!(files.len() >= 4);
        for (name, text) in format.shipped {
            assert_eq!(
                fs::read_to_string(directory.join(format!("{name}.{}", format.extension))).unwrap(),
                *text
            );
        }
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let (status, out, err) = check(&directory, &files);
        assert_eq!((status, err.as_str()), (Some(0), ""), "{out}");
        assert!(
            out.lines().all(|line| line.ends_with(&format!(": a map of {}", title(format.game)))),
            "{out}"
        );
    }
}

#[test]
fn what_is_wrong_is_told_with_file_line_and_column() {
    let place = Folder::new();
    place.file("a.map", shark(&[(3, 7, '#'), (9, 9, '#')]));
    let (status, out, _) = check(place.path(), &["a.map"]);
    assert_eq!(status, Some(1));
    assert_eq!(
        out,
        "a.map:3:7: unknown character '#'; expected one of . * r b R B i\n\
         a.map:9:9: unknown character '#'; expected one of . * r b R B i\n\
         a.map: no map of λ-Shark\n"
    );
}

#[test]
fn warnings_are_no_reason_to_fail() {
    let place = Folder::new();
    place.file("a.map", shark(&[(8, 16, '.'), (8, 17, '.')]));
    let (status, out, _) = check(place.path(), &["a.map"]);
    assert_eq!(status, Some(0));
    let odd = "a.map:16:32: warning: no powerup drop `i`: no spawn credits beyond the first ones\n";
    assert_eq!(out, format!("{odd}a.map: a map of λ-Shark\n"));
}

#[test]
fn one_bad_map_among_good_ones_is_status_1_and_all_are_told() {
    let place = Folder::new();
    place.file("good.map", shark(&[]));
    place.file("bad.map", shark(&[(1, 1, '.'), (16, 1, '.')]));
    let (status, out, _) = check(place.path(), &["bad.map", "good.map"]);
    assert_eq!(status, Some(1));
    assert_eq!(
        out,
        "bad.map:16:32: no spawn point of red; expected at least one `r`\n\
         bad.map: no map of λ-Shark\n\
         good.map: a map of λ-Shark\n"
    );
}

#[test]
fn scripts_read_an_object_a_line() {
    let place = Folder::new();
    place.file("good.map", shark(&[(8, 16, '.'), (8, 17, '.')]));
    place.file("bad.map", "x\n".repeat(40));
    let (status, out, _) = check(place.path(), &["--json", "--game", "shark", "good.map", "bad.map"]);
    assert_eq!(status, Some(1));
    let objects: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let reason = "no powerup drop `i`: no spawn credits beyond the first ones";
    let warnings = serde_json::json!([{ "line": 16, "column": 32, "reason": reason }]);
    assert_eq!(
        objects[0],
        serde_json::json!({ "file": "good.map", "game": "shark", "good": true, "errors": [], "warnings": warnings })
    );
    assert_eq!((&objects[1]["good"], objects[1]["errors"].as_array().unwrap().len()), (&false.into(), 20));
    assert!(objects[1]["more"].as_u64().unwrap() > 0);
}

/// The first shipped map of Steam Fortress with these letters at these lines and columns, from 1.
fn fortress(letters: &[(usize, usize, char)]) -> String {
    let (_, meadow) = maps::format(Game::Fortress).unwrap().shipped[0];
    let mut rows: Vec<Vec<char>> = meadow.lines().map(|line| line.chars().collect()).collect();
    for &(line, column, letter) in letters {
        rows[line - 1][column - 1] = letter;
    }
    rows.into_iter().map(|row| row.into_iter().collect::<String>() + "\n").collect()
}

#[test]
fn a_map_of_steam_fortress_keeps_every_constraint() {
    let place = Folder::new();
    let told = |name: &str, text: String| {
        fs::write(place.join(name), text).unwrap();
        let (status, out, err) = check(place.path(), &["--game", "fortress", name]);
        assert_eq!(err, "");
        (status, out)
    };
    let broken = fortress(&[(1, 1, 'h'), (13, 26, 'l'), (13, 27, '2')]);
    assert_eq!(
        told("broken.map", broken),
        (
            Some(1),
            "broken.map:1:51: `low` where column 1, its mirror, has `high`\n\
             broken.map:13:27: control point 2 is not in the middle column, 26\n\
             broken.map: no map of Steam Fortress\n"
                .to_owned()
        )
    );
    let ragged = fortress(&[(3, 3, '0'), (9, 9, '.')]) + "l\n";
    assert_eq!(
        told("ragged.map", ragged),
        (
            Some(1),
            "ragged.map:9:9: unknown character '.'; expected l, r, h or a digit\n\
             ragged.map:13:5: control point 0 a second time; the first is at line 3, column 3\n\
             ragged.map:26:1: a map of 26 lines; expected 25 lines of 51 characters\n\
             ragged.map: no map of Steam Fortress\n"
                .to_owned()
        )
    );
    let odd = fortress(&[(25, 1, 'r'), (25, 51, 'r')]);
    assert_eq!(
        told("odd.map", odd),
        (
            Some(0),
            "odd.map:25:1: warning: no high ground beside this ramp or those that it touches\n\
             odd.map:25:51: warning: no high ground beside this ramp or those that it touches\n\
             odd.map: a map of Steam Fortress\n"
                .to_owned()
        )
    );
}

#[test]
fn a_riskless_map_keeps_every_constraint() {
    let place = Folder::new();
    let (_, trees) = maps::format(Game::Riskless).unwrap().shipped[3];
    let told = |name: &str, text: String| {
        fs::write(place.join(name), text).unwrap();
        let (status, out, err) = check(place.path(), &[name]);
        assert_eq!(err, "");
        (status, out)
    };
    let broken = trees
        .replacen(r#"["Elm", "Fir"]"#, r#"["Elm", "Elm"], ["Fir", "Oak"]"#, 1)
        .replace("x = 500", "x = 5000");
    assert_eq!(
        told("broken.toml", broken),
        (
            Some(1),
            "broken.toml:10:27: x, in thousandths of the map's width, is 5000; expected a number from 0 to 1000\n\
             broken.toml:11:25: x, in thousandths of the map's width, is 5000; expected a number from 0 to 1000\n\
             broken.toml:20:5: this road leads from `Elm` to itself\n\
             broken.toml:20:29: there is no territory `Oak`\n\
             broken.toml: no map of Riskless\n"
                .to_owned()
        )
    );
    let odd = trees.replacen("goal = 15", "goal = 12", 1);
    assert_eq!(
        told("odd.toml", odd),
        (
            Some(0),
            "odd.toml:5:8: warning: both can pass a goal of 12 at once, which is a draw: 4 territories can hold 24 armies\n\
             odd.toml: a map of Riskless\n"
                .to_owned()
        )
    );
    assert_eq!(told("half.toml", "title = \"x\"\ncap".to_owned()).0, Some(1));
}

#[test]
fn a_maps_game_is_told_by_option_directory_or_characters() {
    let place = Folder::new();
    for directory in ["shark", "fortress", "other"] {
        fs::create_dir(place.join(directory)).unwrap();
        fs::write(place.join(directory).join("s.map"), shark(&[])).unwrap();
        let (_, meadow) = maps::format(Game::Fortress).unwrap().shipped[0];
        fs::write(place.join(directory).join("f.map"), meadow).unwrap();
    }
    let last = |arguments: &[&str]| check(place.path(), arguments).1.lines().last().unwrap().to_owned();
    assert_eq!(last(&["other/s.map"]), "other/s.map: a map of λ-Shark");
    assert_eq!(last(&["other/f.map"]), "other/f.map: a map of Steam Fortress");
    assert_eq!(last(&["shark/f.map"]), "shark/f.map: no map of λ-Shark");
    assert_eq!(last(&["fortress/s.map"]), "fortress/s.map: no map of Steam Fortress");
    assert_eq!(last(&["--game", "fortress", "shark/f.map"]), "shark/f.map: a map of Steam Fortress");
    place.file("empty.map", "");
    let (status, out, _) = check(place.path(), &["empty.map"]);
    assert_eq!(status, Some(1));
    assert_eq!(
        out.lines().next(),
        Some("empty.map:1:1: this looks like no map of λ-Shark, Steam Fortress or Riskless")
    );
}

#[test]
fn unreadable_files_and_games_without_maps_are_status_2() {
    let place = Folder::new();
    let (status, _, err) = check(place.path(), &["nowhere.map"]);
    assert_eq!(status, Some(2));
    assert!(err.starts_with("grandstand: nowhere.map: "), "{err}");
    let (status, _, err) = check(place.path(), &["--game", "abalone", "nowhere.map"]);
    assert_eq!(status, Some(2));
    assert_eq!(err, "grandstand: abalone is played without a map; expected shark, fortress or riskless\n");
    assert_eq!(check(place.path(), &[]).0, Some(2));
    assert_eq!(check(place.path(), &["."]).0, Some(2));
}

#[test]
fn a_huge_file_is_refused_quickly() {
    let place = Folder::new();
    place.file("a.map", vec![b'.'; 8 << 20]);
    let (status, out, _) = check(place.path(), &["a.map"]);
    assert_eq!(status, Some(1));
    assert!(out.contains("a.map:1:1: 1048576 bytes are too many for a map"), "{out}");
}
