//! Balanced openings, from a file.

use std::collections::HashMap;

use grandstand_protocol::stones::{Point, Size};

use super::rules::{Opening, Rules};
use crate::SplitMix64;
use crate::map::MapFaults;

/// The fewest stones of an opening.
pub const STONES_MIN: usize = 3;
/// The most stones of an opening.
pub const STONES_MAX: usize = 6;
/// The most openings in a file.
pub const OPENINGS_MAX: usize = 10_000;

/// The number of symmetries of a board: rotations and reflections.
const SYMMETRIES: u64 = 8;

/// Openings, in the order of their file.
///
/// A file has one opening per line: three to six points of a board of 15 by 15, black's first, in the order of play. A `#`
/// begins a comment. On boards of other sizes an opening keeps its position relative to the centre.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Openings {
    /// The points of each opening, relative to the centre.
    openings: Vec<Vec<(i32, i32)>>,
}

impl Openings {
    /// The openings of `maps/gomoku/openings.txt`.
    pub fn shipped() -> Self {
        let text = include_str!("../../../../maps/gomoku/openings.txt");
        // A test checks that the file is valid.
        Self::parse(text.as_bytes()).unwrap_or(Self { openings: Vec::new() })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// All faults of the file: words that are no points or not on the board, repeated points, too few or
    /// too many stones, openings that came before (rotated, mirrored or unchanged), or no opening at all.
    pub fn parse(bytes: &[u8]) -> Result<Self, MapFaults> {
        let mut reader = Reader::default();
        for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
            reader.line(number, line);
            if reader.openings.len() > OPENINGS_MAX {
                reader.faults.push(number, 1, format!("too many openings; expected at most {OPENINGS_MAX}"));
                break;
            }
        }
        if reader.openings.is_empty() && reader.faults.is_empty() {
            reader.faults.push(1, 1, "no opening; expected at least one line of points");
        }
        if reader.faults.is_empty() { Ok(Self { openings: reader.openings }) } else { Err(reader.faults) }
    }

    /// The number of openings.
    pub fn len(&self) -> usize {
        self.openings.len()
    }

    /// Whether there are none; never true for a file that was read.
    pub fn is_empty(&self) -> bool {
        self.openings.is_empty()
    }

    /// The stones of an opening on a board, in one of eight symmetries (0 is the opening as in the file);
    /// `None` if there is no such opening or it doesn't fit on the board.
    pub fn stones(&self, index: usize, symmetry: u64, size: Size) -> Option<Vec<Point>> {
        let half = i32::from(size.get() / 2);
        let point = |place: &(i32, i32)| {
            let (x, y) = turned(*place, symmetry);
            let point = Point::new(u16::try_from(half + x).ok()?, u16::try_from(half + y).ok()?)?;
            size.has(point).then_some(point)
        };
        self.openings.get(index)?.iter().map(point).collect()
    }

    /// The rules with the stones of an opening as their start. The seed selects one of the openings that fit on the board, and
    /// its symmetry; `None` if none fits.
    pub fn begin(&self, rules: &Rules, seed: u64) -> Option<Rules> {
        let size = u16::try_from(rules.size).ok().and_then(Size::new)?;
        let fitting: Vec<usize> =
            (0..self.len()).filter(|&index| self.stones(index, 0, size).is_some()).collect();
        let mut random = SplitMix64::new(seed);
        let index = random.choose(&fitting)?;
        let start = self.stones(index, random.below(SYMMETRIES), size)?;
        Some(Rules { opening: Opening::Balanced, start, ..rules.clone() })
    }
}

/// The image of a place, relative to the centre, under one of the eight symmetries of the board.
fn turned((x, y): (i32, i32), symmetry: u64) -> (i32, i32) {
    let (x, y) = if symmetry & 1 == 0 { (x, y) } else { (-x, y) };
    let (x, y) = if symmetry & 2 == 0 { (x, y) } else { (x, -y) };
    if symmetry & 4 == 0 { (x, y) } else { (y, x) }
}

/// A canonical form, equal for exactly the symmetric images of an opening: the least list of its stones, sorted within each colour.
fn canonical(opening: &[(i32, i32)]) -> Vec<(i32, i32)> {
    let form = |symmetry| {
        let mut colors: [Vec<_>; 2] = [0, 1].map(|color| {
            opening.iter().skip(color).step_by(2).map(|&place| turned(place, symmetry)).collect()
        });
        colors.iter_mut().for_each(|color| color.sort_unstable());
        colors.concat()
    };
    (0..SYMMETRIES).map(form).min().unwrap_or_default()
}

#[derive(Default)]
struct Reader {
    openings: Vec<Vec<(i32, i32)>>,
    lines: HashMap<Vec<(i32, i32)>, usize>,
    faults: MapFaults,
}

impl Reader {
    fn line(&mut self, number: usize, line: &[u8]) {
        let line = String::from_utf8_lossy(line);
        let text = line.split('#').next().unwrap_or_default();
        let half = i32::from(Size::USUAL.get() / 2);
        let mut is_good = true;
        let mut places: Vec<(i32, i32)> = Vec::new();
        let mut at = 0;
        for word in text.split_whitespace() {
            // Words are found from left to right, so each is at or behind the end of the last one.
            let from = at + text[at..].find(word).unwrap_or(0);
            at = from + word.len();
            let column = text[..from].chars().count() + 1;
            let shown: String = word.chars().take(20).flat_map(char::escape_debug).collect();
            let point = word.parse::<Point>().ok().filter(|&point| Size::USUAL.has(point));
            let place = point.map(|point| (i32::from(point.x()) - half, i32::from(point.y()) - half));
            let reason = match place {
                None => format!("`{shown}` is not a point; expected a1 to o15"),
                Some(place) if places.contains(&place) => format!("a second stone on {shown}"),
                Some(_) if places.len() == STONES_MAX => {
                    format!("{shown} is one stone more than {STONES_MAX}")
                }
                Some(place) => {
                    places.push(place);
                    continue;
                }
            };
            self.faults.push(number, column, reason);
            is_good = false;
        }
        if !is_good || places.is_empty() {
            return;
        }
        let column = text.chars().take_while(|c| c.is_whitespace()).count() + 1;
        if places.len() < STONES_MIN {
            let stones = places.len();
            self.faults.push(number, column, format!("{stones} of at least {STONES_MIN} stones"));
            return;
        }
        match self.lines.insert(canonical(&places), number) {
            Some(before) => self.faults.push(number, column, format!("the same opening as in line {before}")),
            None => self.openings.push(places),
        }
    }
}
