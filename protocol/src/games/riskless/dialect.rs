//! Dialect of Riskless: its title, places, teams and marks.

use serde_json::Value;

use super::{Command, Common, Scene, text};
use crate::dialect::{Dialect, MarkKind, TALK_LINE};
use crate::games::Game;
use crate::line::{Cursor, Word};
use crate::place::{Place, Places};
use crate::problem::Fault;
use crate::turn::{LateThought, THOUGHT_BYTES};

/// Size in bytes of a held territory in memory.
const TERRITORY: usize = 16;

impl Dialect for Scene {
    type Command = Command;

    fn title(_game: Game) -> &'static str {
        "Riskless"
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
        let digits = name.bytes().all(|byte| byte.is_ascii_digit());
        name.parse().ok().filter(|_| digits).map(Place::Territory)
    }

    fn team(command: &Command) -> Option<&str> {
        match command {
            Command::Set(set) => set.holding.map(|held| held.team.name()),
            Command::Move(march) => Some(march.team.name()),
            Command::Common(common) => common.team(),
            Command::Map(_) | Command::Territory(_) | Command::Road(_) | Command::Battle(_) => None,
        }
    }

    fn places(command: &Command) -> Places<'_> {
        match command {
            Command::Territory(territory) => Places::one(Place::Territory(territory.id)),
            Command::Set(set) => Places::one(Place::Territory(set.territory)),
            Command::Battle(battle) => Places::one(Place::Territory(battle.territory)),
            Command::Road(road) => Places::two([road.a, road.b].map(Place::Territory)),
            Command::Move(march) => Places::two([march.from, march.to].map(Place::Territory)),
            Command::Common(Common::Thought(thought) | Common::LateThought(LateThought { thought, .. })) => {
                let steps = thought.line.iter().flat_map(|step| [step.from, step.to]);
                Places::many(steps.map(Place::Territory))
            }
            Command::Map(_) | Command::Common(_) => Places::default(),
        }
    }

    fn is_of_whole_board(command: &Command) -> bool {
        matches!(command, Command::Map(_))
    }

    fn is_aside(command: &Command) -> bool {
        matches!(command, Command::Common(common) if common.is_aside())
    }

    fn ends_turn(command: &Command) -> bool {
        matches!(command, Command::Move(_))
    }

    fn mark(&self, command: &Command) -> Option<MarkKind> {
        match command {
            Command::Move(march) => {
                let is_there = |territory| self.territory(territory).is_some();
                (is_there(march.from) && is_there(march.to)).then_some(MarkKind::Turn)
            }
            Command::Map(_) => MarkKind::turn(self.ply(), 0),
            Command::Common(common) => common.mark(),
            Command::Territory(_) | Command::Road(_) | Command::Set(_) | Command::Battle(_) => None,
        }
    }

    fn movement(&self, command: &Command) -> Option<[Place; 2]> {
        match command {
            Command::Move(march) => Some([march.from, march.to].map(Place::Territory)),
            _ => None,
        }
    }

    fn board_places(&self) -> Vec<Place> {
        self.territories().map(|territory| Place::Territory(territory.id)).collect()
    }

    fn varying_bytes(&self) -> usize {
        self.table().talk().bytes()
    }

    fn own_bytes(&self) -> usize {
        TALK_LINE * self.table().talk().len() + TERRITORY * self.territories().len() + 2 * THOUGHT_BYTES
    }
}
