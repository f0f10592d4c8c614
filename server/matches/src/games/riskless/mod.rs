//! Riskless between players.

mod plain;
mod search;

use std::sync::Arc;

use grandstand_protocol::Game;
use grandstand_protocol::riskless::Team;
use grandstand_rules::SplitMix64;
use grandstand_rules::riskless::{Map, Move, Position, maps};
use grandstand_rules::turn::{Drawn as _, Position as _, Side, random_move};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::plain::{Method, Plain};
use self::search::Search;
use crate::arena::{self, SettingsError, read_named};
use crate::turns::entrant::{Entrant, Kind, no_options};
use crate::turns::fixture::TIME;
use crate::turns::game::{Beginning, TurnGame};
use crate::turns::options::OptionError;
use crate::turns::players::{Chooser, Console, Person, SearchOptions, Sitter, View};

/// The most moves that chance may make before a match.
const OPENING_PLIES_MAX: u32 = 100;

/// Riskless, by its settings.
#[derive(Debug, Clone)]
pub struct Riskless {
    rules: Rules,
    /// The position on the map before any move.
    position: Position,
    /// The moves that the match begins with.
    moves: Vec<Move>,
}

/// The settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "SCREAMING_SNAKE_CASE")]
struct Rules {
    map: MapSetting,
    opening_plies: u32,
    start: String,
}

/// A shipped map by its name, or the lines of a map file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected the name of a map or the lines of one")]
enum MapSetting {
    Name(String),
    Lines(Vec<String>),
}

impl Default for Rules {
    fn default() -> Self {
        Self { map: MapSetting::Name(maps::SHIPPED[0].0.to_owned()), opening_plies: 0, start: String::new() }
    }
}

impl Rules {
    fn map(&self) -> Result<Map, SettingsError> {
        match &self.map {
            MapSetting::Name(name) => maps::by_name(name).ok_or_else(|| {
                let names: Vec<&str> = maps::SHIPPED.iter().map(|(name, _)| *name).collect();
                let expected = format!("one of {}, or the lines of a map", names.join(", "));
                SettingsError::value("MAP", name.as_str(), expected)
            }),
            MapSetting::Lines(lines) => Map::parse(lines.join("\n").as_bytes())
                .map_err(|faults| SettingsError::Rules(format!("MAP can't be played on:\n{faults}").into())),
        }
    }
}

impl Riskless {
    fn new(rules: Rules) -> Result<Self, SettingsError> {
        let wrong = |text: String| SettingsError::Rules(text.into());
        let position = Position::start(Arc::new(rules.map()?));
        if rules.opening_plies > OPENING_PLIES_MAX {
            let expected = format!("a number from 0 to {OPENING_PLIES_MAX}");
            return Err(SettingsError::value("OPENING_PLIES", rules.opening_plies, expected));
        }
        let mut moves = Vec::new();
        let mut at = position.clone();
        for text in rules.start.split_whitespace() {
            let mv = at.parse_move(text).map_err(|error| wrong(format!("START: {error}")))?;
            at = at.play(mv).map_err(|error| wrong(format!("START: {text}: {error}")))?;
            moves.push(mv);
        }
        if at.end().is_some() {
            return Err(wrong("START is a whole match: there is nothing left to play".to_owned()));
        }
        Ok(Self { rules, position, moves })
    }

    /// With the opening of that number, where chance is to make moves before the players do.
    fn drawn(&self, number: u64) -> Self {
        let mut random = SplitMix64::new(number);
        let mut moves = Vec::new();
        let mut position = self.position.clone();
        while moves.len() < self.rules.opening_plies as usize
            && let Some(mv) = random_move(&position, &mut random)
        {
            position.advance(mv);
            // A match that chance would end begins before that.
            if position.end().is_some() {
                break;
            }
            moves.push(mv);
        }
        let texts: Vec<String> = moves.iter().map(|&mv| self.position.move_text(mv)).collect();
        Self {
            rules: Rules { start: texts.join(" "), ..self.rules.clone() },
            position: self.position.clone(),
            moves,
        }
    }
}

impl TurnGame for Riskless {
    type Position = Position;

    fn read(_: Game, settings: serde_json::Map<String, Value>) -> Result<Self, SettingsError> {
        let rules: Rules = read_named(settings, &[TIME], |rules: &Rules| Self::new(rules.clone()).map(drop))?;
        let is_open = rules.opening_plies > 0 && rules.start.is_empty();
        let game = Self::new(rules)?;
        Ok(if is_open { game.drawn(0) } else { game })
    }

    fn settings(&self) -> serde_json::Map<String, Value> {
        match serde_json::to_value(&self.rules) {
            Ok(Value::Object(map)) => map,
            // Rules are a struct of numbers and texts, which always is an object.
            _ => serde_json::Map::new(),
        }
    }

    fn game(&self) -> Game {
        Game::Riskless
    }

    fn sides(&self) -> [arena::Side; 2] {
        Team::ALL.map(|team| arena::Side { name: team.name(), color: team.color() })
    }

    fn beginning(&self) -> Beginning<Position> {
        let mut position = self.position.clone();
        let mut drawing = position.draw();
        for &mv in &self.moves {
            let before = position.clone();
            position.advance(mv);
            drawing.extend(before.draw_move(mv, &position));
        }
        Beginning { position, moves: self.moves.clone(), drawing, swap2: false }
    }

    fn variation(&self, seed: u64, swapped: bool) -> Self {
        if self.rules.opening_plies == 0 {
            return self.clone();
        }
        // Of matches with seeds that follow each other, the players changing sides after each, two have the same opening.
        self.drawn(seed.wrapping_sub(u64::from(swapped)) / 2)
    }

    fn players(&self) -> &'static [Kind<Position>] {
        PLAYERS
    }

    /// The armies.
    fn score(position: &Position) -> Option<[u64; 2]> {
        Some(Side::ALL.map(|side| u64::from(position.armies(side))))
    }
}

/// Who plays Riskless.
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
        name: "minimax",
        usage: "minimax[:depth=N,estimate=naive]",
        enter: |options| plain("minimax", Method::minimax(options)),
    },
    Kind {
        name: "alphabeta",
        usage: "alphabeta[:depth=N,estimate=naive]",
        enter: |options| plain("alphabeta", Method::alphabeta(options)),
    },
    Kind {
        name: "jamboree",
        usage: "jamboree[:depth=N,prune=0.5,estimate=naive]",
        enter: |options| plain("jamboree", Method::jamboree(options)),
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
];

fn plain(name: &str, method: Result<Method, OptionError>) -> Result<Entrant<Position>, String> {
    let method = method.map_err(|error| error.to_string())?;
    Ok(Entrant::new(name, move || Plain::new(method)).exact())
}

/// How the map is shown at a terminal.
pub const VIEW: View<Position> =
    View { board, moves: "two territories with a road between them, such as 0-34 or Alaska-Kamchatka" };

/// A line for each territory: its number and name, who holds it with how many armies, and where its roads lead.
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
