//! Settings of Gomoku and Pente.

use grandstand_protocol::Game;
use grandstand_protocol::stones::{Point, Size};
use grandstand_protocol::words;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::position::Illegal;
use crate::turn::Side;

words! {
    /// The rule of a game: the winning rows, other ways to win, and black's forbidden moves.
    #[derive(Default)]
    Rule {
        /// Five or more in a row win: the handout's Gomoku.
        #[default]
        Freestyle = "freestyle",
        /// Exactly five in a row win; longer rows count for nothing.
        Exactly5 = "exactly5",
        /// Black wins with exactly five and may make no overline, no double-four and no double-three; white wins with five or more.
        Renju = "renju",
        /// Pairs are captured by flanking them; five or more in a row win, and so do five captured pairs.
        Pente = "pente",
    }
}

impl Rule {
    /// The game with this rule.
    pub fn game(self) -> Game {
        if self == Rule::Pente { Game::Pente } else { Game::Gomoku }
    }

    /// Whether a side wins with a row of exactly this number of stones.
    pub fn wins(self, side: Side, stones: usize) -> bool {
        match (self, side) {
            (Rule::Exactly5, _) | (Rule::Renju, Side::First) => stones == 5,
            _ => stones >= 5,
        }
    }
}

words! {
    /// The beginning of a game.
    #[derive(Default)]
    Opening {
        /// Black's first stone goes to the centre: the handout's beginning.
        #[default]
        Centre = "centre",
        /// Black's first stone goes anywhere.
        Free = "free",
        /// The players decide by [swap2](crate::swap2) who has which colour.
        Swap2 = "swap2",
        /// The first stones are those of a balanced opening: [`Rules::start`].
        Balanced = "balanced",
    }
}

/// The settings of a game. In a file they have the names `SIZE`, `RULE`, `OPENING`, `START` (points in the order
/// of play, as one text) and `TOURNAMENT`; omitted ones have their defaults.
///
/// The values are unchecked: [`Position::new`](super::Position::new) checks that a game can be played with them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Settings", into = "Settings")]
pub struct Rules {
    /// The number of columns and rows of the board: an odd number from 5 to 999. 15 by default, 19 in Pente.
    pub size: u32,
    /// The rule. Freestyle by default.
    pub rule: Rule,
    /// The beginning of the game. With black in the centre by default.
    pub opening: Opening,
    /// The initial stones, black's first, in the order of play.
    pub start: Vec<Point>,
    /// The tournament rule of Pente: black's second stone is at least three from the centre. Off by default.
    pub tournament: bool,
}

/// The least distance of black's second stone from the centre by the tournament rule of Pente, along rows, columns or diagonals.
pub(super) const TOURNAMENT_DISTANCE: u16 = 3;

impl Default for Rules {
    fn default() -> Self {
        Self::gomoku()
    }
}

impl Rules {
    /// The handout's Gomoku, on 15 by 15 points.
    pub fn gomoku() -> Self {
        Self {
            size: 15,
            rule: Rule::Freestyle,
            opening: Opening::Centre,
            start: Vec::new(),
            tournament: false,
        }
    }

    /// Pente on 19 by 19 points.
    pub fn pente() -> Self {
        Self { size: 19, rule: Rule::Pente, ..Self::gomoku() }
    }

    /// The board's size, if the settings are consistent. The stones of `start` are not checked.
    pub(super) fn check(&self) -> Result<Size, RulesError> {
        let size = u16::try_from(self.size).ok().and_then(Size::new).ok_or(RulesError::Size(self.size))?;
        if self.tournament && self.rule != Rule::Pente {
            return Err(RulesError::TournamentOfPente(self.rule));
        }
        if self.tournament && size.get() / 2 < TOURNAMENT_DISTANCE {
            return Err(RulesError::TournamentSize(size.get()));
        }
        match self.opening {
            Opening::Balanced if self.start.is_empty() => Err(RulesError::NoStart),
            Opening::Swap2 if !self.start.is_empty() => Err(RulesError::StartOfSwap2),
            _ => Ok(size),
        }
    }
}

/// The reason why no game can be played with given [`Rules`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RulesError {
    /// The number is not the size of a board.
    #[error("SIZE is {0}; expected an odd number from 5 to 999")]
    Size(u32),
    /// The tournament rule is set, but the game is not Pente.
    #[error("TOURNAMENT is a rule of Pente and RULE is {0}; expected RULE = \"pente\"")]
    TournamentOfPente(Rule),
    /// The board is too small for the distance of the tournament rule.
    #[error("TOURNAMENT on a board of {0} by {0}: no point is three from the centre; expected a SIZE from 7")]
    TournamentSize(u16),
    /// The opening is balanced, but no stones are given.
    #[error("OPENING is balanced and START has no stones; expected those of one of the openings")]
    NoStart,
    /// The opening is swap2, in which the players place the first stones, but stones are given.
    #[error("OPENING is swap2 and START has stones; the players place them")]
    StartOfSwap2,
    /// A stone of the start can't be placed.
    #[error("stone {number} of START: {why}")]
    Start {
        /// The number of the stone, from 1.
        number: usize,
        /// The reason, with the point.
        why: Illegal,
    },
    /// The game is over before the players begin.
    #[error("START has stones after the end of the game: stone {number}, {point}")]
    StartIsOver {
        /// The number, from 1, of the first stone after the end; of the last stone if there is none.
        number: usize,
        /// The point of the stone.
        point: Point,
    },
}

/// The settings as in a file.
#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "UPPERCASE")]
struct Settings {
    size: Option<u32>,
    rule: Rule,
    opening: Opening,
    start: Start,
    tournament: bool,
}

impl From<Settings> for Rules {
    fn from(settings: Settings) -> Self {
        let Settings { size, rule, opening, start: Start(start), tournament } = settings;
        let usual = if rule == Rule::Pente { Self::pente() } else { Self::gomoku() };
        Self { size: size.unwrap_or(usual.size), rule, opening, start, tournament }
    }
}

impl From<Rules> for Settings {
    fn from(rules: Rules) -> Self {
        let Rules { size, rule, opening, start, tournament } = rules;
        Self { size: Some(size), rule, opening, start: Start(start), tournament }
    }
}

/// Points as one text, separated by blanks.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct Start(Vec<Point>);

impl TryFrom<String> for Start {
    type Error = grandstand_protocol::ParseError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.split_whitespace().map(str::parse).collect::<Result<_, _>>().map(Self)
    }
}

impl From<Start> for String {
    fn from(Start(points): Start) -> Self {
        points.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
    }
}
