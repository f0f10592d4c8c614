//! The two teams of a game, and which of them won.

use std::fmt::{self, Debug};
use std::hash::Hash;
use std::marker::PhantomData;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::color::Color;
use crate::team::{Duelist, Team};
use crate::text::shorten;

/// A team of a game in which two move by turns.
pub trait Mover: Copy + Debug + Ord + Hash + 'static {
    /// Both teams; the first one moves first.
    const ALL: [Self; 2];

    /// The name, as it is written in text and in JSON.
    fn name(self) -> &'static str;

    /// The colour that the team is shown in.
    fn color(self) -> Color;

    /// Where the team stands in [`Mover::ALL`].
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

impl Mover for Team {
    const ALL: [Team; 2] = Team::ALL;

    fn name(self) -> &'static str {
        Team::name(self)
    }

    fn color(self) -> Color {
        Team::color(self)
    }
}

impl Mover for Duelist {
    const ALL: [Duelist; 2] = Duelist::ALL;

    fn name(self) -> &'static str {
        Duelist::name(self)
    }

    fn color(self) -> Color {
        Duelist::color(self)
    }
}

/// How a game came out. In text and in JSON it is the team's name, or `draw`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Winner<T> {
    /// This team has won.
    Team(T),
    /// Nobody has.
    Draw,
}

impl<T: Mover> Winner<T> {
    /// How it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.team().map_or("draw", T::name)
    }

    /// Who won; nobody in a draw.
    #[must_use]
    pub fn team(self) -> Option<T> {
        match self {
            Winner::Team(team) => Some(team),
            Winner::Draw => None,
        }
    }

    /// What is written so.
    #[must_use]
    pub fn named(name: &str) -> Option<Winner<T>> {
        if name == "draw" { Some(Winner::Draw) } else { T::named(name).map(Winner::Team) }
    }

    pub(crate) fn expected() -> String {
        format!("{}, {} or draw", T::ALL[0].name(), T::ALL[1].name())
    }
}

impl<T> From<Option<T>> for Winner<T> {
    fn from(winner: Option<T>) -> Winner<T> {
        winner.map_or(Winner::Draw, Winner::Team)
    }
}

impl<T: Mover> Serialize for Winner<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de, T: Mover> Deserialize<'de> for Winner<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Winner<T>, D::Error> {
        struct Name<T>(PhantomData<T>);
        impl<T: Mover> Visitor<'_> for Name<T> {
            type Value = Winner<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&Winner::<T>::expected())
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Winner<T>, E> {
                Winner::named(name).ok_or_else(|| {
                    E::custom(format_args!(
                        "`{}` does not say who won: expected {}",
                        shorten(name, 40),
                        Winner::<T>::expected()
                    ))
                })
            }
        }
        deserializer.deserialize_str(Name(PhantomData))
    }
}
