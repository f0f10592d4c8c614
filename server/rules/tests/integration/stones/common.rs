//! Positions for the tests.

use grandstand_rules::stones::{Illegal, Opening, Point, Position, Rule, Rules, Size};
use grandstand_rules::turn::{Position as _, Side};

pub(crate) fn point(text: &str) -> Point {
    text.parse().unwrap()
}

pub(crate) fn points(text: &str) -> Vec<Point> {
    text.split_whitespace().map(point).collect()
}

/// A game that begins anywhere, after these moves.
pub(crate) fn after(rule: Rule, size: u32, moves: &str) -> Position {
    let rules = Rules { size, rule, opening: Opening::Free, ..Rules::default() };
    play(Position::new(&rules).unwrap(), moves)
}

pub(crate) fn play(position: Position, moves: &str) -> Position {
    points(moves).into_iter().fold(position, |position, mv| position.play(mv).unwrap())
}

/// Black's stones and white's stones, which are placed by turns.
pub(crate) fn with(rule: Rule, size: u32, black: &str, white: &str) -> Position {
    let (black, mut white) = (points(black), points(white).into_iter());
    let moves = black.into_iter().flat_map(|stone| [Some(stone), white.next()]).flatten();
    let text: Vec<String> = moves.map(|stone| stone.to_string()).collect();
    assert!(white.next().is_none(), "white has more stones than black");
    after(rule, size, &text.join(" "))
}

pub(crate) fn refusal(position: &Position, mv: &str) -> Illegal {
    position.check(point(mv)).unwrap_err()
}

/// The board as lines, the upper row first: `x` is black, `o` is white.
pub(crate) fn picture(position: &Position) -> Vec<String> {
    let edge = position.size().get();
    let letter = |x, y| match position.stone(Point::new(x, y).unwrap()) {
        Some(Side::First) => 'x',
        Some(Side::Second) => 'o',
        None => '.',
    };
    (0..edge).rev().map(|y| (0..edge).map(|x| letter(x, y)).collect()).collect()
}

pub(crate) fn size(edge: u16) -> Size {
    Size::new(edge).unwrap()
}
