//! Properties of the board and of proven wins, on random positions.

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Instant;

use grandstand_rules::stones::{Opening, Position, Rules};
use grandstand_rules::turn::Position as _;

use super::board::SearchBoard;
use super::busy::Busy;
use super::geometry::{BLACK, NOWHERE, Point, STRIDE};
use super::kind;
use super::score::{SURE, WIN};
use super::transposition::TranspositionTable;
use super::tuning::Tuning;
use super::worker::{Memory, Shared, Worker};
use super::{Engine, Limits, Options, Rule, moves, renju, think};

const RULES: [Rule; 4] = [Rule::Freestyle, Rule::Exactly5, Rule::Renju, Rule::Pente];

/// The point in the notation of the rules.
fn point_of(x: u16, y: u16) -> <Position as grandstand_rules::turn::Position>::Move {
    let text = format!("{}{}", char::from(b'a' + x as u8), y + 1);
    Position::new(&Rules::gomoku()).expect("the usual board").parse_move(&text).expect("a point")
}

fn column_and_row(point: Point) -> (u16, u16) {
    (point % STRIDE, point / STRIDE)
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

fn empties(board: &SearchBoard) -> Vec<Point> {
    let size = board.size();
    (0..size).flat_map(|y| (0..size).map(move |x| y * STRIDE + x)).filter(|&p| board.is_empty(p)).collect()
}

/// A board with up to `stones` random stones on which nobody has won.
fn scattered(rule: Rule, size: u16, stones: usize, random: &mut Random) -> SearchBoard {
    let mut board = SearchBoard::new(rule, size);
    for _ in 0..stones {
        let free: Vec<Point> = empties(&board)
            .into_iter()
            .filter(|&p| board.kind(board.turn(), p) != kind::FIVE && !board.is_forbidden(board.turn(), p))
            .collect();
        if free.is_empty() || board.wins_by_capture(board.turn()) {
            break;
        }
        board.make(free[random.below(free.len())]);
    }
    board
}

/// The data that searches of one rule and size share.
struct Lab {
    table: TranspositionTable,
    memory: Memory,
}

impl Lab {
    fn new() -> Lab {
        Lab { table: TranspositionTable::new(1), memory: Memory::new() }
    }

    fn with_worker<T>(&mut self, board: &SearchBoard, act: impl FnOnce(&mut Worker<'_>) -> T) -> T {
        let stop = AtomicBool::new(false);
        let shared = Shared {
            table: &self.table,
            halt: AtomicBool::new(false),
            stop: &stop,
            started: Instant::now(),
            hard: None,
            max_nodes: None,
            nodes: AtomicU64::new(0),
            tuning: Tuning::default(),
            busy: Busy::new(1),
        };
        act(&mut Worker::new(board.clone(), &shared, &mut self.memory, true).with_net())
    }

    /// The best move of a search to this depth, with its score.
    fn best_of(&mut self, board: &SearchBoard, depth: i32) -> (i32, Option<Point>) {
        self.with_worker(board, |worker| {
            let mut best = (-WIN - 1, None);
            for point in worker.root_moves() {
                let me = board.turn();
                let won = board.kind(me, point) == kind::FIVE || board.captures_win(me, point);
                worker.board.make(point);
                let score =
                    if won { WIN - 1 } else { -worker.search::<true>(-WIN, -best.0, depth, 1, false) };
                worker.board.undo();
                if score > best.0 {
                    best = (score, Some(point));
                }
            }
            best
        })
    }
}

#[test]
fn what_is_kept_up_to_date_equals_what_is_worked_out_afresh() {
    let mut random = Random(1);
    for rule in RULES {
        for size in [5, 9, 15, 19, 31] {
            let mut board = SearchBoard::new(rule, size);
            let mut before = Vec::new();
            for _ in 0..120 {
                let free = empties(&board);
                if !before.is_empty() && random.below(3) == 0 || free.is_empty() {
                    board.undo();
                    let earlier: SearchBoard = before.pop().expect("a move was played");
                    assert_eq!(board.state(), earlier.state(), "{rule:?} {size}");
                } else {
                    before.push(board.clone());
                    board.make(free[random.below(free.len())]);
                }
                assert_eq!(board.state(), board.afresh().state(), "{rule:?} {size}");
                for side in [0, 1] {
                    let captures: Vec<Point> =
                        empties(&board).into_iter().filter(|&p| board.captures_at(side, p) > 0).collect();
                    assert_eq!(board.capture_points(side), captures);
                }
            }
        }
    }
}

#[test]
fn a_move_to_a_five_makes_one() {
    let mut random = Random(2);
    for _ in 0..200 {
        let board = scattered(Rule::Freestyle, 7, 24, &mut random);
        for point in empties(&board) {
            for side in [0, 1] {
                let (x, y) = (i32::from(point % STRIDE), i32::from(point / STRIDE));
                let five = [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(dx, dy)| {
                    let run = |way: i32| {
                        (1..)
                            .take_while(|k| board.stone_at(x + way * k * dx, y + way * k * dy) == Some(side))
                            .count()
                    };
                    run(1) + run(-1) >= 4
                });
                assert_eq!(board.kind(side, point) == kind::FIVE, five);
            }
        }
    }
}

/// Whether the side to move wins by the moves of `choose` within `plies` plies against every defence.
fn holds(
    board: &mut SearchBoard,
    plies: usize,
    choose: &mut dyn FnMut(&SearchBoard) -> Option<Point>,
) -> bool {
    let me = board.turn();
    if plies == 0 {
        return false;
    }
    if board.count(me, kind::FIVE) > 0 || board.wins_by_capture(me) {
        return true;
    }
    let Some(point) = choose(board) else { return false };
    assert!(board.is_empty(point) && !board.is_forbidden(me, point));
    board.make(point);
    let defender = board.turn();
    let beaten = board.count(defender, kind::FIVE) == 0
        && !board.wins_by_capture(defender)
        && empties(board)
            .into_iter()
            .filter(|&answer| !board.is_forbidden(defender, answer))
            .collect::<Vec<_>>()
            .into_iter()
            .all(|answer| {
                board.make(answer);
                let wins = holds(board, plies.saturating_sub(2), choose);
                board.undo();
                wins
            });
    board.undo();
    beaten
}

#[test]
fn wins_by_fours_hold_against_every_defence() {
    let mut random = Random(3);
    for rule in RULES {
        let (mut found, mut lab) = (0, Lab::new());
        for _ in 0..200 {
            let stones = 14 + random.below(12);
            let mut board = scattered(rule, 9, stones, &mut random);
            let Some(plies) = lab.with_worker(&board, |worker| worker.win_by_fours(3000)) else { continue };
            found += 1;
            let mut choose = |board: &SearchBoard| {
                lab.with_worker(board, |worker| worker.first_of_fours(3000)).map(|(point, _)| point)
            };
            assert!(holds(&mut board, plies.max(40), &mut choose), "{rule:?}: {:?}", board.picture());
        }
        assert!(found > 10, "{rule:?}: {found}");
    }
}

#[test]
fn wins_by_threats_hold_against_every_defence() {
    let mut random = Random(8);
    for rule in [Rule::Freestyle, Rule::Exactly5, Rule::Renju] {
        let (mut by_threes, mut longest, mut lab) = (0, 0, Lab::new());
        for _ in 0..400 {
            let stones = 8 + random.below(12);
            let mut board = scattered(rule, 9, stones, &mut random);
            let Some((_, plies)) = lab.with_worker(&board, |worker| worker.win_by_threats(3000)) else {
                continue;
            };
            if lab.with_worker(&board, |worker| worker.win_by_fours(3000)).is_some() {
                continue;
            }
            by_threes += 1;
            longest = longest.max(plies);
            let mut choose = |board: &SearchBoard| {
                let won = lab.with_worker(board, |worker| worker.win_by_threats(20_000));
                won.map(|(point, _)| point)
            };
            assert!(holds(&mut board, plies, &mut choose), "{rule:?} in {plies}: {:?}", board.picture());
            if by_threes <= 5 {
                let game: Vec<(u16, u16)> =
                    (0..).map(|n| board.last(n)).take_while(|&p| p != NOWHERE).map(column_and_row).collect();
                let game: Vec<_> = game.into_iter().rev().collect();
                let limits = Limits { nodes: Some(60_000), ..Limits::default() };
                let mut engine = Engine::new(9, rule, Options { memory_mib: 1, ..Options::default() });
                let best = engine.think(&game, &limits, &AtomicBool::new(false), &mut |_| {});
                assert!(best.expect("a position with moves").score >= SURE, "{rule:?} {:?}", board.picture());
            }
        }
        assert!(by_threes > 10 && longest >= 9, "{rule:?}: {by_threes} wins, the longest in {longest}");
    }
}

#[test]
fn threats_do_not_prove_anything_where_pairs_are_captured() {
    let mut random = Random(10);
    let mut lab = Lab::new();
    for _ in 0..50 {
        let board = scattered(Rule::Pente, 9, 16, &mut random);
        assert!(lab.with_worker(&board, |worker| worker.win_by_threats(3000)).is_none());
    }
}

#[test]
fn scores_of_forced_wins_hold_against_every_defence() {
    let mut random = Random(4);
    for rule in RULES {
        let (mut found, mut lab) = (0, Lab::new());
        for _ in 0..120 {
            let stones = 8 + random.below(12);
            let mut board = scattered(rule, 8, stones, &mut random);
            let (score, _) = lab.best_of(&board, 3);
            if score < SURE || score < WIN - 7 {
                continue;
            }
            found += 1;
            let mut choose = |board: &SearchBoard| lab.best_of(board, 3).1;
            assert!(
                holds(&mut board, (WIN - score) as usize, &mut choose),
                "{rule:?}: {:?}",
                board.picture()
            );
        }
        assert!(found > 10, "{rule:?}: {found}");
    }
}

#[test]
fn defences_against_an_open_three_are_complete() {
    // Every omitted move loses: after it, the open four wins.
    let mut random = Random(5);
    for rule in [Rule::Freestyle, Rule::Exactly5, Rule::Renju] {
        let mut seen = 0;
        for _ in 0..900 {
            let board = scattered(rule, 9, 10 + seen % 9, &mut random);
            let (me, other) = (board.turn(), board.turn() ^ 1);
            if board.count(other, kind::OPEN_FOUR) == 0
                || board.count(other, kind::FIVE) > 0
                || board.count(me, kind::FIVE) > 0
            {
                continue;
            }
            seen += 1;
            let mut list = Vec::new();
            moves::generate(&board, &mut list);
            for point in empties(&board).into_iter().filter(|&point| !board.is_forbidden(me, point)) {
                if list.iter().all(|m| m.point != point) {
                    let mut after = board.clone();
                    after.make(point);
                    assert!(after.count(other, kind::OPEN_FOUR) > 0, "{rule:?}: {:?}", board.picture());
                    assert_eq!(after.count(me, kind::FIVE), 0);
                }
            }
        }
        assert!(seen > 20, "{rule:?}: {seen}");
    }
}

#[test]
fn renju_forbids_what_it_says() {
    // Black `x`, white `o`, the tested point `*`.
    for (rows, forbidden) in [
        (["...........", "...x.......", "....x......", ".....*xx...", "...........", "..........."], true),
        (["...........", "...o.......", "....x......", ".....*xx...", "...........", "..........."], false),
        (["...x.......", "....x......", ".....x.....", "...xxx*....", "...........", "..........."], true),
        (["...........", "...........", "xxx*xx.....", "...........", "...........", "..........."], true),
        (["...........", "...........", ".xx*xx.....", "...........", "...........", "..........."], false),
        (["...........", "...........", "x.xx*.x....", "...........", "...........", "..........."], true),
        (["...........", "...........", "..xx*x.....", "...........", "...........", "..........."], false),
    ] {
        let mut bits = SearchBoard::new(Rule::Renju, 11).bits_of();
        let mut asked = 0;
        for (y, row) in rows.iter().enumerate() {
            for (x, cell) in row.chars().enumerate() {
                let point = y as Point * STRIDE + x as Point;
                match cell {
                    'x' => SearchBoard::put_bit(&mut bits, point, BLACK),
                    'o' => SearchBoard::put_bit(&mut bits, point, 1),
                    '*' => asked = point,
                    _ => {}
                }
            }
        }
        let lines = SearchBoard::new(Rule::Renju, 11);
        assert_eq!(renju::is_forbidden(&mut bits, lines.lines(), asked), forbidden, "{rows:?}");
    }
}

#[test]
fn the_rules_forbid_the_same_points() {
    let mut random = Random(6);
    let (mut forbidden, mut threes) = (0, 0);
    for _ in 0..1500 {
        let rules = Rules {
            size: 11,
            rule: grandstand_rules::stones::Rule::Renju,
            opening: Opening::Free,
            ..Rules::gomoku()
        };
        let mut position = Position::new(&rules).expect("a size that there is");
        let mut board = SearchBoard::new(Rule::Renju, 11);
        for _ in 0..2 * (6 + random.below(14)) {
            let free = empties(&board);
            // Only stones near the middle, so that patterns occur.
            let point = free[random.below(free.len())];
            let (x, y) = (point % STRIDE, point / STRIDE);
            let stone = point_of(x, y);
            if !(2..9).contains(&x) || !(2..9).contains(&y) || position.check(stone).is_err() {
                continue;
            }
            let Ok(next) = position.clone().play(stone) else { continue };
            if next.end().is_some() {
                continue;
            }
            position = next;
            board.make(point);
        }
        for point in empties(&board) {
            let ours = board.is_forbidden(BLACK, point);
            let theirs = position.forbidden(point_of(point % STRIDE, point / STRIDE));
            assert_eq!(ours, theirs.is_some(), "{theirs:?} at {point}: {:?}", board.picture());
            forbidden += usize::from(ours);
            threes += usize::from(!ours && board.kind(BLACK, point) == kind::FORBIDDEN);
        }
    }
    assert!(forbidden > 50, "{forbidden} forbidden points, {threes} threes that are none");
}

#[test]
fn what_a_move_means_for_captures_is_what_the_stones_say() {
    let mut random = Random(7);
    let mut seen = [0u32; 4];
    for _ in 0..100 {
        let board = scattered(Rule::Pente, 9, 30, &mut random);
        for (point, side) in empties(&board).into_iter().flat_map(|p| [(p, 0), (p, 1)]) {
            let (x, y) = (i32::from(point % STRIDE), i32::from(point / STRIDE));
            let mut said = [0; 4];
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1), (-1, 0), (0, -1), (-1, -1), (-1, 1)] {
                let (at, other) = (|k: i32| (x + k * dx, y + k * dy), side ^ 1);
                let is = |k: i32, side: usize| board.stone_at(at(k).0, at(k).1) == Some(side);
                let free = |k: i32| {
                    let (x, y) = at(k);
                    (0..9).contains(&x) && (0..9).contains(&y) && board.stone_at(x, y).is_none()
                };
                said[0] += u8::from(is(1, other) && is(2, other) && is(3, side));
                said[1] += u8::from(is(1, side) && is(2, side) && is(3, other));
                said[2] += u8::from(is(1, other) && is(2, other) && free(3));
                said[3] += u8::from(is(1, side) && (is(-1, other) && free(2) || free(-1) && is(2, other)));
            }
            // Two pairs in one line count once.
            let effects = board.capture_effects(side, point);
            assert!(effects[0] <= said[0] && (effects[0] == 0) == (said[0] == 0));
            assert!(effects[1] <= said[1] && (effects[1] == 0) == (said[1] == 0));
            assert_eq!(effects[2..], said[2..], "{:?}", board.picture());
            for (seen, said) in seen.iter_mut().zip(said) {
                *seen += u32::from(said);
            }
        }
    }
    assert!(seen.iter().all(|&n| n > 20), "{seen:?}");
}

