//! Positions of Gomoku and Pente.

use grandstand_protocol::stones::{Point, Size};
use thiserror::Error;

use super::board::{AXES, Board, WAYS};
use super::renju::{self, Forbidden};
use super::rules::{Opening, Rule, Rules, RulesError, TOURNAMENT_DISTANCE};
use crate::SplitMix64;
use crate::turn::{self, End, Outcome, Side};

/// The terminations of the rules, in the order in which they are checked.
pub mod termination {
    /// A side has made a winning row.
    pub const FIVE: &str = "five";
    /// In Pente: a side has captured enough pairs to win.
    pub const CAPTURES: &str = "captures";
    /// No point is empty: a draw.
    pub const FULL_BOARD: &str = "full-board";
    /// In Renju: black has only forbidden points left. A draw.
    pub const NO_MOVES: &str = "no-moves";
    /// All terminations.
    pub const ALL: [&str; 4] = [FIVE, CAPTURES, FULL_BOARD, NO_MOVES];
}

/// The number of captured pairs that wins a game of Pente.
pub const PAIRS_TO_WIN: u32 = 5;

/// A game of Gomoku or Pente after some moves, by one of the [`Rule`]s.
///
/// Two positions are equal if they have the same continuations: the order of their moves is ignored.
///
/// ```
/// use grandstand_rules::stones::{Position, Rules};
/// use grandstand_rules::turn::Position as _;
///
/// let game = Position::new(&Rules::default())?;
/// let game = game.play("h8".parse()?).map_err(|refused| refused.to_string())?;
/// let refused = game.play("h8".parse()?).unwrap_err();
/// assert_eq!(refused.to_string(), "h8 has a black stone");
/// assert_eq!(refused.position.ply(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Position {
    rule: Rule,
    restriction: Restriction,
    board: Board,
    moves: Vec<Point>,
    pairs: [u32; 2],
    end: Option<End>,
    five: Option<[Point; 2]>,
    key: u64,
}

/// Restrictions of black's first stones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Restriction {
    /// The first stone goes to the centre.
    centre: bool,
    /// The second stone keeps a distance from the centre.
    far: bool,
}

/// Characters of an unreadable text that an error shows.
const SHOWN: usize = 20;

/// A text that is no point of a board.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{text}` is not a point; expected a1 to {last}")]
pub struct NotAPoint {
    text: String,
    last: Point,
}

/// The reason why a stone can't be placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Illegal {
    /// The point is off the board.
    #[error("{point} is off the board, which has {size} columns and rows", size = size.get())]
    OffBoard {
        /// The point of a larger board.
        point: Point,
        /// The board's size.
        size: Size,
    },
    /// The point has a stone.
    #[error("{point} has a {} stone", name(*side))]
    Occupied {
        /// The point.
        point: Point,
        /// The side of its stone.
        side: Side,
    },
    /// The point is not the centre, where black's first stone must go.
    #[error("{point} is not the centre; black's first stone goes to {centre}")]
    NotCentre {
        /// The point of the move.
        point: Point,
        /// The centre.
        centre: Point,
    },
    /// The point of black's second stone is too near the centre, by the tournament rule of Pente.
    #[error(
        "{point} is too near the centre; black's second stone goes at least three points away from {centre}"
    )]
    NearCentre {
        /// The point of the move.
        point: Point,
        /// The centre.
        centre: Point,
    },
    /// The point is forbidden to black by the rules of Renju.
    #[error("{point} is forbidden for black: {why}")]
    Forbidden {
        /// The point.
        point: Point,
        /// The reason.
        why: Forbidden,
    },
    /// The game is over.
    #[error("the game is over ({})", .0.termination)]
    Over(End),
}

