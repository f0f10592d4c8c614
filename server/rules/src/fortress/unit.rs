//! Units, by id and by square.

use grandstand_protocol::fortress::Team;
use grandstand_protocol::fortress::{Direction, Square, UnitClass};

use super::ability::Slot;
use super::action::UnitId;
use super::refusal::Failure;

/// A unit of a team. It is living while its health is above zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// The unit's number.
    pub id: UnitId,
    /// The unit's team.
    pub team: Team,
    /// The unit's class, also while it is destroyed.
    pub class: UnitClass,
    /// The unit's square; for a destroyed unit, the square where it fell.
    pub at: Square,
    /// The unit's direction.
    pub facing: Direction,
    /// The unit's health; 0 for a destroyed unit.
    pub health: i32,
    /// The millisecond from which the unit can move and turn again.
    pub moves_from: u64,
    /// The millisecond from which the unit can use abilities again.
    pub acts_from: u64,
    /// The milliseconds from which the primary and the secondary ability are no longer cooling down.
    pub cool_from: [u64; 2],
    /// The time of the destruction, and the class of a pending respawn request; `None` for a living unit.
    pub(super) fallen: Option<Fallen>,
    /// The second of the match in which the unit talked last, and its number of messages in that second.
    pub(super) talks: (u64, u32),
}

/// The state of a destroyed unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fallen {
    pub(super) millis: u64,
    pub(super) wish: Option<UnitClass>,
}

impl Unit {
    /// A new unit, without any delays.
    pub fn new(id: UnitId, team: Team, class: UnitClass, at: Square, facing: Direction, health: i32) -> Self {
        Self {
            id,
            team,
            class,
            at,
            facing,
            health,
            moves_from: 0,
            acts_from: 0,
            cool_from: [0; 2],
            fallen: None,
            talks: (0, 0),
        }
    }

    /// Whether the unit is on the board.
    pub fn is_living(&self) -> bool {
        self.fallen.is_none()
    }

    /// The time of the unit's destruction, in milliseconds; `None` for a unit on the board.
    pub fn fell_at(&self) -> Option<u64> {
        self.fallen.map(|fallen| fallen.millis)
    }

    /// Checks that the unit can move and turn.
    pub(super) fn can_move(&self, now: u64) -> Result<(), Failure> {
        self.lives()?;
        if now < self.moves_from { Err(Failure::Moving(self.moves_from)) } else { Ok(()) }
    }

    /// Checks that the unit can use the ability.
    pub(super) fn can_use(&self, slot: Slot, now: u64) -> Result<(), Failure> {
        self.lives()?;
        let cool_from = self.cool_from[slot as usize];
        if now < self.acts_from {
            Err(Failure::Acting(self.acts_from))
        } else if now < cool_from {
            Err(Failure::Cooling(cool_from))
        } else {
            Ok(())
        }
    }

    /// Checks that the unit is on the board.
    pub(super) fn lives(&self) -> Result<(), Failure> {
        if self.is_living() { Ok(()) } else { Err(Failure::Destroyed) }
    }
}

/// The direction of a team's units when they appear: towards the other team's side.
pub fn forward(team: Team) -> Direction {
    match team {
        Team::Red => Direction::East,
        Team::Blue => Direction::West,
    }
}

/// The units by id and by square: at most one living unit on each square.
#[derive(Debug, Clone)]
pub(super) struct Units {
    /// The units by ascending id.
    units: Vec<Unit>,
    /// For each [`Square::index`], the index in `units` of the living unit on the square.
    squares: Vec<Option<u8>>,
}

impl Units {
    /// The units, at most 255. The error is two units with the same id or on the same square.
    pub(super) fn new(mut units: Vec<Unit>) -> Result<Self, (UnitId, UnitId)> {
        units.sort_by_key(|unit| unit.id);
        if let Some(pair) = units.windows(2).find(|pair| pair[0].id == pair[1].id) {
            return Err((pair[0].id, pair[1].id));
        }
        let mut squares: Vec<Option<u8>> = vec![None; Square::COUNT];
        for (index, unit) in (0..).zip(&units) {
            if let Some(other) = squares[unit.at.index()].replace(index) {
                return Err((units[usize::from(other)].id, unit.id));
            }
        }
        Ok(Self { units, squares })
    }

    /// Every unit, by ascending id.
    pub(super) fn all(&self) -> &[Unit] {
        &self.units
    }

    /// The living units, by ascending id.
    pub(super) fn living(&self) -> impl Iterator<Item = &Unit> {
        self.units.iter().filter(|unit| unit.is_living())
    }

    /// The index of the unit in [`Units::all`].
    pub(super) fn find(&self, id: UnitId) -> Option<usize> {
        self.units.binary_search_by_key(&id, |unit| unit.id).ok()
    }

    /// The living unit on the square.
    pub(super) fn at(&self, place: Square) -> Option<&Unit> {
        self.squares[place.index()].map(|index| &self.units[usize::from(index)])
    }

    pub(super) fn get(&self, index: usize) -> &Unit {
        &self.units[index]
    }

    /// Gives access to all fields of a unit. Its square and its life must be changed by the methods below.
    pub(super) fn get_mut(&mut self, index: usize) -> &mut Unit {
        &mut self.units[index]
    }

    /// Moves a living unit to a free square.
    pub(super) fn shift(&mut self, index: usize, to: Square) {
        debug_assert!(self.at(to).is_none(), "{to} is taken");
        let unit = &mut self.units[index];
        self.squares[to.index()] = self.squares[unit.at.index()].take();
        unit.at = to;
    }

    /// Destroys a living unit.
    pub(super) fn fell(&mut self, index: usize, millis: u64) {
        let unit = &mut self.units[index];
        self.squares[unit.at.index()] = None;
        unit.health = 0;
        unit.fallen = Some(Fallen { millis, wish: None });
    }

    /// Puts a destroyed unit, in its initial state, on a free square.
    pub(super) fn rise(&mut self, index: usize, class: UnitClass, at: Square, health: i32) {
        debug_assert!(self.at(at).is_none(), "{at} is taken");
        let unit = &mut self.units[index];
        let talks = unit.talks;
        *unit = Unit::new(unit.id, unit.team, class, at, forward(unit.team), health);
        unit.talks = talks;
        self.squares[at.index()] = u8::try_from(index).ok();
    }
}
