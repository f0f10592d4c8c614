//! Riskless in the conformance suite.

use std::collections::BTreeMap;
use std::sync::Arc;

use grandstand_protocol::Game;
use grandstand_rules::SplitMix64;
use grandstand_rules::riskless::{Move, Position, maps};
use grandstand_rules::turn::{Position as _, Side, random_move};

use super::turns::{self, TurnGame};

/// Riskless on the shipped maps.
#[derive(Clone)]
pub(crate) struct Riskless;

impl TurnGame for Riskless {
    type Position = Position;
    const GAME: Game = Game::Riskless;
    const MATCHES: u64 = 6;
    const MAX_PLIES: u64 = 400;

    fn start(seed: u64) -> Position {
        let (name, _) = maps::SHIPPED[maps::SHIPPED.len() - 1 - seed as usize % maps::SHIPPED.len()];
        Position::start(Arc::new(maps::by_name(name).unwrap()))
    }

    /// A random move, more often one that wins a battle, so that matches are decided.
    fn choose(position: &Position, random: &mut SplitMix64) -> Move {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.retain(|&mv| position.battle(mv).is_some_and(|battle| battle.is_won()));
        let won = if random.below(4) > 0 { random.choose(&moves) } else { None };
        won.or_else(|| random_move(position, random)).unwrap()
    }

    fn any_move(position: &Position, random: &mut SplitMix64) -> Move {
        let count = position.map().territories().len() as u64 + 1;
        Move { from: random.below(count) as u8, to: random.below(count) as u8 }
    }

    fn check(position: &Position) {
        for side in Side::ALL {
            let held = position.territories(side).count_ones() as u16;
            assert!((held..=held * u16::from(position.map().cap())).contains(&position.armies(side)));
        }
        assert_eq!(position.territories(Side::First) & position.territories(Side::Second), 0);
    }
}

#[test]
fn positions_of_riskless_are_equal_when_their_keys_are() {
    for seed in 0..20 {
        turns::positions_and_keys_agree::<Riskless>(seed);
    }
}

#[test]
fn riskless_has_clocks_names_thoughts_and_talk() {
    turns::table_commands_have_their_forms::<Riskless>();
}

#[test]
fn random_matches_of_riskless_end_in_every_way() {
    let mut ends = BTreeMap::new();
    for seed in 0..60 {
        *ends.entry(turns::termination::<Riskless>(seed)).or_insert(0) += 1;
    }
    assert!(["elimination", "goal", "plies"].iter().all(|name| ends.get(name) >= Some(&3)), "{ends:?}");
}
