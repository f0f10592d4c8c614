//! Specification of a match of Steam Fortress: who, where, by which rules, on which clock.

use std::path::{Path, PathBuf};

use grandstand_matches::bundle::sha256;
use grandstand_matches::games::fortress::local::LocalMatch;
use grandstand_matches::games::fortress::outcome::SIDES;
use grandstand_matches::games::fortress::settings::{self, MAP, read_settings};
use grandstand_matches::games::fortress::team::Briefing;
use grandstand_matches::games::fortress::teams;
use grandstand_matches::header::{self, HeaderError};
use grandstand_matches::{MatchSpec, RunningMatch, Side, StartError, Tempo};
use grandstand_protocol::{Game, MatchHeader, Program};
use grandstand_rules::fortress::{ByTeam, Map, Rules, Team};

use super::live::{LiveMatch, LiveOptions};
use super::player::Player;

/// The largest program file whose text goes into the header of a recording, in bytes.
const SOURCE_BYTES: usize = 256 * 1024;

/// All that decides a match.
#[derive(Debug, Clone)]
pub struct FortressMatch {
    /// The settings in force.
    pub rules: Rules,
    /// Where it is played.
    pub map: Map,
    /// Who plays.
    pub players: ByTeam<Team, Player>,
    /// What chance is drawn from.
    pub seed: u64,
    /// The clock.
    pub clock: Clock,
}

/// How time passes in a match.
#[derive(Debug, Clone)]
pub enum Clock {
    /// As fast as it can. Both players must be [shipped](Player::Shipped).
    Virtual,
    /// By itself.
    Real(Box<LiveOptions>),
}

impl FortressMatch {
    /// The match that `header` describes, to be played again: one between shipped teams, on a virtual clock.
    ///
    /// # Errors
    /// If it was another, or the header does not tell it whole.
    pub fn from_header(header: &MatchHeader) -> Result<Self, HeaderError> {
        let rules = header::virtual_rules(header)?;
        if !rules.contains_key(MAP) {
            return Err(HeaderError::Missing("map"));
        }
        let (rules, map) = read_settings(rules)?;
        let player = |team: Team| {
            let name = header::player_of(header, team.name())?.file.to_string();
            if teams::NAMES.contains(&name.as_str()) {
                Ok(Player::Shipped(name))
            } else {
                Err(HeaderError::Missing("programs"))
            }
        };
        Ok(Self {
            rules,
            map,
            players: ByTeam::new(player(Team::Red)?, player(Team::Blue)?),
            seed: header::seed(header)?,
            clock: Clock::Virtual,
        })
    }
}

impl MatchSpec for FortressMatch {
    fn game(&self) -> Game {
        Game::Fortress
    }

    fn sides(&self) -> [Side; 2] {
        SIDES
    }

    fn tempo(&self) -> Tempo {
        let keeps_time = matches!(self.clock, Clock::Real(_));
        Tempo { beat: "second", ticks: 1_000, watchable: std::time::Duration::from_secs(1), keeps_time }
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn header(&self, started: Option<&str>) -> MatchHeader {
        let names = Team::ALL.map(|team| self.players[team].name(team));
        let programs = Team::ALL.into_iter().filter_map(|team| program(team, &self.players[team]));
        let real = self.tempo().keeps_time;
        MatchHeader {
            started: started.map(Into::into),
            seed: Some(self.seed),
            programs: programs.collect(),
            ..settings::header(&self.rules, &self.map, names.each_ref().map(String::as_str), real)
        }
    }

    fn variation(&self, seed: u64, swapped: bool) -> Box<dyn MatchSpec> {
        let mut other = Self { seed, ..self.clone() };
        if swapped {
            let [red, blue] = other.players.into_array();
            other.players = ByTeam::new(blue, red);
        }
        Box::new(other)
    }

    fn start(&self) -> Result<Box<dyn RunningMatch>, StartError> {
        match &self.clock {
            Clock::Real(options) => Ok(Box::new(LiveMatch::start(self, options).map_err(StartError::new)?)),
            Clock::Virtual => {
                let make = |team: Team| {
                    let player = self.players[team].clone();
                    move |briefing: Briefing| match &player {
                        Player::Shipped(name) => teams::team(name, briefing),
                        Player::Program(_) | Player::Wait { .. } => None,
                    }
                };
                let (red, blue) = (make(Team::Red), make(Team::Blue));
                let makers = ByTeam::new(&red as &dyn Fn(_) -> _, &blue as &dyn Fn(_) -> _);
                Ok(Box::new(
                    LocalMatch::new(&self.rules, &self.map, self.seed, &makers).map_err(StartError::new)?,
                ))
            }
        }
    }
}

/// What a recording says of who plays a side: the name of a shipped team, which has no source, or the file of a program.
fn program(team: Team, player: &Player) -> Option<Program> {
    let of = |file: &str, sha256: String, source| Program {
        team: team.name().into(),
        file: file.into(),
        sha256: sha256.into(),
        source,
    };
    match player {
        Player::Shipped(name) => Some(of(name, String::new(), None)),
        Player::Wait { .. } => None,
        Player::Program(command) => {
            let text = program_file(command).and_then(|path| std::fs::read_to_string(path).ok());
            let text = text.filter(|text| text.len() <= SOURCE_BYTES);
            let sha256 = text.as_deref().map(sha256).unwrap_or_default();
            Some(of(&player.name(team), sha256, text))
        }
    }
}

/// The file of a team among the words of its command: the last that is one, as in `python3 -u team.py`.
pub(super) fn program_file(command: &[String]) -> Option<PathBuf> {
    command.iter().rev().map(Path::new).find(|path| path.is_file()).map(Path::to_owned)
}
