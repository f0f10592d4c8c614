//! Players of Riskless.

mod plain;
mod search;

use grandstand_matches::SeatChoices;
use grandstand_matches::games::riskless::Riskless;
use grandstand_protocol::riskless::Team;
use grandstand_rules::riskless::{Move, Position};
use grandstand_rules::turn::Side;

use self::plain::{Method, Plain};
use self::search::Search;
use crate::turns::kinds::{Chooser, Person, SeatPlayer, search_kind};
use crate::turns::options::OptionError;
use crate::turns::player_factory::{PlayerFactory, PlayerKind, SeatedGame, View};

impl SeatedGame for Riskless {
    const PLAYERS: &'static [PlayerKind<Position>] = PLAYERS;
    const VIEW: View<Position> = VIEW;

    fn seat_choices(&self) -> &'static SeatChoices {
        &CHOICES
    }
}

/// Settings that the holder of a seat may choose for the next match.
const CHOICES: SeatChoices = SeatChoices {
    opponents: &[
        ("random", "Beginner"),
        ("alphabeta:depth=1", "Engine, easy"),
        ("alphabeta:depth=2", "Engine, medium"),
        ("search", "Engine, strong"),
        ("seat", "A person"),
    ],
    settings: &[(
        "MAP",
        "Map",
        &[("earth", "Earth"), ("europe", "Europe"), ("islands", "Islands"), ("trees", "Trees")],
    )],
};

/// Players of Riskless.
const PLAYERS: &[PlayerKind<Position>] = &[
    Person::kind::<Riskless>(),
    SeatPlayer::kind(),
    Chooser::random_kind(),
    PlayerKind {
        name: "minimax",
        usage: "minimax[:depth=N,estimate=naive]",
        create: |options| plain("minimax", Method::minimax(options)),
    },
    PlayerKind {
        name: "alphabeta",
        usage: "alphabeta[:depth=N,estimate=naive]",
        create: |options| plain("alphabeta", Method::alphabeta(options)),
    },
    PlayerKind {
        name: "jamboree",
        usage: "jamboree[:depth=N,prune=0.5,estimate=naive]",
        create: |options| plain("jamboree", Method::jamboree(options)),
    },
    search_kind::<Search, _>(),
];

fn plain(name: &str, method: Result<Method, OptionError>) -> Result<PlayerFactory<Position>, String> {
    let method = method.map_err(|error| error.to_string())?;
    Ok(PlayerFactory::new(name, move || Plain::new(method)).deterministic())
}

/// View of the map at a terminal.
const VIEW: View<Position> =
    View { board, moves: "two territories with a road between them, such as 0-34 or Alaska-Kamchatka" };

/// A line for each territory: number, name, holder with its armies, and the neighbours by road.
fn board(position: &Position, side: Side, last: Option<Move>) -> String {
    let map = position.map();
    let width =
        map.territories().iter().map(|territory| territory.name.chars().count()).max().unwrap_or_default();
    let team = |side: Side| Team::ALL[side.index()].name();
    let mut text = String::new();
    for (number, territory) in (0_u8..).zip(map.territories()) {
        let mark = match last {
            Some(last) if last.from == number => '<',
            Some(last) if last.to == number => '>',
            _ => ' ',
        };
        let held = match position.holding(number) {
            Some((holder, armies)) => {
                let own = if holder == side { '*' } else { ' ' };
                format!("{own}{:<6} {armies:>3}", team(holder))
            }
            None => String::new(),
        };
        let roads: Vec<String> = map.neighbours(number).iter().map(u8::to_string).collect();
        text += &format!("{mark}{number:>2} {:<width$} {held:<12} -> {}\n", territory.name, roads.join(" "));
    }
    let counts = Side::ALL.map(|side| {
        let held = position.territories(side).count_ones();
        format!("{} {} armies on {held} territories", team(side), position.armies(side))
    });
    text + &format!(
        "{}; {} armies win, at most {} on a territory\n",
        counts.join(", "),
        map.goal(),
        map.cap()
    )
}
