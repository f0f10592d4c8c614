//! Balanced openings: the shipped file, and faults of others.

use std::collections::HashSet;

use grandstand_rules::stones::{OPENINGS_MAX, Opening, Openings, Position, Rule, Rules};
use grandstand_rules::turn::Position as _;

use super::common::{points, size};

fn faults(text: &str) -> Vec<String> {
    Openings::parse(text.as_bytes()).unwrap_err().iter().map(ToString::to_string).collect()
}

#[test]
fn the_shipped_openings_are_good_and_begin_games_of_every_rule() {
    let shipped = Openings::shipped();
    assert!(shipped.len() >= 30, "{}", shipped.len());
    let mut starts = HashSet::new();
    for seed in 0..400 {
        for rule in Rule::ALL {
            let rules = shipped.begin(&Rules { rule, ..Rules::default() }, seed).unwrap();
            let position = Position::new(&rules).unwrap();
            assert!((3..=6).contains(&position.ply()) && position.end().is_none());
            assert_eq!(shipped.begin(&Rules { rule, ..Rules::default() }, seed).unwrap(), rules);
            starts.insert(rules.start);
        }
    }
    assert!(starts.len() > 150, "{} openings and forms", starts.len());
}

#[test]
fn an_opening_lies_around_the_centre_of_any_board() {
    let openings = Openings::parse(b"h8 j9 g6 # one\n\n# none\nh8 a1 o15\r\n").unwrap();
    assert_eq!((openings.len(), openings.is_empty()), (2, false));
    assert_eq!(openings.stones(0, 0, size(15)), Some(points("h8 j9 g6")));
    assert_eq!(openings.stones(0, 0, size(19)), Some(points("j10 l11 i8")));
    assert_eq!(openings.stones(0, 0, size(5)), Some(points("c3 e4 b1")));
    assert_eq!(openings.stones(1, 0, size(13)), None, "it doesn't fit");
    assert_eq!(openings.stones(2, 0, size(15)), None);
    let forms: HashSet<_> = (0..8).map(|symmetry| openings.stones(0, symmetry, size(15)).unwrap()).collect();
    assert_eq!(forms.len(), 8);
    // On a small board only openings that fit are selected.
    let small = Rules { size: 7, ..Rules::default() };
    for seed in 0..50 {
        let rules = openings.begin(&small, seed).unwrap();
        assert_eq!((rules.start.len(), rules.opening), (3, Opening::Balanced));
    }
    assert!(Openings::parse(b"a1 o15 a15").unwrap().begin(&small, 1).is_none());
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    assert_eq!(
        faults("h8 i9\nh8 h8 g7\n  h8 8h g16 i9 j10\nh8 i9 g7 f6 e5 d4 c3\n\u{e9} a1 b2"),
        [
            "line 1, column 1: 2 of at least 3 stones",
            "line 2, column 4: a second stone on h8",
            "line 3, column 6: `8h` is not a point; expected a1 to o15",
            "line 3, column 9: `g16` is not a point; expected a1 to o15",
            "line 4, column 19: c3 is one stone more than 6",
            "line 5, column 1: `\u{e9}` is not a point; expected a1 to o15",
        ]
    );
    // The same opening, mirrored, and with two stones of a colour in another order.
    assert_eq!(faults("h8 j9 g6\n h8 j7 g10"), ["line 2, column 2: the same opening as in line 1"]);
    assert_eq!(faults("h8 j9 g6\ng6 j9 h8"), ["line 2, column 1: the same opening as in line 1"]);
    assert_eq!(faults("# nothing"), ["line 1, column 1: no opening; expected at least one line of points"]);
    assert_eq!(faults("\u{0}\n").len(), 1);
}

#[test]
fn a_file_has_a_limit() {
    // Within one eighth of the board no two openings are symmetric.
    let eighth: Vec<String> =
        (1..=7_u8).flat_map(|y| (0..y).map(move |x| format!("{}{}", char::from(b'a' + x), y + 1))).collect();
    let mut text = String::new();
    for (index, a) in eighth.iter().enumerate() {
        for b in eighth.iter().filter(|&b| b != a) {
            for c in eighth[index + 1..].iter().filter(|&c| c != b) {
                text.push_str(&format!("{a} {b} {c}\n{a} {b} {c} o15\n"));
            }
        }
    }
    let lines = text.lines().count();
    assert!(lines > OPENINGS_MAX);
    assert_eq!(
        faults(&text),
        [format!("line {}, column 1: too many openings; expected at most {OPENINGS_MAX}", OPENINGS_MAX + 1)]
    );
    let most: String = text.lines().take(OPENINGS_MAX).map(|line| format!("{line}\n")).collect();
    assert_eq!(Openings::parse(most.as_bytes()).unwrap().len(), OPENINGS_MAX);
}
