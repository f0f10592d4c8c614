//! Unchecked position.

use grandstand_protocol::fortress::Team;
use grandstand_protocol::fortress::{Direction, POINTS, UnitClass};
use grandstand_protocol::team::ByTeam;
use thiserror::Error;

use super::action::UnitId;
use super::map::Map;
use super::rules::Rules;
use super::unit::{Unit, Units, forward};
use crate::settings::OutOfRange;

/// The beginning of a match, or any position from which one may be played. Its content is unchecked;
/// [`World::from_setup`](super::World::from_setup) is the only way to turn it into a [`World`](super::World).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The settings.
    pub rules: Rules,
    /// The map.
    pub map: Map,
    /// The units, all living, in any order.
    pub units: Vec<Unit>,
    /// The owners of the control points, in order of their numbers.
    pub owners: [Option<Team>; POINTS as usize],
}

/// The reason why a [`Setup`] is not a valid position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The settings are invalid.
    #[error(transparent)]
    Rules(#[from] OutOfRange),
    /// Two units have the same id, or are on the same square.
    #[error("the units {0} and {1} have the same id or the same square")]
    SameIdOrSquare(UnitId, UnitId),
    /// A team has no units, or more than `cUNITS_PER_TEAM`.
    #[error("{team} has {found} units; expected 1 to {most} (cUNITS_PER_TEAM)")]
    Count {
        /// The team.
        team: Team,
        /// The number of its units.
        found: usize,
        /// The maximal number of units.
        most: u32,
    },
    /// A unit has no health, or more than its class may have.
    #[error("unit {unit} has a health of {found}; expected 1 to {most}")]
    Health {
        /// The unit.
        unit: UnitId,
        /// Its health.
        found: i32,
        /// The maximal health.
        most: i32,
    },
    /// A team controls all five points, so the match would be over.
    #[error("{0} controls every point; expected a match that is not over")]
    Over(Team),
}

impl Setup {
    /// The start of a match (sections 2.1 and 2.4), with the ids and classes of each team's units in the order of their
    /// creation. The first one is on control point 1, or 3 for blue; the others are in front of it, to the north, to the south and
    /// behind it.
    pub fn start(rules: Rules, map: Map, teams: &ByTeam<Team, Vec<(UnitId, UnitClass)>>) -> Self {
        let mut units = Vec::new();
        for team in Team::ALL {
            let facing = forward(team);
            let home = map.points()[if team == Team::Red { 1 } else { 3 }];
            let around = [facing, Direction::North, Direction::South, facing.opposite()];
            let places = std::iter::once(home).chain(around.iter().filter_map(|&way| map.step(home, way)));
            // A team with too many units keeps them all, so that `check` finds the error.
            let places = places.map(Some).chain(std::iter::repeat(None));
            for (&(id, class), place) in teams[team].iter().zip(places) {
                let at = place.unwrap_or(home);
                units.push(Unit::new(id, team, class, at, facing, rules.health(class)));
            }
        }
        let owners = [Some(Team::Red), Some(Team::Red), None, Some(Team::Blue), Some(Team::Blue)];
        Self { rules, map, units, owners }
    }

    /// The units, if the whole setup is valid.
    pub(super) fn check(&self) -> Result<Units, SetupError> {
        self.rules.validate()?;
        for team in Team::ALL {
            let found = self.units.iter().filter(|unit| unit.team == team).count();
            let most = self.rules.units_per_team;
            if !(1..=most as usize).contains(&found) {
                return Err(SetupError::Count { team, found, most });
            }
            if self.owners.iter().all(|owner| *owner == Some(team)) {
                return Err(SetupError::Over(team));
            }
        }
        for unit in &self.units {
            let most = self.rules.health(unit.class);
            if !(1..=most).contains(&unit.health) {
                return Err(SetupError::Health { unit: unit.id, found: unit.health, most });
            }
        }
        let units = self.units.iter().map(|unit| Unit { fallen: None, ..unit.clone() }).collect();
        Units::new(units).map_err(|(one, other)| SetupError::SameIdOrSquare(one, other))
    }
}
