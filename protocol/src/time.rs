//! Time in the protocol's unit: whole microseconds since the beginning of a match.

use std::fmt;
use std::str::FromStr;

use crate::by_text::ParseError;
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::value::RawValue;

/// A point of time or a duration, in microseconds. In JSON and as text it is seconds, a decimal with at most six places
/// and no exponent: `0.000001`, `12`, `3.25`.
///
/// Every time up to [`Micros::MAX`] is read as exactly the value that was written; a greater one is refused.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Micros(pub u64);

impl Micros {
    /// The greatest readable time: 2⁵⁰ microseconds, some 35 years. Up to here a reader that holds a JSON number as
    /// a double can still tell consecutive microseconds apart.
    pub const MAX: Micros = Micros(1 << 50);

    /// The time in seconds, for arithmetic where rounding does not matter.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// The time nearest to `secs` seconds; `None` if that is negative, not a number or greater than [`Micros::MAX`].
    pub fn from_secs_f64(secs: f64) -> Option<Micros> {
        let micros = (secs * 1e6).round();
        (micros >= 0.0 && micros <= Micros::MAX.0 as f64).then_some(Micros(micros as u64))
    }

    /// The duration from `earlier` to `self`; zero if `earlier` is the later one.
    #[must_use]
    pub fn since(self, earlier: Micros) -> Micros {
        Micros(self.0.saturating_sub(earlier.0))
    }
}

impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (secs, mut places) = (self.0 / 1_000_000, self.0 % 1_000_000);
        if places == 0 {
            return write!(f, "{secs}");
        }
        let mut width = 6;
        while places.is_multiple_of(10) {
            places /= 10;
            width -= 1;
        }
        write!(f, "{secs}.{places:0width$}")
    }
}

impl FromStr for Micros {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Micros, ParseError> {
        let error = || {
            let expected = format!("seconds, from 0 to {}, with at most six decimal places", Micros::MAX);
            ParseError::new(text, "a time", expected)
        };
        let (secs, places) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        if !digits(secs) || !digits(places) || places.len() > 6 {
            return Err(error());
        }
        let secs: u64 = secs.parse().ok().ok_or_else(error)?;
        let micros: u64 = format!("{places:0<6}").parse().ok().ok_or_else(error)?;
        match secs.checked_mul(1_000_000).and_then(|s| s.checked_add(micros)) {
            Some(total) if total <= Micros::MAX.0 => Ok(Micros(total)),
            _ => Err(error()),
        }
    }
}

impl Serialize for Micros {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.to_string()).map_err(S::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Micros {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Micros, D::Error> {
        struct Secs;
        impl Visitor<'_> for Secs {
            type Value = Micros;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "seconds from 0 to {}", Micros::MAX)
            }
            fn visit_u64<E: de::Error>(self, secs: u64) -> Result<Micros, E> {
                match secs.checked_mul(1_000_000) {
                    Some(micros) if micros <= Micros::MAX.0 => Ok(Micros(micros)),
                    _ => Err(E::invalid_value(de::Unexpected::Unsigned(secs), &self)),
                }
            }
            fn visit_f64<E: de::Error>(self, secs: f64) -> Result<Micros, E> {
                Micros::from_secs_f64(secs)
                    .ok_or_else(|| E::invalid_value(de::Unexpected::Float(secs), &self))
            }
        }
        deserializer.deserialize_any(Secs)
    }
}
