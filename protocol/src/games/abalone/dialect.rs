//! Dialect of Abalone: its title, places, teams and marks.

use serde::Deserialize;
use serde_json::Value;

use super::{Command, Scene, text};
use crate::dialect::{Dialect, MarkKind, TALK_LINE};
use crate::games::Game;
use crate::line::{Cursor, Word};
use crate::place::{Place, Places};
use crate::problem::Fault;

impl Dialect for Scene {
    type Command = Command;

    fn title(_game: Game) -> &'static str {
        "Robot Abalone"
    }

    #[inline]
    fn read(name: Word<'_>, cursor: &mut Cursor<'_>) -> Result<Command, Fault> {
        text::read(name, cursor)
    }

    fn from_json(value: &Value) -> serde_json::Result<Command> {
        Command::deserialize(value)
    }

    fn place(name: &str) -> Option<Place> {
        name.parse().ok().map(Place::Hex)
    }

    fn team(command: &Command) -> Option<&str> {
        match command {
            Command::Say { team, .. } | Command::Score { team, .. } => Some(team.name()),
            Command::Set { piece, .. } => piece.map(|piece| piece.team.name()),
            Command::Turns { .. } => None,
        }
    }

    fn places(command: &Command) -> Places<'_> {
        match command {
            Command::Set { hex, .. } => Places::one(Place::Hex(*hex)),
            _ => Places::default(),
        }
    }

    fn is_of_whole_board(_command: &Command) -> bool {
        false
    }

    fn is_aside(command: &Command) -> bool {
        matches!(command, Command::Say { .. })
    }

    fn ends_turn(command: &Command) -> bool {
        matches!(command, Command::Turns { .. })
    }

    fn mark(&self, command: &Command) -> Option<MarkKind> {
        match command {
            Command::Score { team, value } => Some(MarkKind::score(*value > self.score(*team))),
            Command::Turns { value } => MarkKind::turn(self.turns(), *value),
            Command::Say { .. } => Some(MarkKind::Talk),
            Command::Set { .. } => None,
        }
    }

    fn board_places(&self) -> Vec<Place> {
        super::Hex::all().map(Place::Hex).collect()
    }

    fn varying_bytes(&self) -> usize {
        self.talk().bytes()
    }

    fn own_bytes(&self) -> usize {
        TALK_LINE * self.talk().len()
    }
}
