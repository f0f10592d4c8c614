//! Gomoku and Pente between players.

pub mod engine;
pub mod search;

use std::sync::Arc;

use grandstand_protocol::stones::{Point, Team};
use grandstand_protocol::{Color, Game};
use grandstand_rules::stones::{Opening, Openings, Position, Rule, Rules, players};
use grandstand_rules::turn::{Drawn as _, Side};
use serde_json::{Map, Value};

use self::search::Search;
use crate::arena::{self, SettingsError, read_named};
use crate::turns::entrant::{Entrant, Kind, no_options};
use crate::turns::fixture::TIME;
use crate::turns::game::{Beginning, TurnGame};
use crate::turns::players::{Chooser, Console, Person, SearchOptions, Sitter, View};

/// Gomoku or Pente, by its settings.
#[derive(Debug, Clone)]
pub struct Stones {
    rules: Rules,
    /// The first position by these rules.
    position: Position,
    /// Where openings are drawn from, if they are balanced ones and the settings do not say which.
    book: Option<Arc<Openings>>,
}

/// The two sides.
pub const SIDES: [arena::Side; 2] =
    [arena::Side { name: "black", color: Color::Black }, arena::Side { name: "white", color: Color::White }];

impl Stones {
    /// By these rules; the openings of `book` are those to draw from.
    fn new(rules: Rules, book: Option<Arc<Openings>>) -> Result<Self, SettingsError> {
        let position = Position::new(&rules).map_err(|error| SettingsError::Rules(error.into()))?;
        Ok(Self { rules, position, book })
    }

    /// What it is played by.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }
}

/// Draws balanced openings from `book`, where the settings ask for some and do not say which.
///
/// # Errors
/// What is unknown or wrong, or an opening that does not fit.
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
        // Which of the openings begins, and with it whether one fits, is drawn later.
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
    /// With the opening of that number, counted round and round the book; one that does not fit is passed over.
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
        match serde_json::to_value(&self.rules) {
            Ok(Value::Object(map)) => map,
            // Rules are a struct of numbers and texts, which always is an object.
            _ => Map::new(),
        }
    }

    fn game(&self) -> Game {
        self.rules.rule.game()
    }

    fn sides(&self) -> [arena::Side; 2] {
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
        // Of matches with seeds that follow each other, the players changing sides after each, two have the same opening.
        let pair = seed.wrapping_sub(u64::from(swapped)) / 2;
        self.drawn(pair).unwrap_or_else(|| self.clone())
    }

    fn players(&self) -> &'static [Kind<Position>] {
        PLAYERS
    }

    /// The pairs that were captured, in Pente.
    fn score(position: &Position) -> Option<[u64; 2]> {
        (position.rule() == Rule::Pente).then(|| Side::ALL.map(|side| u64::from(position.pairs(side))))
    }
}

/// Who plays Gomoku and Pente.
const PLAYERS: &[Kind<Position>] = &[
    Kind {
        name: "person",
        usage: "person",
        enter: |options| {
            no_options(options)?;
            Ok(Entrant::new("person", || Person::new(Console::terminal(), VIEW)).at_terminal())
        },
    },
    Sitter::kind(),
    Kind {
        name: "random",
        usage: "random",
        enter: |options| {
            no_options(options)?;
            Ok(Entrant::new("random", Chooser::random).exact())
        },
    },
    Kind {
        name: "stupid",
        usage: "stupid",
        enter: |options| {
            no_options(options)?;
            Ok(Entrant::new("stupid", || Chooser::new(players::stupid, players::stupid_choice)).exact())
        },
    },
    Kind {
        name: "search",
        usage: SearchOptions::USAGE,
        enter: |options| {
            let options = SearchOptions::parse(options).map_err(|error| error.to_string())?;
            let entrant = Entrant::new("search", move || Search::new(options));
            Ok(if options.is_exact() { entrant.exact() } else { entrant })
        },
    },
    Kind { name: "engine", usage: engine::USAGE, enter: engine::enter },
];

/// How the board is shown at a terminal.
pub const VIEW: View<Position> = View { board, moves: "a column and a row, such as h8" };

/// The board with its coordinates, X for black and O for white, the last stone in brackets.
fn board(position: &Position, _: Side, last: Option<Point>) -> String {
    let size = position.size().get();
    let columns: Vec<String> = (0..size)
        .map(|x| {
            Point::new(x, 0).map(|point| point.to_string().trim_end_matches(char::is_numeric).to_owned())
        })
        .map(Option::unwrap_or_default)
        .collect();
    let width = columns.last().map_or(1, String::len);
    let margin = size.to_string().len();
    let mut letters = " ".repeat(margin + 1);
    for column in &columns {
        letters += &format!(" {column:width$} ");
    }
    let letters = letters.trim_end();
    let mut text = format!("{letters}\n");
    for y in (0..size).rev() {
        text += &format!("{:>margin$} ", y + 1);
        for x in 0..size {
            let point = Point::new(x, y);
            let stone = match point.and_then(|point| position.stone(point)) {
                Some(Side::First) => 'X',
                Some(Side::Second) => 'O',
                None if point.is_some_and(|point| position.forbidden(point).is_some()) => '!',
                None => '.',
            };
            let (left, right) = if point == last && last.is_some() { ('(', ')') } else { (' ', ' ') };
            text += &format!("{left}{stone:width$}{right}");
        }
        text += &format!(" {}\n", y + 1);
    }
    text += &format!("{letters}\nX is {}, O is {}", Team::Black.name(), Team::White.name());
    if let Some([black, white]) = Stones::score(position) {
        text += &format!("; pairs captured: black {black}, white {white}");
    }
    text + "\n"
}
