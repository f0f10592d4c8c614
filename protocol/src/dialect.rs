//! Dialect: what the protocol asks of a game, a trait that the scene of each game implements in its own folder.

use std::borrow::Cow;

use serde_json::Value;

use crate::games::Game;
use crate::line::{Cursor, Word};
use crate::place::{Place, Places};
use crate::problem::Fault;

/// A game's dialect: its commands as text and JSON, and what may be said of them without knowing the game.
///
/// [`Scene::apply`](crate::Scene::apply), `write_line` and the overlays are no part of it: every scene and every command
/// has these methods of its own.
pub(crate) trait Dialect {
    /// The commands that draw the scene.
    type Command: Clone;

    /// The game's name for people. `game` is one of those that speak the dialect.
    fn title(game: Game) -> &'static str;

    /// Understands the rest of a line that begins with `name`, up to what may not stand behind it.
    fn read(name: Word<'_>, cursor: &mut Cursor<'_>) -> Result<Self::Command, Fault>;

    /// Understands one line, which has neither a line feed nor carriage returns at its end.
    fn parse(line: &[u8]) -> Result<Self::Command, Fault> {
        // The cursor is made here, though the caller had one: it stays in registers.
        let mut cursor = Cursor::new(line);
        let name = cursor.word();
        let command = Self::read(name, &mut cursor)?;
        cursor.end()?;
        Ok(command)
    }

    /// Reads a command's JSON object.
    fn from_json(value: &Value) -> serde_json::Result<Self::Command>;

    /// The place of that name on some board of the game.
    fn place(name: &str) -> Option<Place>;

    /// The team that the command speaks of, by the dialect's name for it; `None` for no team and for both.
    fn team(command: &Self::Command) -> Option<&str>;

    /// The places that the command names, in their order.
    fn places(command: &Self::Command) -> Places<'_>;

    /// Whether the command draws the whole board anew without naming a place of it.
    fn is_of_whole_board(command: &Self::Command) -> bool;

    /// Whether the command draws on no board: talk, clocks, thoughts, names.
    fn is_aside(command: &Self::Command) -> bool;

    /// Whether a turn, a step or a moment of the game's time is over with the command.
    fn ends_turn(command: &Self::Command) -> bool;

    /// The command without our additions to the handout's; `None` where all of it is ours.
    fn of_handout(command: &Self::Command) -> Option<Cow<'_, Self::Command>> {
        Some(Cow::Borrowed(command))
    }

    /// What the command is besides drawing when it comes after this scene.
    fn mark(&self, command: &Self::Command) -> Option<MarkKind>;

    /// The team that the command speaks of when it comes after this scene.
    fn team_of<'a>(&self, command: &'a Self::Command) -> Option<&'a str> {
        Self::team(command)
    }

    /// Places that the command touches after this scene without naming them.
    fn touched(&self, _command: &Self::Command) -> [Option<Place>; 2] {
        [None; 2]
    }

    /// From where to where the command leads when it comes after this scene.
    fn way(&self, _command: &Self::Command) -> Option<[Place; 2]> {
        None
    }

    /// Every place of the board on which something may be; of a board without an end, those where something is.
    fn board_places(&self) -> Vec<Place>;

    /// About how many bytes the talk and the cells of a board without a fixed size take, in memory and as JSON alike.
    fn varying_bytes(&self) -> usize;

    /// About how many bytes of memory the scene does not share with an earlier one of the match, when everything in it has
    /// changed.
    fn own_bytes(&self) -> usize;
}

/// Bytes that a line of talk takes in a scene which shares its text with others.
pub(crate) const TALK_LINE: usize = 48;

/// Bytes that a drawn cell takes in memory.
pub(crate) const CELL: usize = 24;

/// Why a spectator may want to go to a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MarkKind {
    /// The turn number, the number of moves, or the time that the game counts, becomes another.
    Turn,
    /// A score rises. In Abalone that is a piece pushed off, or one whose program ended; in Steam Fortress a team takes a
    /// control point; in Pente pairs are captured.
    ScoreRise,
    /// A score is set, and does not rise; in Steam Fortress a control point is lost to nobody.
    Score,
    /// Somebody says something.
    Talk,
    /// A marker of the game server.
    Marker,
    /// A line that was not understood.
    Unknown,
}

impl MarkKind {
    /// A score that is set.
    pub(crate) fn score(rises: bool) -> MarkKind {
        if rises { MarkKind::ScoreRise } else { MarkKind::Score }
    }

    /// A count of turns that is set.
    pub(crate) fn turn(before: u32, after: u32) -> Option<MarkKind> {
        (before != after).then_some(MarkKind::Turn)
    }
}
