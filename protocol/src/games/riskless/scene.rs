//! Scene of Riskless.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Command, Holding, Name, Road, Set, Step, Team, Territory};
use crate::overlay::Overlays;
use crate::team::ByTeam;
use crate::time::Micros;
use crate::turn::{Command as Common, TurnScene};

/// The most roads that a scene keeps; further ones are not shown.
pub const ROADS_MAX: usize = 2048;

/// The title and the parameters of a map.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Map {
    /// The most armies that a territory trains.
    pub cap: u32,
    /// The number of armies that wins the game.
    pub goal: u32,
    /// The title of the map.
    pub title: Name,
}

/// A move of all armies of a territory to another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct March {
    /// The team of the armies.
    pub team: Team,
    /// The number of the territory that the armies left.
    pub from: u8,
    /// The number of the territory that the armies entered.
    pub to: u8,
}

/// A battle: the armies of a move met armies of the opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Battle {
    /// The number of the territory.
    pub territory: u8,
    /// The number of attacking armies.
    pub attackers: u32,
    /// The number of defending armies.
    pub defenders: u32,
}

/// The map, the holders of its territories, and the state beside the board. A new scene has no map.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scene {
    map: Option<Map>,
    #[serde(deserialize_with = "numbered", serialize_with = "listed")]
    territories: Territories,
    #[serde(with = "pairs")]
    roads: Arc<Vec<Road>>,
    holdings: Holdings,
    ply: u32,
    last: Option<March>,
    battle: Option<Battle>,
    #[serde(flatten)]
    table: TurnScene<Team, Step>,
    #[serde(default, skip_serializing_if = "Overlays::is_empty")]
    pub(crate) overlays: Overlays,
}

/// The holder and the armies of each held territory, by number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Holdings(Arc<BTreeMap<u8, Holding>>);

impl Scene {
    /// The map; `None` before the first `map` command.
    pub fn map(&self) -> Option<&Map> {
        self.map.as_ref()
    }

    /// The territory with this number.
    pub fn territory(&self, number: u8) -> Option<&Territory> {
        self.territories.get(&number)
    }

    /// The territories, in order of their numbers.
    pub fn territories(&self) -> impl DoubleEndedIterator<Item = &Territory> + ExactSizeIterator {
        self.territories.values()
    }

    /// The roads, each once, with the lower number as `a`.
    pub fn roads(&self) -> &[Road] {
        &self.roads
    }

    /// Whether two territories are neighbours.
    pub fn has_road(&self, a: u8, b: u8) -> bool {
        self.roads.binary_search(&Road { a: a.min(b), b: a.max(b) }).is_ok()
    }

    /// The holder and the armies of a territory; `None` for an empty one.
    pub fn holding(&self, territory: u8) -> Option<Holding> {
        self.holdings.0.get(&territory).copied()
    }

    /// The total number of a team's armies.
    pub fn armies(&self, team: Team) -> u64 {
        self.held_by(team).map(|held| u64::from(held.armies)).sum()
    }

    /// The number of territories that a team holds.
    pub fn held(&self, team: Team) -> usize {
        self.held_by(team).count()
    }

    fn held_by(&self, team: Team) -> impl Iterator<Item = &Holding> {
        self.holdings.0.values().filter(move |held| held.team == team)
    }

    /// The number of moves so far.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The last move.
    pub fn last(&self) -> Option<March> {
        self.last
    }

    /// The battle of the last move; `None` if it was none.
    pub fn battle(&self) -> Option<Battle> {
        self.battle
    }

    /// The team to move, clocks, names, the outcome, thoughts and talk.
    pub fn table(&self) -> &TurnScene<Team, Step> {
        &self.table
    }

