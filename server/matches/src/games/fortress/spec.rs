//! Specification of a match between shipped teams, in virtual time.

use std::time::Duration;

use grandstand_protocol::{Game, MatchHeader, Program};
use grandstand_rules::fortress::{ByTeam, Map, Rules, Team};

use super::local::LocalMatch;
use super::outcome::SIDES;
use super::settings::{self, MAP, read_settings};
use super::teams::ShippedTeam;
use crate::header::{self, HeaderError};
use crate::spec::{MatchSpec, RunningMatch, Side, StartError, Tempo};

/// Relation of milliseconds to time, in real time or not.
pub fn tempo(keeps_time: bool) -> Tempo {
    Tempo { beat: "second", ticks: 1_000, watchable: Duration::from_secs(1), keeps_time }
}

/// Everything that decides a match between shipped teams, in virtual time.
#[derive(Debug, Clone)]
pub struct ShippedMatch {
    /// The settings in force.
    pub rules: Rules,
    /// The map.
    pub map: Map,
    /// The teams.
    pub teams: ByTeam<Team, ShippedTeam>,
    /// Seed of all chance.
    pub seed: u64,
}

impl ShippedMatch {
    /// The match that `header` describes, to be played again.
    ///
    /// # Errors
    /// If the match was of another kind, or the header is incomplete.
    pub fn from_header(header: &MatchHeader) -> Result<Self, HeaderError> {
        let rules = header::virtual_rules(header)?;
        if !rules.contains_key(MAP) {
            return Err(HeaderError::Missing("map"));
        }
        let (rules, map) = read_settings(rules)?;
        let team = |team: Team| {
            let found = ShippedTeam::named(&header::player_of(header, team.name())?.file);
            found.ok_or(HeaderError::Missing("programs"))
        };
        let teams = ByTeam::new(team(Team::Red)?, team(Team::Blue)?);
        Ok(Self { rules, map, teams, seed: header::seed(header)? })
    }
}

impl MatchSpec for ShippedMatch {
    fn game(&self) -> Game {
        Game::Fortress
    }

    fn sides(&self) -> [Side; 2] {
        SIDES
    }

    fn tempo(&self) -> Tempo {
        tempo(false)
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn header(&self, started: Option<&str>) -> MatchHeader {
        let names = Team::ALL.map(|team| self.teams[team].name());
        MatchHeader {
            started: started.map(Into::into),
            seed: Some(self.seed),
            programs: Team::ALL.into_iter().map(|team| program(team, self.teams[team])).collect(),
            ..settings::header(&self.rules, &self.map, names, false)
        }
    }

    fn variation(&self, seed: u64, swapped: bool) -> Box<dyn MatchSpec> {
        let [red, blue] = Team::ALL.map(|team| self.teams[team]);
        let teams = if swapped { ByTeam::new(blue, red) } else { ByTeam::new(red, blue) };
        Box::new(Self { seed, teams, ..self.clone() })
    }

    fn start(&self) -> Result<Box<dyn RunningMatch>, StartError> {
        let local = LocalMatch::new(&self.rules, &self.map, self.seed, &self.teams);
        Ok(Box::new(local.map_err(StartError::new)?))
    }
}

/// Header entry of a shipped team, which has no source.
pub fn program(team: Team, shipped: ShippedTeam) -> Program {
    Program { team: team.name().into(), file: shipped.name().into(), sha256: "".into(), source: None }
}
