//! Board: the points and their stones.

use grandstand_protocol::stones::{Point, Size};

use crate::turn::Side;

/// The four directions of rows, as steps in x and y.
pub(super) const AXES: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The eight directions from a point to its neighbours.
pub(super) const WAYS: [(i32, i32); 8] =
    [(1, 0), (0, 1), (1, 1), (1, -1), (-1, 0), (0, -1), (-1, -1), (-1, 1)];

/// A flat array of points, row by row from below.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Board {
    size: Size,
    points: Box<[Option<Side>]>,
}

impl Board {
    pub(super) fn new(size: Size) -> Self {
        let edge = usize::from(size.get());
        Self { size, points: vec![None; edge * edge].into() }
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }

    /// The number of points.
    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    /// The side of the stone on a point; `None` for an empty point and off the board.
    pub(super) fn get(&self, point: Point) -> Option<Side> {
        if self.size.has(point) { self.points[self.index(point)] } else { None }
    }

    /// Sets or removes the stone on a point of the board.
    pub(super) fn set(&mut self, point: Point, stone: Option<Side>) {
        let index = self.index(point);
        if let Some(place) = self.points.get_mut(index) {
            *place = stone;
        }
    }

    /// The index of a point in the array.
    pub(super) fn index(&self, point: Point) -> usize {
        usize::from(point.y()) * usize::from(self.size.get()) + usize::from(point.x())
    }

    /// The point `steps` steps away in a direction; `None` off the board.
    pub(super) fn step(&self, point: Point, (dx, dy): (i32, i32), steps: i32) -> Option<Point> {
        let x = u16::try_from(i32::from(point.x()) + dx * steps).ok()?;
        let y = u16::try_from(i32::from(point.y()) + dy * steps).ok()?;
        Point::new(x, y).filter(|&point| self.size.has(point))
    }

    /// The number of consecutive stones of the side from the next point on, in a direction.
    pub(super) fn run(&self, point: Point, way: (i32, i32), side: Side) -> i32 {
        let is_own = |steps| self.step(point, way, steps).is_some_and(|next| self.get(next) == Some(side));
        (1..).take_while(|&steps| is_own(steps)).count() as i32
    }

    /// The points without a stone, in ascending order.
    pub(super) fn empty(&self) -> impl Iterator<Item = Point> {
        self.all().filter(|(_, stone)| stone.is_none()).map(|(point, _)| point)
    }

    /// The points with a stone, in ascending order.
    pub(super) fn stones(&self) -> impl Iterator<Item = (Point, Side)> {
        self.all().filter_map(|(point, stone)| Some((point, stone?)))
    }

    fn all(&self) -> impl Iterator<Item = (Point, Option<Side>)> {
        let edge = self.size.get();
        let points = (0..edge).flat_map(move |y| (0..edge).filter_map(move |x| Point::new(x, y)));
        points.zip(self.points.iter().copied())
    }
}
