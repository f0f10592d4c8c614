//! Specification of a match of programs, and its conversion to and from a header.

use std::path::Path;
use std::sync::Arc;

use grandstand_languages::Program;
use grandstand_protocol::{Game, MatchHeader};

use super::bot_request::BotRequest;
use super::runner::Runner;
use super::settings::Settings;
use super::world::GameWorld;
use crate::bundle::{bundle, sha256, unbundle};
use crate::drawn_by::drawn_by;
use crate::header::{self, HeaderError};
use crate::spec::{MatchSpec, RunningMatch, Side, StartError, Tempo};

/// Everything that decides a match of programs: run twice, it gives the same commands byte for byte.
#[derive(Debug, Clone)]
pub struct ProgramMatch<W: GameWorld> {
    /// The settings in force.
    pub settings: Settings<W::Rules>,
    /// Seed of all chance.
    pub seed: u64,
    /// Players of the two sides.
    pub players: [Player; 2],
}

/// Player of a side in a match of programs.
#[derive(Debug, Clone)]
pub enum Player {
    /// The threads of a program.
    Program(Program),
    /// A team written in Rust, by its name among [`GameWorld::NATIVES`].
    Native(&'static str),
    /// A side without a known program, played by its recorded requests.
    Recorded(Recorded),
}

/// Requests of a side in a recorded match.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// The program as the header has it, without its source.
    pub program: grandstand_protocol::Program,
    /// The requests of the match that changed its world, of both sides.
    pub asked: Arc<[BotRequest]>,
}

/// Prefix of the names of teams written in Rust, on the command line and in headers.
pub const RUST: &str = "rust:";

impl Player {
    /// The game's Rust team of that name.
    pub fn native<W: GameWorld>(name: &str) -> Option<Self> {
        W::NATIVES.iter().find(|native| **native == name).map(|native| Self::Native(native))
    }

    /// Name of the player; for a program its file, without directory and extension.
    pub fn name(&self) -> &str {
        match self {
            Self::Program(program) => stem(file_of(program)),
            Self::Native(name) => name,
            Self::Recorded(recorded) => stem(&recorded.program.file),
        }
    }

    /// Entry of the player in a header.
    fn entry(&self, team: &str) -> grandstand_protocol::Program {
        let team = team.into();
        match self {
            Self::Program(program) => {
                let source = bundle(program);
                let sha256 = sha256(&source).into();
                let file = file_name(file_of(program)).into();
                grandstand_protocol::Program { team, file, sha256, source: Some(source) }
            }
            Self::Native(name) => {
                let file = format!("{RUST}{name}").into();
                grandstand_protocol::Program { team, file, sha256: "".into(), source: None }
            }
            Self::Recorded(recorded) => recorded.program.clone(),
        }
    }
}

impl From<Program> for Player {
    fn from(program: Program) -> Self {
        Self::Program(program)
    }
}

impl<W: GameWorld> ProgramMatch<W> {
    /// Names of the players.
    pub fn names(&self) -> [&str; 2] {
        self.players.each_ref().map(Player::name)
    }

    /// The match that `header` describes, to be run again.
    ///
    /// # Errors
    /// If the header is incomplete.
    pub fn from_header(header: &MatchHeader) -> Result<Self, HeaderError> {
        Self::from_recording(header, &Arc::default())
    }

    /// The match of a recording, to be run again: from its header, and the requests that it keeps. A side without
    /// source is played by its requests.
    ///
    /// # Errors
    /// If the header is incomplete.
    pub fn from_recording(header: &MatchHeader, asked: &Arc<[BotRequest]>) -> Result<Self, HeaderError> {
        let rules = header.rules.clone().ok_or(HeaderError::Missing("rules"))?;
        let player = |team: &'static str| {
            let found = header::player_of(header, team)?;
            match &found.source {
                Some(source) => {
                    let program = unbundle(source);
                    Ok(Player::Program(program.map_err(|source| HeaderError::Program { team, source })?))
                }
                None => {
                    let native = found.file.strip_prefix(RUST).and_then(Player::native::<W>);
                    let recorded = || Recorded { program: found.clone(), asked: asked.clone() };
                    let recorded = (!asked.is_empty()).then(|| Player::Recorded(recorded()));
                    native.or(recorded).ok_or(HeaderError::Missing("programs"))
                }
            }
        };
        let [first, second] = W::SIDES.map(|side| side.name);
        Ok(Self {
            settings: Settings::from_value(rules)?,
            seed: header::seed(header)?,
            players: [player(first)?, player(second)?],
        })
    }
}

impl<W: GameWorld> MatchSpec for ProgramMatch<W> {
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

    /// Header with the settings, the seed, and both programs with their sources. The title consists of the players'
    /// names.
    fn header(&self, started: Option<&str>) -> MatchHeader {
        let programs = W::SIDES.iter().zip(&self.players).map(|(side, player)| player.entry(side.name));
        MatchHeader {
            started: started.map(Into::into),
            seed: Some(self.seed),
            programs: programs.collect(),
            ..header::header(
                W::SIDES,
                self.names(),
                self.settings.to_map(),
                drawn_by(W::GAME, Some(W::LANGUAGE)),
            )
        }
    }

    fn variation(&self, seed: u64, swapped: bool) -> Box<dyn MatchSpec> {
        let mut variation = Self { seed, ..self.clone() };
        if swapped {
            variation.players.reverse();
        }
        Box::new(variation)
    }

    fn start(&self) -> Result<Box<dyn RunningMatch>, StartError> {
        Ok(Box::new(Runner::new(self)?))
    }
}

/// Path of a program's main file, as it was given.
fn file_of(program: &Program) -> &str {
    program.sources().files().first().map_or("", |file| &file.name)
}

/// Last part of a path.
fn file_name(path: &str) -> &str {
    Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path)
}

/// Last part of a path without its extension.
fn stem(path: &str) -> &str {
    Path::new(path).file_stem().and_then(|name| name.to_str()).unwrap_or(path)
}
