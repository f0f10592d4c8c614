//! Units of a match: what each of them has done and suffered, counted over time.

use std::collections::BTreeMap;

use grandstand_protocol::Micros;

use crate::plots::{Point, Series};

/// The largest number of units that are counted; a match of the field has up to a few hundred.
const UNITS_MAX: usize = 1024;

/// What is counted of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Enemies destroyed.
    Kills,
    /// Times that it was destroyed.
    Deaths,
    /// Shots, cones and strokes.
    Shots,
    /// Health that it took from others.
    Damage,
    /// Health that it gave to others.
    Healing,
    /// Health that others took from it.
    Suffered,
    /// Control points or flags that it took.
    Captures,
    /// Points that it made.
    Points,
}

impl Deed {
    /// Every deed, in the order of a list.
    pub const ALL: [Deed; 8] = [
        Deed::Kills,
        Deed::Deaths,
        Deed::Shots,
        Deed::Damage,
        Deed::Healing,
        Deed::Suffered,
        Deed::Captures,
        Deed::Points,
    ];

    /// The name in a list.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Deed::Kills => "Kills",
            Deed::Deaths => "Deaths",
            Deed::Shots => "Shots",
            Deed::Damage => "Damage",
            Deed::Healing => "Healing",
            Deed::Suffered => "Damage taken",
            Deed::Captures => "Captures",
            Deed::Points => "Points",
        }
    }
}

/// The counts of the units of a match.
#[derive(Debug, Default)]
pub struct Units {
    counts: BTreeMap<u32, [Option<Series>; Deed::ALL.len()]>,
    /// The deeds that any unit has done.
    known: [bool; Deed::ALL.len()],
}

impl Units {
    /// Counts a deed of a unit at a time.
    pub(crate) fn add(&mut self, id: u32, deed: Deed, t: Micros, amount: u32) {
        if amount == 0 || self.counts.len() >= UNITS_MAX && !self.counts.contains_key(&id) {
            return;
        }
        self.known[deed as usize] = true;
        let series =
            self.counts.entry(id).or_default()[deed as usize].get_or_insert_with(|| Series::new("", ""));
        let before = series.points.last().map_or(0, |last| last.value);
        let amount = i32::try_from(amount).unwrap_or(i32::MAX);
        series.push(Point { t, value: before.saturating_add(amount) });
    }

    /// The counts of a unit at a time, in seconds from the start of the match: those that any unit of the match has.
    pub fn figures(&self, id: u32, secs: f64) -> impl Iterator<Item = (Deed, u32)> {
        let counts = self.counts.get(&id);
        Deed::ALL.into_iter().filter(|deed| self.known[*deed as usize]).map(move |deed| {
            let series = counts.and_then(|counts| counts[deed as usize].as_ref());
            (deed, series.map_or(0, |series| series.at(secs).max(0) as u32))
        })
    }

    /// Takes in what another reading found in a time that was missing here.
    pub(crate) fn splice(&mut self, other: Units) {
        for (known, found) in self.known.iter_mut().zip(other.known) {
            *known |= found;
        }
        for (id, found) in other.counts {
            if self.counts.len() >= UNITS_MAX && !self.counts.contains_key(&id) {
                continue;
            }
            for (own, found) in self.counts.entry(id).or_default().iter_mut().zip(found) {
                match (own, found) {
                    (Some(own), Some(found)) => own.splice(found.points, true),
                    (own @ None, found) => *own = found,
                    (Some(_), None) => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(units: &Units, id: u32, secs: f64) -> Vec<(Deed, u32)> {
        units.figures(id, secs).collect()
    }

    #[test]
    fn a_unit_has_what_it_did_until_then() {
        let mut units = Units::default();
        units.add(7, Deed::Damage, Micros(1_000_000), 30);
        units.add(7, Deed::Damage, Micros(2_000_000), 12);
        units.add(4, Deed::Kills, Micros(2_000_000), 1);
        assert_eq!(figures(&units, 7, 1.5), [(Deed::Kills, 0), (Deed::Damage, 30)]);
        assert_eq!(figures(&units, 7, 9.0), [(Deed::Kills, 0), (Deed::Damage, 42)]);
        assert_eq!(figures(&units, 99, 9.0), [(Deed::Kills, 0), (Deed::Damage, 0)]);
    }

    #[test]
    fn what_comes_late_counts_before_what_came_after_it() {
        let (mut units, mut late) = (Units::default(), Units::default());
        units.add(7, Deed::Shots, Micros(9_000_000), 2);
        late.add(7, Deed::Shots, Micros(3_000_000), 5);
        late.add(8, Deed::Deaths, Micros(3_000_000), 1);
        units.splice(late);
        assert_eq!(figures(&units, 7, 5.0), [(Deed::Deaths, 0), (Deed::Shots, 5)]);
        assert_eq!(figures(&units, 7, 9.0), [(Deed::Deaths, 0), (Deed::Shots, 7)]);
        assert_eq!(figures(&units, 8, 9.0)[0], (Deed::Deaths, 1));
    }

    #[test]
    fn there_is_an_end_to_the_units_that_are_counted() {
        let mut units = Units::default();
        (0..5000).for_each(|id| units.add(id, Deed::Shots, Micros(1), 1));
        assert_eq!(units.counts.len(), UNITS_MAX);
    }
}
