//! Places on the boards of all games, and which of them a command touches.

use std::fmt;

use crate::command::Command;
use crate::extension::Mark;
use crate::game::Game;
use crate::scene::Scene;
use crate::{abalone, fortress, grid, riskless, shark, stones};

/// A place on some board of a game. Written, it is the name by which overlays call it: `B-2`, `3,4`, `h8`, `17`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// A hex of Abalone.
    Hex(abalone::Hex),
    /// A tile of λ-Shark.
    Tile(shark::Place),
    /// A square of Steam Fortress.
    Square(fortress::Place),
    /// A point of a board with stones.
    Point(stones::Point),
    /// The number of a territory of Riskless.
    Territory(u8),
    /// A cell of a grid.
    Cell(grid::Place),
}

impl Place {
    /// The place of that name, in the game's notation; `None` when the game has none of that name on any board.
    #[must_use]
    pub fn parse(game: Game, name: &str) -> Option<Place> {
        match game {
            Game::Abalone => name.parse().ok().map(Place::Hex),
            Game::Shark => name.parse().ok().map(Place::Tile),
            Game::Fortress => name.parse().ok().map(Place::Square),
            Game::Gomoku | Game::Pente => name.parse().ok().map(Place::Point),
            Game::Riskless => {
                let digits = name.bytes().all(|byte| byte.is_ascii_digit());
                name.parse().ok().filter(|_| digits).map(Place::Territory)
            }
            Game::Grid => name.parse().ok().map(Place::Cell),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Hex(hex) => f.pad(hex.name()),
            Place::Tile(place) => place.fmt(f),
            Place::Square(place) => place.fmt(f),
            Place::Point(point) => point.fmt(f),
            Place::Territory(number) => number.fmt(f),
            Place::Cell(place) => place.fmt(f),
        }
    }
}

impl Command {
    /// The places that the command names, in their order: what it draws on, what it points at, what a thought expects,
    /// where an overlay's marks are. A command of another game names none of this one's. What it says of a unit or of a
    /// control point by its number is in [`Scene::places`].
    pub fn places(&self, game: Game) -> impl Iterator<Item = Place> + '_ {
        let mut few = [None; 2];
        let (mut points, mut steps, mut marks): (&[stones::Point], &[riskless::Step], &[Mark]) =
            (&[], &[], &[]);
        match self {
            Command::Abalone(abalone::Command::Set { hex, .. }) => few[0] = Some(Place::Hex(*hex)),
            Command::Shark(command) => match command {
                shark::Command::Draw(shark::Draw { at, .. }) | shark::Command::Erase(at) => {
                    few[0] = Some(Place::Tile(*at));
                }
                shark::Command::Shot(shot) => few = [shot.from(), shot.to()].map(|at| Some(Place::Tile(at))),
                _ => {}
            },
            Command::Fortress(command) => match command {
                fortress::Command::Elevation { at, .. }
                | fortress::Command::Spawn { at, .. }
                | fortress::Command::Update { at, .. }
                | fortress::Command::Point { at, .. } => few[0] = Some(Place::Square(*at)),
                fortress::Command::Shot { stop, target, .. } => {
                    few = [Some(*stop), Some(*target).filter(|target| target != stop)]
                        .map(|at| at.map(Place::Square));
                }
                _ => {}
            },
            Command::Stones(command) => match command {
                stones::Command::Set { point, .. } | stones::Command::Move { point, .. } => {
                    few[0] = Some(Place::Point(*point));
                }
                stones::Command::Five { from, to } => few = [*from, *to].map(|at| Some(Place::Point(at))),
                stones::Command::Forbid { points: forbidden } => points = forbidden,
                stones::Command::Thought(thought) => points = &thought.line,
                _ => {}
            },
            Command::Riskless(command) => match command {
                riskless::Command::Territory(territory) => few[0] = Some(Place::Territory(territory.id)),
                riskless::Command::Set(set) => few[0] = Some(Place::Territory(set.territory)),
                riskless::Command::Battle(battle) => few[0] = Some(Place::Territory(battle.territory)),
                riskless::Command::Road(road) => few = [road.a, road.b].map(|n| Some(Place::Territory(n))),
                riskless::Command::Move(march) => {
                    few = [march.from, march.to].map(|n| Some(Place::Territory(n)));
                }
                riskless::Command::Thought(thought) => steps = &thought.line,
                _ => {}
            },
            Command::Grid(grid::Command::Cell { at, .. }) => few[0] = Some(Place::Cell(*at)),
            Command::Overlay(overlay) => marks = overlay.marks(),
            Command::Abalone(_) | Command::Grid(_) | Command::Marker(_) | Command::Unknown(_) => {}
        }
        let points = points.iter().map(|point| Place::Point(*point));
        let steps = steps.iter().flat_map(|step| [step.from, step.to]).map(Place::Territory);
        let marks = marks.iter().flat_map(Mark::places).filter_map(move |name| Place::parse(game, name));
        few.into_iter().flatten().chain(points).chain(steps).chain(marks)
    }

    /// Whether it draws the whole board anew, every place of it, without naming any.
    #[must_use]
    pub fn is_of_whole_board(&self) -> bool {
        match self {
            Command::Shark(command) => matches!(command, shark::Command::Map { .. }),
            Command::Fortress(command) => matches!(command, fortress::Command::Init),
            Command::Stones(command) => matches!(command, stones::Command::Board { .. }),
            Command::Riskless(command) => matches!(command, riskless::Command::Map(_)),
            Command::Grid(command) => {
                matches!(command, grid::Command::Size { .. } | grid::Command::Clear)
            }
            Command::Abalone(_) | Command::Marker(_) | Command::Overlay(_) | Command::Unknown(_) => false,
        }
    }
}

