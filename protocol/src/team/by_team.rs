//! A value for each of two teams.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use serde::de::{Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::TwoTeams;

/// A value for each team: names, clocks, scores. In JSON it is an object with the teams as members.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ByTeam<T, V> {
    values: [V; 2],
    teams: PhantomData<T>,
}

impl<T: TwoTeams, V> ByTeam<T, V> {
    /// A pair from the value of the first team and that of the second.
    pub fn new(first: V, second: V) -> ByTeam<T, V> {
        ByTeam { values: [first, second], teams: PhantomData }
    }

    /// Each team with its value, the first one first.
    pub fn iter(&self) -> impl Iterator<Item = (T, &V)> {
        T::ALL.into_iter().zip(&self.values)
    }

    /// The values, that of the first team first.
    pub fn into_array(self) -> [V; 2] {
        self.values
    }
}

impl<T, V: Default> Default for ByTeam<T, V> {
    fn default() -> ByTeam<T, V> {
        ByTeam { values: Default::default(), teams: PhantomData }
    }
}

impl<T, V: fmt::Debug> fmt::Debug for ByTeam<T, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.values.fmt(f)
    }
}

impl<T: TwoTeams, V> Index<T> for ByTeam<T, V> {
    type Output = V;

    fn index(&self, team: T) -> &V {
        &self.values[team.index()]
    }
}

impl<T: TwoTeams, V> IndexMut<T> for ByTeam<T, V> {
    fn index_mut(&mut self, team: T) -> &mut V {
        &mut self.values[team.index()]
    }
}

impl<T: TwoTeams, V: Serialize> Serialize for ByTeam<T, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(team, value)| (team.name(), value)))
    }
}

impl<'de, T: TwoTeams, V: Deserialize<'de>> Deserialize<'de> for ByTeam<T, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ByTeam<T, V>, D::Error> {
        struct Members<T, V>(PhantomData<(T, V)>);
        impl<'de, T: TwoTeams, V: Deserialize<'de>> Visitor<'de> for Members<T, V> {
            type Value = ByTeam<T, V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "an object with {} and {}", T::ALL[0].name(), T::ALL[1].name())
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ByTeam<T, V>, A::Error> {
                let mut values = [None, None];
                while let Some(name) = map.next_key::<String>()? {
                    match T::named(&name) {
                        Some(team) => values[team.index()] = Some(map.next_value()?),
                        None => drop(map.next_value::<IgnoredAny>()?),
                    }
                }
                let missing = |index: usize| A::Error::missing_field(T::ALL[index].name());
                let [first, second] = values;
                Ok(ByTeam::new(first.ok_or_else(|| missing(0))?, second.ok_or_else(|| missing(1))?))
            }
        }
        deserializer.deserialize_map(Members(PhantomData))
    }
}
