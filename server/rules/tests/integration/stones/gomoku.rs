//! Gomoku: the handout's rules, and rows of just five.

use grandstand_rules::stones::{Illegal, Point, Position, Rule, Rules};
use grandstand_rules::turn::{End, Outcome, Position as _, Side, WhyRefused};

use super::common::{after, play, point, points, refusal, with};

const BLACK_WINS: Option<End> = Some(End { outcome: Outcome::Win(Side::First), termination: "five" });

#[test]
fn black_moves_first_and_its_first_stone_goes_to_the_centre() {
    for (size, centre) in [(5, "c3"), (15, "h8"), (19, "j10"), (999, "sf500")] {
        let start = Position::new(&Rules { size, ..Rules::default() }).unwrap();
        let mut legal = Vec::new();
        start.legal_moves(&mut legal);
        assert_eq!(legal, points(centre));
        assert_eq!((start.to_move(), start.ply()), (Side::First, 0));
    }
    let start = Position::new(&Rules::default()).unwrap();
    let refused = start.play(point("h9")).unwrap_err();
    assert_eq!(refused.to_string(), "h9 is not the centre; black's first stone goes to h8");
    // White's first stone goes anywhere.
    let game = play(*refused.position, "h8 a1");
    assert_eq!((game.to_move(), game.ply()), (Side::First, 2));
}

#[test]
fn five_in_a_row_win_in_every_direction() {
    for (row, ends) in [
        ("d5 e5 f5 g5 h5", ["d5", "h5"]),
        ("e3 e4 e5 e6 e7", ["e3", "e7"]),
        ("c3 d4 e5 f6 g7", ["c3", "g7"]),
        ("c7 d6 e5 f4 g3", ["c7", "g3"]),
        // Completed in the middle, and along edges.
        ("a9 b9 d9 e9 c9", ["a9", "e9"]),
        ("i1 i2 i4 i5 i3", ["i1", "i5"]),
    ] {
        let game = with(Rule::Freestyle, 9, row, "a1 c1 a2 c2");
        assert_eq!((game.end(), game.five()), (BLACK_WINS, Some(ends.map(point))), "{row}");
    }
    let white = with(Rule::Freestyle, 9, "a1 a2 c1 c2 h9", "e3 e4 e5 e6 e7");
    assert_eq!(white.end().unwrap().outcome, Outcome::Win(Side::Second));
}

#[test]
fn four_in_a_row_and_five_that_are_interrupted_do_not_win() {
    assert_eq!(with(Rule::Freestyle, 9, "d5 e5 f5 g5", "a1 c1 a2 c2").end(), None);
    assert_eq!(with(Rule::Freestyle, 9, "c5 d5 f5 g5 h5", "e5 c1 a2 c2").end(), None);
    // A row does not go on over the edge.
    assert_eq!(with(Rule::Freestyle, 5, "c1 d1 e1 a2 b2", "a5 b5 c5 e3").end(), None);
}

#[test]
fn more_than_five_win_in_freestyle_alone() {
    let (black, white) = ("b5 c5 d5 f5 g5 e5", "a1 c1 a2 c2 a9");
    let six = with(Rule::Freestyle, 9, black, white);
    assert_eq!((six.end(), six.five()), (BLACK_WINS, Some([point("b5"), point("g5")])));
    let goes_on = with(Rule::Exactly5, 9, black, white);
    assert_eq!((goes_on.end(), goes_on.five()), (None, None));
    // A move that makes six in one direction and five in another wins.
    let five = play(goes_on, "c9 f6 a8 d4 a7 g7 a6 c3");
    assert_eq!((five.end(), five.five()), (BLACK_WINS, Some([point("c3"), point("g7")])));
    let five =
        play(with(Rule::Exactly5, 9, "b5 c5 d5 f5 g5 e1 e2 e3 e4", "a1 c1 a2 c2 a9 c9 g9 i9 i7"), "e5");
    assert_eq!((five.end(), five.five()), (BLACK_WINS, Some([point("e1"), point("e5")])));
}

