//! Dialect of λ-Shark: its title, places, teams and marks.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;

use super::{Bot, Command, Draw, Scene, Sprite, Team, text};
use crate::dialect::{CELL, Dialect, MarkKind, TALK_LINE};
use crate::games::Game;
use crate::line::{Cursor, Word};
use crate::place::{Place, Places};
use crate::problem::Fault;

impl Dialect for Scene {
    type Command = Command;

    fn title(_game: Game) -> &'static str {
        "λ-Shark"
    }

    #[inline]
    fn read(name: Word<'_>, cursor: &mut Cursor<'_>) -> Result<Command, Fault> {
        text::read(name, cursor)
    }

    fn from_json(value: &Value) -> serde_json::Result<Command> {
        Command::deserialize(value)
    }

    fn place(name: &str) -> Option<Place> {
        name.parse().ok().map(Place::Tile)
    }

    fn team(command: &Command) -> Option<&str> {
        match command {
            Command::Say { team, .. } | Command::Stand { team, .. } => Some(team.name()),
            Command::Draw(Draw { sprite: Sprite::Bot(bot), .. }) => Some(bot.team.name()),
            _ => None,
        }
    }

    fn places(command: &Command) -> Places<'_> {
        match command {
            Command::Draw(Draw { at, .. }) | Command::Erase(at) => Places::one(Place::Tile(*at)),
            Command::Shot(shot) => Places::two([shot.from(), shot.to()].map(Place::Tile)),
            _ => Places::default(),
        }
    }

    fn is_of_whole_board(command: &Command) -> bool {
        matches!(command, Command::Map { .. })
    }

    fn is_aside(command: &Command) -> bool {
        matches!(command, Command::Say { .. } | Command::Names(_) | Command::Time { .. })
    }

    fn ends_turn(command: &Command) -> bool {
        matches!(command, Command::Time { .. })
    }

    fn without_extensions(command: &Command) -> Option<Cow<'_, Command>> {
        match command {
            Command::Stand { .. } => None,
            Command::Draw(Draw { at, sprite: Sprite::Bot(bot) }) if bot.who.is_some() => {
                let sprite = Sprite::Bot(Bot { who: None, ..*bot });
                Some(Cow::Owned(Command::Draw(Draw { at: *at, sprite })))
            }
            _ => Some(Cow::Borrowed(command)),
        }
    }

    fn mark(&self, command: &Command) -> Option<MarkKind> {
        match command {
            Command::Score(value) => {
                let rises = |&team: &Team| value[team] > self.score(team);
                Some(MarkKind::score(Team::ALL.iter().any(rises)))
            }
            Command::Time { text } => (text.text() != self.time()).then_some(MarkKind::Turn),
            Command::Say { .. } => Some(MarkKind::Talk),
            Command::Map { .. }
            | Command::Draw(_)
            | Command::Erase(_)
            | Command::Shot(_)
            | Command::Spawn(_)
            | Command::Names(_)
            | Command::Win { .. }
            | Command::Stand { .. } => None,
        }
    }

    fn movement(&self, command: &Command) -> Option<[Place; 2]> {
        match command {
            Command::Shot(shot) => Some([shot.from(), shot.to()].map(Place::Tile)),
            _ => None,
        }
    }

    fn board_places(&self) -> Vec<Place> {
        super::Tile::all().map(Place::Tile).collect()
    }

    fn varying_bytes(&self) -> usize {
        self.talk().bytes()
    }

    fn own_bytes(&self) -> usize {
        TALK_LINE * self.talk().len() + CELL * (self.sprites().len() + self.shots().len())
    }
}
