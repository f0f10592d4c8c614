//! Riskless: settings, and random openings.

use std::sync::Arc;

use grandstand_protocol::Game;
use grandstand_protocol::riskless::Team;
use grandstand_rules::SplitMix64;
use grandstand_rules::riskless::{Map, Move, Position, maps};
use grandstand_rules::turn::{Drawn as _, Position as _, Side, random_move};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::map_format::{MapFormat, names};
use crate::match_game::MatchGame;
use crate::settings::{SettingsError, read_named, to_map};
use crate::spec;
use crate::turns::game::{Beginning, TurnGame};
use crate::turns::inputs;
use crate::turns::settings::TIME;

/// Entry of Riskless in the table of games.
pub static RISKLESS: MatchGame = MatchGame {
    maps: Some(MapFormat {
        game: Game::Riskless,
        shipped: &maps::SHIPPED,
        extension: "toml",
        letters: "",
        check: |text| Map::parse(text).map(|map| map.warnings(text)),
    }),
    replay_inputs: Some(inputs::replay::<Riskless>),
    ..MatchGame::new(Game::Riskless)
};

/// Maximum number of random moves before a match.
const OPENING_PLIES_MAX: u32 = 100;

/// Riskless, with its settings.
#[derive(Debug, Clone)]
pub struct Riskless {
    rules: Rules,
    /// Position on the map before any move.
    position: Position,
    /// Moves that the match begins with.
    moves: Vec<Move>,
}

/// Settings of the game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "SCREAMING_SNAKE_CASE")]
struct Rules {
    map: MapSetting,
    opening_plies: u32,
    start: String,
}

/// Name of a shipped map, or the lines of a map file.
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
                let expected = format!("one of {}, or the lines of a map", names(&maps::SHIPPED));
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

    /// The game with the random opening of that number, if the settings ask for random moves.
    fn drawn(&self, number: u64) -> Self {
        let mut random = SplitMix64::new(number);
        let mut moves = Vec::new();
        let mut position = self.position.clone();
        while moves.len() < self.rules.opening_plies as usize
            && let Some(mv) = random_move(&position, &mut random)
        {
            position.advance(mv);
            // The opening stops before a move that would end the match.
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
        to_map(&self.rules)
    }

    fn game(&self) -> Game {
        Game::Riskless
    }

    fn sides(&self) -> [spec::Side; 2] {
        Team::ALL.map(|team| spec::Side { name: team.name(), color: team.color() })
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
        // In a series with consecutive seeds whose players change sides after each match, the two matches of a pair
        // have the same opening.
        self.drawn(seed.wrapping_sub(u64::from(swapped)) / 2)
    }

    /// Armies of the sides.
    fn score(position: &Position) -> Option<[u64; 2]> {
        Some(Side::ALL.map(|side| u64::from(position.armies(side))))
    }
}
