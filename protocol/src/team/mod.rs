//! Teams: the two sides of a match, a value for each of them, and the outcome.
//!
//! A game has two teams with names of its own: black and white, red and blue, Maxie and Minnie. Each pair is an enum that
//! implements [`TwoTeams`], and games re-export theirs as `Team`. [`ByTeam`] and [`Outcome`] work for every pair.

mod by_team;
mod name;
mod outcome;

use std::fmt::Debug;
use std::hash::Hash;

use crate::color::Color;

pub use by_team::ByTeam;
pub use name::TeamName;
pub use outcome::{Outcome, OutcomeError};

pub(crate) use name::TEAM_NAME;

/// A pair of teams; a value of the type is one of the two.
pub trait TwoTeams: Copy + Debug + Ord + Hash + 'static {
    /// Both teams; in a turn game the first one moves first.
    const ALL: [Self; 2];

    /// The name, as it is written in text and in JSON.
    fn name(self) -> &'static str;

    /// The team's colour.
    fn color(self) -> Color;

    /// The team's index in [`TwoTeams::ALL`].
    fn index(self) -> usize {
        usize::from(self != Self::ALL[0])
    }

    /// The other team.
    #[must_use]
    fn opponent(self) -> Self {
        Self::ALL[1 - self.index()]
    }

    /// The team with this name.
    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|team| team.name() == name)
    }
}

/// Defines a pair of teams: the enum, its names in text and JSON, its colours.
macro_rules! two_teams {
    ($(#[$docs:meta])* $type:ident { $first:ident = $first_name:literal, $first_color:ident; $second:ident = $second_name:literal, $second_color:ident }) => {
        $crate::words! {
            $(#[$docs])*
            #[expect(missing_docs, reason = "the names say it")]
            $type { $first = $first_name, $second = $second_name, }
        }
        $crate::by_text::named_by_text!($type, "a team");

        impl $type {
            /// The other team.
            #[must_use]
            pub fn opponent(self) -> $type {
                match self {
                    $type::$first => $type::$second,
                    $type::$second => $type::$first,
                }
            }

            /// The team's colour.
            pub fn color(self) -> Color {
                match self {
                    $type::$first => Color::$first_color,
                    $type::$second => Color::$second_color,
                }
            }

            /// The team's index in `ALL`, 0 or 1.
            pub fn index(self) -> usize {
                self as usize
            }
        }

        impl TwoTeams for $type {
            const ALL: [$type; 2] = $type::ALL;

            fn name(self) -> &'static str {
                $type::name(self)
            }

            fn color(self) -> Color {
                $type::color(self)
            }
        }
    };
}

two_teams! {
    /// Black and white: the teams of Abalone, Gomoku and Pente. Black moves first.
    BlackWhite { Black = "black", Black; White = "white", White }
}

two_teams! {
    /// Red and blue: the teams of λ-Shark and of Steam Fortress.
    RedBlue { Red = "red", Red; Blue = "blue", Blue }
}

two_teams! {
    /// Maxie and Minnie: the teams of Riskless. Maxie moves first.
    MaxieMinnie { Maxie = "maxie", Red; Minnie = "minnie", Blue }
}
