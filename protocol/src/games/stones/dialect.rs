//! Dialect of Gomoku and Pente: their titles, places, teams and marks.

use serde_json::Value;

use super::{Command, Common, Scene, text};
use crate::dialect::{CELL, Dialect, MarkKind, TALK_LINE};
use crate::games::Game;
use crate::line::{Cursor, Word};
use crate::place::{Place, Places};
use crate::problem::Fault;
use crate::turn::{LateThought, THOUGHT_BYTES};

impl Dialect for Scene {
    type Command = Command;

    fn title(game: Game) -> &'static str {
        if game == Game::Pente { "Pente" } else { "Gomoku" }
    }

    #[inline]
    fn read(name: Word<'_>, cursor: &mut Cursor<'_>) -> Result<Command, Fault> {
        text::read(name, cursor)
    }

    fn from_json(value: &Value) -> serde_json::Result<Command> {
        match Common::from_json(value)? {
            Some(common) => Ok(Command::Common(common)),
            None => Command::deserialize(value),
        }
    }

    fn place(name: &str) -> Option<Place> {
        name.parse().ok().map(Place::Point)
    }

    fn team(command: &Command) -> Option<&str> {
        match command {
            Command::Set { stone, .. } => stone.map(|team| team.name()),
            Command::Move { team, .. } | Command::Captures { team, .. } => Some(team.name()),
            Command::Common(common) => common.team(),
            Command::Board { .. } | Command::Five { .. } | Command::Forbid { .. } => None,
        }
    }

    fn places(command: &Command) -> Places<'_> {
        match command {
            Command::Set { point, .. } | Command::Move { point, .. } => Places::one(Place::Point(*point)),
            Command::Five { from, to } => Places::two([*from, *to].map(Place::Point)),
            Command::Forbid { points } => Places::many(points.iter().copied().map(Place::Point)),
            Command::Common(Common::Thought(thought) | Common::LateThought(LateThought { thought, .. })) => {
                Places::many(thought.line.iter().copied().map(Place::Point))
            }
            _ => Places::default(),
        }
    }

    fn is_of_whole_board(command: &Command) -> bool {
        matches!(command, Command::Board { .. })
    }

    fn is_aside(command: &Command) -> bool {
        matches!(command, Command::Common(common) if common.is_aside())
    }

    fn ends_turn(command: &Command) -> bool {
        matches!(command, Command::Move { .. })
    }

    fn mark(&self, command: &Command) -> Option<MarkKind> {
        match command {
            Command::Move { point, .. } => self.size().has(*point).then_some(MarkKind::Turn),
            Command::Board { .. } => MarkKind::turn(self.ply(), 0),
            Command::Captures { team, pairs } => Some(MarkKind::score(*pairs > self.captures(*team))),
            Command::Common(common) => common.mark(),
            Command::Set { .. } | Command::Five { .. } | Command::Forbid { .. } => None,
        }
    }

    fn movement(&self, command: &Command) -> Option<[Place; 2]> {
        match command {
            Command::Five { from, to } => Some([*from, *to].map(Place::Point)),
            _ => None,
        }
    }

    fn board_places(&self) -> Vec<Place> {
        self.stones().map(|(point, _)| Place::Point(point)).collect()
    }

    fn varying_bytes(&self) -> usize {
        /// Size in bytes of a stone: the size as JSON, which is more than in memory.
        const STONE: usize = 40;
        STONE * self.stones().len() + self.table().talk().bytes()
    }

    fn own_bytes(&self) -> usize {
        TALK_LINE * self.table().talk().len() + CELL * self.stones().len() + 2 * THOUGHT_BYTES
    }
}
