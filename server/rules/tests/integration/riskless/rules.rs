//! Section 4.1.1: moves, battles, training, and how a match ends.

use std::sync::Arc;

use grandstand_rules::riskless::{Battle, Illegal, Map, Move, Position, Unreadable, maps};
use grandstand_rules::turn::{End, Outcome, Position as _, Side, WhyRefused};
use proptest::prelude::*;

/// A match on four territories in a ring: 0-1, 1-2, 2-3, 3-0. `start` are their armies, Minnie's below 0.
fn ring(start: [i32; 4], cap: u32, goal: u32, draw_plies: u32) -> Position {
    let territories: String = (0..4)
        .map(|n| {
            let holding = match start[n] {
                0 => String::new(),
                armies @ 1.. => format!(", maxie = {armies}"),
                armies => format!(", minnie = {}", -armies),
            };
            format!("{{ name = \"T-{n}\", x = {}, y = 0{holding} }},\n", n * 100)
        })
        .collect();
    let text = format!(
        "title = \"Ring\"\ncap = {cap}\ngoal = {goal}\ndraw_plies = {draw_plies}\nterritories = [{territories}]\n\
         roads = [[\"T-0\", \"T-1\"], [\"T-1\", \"T-2\"], [\"T-2\", \"T-3\"], [\"T-3\", \"T-0\"]]"
    );
    Position::start(Arc::new(Map::parse(text.as_bytes()).unwrap()))
}

fn play(position: Position, moves: &[(u8, u8)]) -> Position {
    moves.iter().fold(position, |position, &(from, to)| position.play(Move { from, to }).unwrap())
}

fn moves(position: &Position) -> Vec<(u8, u8)> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves.into_iter().map(|Move { from, to }| (from, to)).collect()
}

#[test]
fn maxie_begins_and_moves_lead_along_any_road() {
    let start = ring([2, 0, -3, 0], 10, 30, 50);
    assert_eq!((start.to_move(), start.ply()), (Side::First, 0));
    assert_eq!(moves(&start), [(0, 1), (0, 3)]);
    let next = play(start, &[(0, 1)]);
    assert_eq!((next.to_move(), next.ply()), (Side::Second, 1));
    assert_eq!(moves(&next), [(2, 1), (2, 3)]);
}

#[test]
fn an_empty_target_takes_all_and_the_source_stays_owned() {
    let after = play(ring([2, 0, -3, 0], 10, 30, 50), &[(0, 1)]);
    // The source has 0 armies for a moment, and trains one like every territory.
    assert_eq!(after.holdings(), [1, 3, -4, 0]);
    assert_eq!((after.armies(Side::First), after.armies(Side::Second)), (4, 4));
    assert_eq!(after.territories(Side::First), 0b0011);
}

#[test]
fn armies_of_one_side_add_up() {
    assert_eq!(play(ring([2, 3, -6, 0], 10, 30, 50), &[(0, 1)]).holdings(), [1, 6, -7, 0]);
}

#[test]
fn both_train_after_every_move_up_to_the_cap() {
    let position = play(ring([5, 5, -5, -6], 6, 24, 50), &[(0, 1)]);
    assert_eq!(position.holdings(), [1, 6, -6, -6], "ten armies met on territory 1, and the cap is 6");
}

#[test]
fn more_armies_win_a_battle_and_keep_the_difference() {
    let start = ring([5, -3, -3, 0], 10, 30, 50);
    let mv = Move { from: 0, to: 1 };
    assert_eq!(start.battle(mv), Some(Battle { territory: 1, attackers: 5, defenders: 3 }));
    assert!(start.battle(mv).unwrap().is_won());
    let after = play(start, &[(0, 1)]);
    assert_eq!(after.holdings(), [1, 3, -4, 0]);
    assert_eq!(after.territories(Side::Second), 0b0100);
}

#[test]
fn fewer_armies_lose_and_the_defender_keeps_the_rest() {
    let start = ring([3, -3, -3, 2], 10, 30, 50);
    let start = play(start, &[(0, 3), (1, 0)]);
    assert_eq!(start.holdings(), [-4, -1, -5, 7], "four beat one, and three are left to train");
    let after = play(start, &[(3, 0), (2, 3), (0, 3)]);
    assert_eq!(after.holdings()[3], -2, "five against six");
    assert_eq!(after.holdings()[0], 1);
}

#[test]
fn a_tie_is_the_attackers() {
    let start = ring([3, -3, -1, 0], 10, 30, 50);
    assert!(start.battle(Move { from: 0, to: 1 }).unwrap().is_won());
    let after = play(start, &[(0, 1)]);
    assert_eq!(after.holdings(), [1, 1, -2, 0], "none are left, and one is trained");
}

