//! Factories of players, by the names that the command line and recordings use.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use grandstand_matches::SeatChoices;
use grandstand_matches::games::title;
use grandstand_matches::turns::game::TurnGame;
use grandstand_rules::turn::{Drawn, Position, Side};
use thiserror::Error;

use super::player::Player;
use crate::gomocup::process::engine_limits;
use crate::sandbox::{self, Isolation};

/// A kind of player of a game.
#[derive(Debug)]
pub struct PlayerKind<P: Position> {
    /// Name of the kind, to which options may be added after a colon.
    pub name: &'static str,
    /// Syntax of the name and its options, for messages.
    pub usage: &'static str,
    /// Creates a factory from the text after the colon.
    pub create: fn(options: Option<&str>) -> Result<PlayerFactory<P>, String>,
}

/// A turn game with the kinds of its players.
pub trait SeatedGame: TurnGame {
    /// Kinds of players of the game.
    const PLAYERS: &'static [PlayerKind<Self::Position>];
    /// View of the game at a terminal.
    const VIEW: View<Self::Position>;

    /// Settings that the holder of a seat may choose for the next match.
    fn seat_choices(&self) -> &'static SeatChoices;
}

/// View of a game at a terminal, and its syntax of moves.
#[derive(Debug, Clone, Copy)]
pub struct View<P: Drawn> {
    /// Text of the position, in lines, for the side that looks at it; the last move is marked.
    pub board: fn(&P, Side, Option<P::Move>) -> String,
    /// Syntax of a move, with an example.
    pub moves: &'static str,
}

/// Player of one side, for any number of matches.
#[derive(Clone)]
pub struct PlayerFactory<P: Position> {
    /// The name as it was written.
    pub spec: String,
    /// Name in matches.
    pub name: String,
    /// Whether the player always answers the same question with the same seed in the same way, however fast the machine
    /// is.
    pub deterministic: bool,
    /// Whether the player is a person at this terminal.
    pub terminal: bool,
    /// Whether the player is the holder of a seat over a bridge.
    pub seat: bool,
    make: Arc<Make<P>>,
}

type Make<P> = dyn Fn(&ProgramOptions) -> Box<dyn Player<P>> + Send + Sync;

/// Options of players that are programs.
#[derive(Debug, Clone)]
pub struct ProgramOptions {
    /// Limits on each program.
    pub limits: sandbox::Limits,
    /// Isolation of each program.
    pub isolation: Isolation,
    /// Paths that the programs may read besides the directories of their files.
    pub readable: Vec<PathBuf>,
    /// Directory for the programs' standard error, with a file for each side; `None` discards it.
    pub logs: Option<PathBuf>,
    /// Whether several matches are played, so that a program may be kept for the next one.
    pub several: bool,
}

impl Default for ProgramOptions {
    fn default() -> Self {
        Self {
            limits: engine_limits(),
            isolation: Isolation::default(),
            readable: Vec::new(),
            logs: None,
            several: false,
        }
    }
}

impl<P: Position> fmt::Debug for PlayerFactory<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlayerFactory").field("spec", &self.spec).finish_non_exhaustive()
    }
}

impl<P: Position> PlayerFactory<P> {
    /// A factory of players called `name`.
    pub fn new<T: Player<P> + 'static>(
        name: impl Into<String>,
        make: impl Fn() -> T + Send + Sync + 'static,
    ) -> Self {
        Self::of_program(name, move |_| make())
    }

    /// A factory of programs called `name`.
    pub fn of_program<T: Player<P> + 'static>(
        name: impl Into<String>,
        make: impl Fn(&ProgramOptions) -> T + Send + Sync + 'static,
    ) -> Self {
        let name = name.into();
        Self {
            spec: name.clone(),
            name,
            deterministic: false,
            terminal: false,
            seat: false,
            make: Arc::new(move |programs| Box::new(make(programs))),
        }
    }

    /// Marks players that always answer the same question with the same seed in the same way, however fast the machine
    /// is.
    #[must_use]
    pub fn deterministic(self) -> Self {
        Self { deterministic: true, ..self }
    }

    /// Marks a person at this terminal.
    #[must_use]
    pub fn at_terminal(self) -> Self {
        Self { terminal: true, ..self }
    }

    /// Marks the holder of a seat over a bridge.
    #[must_use]
    pub fn at_a_seat(self) -> Self {
        Self { seat: true, ..self }
    }

    /// Creates the player for one match; `programs` applies if it is a program.
    pub fn player(&self, programs: &ProgramOptions) -> Box<dyn Player<P>> {
        (self.make)(programs)
    }

    /// Parses the name of a player of `game`.
    ///
    /// # Errors
    /// If the game has no such player, or its options are wrong.
    pub fn parse<G: SeatedGame<Position = P>>(game: &G, spec: &str) -> Result<Self, PlayerSpecError> {
        let (name, options) = match spec.split_once(':') {
            Some((name, options)) => (name, Some(options)),
            None => (spec, None),
        };
        let kind = G::PLAYERS.iter().find(|kind| kind.name == name);
        let kind = kind.ok_or_else(|| PlayerSpecError::Unknown {
            spec: spec.to_owned(),
            game: title(game.game()),
            expected: G::PLAYERS.iter().map(|kind| kind.usage).collect::<Vec<_>>().join(", "),
        })?;
        let factory = (kind.create)(options);
        let factory = factory.map_err(|why| PlayerSpecError::Options { spec: spec.to_owned(), why })?;
        // Players of one kind differ by their options.
        let name = if factory.name == kind.name { spec.to_owned() } else { factory.name };
        Ok(Self { spec: spec.to_owned(), name, ..factory })
    }
}

/// Reason for which a text names no player.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlayerSpecError {
    /// The game has no such player.
    #[error("`{spec}` is not a player of {game}; expected one of: {expected}")]
    Unknown {
        /// The text.
        spec: String,
        /// The game.
        game: &'static str,
        /// Syntax of the names that exist.
        expected: String,
    },
    /// The options of the player are wrong.
    #[error("`{spec}`: {why}")]
    Options {
        /// The text.
        spec: String,
        /// The mistake, and what is expected.
        why: String,
    },
}

/// Checks that there are no options.
///
/// # Errors
/// If there are any.
pub fn no_options(options: Option<&str>) -> Result<(), String> {
    options.map_or(Ok(()), |_| Err("it has no options; expected the name alone".to_owned()))
}