#[test]
fn the_first_plies_compare_themselves_with_the_roots_evaluation() {
    let mut board = SearchBoard::new(Rule::Freestyle, 15);
    for (x, y) in [(7, 7), (0, 0), (8, 8), (14, 0)] {
        board.make(y * STRIDE + x);
    }
    Lab::new().with_worker(&board, |worker| {
        let roots = worker.root_moves();
        let limits = Limits { depth: Some(1), ..Limits::default() };
        think::deepen(worker, roots, &limits, &mut |_, _| {});
        let here = worker.evaluate();
        assert!(here > 0, "black is to move and has two in the middle");
        assert_eq!(worker.evals[0], here);
    });
}

#[test]
fn two_threads_find_what_one_finds() {
    // White wins by a line of fours and threes, too long for the first looks at the root.
    let text = "g8 e9 l12 e7 l11 e8 e10 g6 l10 l9 f7 e6 e5 f6 d6 d8 c9";
    let moves: Vec<(u16, u16)> = text
        .split(' ')
        .map(|word| {
            let (column, row) = word.split_at(1);
            (u16::from(column.as_bytes()[0] - b'a'), row.parse::<u16>().expect("a row") - 1)
        })
        .collect();
    for threads in [1, 2, 3] {
        let mut engine = Engine::new(15, Rule::Freestyle, Options { threads, ..Options::default() });
        let limits = Limits { depth: Some(9), ..Limits::default() };
        let best = engine.think(&moves, &limits, &AtomicBool::new(false), &mut |_| {}).expect("legal");
        assert!(best.score > SURE, "{threads} threads: {}", best.score);
    }
}
