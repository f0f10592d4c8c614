//! Scene of Steam Fortress.

use std::collections::VecDeque;

use serde::{Deserialize, Deserializer, Serialize};

use super::{Command, Direction, POINTS, Square, Team, Terrain, UnitClass, Weapon, square};
use crate::overlay::Overlays;
use crate::talk::{Talk, TalkLine};
use crate::team::Outcome;
use crate::time::Micros;

/// How many units a scene keeps, those on the board and those that have fallen alike; further ones are not shown.
pub const UNITS_MAX: usize = 64;

/// How many shots, cones and axes a scene keeps; when one more comes, the oldest goes.
pub const EFFECTS_MAX: usize = 16;

/// How many hits an effect keeps; further ones are not shown.
pub const HITS_MAX: usize = 16;

/// The board, the units, the control points, the time and the talk. A new one is low ground all over and nothing on it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scene {
    elevation: Terrain,
    #[serde(deserialize_with = "units")]
    units: Vec<Unit>,
    #[serde(deserialize_with = "fallen")]
    fallen: Vec<Fallen>,
    #[serde(deserialize_with = "points")]
    points: Vec<ControlPoint>,
    /// Milliseconds.
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
    /// Its number.
    pub id: u32,
    /// Whose it is.
    pub team: Team,
    /// Where it stands.
    #[serde(flatten)]
    pub at: Square,
    /// Where it looks.
    pub facing: Direction,
    /// Its health.
    pub health: i32,
    /// Its health when it appeared.
    pub max: i32,
    /// What it is.
    pub class: UnitClass,
}

/// A unit that was destroyed and is not yet back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fallen {
    /// Its number.
    pub id: u32,
    /// Whose it was.
    pub team: Team,
    /// What it was.
    pub class: UnitClass,
    /// When it was destroyed.
    pub t: Micros,
}

/// A control point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ControlPoint {
    /// Its number, below [`POINTS`].
    pub point: u8,
    /// Where it is.
    #[serde(flatten)]
    pub at: Square,
    /// Who controls it.
    #[serde(deserialize_with = "Option::deserialize")]
    pub owner: Option<Team>,
    /// Who is about to change that.
    #[serde(deserialize_with = "Option::deserialize")]
    pub capture: Option<Capture>,
}

/// A capture that goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capture {
    /// Who captures.
    pub team: Team,
    /// Milliseconds until the point's state changes.
    pub millis: u32,
    /// How many there were when the capture began.
    pub of: u32,
}

/// Something that a unit did, with what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effect {
    /// The number of its command.
    pub seq: u64,
    /// When it happened.
    pub t: Micros,
    /// The unit that did it.
    pub id: u32,
    /// That unit's team.
    pub team: Team,
    /// Where that unit stood.
    #[serde(with = "square::pair")]
    pub from: Square,
    /// What it did.
    #[serde(flatten)]
    pub kind: EffectKind,
    /// Whom it hit, at most [`HITS_MAX`].
    pub hits: Vec<Hit>,
}

/// What a unit did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "effect", rename_all = "lowercase")]
pub enum EffectKind {
    /// Something flew from it.
    Shot {
        /// With what.
        weapon: Weapon,
        /// Where it stopped.
        #[serde(with = "square::pair")]
        stop: Square,
        /// What was aimed at.
        #[serde(with = "square::pair")]
        target: Square,
    },
    /// It filled the cone before it.
    Cone {
        /// Where the cone points.
        facing: Direction,
    },
    /// It struck with its axe.
    Axe {
        /// Where it struck.
        facing: Direction,
    },
}

/// A unit that an effect hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hit {
    /// The unit.
    pub on: u32,
    /// Where it stood.
    #[serde(with = "square::pair")]
    pub at: Square,
    /// How much health it lost; negative when it gained.
    pub amount: i32,
}

impl Scene {
    /// How high the squares lie.
    #[must_use]
    pub fn elevation(&self) -> &Terrain {
        &self.elevation
    }

    /// The units on the board, by number.
    #[must_use]
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// The unit with this number, when it is on the board.
    #[must_use]
    pub fn unit(&self, id: u32) -> Option<&Unit> {
        self.units.binary_search_by_key(&id, |unit| unit.id).ok().map(|index| &self.units[index])
    }

    /// The units that are destroyed and not yet back, by number.
    #[must_use]
    pub fn fallen(&self) -> &[Fallen] {
        &self.fallen
    }

    /// The control points, by number.
    #[must_use]
    pub fn points(&self) -> &[ControlPoint] {
        &self.points
    }

    /// How many control points the team controls.
    #[must_use]
    pub fn held(&self, team: Team) -> usize {
        self.points.iter().filter(|point| point.owner == Some(team)).count()
    }

    /// Milliseconds that remain, once they have been said.
    #[must_use]
    pub fn time(&self) -> Option<u32> {
        self.time
    }

    /// How the match came out, once it is over.
    #[must_use]
    pub fn winner(&self) -> Option<Outcome<Team>> {
        self.winner
    }

    /// What units did last, oldest first; at most [`EFFECTS_MAX`].
    pub fn effects(&self) -> impl DoubleEndedIterator<Item = &Effect> + ExactSizeIterator {
        self.effects.iter()
    }

    /// What was said last.
    #[must_use]
    pub fn talk(&self) -> &Talk<Team> {
        &self.talk
    }

    /// Draws a command: number `seq` of the match, `t` after its start. What concerns a unit or a control point that is
    /// not there changes nothing.
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

    /// A unit that is on the board did something.
    fn show(&mut self, seq: u64, t: Micros, id: u32, kind: EffectKind) {
        if let Some(&Unit { team, at: from, .. }) = self.unit(id) {
            if self.effects.len() >= EFFECTS_MAX {
                self.effects.pop_front();
            }
            self.effects.push_back(Effect { seq, t, id, team, from, kind, hits: Vec::new() });
        }
    }
}

/// The item takes the place of the one with its key, or its place among the others while there are fewer than `most`.
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
