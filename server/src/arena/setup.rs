//! All that decides a match of programs; its header, and back.

use std::path::Path;

use grandstand_languages::Program;
use grandstand_protocol::{Game, MatchHeader, TeamInfo};
use serde_json::Value;
use thiserror::Error;

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
    /// The programs of the two sides.
    pub programs: [Program; 2],
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
    /// What the players are called: their programs' files, without directory and extension.
    pub fn names(&self) -> [&str; 2] {
        self.programs.each_ref().map(|program| stem(file_of(program)))
    }

    /// The match that `header` describes, to be run again.
    pub fn from_header(header: &MatchHeader) -> Result<Self, AgainError> {
        let rules = header.rules.clone().ok_or(AgainError::Missing("rules"))?;
        let program = |team: &'static str| {
            let found = header.programs.iter().find(|program| program.team == team);
            let source = found.and_then(|program| program.source.as_deref());
            let source = source.ok_or(AgainError::Missing("programs"))?;
            programs::unbundle(source).map_err(|source| AgainError::Program { team, source })
        };
        let [first, second] = W::SIDES.map(|side| side.name);
        Ok(Self {
            settings: Settings::from_value(rules)?,
            seed: header.seed.ok_or(AgainError::Missing("seed"))?,
            programs: [program(first)?, program(second)?],
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

    /// Its settings, its seed, both programs with their sources. It is called by its programs' files.
    fn header(&self, started: Option<&str>) -> MatchHeader {
        let names = self.names();
        let teams = W::SIDES.iter().zip(names);
        let programs = W::SIDES.iter().zip(&self.programs).map(|(side, program)| {
            let source = programs::bundle(program);
            grandstand_protocol::Program {
                team: side.name.into(),
                file: file_name(file_of(program)).into(),
                sha256: programs::sha256(&source).into(),
                source: Some(source),
            }
        });
        MatchHeader {
            title: format!("{} – {}", names[0], names[1]).into(),
            teams: teams.map(|(side, name)| TeamInfo { name: name.into(), color: side.color }).collect(),
            started: started.map(Into::into),
            rules: Some(Value::Object(self.settings.to_map())),
            seed: Some(self.seed),
            programs: programs.collect(),
            seats: Vec::new(),
        }
    }

    fn variation(&self, seed: u64, swapped: bool) -> Box<dyn Fixture> {
        let mut variation = Self { seed, ..self.clone() };
        if swapped {
            variation.programs.reverse();
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
