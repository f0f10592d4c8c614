//! Arcs: the borders between the territories of a grid, each once, from one junction of borders to the next.

use std::collections::BTreeSet;

use super::grid::Grid;

type Corner = (i32, i32);

/// A line along the edges of cells, with the territories to its left and right.
pub(super) struct Arc {
    pub left: Option<u8>,
    pub right: Option<u8>,
    pub points: Vec<Corner>,
}

/// Directions from a corner, clockwise from the right.
const WAYS: [Corner; 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// Returns all arcs in a fixed order.
pub(super) fn trace(grid: &Grid) -> Vec<Arc> {
    let sides = |corner: Corner, way: usize| sides(grid, corner, way);
    let is_line = |corner: Corner, way: usize| {
        let (left, right) = sides(corner, way);
        left != right
    };
    let lines = |corner: Corner| (0..4).filter(|way| is_line(corner, *way)).count();
    let corners = (0..=grid.height as i32).flat_map(|y| (0..=grid.width as i32).map(move |x| (x, y)));
    let corners: Vec<Corner> = corners.filter(|corner| lines(*corner) > 0).collect();
    // Key of an edge: its upper or left end, and whether it goes down.
    let mut taken: BTreeSet<(Corner, bool)> = BTreeSet::new();
    let edge = |(x, y): Corner, way: usize| match way {
        0 => ((x, y), false),
        1 => ((x, y), true),
        2 => ((x - 1, y), false),
        _ => ((x, y - 1), true),
    };
    let mut arcs = Vec::new();
    // Arcs between junctions first, then closed ones.
    for is_closed in [false, true] {
        for start in corners.iter().copied().filter(|corner| is_closed || lines(*corner) != 2) {
            for first in 0..4 {
                if !is_line(start, first) || taken.contains(&edge(start, first)) {
                    continue;
                }
                let (left, right) = sides(start, first);
                let (mut at, mut way) = (start, first);
                let mut points = vec![start];
                loop {
                    taken.insert(edge(at, way));
                    at = (at.0 + WAYS[way].0, at.1 + WAYS[way].1);
                    points.push(at);
                    let next = (0..4).find(|next| *next != (way + 2) % 4 && is_line(at, *next));
                    match next {
                        Some(next) if at != start && lines(at) == 2 => way = next,
                        _ => break,
                    }
                }
                arcs.push(Arc { left, right, points });
            }
        }
    }
    arcs
}

/// Territories to the left and the right of the edge that leaves a corner.
fn sides(grid: &Grid, (x, y): Corner, way: usize) -> (Option<u8>, Option<u8>) {
    let around = [(x, y - 1), (x, y), (x - 1, y), (x - 1, y - 1)];
    let at = |cell: Corner| grid.at(cell.0, cell.1);
    (at(around[way]), at(around[(way + 1) % 4]))
}

impl Arc {
    /// The arc with the fewest points within `tolerance`, by the algorithm of Douglas and Peucker.
    pub(super) fn simplified(&self, tolerance: f64) -> Arc {
        let points = &self.points;
        let last = points.len() - 1;
        let mut keep = vec![false; points.len()];
        (keep[0], keep[last]) = (true, true);
        let mut open = vec![(0, last)];
        // A closed line is split at the point farthest from its start.
        if points[0] == points[last] {
            let far = |n: &usize| {
                let (x, y) = (points[*n].0 - points[0].0, points[*n].1 - points[0].1);
                x * x + y * y
            };
            let middle = (0..last).max_by_key(far).unwrap_or(0);
            keep[middle] = true;
            open = vec![(0, middle), (middle, last)];
        }
        while let Some((from, to)) = open.pop() {
            let far = |n: usize| distance(points[n], points[from], points[to]);
            let farthest = (from + 1..to).max_by(|a, b| far(*a).total_cmp(&far(*b)));
            if let Some(middle) = farthest.filter(|middle| far(*middle) > tolerance) {
                keep[middle] = true;
                open.extend([(from, middle), (middle, to)]);
            }
        }
        let points = points.iter().zip(keep).filter_map(|(point, keep)| keep.then_some(*point)).collect();
        Arc { left: self.left, right: self.right, points }
    }
}

/// Distance of a point from the line between two others.
fn distance(point: Corner, from: Corner, to: Corner) -> f64 {
    let vector = |a: Corner, b: Corner| (f64::from(b.0 - a.0), f64::from(b.1 - a.1));
    let ((px, py), (lx, ly)) = (vector(from, point), vector(from, to));
    let square = lx * lx + ly * ly;
    let part = if square > 0.0 { ((px * lx + py * ly) / square).clamp(0.0, 1.0) } else { 0.0 };
    (px - part * lx).hypot(py - part * ly)
}
