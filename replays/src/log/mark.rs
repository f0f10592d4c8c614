//! Which commands of a log are more than drawing.

use grandstand_protocol::team::RedBlue;
use grandstand_protocol::{Command, Micros, Scene, abalone, fortress, grid, riskless, shark, stones};

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

/// A command that is more than drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// The command's number.
    pub seq: u64,
    /// Its time.
    pub t: Micros,
    /// What it is.
    pub kind: MarkKind,
}

/// What the command is besides drawing, when it comes after `scene`.
pub(super) fn kind_of(scene: &Scene, command: &Command) -> Option<MarkKind> {
    let score = |before: i32, after: i32| if after > before { MarkKind::ScoreRise } else { MarkKind::Score };
    let turn = |before: u32, after: u32| (before != after).then_some(MarkKind::Turn);
    match (scene, command) {
        (Scene::Abalone(scene), Command::Abalone(command)) => match command {
            abalone::Command::Score { team, value } => Some(score(scene.score(*team), *value)),
            abalone::Command::Turns { value } => turn(scene.turns(), *value),
            abalone::Command::Say { .. } => Some(MarkKind::Talk),
            abalone::Command::Set { .. } => None,
        },
        (Scene::Shark(scene), Command::Shark(command)) => match command {
            shark::Command::Score(value) => {
                let rises = |&team: &RedBlue| value[team] > scene.score(team);
                Some(if RedBlue::ALL.iter().any(rises) { MarkKind::ScoreRise } else { MarkKind::Score })
            }
            shark::Command::Time { text } => (text.text() != scene.time()).then_some(MarkKind::Turn),
            shark::Command::Say { .. } => Some(MarkKind::Talk),
            shark::Command::Map { .. }
            | shark::Command::Draw(_)
            | shark::Command::Erase(_)
            | shark::Command::Shot(_)
            | shark::Command::Spawn(_)
            | shark::Command::Names(_)
            | shark::Command::Win { .. }
            | shark::Command::Stand { .. } => None,
        },
        (Scene::Fortress(scene), Command::Fortress(command)) => match command {
            fortress::Command::Control { point, owner } => {
                let before = scene.points().iter().find(|held| held.point == *point).map(|held| held.owner);
                let rises = owner.is_some() && before.is_some_and(|before| before != *owner);
                Some(if rises { MarkKind::ScoreRise } else { MarkKind::Score })
            }
            fortress::Command::Time { millis } => (scene.time() != Some(*millis)).then_some(MarkKind::Turn),
            fortress::Command::Say { .. } => Some(MarkKind::Talk),
            fortress::Command::Init => scene.time().is_some().then_some(MarkKind::Turn),
            fortress::Command::Elevation { .. }
            | fortress::Command::Spawn { .. }
            | fortress::Command::Update { .. }
            | fortress::Command::Remove { .. }
            | fortress::Command::Point { .. }
            | fortress::Command::Over { .. }
            | fortress::Command::Shot { .. }
            | fortress::Command::Cone { .. }
            | fortress::Command::Axe { .. }
            | fortress::Command::Hit { .. }
            | fortress::Command::Capture { .. } => None,
        },
        (Scene::Stones(scene), Command::Stones(command)) => match command {
            stones::Command::Move { point, .. } => scene.size().has(*point).then_some(MarkKind::Turn),
            stones::Command::Board { .. } => turn(scene.ply(), 0),
            stones::Command::Captures { team, pairs } => {
                let rises = *pairs > scene.captures(*team);
                Some(if rises { MarkKind::ScoreRise } else { MarkKind::Score })
            }
            stones::Command::Say { .. } => Some(MarkKind::Talk),
            stones::Command::Set { .. }
            | stones::Command::Five { .. }
            | stones::Command::Forbid { .. }
            | stones::Command::Turn { .. }
            | stones::Command::Clock(_)
            | stones::Command::Thought(_)
            | stones::Command::Names(_)
            | stones::Command::Win { .. } => None,
        },
        (Scene::Riskless(scene), Command::Riskless(command)) => match command {
            riskless::Command::Move(march) => {
                let is_there = |territory| scene.territory(territory).is_some();
                (is_there(march.from) && is_there(march.to)).then_some(MarkKind::Turn)
            }
            riskless::Command::Map(_) => turn(scene.ply(), 0),
            riskless::Command::Say { .. } => Some(MarkKind::Talk),
            riskless::Command::Territory(_)
            | riskless::Command::Road(_)
            | riskless::Command::Set(_)
            | riskless::Command::Battle(_)
            | riskless::Command::Turn { .. }
            | riskless::Command::Clock(_)
            | riskless::Command::Thought(_)
            | riskless::Command::Names(_)
            | riskless::Command::Win { .. } => None,
        },
        (Scene::Grid(scene), Command::Grid(command)) => match command {
            grid::Command::Score { team, value } => {
                let before = scene.scores().find(|(name, _)| *name == team).map_or(0, |(_, score)| score);
                Some(score(before, *value))
            }
            grid::Command::Step { value } => turn(scene.step(), *value),
            grid::Command::Say { .. } => Some(MarkKind::Talk),
            grid::Command::Size { .. } | grid::Command::Cell { .. } | grid::Command::Clear => None,
        },
        (_, Command::Marker(_)) => Some(MarkKind::Marker),
        (_, Command::Unknown(_)) => Some(MarkKind::Unknown),
        _ => None,
    }
}

/// About how many bytes of memory a stored scene holds that it does not share with the one stored before it, when
/// everything in it has changed.
pub(super) fn weight(scene: &Scene) -> usize {
    const FIXED: usize = 512;
    const TALK_LINE: usize = 48;
    const CELL: usize = 24;
    const UNIT: usize = 32;
    const EFFECT: usize = 128;
    const THOUGHT: usize = 320;
    const TERRITORY: usize = 16;
    FIXED
        + match scene {
            Scene::Abalone(scene) => TALK_LINE * scene.talk().len(),
            Scene::Shark(scene) => {
                TALK_LINE * scene.talk().len() + CELL * (scene.sprites().len() + scene.shots().len())
            }
            Scene::Fortress(scene) => {
                let units = scene.units().len() + scene.fallen().len() + scene.points().len();
                TALK_LINE * scene.talk().len() + UNIT * units + EFFECT * scene.effects().len()
            }
            Scene::Stones(scene) => {
                TALK_LINE * scene.table().talk().len() + CELL * scene.stones().len() + 2 * THOUGHT
            }
            Scene::Riskless(scene) => {
                let held = TERRITORY * scene.territories().len();
                TALK_LINE * scene.table().talk().len() + held + 2 * THOUGHT
            }
            Scene::Grid(scene) => TALK_LINE * scene.talk().len() + CELL * scene.cells().count(),
        }
}