#[test]
fn a_move_among_ones_own_is_no_battle() {
    let start = ring([2, 3, -6, 0], 10, 30, 50);
    assert_eq!(start.battle(Move { from: 0, to: 1 }), None);
    assert_eq!(start.battle(Move { from: 0, to: 3 }), None);
}

#[test]
fn who_has_no_territory_left_has_lost() {
    let text = "title = \"Two\"\ncap = 10\ngoal = 11\ndraw_plies = 50\nterritories = [\n\
                { name = \"A\", x = 0, y = 0, maxie = 2 },\n{ name = \"B\", x = 90, y = 0, minnie = 3 },\n]\n\
                roads = [[\"A\", \"B\"]]";
    let start = Position::start(Arc::new(Map::parse(text.as_bytes()).unwrap()));
    let repelled = play(start, &[(0, 1)]);
    assert_eq!((repelled.holdings(), repelled.end()), (&[1, -2][..], None));
    let over = play(repelled, &[(1, 0)]);
    assert_eq!(over.holdings(), [-2, -1]);
    assert_eq!(over.end(), Some(End { outcome: Outcome::Win(Side::Second), termination: "elimination" }));
    assert_eq!((moves(&over), over.territories(Side::First), over.armies(Side::First)), (vec![], 0, 0));
}

#[test]
fn a_refused_move_returns_the_position() {
    let start = ring([2, 0, -3, 0], 10, 30, 50);
    for ((from, to), illegal, told) in [
        ((2, 1), Illegal::NotYours { territory: "T-2".into() }, "T-2 is not yours"),
        ((1, 2), Illegal::NotYours { territory: "T-1".into() }, "T-1 is not yours"),
        ((0, 2), Illegal::NoRoad { from: "T-0".into(), to: "T-2".into() }, "no road leads from T-0 to T-2"),
        ((0, 0), Illegal::NoRoad { from: "T-0".into(), to: "T-0".into() }, "no road leads from T-0 to T-0"),
        ((0, 4), Illegal::NoTerritory { number: 4, last: 3 }, "there is no territory 4; the map has 0 to 3"),
    ] {
        let refused = start.clone().play(Move { from, to }).unwrap_err();
        assert_eq!(refused.to_string(), told);
        assert_eq!((refused.why, *refused.position), (WhyRefused::Illegal(illegal), start.clone()));
    }
}

#[test]
fn the_goal_wins_for_one_and_is_a_draw_for_both() {
    let end = |outcome| Some(End { outcome, termination: "goal" });
    let both = play(ring([4, 0, -5, 0], 10, 8, 50), &[(0, 3), (2, 1)]);
    assert_eq!((both.armies(Side::First), both.armies(Side::Second)), (8, 8));
    assert_eq!(both.end(), end(Outcome::Draw));
    let maxie = play(ring([4, 4, -9, 0], 10, 11, 50), &[(0, 3)]);
    assert_eq!((maxie.armies(Side::First), maxie.armies(Side::Second)), (11, 10));
    assert_eq!(maxie.end(), end(Outcome::Win(Side::First)));
    assert_eq!(moves(&maxie), []);
    let refused = maxie.play(Move { from: 0, to: 1 }).unwrap_err();
    assert_eq!(refused.to_string(), "the game is over (goal)");
}

#[test]
fn the_last_ply_is_a_draw_when_nobody_has_won() {
    let over = play(ring([2, 0, -3, 0], 10, 30, 3), &[(0, 1), (2, 3), (1, 2)]);
    assert_eq!(over.end(), Some(End { outcome: Outcome::Draw, termination: "plies" }));
    assert_eq!(moves(&over), []);
}

#[test]
fn moves_are_read_by_number_and_by_name() {
    let earth = Position::start(Arc::new(maps::by_name("earth").unwrap()));
    let expected = Move { from: 0, to: 34 };
    for text in ["0-34", " 0 - 34 ", "Alaska-Kamchatka", "alaska-KAMCHATKA", "Alaska-34"] {
        assert_eq!(earth.parse_move(text), Ok(expected), "{text}");
    }
    assert_eq!(earth.parse_move("Western_States - mexico"), Ok(Move { from: 4, to: 6 }));
    assert_eq!(earth.move_text(expected), "0-34");
    assert_eq!(earth.parse_move("Atlantis-Mexico"), Err(Unreadable::Unknown("Atlantis".into())));
    assert_eq!(earth.parse_move("0-42"), Err(Unreadable::Unknown("42".into())));
    for text in ["", "Alaska", "-", "0-", "--", "7"] {
        assert!(earth.parse_move(text).is_err(), "{text}");
    }
    // Names with a dash in them.
    let ring = ring([2, 0, -3, 0], 10, 30, 50);
    assert_eq!(ring.parse_move("T-0-T-3"), Ok(Move { from: 0, to: 3 }));
    assert!(ring.parse_move(&"T-".repeat(100_000)).is_err());
}

