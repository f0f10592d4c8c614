//! Entrants: who is to play, by the name that the command line and recordings have.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

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
    /// Its name, to which options may be added after a colon.
    pub name: &'static str,
    /// How it is written, with its options, for messages.
    pub usage: &'static str,
    /// Makes the entrant of what is written after the colon.
    pub enter: fn(options: Option<&str>) -> Result<Entrant<P>, String>,
}

/// A turn game with the kinds of its players.
pub trait SeatedGame: TurnGame {
    /// Who may play it.
    const PLAYERS: &'static [PlayerKind<Self::Position>];
    /// How it is shown at a terminal.
    const VIEW: View<Self::Position>;
}

/// How a game is shown and explained at a terminal.
#[derive(Debug, Clone, Copy)]
pub struct View<P: Drawn> {
    /// The position in lines of text, for the side that looks at it; the last move stands out.
    pub board: fn(&P, Side, Option<P::Move>) -> String,
    /// How a move is written, with an example.
    pub moves: &'static str,
}

/// Who is to play one side, of as many matches as there are.
#[derive(Clone)]
pub struct Entrant<P: Position> {
    /// As it was written.
    pub spec: String,
    /// What it is called in matches.
    pub name: String,
    /// Whether it does the same whenever it is asked the same with the same seed, however fast the machine is.
    pub exact: bool,
    /// Whether it is somebody who types at this terminal.
    pub terminal: bool,
    /// Whether it is whoever takes a seat over a bridge.
    pub seat: bool,
    make: Arc<Make<P>>,
}

type Make<P> = dyn Fn(&ProgramOptions) -> Box<dyn Player<P>> + Send + Sync;

/// How programs that play are run.
#[derive(Debug, Clone)]
pub struct ProgramOptions {
    /// Limits on each.
    pub limits: sandbox::Limits,
    /// How they are kept in.
    pub isolation: Isolation,
    /// What they may read besides the directories of their files.
    pub readable: Vec<PathBuf>,
    /// The directory for what they write to their standard errors, in a file for each side; otherwise it is not kept.
    pub logs: Option<PathBuf>,
    /// Whether there is more than one match, so that a program may be kept for the next one.
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

impl<P: Position> fmt::Debug for Entrant<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entrant").field("spec", &self.spec).finish_non_exhaustive()
    }
}

impl<P: Position> Entrant<P> {
    /// Called `name`, made anew for each match.
    pub fn new<T: Player<P> + 'static>(
        name: impl Into<String>,
        make: impl Fn() -> T + Send + Sync + 'static,
    ) -> Self {
        Self::of_program(name, move |_| make())
    }

    /// One that is a program, called `name`, made anew for each match.
    pub fn of_program<T: Player<P> + 'static>(
        name: impl Into<String>,
        make: impl Fn(&ProgramOptions) -> T + Send + Sync + 'static,
    ) -> Self {
        let name = name.into();
        Self {
            spec: name.clone(),
            name,
            exact: false,
            terminal: false,
            seat: false,
            make: Arc::new(move |programs| Box::new(make(programs))),
        }
    }

    /// One that does the same whenever it is asked the same with the same seed, however fast the machine is.
    #[must_use]
    pub fn exact(self) -> Self {
        Self { exact: true, ..self }
    }

    /// Somebody who types at this terminal.
    #[must_use]
    pub fn at_terminal(self) -> Self {
        Self { terminal: true, ..self }
    }

    /// Whoever takes a seat over a bridge.
    #[must_use]
    pub fn at_a_seat(self) -> Self {
        Self { seat: true, ..self }
    }

    /// The player, for one match; if it is a program, it is run so.
    pub fn player(&self, programs: &ProgramOptions) -> Box<dyn Player<P>> {
        (self.make)(programs)
    }

    /// Reads the name of a player of `game`.
    ///
    /// # Errors
    /// If the game has none of that name, or the options are wrong.
    pub fn parse<G: SeatedGame<Position = P>>(game: &G, spec: &str) -> Result<Self, EntrantError> {
        let (name, options) = match spec.split_once(':') {
            Some((name, options)) => (name, Some(options)),
            None => (spec, None),
        };
        let kind = G::PLAYERS.iter().find(|kind| kind.name == name);
        let kind = kind.ok_or_else(|| EntrantError::Unknown {
            spec: spec.to_owned(),
            game: title(game.game()),
            expected: G::PLAYERS.iter().map(|kind| kind.usage).collect::<Vec<_>>().join(", "),
        })?;
        let entrant = (kind.enter)(options);
        let entrant = entrant.map_err(|why| EntrantError::Options { spec: spec.to_owned(), why })?;
        // Two players of a kind are told apart by their options.
        let name = if entrant.name == kind.name { spec.to_owned() } else { entrant.name };
        Ok(Self { spec: spec.to_owned(), name, ..entrant })
    }
}

/// Why a text is nobody who could play.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EntrantError {
    /// The game has no such player.
    #[error("`{spec}` is not a player of {game}; expected one of: {expected}")]
    Unknown {
        /// What was written.
        spec: String,
        /// The game.
        game: &'static str,
        /// Who there is.
        expected: String,
    },
    /// The player has no such options.
    #[error("`{spec}`: {why}")]
    Options {
        /// What was written.
        spec: String,
        /// What is wrong, and what would do.
        why: String,
    },
}

/// No options were expected.
///
/// # Errors
/// If there are some.
pub fn no_options(options: Option<&str>) -> Result<(), String> {
    options.map_or(Ok(()), |_| Err("it has no options; expected the name alone".to_owned()))
}
