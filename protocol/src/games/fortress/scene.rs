//! Scene of Steam Fortress.

use std::collections::VecDeque;

use serde::{Deserialize, Deserializer, Serialize};

use super::{Command, Direction, POINTS, Square, Team, Terrain, UnitClass, Weapon, square};
use crate::overlay::Overlays;
use crate::talk::{Talk, TalkLine};
use crate::team::Outcome;
use crate::time::Micros;

/// The most units that a scene keeps, those on the board and the fallen ones each; further ones are not shown.
pub const UNITS_MAX: usize = 64;

/// The most shots, cones and axes that a scene keeps; a further one replaces the oldest.
pub const EFFECTS_MAX: usize = 16;

/// The most hits that an effect keeps; further ones are not shown.
pub const HITS_MAX: usize = 16;

/// The board, the units, the control points, the time and the talk. A new scene is empty low ground.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scene {
    elevation: Terrain,
    #[serde(deserialize_with = "units")]
    units: Vec<Unit>,
    #[serde(deserialize_with = "fallen")]
    fallen: Vec<Fallen>,
    #[serde(deserialize_with = "points")]
    points: Vec<ControlPoint>,
    /// The remaining milliseconds.
    #[serde(deserialize_with = "Option::deserialize")]
    time: Option<u32>,
    #[serde(deserialize_with = "Option::deserialize")]
    winner: Option<Outcome<Team>>,
    #[serde(deserialize_with = "effects")]
    effects: VecDeque<Effect>,
    talk: Talk<Team>,
    #[serde(default, skip_serializing_if = "Overlays::is_empty")]
    pub(crate) overlays: Overlays,
}

/// A unit on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// The unit's number.
    pub id: u32,
    /// The unit's team.
    pub team: Team,
    /// The unit's square.
    #[serde(flatten)]
    pub at: Square,
    /// The unit's direction.
    pub facing: Direction,
    /// The unit's health.
    pub health: i32,
    /// The unit's health when it appeared.
    pub max: i32,
    /// The unit's class.
    pub class: UnitClass,
}

/// A unit that was destroyed and has not returned yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fallen {
    /// The unit's number.
    pub id: u32,
    /// The unit's team.
    pub team: Team,
    /// The unit's class.
    pub class: UnitClass,
    /// The time of the destruction.
    pub t: Micros,
}

/// A control point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ControlPoint {
    /// The control point's number, below [`POINTS`].
    pub point: u8,
    /// The control point's square.
    #[serde(flatten)]
    pub at: Square,
    /// The team that controls the point.
    #[serde(deserialize_with = "Option::deserialize")]
    pub owner: Option<Team>,
    /// The capture in progress.
    #[serde(deserialize_with = "Option::deserialize")]
    pub capture: Option<Capture>,
}

/// A capture in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capture {
    /// The capturing team.
    pub team: Team,
    /// Milliseconds until the point's state changes.
    pub millis: u32,
    /// The milliseconds at the beginning of the capture.
    pub of: u32,
}

/// An action of a unit, with its hits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effect {
    /// The sequence number of the effect's command.
    pub seq: u64,
    /// The time of the action.
    pub t: Micros,
    /// The number of the unit that acted.
    pub id: u32,
    /// The acting unit's team.
    pub team: Team,
    /// The acting unit's square.
    #[serde(with = "square::pair")]
    pub from: Square,
    /// The kind of action.
    #[serde(flatten)]
    pub kind: EffectKind,
    /// The units that were hit, at most [`HITS_MAX`].
    pub hits: Vec<Hit>,
}

/// The kind of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "effect", rename_all = "lowercase")]
pub enum EffectKind {
    /// A shot.
    Shot {
        /// The weapon.
        weapon: Weapon,
        /// The square where the shot stopped.
        #[serde(with = "square::pair")]
        stop: Square,
        /// The square that was aimed at.
        #[serde(with = "square::pair")]
        target: Square,
    },
    /// The filling of the cone in front of the unit.
    Cone {
        /// The direction of the cone.
        facing: Direction,
    },
    /// A stroke with the axe.
    Axe {
        /// The direction of the stroke.
        facing: Direction,
    },
}

/// A unit that an effect hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hit {
    /// The unit's number.
    pub on: u32,
    /// The unit's square.
    #[serde(with = "square::pair")]
    pub at: Square,
    /// The lost health; negative for a gain.
    pub amount: i32,
}

impl Scene {
    /// The elevation of every square.
    pub fn elevation(&self) -> &Terrain {
        &self.elevation
    }

    /// The units on the board, in order of their numbers.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// The unit with this number, if it is on the board.
    pub fn unit(&self, id: u32) -> Option<&Unit> {
        self.units.binary_search_by_key(&id, |unit| unit.id).ok().map(|index| &self.units[index])
    }

    /// The destroyed units that have not returned yet, in order of their numbers.
    pub fn fallen(&self) -> &[Fallen] {
        &self.fallen
    }

    /// The control points, in order of their numbers.
    pub fn points(&self) -> &[ControlPoint] {
        &self.points
    }

    /// The number of control points that the team controls.
    pub fn held(&self, team: Team) -> usize {
        self.points.iter().filter(|point| point.owner == Some(team)).count()
    }

    /// The remaining milliseconds; `None` before the first `time` command.
    pub fn time(&self) -> Option<u32> {
        self.time
    }

    /// The outcome of the match; `None` while it goes on.
    pub fn winner(&self) -> Option<Outcome<Team>> {
        self.winner
    }

    /// The most recent actions of units, oldest first; at most [`EFFECTS_MAX`].
    pub fn effects(&self) -> impl DoubleEndedIterator<Item = &Effect> + ExactSizeIterator {
        self.effects.iter()
    }

