//! The constants of a match, as settings.

use grandstand_protocol::shark::{Map, MapError};
use serde::{Deserialize, Deserializer, Serialize};
use thiserror::Error;

use super::field::Field;
use super::maps;
use crate::map::MapFaults;

/// The settings of a match; in a file, `ITEM_DELAY = 50_000`. `AT_MOVE` and its like, `ITEM_DELAY` and the numbers of the
/// text are the handout's.
///
/// What a file leaves out has its default; a name that is not one of these is an error. A `Rules` may hold
/// anything: [`Rules::validate`], which [`World::new`](super::World::new) calls, says whether a match can
/// be played by it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE", default, deny_unknown_fields)]
pub struct Rules {
    /// The map (section 3.1): its sixteen rows, or the name of a shipped one. Default: the first of the shipped ones.
    #[serde(deserialize_with = "map")]
    pub map: Map,
    /// Steps after which the match is over (section 2.5). Default 10,000,000; from 1 to 1,000,000,000.
    pub game_length: u64,
    /// Points that win the match (section 2.5). Default 10; from 1 to 1,000.
    pub winning_score: u32,
    /// Health points of a new robot (section 2.6). Default 3; from 1 to 255.
    pub health: u8,
    /// Spawn credits that a team begins with (section 2.13). Default 3; from 0 to 1,000.
    pub spawn_credits: u32,
    /// Steps from one powerup to the next, on average (section 2.9). Default 100,000; from 1 to 1,000,000,000.
    pub item_delay: u64,
    /// Health points that a robot loses that is run into (section 2.12.1). Default 2; from 0 to 255.
    pub melee_damage: u8,
    /// Health points that a robot loses that is shot (section 2.12.2). Default 1; from 0 to 255.
    pub laser_damage: u8,
    /// Steps that a robot waits after a move or an attempted one. Default 5,000; like all of these from 0 to 1,000,000.
    pub at_move: u64,
    /// After turning. Default 2,500.
    pub at_face: u64,
    /// After a shot. Default 5,000.
    pub at_shoot: u64,
    /// After a look at a tile. Default 0.
    pub at_inspect: u64,
    /// After a look in a direction. Default 0.
    pub at_look: u64,
    /// After a search for the nearest of something. Default 0.
    pub at_nearest: u64,
    /// After a look at itself. Default 0.
    pub at_mystats: u64,
    /// After a look at its team. Default 0.
    pub at_teamstats: u64,
    /// After a look for the flags. Default 0.
    pub at_flagpos: u64,
    /// After a message. Default 0.
    pub at_talk: u64,
    /// Steps from one `time` command to the next. Default 10,000; from 1 to 1,000,000,000. Ours.
    pub time_every: u64,
    /// Messages that a team may say in `TALK_PERIOD`; those beyond are dropped and counted. Default 10. Ours.
    pub talk_limit: u32,
    /// How many steps `TALK_LIMIT` is for. Default 100,000; from 1 to 1,000,000,000. Ours.
    pub talk_period: u64,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            map: maps::default(),
            game_length: 10_000_000,
            winning_score: 10,
            health: 3,
            spawn_credits: 3,
            item_delay: 100_000,
            melee_damage: 2,
            laser_damage: 1,
            at_move: 5_000,
            at_face: 2_500,
            at_shoot: 5_000,
            at_inspect: 0,
            at_look: 0,
            at_nearest: 0,
            at_mystats: 0,
            at_teamstats: 0,
            at_flagpos: 0,
            at_talk: 0,
            time_every: 10_000,
            talk_limit: 10,
            talk_period: 100_000,
        }
    }
}

/// Why a match can't be played by some [`Rules`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RulesError {
    /// A number is outside of its range.
    #[error("{name} is {found}; expected a number from {least} to {most}")]
    OutOfRange {
        /// The setting, by its name in a file.
        name: &'static str,
        /// What it was set to.
        found: u64,
        /// The least that it may be.
        least: u64,
        /// The most that it may be.
        most: u64,
    },
    /// The map can't be played on.
    #[error("MAP: {0}")]
    Map(MapFaults),
}

impl Rules {
    /// Whether a match can be played by these settings.
    ///
    /// # Errors
    /// The first setting that is wrong.
    pub fn validate(&self) -> Result<(), RulesError> {
        self.field().map(drop)
    }

    /// The map as a field, when everything about the settings is right.
    pub(super) fn field(&self) -> Result<Field, RulesError> {
        const LONG: u64 = 1_000_000_000;
        const DELAY: u64 = 1_000_000;
        let ranges = [
            ("GAME_LENGTH", self.game_length, 1, LONG),
            ("WINNING_SCORE", self.winning_score.into(), 1, 1_000),
            ("HEALTH", self.health.into(), 1, 255),
            ("SPAWN_CREDITS", self.spawn_credits.into(), 0, 1_000),
            ("ITEM_DELAY", self.item_delay, 1, LONG),
            ("AT_MOVE", self.at_move, 0, DELAY),
            ("AT_FACE", self.at_face, 0, DELAY),
            ("AT_SHOOT", self.at_shoot, 0, DELAY),
            ("AT_INSPECT", self.at_inspect, 0, DELAY),
            ("AT_LOOK", self.at_look, 0, DELAY),
            ("AT_NEAREST", self.at_nearest, 0, DELAY),
            ("AT_MYSTATS", self.at_mystats, 0, DELAY),
            ("AT_TEAMSTATS", self.at_teamstats, 0, DELAY),
            ("AT_FLAGPOS", self.at_flagpos, 0, DELAY),
            ("AT_TALK", self.at_talk, 0, DELAY),
            ("TIME_EVERY", self.time_every, 1, LONG),
            ("TALK_PERIOD", self.talk_period, 1, LONG),
        ];
        for (name, found, least, most) in ranges {
            if !(least..=most).contains(&found) {
                return Err(RulesError::OutOfRange { name, found, least, most });
            }
        }
        Field::new(&self.map).map_err(RulesError::Map)
    }
}

/// Sixteen rows, or the name of a shipped map.
fn map<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Map, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected the name of a map or its sixteen rows")]
    enum Raw {
        Name(String),
        Rows(Vec<String>),
    }
    let read: Result<Map, MapError> = match Raw::deserialize(deserializer)? {
        Raw::Name(name) => {
            return maps::by_name(&name).ok_or_else(|| serde::de::Error::custom(maps::unknown(&name)));
        }
        Raw::Rows(rows) => Map::from_rows(rows),
    };
    read.map_err(serde::de::Error::custom)
}
