//! Words of the dialect: directions, classes, elevations, weapons.

use crate::by_text::named_by_text;
use crate::words;

words! {
    /// The direction of a unit.
    Direction {
        /// Towards greater y.
        North = "north",
        /// Towards greater x.
        East = "east",
        /// Towards lesser y.
        South = "south",
        /// Towards lesser x.
        West = "west",
    }
}

words! {
    /// The class of a unit.
    UnitClass {
        /// Heals with the medigun; has a pistol.
        Medic = "medic",
        /// Has the thrower and the axe.
        Pyro = "pyro",
        /// Has the rifle and the rocket.
        Soldier = "soldier",
    }
}

words! {
    /// The elevation of a square.
    Elevation {
        /// Low ground.
        Low = "low",
        /// A ramp, which connects low and high ground.
        Ramp = "ramp",
        /// High ground.
        High = "high",
    }
}

words! {
    /// A weapon that shoots from one square to another.
    Weapon {
        /// The medic's beam, which heals.
        Medigun = "medigun",
        /// The medic's pistol.
        Pistol = "pistol",
        /// The soldier's rifle.
        Rifle = "rifle",
        /// The soldier's rocket, which bursts.
        Rocket = "rocket",
    }
}

named_by_text!(Direction, "a direction");
named_by_text!(UnitClass, "a class of units");
named_by_text!(Elevation, "an elevation");
named_by_text!(Weapon, "a weapon");

impl Direction {
    /// The offset (x, y) of one step in this direction.
    pub fn delta(self) -> (i8, i8) {
        match self {
            Direction::North => (0, 1),
            Direction::East => (1, 0),
            Direction::South => (0, -1),
            Direction::West => (-1, 0),
        }
    }

    /// A quarter turn to the left.
    #[must_use]
    pub fn left(self) -> Direction {
        match self {
            Direction::North => Direction::West,
            Direction::East => Direction::North,
            Direction::South => Direction::East,
            Direction::West => Direction::South,
        }
    }

    /// A quarter turn to the right.
    #[must_use]
    pub fn right(self) -> Direction {
        self.left().opposite()
    }

    /// Half a turn.
    #[must_use]
    pub fn opposite(self) -> Direction {
        self.left().left()
    }
}

impl Elevation {
    /// The letter in maps and scenes: `l`, `r` or `h`.
    pub fn letter(self) -> char {
        match self {
            Elevation::Low => 'l',
            Elevation::Ramp => 'r',
            Elevation::High => 'h',
        }
    }

    /// The elevation with this letter.
    pub fn from_letter(letter: char) -> Option<Elevation> {
        Elevation::ALL.into_iter().find(|elevation| elevation.letter() == letter)
    }
}
