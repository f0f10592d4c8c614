//! Pente: pairs that are flanked leave the board, and five of them win.

use grandstand_rules::stones::{Illegal, PAIRS_TO_WIN, Position, Rule, Rules, RulesError};
use grandstand_rules::turn::{Outcome, Position as _, Side};

use super::common::{after, picture, play, point, refusal, with};

/// From the middle of the board, in each of the eight directions: two stones and their flank.
const LINES: [[&str; 3]; 8] = [
    ["g6", "h6", "i6"],
    ["g7", "h8", "i9"],
    ["f7", "f8", "f9"],
    ["e7", "d8", "c9"],
    ["e6", "d6", "c6"],
    ["e5", "d4", "c3"],
    ["f5", "f4", "f3"],
    ["g5", "h4", "i3"],
];

#[test]
fn a_pair_is_captured_by_flanking_it_in_every_direction() {
    for [near, far, flank] in LINES {
        let game = with(Rule::Pente, 11, &format!("{flank} a1"), &format!("{near} {far}"));
        let after = play(game, "f6");
        assert_eq!(after.pairs(Side::First), 1, "{far}");
        assert!([near, far].iter().all(|stone| after.stone(point(stone)).is_none()));
        assert!([flank, "f6"].iter().all(|stone| after.stone(point(stone)) == Some(Side::First)));
        assert_eq!((after.stones(), after.ply(), after.pairs(Side::Second)), (3, 5, 0));
    }
}

#[test]
fn one_stone_captures_several_pairs_at_once() {
    let pairs: String = LINES[..3].iter().map(|[near, far, _]| format!("{near} {far} ")).collect();
    let flanks: String = LINES[..3].iter().map(|[_, _, flank]| format!("{flank} ")).collect();
    let game = with(Rule::Pente, 11, &format!("{flanks} a1 a3 a5"), &pairs);
    let after = play(game, "f6");
    assert_eq!((after.pairs(Side::First), after.end()), (3, None));
    assert_eq!(after.stones(), 7);
}

#[test]
fn a_stone_that_moves_between_two_flanking_stones_is_safe() {
    // White stands at c5 and f5; black goes between, one stone after the other.
    let game = after(Rule::Pente, 9, "d5 c5 a1 f5 e5");
    assert_eq!((game.pairs(Side::Second), game.stones()), (0, 5));
    // The pair stays after a move of white elsewhere; only a new flank captures it.
    let game = play(game, "i9");
    assert_eq!(game.stone(point("d5")), Some(Side::First));
}

#[test]
fn one_stone_and_three_stones_are_not_captured() {
    assert_eq!(with(Rule::Pente, 9, "c5 a1 e5", "d5 i9").stones(), 5);
    assert_eq!(with(Rule::Pente, 9, "b5 a1 a2 f5", "c5 d5 e5").stones(), 7);
    // Two stones that are not adjacent are not captured either, nor a pair of both colours, nor one at the edge.
    assert_eq!(with(Rule::Pente, 9, "b5 a1 f5", "c5 e5").stones(), 5);
    assert_eq!(with(Rule::Pente, 9, "b5 c5 e5", "d5 i9").stones(), 5);
    assert_eq!(with(Rule::Pente, 9, "i9 a1 c5", "a5 b5").stones(), 5);
}

#[test]
fn nothing_is_captured_in_gomoku() {
    assert_eq!(with(Rule::Freestyle, 11, "i6 a1 f6", "g6 h6").stones(), 5);
}

#[test]
fn captured_points_may_be_played_again() {
    let game = with(Rule::Pente, 11, "i6 a1 f6", "g6 h6");
    let game = play(game, "g6 k11 h6");
    assert_eq!(picture(&game)[5], ".....xoox..");
    // White's lone stone goes back between two flanking stones and stays; its number is that of the new move.
    assert_eq!((game.pairs(Side::First), game.ply()), (1, 8));
}

/// A game in which black captures this many pairs, each on its own line.
fn capture_pairs(pairs: u32) -> Position {
    let moves: String =
        (0..pairs).map(|n| n * 2 + 1).map(|y| format!("a{y} b{y} k{y} c{y} d{y} l{y} ")).collect();
    after(Rule::Pente, 15, moves.trim())
}

#[test]
fn five_captured_pairs_win() {
    assert_eq!(PAIRS_TO_WIN, 5);
    assert_eq!(capture_pairs(4).end(), None);
    let game = play(capture_pairs(4), "a9 b9 k9 c9");
    let won = play(game, "d9");
    assert_eq!(won.pairs(Side::First), 5);
    let end = won.end().unwrap();
    assert_eq!((end.outcome, end.termination), (Outcome::Win(Side::First), "captures"));
    assert_eq!(won.five(), None);
}

#[test]
fn five_in_a_row_win_whatever_could_be_captured_next() {
    let game = with(Rule::Pente, 11, "d5 e5 f5 g5 h5", "a1 c1 a3 c3");
    assert_eq!(game.end().unwrap().termination, "five");
    // More than five do as well.
    let game = with(Rule::Pente, 11, "c5 d5 e5 g5 h5 f5", "a1 c1 a3 c3 k11");
    assert_eq!(game.end().unwrap().termination, "five");
}

#[test]
fn the_tournament_rule_keeps_blacks_second_stone_away() {
    let rules = Rules { tournament: true, ..Rules::pente() };
    let game = play(Position::new(&rules).unwrap(), "j10 k10");
    for near in ["j11", "l12", "h8", "l10", "j8", "l8"] {
        let Illegal::NearCentre { centre, .. } = refusal(&game, near) else { panic!("{near}") };
        assert_eq!(centre, point("j10"));
    }
    assert_eq!(
        refusal(&game, "l12").to_string(),
        "l12 is too near the centre; black's second stone goes at least three points away from j10"
    );
    for far in ["m10", "m13", "j7", "g7", "a1"] {
        assert_eq!(game.check(point(far)), Ok(()), "{far}");
    }
    let mut legal = Vec::new();
    game.legal_moves(&mut legal);
    assert_eq!(legal.len(), 19 * 19 - 25);
    // The restriction is for that stone only, and by that rule only.
    assert_eq!(play(game, "m10 j11").check(point("j9")), Ok(()));
    assert_eq!(play(Position::new(&Rules::pente()).unwrap(), "j10 k10").check(point("j11")), Ok(()));
}

#[test]
fn the_tournament_rule_needs_pente_and_room() {
    let refuse = |rules: Rules| Position::new(&rules).unwrap_err().to_string();
    assert_eq!(
        refuse(Rules { tournament: true, ..Rules::gomoku() }),
        "TOURNAMENT is a rule of Pente and RULE is freestyle; expected RULE = \"pente\""
    );
    let small = Rules { tournament: true, size: 5, ..Rules::pente() };
    assert_eq!(Position::new(&small), Err(RulesError::TournamentSize(5)));
    assert!(Position::new(&Rules { size: 7, ..small }).is_ok());
}
