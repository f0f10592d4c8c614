//! The λ-Shark dialect: the λ-Shark handout (CS 312, 2004), section 4, with Grandstand's additions (marked +).
//!
//! | line | command |
//! | --- | --- |
//! | `map ROW0 … ROW15` | [`Command::Map`]: sixteen words of 32 of `. * r b R B i` |
//! | `draw IMAGE X Y` | [`Command::Draw`]: an image of the handout's table 3 |
//! | `draw IMAGE X Y PID HEALTH` + | [`Command::Draw`] of a robot with its pid and health |
//! | `erase X Y` | [`Command::Erase`] |
//! | `shot X Y X2 Y2` | [`Command::Shot`] |
//! | `spawn RED BLUE` | [`Command::Spawn`] |
//! | `names RED BLUE` | [`Command::Names`]: separated by a tab if a name has blanks |
//! | `score RED BLUE` | [`Command::Score`] |
//! | `win red`, `win blue`, `win draw`, `win TEXT` | [`Command::Win`] |
//! | `time TEXT` | [`Command::Time`] |
//! | `say TEAM TEXT` | [`Command::Say`] |
//! | `stand TEAM full`, `stand TEAM empty` + | [`Command::Stand`] |

mod dialect;
mod map;
mod scene;
mod sprite;
mod text;
mod tile;
mod win;

use serde::{Deserialize, Deserializer, Serialize};

pub use crate::name::{FullName, FullNameError};
pub use crate::team::RedBlue as Team;
pub use map::{Ground, Map, MapError};
pub use scene::{SHOTS_MAX, Scene, ShotLine};
pub use sprite::{Bot, BotStatus, Draw, Sprite};
pub use tile::{HEIGHT, Heading, Shot, Tile, WIDTH};
pub use win::Win;

use crate::team::ByTeam;
use crate::text::Text;

/// One drawing command of λ-Shark.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "cmd", rename_all = "lowercase")]
pub enum Command {
    /// A new board with this map: no sprites, no shots, both flags at home.
    Map {
        /// The map.
        rows: Map,
    },
    /// A tile shows a sprite.
    Draw(Draw),
    /// A tile shows only the map's ground.
    Erase(Tile),
    /// A laser beam.
    Shot(Shot),
    /// The spawn credits.
    Spawn(ByTeam<Team, u32>),
    /// The names of the teams.
    Names(ByTeam<Team, FullName>),
    /// The scores.
    Score(ByTeam<Team, i32>),
    /// The game is over.
    Win(Win),
    /// The time changes.
    Time {
        /// The time in the game server's words; Grandstand's own server sends the number of steps.
        text: TimeText,
    },
    /// A team says something.
    Say {
        /// The team that speaks.
        team: Team,
        /// The text.
        text: Text,
    },
    /// A flag leaves its stand or returns to it.
    Stand {
        /// The flag's team.
        team: Team,
        /// Whether the flag is on its stand.
        full: bool,
    },
}

/// The text of `time`: one line without control characters and without blanks at its ends.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct TimeText(Text);

impl TimeText {
    /// The text with spaces in place of control characters, and without blanks at its ends.
    pub(crate) fn trimmed(text: &str) -> TimeText {
        TimeText(Text::from(Text::from(text).trim_matches(' ')))
    }

    /// A number of steps.
    pub fn steps(steps: u64) -> TimeText {
        TimeText(Text::from(steps.to_string()))
    }

    /// The text.
    pub fn text(&self) -> &Text {
        &self.0
    }
}

impl<'de> Deserialize<'de> for TimeText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TimeText, D::Error> {
        Ok(TimeText::trimmed(&String::deserialize(deserializer)?))
    }
}
