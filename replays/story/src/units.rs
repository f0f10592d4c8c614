//! Units of a match: what each of them has done and suffered, counted over time.

use std::collections::BTreeMap;

use grandstand_protocol::Micros;

use crate::plots::{Point, Series};

/// The largest number of units that are counted; a match of the field has up to a few hundred.
const UNITS_MAX: usize = 1024;

/// The largest number of falls that are known of a unit: those of 40 minutes, if it falls whenever it comes back.
const FALLS_MAX: usize = 256;

/// What is counted of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnitStat {
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
    /// Control points that it took.
    Captures,
    /// Flags that it took from their stands: each is a point only when it is home.
    Flags,
    /// Points that it made.
    Points,
}

impl UnitStat {
    /// Every deed, in the order of a list.
    pub const ALL: [UnitStat; 9] = [
        UnitStat::Kills,
        UnitStat::Deaths,
        UnitStat::Shots,
        UnitStat::Damage,
        UnitStat::Healing,
        UnitStat::Suffered,
        UnitStat::Captures,
        UnitStat::Flags,
        UnitStat::Points,
    ];

    /// The name in a list.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            UnitStat::Kills => "Kills",
            UnitStat::Deaths => "Deaths",
            UnitStat::Shots => "Shots",
            UnitStat::Damage => "Damage",
            UnitStat::Healing => "Healing",
            UnitStat::Suffered => "Damage taken",
            UnitStat::Captures => "Captures",
            UnitStat::Flags => "Flags taken",
            UnitStat::Points => "Points",
        }
    }
}

/// The counts of the units of a match.
#[derive(Debug, Default)]
pub struct Units {
    counts: BTreeMap<u32, [Option<Series>; UnitStat::ALL.len()]>,
    /// The deeds that any unit has done.
    known: [bool; UnitStat::ALL.len()],
    falls: BTreeMap<u32, Vec<Fall>>,
}

/// A fall of a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fall {
    /// The time.
    pub t: Micros,
    /// The name of the unit that did it, if the commands say so.
    pub by: Option<Box<str>>,
}

impl Units {
    /// Counts a deed of a unit with a command and its time.
    pub(crate) fn add(&mut self, id: u32, stat: UnitStat, (seq, t): (u64, Micros), amount: u32) {
        if amount == 0 || self.counts.len() >= UNITS_MAX && !self.counts.contains_key(&id) {
            return;
        }
        self.known[stat as usize] = true;
        let series =
            self.counts.entry(id).or_default()[stat as usize].get_or_insert_with(|| Series::new("", ""));
        let before = series.points.last().map_or(0, |last| last.value);
        let amount = i32::try_from(amount).unwrap_or(i32::MAX);
        series.push(Point { seq, t, value: before.saturating_add(amount) });
    }

    /// The counts of a unit at a time, in seconds from the start of the match: those that any unit of the match has.
    pub fn figures(&self, id: u32, secs: f64) -> impl Iterator<Item = (UnitStat, u32)> {
        let counts = self.counts.get(&id);
        UnitStat::ALL.into_iter().filter(|stat| self.known[*stat as usize]).map(move |stat| {
            let series = counts.and_then(|counts| counts[stat as usize].as_ref());
            (stat, series.map_or(0, |series| series.at(secs).max(0) as u32))
        })
    }

    /// Notes that a unit fell.
    pub(crate) fn fall(&mut self, id: u32, fall: Fall) {
        if self.falls.len() >= UNITS_MAX && !self.falls.contains_key(&id) {
            return;
        }
        let falls = self.falls.entry(id).or_default();
        if falls.len() < FALLS_MAX {
            falls.push(fall);
        }
    }

    /// The last fall of a unit up to a time, in seconds from the start of the match.
    #[must_use]
    pub fn last_fall(&self, id: u32, secs: f64) -> Option<&Fall> {
        self.falls.get(&id)?.iter().rfind(|fall| fall.t.as_secs_f64() <= secs)
    }

    /// Takes in what another reading found in a time that was missing here.
    pub(crate) fn splice(&mut self, other: Units) {
        for (known, found) in self.known.iter_mut().zip(other.known) {
            *known |= found;
        }
        for (id, found) in other.falls {
            found.into_iter().for_each(|fall| self.fall(id, fall));
            if let Some(falls) = self.falls.get_mut(&id) {
                falls.sort_by_key(|fall| fall.t);
            }
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

    #[test]
    fn a_fall_is_known_from_its_time_on_with_who_did_it() {
        let mut units = Units::default();
        let fall = |secs: u64, by: Option<&str>| Fall { t: Micros(secs * 1_000_000), by: by.map(Into::into) };
        units.fall(3, fall(9, None));
        let mut other = Units::default();
        other.fall(3, fall(4, Some("blue medic 7")));
        units.splice(other);
        let by = |secs| units.last_fall(3, secs).map(|fall| fall.by.as_deref());
        assert_eq!([by(3.9), by(4.0), by(20.0)], [None, Some(Some("blue medic 7")), Some(None)]);
        assert_eq!(units.last_fall(8, 20.0), None);
    }

    fn figures(units: &Units, id: u32, secs: f64) -> Vec<(UnitStat, u32)> {
        units.figures(id, secs).collect()
    }

    #[test]
    fn a_unit_has_what_it_did_until_then() {
        let mut units = Units::default();
        units.add(7, UnitStat::Damage, (1_000_000, Micros(1_000_000)), 30);
        units.add(7, UnitStat::Damage, (2_000_000, Micros(2_000_000)), 12);
        units.add(4, UnitStat::Kills, (2_000_000, Micros(2_000_000)), 1);
        assert_eq!(figures(&units, 7, 1.5), [(UnitStat::Kills, 0), (UnitStat::Damage, 30)]);
        assert_eq!(figures(&units, 7, 9.0), [(UnitStat::Kills, 0), (UnitStat::Damage, 42)]);
        assert_eq!(figures(&units, 99, 9.0), [(UnitStat::Kills, 0), (UnitStat::Damage, 0)]);
    }

    #[test]
    fn what_comes_late_counts_before_what_came_after_it() {
        let (mut units, mut late) = (Units::default(), Units::default());
        units.add(7, UnitStat::Shots, (9_000_000, Micros(9_000_000)), 2);
        late.add(7, UnitStat::Shots, (3_000_000, Micros(3_000_000)), 5);
        late.add(8, UnitStat::Deaths, (3_000_000, Micros(3_000_000)), 1);
        units.splice(late);
        assert_eq!(figures(&units, 7, 5.0), [(UnitStat::Deaths, 0), (UnitStat::Shots, 5)]);
        assert_eq!(figures(&units, 7, 9.0), [(UnitStat::Deaths, 0), (UnitStat::Shots, 7)]);
        assert_eq!(figures(&units, 8, 9.0)[0], (UnitStat::Deaths, 1));
    }

    #[test]
    fn there_is_an_end_to_the_units_that_are_counted() {
        let mut units = Units::default();
        (0..5000).for_each(|id| units.add(id, UnitStat::Shots, (1, Micros(1)), 1));
        assert_eq!(units.counts.len(), UNITS_MAX);
    }
}
