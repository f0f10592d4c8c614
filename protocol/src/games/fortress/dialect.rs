//! Dialect of Steam Fortress: its title, places, teams and marks.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;

use super::{Command, Scene, text};
use crate::dialect::{Dialect, MarkKind, TALK_LINE};
use crate::games::Game;
use crate::line::{Cursor, Word};
use crate::place::{Place, Places};
use crate::problem::Fault;

/// Size in bytes of a unit, a fallen unit and a control point in memory.
const UNIT: usize = 32;

/// Size in bytes of an effect with its hits in memory.
const EFFECT: usize = 128;

impl Dialect for Scene {
    type Command = Command;

    fn title(_game: Game) -> &'static str {
        "Steam Fortress"
    }

    #[inline]
    fn read(name: Word<'_>, cursor: &mut Cursor<'_>) -> Result<Command, Fault> {
        text::read(name, cursor)
    }

    fn from_json(value: &Value) -> serde_json::Result<Command> {
        Command::deserialize(value)
    }

    fn place(name: &str) -> Option<Place> {
        name.parse().ok().map(Place::Square)
    }

    fn team(command: &Command) -> Option<&str> {
        match command {
            Command::Say { team, .. } | Command::Spawn { team, .. } => Some(team.name()),
            Command::Point { owner: team, .. }
            | Command::Control { owner: team, .. }
            | Command::Capture { team, .. } => team.map(|team| team.name()),
            _ => None,
        }
    }

    fn places(command: &Command) -> Places<'_> {
        match command {
            Command::Elevation { at, .. }
            | Command::Spawn { at, .. }
            | Command::Update { at, .. }
            | Command::Point { at, .. } => Places::one(Place::Square(*at)),
            Command::Shot { stop, target, .. } if stop == target => Places::one(Place::Square(*stop)),
            Command::Shot { stop, target, .. } => Places::two([*stop, *target].map(Place::Square)),
            _ => Places::default(),
        }
    }

    fn is_of_whole_board(command: &Command) -> bool {
        matches!(command, Command::Init)
    }

    fn is_aside(command: &Command) -> bool {
        matches!(command, Command::Say { .. } | Command::Time { .. })
    }

    fn ends_turn(command: &Command) -> bool {
        matches!(command, Command::Time { .. })
    }

    fn without_extensions(command: &Command) -> Option<Cow<'_, Command>> {
        match command {
            Command::Init
            | Command::Say { .. }
            | Command::Elevation { .. }
            | Command::Spawn { .. }
            | Command::Update { .. }
            | Command::Remove { .. }
            | Command::Point { .. }
            | Command::Control { .. }
            | Command::Over { .. } => Some(Cow::Borrowed(command)),
            Command::Shot { .. }
            | Command::Cone { .. }
            | Command::Axe { .. }
            | Command::Hit { .. }
            | Command::Capture { .. }
            | Command::Time { .. } => None,
        }
    }

    fn mark(&self, command: &Command) -> Option<MarkKind> {
        match command {
            Command::Control { point, owner } => {
                let before = self.points().iter().find(|held| held.point == *point).map(|held| held.owner);
                let rises = owner.is_some() && before.is_some_and(|before| before != *owner);
                Some(MarkKind::score(rises))
            }
            Command::Time { millis } => (self.time() != Some(*millis)).then_some(MarkKind::Turn),
            Command::Say { .. } => Some(MarkKind::Talk),
            Command::Init => self.time().is_some().then_some(MarkKind::Turn),
            Command::Elevation { .. }
            | Command::Spawn { .. }
            | Command::Update { .. }
            | Command::Remove { .. }
            | Command::Point { .. }
            | Command::Over { .. }
            | Command::Shot { .. }
            | Command::Cone { .. }
            | Command::Axe { .. }
            | Command::Hit { .. }
            | Command::Capture { .. } => None,
        }
    }

    fn team_of<'a>(&self, command: &'a Command) -> Option<&'a str> {
        match command {
            Command::Update { id, .. }
            | Command::Remove { id }
            | Command::Shot { id, .. }
            | Command::Cone { id, .. }
            | Command::Axe { id, .. }
            | Command::Hit { by: id, .. } => self.unit(*id).map(|unit| unit.team.name()),
            _ => Self::team(command),
        }
    }

    fn touched(&self, command: &Command) -> [Option<Place>; 2] {
        let unit = |id: u32| self.unit(id).map(|unit| unit.at);
        let control = |point: u8| {
            let mut points = self.points().iter();
            points.find(|held| held.point == point).map(|held| held.at)
        };
        let squares = match command {
            Command::Update { id, at, .. } | Command::Spawn { id, at, .. } => {
                [unit(*id).filter(|from| from != at), None]
            }
            Command::Remove { id }
            | Command::Shot { id, .. }
            | Command::Cone { id, .. }
            | Command::Axe { id, .. } => [unit(*id), None],
            Command::Hit { by, on, .. } => [unit(*by), unit(*on).filter(|_| by != on)],
            Command::Control { point, .. } | Command::Capture { point, .. } => [control(*point), None],
            Command::Point { point, at, .. } => [control(*point).filter(|from| from != at), None],
            Command::Init
            | Command::Say { .. }
            | Command::Elevation { .. }
            | Command::Over { .. }
            | Command::Time { .. } => [None; 2],
        };
        squares.map(|at| at.map(Place::Square))
    }

    fn movement(&self, command: &Command) -> Option<[Place; 2]> {
        match command {
            Command::Shot { id, stop: at, .. } | Command::Update { id, at, .. } => {
                let from = self.unit(*id).map(|unit| unit.at).filter(|from| from != at)?;
                Some([from, *at].map(Place::Square))
            }
            _ => None,
        }
    }

    fn board_places(&self) -> Vec<Place> {
        super::Square::all().map(Place::Square).collect()
    }

    fn varying_bytes(&self) -> usize {
        self.talk().bytes()
    }

    fn own_bytes(&self) -> usize {
        let units = self.units().len() + self.fallen().len() + self.points().len();
        TALK_LINE * self.talk().len() + UNIT * units + EFFECT * self.effects().len()
    }
}
