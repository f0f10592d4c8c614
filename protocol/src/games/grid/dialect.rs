//! Dialect of the generic grid: its title, places, teams and marks.

use serde::Deserialize;
use serde_json::Value;

use super::{Command, Scene, text};
use crate::dialect::{CELL, Dialect, MarkKind, TALK_LINE};
use crate::games::Game;
use crate::line::{Cursor, Word};
use crate::place::{Place, Places};
use crate::problem::Fault;

impl Dialect for Scene {
    type Command = Command;

    fn title(_game: Game) -> &'static str {
        "Grid"
    }

    #[inline]
    fn read(name: Word<'_>, cursor: &mut Cursor<'_>) -> Result<Command, Fault> {
        text::read(name, cursor)
    }

    fn from_json(value: &Value) -> serde_json::Result<Command> {
        Command::deserialize(value)
    }

    fn place(name: &str) -> Option<Place> {
        name.parse().ok().map(Place::Cell)
    }

    fn team(command: &Command) -> Option<&str> {
        match command {
            Command::Score { team, .. } | Command::Say { team, .. } => Some(team),
            _ => None,
        }
    }

    fn places(command: &Command) -> Places<'_> {
        match command {
            Command::Cell { at, .. } => Places::one(Place::Cell(*at)),
            _ => Places::default(),
        }
    }

    fn is_of_whole_board(command: &Command) -> bool {
        matches!(command, Command::Size { .. } | Command::Clear)
    }

    fn is_aside(command: &Command) -> bool {
        matches!(command, Command::Say { .. })
    }

    fn ends_turn(command: &Command) -> bool {
        matches!(command, Command::Step { .. })
    }

    fn mark(&self, command: &Command) -> Option<MarkKind> {
        match command {
            Command::Score { team, value } => {
                let before = self.scores().find(|(name, _)| *name == team).map_or(0, |(_, score)| score);
                Some(MarkKind::score(*value > before))
            }
            Command::Step { value } => MarkKind::turn(self.step(), *value),
            Command::Say { .. } => Some(MarkKind::Talk),
            Command::Size { .. } | Command::Cell { .. } | Command::Clear => None,
        }
    }

    fn board_places(&self) -> Vec<Place> {
        self.cells().map(|(at, _)| Place::Cell(at)).collect()
    }

    fn varying_bytes(&self) -> usize {
        /// Size in bytes of a cell: the size as JSON, which is more than in memory.
        const CELL: usize = 40;
        CELL * self.cells().count() + self.talk().bytes()
    }

    fn own_bytes(&self) -> usize {
        TALK_LINE * self.talk().len() + CELL * self.cells().count()
    }
}
