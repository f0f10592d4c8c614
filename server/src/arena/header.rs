//! What is known of a match before it begins.

use std::path::Path;

use grandstand_languages::Program;
use grandstand_protocol::abalone::Team;
use grandstand_protocol::{MatchHeader, TeamInfo};

use super::runner::{MatchSetup, StartError};
use super::settings::{Settings, SettingsError};
use crate::programs::{self, BundleError};
use thiserror::Error;

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
        team: Team,
        /// What is wrong with it.
        source: BundleError,
    },
    /// The match can't begin.
    #[error(transparent)]
    Start(#[from] StartError),
}

impl MatchSetup {
    /// The header of this match: its settings, its seed, both programs with their sources. It is called by its
    /// programs' files; `started` is when it begins, in RFC 3339.
    pub fn header(&self, started: Option<&str>) -> MatchHeader {
        let names = Team::ALL.map(|team| stem(file_of(self.program(team))));
        MatchHeader {
            title: format!("{} – {}", names[0], names[1]).into(),
            teams: Team::ALL
                .map(|team| TeamInfo { name: names[team.index()].into(), color: team.color() })
                .into(),
            started: started.map(Into::into),
            rules: Some(self.settings.to_value()),
            seed: Some(self.seed),
            programs: Team::ALL
                .map(|team| {
                    let source = programs::bundle(self.program(team));
                    grandstand_protocol::Program {
                        team: team.name().into(),
                        file: file_name(file_of(self.program(team))).into(),
                        sha256: programs::sha256(&source).into(),
                        source: Some(source),
                    }
                })
                .into(),
        }
    }

    /// The match that `header` describes, to be run again.
    pub fn from_header(header: &MatchHeader) -> Result<Self, AgainError> {
        let rules = header.rules.clone().ok_or(AgainError::Missing("rules"))?;
        let program = |team: Team| {
            let found = header.programs.iter().find(|program| program.team == team.name());
            let source = found.and_then(|program| program.source.as_deref());
            let source = source.ok_or(AgainError::Missing("programs"))?;
            programs::unbundle(source).map_err(|source| AgainError::Program { team, source })
        };
        Ok(Self {
            settings: Settings::from_value(rules)?,
            seed: header.seed.ok_or(AgainError::Missing("seed"))?,
            black: program(Team::Black)?,
            white: program(Team::White)?,
        })
    }

    /// The program of `team`.
    pub fn program(&self, team: Team) -> &Program {
        match team {
            Team::Black => &self.black,
            Team::White => &self.white,
        }
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
