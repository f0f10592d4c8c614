//! Gomoku and Pente: settings, and openings from a book.

use std::sync::Arc;

use grandstand_protocol::{Color, Game};
use grandstand_rules::stones::{Opening, Openings, Position, Rule, Rules};
use grandstand_rules::turn::{Drawn as _, Side};
use serde_json::{Map, Value};

use crate::match_game::MatchGame;
use crate::settings::{SettingsError, read_named, to_map};
use crate::spec;
use crate::turns::game::{Beginning, TurnGame};
use crate::turns::inputs;
use crate::turns::settings::TIME;

/// Entry of Gomoku in the table of games.
pub static GOMOKU: MatchGame =
    MatchGame { replay_inputs: Some(inputs::replay::<Stones>), ..MatchGame::new(Game::Gomoku) };

/// Entry of Pente in the table of games.
pub static PENTE: MatchGame =
    MatchGame { replay_inputs: Some(inputs::replay::<Stones>), ..MatchGame::new(Game::Pente) };

/// Gomoku or Pente, with its settings.
#[derive(Debug, Clone)]
pub struct Stones {
    rules: Rules,
    /// First position by these rules.
    position: Position,
    /// Book from which openings are drawn, if the settings ask for balanced ones without naming one.
    book: Option<Arc<Openings>>,
}

/// The two sides.
pub const SIDES: [spec::Side; 2] =
    [spec::Side { name: "black", color: Color::Black }, spec::Side { name: "white", color: Color::White }];

impl Stones {
    /// A game by these rules; openings are drawn from `book`.
    fn new(rules: Rules, book: Option<Arc<Openings>>) -> Result<Self, SettingsError> {
        let position = Position::new(&rules).map_err(|error| SettingsError::Rules(error.into()))?;
        Ok(Self { rules, position, book })
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }
}

/// Reads the settings. Balanced openings are drawn from `book`, if the settings ask for some without naming one.
///
/// # Errors
/// An unknown or wrong setting, or an opening that does not fit.
pub fn read_with(
    game: Game,
    mut map: Map<String, Value>,
    book: impl FnOnce() -> Arc<Openings>,
) -> Result<Stones, SettingsError> {
    const RULE: &str = "RULE";
    let wrong = |text: String| SettingsError::Rules(text.into());
    let rules = Rule::ALL.into_iter().filter(|rule| rule.game() == game).map(Rule::name);
    let rules: Vec<&str> = rules.collect();
    match map.get(RULE) {
        None if game == Game::Pente => drop(map.insert(RULE.to_owned(), Rule::Pente.name().into())),
        None => {}
        Some(rule) if rule.as_str().is_some_and(|rule| rules.contains(&rule)) => {}
        Some(rule) => {
            return Err(SettingsError::value(RULE, rule.clone(), format!("one of {}", rules.join(", "))));
        }
    }
    let rules: Rules = read_named(map, &[TIME], |rules: &Rules| {
        // The opening is drawn later, and with it the check that it fits.
        let is_open = rules.opening == Opening::Balanced && rules.start.is_empty();
        let opening = if is_open { Opening::Free } else { rules.opening };
        Position::new(&Rules { opening, ..rules.clone() }).map(drop)
    })?;
    if rules.opening == Opening::Balanced && rules.start.is_empty() {
        let book = book();
        let mut game = Stones::new(Rules { opening: Opening::Free, ..rules.clone() }, None)?;
        (game.rules, game.book) = (rules, Some(book));
        return game.drawn(0).ok_or_else(|| {
            wrong(format!("none of the openings fits on a board of SIZE {}", game.rules.size))
        });
    }
    Stones::new(rules, None)
}

impl Stones {
    /// The game with the opening of that number, counted cyclically through the book; openings that do not fit are
    /// skipped.
    fn drawn(&self, number: u64) -> Option<Self> {
        let book = self.book.as_ref()?;
        let count = book.len() as u64;
        (0..count).find_map(|skipped| {
            let number = number.wrapping_add(skipped);
            let index = usize::try_from(number % count).ok()?;
            let start = book.stones(index, number / count, self.position.size())?;
            let rules = Rules { start, opening: Opening::Balanced, ..self.rules.clone() };
            Self::new(rules, self.book.clone()).ok()
        })
    }
}

impl TurnGame for Stones {
    type Position = Position;

    fn read(game: Game, settings: Map<String, Value>) -> Result<Self, SettingsError> {
        read_with(game, settings, || Arc::new(Openings::shipped()))
    }

    fn settings(&self) -> Map<String, Value> {
        to_map(&self.rules)
    }

    fn game(&self) -> Game {
        self.rules.rule.game()
    }

    fn sides(&self) -> [spec::Side; 2] {
        SIDES
    }

    fn beginning(&self) -> Beginning<Position> {
        Beginning {
            position: self.position.clone(),
            moves: self.position.moves().to_vec(),
            drawing: self.position.draw(),
            swap2: self.rules.opening == Opening::Swap2,
        }
    }

    fn variation(&self, seed: u64, swapped: bool) -> Self {
        // In a series with consecutive seeds whose players change sides after each match, the two matches of a pair
        // have the same opening.
        let pair = seed.wrapping_sub(u64::from(swapped)) / 2;
        self.drawn(pair).unwrap_or_else(|| self.clone())
    }

    /// Pairs captured, in Pente.
    fn score(position: &Position) -> Option<[u64; 2]> {
        (position.rule() == Rule::Pente).then(|| Side::ALL.map(|side| u64::from(position.pairs(side))))
    }
}
