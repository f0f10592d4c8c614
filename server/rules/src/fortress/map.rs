//! Maps: elevation and control points (section 4).

use std::fmt;

use grandstand_protocol::fortress::{Direction, Elevation, POINTS, Square, Terrain};
use grandstand_protocol::text::trim_ending;

use crate::map::{MAP_MAX_BYTES, MapFaults};

/// A map on which a match can be played: every constraint of section 4 holds.
///
/// As text it has 25 lines of 51 characters, the northernmost line first: `l`, `r` and `h` for low ground, ramps and high
/// ground, `0` to `4` for a control point on low ground, `5` to `9` for one (less five) on high ground. A clone is cheap.
#[derive(Clone, PartialEq, Eq)]
pub struct Map {
    terrain: Terrain,
    points: [Square; POINTS as usize],
}

impl Map {
    /// Reads a map and checks it. Lines end with a line feed; a carriage return before it and empty lines at the end are
    /// ignored.
    ///
    /// # Errors
    /// All faults of the map. If the text is not a board, its constraints are not checked.
    pub fn parse(text: &[u8]) -> Result<Map, MapFaults> {
        let mut faults = MapFaults::default();
        if text.len() > MAP_MAX_BYTES {
            faults.push(1, 1, format!("{} bytes are too many for a map; expected {ROWS_OF_MAP}", text.len()));
            return Err(faults);
        }
        let (terrain, points) = read(text, &mut faults);
        let (true, [Some(p0), Some(p1), Some(p2), Some(p3), Some(p4)]) = (faults.is_empty(), points) else {
            return Err(faults);
        };
        let map = Map { terrain, points: [p0, p1, p2, p3, p4] };
        map.check(&mut faults);
        if faults.is_empty() { Ok(map) } else { Err(faults) }
    }

    /// The elevation of every square.
    pub fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    /// The elevation of a square.
    pub fn elevation(&self, at: Square) -> Elevation {
        self.terrain.get(at)
    }

    /// The squares of the control points, in order of their numbers.
    pub fn points(&self) -> &[Square; POINTS as usize] {
        &self.points
    }

    /// The control point on the square.
    pub fn point_at(&self, at: Square) -> Option<u8> {
        (0..POINTS).zip(self.points).find(|&(_, place)| place == at).map(|(point, _)| point)
    }

    /// The square that a unit enters with a step from `at`; `None` if the step is impossible (section 2.5): `at` is on the edge
    /// of the board, or one of the squares is low ground and the other high. Units in the way are ignored.
    pub fn step(&self, at: Square, direction: Direction) -> Option<Square> {
        let next = at.step(direction)?;
        let (from, to) = (self.elevation(at), self.elevation(next));
        (from == to || from == Elevation::Ramp || to == Elevation::Ramp).then_some(next)
    }

    /// For every square, by [`Square::index`], whether a unit can walk between it and `from`.
    pub fn reachable(&self, from: Square) -> Vec<bool> {
        let mut reached = vec![false; Square::COUNT];
        let mut open = vec![from];
        reached[from.index()] = true;
        while let Some(at) = open.pop() {
            for next in Direction::ALL.iter().filter_map(|&direction| self.step(at, direction)) {
                if !reached[next.index()] {
                    reached[next.index()] = true;
                    open.push(next);
                }
            }
        }
        reached
    }
}

const ROWS_OF_MAP: &str = "25 lines of 51 characters";

/// The position of a square in a map's text, both numbers from 1.
pub(super) fn line_and_column(at: Square) -> (usize, usize) {
    (at.index() / Square::COLUMNS + 1, at.index() % Square::COLUMNS + 1)
}

/// Reads the characters; for missing ones the ground stays low, and the control point `None`.
fn read(text: &[u8], faults: &mut MapFaults) -> (Terrain, [Option<Square>; POINTS as usize]) {
    let mut terrain = Terrain::default();
    let mut points = [None; POINTS as usize];
    let mut lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').map(trim_ending).collect();
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    let mut places = Square::all();
    for (line, number) in lines.iter().zip(1..=Square::ROWS) {
        let row: Vec<Square> = places.by_ref().take(Square::COLUMNS).collect();
        let line = String::from_utf8_lossy(line);
        for ((letter, &at), column) in line.chars().zip(&row).zip(1..) {
            match square(letter) {
                None => faults.push(number, column, unknown(letter)),
                Some((elevation, point)) => {
                    terrain.set(at, elevation);
                    let Some(point) = point else { continue };
                    if let Some(first) = points[usize::from(point)] {
                        let first = line_and_column(first);
                        let first = format!("the first is at line {}, column {}", first.0, first.1);
                        faults.push(number, column, format!("control point {point} a second time; {first}"));
                    } else {
                        points[usize::from(point)] = Some(at);
                    }
                }
            }
        }
        let found = line.chars().count();
        if found != Square::COLUMNS {
            let column = found.min(Square::COLUMNS) + 1;
            faults.push(
                number,
                column,
                format!("a line of {found} characters; expected {}", Square::COLUMNS),
            );
        }
    }
    if lines.len() != Square::ROWS {
        let line = lines.len().min(Square::ROWS) + 1;
        faults.push(line, 1, format!("a map of {} lines; expected {ROWS_OF_MAP}", lines.len()));
    } else {
        for (point, _) in (0..).zip(points).filter(|(_, at)| at.is_none()) {
            let or = point + POINTS;
            faults.push(
                Square::ROWS,
                Square::COLUMNS,
                format!("no control point {point}; expected a `{point}` or a `{or}`"),
            );
        }
    }
    (terrain, points)
}

/// The elevation, and the control point if any, of a character.
fn square(letter: char) -> Option<(Elevation, Option<u8>)> {
    if let Some(elevation) = Elevation::from_letter(letter) {
        return Some((elevation, None));
    }
    let digit = u8::try_from(letter.to_digit(10)?).ok()?;
    Some(if digit < POINTS { (Elevation::Low, Some(digit)) } else { (Elevation::High, Some(digit - POINTS)) })
}

fn unknown(letter: char) -> String {
    format!("unknown character {letter:?}; expected l, r, h or a digit")
}

impl fmt::Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for at in Square::all() {
            let elevation = self.elevation(at);
            match self.point_at(at) {
                None => write!(f, "{}", elevation.letter())?,
                Some(point) if elevation == Elevation::High => write!(f, "{}", point + POINTS)?,
                Some(point) => write!(f, "{point}")?,
            }
            if at.x() == Square::X_MAX {
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Map(\n{self})")
    }
}