/// The name of a side in Gomoku and Pente.
pub(super) fn name(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

impl Position {
    /// The beginning of a game, after its initial stones.
    ///
    /// # Errors
    /// [`RulesError`] says why no game can be played by these rules.
    pub fn new(rules: &Rules) -> Result<Self, RulesError> {
        let size = rules.check()?;
        let restriction = Restriction { centre: rules.opening == Opening::Centre, far: rules.tournament };
        let mut position = Self::empty(size, rules.rule, restriction);
        for (number, &point) in (1..).zip(&rules.start) {
            turn::Position::check(&position, point).map_err(|why| match why {
                Illegal::Over(_) => RulesError::StartIsOver { number, point },
                why => RulesError::Start { number, why },
            })?;
            turn::Position::advance(&mut position, point);
        }
        match (position.end, rules.start.last()) {
            (Some(_), Some(&point)) => Err(RulesError::StartIsOver { number: rules.start.len(), point }),
            _ => Ok(position),
        }
    }

    fn empty(size: Size, rule: Rule, restriction: Restriction) -> Self {
        let restricted = u64::from(restriction.centre) | u64::from(restriction.far) << 1;
        let key = hash(1, u64::from(size.get()) | (rule as u64) << 16 | restricted << 24);
        let board = Board::new(size);
        Self { rule, restriction, board, moves: Vec::new(), pairs: [0; 2], end: None, five: None, key }
    }

    /// The same game before its first stone.
    pub(super) fn emptied(&self) -> Self {
        Self::empty(self.size(), self.rule, self.restriction)
    }

    /// The rule of the game.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The board's size.
    pub fn size(&self) -> Size {
        self.board.size()
    }

    pub(super) fn board(&self) -> &Board {
        &self.board
    }

    /// The side of the stone on a point.
    pub fn stone(&self, point: Point) -> Option<Side> {
        self.board.get(point)
    }

    /// Every stone on the board, row by row from below.
    pub fn all_stones(&self) -> impl Iterator<Item = (Point, Side)> {
        self.board.stones()
    }

    /// All moves up to this position, in order, including the initial stones and stones that were captured later.
    pub fn moves(&self) -> &[Point] {
        &self.moves
    }

    /// The number of pairs that a side has captured.
    pub fn pairs(&self, side: Side) -> u32 {
        self.pairs[side.index()]
    }

    /// The ends of the winning row, the lower or left one first.
    pub fn five(&self) -> Option<[Point; 2]> {
        self.five
    }

    /// The number of stones on the board.
    pub fn stones(&self) -> usize {
        self.moves.len() - 2 * (self.pairs[0] + self.pairs[1]) as usize
    }

    /// The ends of the row with which a side would win by a stone on this point, the lower or left one first.
    pub fn makes_five(&self, side: Side, point: Point) -> Option<[Point; 2]> {
        five(&self.board, self.rule, side, point)
    }

    /// The stones that a side would capture by a stone on this point: two for each pair, empty except in Pente.
    pub fn captured_by(&self, side: Side, point: Point) -> Vec<Point> {
        let mut captured = Vec::new();
        if self.rule != Rule::Pente {
            return captured;
        }
        for way in WAYS {
            let [Some(near), Some(far), Some(flank)] =
                [1, 2, 3].map(|steps| self.board.step(point, way, steps))
            else {
                continue;
            };
            let [near_stone, far_stone, flank_stone] = [near, far, flank].map(|point| self.board.get(point));
            let other = Some(side.opponent());
            if near_stone == other && far_stone == other && flank_stone == Some(side) {
                captured.extend([near, far]);
            }
        }
        captured
    }

    /// The reason why this point is forbidden to black, if it were black's turn; `None` for an allowed one, and except in Renju.
    pub fn forbidden(&self, point: Point) -> Option<Forbidden> {
        let is_free = self.size().has(point) && self.board.get(point).is_none();
        if self.rule == Rule::Renju && is_free { renju::forbidden(&self.board, point) } else { None }
    }

    /// The points that are forbidden to black, if it were black's turn, in ascending order.
    pub fn all_forbidden(&self) -> Vec<Point> {
        if self.rule != Rule::Renju {
            return Vec::new();
        }
        self.board.empty().filter(|&point| self.forbidden(point).is_some()).collect()
    }

    /// Checks that the side to move may place a stone on this empty point of the board.
    fn check_empty(&self, point: Point) -> Result<(), Illegal> {
        let centre = self.size().centre();
        let from_centre = point.x().abs_diff(centre.x()).max(point.y().abs_diff(centre.y()));
        match self.moves.len() {
            0 if self.restriction.centre && from_centre > 0 => Err(Illegal::NotCentre { point, centre }),
            2 if self.restriction.far && from_centre < TOURNAMENT_DISTANCE => {
                Err(Illegal::NearCentre { point, centre })
            }
            ply if ply % 2 == 0 => match self.forbidden(point) {
                Some(why) => Err(Illegal::Forbidden { point, why }),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// The end of the game by the move that `side` has just made at `point`; `None` if the game goes on.
    fn ended(&self, side: Side, point: Point) -> Option<(End, Option<[Point; 2]>)> {
        let win = |termination| End { outcome: Outcome::Win(side), termination };
        let draw = |termination| End { outcome: Outcome::Draw, termination };
        if let Some(five) = self.makes_five(side, point) {
            return Some((win(termination::FIVE), Some(five)));
        }
        let end = if self.pairs(side) >= PAIRS_TO_WIN {
            win(termination::CAPTURES)
        } else if self.stones() == self.board.len() {
            draw(termination::FULL_BOARD)
        } else if self.rule == Rule::Renju
            && side == Side::Second
            && self.board.empty().all(|point| self.forbidden(point).is_some())
        {
            draw(termination::NO_MOVES)
        } else {
            return None;
        };
        Some((end, None))
    }

    fn stone_key(&self, side: Side, point: Point) -> u64 {
        hash(2, (self.board.index(point) * 2 + side.index()) as u64)
    }

    fn pairs_key(&self, side: Side) -> u64 {
        match self.pairs[side.index()] {
            0 => 0,
            pairs => hash(3, u64::from(pairs) * 2 + side.index() as u64),
        }
    }
}

/// The ends of the row through this point with which a side wins, the lower or left one first. The side has a stone on the point.
pub(super) fn five(board: &Board, rule: Rule, side: Side, point: Point) -> Option<[Point; 2]> {
    AXES.into_iter().find_map(|axis| {
        let behind = board.run(point, (-axis.0, -axis.1), side);
        let ahead = board.run(point, axis, side);
        if !rule.wins(side, (behind + 1 + ahead) as usize) {
            return None;
        }
        Some([board.step(point, axis, -behind)?, board.step(point, axis, ahead)?])
    })
}

/// A hash of a thing of a kind.
fn hash(kind: u64, thing: u64) -> u64 {
    SplitMix64::new(kind << 40 | thing).next_u64()
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
            && (self.rule, self.restriction, self.pairs, self.moves.len())
                == (other.rule, other.restriction, other.pairs, other.moves.len())
            && self.board == other.board
    }
}

impl turn::Position for Position {
    type Move = Point;
    type Illegal = Illegal;
    type Unreadable = NotAPoint;

    fn to_move(&self) -> Side {
        Side::ALL[self.moves.len() % 2]
    }

    fn ply(&self) -> u32 {
        self.moves.len() as u32
    }

    fn end(&self) -> Option<End> {
        self.end
    }

    fn legal_moves(&self, moves: &mut Vec<Point>) {
        if self.end.is_none() {
            moves.extend(self.board.empty().filter(|&point| self.check_empty(point).is_ok()));
        }
    }

    fn check(&self, point: Point) -> Result<(), Illegal> {
        if let Some(end) = self.end {
            return Err(Illegal::Over(end));
        }
        let size = self.size();
        if !size.has(point) {
            return Err(Illegal::OffBoard { point, size });
        }
        match self.board.get(point) {
            Some(side) => Err(Illegal::Occupied { point, side }),
            None => self.check_empty(point),
        }
    }

    fn advance(&mut self, point: Point) {
        if !self.size().has(point) || self.board.get(point).is_some() {
            return;
        }
        let side = turn::Position::to_move(self);
        let captured = self.captured_by(side, point);
        self.key ^= self.stone_key(side, point) ^ self.pairs_key(side);
        self.board.set(point, Some(side));
        for &stone in &captured {
            self.key ^= self.stone_key(side.opponent(), stone);
            self.board.set(stone, None);
        }
        self.pairs[side.index()] += captured.len() as u32 / 2;
        self.key ^= self.pairs_key(side) ^ hash(4, 0);
        self.moves.push(point);
        if let Some((end, five)) = self.ended(side, point) {
            (self.end, self.five) = (Some(end), five);
        }
    }

    fn parse_move(&self, text: &str) -> Result<Point, NotAPoint> {
        let text = text.trim();
        if let Ok(point) = text.to_ascii_lowercase().parse() {
            return Ok(point);
        }
        let text = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
        Err(NotAPoint { text, last: self.size().last() })
    }

    fn move_text(&self, point: Point) -> String {
        point.to_string()
    }

    fn key(&self) -> u64 {
        self.key
    }
}
