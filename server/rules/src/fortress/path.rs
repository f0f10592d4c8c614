//! Paths of projectiles (section 2.10.1).

use grandstand_protocol::fortress::{Elevation, Square};

use super::map::Map;
use super::rules::Rules;

/// The end of a projectile's path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Landing {
    /// The square in which it stopped; the shooter's own if it was blocked at once.
    pub stop: Square,
    /// Whether it hits the unit on that square.
    pub hits: bool,
}

/// The squares of Bresenham's line between two squares, without the first and with the last. All are on the board,
/// each is farther from the first than the one before, and the line of the mirrored squares is the mirrored line.
pub(super) fn line(from: Square, to: Square) -> impl Iterator<Item = Square> {
    let (dx, dy) = (to.x() - from.x(), to.y() - from.y());
    let (step_x, step_y) = (dx.signum(), dy.signum());
    let (dx, dy) = (i32::from(dx).abs(), -i32::from(dy).abs());
    let mut error = dx + dy;
    let mut at = from;
    std::iter::from_fn(move || {
        if at == to {
            return None;
        }
        let twice = 2 * error;
        let (mut x, mut y) = (0, 0);
        if twice >= dy {
            error += dy;
            x = step_x;
        }
        if twice <= dx {
            error += dx;
            y = step_y;
        }
        at = at.offset(x, y)?;
        Some(at)
    })
}

/// Whether a square is high for projectiles: a ramp counts as high ground.
fn is_high(map: &Map, at: Square) -> bool {
    map.elevation(at) != Elevation::Low
}

/// The landing of a projectile of this range that is fired at `target`, which is another square than `from`.
pub fn fly(
    rules: &Rules,
    map: &Map,
    is_taken: impl Fn(Square) -> bool,
    from: Square,
    target: Square,
    range: i32,
) -> Landing {
    let (from_high, target_high) = (is_high(map, from), is_high(map, target));
    let range = match (from_high, target_high) {
        (false, true) => range + rules.low_range_bonus,
        (true, false) => range + rules.high_range_bonus,
        _ => range,
    };
    let reach = range.max(0).unsigned_abs().pow(2);
    // A projectile from low ground to low ground flies low; any other passes over low ground.
    let flies_low = !from_high && !target_high;
    let mut stop = from;
    for at in line(from, target) {
        if from.distance_squared(at) > reach || (flies_low && is_high(map, at)) {
            break;
        }
        stop = at;
        if at == target || (is_taken(at) && is_high(map, at) != flies_low) {
            return Landing { stop, hits: true };
        }
    }
    Landing { stop, hits: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_to(from: Square, to: Square) -> Vec<Square> {
        line(from, to).collect()
    }

    #[test]
    fn a_line_leads_by_neighbours_to_its_end() {
        let centers = [(0, 0), (-3, 2), (25, 12), (-25, -12), (7, -11)];
        for from in centers.into_iter().filter_map(|(x, y)| Square::new(x, y)) {
            assert_eq!(from_to(from, from), []);
            for to in Square::all().filter(|&to| to != from) {
                let squares = from_to(from, to);
                assert_eq!(squares.len(), usize::from(from.steps_apart(to)));
                assert_eq!(squares.last(), Some(&to));
                let mut before = from;
                for at in squares {
                    assert_eq!(before.steps_apart(at), 1);
                    assert!(from.distance_squared(at) > from.distance_squared(before));
                    // Never more than one square away from the straight line.
                    let cross = |place: Square| {
                        let (ax, ay) = (i32::from(to.x() - from.x()), i32::from(to.y() - from.y()));
                        let (bx, by) = (i32::from(place.x() - from.x()), i32::from(place.y() - from.y()));
                        (ax * by - ay * bx).abs()
                    };
                    assert!(cross(at) <= i32::from(from.steps_apart(to)));
                    before = at;
                }
            }
        }
    }

    #[test]
    fn the_mirrored_line_is_the_line_of_the_mirrored_squares() {
        let from = Square::new(-4, 3).expect("a square");
        for to in Square::all() {
            let mirrored: Vec<Square> = from_to(from, to).into_iter().map(Square::mirrored).collect();
            assert_eq!(from_to(from.mirrored(), to.mirrored()), mirrored);
        }
    }

    #[test]
    fn a_flat_line_of_the_textbook() {
        let start = Square::new(0, 0).expect("a square");
        let end = Square::new(5, 2).expect("a square");
        let squares: Vec<(i8, i8)> = from_to(start, end).into_iter().map(|at| (at.x(), at.y())).collect();
        assert_eq!(squares, [(1, 0), (2, 1), (3, 1), (4, 2), (5, 2)]);
    }
}
