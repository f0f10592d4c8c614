//! Section 3.1: map files, the shipped ones, and faults and warnings of others.

use grandstand_protocol::shark::{Ground, Team};
use grandstand_rules::shark::{PlayableMap, maps};

const ROW: &str = "................................";

/// A map with `.` everywhere but for these letters, by line and column from 1.
fn map(letters: &[(usize, usize, char)]) -> String {
    let mut rows: Vec<Vec<char>> = vec![ROW.chars().collect(); 16];
    for &(line, column, letter) in letters {
        rows[line - 1][column - 1] = letter;
    }
    rows.into_iter().map(|row| row.into_iter().collect::<String>() + "\n").collect()
}

/// A playable map with these changes.
fn good(letters: &[(usize, usize, char)]) -> String {
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
    map(&[&base[..], letters].concat())
}

/// The faults of a map, or else its warnings.
fn said(text: &str) -> Vec<String> {
    match PlayableMap::parse(text.as_bytes()) {
        Ok(field) => field.warnings().iter().map(|fault| format!("(odd) {fault}")).collect(),
        Err(faults) => faults.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn a_map_is_sixteen_lines_of_32_tiles() {
    assert_eq!(said(&good(&[])), [""; 0]);
    assert_eq!(said(&good(&[]).replace('\n', "\r\n")), [""; 0], "with either line ending");
    assert_eq!(said(good(&[]).trim_end()), [""; 0], "and without the last one");
    assert_eq!(said(&(good(&[]) + "\r\n\n")), [""; 0], "or with empty lines at the end");
    assert_eq!(PlayableMap::parse(good(&[]).as_bytes()).unwrap().map().to_string(), good(&[]));
}

#[test]
fn ragged_lines_are_named() {
    let text = good(&[]).replacen(ROW, &ROW[1..], 1);
    assert_eq!(said(&text), ["line 2, column 32: a line of 31 characters; expected 32"]);
    let lines = "expected 16 lines of 32 characters";
    assert_eq!(said(&(good(&[]) + ROW)), [format!("line 17, column 1: a map of 17 lines; {lines}")]);
    assert_eq!(said(&format!("{ROW}\n{ROW}")), [format!("line 3, column 1: a map of 2 lines; {lines}")]);
    let empty = "line 1, column 1: a line of 0 characters; expected 32".to_owned();
    assert_eq!(said(""), [empty, format!("line 2, column 1: a map of 1 lines; {lines}")]);
}

#[test]
fn unknown_characters_are_named_with_their_place() {
    let text = good(&[(3, 7, '#'), (5, 32, 'é')]);
    assert_eq!(
        said(&text),
        [
            "line 3, column 7: unknown character '#'; expected one of . * r b R B i",
            "line 5, column 32: unknown character 'é'; expected one of . * r b R B i"
        ]
    );
}

#[test]
fn a_file_that_is_no_map_is_not_told_character_by_character() {
    assert_eq!(said(&"x\n".repeat(500)).len(), 20);
    assert_eq!(
        said(&"x".repeat(1 << 20)),
        ["line 1, column 1: 1048576 bytes are too many for a map; expected 16 lines of 32 characters"]
    );
}

#[test]
fn each_side_needs_a_spawn_point_and_one_stand() {
    assert_eq!(
        said(&map(&[])),
        [
            "line 16, column 32: no spawn point of red; expected at least one `r`",
            "line 16, column 32: no flag stand of red; expected one `R`",
            "line 16, column 32: no spawn point of blue; expected at least one `b`",
            "line 16, column 32: no flag stand of blue; expected one `B`"
        ]
    );
    assert_eq!(
        said(&good(&[(9, 9, 'R'), (10, 10, 'R'), (11, 11, 'B')])),
        [
            "line 9, column 9: another flag stand of red; the first is at line 8, column 4",
            "line 10, column 10: another flag stand of red; the first is at line 8, column 4",
            "line 11, column 11: another flag stand of blue; the first is at line 8, column 29"
        ]
    );
}

#[test]
fn every_spawn_point_reaches_each_flag() {
    // A wall around blue's stand.
    let walls = [(7, 29, '*'), (9, 29, '*'), (8, 28, '*'), (8, 30, '*')];
    assert_eq!(
        said(&good(&walls)),
        [
            "line 1, column 1: red can't get from this spawn point to the flag, `B`",
            "line 16, column 1: red can't get from this spawn point to the flag, `B`",
            "line 1, column 32: blue can't get from this spawn point to its own stand, `B`",
            "line 16, column 32: blue can't get from this spawn point to its own stand, `B`"
        ]
    );
    // A wall around one spawn point.
    assert_eq!(
        said(&good(&[(1, 2, '*'), (2, 1, '*')])),
        ["line 1, column 1: red can't get from this spawn point to the flag, `B`"]
    );
    // The stands themselves are in the way.
    let corridor: Vec<_> = (1..=32).flat_map(|column| [(7, column, '*'), (9, column, '*')]).collect();
    let corner = [(1, 1, '.'), (16, 1, '.'), (8, 1, 'r'), (1, 32, '.'), (16, 32, '.'), (8, 32, 'b')];
    assert_eq!(
        said(&good(&[&corridor[..], &corner].concat())),
        [
            "line 8, column 1: red can't get from this spawn point to the flag, `B`",
            "line 8, column 32: blue can't get from this spawn point to the flag, `R`"
        ]
    );
}

#[test]
fn what_is_odd_is_a_warning_and_no_more() {
    let pocket = [(3, 3, 'i'), (2, 3, '*'), (4, 3, '*'), (3, 2, '*'), (3, 4, '*')];
    let text = good(&pocket);
    assert_eq!(
        said(&text),
        [
            "(odd) line 3, column 3: no robot can get to this powerup drop",
            "(odd) line 2, column 3: not fair: by the reflection that fits best, line 2, column 30 must be `*`, and is `.`"
        ]
    );
    assert!(PlayableMap::parse(text.as_bytes()).is_ok());
    assert_eq!(
        said(&good(&[(8, 16, '.'), (8, 17, '.')])),
        ["(odd) line 16, column 32: no powerup drop `i`: no spawn credits beyond the first ones"]
    );
    assert_eq!(
        said(&good(&[(16, 1, '.'), (16, 32, '.')])),
        [
            "(odd) line 1, column 1: the only spawn point of red: nobody appears while a robot stands on it",
            "(odd) line 1, column 32: the only spawn point of blue: nobody appears while a robot stands on it",
        ]
    );
    let niche = [(7, 4, '*'), (9, 4, '*'), (8, 3, '*'), (7, 29, '*'), (9, 29, '*'), (8, 30, '*')];
    assert_eq!(
        said(&good(&niche)),
        [
            "(odd) line 8, column 4: red's stand has one open side: one robot keeps everybody from it",
            "(odd) line 8, column 29: blue's stand has one open side: one robot keeps everybody from it"
        ]
    );
}

#[test]
fn a_field_knows_its_places() {
    let field = PlayableMap::parse(good(&[]).as_bytes()).unwrap();
    let names = |places: &[grandstand_protocol::shark::Tile]| {
        places.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(field.stand(Team::Red).to_string(), "3,7");
    assert_eq!(names(field.spawns(Team::Blue)), ["31,0", "31,15"]);
    assert_eq!(names(field.drops()), ["15,7", "16,7"]);
    assert_eq!(field.map().get(field.stand(Team::Blue)), Ground::Stand(Team::Blue));
}

#[test]
fn the_shipped_maps_have_nothing_odd_about_them() {
    assert!(maps::SHIPPED.len() >= 4);
    for (name, text) in maps::SHIPPED {
        assert_eq!(said(text), [""; 0], "{name}");
        let field = PlayableMap::new(&maps::by_name(name).unwrap()).unwrap();
        assert!(field.drops().len() >= 4, "{name}");
        assert!(Team::ALL.iter().all(|&team| field.spawns(team).len() >= 4), "{name}");
    }
    assert_eq!(maps::by_name("nowhere"), None);
}
