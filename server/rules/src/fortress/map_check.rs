//! Checks of a map: its constraints, and warnings about a valid one (section 4).

use grandstand_protocol::fortress::{Direction, Elevation, POINTS, Square};

use super::map::{Map, line_and_column};
use crate::map::MapFaults;

impl Map {
    /// Reports every violation of section 4.
    pub(super) fn check(&self, faults: &mut MapFaults) {
        let mut fault = |at: Square, reason: String| {
            let (line, column) = line_and_column(at);
            faults.push(line, column, reason);
        };
        for east in Square::all().filter(|at| at.x() > 0) {
            let west = east.mirrored();
            let (found, expected) = (self.elevation(east), self.elevation(west));
            if found != expected {
                let column = line_and_column(west).1;
                fault(east, format!("`{found}` where column {column}, its mirror, has `{expected}`"));
            }
        }
        for (point, at) in (0..POINTS).zip(*self.points()) {
            let (mirror, x) = (POINTS - 1 - point, at.x());
            let (fits, where_to) = match point {
                0 | 1 => (x < 0, "in the western half, left of the middle column"),
                2 => (x == 0, "in the middle column, 26"),
                _ => (x > 0, "in the eastern half, right of the middle column"),
            };
            if !fits {
                fault(at, format!("control point {point} is not {where_to}"));
            }
            let other = self.points()[usize::from(mirror)];
            if point > mirror && at != other.mirrored() {
                let (line, column) = line_and_column(other.mirrored());
                let place = format!("line {line}, column {column}");
                fault(at, format!("control point {point} is not at {place}, the mirror of point {mirror}"));
            }
        }
        for (point, pair) in (1..POINTS).zip(self.points().windows(2)) {
            if let &[before, at] = pair
                && before.x() >= at.x()
            {
                fault(at, format!("control point {point} is not to the east of point {}", point - 1));
            }
        }
        let reached = self.reachable(self.points()[0]);
        for (point, at) in (0..POINTS).zip(*self.points()) {
            if !reached[at.index()] {
                fault(at, format!("control point {point} can't be reached from point 0"));
            }
            for direction in Direction::ALL {
                if self.step(at, direction).is_none() {
                    fault(at, format!("a unit on control point {point} can't move {direction}"));
                }
            }
        }
    }

    /// Warnings about a playable map: unreachable ground, edges at which no unit can appear, and
    /// ramps that connect nothing. Walls of high ground are no oddity.
    pub fn warnings(&self) -> MapFaults {
        let mut odd = MapFaults::default();
        let mut note = |at: Square, reason: String| {
            let (line, column) = line_and_column(at);
            odd.push(line, column, reason);
        };
        let mut seen = self.reachable(self.points()[0]);
        let edges = [("western", "red", -Square::X_MAX), ("eastern", "blue", Square::X_MAX)];
        for (side, team, x) in edges {
            if let Some(at) = Square::new(x.into(), 0).filter(|at| !seen[at.index()]) {
                let units = format!("{team}'s units appear elsewhere when it has no control point");
                note(at, format!("no way leads to the middle of the {side} edge: {units}"));
            }
        }
        for at in Square::all() {
            if seen[at.index()] {
                continue;
            }
            let pocket = self.reachable(at);
            let squares = || Square::all().filter(|at| pocket[at.index()]);
            if squares().any(|at| self.elevation(at) != Elevation::High) {
                note(at, format!("no way leads to the {} squares from here on", squares().count()));
            }
            seen.iter_mut().zip(&pocket).for_each(|(seen, here)| *seen |= here);
        }
        let mut seen = vec![false; Square::COUNT];
        for at in Square::all().filter(|&at| self.elevation(at) == Elevation::Ramp) {
            if seen[at.index()] {
                continue;
            }
            let beside = self.beside_ramps(at, &mut seen);
            for (elevation, ground) in [(Elevation::Low, "low"), (Elevation::High, "high")] {
                if !beside.contains(&elevation) {
                    note(at, format!("no {ground} ground beside this ramp or those that it touches"));
                }
            }
        }
        odd
    }

    /// The elevations beside a ramp and the ramps connected to it. Marks these ramps as seen.
    fn beside_ramps(&self, ramp: Square, seen: &mut [bool]) -> Vec<Elevation> {
        let (mut open, mut beside) = (vec![ramp], Vec::new());
        seen[ramp.index()] = true;
        while let Some(at) = open.pop() {
            for next in Direction::ALL.iter().filter_map(|&direction| at.step(direction)) {
                if self.elevation(next) != Elevation::Ramp {
                    beside.push(self.elevation(next));
                } else if !seen[next.index()] {
                    seen[next.index()] = true;
                    open.push(next);
                }
            }
        }
        beside
    }
}
