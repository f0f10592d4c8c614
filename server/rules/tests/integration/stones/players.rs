//! The players `random` and `stupid`.

use grandstand_rules::SplitMix64;
use grandstand_rules::stones::players::stupid;
use grandstand_rules::stones::{Point, Position, Rule, Rules};
use grandstand_rules::turn::{Outcome, Position as _, Side, random_move};

use super::common::{point, points, with};

fn reply(position: &Position) -> Point {
    let mut replies: Vec<Point> =
        (0..5).map(|seed| stupid(position, &mut SplitMix64::new(seed)).unwrap()).collect();
    assert!(replies.iter().all(|&mv| position.check(mv).is_ok()));
    replies.sort_unstable();
    replies[0]
}

#[test]
fn stupid_wins_when_it_can() {
    let position = with(Rule::Freestyle, 15, "d8 e8 f8 g8", "d9 e9 f9 g9");
    assert!(points("c8 h8").contains(&reply(&position)));
    // It wins rather than blocks.
    let position = with(Rule::Freestyle, 15, "d8 e8 f8 g8 a1", "d9 e9 f9 g9");
    assert!(points("c9 h9").contains(&reply(&position)));
}

#[test]
fn stupid_blocks_fives_and_open_fours() {
    let five = with(Rule::Freestyle, 15, "d8 e8 f8 g8", "h8 a1 o15");
    assert_eq!(reply(&five), point("c8"));
    let split = with(Rule::Freestyle, 15, "d8 e8 g8 h8", "a1 o15 a15");
    assert_eq!(reply(&split), point("f8"));
    // The answer prevents an open three from becoming an open four.
    for three in ["d8 e8 f8", "d8 e8 g8", "d4 e5 f6"] {
        let position = with(Rule::Freestyle, 15, three, "a1 o15");
        let after = position.clone().play(reply(&position)).unwrap();
        for mv in points("b8 c8 f8 g8 h8 i8 b2 c3 d4 g7 h8 i9") {
            assert!(after.stone(mv).is_some() || ways_to_five(&after, mv) < 2, "{three}: {mv}");
        }
    }
}

/// Number of points on which black could make five after a stone at `mv`.
fn ways_to_five(position: &Position, mv: Point) -> usize {
    let stones: Vec<Point> = position
        .all_stones()
        .filter(|&(_, side)| side == Side::First)
        .map(|(point, _)| point)
        .chain([mv])
        .collect();
    let others: Vec<Point> =
        position.all_stones().filter(|&(_, side)| side == Side::Second).map(|(point, _)| point).collect();
    let is_row = |from: Point, way: (i32, i32)| {
        let row: Option<Vec<Point>> = (0..5)
            .map(|n| {
                let x = u16::try_from(i32::from(from.x()) + way.0 * n).ok()?;
                Point::new(x, u16::try_from(i32::from(from.y()) + way.1 * n).ok()?)
            })
            .collect();
        let row = row.filter(|row| row.iter().all(|p| p.x() < 15 && p.y() < 15 && !others.contains(p)))?;
        let missing: Vec<Point> = row.into_iter().filter(|p| !stones.contains(p)).collect();
        (missing.len() == 1).then(|| missing[0])
    };
    let all = (0..15).flat_map(|x| (0..15).map(move |y| Point::new(x, y).unwrap()));
    let mut ways: Vec<Point> = all
        .flat_map(|from| [(1, 0), (0, 1), (1, 1), (1, -1)].map(|way| is_row(from, way)))
        .flatten()
        .collect();
    ways.sort_unstable();
    ways.dedup();
    ways.len()
}

#[test]
fn stupid_makes_open_fours_and_captures() {
    let position = with(Rule::Freestyle, 15, "d8 e8 f8", "a1 o15 a15");
    assert!(points("c8 g8").contains(&reply(&position)));
    // Four pairs are captured; the fifth wins.
    let moves: String =
        (0..4).map(|n| n * 2 + 1).map(|y| format!("a{y} b{y} k{y} c{y} d{y} l{y} ")).collect();
    let position = super::common::after(Rule::Pente, 15, &format!("{moves} a9 b9 k9 c9"));
    assert_eq!(reply(&position), point("d9"));
}

/// Number of games that `stupid` wins against `random`, with alternating colours.
fn stupid_wins(rules: &Rules, seeds: u64) -> u64 {
    let mut won = 0;
    for seed in 0..seeds {
        let mut random = SplitMix64::new(seed);
        let own = Side::ALL[seed as usize % 2];
        let mut position = Position::new(rules).unwrap();
        let end = loop {
            if let Some(end) = position.end() {
                break end;
            }
            let mv = if position.to_move() == own {
                stupid(&position, &mut random)
            } else {
                random_move(&position, &mut random)
            };
            position = position.play(mv.unwrap()).unwrap();
        };
        won += u64::from(end.outcome == Outcome::Win(own));
    }
    won
}

#[test]
fn stupid_beats_random_at_gomoku() {
    let won = stupid_wins(&Rules::gomoku(), 100);
    assert!(won >= 95, "{won} of 100");
}

#[test]
fn stupid_beats_random_at_pente() {
    let won = stupid_wins(&Rules::pente(), 100);
    assert!(won >= 95, "{won} of 100");
}

#[test]
fn stupid_plays_by_every_rule_and_on_every_board() {
    for rule in Rule::ALL {
        for size in [5, 7, 15] {
            assert!(stupid_wins(&Rules { rule, size, ..Rules::default() }, 2) <= 2);
        }
    }
    let tournament = Rules { tournament: true, size: 7, ..Rules::pente() };
    assert!(stupid_wins(&tournament, 4) <= 4);
    let large = Position::new(&Rules { size: 999, ..Rules::default() }).unwrap();
    assert_eq!(reply(&large), point("sf500"));
}

#[test]
fn random_plays_every_legal_move_until_the_game_is_over() {
    let position = with(Rule::Freestyle, 5, "a1 b1 c1 e1", "a2 b2 c2 e2");
    let mut random = SplitMix64::new(1);
    let moves: std::collections::BTreeSet<Point> =
        (0..600).map(|_| random_move(&position, &mut random).unwrap()).collect();
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    assert_eq!(moves.into_iter().collect::<Vec<_>>(), legal);
    let over = position.play(point("d1")).unwrap();
    assert_eq!(random_move(&over, &mut random), None);
    assert_eq!(stupid(&over, &mut random), None);
}