proptest! {
    /// A second, simple implementation of the handout's rules.
    #[test]
    fn play_is_what_the_rules_say(choices in prop::collection::vec(any::<u16>(), 1..200), which in 0..4_usize) {
        let map = Arc::new(maps::by_name(maps::SHIPPED[which].0).unwrap());
        let mut position = Position::start(map.clone());
        let mut board: Vec<Option<(Side, u32)>> = (0..map.territories().len() as u8)
            .map(|n| position.holding(n).map(|(side, armies)| (side, u32::from(armies))))
            .collect();
        for (ply, choice) in choices.into_iter().enumerate() {
            let legal = moves(&position);
            if legal.is_empty() {
                break;
            }
            let (from, to) = legal[usize::from(choice) % legal.len()];
            let mover = Side::ALL[ply % 2];
            let armies = match board[usize::from(from)] {
                Some((side, armies)) if side == mover => armies,
                other => panic!("{other:?}"),
            };
            board[usize::from(from)] = Some((mover, 0));
            board[usize::from(to)] = Some(match board[usize::from(to)] {
                None => (mover, armies),
                Some((side, there)) if side == mover => (mover, armies + there),
                Some((_, there)) if armies >= there => (mover, armies - there),
                Some((side, there)) => (side, there - armies),
            });
            for (_, armies) in board.iter_mut().flatten() {
                *armies = (*armies + 1).min(map.cap().into());
            }
            position = position.play(Move { from, to }).unwrap();
            let total = |side| board.iter().flatten().filter(|(owner, _)| *owner == side).map(|(_, armies)| armies).sum::<u32>();
            let totals = Side::ALL.map(total);
            for (n, expected) in board.iter().enumerate() {
                let holding = position.holding(n as u8).map(|(side, armies)| (side, u32::from(armies)));
                prop_assert_eq!(holding, *expected);
            }
            prop_assert_eq!(Side::ALL.map(|side| u32::from(position.armies(side))), totals);
            let held = Side::ALL.map(|side| board.iter().flatten().any(|(owner, _)| *owner == side));
            let reached = totals.map(|total| total >= u32::from(map.goal()));
            let outcome = match (held, reached) {
                ([true, false], _) => Some(Outcome::Win(Side::First)),
                ([false, true], _) => Some(Outcome::Win(Side::Second)),
                (_, [true, true]) => Some(Outcome::Draw),
                (_, [true, false]) => Some(Outcome::Win(Side::First)),
                (_, [false, true]) => Some(Outcome::Win(Side::Second)),
                _ => (ply as u32 + 1 >= map.draw_plies()).then_some(Outcome::Draw),
            };
            prop_assert_eq!(position.end().map(|end| end.outcome), outcome);
        }
    }

    #[test]
    fn equal_positions_have_equal_keys_and_others_hardly_ever(choices in prop::collection::vec(any::<u16>(), 1..40)) {
        let start = Position::start(Arc::new(maps::by_name("europe").unwrap()));
        let mut keys = std::collections::HashMap::new();
        let mut position = start;
        for choice in choices {
            let legal = moves(&position);
            for &(from, to) in &legal {
                let next = position.clone().play(Move { from, to }).unwrap();
                if let Some(other) = keys.insert(next.key(), next.clone()) {
                    prop_assert_eq!(other, next);
                }
            }
            let Some(&(from, to)) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
            position = position.play(Move { from, to }).unwrap();
        }
    }

    #[test]
    fn positions_that_stood_before_are_known_again(choices in prop::collection::vec(any::<u16>(), 1..40)) {
        // Four territories have few positions, so that positions repeat.
        let mut position = Position::start(Arc::new(maps::by_name("trees").unwrap()));
        let mut seen = std::collections::HashMap::new();
        for choice in choices {
            let here = (position.holdings().to_vec(), position.to_move());
            prop_assert_eq!(seen.entry(position.standing()).or_insert_with(|| here.clone()).clone(), here.clone());
            prop_assert_eq!(seen.values().filter(|seen| **seen == here).count(), 1);
            let legal = moves(&position);
            let Some(&(from, to)) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
            position = position.play(Move { from, to }).unwrap();
        }
    }
}
