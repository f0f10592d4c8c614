//! Players of Gomoku and Pente.

pub mod engine;
pub mod search;

use grandstand_matches::games::stones::Stones;
use grandstand_matches::turns::game::TurnGame as _;
use grandstand_matches::{LabelledValue, SeatChoices};
use grandstand_protocol::Game;
use grandstand_protocol::stones::{Point, Team};
use grandstand_rules::stones::{Position, players};
use grandstand_rules::turn::Side;

use self::search::Search;
use crate::turns::kinds::{Chooser, Person, SeatPlayer, search_kind};
use crate::turns::player_factory::{PlayerFactory, PlayerKind, SeatedGame, View, no_options};

impl SeatedGame for Stones {
    const PLAYERS: &'static [PlayerKind<Position>] = PLAYERS;
    const VIEW: View<Position> = VIEW;

    fn seat_choices(&self) -> &'static SeatChoices {
        if self.game() == Game::Pente { &PENTE } else { &GOMOKU }
    }
}

const OPPONENTS: &[LabelledValue] = &[
    ("stupid", "Beginner"),
    ("search:nodes=1000", "Engine, easy"),
    ("search:nodes=30000", "Engine, medium"),
    ("search", "Engine, strong"),
    ("seat", "A person"),
];
const SIZES: &[LabelledValue] = &[("13", "13×13"), ("15", "15×15"), ("17", "17×17"), ("19", "19×19")];
const RULES: &[LabelledValue] =
    &[("freestyle", "Five or more"), ("exactly5", "Exactly five"), ("renju", "Renju")];
const OPENINGS: &[LabelledValue] =
    &[("centre", "Centre"), ("free", "Free"), ("swap2", "Swap2"), ("balanced", "Balanced")];

/// Settings that the holder of a seat may choose for the next match.
const GOMOKU: SeatChoices = SeatChoices {
    opponents: OPPONENTS,
    settings: &[("SIZE", "Board", SIZES), ("RULE", "Rule", RULES), ("OPENING", "Opening", OPENINGS)],
};
const PENTE: SeatChoices = SeatChoices {
    opponents: OPPONENTS,
    settings: &[("SIZE", "Board", SIZES), ("OPENING", "Opening", OPENINGS)],
};

/// Players of Gomoku and Pente.
const PLAYERS: &[PlayerKind<Position>] = &[
    Person::kind::<Stones>(),
    SeatPlayer::kind(),
    Chooser::random_kind(),
    PlayerKind {
        name: "stupid",
        usage: "stupid",
        create: |options| {
            no_options(options)?;
            Ok(PlayerFactory::new("stupid", || Chooser::new(players::stupid, players::stupid_choice))
                .deterministic())
        },
    },
    search_kind::<Search, _>(),
    PlayerKind { name: "engine", usage: engine::USAGE, create: engine::create },
];

/// View of the board at a terminal.
const VIEW: View<Position> = View { board, moves: "a column and a row, such as h8" };

/// Board with coordinates: X for black, O for white, `!` for forbidden points, the last stone in parentheses.
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
