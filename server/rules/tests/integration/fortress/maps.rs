//! Section 4: constraints of a map.

use std::collections::BTreeSet;

use grandstand_rules::fortress::{Elevation, Map, maps};
use proptest::prelude::*;

use super::common::{Raised, at, map, text};

/// The faults of the text.
fn faults(text: &str) -> Vec<String> {
    Map::parse(text.as_bytes()).unwrap_err().iter().map(ToString::to_string).collect()
}

/// The flat map with other characters at (x, y).
fn with(changes: &[(i64, i64, char)]) -> String {
    let mut rows: Vec<Vec<char>> = text(&[]).lines().map(|line| line.chars().collect()).collect();
    for &(x, y, letter) in changes {
        rows[(12 - y) as usize][(x + 25) as usize] = letter;
    }
    rows.into_iter().map(|row| row.into_iter().chain(['\n']).collect::<String>()).collect()
}

#[test]
fn the_first_line_is_north_and_digits_are_control_points() {
    let map = Map::parse(with(&[(-20, 0, 'l'), (-20, 12, '0'), (20, 0, 'l'), (20, 12, '4')]).as_bytes());
    // A point at the edge is one that a unit can't leave to the north.
    assert!(map.is_err());
    let text =
        with(&[(-20, 0, 'l'), (-20, 11, '0'), (20, 0, 'l'), (20, 11, '4'), (-10, -3, 'h'), (10, -3, 'h')]);
    let map = Map::parse(text.as_bytes()).unwrap();
    assert_eq!(map.points(), &[at(-20, 11), at(-10, 0), at(0, 0), at(10, 0), at(20, 11)]);
    assert_eq!((map.elevation(at(-10, -3)), map.elevation(at(-10, 3))), (Elevation::High, Elevation::Low));
    assert_eq!((map.point_at(at(20, 11)), map.point_at(at(20, 10))), (Some(4), None));
    assert_eq!(map.to_string(), text);
}

#[test]
fn the_digits_from_5_on_are_control_points_on_high_ground() {
    let mut changes = vec![(0, 0, '7')];
    for (x, y) in [(-1, 0), (1, 0), (0, 1), (0, -1)] {
        changes.push((x, y, 'r'));
    }
    let map = Map::parse(with(&changes).as_bytes()).unwrap();
    assert_eq!((map.points()[2], map.elevation(at(0, 0))), (at(0, 0), Elevation::High));
    assert_eq!(map.to_string(), with(&changes));
}

#[test]
fn line_endings_and_empty_lines_at_the_end_do_not_matter() {
    let plain = map(&[]);
    for text in [text(&[]).trim_end().to_owned(), text(&[]) + "\n\r\n\n", text(&[]).replace('\n', "\r\n")] {
        assert_eq!(Map::parse(text.as_bytes()).unwrap(), plain);
    }
}

#[test]
fn ragged_and_unknown_and_too_much_is_refused_with_its_place() {
    assert_eq!(faults(""), ["line 1, column 1: a map of 0 lines; expected 25 lines of 51 characters"]);
    assert_eq!(
        faults(&text(&[]).replacen('l', "", 1)),
        ["line 1, column 51: a line of 50 characters; expected 51"]
    );
    assert_eq!(
        faults(&text(&[]).replacen('l', "ll", 1)),
        ["line 1, column 52: a line of 52 characters; expected 51"]
    );
    assert_eq!(
        faults(&with(&[(-23, 10, 'x'), (25, -12, 'é')])),
        [
            "line 3, column 3: unknown character 'x'; expected l, r, h or a digit",
            "line 25, column 51: unknown character 'é'; expected l, r, h or a digit"
        ]
    );
    assert_eq!(
        faults(&text(&[]).lines().take(24).map(|line| line.to_owned() + "\n").collect::<String>()),
        ["line 25, column 1: a map of 24 lines; expected 25 lines of 51 characters"]
    );
    assert_eq!(
        faults(&(text(&[]) + &"l".repeat(51))),
        ["line 26, column 1: a map of 26 lines; expected 25 lines of 51 characters"]
    );
    assert_eq!(
        faults(&"l".repeat(70_000)),
        ["line 1, column 1: 70000 bytes are too many for a map; expected 25 lines of 51 characters"]
    );
    let many = Map::parse(text(&[]).replace('l', "x").as_bytes()).unwrap_err();
    assert_eq!((many.iter().len(), many.more()), (20, 25 * 51 - 5 - 20));
    assert!(many.to_string().ends_with("\nand 1250 more"));
}

#[test]
fn control_points_are_neither_missing_nor_double() {
    assert_eq!(
        faults(&with(&[(-20, 0, 'l'), (10, 0, 'l')])),
        [
            "line 25, column 51: no control point 0; expected a `0` or a `5`",
            "line 25, column 51: no control point 3; expected a `3` or a `8`"
        ]
    );
    assert_eq!(
        faults(&with(&[(5, 5, '6')])),
        ["line 13, column 16: control point 1 a second time; the first is at line 8, column 31"]
    );
}

#[test]
fn the_halves_are_symmetrical() {
    assert_eq!(
        faults(&with(&[(-7, 3, 'r'), (24, -9, 'h')])),
        [
            "line 10, column 33: `low` where column 19, its mirror, has `ramp`",
            "line 22, column 50: `high` where column 2, its mirror, has `low`"
        ]
    );
    assert_eq!(
        faults(&with(&[(20, 0, 'l'), (20, 1, '4')])),
        ["line 12, column 46: control point 4 is not at line 13, column 46, the mirror of point 0"]
    );
    assert!(
        Map::parse(with(&[(0, 5, 'h'), (0, 9, 'r')]).as_bytes()).is_ok(),
        "the middle column is its own mirror"
    );
}