impl Scene {
    /// The places that the command touches when it comes next: those that it [names](Command::places), and in Steam
    /// Fortress those of the units and control points whose numbers it says, among them where a unit comes from.
    pub fn places<'a>(&'a self, command: &'a Command) -> impl Iterator<Item = Place> + 'a {
        let numbered = match (self, command) {
            (Scene::Fortress(scene), Command::Fortress(command)) => scene.numbered(command),
            _ => [None; 2],
        };
        let numbered = numbered.into_iter().flatten().map(Place::Square);
        numbered.chain(command.places(self.game()))
    }

    /// From where to where the command leads when it comes next: a shot, a march, a unit's step, the ends of a row.
    #[must_use]
    pub fn way(&self, command: &Command) -> Option<[Place; 2]> {
        match command {
            Command::Shark(shark::Command::Shot(shot)) => Some([shot.from(), shot.to()].map(Place::Tile)),
            Command::Fortress(
                fortress::Command::Shot { id, stop: at, .. } | fortress::Command::Update { id, at, .. },
            ) => match self {
                Scene::Fortress(scene) => {
                    let from = scene.unit(*id).map(|unit| unit.at).filter(|from| from != at)?;
                    Some([from, *at].map(Place::Square))
                }
                _ => None,
            },
            Command::Stones(stones::Command::Five { from, to }) => Some([*from, *to].map(Place::Point)),
            Command::Riskless(riskless::Command::Move(march)) => {
                Some([march.from, march.to].map(Place::Territory))
            }
            _ => None,
        }
    }
}

impl fortress::Scene {
    /// Where the units and the control point stand whose numbers the command says.
    fn numbered(&self, command: &fortress::Command) -> [Option<fortress::Place>; 2] {
        use fortress::Command;
        let unit = |id: u32| self.unit(id).map(|unit| unit.at);
        let control = |point: u8| {
            let mut points = self.points().iter();
            points.find(|held| held.point == point).map(|held| held.at)
        };
        match command {
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
        }
    }
}
