//! The sample team: every unit acts for itself, goes straight to the next control point, and shoots at what is near.
//!
//! `server/bots/fortress/weak_team.py` is the same in Python.

use grandstand_rules::SplitMix64;
use grandstand_rules::fortress::{Action, ActionResult, Direction, Hand, Sighting, Square, Team, UnitClass};

use super::super::team::{Briefing, LastAction, Step, TeamBot};

/// Differences between teams of this kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Behaviour {
    /// Classes with which the units begin and come back.
    classes: [UnitClass; 5],
    /// Range of a unit's scans.
    sight: i64,
    /// Whether a unit shoots at the visible enemy with the least health, rather than at the nearest.
    finishes: bool,
}

impl Behaviour {
    /// Behaviour of the sample team.
    pub(super) const WEAK: Self = Self {
        classes: [
            UnitClass::Soldier,
            UnitClass::Pyro,
            UnitClass::Soldier,
            UnitClass::Medic,
            UnitClass::Soldier,
        ],
        sight: 5,
        finishes: false,
    };
    /// Behaviour of a team that looks as far as a rifle shoots.
    pub(super) const MARKSMEN: Self = Self { sight: 7, finishes: true, ..Self::WEAK };
}

/// Pause of a unit without anything to do, in milliseconds.
const REST: u64 = 200;

/// Phase of a unit's loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Asks for the unit's own state.
    Status,
    /// Asks for the control points.
    Points,
    /// Scans for units nearby.
    Look,
    /// Uses an ability.
    Fight,
    /// Moves towards the goal.
    Walk,
    /// Moves elsewhere after a failed move.
    Stray,
    /// Pauses, since a step takes longer than a decision.
    Rest,
}

#[derive(Debug, Clone)]
struct UnitMemory {
    phase: Phase,
    at: Option<(Square, Direction)>,
    goal: Option<Square>,
    near: Vec<Sighting>,
}

/// The sample team.
#[derive(Debug)]
pub(super) struct Weak {
    team: Team,
    behaviour: Behaviour,
    memories: Vec<UnitMemory>,
    random: SplitMix64,
}

impl Weak {
    pub(super) fn new(briefing: Briefing, behaviour: Behaviour) -> Self {
        let memory = UnitMemory { phase: Phase::Status, at: None, goal: None, near: Vec::new() };
        let memories = vec![memory; briefing.units];
        Self { team: briefing.team, behaviour, memories, random: SplitMix64::new(briefing.seed) }
    }

    /// Handles the answer to the last action; returns a respawn if the unit was destroyed.
    fn hear(&mut self, unit: usize, news: LastAction<'_>) -> Option<Action> {
        let (team, class, memory) = (self.team, self.class_of(unit), &mut self.memories[unit]);
        match news.result {
            ActionResult::MyData { health: 0, .. } => return Some(Action::Respawn(class)),
            ActionResult::MyData { at, facing, .. } => memory.at = Some((*at, *facing)),
            ActionResult::GameData { points, .. } => {
                let mut open = points.iter().filter(|point| point.ours != Some(true));
                // Red goes up the numbers, blue goes down.
                let next = if team == Team::Red { open.next() } else { open.next_back() };
                memory.goal = next.map(|point| point.at);
            }
            ActionResult::ScanData { units } => memory.near = units.clone(),
            // The way is blocked, or the last step is not over yet.
            ActionResult::Failed if *news.action == Action::Move(None) => memory.phase = Phase::Stray,
            ActionResult::Success | ActionResult::Failed | ActionResult::InspectData { .. } => {}
        }
        None
    }

    fn fight(&self, unit: usize) -> Option<Action> {
        let memory = &self.memories[unit];
        let (at, _) = memory.at?;
        if self.class_of(unit) == UnitClass::Medic {
            let friend =
                memory.near.iter().find(|other| other.ally && other.at != at && other.health < 1_000);
            if let Some(friend) = friend {
                return Some(Action::PrimaryAbility(friend.at.into()));
            }
            return Some(Action::SecondaryAbility(self.target(memory)?.into()));
        }
        Some(Action::PrimaryAbility(self.target(memory)?.into()))
    }

    /// Position at which the unit shoots.
    fn target(&self, memory: &UnitMemory) -> Option<Square> {
        let mut enemies = memory.near.iter().filter(|other| !other.ally);
        // The nearest units come first.
        let enemy =
            if self.behaviour.finishes { enemies.min_by_key(|enemy| enemy.health) } else { enemies.next() };
        enemy.map(|enemy| enemy.at)
    }

    fn class_of(&self, unit: usize) -> UnitClass {
        self.behaviour.classes[unit % self.behaviour.classes.len()]
    }

    fn walk(&mut self, unit: usize) -> Option<Action> {
        let memory = &self.memories[unit];
        let ((at, facing), goal) = (memory.at?, memory.goal?);
        let (dx, dy) = (goal.x() - at.x(), goal.y() - at.y());
        let way = match () {
            () if dx.abs() <= 1 && dy.abs() <= 1 => return None,
            () if dx.abs() >= dy.abs() => {
                if dx > 0 {
                    Direction::East
                } else {
                    Direction::West
                }
            }
            () if dy > 0 => Direction::North,
            () => Direction::South,
        };
        Some(go(facing, way))
    }
}

impl TeamBot for Weak {
    fn class(&mut self, unit: usize) -> UnitClass {
        self.class_of(unit)
    }

    fn step(&mut self, unit: usize, now: u64, news: Option<LastAction<'_>>) -> Step {
        if let Some(action) = news.and_then(|news| self.hear(unit, news)) {
            self.memories[unit].phase = Phase::Status;
            return Step::Act(action);
        }
        loop {
            let phase = self.memories[unit].phase;
            let (next, action) = match phase {
                Phase::Status => (Phase::Points, Some(Action::MyStatus)),
                Phase::Points => (Phase::Look, Some(Action::GameStatus)),
                Phase::Look => (Phase::Fight, Some(Action::Scan(self.behaviour.sight))),
                Phase::Fight => (Phase::Walk, self.fight(unit)),
                Phase::Walk => (Phase::Rest, self.walk(unit)),
                Phase::Stray => (Phase::Rest, Some(Action::Move(self.random.choose(&Hand::ALL)))),
                Phase::Rest => {
                    self.memories[unit].phase = Phase::Status;
                    return Step::Wait(now + REST);
                }
            };
            self.memories[unit].phase = next;
            if let Some(action) = action {
                return Step::Act(action);
            }
        }
    }
}

/// Action that brings a unit closer to moving in a direction: a move, or a turn towards it.
pub(super) fn go(facing: Direction, way: Direction) -> Action {
    match () {
        () if way == facing => Action::Move(None),
        () if way == facing.left() => Action::Turn(Hand::Left),
        () => Action::Turn(Hand::Right),
    }
}
