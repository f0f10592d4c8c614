//! All that decides a match of programs; its header, and back.

use std::path::Path;

use grandstand_languages::Program;
use grandstand_protocol::{Game, MatchHeader, TeamInfo};
use serde_json::Value;
use thiserror::Error;

use super::by::by;
use super::contest::{Contest, Fixture, Side, StartError, Tempo};
use super::runner::Runner;
use super::settings::{Settings, SettingsError};
use super::world::GameWorld;
use crate::programs::{self, BundleError};

/// All that decides a match of programs: run twice, it gives the same commands byte for byte.
#[derive(Debug, Clone)]
pub struct MatchSetup<W: GameWorld> {
    /// The settings in force.
    pub settings: Settings<W::Rules>,
    /// What chance is drawn from.
    pub seed: u64,
    /// Who plays the two sides.
    pub players: [Player; 2],
}

/// Who plays a side of a match of programs.
#[derive(Debug, Clone)]
pub enum Player {
    /// The threads of a program.
    Program(Program),
    /// A team written in Rust, by its name among [`GameWorld::NATIVES`].
    Native(&'static str),
}

/// What the names of teams written in Rust begin with, on the command line and in headers.
pub const RUST: &str = "rust:";

impl Player {
    /// The game's team of that name which is written in Rust.
    pub fn native<W: GameWorld>(name: &str) -> Option<Self> {
        W::NATIVES.iter().find(|native| **native == name).map(|native| Self::Native(native))
    }

    /// What it is called: of a program its file, without directory and extension.
    pub fn name(&self) -> &str {
        match self {
            Self::Program(program) => stem(file_of(program)),
            Self::Native(name) => name,
        }
    }

    /// As a header has it.
    fn entry(&self, team: &str) -> grandstand_protocol::Program {
        let team = team.into();
        match self {
            Self::Program(program) => {
                let source = programs::bundle(program);
                let sha256 = programs::sha256(&source).into();
                let file = file_name(file_of(program)).into();
                grandstand_protocol::Program { team, file, sha256, source: Some(source) }
            }
            Self::Native(name) => {
                let file = format!("{RUST}{name}").into();
                grandstand_protocol::Program { team, file, sha256: "".into(), source: None }
            }
        }
    }
}

impl From<Program> for Player {
    fn from(program: Program) -> Self {
        Self::Program(program)
    }
}

/// Why a match can't be set up again from its header.
#[derive(Debug, Error)]
pub enum AgainError {
    /// The header does not say this.
    #[error("the header does not tell the match's {0}")]
    Missing(&'static str),
    /// The settings are wrong.
    #[error("the match's rules: {0}")]
    Settings(#[from] SettingsError),
    /// A program is damaged.
    #[error("the program of {team}: {source}")]
    Program {
        /// Whose.
        team: &'static str,
        /// What is wrong with it.
        source: BundleError,
    },
    /// It had a clock of its own.
    #[error("it was played in real time: only the file of its inputs repeats it")]
    Inputs,
    /// Nobody knows its rules here.
    #[error("no rules are known for the game {0}")]
    Rules(Game),
}

impl<W: GameWorld> MatchSetup<W> {
    /// What the players are called.
    pub fn names(&self) -> [&str; 2] {
        self.players.each_ref().map(Player::name)
    }

    /// The match that `header` describes, to be run again.
    pub fn from_header(header: &MatchHeader) -> Result<Self, AgainError> {
        let rules = header.rules.clone().ok_or(AgainError::Missing("rules"))?;
        let player = |team: &'static str| {
            let missing = AgainError::Missing("programs");
            let Some(found) = header.programs.iter().find(|program| program.team == team) else {
                return Err(missing);
            };
            match &found.source {
                Some(source) => {
                    let program = programs::unbundle(source);
                    Ok(Player::Program(program.map_err(|source| AgainError::Program { team, source })?))
                }
                None => found.file.strip_prefix(RUST).and_then(Player::native::<W>).ok_or(missing),
            }
        };
        let [first, second] = W::SIDES.map(|side| side.name);
        Ok(Self {
            settings: Settings::from_value(rules)?,
            seed: header.seed.ok_or(AgainError::Missing("seed"))?,
            players: [player(first)?, player(second)?],
        })
    }
}

impl<W: GameWorld> Fixture for MatchSetup<W> {
    fn game(&self) -> Game {
        W::GAME
    }

    fn sides(&self) -> [Side; 2] {
        W::SIDES
    }

    fn tempo(&self) -> Tempo {
        W::tempo(&self.settings.rules)
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    /// Its settings, its seed, both programs with their sources. It is called by its players.
    fn header(&self, started: Option<&str>) -> MatchHeader {
        let names = self.names();
        let teams = W::SIDES.iter().zip(names);
        let programs = W::SIDES.iter().zip(&self.players).map(|(side, player)| player.entry(side.name));
        MatchHeader {
            title: format!("{} – {}", names[0], names[1]).into(),
            teams: teams.map(|(side, name)| TeamInfo { name: name.into(), color: side.color }).collect(),
            started: started.map(Into::into),
            rules: Some(Value::Object(self.settings.to_map())),
            seed: Some(self.seed),
            programs: programs.collect(),
            by: by(W::GAME),
            seats: Vec::new(),
        }
    }

    fn variation(&self, seed: u64, swapped: bool) -> Box<dyn Fixture> {
        let mut variation = Self { seed, ..self.clone() };
        if swapped {
            variation.players.reverse();
        }
        Box::new(variation)
    }

    fn start(&self) -> Result<Box<dyn Contest>, StartError> {
        Ok(Box::new(Runner::new(self)?))
    }
}

/// The path of a program's main file, as it was given.
fn file_of(program: &Program) -> &str {
    program.sources().files().first().map_or("", |file| &file.name)
}

/// A path's last part.
fn file_name(path: &str) -> &str {
    Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path)
}

/// A path's last part without its extension.
fn stem(path: &str) -> &str {
    Path::new(path).file_stem().and_then(|name| name.to_str()).unwrap_or(path)
}
