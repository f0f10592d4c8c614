//! The dialect of Riskless: armies on a map, Maxie against Minnie.
//!
//! | line | command |
//! | --- | --- |
//! | `map CAP GOAL TITLE` | [`Command::Map`] |
//! | `territory N X Y NAME` | [`Command::Territory`] |
//! | `road A B` | [`Command::Road`] |
//! | `set N TEAM ARMIES`, `set N empty` | [`Command::Set`] |
//! | `move TEAM FROM TO` | [`Command::Move`] |
//! | `battle N ATTACKERS DEFENDERS` | [`Command::Battle`] |
//!
//! and the lines of [`crate::turn`], with the teams `maxie` and `minnie` and moves as `FROM-TO`.

mod atlas;
mod dialect;
mod scene;
mod text;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use crate::name::FullName;
pub use crate::team::MaxieMinnie as Team;
pub use atlas::{MILLE, Name, Road, Step, Territory};
pub use scene::{Battle, Map, March, ROADS_MAX, Scene};

use crate::turn;

/// A command that all turn games have.
pub type Common = turn::Command<Team, Step>;

/// One drawing command of Riskless.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(remote = "Self", tag = "cmd", rename_all = "lowercase")]
pub enum Command {
    /// A new game with an empty map. Clocks, names, talk and overlays stay.
    Map(Map),
    /// A territory of the map, empty at first.
    Territory(Territory),
    /// Two territories are neighbours.
    Road(Road),
    /// The holder of a territory.
    Set(Set),
    /// All armies of a territory go to another one.
    Move(March),
    /// The last move met armies of the opponent.
    Battle(Battle),
    /// A command common to all turn games: turn, clocks, thoughts, names, outcome, talk.
    #[serde(skip)]
    Common(Common),
}

impl Serialize for Command {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Command::Common(common) => common.serialize(serializer),
            own => Command::serialize(own, serializer),
        }
    }
}

/// The new holder of a territory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Set {
    /// The territory's number.
    pub territory: u8,
    /// The holder and the armies; `None` for an empty territory.
    pub holding: Option<Holding>,
}

/// The team and the armies on a held territory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Holding {
    /// The team that holds the territory.
    pub team: Team,
    /// The number of armies.
    pub armies: u32,
}

#[derive(Serialize, Deserialize)]
struct SetMembers {
    territory: u8,
    #[serde(deserialize_with = "Option::deserialize")]
    team: Option<Team>,
    armies: u32,
}

impl Serialize for Set {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Set { territory, holding } = *self;
        let (team, armies) = (holding.map(|held| held.team), holding.map_or(0, |held| held.armies));
        SetMembers { territory, team, armies }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Set {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Set, D::Error> {
        let SetMembers { territory, team, armies } = SetMembers::deserialize(deserializer)?;
        Ok(Set { territory, holding: team.map(|team| Holding { team, armies }) })
    }
}