#[test]
fn control_points_are_on_their_sides_and_in_their_order() {
    let swapped = with(&[(-20, 0, '1'), (-10, 0, '0'), (10, 0, '4'), (20, 0, '3')]);
    assert_eq!(
        faults(&swapped),
        [
            "line 13, column 6: control point 1 is not to the east of point 0",
            "line 13, column 36: control point 4 is not to the east of point 3"
        ]
    );
    let moved = faults(&with(&[(0, 0, 'l'), (1, 0, '2')]));
    assert_eq!(moved, ["line 13, column 27: control point 2 is not in the middle column, 26"]);
    let sides = faults(&with(&[(-20, 0, '4'), (-10, 0, '3'), (10, 0, '1'), (20, 0, '0')]));
    assert_eq!(sides.len(), 4 + 4, "{sides:?}");
    assert_eq!(
        sides[0],
        "line 13, column 46: control point 0 is not in the western half, left of the middle column"
    );
    let same_column = with(&[(-20, 0, 'l'), (-10, 3, '0'), (20, 0, 'l'), (10, 3, '4')]);
    assert_eq!(faults(&same_column).len(), 2);
}

#[test]
fn every_control_point_is_reached_and_left_every_way() {
    // A plateau around point 2, without a ramp.
    let plateau = text(&[('h', (0, -2), (2, 2))]).replace('2', "7");
    assert_eq!(faults(&plateau), ["line 13, column 26: control point 2 can't be reached from point 0"]);
    let with_ramp = text(&[('h', (0, -2), (2, 2)), ('r', (3, 0), (3, 0))]).replace('2', "7");
    assert!(Map::parse(with_ramp.as_bytes()).is_ok());
    // A wall across the board.
    let wall = faults(&text(&[('h', (15, -12), (15, 12))]));
    assert_eq!(wall.len(), 4, "{wall:?}");
    // A cliff beside a point, and the edge of the board.
    assert_eq!(
        faults(&with(&[(-10, 1, 'h'), (10, 1, 'h')])),
        [
            "line 13, column 16: a unit on control point 1 can't move north",
            "line 13, column 36: a unit on control point 3 can't move north"
        ]
    );
    assert_eq!(
        faults(&with(&[(-20, 0, 'l'), (-25, 0, '0'), (20, 0, 'l'), (25, 0, '4')])),
        [
            "line 13, column 1: a unit on control point 0 can't move west",
            "line 13, column 51: a unit on control point 4 can't move east"
        ]
    );
}

#[test]
fn unreachable_ground_and_ramps_to_nothing_are_odd() {
    let odd = |raised: &[Raised]| -> Vec<String> {
        map(raised).warnings().iter().map(ToString::to_string).collect()
    };
    assert_eq!(odd(&[]), Vec::<String>::new());
    assert_eq!(odd(&[('h', (4, 4), (8, 4))]), Vec::<String>::new(), "a wall");
    // A chamber on either side.
    let chamber = [('h', (4, 4), (8, 8)), ('l', (5, 5), (7, 7))];
    assert_eq!(
        odd(&chamber),
        [
            "line 6, column 19: no way leads to the 9 squares from here on",
            "line 6, column 31: no way leads to the 9 squares from here on"
        ]
    );
    let with_ramp = [chamber[0], chamber[1], ('r', (6, 4), (6, 4))];
    assert_eq!(odd(&with_ramp), Vec::<String>::new());
    assert_eq!(
        odd(&[('h', (25, 0), (25, 0))]),
        [
            "line 13, column 1: no way leads to the middle of the western edge: red's units appear elsewhere when it has no control point",
            "line 13, column 51: no way leads to the middle of the eastern edge: blue's units appear elsewhere when it has no control point"
        ]
    );
    assert_eq!(
        odd(&[('r', (0, 5), (1, 5))]),
        ["line 8, column 25: no high ground beside this ramp or those that it touches"]
    );
}

#[test]
fn every_shipped_map_is_one_and_known_by_its_name() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/fortress");
    let files: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(files, maps::SHIPPED.iter().map(|(name, _)| format!("{name}.map")).collect());
    for (name, text) in maps::SHIPPED {
        let map = Map::parse(text.as_bytes()).unwrap_or_else(|faults| panic!("{name}: {faults}"));
        assert_eq!(map.to_string(), text);
        assert!(map.warnings().is_empty(), "{name}: {}", map.warnings());
        assert_eq!(maps::by_name(name).as_ref(), Some(&map));
        assert_eq!(maps::by_name(&format!("{name}.map")), Some(map));
    }
    assert_eq!((maps::by_name("nowhere"), maps::by_name("")), (None, None));
}

proptest! {
    #[test]
    fn a_map_is_written_as_it_was_read(
        raised in proptest::collection::vec((prop::sample::select(vec!['l', 'r', 'h']), (-25..=25_i64, -12..=12_i64), (-25..=25_i64, -12..=12_i64)), 0..6),
    ) {
        let text = text(&raised);
        if let Ok(map) = Map::parse(text.as_bytes()) {
            prop_assert_eq!(map.to_string(), text);
        }
    }

    #[test]
    fn any_bytes_are_a_map_or_say_what_is_wrong(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        grandstand_rules::fuzz::fortress_map(&bytes);
    }
}
