//! Abilities of units (sections 2.8 and 2.9).

use grandstand_protocol::fortress::{UnitClass, Weapon};

/// One of the six abilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ability {
    /// The medic's primary: gives health to a friend.
    Medigun,
    /// The medic's secondary: a small shot.
    Pistol,
    /// The pyro's primary: a cone of steam.
    Thrower,
    /// The pyro's secondary: three squares before it.
    Axe,
    /// The soldier's primary: a long shot.
    Rifle,
    /// The soldier's secondary: a shot that bursts.
    Rocket,
}

/// A slot for one of the two abilities of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// The first.
    Primary,
    /// The second.
    Secondary,
}

/// The aim of an ability.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Targeting {
    /// A square, to which a projectile flies.
    Square(Weapon),
    /// The cone in front of the unit.
    Cone,
    /// The three squares in front of the unit.
    Melee,
}

impl Ability {
    /// Every ability, in the handout's order.
    pub const ALL: [Self; 6] =
        [Self::Medigun, Self::Pistol, Self::Thrower, Self::Axe, Self::Rifle, Self::Rocket];

    /// The ability that a unit of the class has in the slot.
    pub fn of(class: UnitClass, slot: Slot) -> Self {
        match (class, slot) {
            (UnitClass::Medic, Slot::Primary) => Self::Medigun,
            (UnitClass::Medic, Slot::Secondary) => Self::Pistol,
            (UnitClass::Pyro, Slot::Primary) => Self::Thrower,
            (UnitClass::Pyro, Slot::Secondary) => Self::Axe,
            (UnitClass::Soldier, Slot::Primary) => Self::Rifle,
            (UnitClass::Soldier, Slot::Secondary) => Self::Rocket,
        }
    }

    /// The way in which the ability is aimed.
    pub fn targeting(self) -> Targeting {
        match self {
            Self::Medigun => Targeting::Square(Weapon::Medigun),
            Self::Pistol => Targeting::Square(Weapon::Pistol),
            Self::Thrower => Targeting::Cone,
            Self::Axe => Targeting::Melee,
            Self::Rifle => Targeting::Square(Weapon::Rifle),
            Self::Rocket => Targeting::Square(Weapon::Rocket),
        }
    }

    /// Whether the ability changes the health of units of the user's own team (`friend`) or of the other one.
    pub fn affects(self, friend: bool) -> bool {
        match self {
            Self::Medigun => friend,
            Self::Pistol | Self::Thrower | Self::Axe | Self::Rifle => !friend,
            Self::Rocket => true,
        }
    }
}
