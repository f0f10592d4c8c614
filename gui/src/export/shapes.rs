//! What a picture consists of, whoever draws it: a list of outlines with their colours.
//!
//! Everything is in whole steps of 1/256 of a pixel. So two machines whose arithmetic differs in the last place of a number
//! draw the same, equal frames are known as equal before they are drawn, and the numbers of an SVG are short.

use eframe::egui::{Color32, Pos2};

use super::plan::Size;

/// Steps in a pixel.
pub(super) const STEPS: i32 = 256;
/// Further from the corner of the picture nothing is told apart, in pixels.
const FAR: f32 = 16_000.0;

/// A length in steps. What lies between two steps is not cut in their middle, where round numbers come to lie.
pub(super) fn steps(pixels: f32) -> i32 {
    if pixels.is_nan() { 0 } else { (pixels.clamp(-FAR, FAR) * STEPS as f32 + 0.513).floor() as i32 }
}

/// A place, in steps from the upper left corner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Point {
    pub x: i32,
    pub y: i32,
}

impl Point {
    /// The place that lies so many pixels from the corner.
    pub(super) fn at(pixels: Pos2) -> Point {
        Point { x: steps(pixels.x), y: steps(pixels.y) }
    }

    /// In pixels: exact, as the numbers are small.
    pub(super) fn pixels(self) -> (f32, f32) {
        (self.x as f32 / STEPS as f32, self.y as f32 / STEPS as f32)
    }
}

/// A part of a line with bends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Verb {
    Move(Point),
    Line(Point),
    Quad(Point, Point),
    Cubic(Point, Point, Point),
    Close,
}

/// A triangle's corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Vertex {
    pub at: Point,
    pub color: Color32,
}

/// What is drawn, apart from its colours.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Outline {
    Circle {
        center: Point,
        radius: i32,
    },
    /// With the radii of its corners, from the upper left one clockwise.
    Rect {
        min: Point,
        max: Point,
        radii: [i32; 4],
    },
    Polygon {
        points: Vec<Point>,
        closed: bool,
    },
    Curve(Vec<Verb>),
    /// The letters of one text in one colour.
    Text(Vec<Verb>),
    /// Triangles between whose corners the colours flow. Their edges are not smoothed, so that none is seen where two meet.
    Triangles(Vec<[Vertex; 3]>),
}

/// What goes along an outline, half of it on each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Pen {
    pub width: i32,
    pub color: Color32,
}

/// What is seen of a shape, in whole pixels; the maxima are not part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Clip {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

impl Clip {
    pub(super) fn is_empty(self) -> bool {
        self.right <= self.left || self.bottom <= self.top
    }

    /// What both show.
    pub(super) fn within(self, other: Clip) -> Clip {
        Clip {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    /// The smallest one around both.
    pub(super) fn around(self, other: Clip) -> Clip {
        Clip {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// Whether all of the other is seen.
    pub(super) fn holds(self, other: Clip) -> bool {
        other.within(self) == other
    }
}

/// One shape of a picture.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Item {
    pub outline: Outline,
    /// Of triangles, their corners have the colours.
    pub fill: Color32,
    pub pen: Option<Pen>,
    /// `None` when all of it is seen.
    pub clip: Option<Clip>,
}

/// A picture: its shapes, the lowest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ShapeList {
    pub size: Size,
    pub ground: Color32,
    pub items: Vec<Item>,
}

impl ShapeList {
    /// All of it.
    pub(super) fn area(&self) -> Clip {
        Clip { left: 0, top: 0, right: self.size.width as i32, bottom: self.size.height as i32 }
    }
}

impl Outline {
    /// The pixels that it touches, with a pen so wide, and one more on each side.
    pub(super) fn bounds(&self, pen: i32) -> Clip {
        let mut bounds = Bounds::default();
        match self {
            Outline::Circle { center, radius } => {
                bounds.add(Point { x: center.x - radius, y: center.y - radius });
                bounds.add(Point { x: center.x + radius, y: center.y + radius });
            }
            Outline::Rect { min, max, .. } => {
                bounds.add(*min);
                bounds.add(*max);
            }
            Outline::Polygon { points, .. } => points.iter().for_each(|point| bounds.add(*point)),
            Outline::Curve(verbs) | Outline::Text(verbs) => {
                for verb in verbs {
                    match *verb {
                        Verb::Move(a) | Verb::Line(a) => bounds.add(a),
                        Verb::Quad(a, b) => [a, b].into_iter().for_each(|point| bounds.add(point)),
                        Verb::Cubic(a, b, c) => [a, b, c].into_iter().for_each(|point| bounds.add(point)),
                        Verb::Close => {}
                    }
                }
            }
            Outline::Triangles(triangles) => {
                triangles.iter().flatten().for_each(|vertex| bounds.add(vertex.at));
            }
        }
        bounds.pixels(pen)
    }
}

/// The smallest rectangle around points.
#[derive(Debug, Default)]
struct Bounds(Option<(Point, Point)>);

impl Bounds {
    fn add(&mut self, point: Point) {
        let (min, max) = self.0.get_or_insert((point, point));
        *min = Point { x: min.x.min(point.x), y: min.y.min(point.y) };
        *max = Point { x: max.x.max(point.x), y: max.y.max(point.y) };
    }

    fn pixels(self, pen: i32) -> Clip {
        let Some((min, max)) = self.0 else { return Clip { left: 0, top: 0, right: 0, bottom: 0 } };
        let low = |steps: i32| (steps - pen).div_euclid(STEPS) - 1;
        let high = |steps: i32| (steps + pen).div_euclid(STEPS) + 2;
        Clip { left: low(min.x), top: low(min.y), right: high(max.x), bottom: high(max.y) }
    }
}
