//! Command of any dialect, as a line of text and as JSON.

use std::borrow::Cow;
use std::sync::Arc;

use data_encoding::BASE64;
use serde::de::Deserialize;
use serde::ser::{Serialize, Serializer};
use serde_json::Value;

use crate::dialect::Dialect as _;
use crate::extension::{self, Extension};
use crate::games::Game;
use crate::games::{abalone, by_command, by_game, fortress, grid, riskless, shark, stones};
use crate::line::Cursor;
use crate::overlay::{Mark, Marker, Overlay};
use crate::place::{Place, Places};
use crate::problem::{Fault, Problem, Unknown};
use crate::text::{shorten, trim_ending};
use crate::turn;

/// One command: the content of one line that draws, says or marks something. Cloning is cheap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// A command of the Abalone dialect.
    Abalone(abalone::Command),
    /// A command of the λ-Shark dialect.
    Shark(shark::Command),
    /// A command of the Steam Fortress dialect.
    Fortress(fortress::Command),
    /// A command of the dialect of Gomoku and Pente.
    Stones(stones::Command),
    /// A command of the Riskless dialect.
    Riskless(riskless::Command),
    /// A command of the grid dialect.
    Grid(grid::Command),
    /// A named moment, in any game.
    Marker(Arc<Marker>),
    /// A bot's drawing over the board, in any game.
    Overlay(Arc<Overlay>),
    /// A line that was not understood; it draws nothing.
    Unknown(Arc<Unknown>),
}

/// The reason why a JSON value is not a command of the game.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The text is not JSON, or does not have the command's shape.
    #[error("not a command of {game}: {source} in {text}")]
    Shape {
        /// The game whose command was expected.
        game: Game,
        /// The JSON error.
        source: serde_json::Error,
        /// The JSON, shortened.
        text: String,
    },
    /// The command is well formed, but can't be one line of the protocol.
    #[error("not a command of {game}: {reason} in {text}")]
    Content {
        /// The game whose command was expected.
        game: Game,
        /// The reason, in words.
        reason: String,
        /// The JSON, shortened.
        text: String,
    },
}

impl Command {
    /// Whether the command belongs to the game's own dialect, so that any GUI of that game understands it. Markers, overlays
    /// and unknown lines may come from somebody else than the match.
    pub fn is_dialect(&self) -> bool {
        !matches!(self, Command::Marker(_) | Command::Overlay(_) | Command::Unknown(_))
    }

    /// Parses one line of the game's dialect, or `#gs marker` or `#gs overlay`. It never fails: a line that is not
    /// understood becomes [`Command::Unknown`], which contains the reason.
    ///
    /// `line` is one line, with or without its ending. A line feed inside it counts as a blank, so that it can't forge
    /// a second line. The other `#gs` lines (game, match, result) are not commands: a [`Decoder`](crate::Decoder) reads them,
    /// and here they are unknown.
    pub fn parse(game: Game, line: &[u8]) -> Command {
        let line = trim_ending(line);
        if memchr::memchr(b'\n', line).is_some() {
            let joined: Vec<u8> = line.iter().map(|&b| if b == b'\n' { b' ' } else { b }).collect();
            return Command::parse_line(game, &joined);
        }
        Command::parse_line(game, line)
    }

    /// The number of moves that had been made at the time of a late thought; `None` for every other command.
    pub fn late_ply(&self) -> Option<u32> {
        match self {
            Command::Stones(stones::Command::Common(turn::Command::LateThought(late))) => Some(late.ply),
            Command::Riskless(riskless::Command::Common(turn::Command::LateThought(late))) => Some(late.ply),
            _ => None,
        }
    }

    fn parse_line(game: Game, line: &[u8]) -> Command {
        let mut cursor = Cursor::new(line);
        let mut name = cursor.word();
        let parsed = if name.bytes == extension::PREFIX {
            name = cursor.word();
            extension::parse(game, name, &mut cursor).and_then(|extension| match extension {
                Extension::Marker(marker) => Ok(marker.into()),
                Extension::Overlay(overlay) => Ok(overlay.into()),
                _ => Err(name.fault("a command: marker or overlay")),
            })
        } else {
            Command::parse_dialect(game, line)
        };
        parsed.unwrap_or_else(|fault| Command::unknown(line, fault))
    }

