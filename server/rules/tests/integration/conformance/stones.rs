//! Gomoku and Pente in the conformance suite.

use std::collections::BTreeMap;

use grandstand_protocol::Game;
use grandstand_rules::SplitMix64;
use grandstand_rules::stones::players::stupid;
use grandstand_rules::stones::{Opening, Point, Position, Rule, Rules};
use grandstand_rules::turn::{Position as _, Side, random_move};

use super::turns::{self, TurnGame};

/// Gomoku by its three rules, on small boards.
#[derive(Clone)]
pub(crate) struct Gomoku;

/// Pente, in half of the matches by the tournament rule.
#[derive(Clone)]
pub(crate) struct Pente;

fn start(seed: u64, rule: Rule, tournament: bool) -> Position {
    let opening = if seed.is_multiple_of(2) { Opening::Centre } else { Opening::Free };
    let size = if tournament { 7 + seed % 4 * 2 } else { 5 + seed % 5 * 2 } as u32;
    Position::new(&Rules { size, rule, opening, tournament, ..Rules::default() }).unwrap()
}

/// A random move, sometimes a sensible one, so that rows and captures occur.
fn choose(position: &Position, random: &mut SplitMix64) -> Point {
    let sense = position.size().get() > 5 && random.below(3) == 0;
    if sense { stupid(position, random) } else { random_move(position, random) }.unwrap()
}

fn any_move(position: &Position, random: &mut SplitMix64) -> Point {
    let edge = u64::from(position.size().get()) + 1;
    Point::new(random.below(edge) as u16, random.below(edge) as u16).unwrap()
}

fn check(position: &Position) {
    let on_board = Side::ALL.map(|side| position.all_stones().filter(|&(_, stone)| stone == side).count());
    // Black has moved first, and every stone of a side is on the board or captured.
    let captured = Side::ALL.map(|side| 2 * position.pairs(side.opponent()) as usize);
    let placed = [position.ply().div_ceil(2), position.ply() / 2].map(|n| n as usize);
    assert_eq!([on_board[0] + captured[0], on_board[1] + captured[1]], placed);
    assert_eq!(position.stones(), on_board[0] + on_board[1]);
    assert_eq!(position.moves().len(), position.ply() as usize);
    assert_eq!(position.five().is_some(), position.end().is_some_and(|end| end.termination == "five"));
}

impl TurnGame for Gomoku {
    type Position = Position;
    const GAME: Game = Game::Gomoku;
    const MATCHES: u64 = 15;
    const MAX_PLIES: u64 = 13 * 13;

    fn start(seed: u64) -> Position {
        start(seed, [Rule::Freestyle, Rule::Exactly5, Rule::Renju][seed as usize % 3], false)
    }

    fn choose(position: &Position, random: &mut SplitMix64) -> Point {
        choose(position, random)
    }

    fn any_move(position: &Position, random: &mut SplitMix64) -> Point {
        any_move(position, random)
    }

    fn check(position: &Position) {
        check(position);
    }
}

impl TurnGame for Pente {
    type Position = Position;
    const GAME: Game = Game::Pente;
    const MATCHES: u64 = 15;
    /// Each side captures at most four pairs before the capture that wins.
    const MAX_PLIES: u64 = 13 * 13 + 2 * 4 * 2 + 8;

    fn start(seed: u64) -> Position {
        start(seed, Rule::Pente, seed.is_multiple_of(4))
    }

    fn choose(position: &Position, random: &mut SplitMix64) -> Point {
        choose(position, random)
    }

    fn any_move(position: &Position, random: &mut SplitMix64) -> Point {
        any_move(position, random)
    }

    fn check(position: &Position) {
        check(position);
    }
}

#[test]
fn positions_of_stones_are_equal_when_their_keys_are() {
    for seed in 0..20 {
        turns::positions_and_keys_agree::<Gomoku>(seed);
        turns::positions_and_keys_agree::<Pente>(seed);
    }
}

#[test]
fn stones_have_clocks_names_thoughts_and_talk() {
    turns::table_commands_have_their_forms::<Gomoku>();
    turns::table_commands_have_their_forms::<Pente>();
}

#[test]
fn random_matches_of_stones_end_in_every_way() {
    let mut ends = BTreeMap::new();
    for seed in 0..60 {
        *ends.entry(turns::termination::<Gomoku>(seed)).or_insert(0) += 1;
        *ends.entry(turns::termination::<Pente>(seed)).or_insert(0) += 1;
    }
    assert!(["five", "captures", "full-board"].iter().all(|name| ends.get(name) >= Some(&2)), "{ends:?}");
}
