//! Renju: black's forbidden moves, by examples and against a second implementation of the definitions.

use grandstand_rules::SplitMix64;
use grandstand_rules::stones::{Forbidden, Illegal, Opening, Point, Position, Rule, Rules};
use grandstand_rules::turn::{Outcome, Position as _, Side};

use super::common::{play, point, points, refusal, with};

/// The points of an example, by their letters.
fn lettered(rows: &[&str], letters: &str) -> Vec<Point> {
    let mut found = Vec::new();
    for (y, row) in rows.iter().rev().enumerate() {
        let here = row.chars().enumerate().filter(|&(_, letter)| letters.contains(letter));
        found.extend(here.map(|(x, _)| Point::new(x as u16, y as u16).unwrap()));
    }
    found
}

fn text(points: &[Point]) -> String {
    points.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_examples() {
    let cases: Vec<&str> = include_str!("../../stones/renju.txt").split("== ").skip(1).collect();
    assert!(cases.len() > 12);
    for case in cases {
        let (title, picture) = case.split_once('\n').unwrap();
        let rows: Vec<&str> = picture.lines().filter(|line| !line.is_empty()).collect();
        let edge = rows.len();
        assert!(rows.iter().all(|row| row.len() == edge), "{title}: {edge} rows, and not as many columns");
        let (black, mut white) = (lettered(&rows, "x"), lettered(&rows, "o"));
        let fillers =
            (0..2).flat_map(|y| (0..edge as u16).step_by(2).map(move |x| Point::new(x, y * 2).unwrap()));
        let fillers = fillers.filter(|point| !black.contains(point) && !white.contains(point));
        let missing = black.len().saturating_sub(white.len());
        white.extend(fillers.collect::<Vec<_>>().into_iter().take(missing));
        let position = with(Rule::Renju, edge as u32, &text(&black), &text(&white));
        let mut expected = Vec::new();
        for (letter, why) in
            [("6", Forbidden::Overline), ("4", Forbidden::DoubleFour), ("3", Forbidden::DoubleThree)]
        {
            expected.extend(lettered(&rows, letter).into_iter().map(|point| (point, why)));
        }
        expected.sort_unstable();
        let found: Vec<_> =
            position.all_forbidden().into_iter().map(|mv| (mv, position.forbidden(mv).unwrap())).collect();
        let shown: Vec<String> = found.iter().map(|(point, why)| format!("{point} {why}")).collect();
        assert_eq!(found, expected, "{title}: {shown:?}");
        assert!(lettered(&rows, "!").iter().all(|&mv| position.forbidden(mv).is_none()), "{title}");
        if position.to_move() == Side::First {
            for (mv, why) in found {
                assert_eq!(position.check(mv), Err(Illegal::Forbidden { point: mv, why }));
            }
        }
    }
}

#[test]
fn a_forbidden_point_is_named() {
    let position = with(Rule::Renju, 11, "f9 f8 d7 e7", "a1 c1 e1 g1");
    assert_eq!(refusal(&position, "f7").to_string(), "f7 is forbidden for black: a double-three");
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    assert!(!legal.contains(&point("f7")) && legal.contains(&point("g7")));
    assert_eq!(position.all_forbidden(), points("f7"));
    // White may, and in other games so may black.
    assert_eq!(play(position, "k11").check(point("f7")), Ok(()));
    assert_eq!(with(Rule::Freestyle, 11, "f9 f8 d7 e7", "a1 c1 e1 g1").check(point("f7")), Ok(()));
}

#[test]
fn white_wins_with_more_than_five_and_black_does_not() {
    let white = with(Rule::Renju, 11, "a1 c1 e1 a3 c3 e3", "b6 c6 d6 f6 g6 e6");
    assert_eq!(white.end().unwrap().outcome, Outcome::Win(Side::Second));
    let black = with(Rule::Renju, 11, "b6 c6 d6 f6 g6", "a1 c1 e1 a3 c3");
    assert_eq!(refusal(&black, "e6").to_string(), "e6 is forbidden for black: an overline");
    let five = play(with(Rule::Renju, 11, "b6 c6 d6 f6", "a1 c1 e1 a3"), "e6");
    assert_eq!(five.end().unwrap().termination, "five");
}

/// The same definitions on sets of stones, without optimisations.
mod naive {
    use super::*;

    type Places = Vec<(i32, i32)>;

    pub(super) struct Naive {
        pub(super) edge: i32,
        pub(super) black: Places,
        pub(super) white: Places,
    }

    const AXES: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

    impl Naive {
        fn is_empty(&self, (x, y): (i32, i32)) -> bool {
            let on_board = (0..self.edge).contains(&x) && (0..self.edge).contains(&y);
            on_board && !self.black.contains(&(x, y)) && !self.white.contains(&(x, y))
        }

        /// The whole row of black stones through a place, in order.
        fn row(&self, (x, y): (i32, i32), (dx, dy): (i32, i32)) -> Places {
            let place = |n: i32| (x + dx * n, y + dy * n);
            let mut from = 0;
            while self.black.contains(&place(from - 1)) {
                from -= 1;
            }
            (from..).map(place).take_while(|place| self.black.contains(place)).collect()
        }

        fn plus(&self, place: (i32, i32)) -> Naive {
            let black = self.black.iter().copied().chain([place]).collect();
            Naive { edge: self.edge, black, white: self.white.clone() }
        }

        fn has_five(&self, place: (i32, i32)) -> bool {
            AXES.iter().any(|&axis| self.row(place, axis).len() == 5)
        }

        /// The fours that contain a stone, each as its four stones.
        fn fours(&self, stone: (i32, i32), axis: (i32, i32)) -> Vec<Places> {
            let mut fours = Vec::new();
            for n in -4..=4 {
                let fifth = (stone.0 + axis.0 * n, stone.1 + axis.1 * n);
                if !self.is_empty(fifth) {
                    continue;
                }
                let row = self.plus(fifth).row(fifth, axis);
                if row.len() == 5 && row.contains(&stone) {
                    let four: Places = row.into_iter().filter(|&place| place != fifth).collect();
                    if !fours.contains(&four) {
                        fours.push(four);
                    }
                }
            }
            fours
        }

        /// Whether the row of the stone is four stones side by side that a stone at either end makes five.
        fn is_straight_four(&self, stone: (i32, i32), axis: (i32, i32)) -> bool {
            let row = self.row(stone, axis);
            if row.len() != 4 {
                return false;
            }
            let ends = [(row[0].0 - axis.0, row[0].1 - axis.1), (row[3].0 + axis.0, row[3].1 + axis.1)];
            ends.iter().all(|&end| self.is_empty(end) && self.plus(end).row(end, axis).len() == 5)
        }

        fn has_three(&self, stone: (i32, i32), axis: (i32, i32)) -> bool {
            (-3..=3).any(|n| {
                let fourth = (stone.0 + axis.0 * n, stone.1 + axis.1 * n);
                if !self.is_empty(fourth) {
                    return false;
                }
                let with = self.plus(fourth);
                with.is_straight_four(fourth, axis)
                    && with.row(fourth, axis).contains(&stone)
                    && !with.has_five(fourth)
                    && self.forbidden(fourth).is_none()
            })
        }

        pub(super) fn forbidden(&self, place: (i32, i32)) -> Option<Forbidden> {
            let with = self.plus(place);
            if with.has_five(place) {
                return None;
            }
            if AXES.iter().any(|&axis| with.row(place, axis).len() > 5) {
                return Some(Forbidden::Overline);
            }
            if AXES.iter().map(|&axis| with.fours(place, axis).len()).sum::<usize>() > 1 {
                return Some(Forbidden::DoubleFour);
            }
            let threes = AXES.iter().filter(|&&axis| with.has_three(place, axis)).count();
            (threes > 1).then_some(Forbidden::DoubleThree)
        }
    }
}

#[test]
fn both_implementations_forbid_the_same() {
    let mut random = SplitMix64::new(2024);
    let mut found = [0; 3];
    for round in 0..400 {
        // Black stones close together, with some white ones among them.
        let edge: u16 = if round % 2 == 0 { 9 } else { 11 };
        let rules =
            Rules { size: edge.into(), rule: Rule::Renju, opening: Opening::Free, ..Rules::default() };
        let mut position = Position::new(&rules).unwrap();
        let area = if round % 4 < 2 { edge - 2 } else { edge };
        for _ in 0..10 + random.below(24) {
            let mut legal = Vec::new();
            position.legal_moves(&mut legal);
            let near = |p: &Point| position.to_move() == Side::Second || (p.x() < area && p.y() < area);
            legal.retain(near);
            let Some(mv) = random.choose(&legal) else { break };
            let next = position.clone().play(mv).unwrap();
            if next.end().is_some() {
                break;
            }
            position = next;
        }
        let places = |side| {
            let own = position.all_stones().filter(move |&(_, owner)| owner == side);
            own.map(|(point, _)| (i32::from(point.x()), i32::from(point.y()))).collect()
        };
        let naive =
            naive::Naive { edge: edge.into(), black: places(Side::First), white: places(Side::Second) };
        for y in 0..edge {
            for x in 0..edge {
                let mv = Point::new(x, y).unwrap();
                if position.stone(mv).is_none() {
                    let expected = naive.forbidden((x.into(), y.into()));
                    assert_eq!(position.forbidden(mv), expected, "{mv} after {}", text(position.moves()));
                    if let Some(why) = expected {
                        found[why as usize] += 1;
                    }
                }
            }
        }
    }
    assert!(found.iter().all(|&n| n >= 5), "{found:?}");
}