    /// Parses a line that has neither a line feed nor carriage returns at its end and is no `#gs` line.
    pub(crate) fn parse_dialect(game: Game, line: &[u8]) -> Result<Command, Fault> {
        by_game!(game, Scene => Scene::parse(line).map(Command::from))
    }

    pub(crate) fn unknown(line: &[u8], fault: Fault) -> Command {
        Command::Unknown(Arc::new(Unknown::new(line, fault)))
    }

    /// The part of the command that an old GUI of the game understands: the command without Grandstand's additions to the
    /// handout's dialect. `None` for a command that is an addition as a whole, and for an unknown line.
    #[must_use]
    pub fn without_extensions(&self) -> Option<Cow<'_, Command>> {
        by_command! { self, command, Scene => Some(match Scene::without_extensions(command)? {
                Cow::Borrowed(_) => Cow::Borrowed(self),
                Cow::Owned(command) => Cow::Owned(command.into()),
            }),
            Command::Marker(_) | Command::Overlay(_) | Command::Unknown(_) => None
        }
    }

    /// The team that talks, scores or moves, or whose piece is drawn, by the dialect's name for it.
    /// `None` when the command is about no team, or about both. In Steam Fortress units have numbers: see
    /// [`Scene::team_of`](crate::Scene::team_of).
    pub fn team(&self) -> Option<&str> {
        by_command! { self, command, Scene => Scene::team(command),
            Command::Marker(marker) => marker.team.as_deref(),
            Command::Overlay(overlay) => Some(&*overlay.team).filter(|team| !team.is_empty()),
            Command::Unknown(_) => None
        }
    }

    /// The places that the command names, in their order: drawn and marked places, a thought's expected moves, an
    /// overlay's marks. A command of another game names no place of this one. Places of units and control points that a
    /// command names only by number are in [`Scene::places`](crate::Scene::places).
    pub fn places(&self, game: Game) -> impl Iterator<Item = Place> + '_ {
        by_command! { self, command, Scene => Scene::places(command),
            Command::Overlay(overlay) => {
                let names = overlay.marks().iter().flat_map(Mark::places);
                Places::many(names.filter_map(move |name| Place::parse(game, name)))
            },
            Command::Marker(_) | Command::Unknown(_) => Places::default()
        }
    }

    /// Whether the command redraws the whole board without naming any place.
    pub fn is_of_whole_board(&self) -> bool {
        by_command!(self, command, Scene => Scene::is_of_whole_board(command), _ => false)
    }

    /// Whether the command draws on no board: talk, clocks, thoughts, names, and the commands common to all games.
    pub fn is_aside(&self) -> bool {
        by_command!(self, command, Scene => Scene::is_aside(command), _ => true)
    }

    /// Whether the command ends a turn, a step or a moment of the game's time: the game's own count of time goes on.
    pub fn ends_turn(&self) -> bool {
        by_command!(self, command, Scene => Scene::ends_turn(command), _ => false)
    }

    /// Appends the command's canonical line, without a line ending. An unknown line that is not UTF-8 is approximated;
    /// [`Command::write_bytes`] writes it exactly.
    pub fn write_line(&self, out: &mut String) {
        by_command! { self, command => command.write_line(out),
            Command::Marker(marker) => extension::write_line(out, "marker", marker),
            Command::Overlay(overlay) => extension::write_line(out, "overlay", overlay),
            Command::Unknown(unknown) => out.push_str(&unknown.text()),
        }
    }

    /// Appends the command's canonical line, without a line ending. An unknown line is written byte for byte as it came.
    pub fn write_bytes(&self, out: &mut Vec<u8>) {
        if let Command::Unknown(unknown) = self {
            out.extend_from_slice(unknown.bytes());
        } else {
            let mut line = String::new();
            self.write_line(&mut line);
            out.extend_from_slice(line.as_bytes());
        }
    }

    /// The command's canonical line.
    pub fn to_line(&self) -> String {
        // Nearly every line fits, so that writing one allocates once.
        let mut line = String::with_capacity(48);
        self.write_line(&mut line);
        line
    }

    /// Appends the command's JSON object.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        crate::json::write_value(self, out);
    }

    /// Reads a command's JSON object.
    ///
    /// # Errors
    /// [`CommandError`] when it is not JSON or not a command of the game.
    pub fn from_json(game: Game, json: &str) -> Result<Command, CommandError> {
        let value = serde_json::from_str(json).map_err(|source| CommandError::Shape {
            game,
            source,
            text: shorten(json, 80),
        })?;
        Command::from_value(game, &value)
    }

    /// Reads a command from JSON that is already parsed.
    ///
    /// # Errors
    /// [`CommandError`] when it is not a command of the game.
    pub fn from_value(game: Game, value: &Value) -> Result<Command, CommandError> {
        let text = || shorten(&value.to_string(), 80);
        let shape = |source| CommandError::Shape { game, source, text: text() };
        let content = |reason| CommandError::Content { game, reason, text: text() };
        match value.get("cmd").and_then(Value::as_str) {
            Some("marker") => Ok(Marker::deserialize(value).map_err(shape)?.into()),
            Some("overlay") => {
                let overlay = Overlay::deserialize(value).map_err(shape)?;
                extension::check_places(&overlay, game).map_err(content)?;
                Ok(overlay.into())
            }
            Some("unknown") => Command::unknown_from(game, value).map_err(content),
            _ => by_game!(game, Scene => Scene::from_json(value).map(Command::from)).map_err(shape),
        }
    }

    fn unknown_from(game: Game, value: &Value) -> Result<Command, String> {
        let text = value.get("line").and_then(Value::as_str).ok_or("`line` is missing or not a string")?;
        let bytes = match value.get("base64") {
            None | Some(Value::Null) => text.as_bytes().to_vec(),
            Some(Value::String(base64)) => BASE64
                .decode(base64.as_bytes())
                .map_err(|error| format!("`base64` is not base64: {error}"))?,
            Some(_) => return Err("`base64` is not a string".to_owned()),
        };
        if trim_ending(&bytes).len() != bytes.len() || bytes.contains(&b'\n') {
            return Err("`line` has a line ending in it".to_owned());
        }
        if String::from_utf8_lossy(&bytes) != text {
            return Err("`line` and `base64` are not the same line".to_owned());
        }
        if let Some(problem) = Problem::sent(value.get("problem")) {
            return Ok(Command::Unknown(Arc::new(Unknown::sent(&bytes, problem))));
        }
        match Command::parse_line(game, &bytes) {
            unknown @ Command::Unknown(_) => Ok(unknown),
            // The line may have been unknown only because of its position: a second `#gs game`, for instance.
            _ => Ok(Command::unknown(&bytes, Fault::new(0, bytes.len(), "a line that may stand here"))),
        }
    }
}

impl Serialize for Command {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        #[serde(tag = "cmd", rename_all = "lowercase")]
        enum Common<'a> {
            Marker(&'a Marker),
            Overlay(&'a Overlay),
        }
        by_command! { self, command => command.serialize(serializer),
            Command::Marker(marker) => Common::Marker(marker).serialize(serializer),
            Command::Overlay(overlay) => Common::Overlay(overlay).serialize(serializer),
            Command::Unknown(unknown) => unknown.serialize(serializer),
        }
    }
}

/// Implements `From` for the command type of each game.
macro_rules! from_game {
    ($($variant:ident: $game:ident),+) => {
        $(impl From<$game::Command> for Command {
            fn from(command: $game::Command) -> Command {
                Command::$variant(command)
            }
        })+
    };
}
from_game!(Abalone: abalone, Shark: shark, Fortress: fortress, Stones: stones, Riskless: riskless, Grid: grid);

impl From<Marker> for Command {
    fn from(marker: Marker) -> Command {
        Command::Marker(Arc::new(marker))
    }
}

impl From<Overlay> for Command {
    fn from(overlay: Overlay) -> Command {
        Command::Overlay(Arc::new(overlay))
    }
}
