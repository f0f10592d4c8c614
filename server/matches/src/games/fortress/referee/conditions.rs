//! Conditions of a match of Steam Fortress: what is known before anybody connects.

use grandstand_rules::fortress::{ByTeam, Map, Rules, Team, UnitClass};

use super::seats::Seat;

/// What a unit is whose team never said.
pub const DEFAULT_CLASS: UnitClass = UnitClass::Soldier;

/// Messages of one connection that are none, or not its to send, unless the limits say otherwise.
pub const ERRORS_MAX: u32 = 100;

/// Connections that one unit may have after each other, unless the limits say otherwise.
pub const REJOINS_MAX: u32 = 20;

/// All that decides a match before anybody connects.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// The settings.
    pub rules: Rules,
    /// Where it is played.
    pub map: Map,
    /// How the teams are let in.
    pub seats: ByTeam<Team, Seat>,
    /// How many milliseconds of the match pass in one; teams are told.
    pub speed: f64,
    /// Messages of one connection that are none: [`ERRORS_MAX`] by default.
    pub errors: u32,
    /// Connections of one unit: [`REJOINS_MAX`] by default.
    pub rejoins: u32,
}

impl Conditions {
    /// A match at its own speed with the default limits.
    pub fn new(rules: Rules, map: Map, seats: ByTeam<Team, Seat>) -> Self {
        Self { rules, map, seats, speed: 1.0, errors: ERRORS_MAX, rejoins: REJOINS_MAX }
    }
}
