//! Words of the dialect: directions, classes, elevations, weapons.

use std::str::FromStr;

use crate::words;

/// The word is none of those that may stand there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected {0}")]
pub struct WordError(&'static str);

/// Words that are read from text, too.
macro_rules! read_words {
    ($(#[$docs:meta])* $type:ident, $expected:literal, { $($words:tt)+ }) => {
        words! { $(#[$docs])* $type { $($words)+ } }

        impl $type {
            /// What may stand where one of them is expected.
            pub(super) const EXPECTED: &'static str = $expected;
        }

        impl FromStr for $type {
            type Err = WordError;

            fn from_str(name: &str) -> Result<$type, WordError> {
                $type::named(name).ok_or(WordError($type::EXPECTED))
            }
        }
    };
}

read_words! {
    /// Where a unit looks.
    Direction, "north, east, south or west", {
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

read_words! {
    /// What a unit is.
    UnitClass, "medic, pyro or soldier", {
        /// Heals, and has a pistol.
        Medic = "medic",
        /// Has the thrower and the axe.
        Pyro = "pyro",
        /// Has the rifle and the rocket.
        Soldier = "soldier",
    }
}

read_words! {
    /// How high a square lies.
    Elevation, "low, ramp or high", {
        /// Low ground.
        Low = "low",
        /// A ramp, which leads from one to the other.
        Ramp = "ramp",
        /// High ground.
        High = "high",
    }
}

read_words! {
    /// What flies from a square to a square.
    Weapon, "medigun, pistol, rifle or rocket", {
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

impl Direction {
    /// One step to the east and to the north.
    #[must_use]
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
    /// The letter that stands for it in maps and scenes: `l`, `r` or `h`.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Elevation::Low => 'l',
            Elevation::Ramp => 'r',
            Elevation::High => 'h',
        }
    }

    /// What the letter stands for.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Elevation> {
        Elevation::ALL.into_iter().find(|elevation| elevation.letter() == letter)
    }
}
