//! Board of an engine: of any size, including even ones, with any stones that a manager sends.

use grandstand_rules::stones::{PAIRS_TO_WIN, Rule};
use grandstand_rules::turn::Side;

use super::manager::BoardPoint;

/// Stones on a square board, and the moves that placed them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineBoard {
    size: u16,
    rule: Rule,
    moves: Vec<BoardPoint>,
    points: Vec<Option<Side>>,
    pairs: [u32; 2],
    over: bool,
}

/// Reason for which a move is illegal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The point is not on the board.
    #[error("{0},{1} is not on the board")]
    Off(i64, i64),
    /// The point is occupied.
    #[error("there is a stone on {0},{1}")]
    Occupied(u16, u16),
    /// The game is over.
    #[error("the game is over")]
    Over,
}

impl EngineBoard {
    /// An empty board.
    pub fn new(size: u16, rule: Rule) -> Self {
        let points = vec![None; usize::from(size) * usize::from(size)];
        Self { size, rule, moves: Vec::new(), points, pairs: [0; 2], over: false }
    }

    /// A board after these moves, which are made by turns.
    ///
    /// # Errors
    /// The refusal of the first illegal move.
    pub fn with(size: u16, rule: Rule, moves: &[(i64, i64)]) -> Result<Self, Refusal> {
        let mut board = Self::new(size, rule);
        moves.iter().try_for_each(|at| board.play(*at))?;
        Ok(board)
    }

    /// Number of columns, and of rows.
    pub fn size(&self) -> u16 {
        self.size
    }

    /// The rule.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Moves in the order of play, including those of stones that were captured since.
    pub fn moves(&self) -> &[BoardPoint] {
        &self.moves
    }

    /// Whether a side has won or no point is empty.
    pub fn is_over(&self) -> bool {
        self.over || self.points.iter().all(Option::is_some)
    }

    /// The empty point closest to the centre.
    pub fn any_empty(&self) -> Option<BoardPoint> {
        let centre = i32::from(self.size / 2);
        let from_centre =
            |(x, y): &BoardPoint| (i32::from(*x) - centre).abs().max((i32::from(*y) - centre).abs());
        let empty = (0..self.points.len()).filter(|index| self.points[*index].is_none());
        let size = usize::from(self.size);
        empty.map(|index| ((index % size) as u16, (index / size) as u16)).min_by_key(from_centre)
    }

    /// Makes a move.
    ///
    /// # Errors
    /// If the move is illegal; after the end of the game every move is.
    pub fn play(&mut self, (x, y): (i64, i64)) -> Result<(), Refusal> {
        let inside = |n: i64| u16::try_from(n).ok().filter(|n| *n < self.size);
        let (Some(column), Some(row)) = (inside(x), inside(y)) else { return Err(Refusal::Off(x, y)) };
        if self.stone((column.into(), row.into())).is_some() {
            return Err(Refusal::Occupied(column, row));
        }
        if self.over {
            return Err(Refusal::Over);
        }
        let side = Side::ALL[self.moves.len() % 2];
        self.moves.push((column, row));
        self.place((column, row), side);
        Ok(())
    }

    /// Takes the last move back.
    pub fn take_back(&mut self) {
        let mut moves = std::mem::take(&mut self.moves);
        moves.pop();
        let mut board = Self::new(self.size, self.rule);
        for (x, y) in moves {
            // Succeeds, since the same moves were made before.
            let _ = board.play((x.into(), y.into()));
        }
        *self = board;
    }

    fn stone(&self, (x, y): (i32, i32)) -> Option<Side> {
        let inside = |n: i32| u16::try_from(n).ok().filter(|n| *n < self.size).map(usize::from);
        self.points[inside(y)? * usize::from(self.size) + inside(x)?]
    }

    fn set(&mut self, (x, y): (i32, i32), stone: Option<Side>) {
        let index = y as usize * usize::from(self.size) + x as usize;
        self.points[index] = stone;
    }

    fn place(&mut self, (x, y): BoardPoint, side: Side) {
        let at = (i32::from(x), i32::from(y));
        let step = |(dx, dy): (i32, i32), n: i32| (at.0 + n * dx, at.1 + n * dy);
        self.set(at, Some(side));
        for way in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            let backwards = (-way.0, -way.1);
            if self.rule == Rule::Pente {
                for way in [way, backwards] {
                    let other = Some(side.opponent());
                    let flanked = [1, 2].map(|n| self.stone(step(way, n)) == other) == [true; 2];
                    if flanked && self.stone(step(way, 3)) == Some(side) {
                        [1, 2].into_iter().for_each(|n| self.set(step(way, n), None));
                        self.pairs[side.index()] += 1;
                    }
                }
            }
            let run = |way| (1..).take_while(|n| self.stone(step(way, *n)) == Some(side)).count();
            self.over |= self.rule.wins(side, 1 + run(way) + run(backwards));
        }
        self.over |= self.pairs[side.index()] >= PAIRS_TO_WIN;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_in_a_row_end_a_game_on_a_board_of_even_size() {
        let moves = [(2, 2), (0, 0), (3, 3), (0, 1), (4, 4), (0, 2), (5, 5), (0, 3)];
        let mut board = EngineBoard::with(6, Rule::Freestyle, &moves).unwrap();
        assert!(!board.is_over());
        board.play((1, 1)).unwrap();
        assert!(board.is_over());
        assert_eq!(board.play((0, 5)), Err(Refusal::Over));
        board.take_back();
        assert!(!board.is_over() && board.moves().len() == 8);
        assert_eq!(board.play((6, 0)), Err(Refusal::Off(6, 0)));
        assert_eq!(board.play((2, 2)), Err(Refusal::Occupied(2, 2)));
    }

    #[test]
    fn a_flanked_pair_leaves_the_board_and_comes_back() {
        let moves = [(9, 9), (9, 10), (0, 0), (9, 11), (9, 12)];
        let mut board = EngineBoard::with(19, Rule::Pente, &moves).unwrap();
        assert_eq!((board.stone((9, 10)), board.pairs), (None, [1, 0]));
        board.play((9, 10)).unwrap();
        board.take_back();
        board.take_back();
        assert_eq!((board.stone((9, 10)), board.pairs), (Some(Side::Second), [0, 0]));
    }

    #[test]
    fn some_empty_point_is_found_while_there_is_one() {
        let mut board = EngineBoard::new(5, Rule::Renju);
        let mut stones = 0;
        while let Some((x, y)) = board.any_empty() {
            board.over = false;
            board.play((x.into(), y.into())).unwrap();
            stones += 1;
        }
        assert!(stones == 25 && board.is_over());
    }
}
