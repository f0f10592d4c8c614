//! A match before it is played: who, where, by which rules, on which clock.

use std::path::{Path, PathBuf};

use grandstand_protocol::{Game, MatchHeader, Program, TeamInfo};
use grandstand_rules::fortress::{ByTeam, Map, Rules, Team, maps};
use serde_json::{Map as Object, Value, json};

use super::live::{LiveMatch, LiveOptions};
use super::local::LocalMatch;
use super::outcome::SIDES;
use super::player::Player;
use super::team::Briefing;
use super::teams;
use crate::arena::{self, AgainError, Contest, Fixture, SettingsError, Side, StartError, Tempo, read_named};
use crate::programs;

/// The largest program file whose text goes into the header of a recording, in bytes.
const SOURCE_BYTES: usize = 256 * 1024;

/// Under which names the header's rules hold what are no constants of the handout.
const MAP: &str = "MAP";
const CLOCK: &str = "CLOCK";

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
    pub fn from_header(header: &MatchHeader) -> Result<Self, AgainError> {
        let mut rules = match header.rules.clone() {
            Some(Value::Object(rules)) => rules,
            _ => return Err(AgainError::Missing("rules")),
        };
        if rules.remove(CLOCK).is_none_or(|clock| clock != "virtual") {
            return Err(AgainError::Inputs);
        }
        if !rules.contains_key(MAP) {
            return Err(AgainError::Missing("map"));
        }
        let (rules, map) = read_settings(rules)?;
        let player = |team: Team| {
            let found = header.programs.iter().find(|program| &*program.team == team.name());
            let name =
                found.map(|program| program.file.to_string()).ok_or(AgainError::Missing("programs"))?;
            if teams::NAMES.contains(&name.as_str()) {
                Ok(Player::Shipped(name))
            } else {
                Err(AgainError::Missing("programs"))
            }
        };
        Ok(Self {
            rules,
            map,
            players: ByTeam::new(player(Team::Red)?, player(Team::Blue)?),
            seed: header.seed.ok_or(AgainError::Missing("seed"))?,
            clock: Clock::Virtual,
        })
    }
}

/// Reads the constants by their names, and the map under `MAP`: the name of a shipped one, or the rows of another. What is
/// left out has its default.
///
/// # Errors
/// The first that is unknown or wrong.
pub fn read_settings(mut map: Object<String, Value>) -> Result<(Rules, Map), SettingsError> {
    let names = maps::names().collect::<Vec<_>>().join(", ");
    let expected = format!("one of {names}, or the rows of a map");
    let field = match map.remove(MAP) {
        None => maps::by_name(maps::SHIPPED[0].0)
            .ok_or_else(|| SettingsError::Rules("there are no maps".into()))?,
        Some(Value::String(name)) => {
            maps::by_name(&name).ok_or_else(|| SettingsError::value(MAP, name, expected))?
        }
        Some(found) => {
            let Ok(rows) = serde_json::from_value::<Vec<String>>(found.clone()) else {
                return Err(SettingsError::value(MAP, found, expected));
            };
            Map::parse(rows.join("\n").as_bytes())
                .map_err(|faults| SettingsError::Rules(format!("MAP can't be played on:\n{faults}").into()))?
        }
    };
    Ok((read_named(map, &[MAP], Rules::validate)?, field))
}

impl Fixture for FortressMatch {
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
            ..header(&self.rules, &self.map, names.each_ref().map(String::as_str), real)
        }
    }

    fn variation(&self, seed: u64, swapped: bool) -> Box<dyn Fixture> {
        let mut other = Self { seed, ..self.clone() };
        if swapped {
            let [red, blue] = other.players.into_array();
            other.players = ByTeam::new(blue, red);
        }
        Box::new(other)
    }

    fn start(&self) -> Result<Box<dyn Contest>, StartError> {
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

/// What is known of a match by what it is played by and the names of red and blue, in real time or not.
pub(super) fn header(rules: &Rules, map: &Map, names: [&str; 2], real: bool) -> MatchHeader {
    let mut rules = match serde_json::to_value(rules) {
        Ok(Value::Object(rules)) => rules,
        // Rules are a struct of numbers, which always is an object.
        _ => Object::new(),
    };
    rules.insert(MAP.to_owned(), json!(map.to_string().lines().collect::<Vec<_>>()));
    rules.insert(CLOCK.to_owned(), if real { "real" } else { "virtual" }.into());
    let team = |team: Team| TeamInfo { name: names[team.index()].into(), color: team.color() };
    MatchHeader {
        title: format!("{} – {}", names[0], names[1]).into(),
        teams: Team::ALL.map(team).into(),
        rules: Some(Value::Object(rules)),
        by: arena::by(Game::Fortress),
        ..MatchHeader::default()
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
            let sha256 = text.as_deref().map(programs::sha256).unwrap_or_default();
            Some(of(&player.name(team), sha256, text))
        }
    }
}

/// The file of a team among the words of its command: the last that is one, as in `python3 -u team.py`.
pub(super) fn program_file(command: &[String]) -> Option<PathBuf> {
    command.iter().rev().map(Path::new).find(|path| path.is_file()).map(Path::to_owned)
}