    /// The most recent lines of talk.
    pub fn talk(&self) -> &Talk<Team> {
        &self.talk
    }

    /// Applies a command, which is number `seq` of the match, at time `t` after its start. A command about a unit or a
    /// control point that does not exist changes nothing.
    pub fn apply(&mut self, seq: u64, t: Micros, command: &Command) {
        match command {
            Command::Init => {
                let (talk, overlays) = (std::mem::take(&mut self.talk), std::mem::take(&mut self.overlays));
                *self = Scene { talk, overlays, ..Scene::default() };
            }
            Command::Say { team, text } => {
                self.talk.push(TalkLine { seq, t, team: *team, text: text.clone() });
            }
            Command::Elevation { at, elevation } => self.elevation.set(*at, *elevation),
            Command::Spawn { id, team, at, facing, health, class } => {
                let (id, team, at, facing, class) = (*id, *team, *at, *facing, *class);
                self.fallen.retain(|fallen| fallen.id != id);
                let unit = Unit { id, team, at, facing, health: *health, max: *health, class };
                put(&mut self.units, UNITS_MAX, |unit| unit.id, unit);
            }
            Command::Update { id, at, facing, health } => {
                if let Ok(index) = self.units.binary_search_by_key(id, |unit| unit.id) {
                    let unit = &mut self.units[index];
                    (unit.at, unit.facing, unit.health) = (*at, *facing, *health);
                }
            }
            Command::Remove { id } => {
                if let Ok(index) = self.units.binary_search_by_key(id, |unit| unit.id) {
                    let Unit { id, team, class, .. } = self.units.remove(index);
                    put(&mut self.fallen, UNITS_MAX, |fallen| fallen.id, Fallen { id, team, class, t });
                }
            }
            Command::Point { point, at, owner } => {
                let point = ControlPoint { point: *point, at: *at, owner: *owner, capture: None };
                put(&mut self.points, POINTS.into(), |point| point.point, point);
            }
            Command::Control { point, owner } => {
                if let Some(point) = self.point_mut(*point) {
                    point.owner = *owner;
                }
            }
            Command::Capture { point, team, millis } => {
                let millis = *millis;
                if let Some(point) = self.point_mut(*point) {
                    let before = point.capture;
                    point.capture = team.map(|team| {
                        let before = before.filter(|before| before.team == team);
                        Capture { team, millis, of: before.map_or(millis, |before| before.of.max(millis)) }
                    });
                }
            }
            Command::Over { winner } => self.winner = Some(*winner),
            Command::Shot { id, weapon, stop, target } => {
                let kind = EffectKind::Shot { weapon: *weapon, stop: *stop, target: *target };
                self.show(seq, t, *id, kind);
            }
            Command::Cone { id, facing } => self.show(seq, t, *id, EffectKind::Cone { facing: *facing }),
            Command::Axe { id, facing } => self.show(seq, t, *id, EffectKind::Axe { facing: *facing }),
            Command::Hit { by, on, amount } => {
                let Some(at) = self.unit(*on).map(|unit| unit.at) else { return };
                let effect = self.effects.iter_mut().rev().find(|effect| effect.id == *by);
                if let Some(effect) = effect.filter(|effect| effect.hits.len() < HITS_MAX) {
                    effect.hits.push(Hit { on: *on, at, amount: *amount });
                }
            }
            Command::Time { millis } => self.time = Some(*millis),
        }
    }

    fn point_mut(&mut self, number: u8) -> Option<&mut ControlPoint> {
        self.points.iter_mut().find(|point| point.point == number)
    }

    /// Adds the effect of a unit's action; ignored for a unit that is not on the board.
    fn show(&mut self, seq: u64, t: Micros, id: u32, kind: EffectKind) {
        if let Some(&Unit { team, at: from, .. }) = self.unit(id) {
            if self.effects.len() >= EFFECTS_MAX {
                self.effects.pop_front();
            }
            self.effects.push_back(Effect { seq, t, id, team, from, kind, hits: Vec::new() });
        }
    }
}

/// Replaces the item with the same key, or inserts a new one in order while there are fewer than `most`.
fn put<T, K: Ord>(items: &mut Vec<T>, most: usize, key: impl Fn(&T) -> K, item: T) {
    match items.binary_search_by_key(&key(&item), &key) {
        Ok(index) => items[index] = item,
        Err(index) if items.len() < most => items.insert(index, item),
        Err(_) => {}
    }
}

fn units<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Unit>, D::Error> {
    let mut units = Vec::new();
    for unit in Vec::deserialize(deserializer)? {
        put(&mut units, UNITS_MAX, |unit: &Unit| unit.id, unit);
    }
    Ok(units)
}

fn fallen<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Fallen>, D::Error> {
    let mut fallen = Vec::new();
    for unit in Vec::deserialize(deserializer)? {
        put(&mut fallen, UNITS_MAX, |unit: &Fallen| unit.id, unit);
    }
    Ok(fallen)
}

fn points<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ControlPoint>, D::Error> {
    let mut points = Vec::new();
    for point in Vec::<ControlPoint>::deserialize(deserializer)? {
        if point.point >= POINTS {
            return Err(super::not_a_point(point.point));
        }
        put(&mut points, POINTS.into(), |point| point.point, point);
    }
    Ok(points)
}

fn effects<'de, D: Deserializer<'de>>(deserializer: D) -> Result<VecDeque<Effect>, D::Error> {
    let mut effects = VecDeque::<Effect>::deserialize(deserializer)?;
    effects.truncate(EFFECTS_MAX);
    effects.iter_mut().for_each(|effect| effect.hits.truncate(HITS_MAX));
    Ok(effects)
}
