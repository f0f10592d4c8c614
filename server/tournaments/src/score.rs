//! Points, exact to a thousandth.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Points in thousandths: sums are exact, so that the order of a table never depends on rounding.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub i64);

impl Score {
    /// No points.
    pub const ZERO: Self = Self(0);
    /// Half a point.
    pub const HALF: Self = Self(500);
    /// One point.
    pub const ONE: Self = Self(1000);

    /// `points`, rounded to the nearest thousandth; `None` beyond ±1,000,000 and for NaN.
    pub fn from_points(points: f64) -> Option<Self> {
        (points.abs() <= 1e6).then(|| Self((points * 1000.0).round() as i64))
    }

    /// The amount in points.
    pub fn points(self) -> f64 {
        self.0 as f64 / 1000.0
    }
}

impl Add for Score {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Score {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Score {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Mul<i64> for Score {
    type Output = Self;
    fn mul(self, times: i64) -> Self {
        Self(self.0 * times)
    }
}

impl Sum for Score {
    fn sum<I: Iterator<Item = Self>>(scores: I) -> Self {
        scores.fold(Self::ZERO, Add::add)
    }
}

/// Decimal text without trailing zeros: `3`, `2.5`, `-0.125`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, rest) = (self.0.unsigned_abs() / 1000, self.0.unsigned_abs() % 1000);
        let text = if rest == 0 {
            format!("{sign}{whole}")
        } else {
            format!("{sign}{whole}.{}", format!("{rest:03}").trim_end_matches('0'))
        };
        f.pad(&text)
    }
}

/// A number, in points.
impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % 1000 == 0 {
            serializer.serialize_i64(self.0 / 1000)
        } else {
            serializer.serialize_f64(self.points())
        }
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let points = f64::deserialize(deserializer)?;
        Self::from_points(points)
            .ok_or_else(|| serde::de::Error::custom(format!("{points} points are more than a million")))
    }
}

/// Points for each result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Points {
    /// Points for a won game, whether by play or by the opponent's forfeit.
    pub win: Score,
    /// Points for a draw.
    pub draw: Score,
    /// Points for a lost game; if both sides forfeit, both lose.
    pub loss: Score,
    /// Points for each game of an encounter that a bye of a Swiss round replaces.
    pub bye: Score,
}

/// 1, ½ and 0; a bye is worth as much as a win.
impl Default for Points {
    fn default() -> Self {
        Self { win: Score::ONE, draw: Score::HALF, loss: Score::ZERO, bye: Score::ONE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_print_as_a_person_writes_them() {
        for (thousandths, text) in [(0, "0"), (2500, "2.5"), (-125, "-0.125"), (14_000, "14"), (10, "0.01")] {
            assert_eq!(Score(thousandths).to_string(), text);
        }
        assert_eq!(format!("{:>5}", Score(2500)), "  2.5");
    }

    #[test]
    fn points_in_json_are_numbers() {
        let points: Points = serde_json::from_str(r#"{"win": 3, "draw": 1.5}"#).unwrap();
        assert_eq!((points.win, points.draw, points.loss), (Score(3000), Score(1500), Score(0)));
        assert_eq!(serde_json::to_string(&points).unwrap(), r#"{"win":3,"draw":1.5,"loss":0,"bye":1}"#);
        assert!(serde_json::from_str::<Score>("1e300").is_err());
    }
}
