//! The units, and who stands where.

use grandstand_protocol::fortress::Team;
use grandstand_protocol::fortress::{Direction, Square, UnitClass};

use super::ability::Slot;
use super::action::UnitId;
use super::refusal::Failure;

/// A unit of a team. It is living while its health is above zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Its number.
    pub id: UnitId,
    /// Its team.
    pub team: Team,
    /// What it is, or was.
    pub class: UnitClass,
    /// Where it stands; where it fell when it is destroyed.
    pub at: Square,
    /// Where it looks.
    pub facing: Direction,
    /// Its health; 0 when it is destroyed.
    pub health: i32,
    /// From which millisecond on it can move and turn again.
    pub moves_from: u64,
    /// From which millisecond on it can use abilities again.
    pub acts_from: u64,
    /// From which millisecond on the primary and the secondary ability are no longer cooling down.
    pub cool_from: [u64; 2],
    /// When it was destroyed, and what it has asked to come back as since.
    pub(super) fallen: Option<Fallen>,
    /// The second of the match in which it talked last, and how often.
    pub(super) talks: (u64, u32),
}

/// A unit that is destroyed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fallen {
    pub(super) millis: u64,
    pub(super) wish: Option<UnitClass>,
}

impl Unit {
    /// A new unit, free to do everything.
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

    /// Whether it is on the board.
    pub fn is_living(&self) -> bool {
        self.fallen.is_none()
    }

    /// When it was destroyed; `None` when it is on the board.
    pub fn fell_at(&self) -> Option<u64> {
        self.fallen.map(|fallen| fallen.millis)
    }

    /// Checks that it can move and turn.
    pub(super) fn can_move(&self, now: u64) -> Result<(), Failure> {
        self.lives()?;
        if now < self.moves_from { Err(Failure::Moving(self.moves_from)) } else { Ok(()) }
    }

    /// Checks that it can use the ability.
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

    /// Checks that it is on the board.
    pub(super) fn lives(&self) -> Result<(), Failure> {
        if self.is_living() { Ok(()) } else { Err(Failure::Destroyed) }
    }
}

/// The direction in which a team's units look when they appear: towards the other team's side.
pub fn forward(team: Team) -> Direction {
    match team {
        Team::Red => Direction::East,
        Team::Blue => Direction::West,
    }
}

/// The units by id and by square: no two living ones on one square.
#[derive(Debug, Clone)]
pub(super) struct Units {
    /// By id, ascending.
    units: Vec<Unit>,
    /// By [`Square::index`]: where in `units` the living unit on the square is.
    squares: Vec<Option<u8>>,
}

impl Units {
    /// The units, or the two that have one id or one square. At most 255.
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

    /// Those on the board, by ascending id.
    pub(super) fn living(&self) -> impl Iterator<Item = &Unit> {
        self.units.iter().filter(|unit| unit.is_living())
    }

    /// Where the unit is among [`Units::all`].
    pub(super) fn find(&self, id: UnitId) -> Option<usize> {
        self.units.binary_search_by_key(&id, |unit| unit.id).ok()
    }

    /// Who stands on the square.
    pub(super) fn at(&self, place: Square) -> Option<&Unit> {
        self.squares[place.index()].map(|index| &self.units[usize::from(index)])
    }

    pub(super) fn get(&self, index: usize) -> &Unit {
        &self.units[index]
    }

    /// For everything but where the unit stands and whether it lives.
    pub(super) fn get_mut(&mut self, index: usize) -> &mut Unit {
        &mut self.units[index]
    }

    /// A living unit goes to a free square.
    pub(super) fn shift(&mut self, index: usize, to: Square) {
        debug_assert!(self.at(to).is_none(), "{to} is taken");
        let unit = &mut self.units[index];
        self.squares[to.index()] = self.squares[unit.at.index()].take();
        unit.at = to;
    }

    /// A living unit is destroyed.
    pub(super) fn fell(&mut self, index: usize, millis: u64) {
        let unit = &mut self.units[index];
        self.squares[unit.at.index()] = None;
        unit.health = 0;
        unit.fallen = Some(Fallen { millis, wish: None });
    }

    /// A destroyed unit stands again, as new, on a free square.
    pub(super) fn rise(&mut self, index: usize, class: UnitClass, at: Square, health: i32) {
        debug_assert!(self.at(at).is_none(), "{at} is taken");
        let unit = &mut self.units[index];
        let talks = unit.talks;
        *unit = Unit::new(unit.id, unit.team, class, at, forward(unit.team), health);
        unit.talks = talks;
        self.squares[at.index()] = u8::try_from(index).ok();
    }
}
