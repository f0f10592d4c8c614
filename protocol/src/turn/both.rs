//! The same for both teams.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use serde::de::{Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Mover;

/// The same for both teams: names, clocks, captures. In JSON it is an object with the teams as members.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Both<T, V> {
    values: [V; 2],
    teams: PhantomData<T>,
}

impl<T: Mover, V> Both<T, V> {
    /// The one of the team that moves first, and the other's.
    #[must_use]
    pub fn new(first: V, second: V) -> Both<T, V> {
        Both { values: [first, second], teams: PhantomData }
    }

    /// Each team with what it has, the one that moves first before the other.
    pub fn iter(&self) -> impl Iterator<Item = (T, &V)> {
        T::ALL.into_iter().zip(&self.values)
    }
}

impl<T, V: Default> Default for Both<T, V> {
    fn default() -> Both<T, V> {
        Both { values: Default::default(), teams: PhantomData }
    }
}

impl<T, V: fmt::Debug> fmt::Debug for Both<T, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.values.fmt(f)
    }
}

impl<T: Mover, V> Index<T> for Both<T, V> {
    type Output = V;

    fn index(&self, team: T) -> &V {
        &self.values[team.index()]
    }
}

impl<T: Mover, V> IndexMut<T> for Both<T, V> {
    fn index_mut(&mut self, team: T) -> &mut V {
        &mut self.values[team.index()]
    }
}

impl<T: Mover, V: Serialize> Serialize for Both<T, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(team, value)| (team.name(), value)))
    }
}

impl<'de, T: Mover, V: Deserialize<'de>> Deserialize<'de> for Both<T, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Both<T, V>, D::Error> {
        struct Members<T, V>(PhantomData<(T, V)>);
        impl<'de, T: Mover, V: Deserialize<'de>> Visitor<'de> for Members<T, V> {
            type Value = Both<T, V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "an object with {} and {}", T::ALL[0].name(), T::ALL[1].name())
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Both<T, V>, A::Error> {
                let mut values = [None, None];
                while let Some(name) = map.next_key::<String>()? {
                    match T::named(&name) {
                        Some(team) => values[team.index()] = Some(map.next_value()?),
                        None => drop(map.next_value::<IgnoredAny>()?),
                    }
                }
                let missing = |index: usize| A::Error::missing_field(T::ALL[index].name());
                let [first, second] = values;
                Ok(Both::new(first.ok_or_else(|| missing(0))?, second.ok_or_else(|| missing(1))?))
            }
        }
        deserializer.deserialize_map(Members(PhantomData))
    }
}
