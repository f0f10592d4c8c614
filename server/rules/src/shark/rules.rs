//! The constants of a match, as settings.

use grandstand_protocol::shark::{Map, MapError};
use serde::{Deserialize, Deserializer};
use thiserror::Error;

use super::field::PlayableMap;
use super::maps;
use crate::map::MapFaults;
use crate::settings::{OutOfRange, settings};

settings! {
    /// The settings of a match; in a file, `ITEM_DELAY = 50_000`. The `AT_` settings and `ITEM_DELAY` are constants
    /// of the handout; most others name a number of its text.
    ///
    /// A setting that a file omits has its default; an unknown name is an error. The values of a `Rules` are not
    /// checked: [`Rules::validate`], which [`World::new`](super::World::new) calls, checks whether a match can be
    /// played by them.
    Rules {
        /// The map (section 3.1): its sixteen rows, or the name of a shipped one. Default: the first of the shipped ones.
        #[serde(deserialize_with = "map")]
        map "MAP": Map = maps::default();
        /// Steps after which the match is over (section 2.5). Default 10,000,000; from 1 to 1,000,000,000.
        game_length "GAME_LENGTH": u64 = 10_000_000, 1..=1_000_000_000;
        /// Points that win the match (section 2.5). Default 10; from 1 to 1,000.
        winning_score "WINNING_SCORE": u32 = 10, 1..=1_000;
        /// Health points of a new robot (section 2.6). Default 3; from 1 to 255.
        health "HEALTH": u8 = 3, 1..=255;
        /// Spawn credits that a team begins with (section 2.13). Default 3; from 0 to 1,000.
        spawn_credits "SPAWN_CREDITS": u32 = 3, 0..=1_000;
        /// Steps from one powerup to the next, on average (section 2.9). Default 100,000; from 1 to 1,000,000,000.
        item_delay "ITEM_DELAY": u64 = 100_000, 1..=1_000_000_000;
        /// Health points that a robot loses if another one runs into it (section 2.12.1). Default 2; from 0 to 255.
        melee_damage "MELEE_DAMAGE": u8 = 2;
        /// Health points that a robot loses to a shot (section 2.12.2). Default 1; from 0 to 255.
        laser_damage "LASER_DAMAGE": u8 = 1;
        /// Steps that a robot waits after a move or an attempted one. Default 5,000; like all of these from 0 to 1,000,000.
        at_move "AT_MOVE": u64 = 5_000, 0..=1_000_000;
        /// The same after a turn. Default 2,500.
        at_face "AT_FACE": u64 = 2_500, 0..=1_000_000;
        /// The same after a shot. Default 5,000.
        at_shoot "AT_SHOOT": u64 = 5_000, 0..=1_000_000;
        /// The same after `A_INSPECT`. Default 0.
        at_inspect "AT_INSPECT": u64 = 0, 0..=1_000_000;
        /// The same after `A_LOOK`. Default 0.
        at_look "AT_LOOK": u64 = 0, 0..=1_000_000;
        /// The same after `A_NEAREST`. Default 0.
        at_nearest "AT_NEAREST": u64 = 0, 0..=1_000_000;
        /// The same after `A_MYSTATS`. Default 0.
        at_mystats "AT_MYSTATS": u64 = 0, 0..=1_000_000;
        /// The same after `A_TEAMSTATS`. Default 0.
        at_teamstats "AT_TEAMSTATS": u64 = 0, 0..=1_000_000;
        /// The same after `A_FLAGPOS`. Default 0.
        at_flagpos "AT_FLAGPOS": u64 = 0, 0..=1_000_000;
        /// The same after `A_TALK`. Default 0.
        at_talk "AT_TALK": u64 = 0, 0..=1_000_000;
        /// Steps from one `time` command to the next. Default 10,000; from 1 to 1,000,000,000. Ours.
        time_every "TIME_EVERY": u64 = 10_000, 1..=1_000_000_000;
        /// Messages that a team may say in `TALK_PERIOD`; those beyond are dropped and counted. Default 10. Ours.
        talk_limit "TALK_LIMIT": u32 = 10;
        /// Number of steps to which `TALK_LIMIT` applies. Default 100,000; from 1 to 1,000,000,000. Ours.
        talk_period "TALK_PERIOD": u64 = 100_000, 1..=1_000_000_000;
    }
}

/// The reason why a match can't be played with given [`Rules`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RulesError {
    /// A number is out of its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// The map is not playable.
    #[error("MAP: {0}")]
    Map(MapFaults),
}

impl Rules {
    /// Checks that a match can be played with these settings.
    ///
    /// # Errors
    /// The first invalid setting.
    pub fn validate(&self) -> Result<(), RulesError> {
        self.field().map(drop)
    }

    /// The map as a field, if all settings are valid.
    pub(super) fn field(&self) -> Result<PlayableMap, RulesError> {
        self.check_ranges()?;
        PlayableMap::new(&self.map).map_err(RulesError::Map)
    }
}

/// Deserializes sixteen rows, or the name of a shipped map.
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
