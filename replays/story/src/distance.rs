//! Distance of two places in the measure of each game.

use std::collections::VecDeque;

use grandstand_protocol::riskless::Scene;
use grandstand_protocol::{Place, abalone, stones};

use crate::format;

/// Distance of two places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distance {
    /// `8 hexes in a line`
    pub words: String,
    /// Turning points of the path, with both ends.
    pub path: Vec<Place>,
}

/// Distance of two places of one board. `None` if a map is needed.
pub fn between(from: Place, to: Place) -> Option<Distance> {
    let squares = |columns: u8, rows: u8| Some(squares([from, to], columns.into(), rows.into()));
    match (from, to) {
        (Place::Hex(a), Place::Hex(b)) => Some(hexes(a, b)),
        (Place::Tile(a), Place::Tile(b)) => squares(a.x().abs_diff(b.x()), a.y().abs_diff(b.y())),
        (Place::Square(a), Place::Square(b)) => squares(a.x().abs_diff(b.x()), a.y().abs_diff(b.y())),
        (Place::Point(a), Place::Point(b)) => Some(points(a, b)),
        (Place::Cell(a), Place::Cell(b)) => squares(a.x().abs_diff(b.x()), a.y().abs_diff(b.y())),
        _ => None,
    }
}

/// Distance of hexes: number of steps.
fn hexes(from: abalone::Hex, to: abalone::Hex) -> Distance {
    let rows = i32::from(to.row()) - i32::from(from.row());
    let diagonals = i32::from(to.diagonal()) - i32::from(from.diagonal());
    let steps = rows.abs().max(diagonals.abs()).max((rows - diagonals).abs());
    let line = if rows == 0 || diagonals == 0 || rows == diagonals { " in a line" } else { "" };
    let words = format::count(u64::from(steps.unsigned_abs()), "hex", "hexes") + line;
    Distance { words, path: vec![Place::Hex(from), Place::Hex(to)] }
}

/// Distance of squares with this difference of columns and rows.
fn squares(ends: [Place; 2], columns: u32, rows: u32) -> Distance {
    let by_sides = format::count(u64::from(columns + rows), "step", "steps");
    let words = if columns == 0 || rows == 0 {
        format!("{by_sides} in a line")
    } else {
        format!("{by_sides} by sides, {} with diagonals; {columns} × {rows}", columns.max(rows))
    };
    Distance { words, path: ends.into() }
}

/// Distance of points of a board with stones.
fn points(from: stones::Point, to: stones::Point) -> Distance {
    let (columns, rows) = (from.x().abs_diff(to.x()), from.y().abs_diff(to.y()));
    let apart = columns.max(rows);
    let words = if columns == 0 || rows == 0 || columns == rows {
        format!("{} in a row, both ends counted", format::count(u64::from(apart) + 1, "point", "points"))
    } else {
        format!("{} apart; {columns} × {rows}", format::count(u64::from(apart), "point", "points"))
    };
    Distance { words, path: vec![Place::Point(from), Place::Point(to)] }
}

/// Distance of territories: number of roads on the shortest path.
pub fn roads(scene: &Scene, from: u8, to: u8) -> Distance {
    let mut before = [None; 256];
    let mut queue = VecDeque::from([from]);
    before[usize::from(from)] = Some(from);
    while let Some(here) = queue.pop_front() {
        for road in scene.roads() {
            let next = match here {
                here if here == road.a => road.b,
                here if here == road.b => road.a,
                _ => continue,
            };
            if before[usize::from(next)].is_none() {
                before[usize::from(next)] = Some(here);
                queue.push_back(next);
            }
        }
    }
    let mut path = vec![Place::Territory(to)];
    let mut here = to;
    while let Some(previous) = before[usize::from(here)].filter(|previous| *previous != here) {
        path.push(Place::Territory(previous));
        here = previous;
    }
    if here != from {
        return Distance {
            words: "no way by road".to_owned(),
            path: vec![Place::Territory(from), Place::Territory(to)],
        };
    }
    path.reverse();
    let words = format::count(path.len() as u64 - 1, "road", "roads");
    Distance { words, path }
}
