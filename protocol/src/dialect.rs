//! Trait that the protocol requires of a game. The scene of each game implements it in the game's folder.

use std::borrow::Cow;

use serde_json::Value;

use crate::games::Game;
use crate::line::{Cursor, Word};
use crate::place::{Place, Places};
use crate::problem::Fault;

/// A game's dialect: its commands as text and JSON, and game-independent queries about them.
///
/// [`Scene::apply`](crate::Scene::apply), `write_line` and the overlays are not part of the trait: every scene and every
/// command has its own methods for them.
pub(crate) trait Dialect {
    /// The commands that draw the scene.
    type Command: Clone;

    /// The game's name for people. `game` is one of the games of this dialect.
    fn title(game: Game) -> &'static str;

    /// Parses the rest of a line that begins with `name`. Anything left behind the command is not checked.
    fn read(name: Word<'_>, cursor: &mut Cursor<'_>) -> Result<Self::Command, Fault>;

    /// Parses one line, which has neither a line feed nor carriage returns at its end.
    fn parse(line: &[u8]) -> Result<Self::Command, Fault> {
        // A new cursor, although the caller has one: this one stays in registers.
        let mut cursor = Cursor::new(line);
        let name = cursor.word();
        let command = Self::read(name, &mut cursor)?;
        cursor.end()?;
        Ok(command)
    }

    /// Reads a command's JSON object.
    fn from_json(value: &Value) -> serde_json::Result<Self::Command>;

    /// Parses the name of a place on any board of the game.
    fn place(name: &str) -> Option<Place>;

    /// The team that the command is about, by the dialect's name for it; `None` for no team and for both.
    fn team(command: &Self::Command) -> Option<&str>;

    /// The places that the command names, in their order.
    fn places(command: &Self::Command) -> Places<'_>;

    /// Whether the command redraws the whole board without naming any place.
    fn is_of_whole_board(command: &Self::Command) -> bool;

    /// Whether the command draws on no board: talk, clocks, thoughts, names.
    fn is_aside(command: &Self::Command) -> bool;

    /// Whether the command ends a turn, a step or a moment of the game's time.
    fn ends_turn(command: &Self::Command) -> bool;

    /// The command without Grandstand's additions to the handout's dialect; `None` for a command that is an addition.
    fn without_extensions(command: &Self::Command) -> Option<Cow<'_, Self::Command>> {
        Some(Cow::Borrowed(command))
    }

    /// The kind of timeline mark of the command when it follows this scene; `None` for a command that only draws.
    fn mark(&self, command: &Self::Command) -> Option<MarkKind>;

    /// The team that the command is about when it follows this scene.
    fn team_of<'a>(&self, command: &'a Self::Command) -> Option<&'a str> {
        Self::team(command)
    }

    /// Places that the command changes without naming them, when it follows this scene.
    fn touched(&self, _command: &Self::Command) -> [Option<Place>; 2] {
        [None; 2]
    }

    /// Start and end of the movement that the command means when it follows this scene.
    fn movement(&self, _command: &Self::Command) -> Option<[Place; 2]> {
        None
    }

    /// Every place of the board that can hold something; on an unbounded board, the occupied places.
    fn board_places(&self) -> Vec<Place>;

    /// Approximate size in bytes of the talk and of the cells of a board without a fixed size, in memory and as JSON alike.
    fn varying_bytes(&self) -> usize;

    /// Approximate number of bytes of memory that the scene does not share with an earlier scene of the match, when
    /// everything in it has changed.
    fn own_bytes(&self) -> usize;
}

/// Size in bytes of a line of talk in a scene that shares the text with others.
pub(crate) const TALK_LINE: usize = 48;

/// Size in bytes of a drawn cell in memory.
pub(crate) const CELL: usize = 24;

/// The kind of a command that a spectator may want to jump to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MarkKind {
    /// The turn number, the number of moves, or the game's own time changes.
    Turn,
    /// A score rises. In Abalone a piece is pushed off, or its program has ended; in Steam Fortress a team takes a
    /// control point; in Pente pairs are captured.
    ScoreRise,
    /// A score is set, and does not rise; in Steam Fortress a control point becomes neutral.
    Score,
    /// A team says something.
    Talk,
    /// A marker of the game server.
    Marker,
    /// A line that was not understood.
    Unknown,
}

impl MarkKind {
    /// The mark of a command that sets a score.
    pub(crate) fn score(rises: bool) -> MarkKind {
        if rises { MarkKind::ScoreRise } else { MarkKind::Score }
    }

    /// The mark of a command that sets the count of turns.
    pub(crate) fn turn(before: u32, after: u32) -> Option<MarkKind> {
        (before != after).then_some(MarkKind::Turn)
    }
}
