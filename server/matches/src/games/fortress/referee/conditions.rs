//! Conditions of a match of Steam Fortress: everything that is fixed before teams connect.

use grandstand_rules::fortress::{ByTeam, Map, Rules, Team, UnitClass};

use super::seats::Seat;

/// Class of a unit whose team has not chosen one.
pub const DEFAULT_CLASS: UnitClass = UnitClass::Soldier;

/// Default limit of invalid or unauthorized messages of one connection.
pub const ERRORS_MAX: u32 = 100;

/// Default limit of successive connections of one unit.
pub const REJOINS_MAX: u32 = 20;

/// Everything that decides a match before teams connect.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// Settings of the game.
    pub rules: Rules,
    /// The map.
    pub map: Map,
    /// Conditions on which the teams are admitted.
    pub seats: ByTeam<Team, Seat>,
    /// Speed: milliseconds of the match that pass in one real millisecond; teams are told.
    pub speed: f64,
    /// Limit of invalid messages of one connection; [`ERRORS_MAX`] by default.
    pub errors: u32,
    /// Limit of connections of one unit; [`REJOINS_MAX`] by default.
    pub rejoins: u32,
}

impl Conditions {
    /// Conditions of a match at normal speed with the default limits.
    pub fn new(rules: Rules, map: Map, seats: ByTeam<Team, Seat>) -> Self {
        Self { rules, map, seats, speed: 1.0, errors: ERRORS_MAX, rejoins: REJOINS_MAX }
    }
}
