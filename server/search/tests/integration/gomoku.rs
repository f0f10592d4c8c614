//! The Gomoku engine from outside: what it plays, and that it keeps to its limits.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use grandstand_search::gomoku::{Engine, Limits, Options, Rule, Thought, Tuning, Unplayable};

type Move = (u16, u16);

const RULES: [Rule; 4] = [Rule::Freestyle, Rule::Exactly5, Rule::Renju, Rule::Pente];

fn engine(size: u16, rule: Rule) -> Engine {
    Engine::new(size, rule, Options { memory_mib: 2, ..Options::default() })
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn think(engine: &mut Engine, moves: &[Move], limits: &Limits) -> Thought {
    engine.think(moves, limits, &AtomicBool::new(false), &mut |_| {}).expect("a position with moves")
}

/// Moves from text like `h8 i9`.
fn moves(text: &str) -> Vec<Move> {
    let point = |word: &str| {
        let (column, row) = word.split_at(1);
        (u16::from(column.as_bytes()[0] - b'a'), row.parse::<u16>().expect("a row") - 1)
    };
    text.split_whitespace().map(point).collect()
}

fn text((x, y): Move) -> String {
    format!("{}{}", char::from(b'a' + x as u8), y + 1)
}

#[test]
fn the_first_move_is_the_centre() {
    for (size, centre) in [(5, 2), (15, 7), (19, 9), (31, 15), (45, 22)] {
        assert_eq!(think(&mut engine(size, Rule::Freestyle), &[], &nodes(100)).line[0], (centre, centre));
    }
}

#[test]
fn it_makes_a_five_and_stops_one() {
    for rule in RULES {
        let mut engine = engine(15, rule);
        // Black has four, open on one side; black is to move, then white.
        let black = think(&mut engine, &moves("h8 g8 i8 h7 j8 i7 k8 j7"), &nodes(1000));
        assert_eq!((text(black.line[0]), black.score), ("l8".to_owned(), 29_999), "{rule:?}");
        let white = think(&mut engine, &moves("h8 g8 i8 h7 j8 i9 k8"), &nodes(1000));
        assert_eq!(text(white.line[0]), "l8", "{rule:?}");
        // Both have four, and black is to move: its own five comes before what stops white's.
        let both = think(&mut engine, &moves("h8 c2 i8 c3 j8 c4 k8 c5"), &nodes(1000));
        assert!(["g8", "l8"].contains(&text(both.line[0]).as_str()), "{rule:?}: {}", text(both.line[0]));
        assert_eq!(both.score, 29_999, "{rule:?}");
    }
}

#[test]
fn it_stops_an_open_three_or_makes_fours() {
    for rule in RULES {
        let best = think(&mut engine(15, rule), &moves("h8 a1 i8 c1 j8"), &nodes(5000));
        assert!(
            ["f8", "g8", "k8", "l8"].contains(&text(best.line[0]).as_str()),
            "{rule:?}: {}",
            text(best.line[0])
        );
    }
}

#[test]
fn it_finds_short_wins_with_their_length() {
    for (game, plies) in [
        // An open three: an open four, and then five.
        ("h8 a1 i8 c1 j8 o15", 3),
        // A closed three and an open two that cross: a four and a three at once.
        ("h8 g8 i8 a15 j8 o1 k9 o15 k10 a1", 5),
    ] {
        let best = think(&mut engine(15, Rule::Freestyle), &moves(game), &nodes(20_000));
        assert_eq!(best.score, 30_000 - plies, "{game}: {best:?}");
    }
}

#[test]
fn it_finds_long_wins_and_losses_by_its_search() {
    // What took 104,000 and 466,000 positions before late defences were left out.
    for (game, budget, wins) in [
        ("g8 e9 l12 e7 l11 e8 e10 g6 l10 l9 f7 e6 e5 f6 d6 d8 c9", 80_000, true),
        ("f5 e6 j4 e8 g6 f7 h7 e4 g8 f9 g5 g7 h5 e5 e7 c6", 200_000, false),
    ] {
        let options = Options { memory_mib: 64, ..Options::default() };
        let best = think(&mut Engine::new(15, Rule::Freestyle, options), &moves(game), &nodes(budget));
        assert!(if wins { best.score > 29_000 } else { best.score < -29_000 }, "{game}: {best:?}");
    }
}

#[test]
fn the_same_search_has_the_same_result() {
    let game = moves("h8 i9 h10 h9 g9 i7");
    for (rule, net) in RULES.into_iter().flat_map(|rule| [(rule, false), (rule, true)]) {
        let options =
            Options { memory_mib: 2, tuning: Tuning { net, ..Tuning::default() }, ..Options::default() };
        let [one, other] =
            [(); 2].map(|()| think(&mut Engine::new(15, rule, options), &game, &nodes(30_000)));
        assert_eq!(one, other);
        assert!(one.nodes <= 30_100, "{}", one.nodes);
    }
}

#[test]
fn it_ends_when_it_is_told_to() {
    let stop = AtomicBool::new(false);
    for threads in [1, 2] {
        let options = Options { memory_mib: 2, threads, ..Options::default() };
        let mut engine = Engine::new(15, Rule::Freestyle, options);
        stop.store(false, Ordering::Relaxed);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(100));
                stop.store(true, Ordering::Relaxed);
            });
            // Without any limit this would go on for ever.
            let best = engine.think(&moves("h8"), &Limits::default(), &stop, &mut |_| {}).expect("a move");
            assert!(best.line[0] != (7, 7));
        });
    }
    let best = engine(15, Rule::Freestyle).think(&moves("h8 i9 g9"), &Limits::default(), &stop, &mut |_| {});
    assert!(best.is_ok(), "a search that is stopped before it begins has a move all the same");
    let none = Limits { hard: Some(Duration::ZERO), soft: Some(Duration::ZERO), ..Limits::default() };
    think(&mut engine(15, Rule::Freestyle), &moves("h8 i9 g9"), &none);
}