    /// Applies a command, which is number `seq` of the match, at time `t` after its start. A command about a territory that does
    /// not exist changes nothing.
    pub fn apply(&mut self, seq: u64, t: Micros, command: &Command) {
        match command {
            Command::Map(map) => {
                let (mut table, overlays) =
                    (std::mem::take(&mut self.table), std::mem::take(&mut self.overlays));
                table.clear();
                *self = Scene { map: Some(map.clone()), table, overlays, ..Scene::default() };
            }
            Command::Territory(territory) => {
                Arc::make_mut(&mut self.territories).insert(territory.id, territory.clone());
            }
            Command::Road(road) => self.connect(*road),
            Command::Set(Set { territory, holding }) => {
                if self.territory(*territory).is_some() && self.holding(*territory) != *holding {
                    let holdings = Arc::make_mut(&mut self.holdings.0);
                    match holding {
                        Some(holding) => holdings.insert(*territory, *holding),
                        None => holdings.remove(territory),
                    };
                }
            }
            Command::Move(march) => {
                if self.territory(march.from).is_some() && self.territory(march.to).is_some() {
                    self.ply = self.ply.saturating_add(1);
                    (self.last, self.battle) = (Some(*march), None);
                    self.table.moved(&Step { from: march.from, to: march.to });
                }
            }
            Command::Battle(battle) => {
                if self.territory(battle.territory).is_some() {
                    self.battle = Some(*battle);
                }
            }
            Command::Common(common) => self.table.apply(seq, t, common),
        }
    }

    /// Shows a late thought, sent by command number `seq` at `t`, if its position has been reached. Of the moves since then only the
    /// last one is known.
    pub(crate) fn recall(&mut self, seq: u64, t: Micros, command: &Command) {
        if let Command::Common(Common::LateThought(late)) = command {
            let (ply, last) = (self.ply, self.last.map(|march| Step { from: march.from, to: march.to }));
            self.table
                .recall(ply, (seq, t), late, |number, step| number == ply && last.as_ref() == Some(step));
        }
    }

    /// Adds a road between two different territories that exist.
    fn connect(&mut self, Road { a, b }: Road) {
        if a == b
            || self.territory(a).is_none()
            || self.territory(b).is_none()
            || self.roads.len() >= ROADS_MAX
        {
            return;
        }
        let road = Road { a: a.min(b), b: a.max(b) };
        if let Err(index) = self.roads.binary_search(&road) {
            Arc::make_mut(&mut self.roads).insert(index, road);
        }
    }
}

type Territories = Arc<BTreeMap<u8, Territory>>;

fn listed<S: Serializer>(territories: &Territories, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(territories.values())
}

fn numbered<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Territories, D::Error> {
    let territories = Vec::<Territory>::deserialize(deserializer)?;
    Ok(Arc::new(territories.into_iter().map(|territory| (territory.id, territory)).collect()))
}

/// JSON of roads as pairs of numbers.
mod pairs {
    use super::{Arc, Deserialize, Deserializer, ROADS_MAX, Road, Serializer};

    pub(super) fn serialize<S: Serializer>(roads: &[Road], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(roads.iter().map(|road| (road.a, road.b)))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Arc<Vec<Road>>, D::Error> {
        let pairs = Vec::<(u8, u8)>::deserialize(deserializer)?;
        let mut roads: Vec<Road> = pairs
            .into_iter()
            .filter(|(a, b)| a != b)
            .map(|(a, b)| Road { a: a.min(b), b: a.max(b) })
            .collect();
        roads.sort_unstable();
        roads.dedup();
        roads.truncate(ROADS_MAX);
        Ok(Arc::new(roads))
    }
}

/// JSON: for each team an object from territories to armies.
impl Serialize for Holdings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut by_team = ByTeam::new(BTreeMap::new(), BTreeMap::new());
        for (territory, held) in &*self.0 {
            by_team[held.team].insert(*territory, held.armies);
        }
        by_team.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Holdings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Holdings, D::Error> {
        let by_team = ByTeam::<Team, BTreeMap<String, u32>>::deserialize(deserializer)?;
        let mut holdings = BTreeMap::new();
        for (team, territories) in by_team.iter() {
            for (territory, &armies) in territories {
                let message =
                    |_| D::Error::custom(format_args!("`{territory}` is not the number of a territory"));
                holdings.insert(territory.parse().map_err(message)?, Holding { team, armies });
            }
        }
        Ok(Holdings(Arc::new(holdings)))
    }
}
