//! List of outlines with their colours: a picture independent of its renderer.
//!
//! All coordinates are integers in steps of 1/256 pixel. So machines whose floating-point results differ in the last
//! bit draw the same, equal frames are recognized before they are drawn, and numbers in an SVG are short.

use egui::{Color32, Pos2, Rect, vec2};

use super::Size;

/// Steps in a pixel.
pub const STEPS: i32 = 256;
/// Distance from the picture's corner at which coordinates are clamped, in pixels.
const FAR: f32 = 16_000.0;

/// Distance of a cubic curve's handles from its ends for a quarter of a circle, in radii.
pub const HANDLE: f32 = 0.552_284_8;

/// A length in steps. The rounding threshold is moved away from the middle between two steps, where round numbers often
/// lie.
pub fn steps(pixels: f32) -> i32 {
    if pixels.is_nan() { 0 } else { (pixels.clamp(-FAR, FAR) * STEPS as f32 + 0.513).floor() as i32 }
}

/// A position in steps from the upper left corner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Point {
    /// To the right.
    pub x: i32,
    /// Down.
    pub y: i32,
}

impl Point {
    /// The position so many pixels from the corner.
    pub fn at(pixels: Pos2) -> Point {
        Point { x: steps(pixels.x), y: steps(pixels.y) }
    }

    /// The position in pixels; exact, as the numbers are small.
    pub fn pixels(self) -> (f32, f32) {
        (self.x as f32 / STEPS as f32, self.y as f32 / STEPS as f32)
    }
}

/// A part of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verb {
    /// Starts a line here.
    Move(Point),
    /// A straight line to here.
    Line(Point),
    /// A quadratic curve: its handle and its end.
    Quad(Point, Point),
    /// A cubic curve: its handles and its end.
    Cubic(Point, Point, Point),
    /// A straight line to the start.
    Close,
}

/// Corner of a triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Vertex {
    /// Position.
    pub at: Point,
    /// Colour.
    pub color: Color32,
}

/// Geometry of a shape.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Outline {
    /// A circle.
    Circle {
        /// Centre.
        center: Point,
        /// Radius, in steps.
        radius: i32,
    },
    /// A rectangle with rounded corners.
    Rect {
        /// Upper left corner.
        min: Point,
        /// Lower right corner.
        max: Point,
        /// Radii of the corners in steps, clockwise from the upper left one.
        radii: [i32; 4],
    },
    /// Straight lines.
    Polygon {
        /// Corners.
        points: Vec<Point>,
        /// Whether the last corner is joined to the first.
        closed: bool,
    },
    /// Lines and curves.
    Curve(Vec<Verb>),
    /// Letters of one text in one colour.
    Text(Vec<Verb>),
    /// Triangles with colours interpolated between the corners. Their edges are not antialiased, so that none shows
    /// where two meet.
    Triangles(Vec<[Vertex; 3]>),
}

/// Stroke along an outline, half of it on each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pen {
    /// Width, in steps.
    pub width: i32,
    /// Colour.
    pub color: Color32,
}

/// Visible part of a shape, in whole pixels; `right` and `bottom` are exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Clip {
    /// First column.
    pub left: i32,
    /// First row.
    pub top: i32,
    /// Column after the last.
    pub right: i32,
    /// Row after the last.
    pub bottom: i32,
}

impl Clip {
    /// Whether nothing is visible.
    pub fn is_empty(self) -> bool {
        self.right <= self.left || self.bottom <= self.top
    }

    /// Intersection of both.
    pub fn within(self, other: Clip) -> Clip {
        Clip {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    /// Smallest rectangle around both.
    pub fn around(self, other: Clip) -> Clip {
        Clip {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// Whether `other` is completely inside.
    pub fn holds(self, other: Clip) -> bool {
        other.within(self) == other
    }
}

/// One shape of a picture.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Item {
    /// Geometry.
    pub outline: Outline,
    /// Fill colour; triangles have colours at their corners instead.
    pub fill: Color32,
    /// Stroke.
    pub pen: Option<Pen>,
    /// Clip; `None` if the whole shape is visible.
    pub clip: Option<Clip>,
}

/// A picture: its shapes, the lowest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShapeList {
    /// Size of the picture.
    pub size: Size,
    /// Background colour.
    pub ground: Color32,
    /// The shapes.
    pub items: Vec<Item>,
}

impl ShapeList {
    /// Rectangle of the whole picture.
    pub fn area(&self) -> Clip {
        Clip { left: 0, top: 0, right: self.size.width as i32, bottom: self.size.height as i32 }
    }
}

impl Outline {
    /// Pixels that the outline touches with a stroke of width `pen` (in steps), with a margin of one pixel.
    pub fn bounds(&self, pen: i32) -> Clip {
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

/// A rectangle with rounded corners as a curve; `place` maps its points.
pub fn rounded(rect: Rect, radii: [f32; 4], place: impl Fn(Pos2) -> Point) -> Vec<Verb> {
    let corners = [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom()];
    let ways = [vec2(0.0, -1.0), vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(-1.0, 0.0)];
    let mut verbs = Vec::with_capacity(9);
    for (index, corner) in corners.into_iter().enumerate() {
        // The line arrives along `way` and leaves along `next`.
        let (way, next, radius) = (ways[index], ways[(index + 1) % 4], radii[index]);
        let (from, to) = (corner - way * radius, corner + next * radius);
        verbs.push(if index == 0 { Verb::Move(place(from)) } else { Verb::Line(place(from)) });
        if radius > 0.0 {
            let handle = radius * (1.0 - HANDLE);
            verbs.push(Verb::Cubic(place(corner - way * handle), place(corner + next * handle), place(to)));
        }
    }
    verbs.push(Verb::Close);
    verbs
}

/// Smallest rectangle around points.
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