#[test]
fn a_full_board_is_a_draw() {
    // Rows of two and of one, so that nobody ever has five.
    let mut game = after(Rule::Freestyle, 5, "");
    let order = "a1 c1 b1 d1 e1 a2 c2 b2 d2 e2 a4 c3 b3 a3 e3 d3 a5 c4 b4 d4 c5 e4 d5 b5 e5";
    for (ply, mv) in points(order).into_iter().enumerate() {
        assert_eq!((game.end(), game.ply()), (None, ply as u32));
        game = game.play(mv).unwrap();
    }
    assert_eq!(game.end(), Some(End { outcome: Outcome::Draw, termination: "full-board" }));
    assert_eq!(game.stones(), 25);
}

#[test]
fn illegal_moves_are_named_and_hand_the_position_back() {
    let game = after(Rule::Freestyle, 15, "h8 i9");
    assert_eq!(refusal(&game, "h8").to_string(), "h8 has a black stone");
    assert_eq!(refusal(&game, "i9").to_string(), "i9 has a white stone");
    assert_eq!(refusal(&game, "p1").to_string(), "p1 is off the board, which has 15 columns and rows");
    assert!(matches!(refusal(&game, "a16"), Illegal::OffBoard { .. }));
    let refused = game.clone().play(point("h8")).unwrap_err();
    assert_eq!(*refused.position, game);
}

#[test]
fn nothing_may_be_played_once_the_game_is_over() {
    let over = with(Rule::Freestyle, 9, "d5 e5 f5 g5 h5", "a1 c1 a2 c2");
    let mut legal = Vec::new();
    over.legal_moves(&mut legal);
    assert!(legal.is_empty());
    assert_eq!(refusal(&over, "a9").to_string(), "the game is over (five)");
    let refused = over.clone().play(point("a9")).unwrap_err();
    assert_eq!(refused.why, WhyRefused::Over(BLACK_WINS.unwrap()));
    assert_eq!(*refused.position, over);
    // `advance` with an illegal move changes nothing.
    let mut same = over.clone();
    same.advance(point("d5"));
    same.advance(point("z99"));
    assert_eq!(same, over);
}

#[test]
fn moves_are_read_leniently_and_written_in_one_way() {
    let game = after(Rule::Freestyle, 31, "");
    for (text, canonical) in [("h8", "h8"), (" H8 ", "h8"), ("AA27", "aa27"), ("h08", "h8")] {
        assert_eq!(game.move_text(game.parse_move(text).unwrap()), canonical);
    }
    // A point that is not on this board, but on a larger one.
    assert!(game.parse_move("zz999").is_ok());
    for bad in ["", "8h", "h", "h0", "h-1", "7,7", "h1000", "zzzz1", "h8 i9", "ß8", "h８"] {
        assert!(game.parse_move(bad).is_err(), "{bad}");
    }
}

#[test]
fn positions_are_equal_whatever_the_order_of_their_stones() {
    let a = after(Rule::Freestyle, 15, "h8 i9 g7 c3");
    let b = after(Rule::Freestyle, 15, "g7 c3 h8 i9");
    assert_eq!((&a, a.key()), (&b, b.key()));
    assert_ne!(a.moves(), b.moves());
    let c = after(Rule::Freestyle, 15, "h8 i9 g7");
    assert!(a != c && a.key() != c.key());
    let renju = after(Rule::Renju, 15, "h8 i9 g7 c3");
    assert!(a != renju && a.key() != renju.key());
}

#[test]
fn the_largest_board_works() {
    let game = after(Rule::Freestyle, 999, "alk999 a1 alj998");
    assert_eq!(Point::new(998, 998).unwrap().to_string(), "alk999");
    let mut legal = Vec::new();
    game.legal_moves(&mut legal);
    assert_eq!(legal.len(), 999 * 999 - 3);
}
