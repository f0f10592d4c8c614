//! Region: the part of a large board that is searched, around the stones.

use super::Unplayable;
use super::geometry::MAX_SIZE;

/// A square part of the board: column and row of its lower left point, and its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BoardRegion {
    pub(super) x: u16,
    pub(super) y: u16,
    pub(super) size: u16,
}

impl BoardRegion {
    /// The region for these moves: the whole board if it fits, else one with as many as possible of the latest stones in its
    /// middle.
    pub(super) fn around(moves: &[(u16, u16)], size: u16) -> BoardRegion {
        if size <= MAX_SIZE {
            return BoardRegion { x: 0, y: 0, size };
        }
        let along = |coordinate: fn(&(u16, u16)) -> u16| {
            let Some(latest) = moves.last().map(coordinate) else { return (size - MAX_SIZE) / 2 };
            let (mut low, mut high) = (latest, latest);
            for at in moves.iter().rev().map(coordinate) {
                if high.max(at) - low.min(at) >= MAX_SIZE - 8 {
                    break;
                }
                (low, high) = (low.min(at), high.max(at));
            }
            ((low + high) / 2).saturating_sub(MAX_SIZE / 2).min(size - MAX_SIZE)
        };
        BoardRegion { x: along(|m| m.0), y: along(|m| m.1), size: MAX_SIZE }
    }

    /// Converts a point of the board to one of the region; `None` outside it.
    pub(super) fn inside(self, (x, y): (u16, u16)) -> Option<(u16, u16)> {
        let (x, y) = (x.checked_sub(self.x)?, y.checked_sub(self.y)?);
        (x < self.size && y < self.size).then_some((x, y))
    }

    /// Converts a point of the region to one of the board.
    pub(super) fn outside(self, (x, y): (u16, u16)) -> (u16, u16) {
        (x + self.x, y + self.y)
    }
}

/// Checks that every move is on the board, and on no stone. With captures, points become free again, so only the
/// game can check the latter.
pub(super) fn check(moves: &[(u16, u16)], size: u16, captures: bool) -> Result<(), Unplayable> {
    let mut seen = std::collections::BTreeSet::new();
    for (number, &(x, y)) in moves.iter().enumerate() {
        if x >= size || y >= size {
            return Err(Unplayable::OffTheBoard(number));
        }
        if !captures && !seen.insert((x, y)) {
            return Err(Unplayable::Taken(number));
        }
    }
    Ok(())
}
