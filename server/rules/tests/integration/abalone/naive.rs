//! Turns against a second implementation, written from sections 2.9 to 2.12 as literally as can be: it tries
//! every segment of the line through a piece and picks the largest.

use std::collections::BTreeMap;

use grandstand_protocol::abalone::{Facing, Hex, Team};
use grandstand_rules::Pid;
use grandstand_rules::abalone::{Bot, Rules, Setup, World};
use proptest::prelude::*;

type Position = (i32, i32);
/// By position: pid, whether white, direction.
type Naive = BTreeMap<Position, (u32, bool, u8)>;

const STEPS: [Position; 7] = [(0, 0), (0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)];

fn on_board((r, d): Position) -> bool {
    r.abs() <= 4 && d.abs() <= 4 && (r - d).abs() <= 4
}

fn step((r, d): Position, direction: u8, times: i32) -> Position {
    let (rows, diagonals) = STEPS[usize::from(direction)];
    (r + rows * times, d + diagonals * times)
}

/// The segment that reaches `back` hexes behind `at` and `ahead` before it, front first, if it is a chain.
fn segment(
    board: &Naive,
    at: Position,
    white: bool,
    direction: u8,
    back: i32,
    ahead: i32,
) -> Option<Vec<Position>> {
    let hexes: Vec<Position> = (-back..=ahead).rev().map(|n| step(at, direction, n)).collect();
    let belongs = |hex: &Position| board.get(hex).is_some_and(|&(_, w, d)| w == white && d == direction);
    hexes.iter().all(belongs).then_some(hexes)
}

/// Number of enemies that the chain pushes, if its move is legal: the three cases of section 2.11.
fn legal(board: &Naive, chain: &[Position], white: bool, direction: u8) -> Option<i32> {
    let ahead = |n: i32| step(chain[0], direction, n);
    let empty = |n: i32| on_board(ahead(n)) && !board.contains_key(&ahead(n));
    let enemy = |n: i32| board.get(&ahead(n)).is_some_and(|&(_, w, _)| w != white);
    let free = |n: i32| empty(n) || !on_board(ahead(n));
    if empty(1) {
        Some(0)
    } else if enemy(1) && free(2) && chain.len() >= 2 {
        Some(1)
    } else if enemy(1) && enemy(2) && free(3) && chain.len() >= 3 {
        Some(2)
    } else {
        None
    }
}

/// Processes the moves of a team; returns the pids pushed off.
fn naive_turn(board: &mut Naive, white: bool) -> Vec<u32> {
    let mut dead = Vec::new();
    while let Some((&at, &(_, _, direction))) =
        board.iter().filter(|(_, (_, w, d))| *w == white && *d != 0).min_by_key(|(_, (pid, ..))| *pid)
    {
        let mut segments: Vec<Vec<Position>> = Vec::new();
        for back in 0..9 {
            for ahead in 0..9 {
                segments.extend(segment(board, at, white, direction, back, ahead));
            }
        }
        let largest = segments.iter().max_by_key(|hexes| hexes.len()).unwrap().clone();
        let pushes = legal(board, &largest, white, direction);
        if pushes.is_none() {
            // No smaller chain is legal either, so both readings of "largest legal chain" agree.
            assert!(segments.iter().all(|hexes| legal(board, hexes, white, direction).is_none()));
        }
        for hex in &largest {
            board.get_mut(hex).unwrap().2 = 0;
        }
        let Some(pushes) = pushes else { continue };
        let mut moving: Vec<Position> = (1..=pushes).rev().map(|n| step(largest[0], direction, n)).collect();
        moving.extend(&largest);
        for from in moving {
            let piece = board.remove(&from).unwrap();
            let to = step(from, direction, 1);
            if on_board(to) {
                assert!(board.insert(to, piece).is_none());
            } else {
                dead.push(piece.0);
            }
        }
    }
    dead
}

/// A crowded board: for every hex nothing or a team and a direction (few of them, so that lines form), and an
/// order of pids.
fn boards() -> impl Strategy<Value = Naive> {
    let cell = prop_oneof![
        3 => Just(None),
        5 => (any::<bool>(), prop_oneof![4 => Just(1_u8), 2 => Just(3), 1 => 0_u8..7]).prop_map(Some),
    ];
    let cells = proptest::collection::vec(cell, Hex::COUNT);
    let order = Just((1..=Hex::COUNT as u32).collect::<Vec<_>>()).prop_shuffle();
    (cells, order).prop_map(|(cells, order)| {
        let hexes = Hex::all().map(|hex| (i32::from(hex.row()), i32::from(hex.diagonal())));
        let cells = hexes.zip(cells).zip(order);
        cells
            .filter_map(|((hex, cell), pid)| cell.map(|(white, facing)| (hex, (pid, white, facing))))
            .collect()
    })
}

fn to_bots(board: &Naive) -> Vec<Bot> {
    let mut bots: Vec<Bot> = board
        .iter()
        .map(|(&(row, diagonal), &(pid, white, facing))| Bot {
            pid: Pid(pid),
            team: if white { Team::White } else { Team::Black },
            hex: Hex::from_rd(row as i8, diagonal as i8).unwrap(),
            commit: Facing::from_number(facing).unwrap(),
        })
        .collect();
    bots.sort_by_key(|bot| bot.pid);
    bots
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    #[test]
    fn turns_are_those_of_the_naive_implementation(board in boards(), turn in 1_u32..3) {
        let mut board = board;
        let rules = Rules { max_pieces: 60, winning_score: 1_000, ..Rules::default() };
        let setup = Setup { rules, seed: 0, turn, score: (0, 0), bots: to_bots(&board) };
        let mut world = World::from_setup(&setup).unwrap();

        let end = world.end_cycle(world.next_event_cycle());
        let dead = naive_turn(&mut board, turn == 2);

        prop_assert_eq!(end.dead.iter().map(|bot| bot.pid.0).collect::<Vec<_>>(), dead.clone());
        prop_assert_eq!(world.bots(), to_bots(&board));
        let mover = if turn == 2 { Team::White } else { Team::Black };
        prop_assert_eq!(world.score(mover) as usize, dead.len());
        prop_assert_eq!(world.score(mover.opponent()), 0);
    }
}
