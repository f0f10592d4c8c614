//! Settings of a game of stones.

use grandstand_protocol::Game;
use grandstand_protocol::stones::{Point, Size};
use grandstand_protocol::words;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::position::Illegal;
use crate::turn::Side;

words! {
    /// Which rows win, what else wins, and what black may not do.
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
    /// Which game it is.
    #[must_use]
    pub fn game(self) -> Game {
        if self == Rule::Pente { Game::Pente } else { Game::Gomoku }
    }

    /// Whether a side wins with so many of its stones in a row, no more and no less.
    #[must_use]
    pub fn wins(self, side: Side, stones: usize) -> bool {
        match (self, side) {
            (Rule::Exactly5, _) | (Rule::Renju, Side::First) => stones == 5,
            _ => stones >= 5,
        }
    }
}

words! {
    /// How a game begins.
    #[derive(Default)]
    Opening {
        /// Black's first stone goes to the centre: the handout's beginning.
        #[default]
        Centre = "centre",
        /// Black's first stone goes anywhere.
        Free = "free",
        /// The players settle by [swap2](crate::swap2) who has which colour.
        Swap2 = "swap2",
        /// The first stones are those of an opening that favours nobody much: [`Rules::start`].
        Balanced = "balanced",
    }
}

/// The settings of a game of stones. In a file they have the names `SIZE`, `RULE`, `OPENING`, `START` (points in the order
/// of play, as one text) and `TOURNAMENT`; what a file leaves out has its default.
///
/// A `Rules` may hold anything: [`Position::new`](super::Position::new) says whether a game can be played by it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Settings", into = "Settings")]
pub struct Rules {
    /// How many columns and rows the board has: an odd number from 5 to 999. 15 by default, 19 in Pente.
    pub size: u32,
    /// What wins. Freestyle by default.
    pub rule: Rule,
    /// How the game begins. With black in the centre by default.
    pub opening: Opening,
    /// Stones that are there before the players begin, black's first, in the order of play.
    pub start: Vec<Point>,
    /// In Pente: black's second stone is at least three from the centre. Off by default.
    pub tournament: bool,
}

/// How far from the centre black's second stone must be by the tournament rule of Pente, along rows, columns or diagonals.
pub(super) const TOURNAMENT_DISTANCE: u16 = 3;

impl Default for Rules {
    fn default() -> Self {
        Self::gomoku()
    }
}

impl Rules {
    /// Gomoku as the handout has it, on 15 by 15 points.
    #[must_use]
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
    #[must_use]
    pub fn pente() -> Self {
        Self { size: 19, rule: Rule::Pente, ..Self::gomoku() }
    }

    /// The board's size, and whether the settings fit each other. The stones of `start` are not looked at.
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

/// Why no game can be played by some [`Rules`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RulesError {
    /// No board has this size.
    #[error("SIZE is {0}; expected an odd number from 5 to 999")]
    Size(u32),
    /// The tournament rule is one of Pente.
    #[error("TOURNAMENT is a rule of Pente and RULE is {0}; expected RULE = \"pente\"")]
    TournamentOfPente(Rule),
    /// The board has no point as far from the centre as the tournament rule wants.
    #[error("TOURNAMENT on a board of {0} by {0}: no point is three from the centre; expected a SIZE from 7")]
    TournamentSize(u16),
    /// A balanced opening was not chosen.
    #[error("OPENING is balanced and START has no stones; expected those of one of the openings")]
    NoStart,
    /// In swap2 the players place the first stones.
    #[error("OPENING is swap2 and START has stones; the players place them")]
    StartOfSwap2,
    /// A stone of the start can't be placed.
    #[error("stone {number} of START: {why}")]
    Start {
        /// Which one, from 1.
        number: usize,
        /// Where it should go, and why it can't.
        why: Illegal,
    },
    /// The game is over before the players begin.
    #[error("START has stones after the end of the game: stone {number}, {point}")]
    StartIsOver {
        /// The first stone after the end, or the last stone when there is none, from 1.
        number: usize,
        /// Where it should go.
        point: Point,
    },
}

/// The settings as a file has them.
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

/// Points as one text, with blanks between them.
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