#[test]
fn what_cannot_be_played_on_is_an_error() {
    let mut engine = engine(15, Rule::Freestyle);
    let mut ask = |moves: &[Move]| engine.think(moves, &nodes(10), &AtomicBool::new(false), &mut |_| {});
    assert_eq!(ask(&[(7, 7), (15, 0)]), Err(Unplayable::OffTheBoard(1)));
    assert_eq!(ask(&[(7, 7), (0, 65_535)]), Err(Unplayable::OffTheBoard(1)));
    assert_eq!(ask(&[(7, 7), (1, 1), (7, 7)]), Err(Unplayable::Taken(2)));
    let full: Vec<Move> = (0..15).flat_map(|y| (0..15).map(move |x| (x, y))).collect();
    assert_eq!(ask(&full), Err(Unplayable::Full));
}

#[test]
fn the_reports_tell_of_deeper_and_deeper_lines() {
    let mut depths = Vec::new();
    let game = moves("h8 i9 g9");
    engine(15, Rule::Freestyle)
        .think(&game, &nodes(30_000), &AtomicBool::new(false), &mut |info| {
            assert!(!info.line.is_empty() && info.line.len() <= 64);
            let mut seen = game.clone();
            for mv in &info.line {
                assert!(!seen.contains(mv), "the line has legal moves");
                seen.push(*mv);
            }
            depths.push(info.depth);
        })
        .expect("a move");
    assert!(depths.is_sorted() && depths.len() > 3, "{depths:?}");
}

/// A generator of pseudo-random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// The stones after these moves, by the rules alone.
fn stones(rule: Rule, moves: &[Move]) -> BTreeMap<Move, usize> {
    let mut stones = BTreeMap::new();
    for (number, &(x, y)) in moves.iter().enumerate() {
        let side = number % 2;
        assert!(stones.insert((x, y), side).is_none(), "a move on a stone");
        if rule != Rule::Pente {
            continue;
        }
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1), (-1, 0), (0, -1), (-1, -1), (-1, 1)] {
            let at = |k: i32| {
                Some((u16::try_from(i32::from(x) + k * dx).ok()?, u16::try_from(i32::from(y) + k * dy).ok()?))
            };
            let is = |k: i32, side: usize| at(k).is_some_and(|point| stones.get(&point) == Some(&side));
            if is(1, side ^ 1) && is(2, side ^ 1) && is(3, side) {
                for point in [at(1), at(2)].into_iter().flatten() {
                    stones.remove(&point);
                }
            }
        }
    }
    stones
}

#[test]
fn on_any_position_its_move_is_legal() {
    let mut random = Random(9);
    for round in 0..240 {
        let rule = RULES[round % 4];
        let size = [5, 6, 9, 15, 19, 31, 37][random.below(7)];
        let mut engine = engine(size, rule);
        let mut game: Vec<Move> = Vec::new();
        for _ in 0..random.below(60) {
            let mv = (random.below(usize::from(size)) as u16, random.below(usize::from(size)) as u16);
            if !stones(rule, &game).contains_key(&mv) {
                game.push(mv);
            }
        }
        // Fives may be there already; the engine is asked all the same, three times, so that its memory is used too.
        for _ in 0..3 {
            let before = stones(rule, &game);
            if before.len() == usize::from(size * size) {
                break;
            }
            let best = think(&mut engine, &game, &nodes(300));
            assert!(best.line[0].0 < size && best.line[0].1 < size, "{rule:?} {size} {game:?}");
            assert!(!before.contains_key(&best.line[0]), "{rule:?} {size} {game:?} {best:?}");
            game.push(best.line[0]);
        }
    }
}

#[test]
fn pente_is_won_by_the_fifth_pair() {
    let mut game: Vec<Move> = Vec::new();
    for (round, row) in [0, 3, 6, 9].into_iter().enumerate() {
        let aside = 2 * (round as u16 % 2);
        // Black takes b and c of this row from d.
        game.extend([(0, row), (1, row), (7 + aside, row), (2, row), (3, row), (12 + aside, row + 1)]);
    }
    game.extend([(0, 13), (1, 13), (5, 11), (2, 13)]);
    assert_eq!(game.len() - stones(Rule::Pente, &game).len(), 8, "four pairs are taken");
    let best = think(&mut engine(15, Rule::Pente), &game, &nodes(2000));
    assert_eq!((text(best.line[0]), best.score), ("d14".to_owned(), 29_999));
    // White, to move before the pair was complete, does not put it there.
    let before = think(&mut engine(15, Rule::Pente), &game[..game.len() - 1], &nodes(5000));
    assert_ne!(text(before.line[0]), "c14");
}

#[test]
fn a_big_board_is_searched_around_the_stones() {
    let mut engine = engine(101, Rule::Freestyle);
    for corner in [0u16, 90] {
        let game: Vec<Move> =
            [(4, 4), (0, 0), (5, 4), (1, 0), (6, 4)].iter().map(|&(x, y)| (x + corner, y + corner)).collect();
        let best = think(&mut engine, &game, &nodes(3000));
        let (x, y) = (best.line[0].0 - corner, best.line[0].1 - corner);
        assert!(y == 4 && [2, 3, 7, 8].contains(&x), "{best:?}");
    }
}
