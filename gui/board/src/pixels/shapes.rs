//! List of outlines with their colours: a picture, whoever draws it.
//!
//! Everything is in whole steps of 1/256 of a pixel. So two machines whose arithmetic differs in the last place of a number
//! draw the same, equal frames are known as equal before they are drawn, and the numbers of an SVG are short.

use egui::{Color32, Pos2, Rect, vec2};

use super::Size;

/// Steps in a pixel.
pub const STEPS: i32 = 256;
/// Further from the corner of the picture nothing is told apart, in pixels.
const FAR: f32 = 16_000.0;

/// How far a bend's handles are from its ends, for a quarter of a circle.
pub const HANDLE: f32 = 0.552_284_8;

/// A length in steps. What lies between two steps is not cut in their middle, where round numbers come to lie.
pub fn steps(pixels: f32) -> i32 {
    if pixels.is_nan() { 0 } else { (pixels.clamp(-FAR, FAR) * STEPS as f32 + 0.513).floor() as i32 }
}

/// A place, in steps from the upper left corner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Point {
    /// To the right.
    pub x: i32,
    /// Down.
    pub y: i32,
}

impl Point {
    /// The place that lies so many pixels from the corner.
    pub fn at(pixels: Pos2) -> Point {
        Point { x: steps(pixels.x), y: steps(pixels.y) }
    }

    /// In pixels: exact, as the numbers are small.
    pub fn pixels(self) -> (f32, f32) {
        (self.x as f32 / STEPS as f32, self.y as f32 / STEPS as f32)
    }
}

/// A part of a line with bends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verb {
    /// Begins a line here.
    Move(Point),
    /// A straight line to here.
    Line(Point),
    /// A quadratic curve: its handle and its end.
    Quad(Point, Point),
    /// A cubic curve: its handles and its end.
    Cubic(Point, Point, Point),
    /// A straight line to the beginning.
    Close,
}

/// A triangle's corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Vertex {
    /// Where it is.
    pub at: Point,
    /// Its colour.
    pub color: Color32,
}

/// What is drawn, apart from its colours.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Outline {
    /// A circle.
    Circle {
        /// Its middle.
        center: Point,
        /// Its radius, in steps.
        radius: i32,
    },
    /// With the radii of its corners, from the upper left one clockwise.
    Rect {
        /// The upper left corner.
        min: Point,
        /// The lower right corner.
        max: Point,
        /// In steps.
        radii: [i32; 4],
    },
    /// Straight lines.
    Polygon {
        /// Their ends.
        points: Vec<Point>,
        /// Whether the last one is joined to the first.
        closed: bool,
    },
    /// Lines with bends.
    Curve(Vec<Verb>),
    /// The letters of one text in one colour.
    Text(Vec<Verb>),
    /// Triangles between whose corners the colours flow. Their edges are not smoothed, so that none is seen where two meet.
    Triangles(Vec<[Vertex; 3]>),
}

/// What goes along an outline, half of it on each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pen {
    /// How wide it is, in steps.
    pub width: i32,
    /// Its colour.
    pub color: Color32,
}

/// What is seen of a shape, in whole pixels; the maxima are not part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Clip {
    /// The first column.
    pub left: i32,
    /// The first row.
    pub top: i32,
    /// The column after the last.
    pub right: i32,
    /// The row after the last.
    pub bottom: i32,
}

impl Clip {
    /// Whether nothing is seen.
    pub fn is_empty(self) -> bool {
        self.right <= self.left || self.bottom <= self.top
    }

    /// What both show.
    pub fn within(self, other: Clip) -> Clip {
        Clip {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    /// The smallest one around both.
    pub fn around(self, other: Clip) -> Clip {
        Clip {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// Whether all of the other is seen.
    pub fn holds(self, other: Clip) -> bool {
        other.within(self) == other
    }
}

/// One shape of a picture.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Item {
    /// What is drawn.
    pub outline: Outline,
    /// Of triangles, their corners have the colours.
    pub fill: Color32,
    /// What goes along the outline.
    pub pen: Option<Pen>,
    /// `None` when all of it is seen.
    pub clip: Option<Clip>,
}

/// A picture: its shapes, the lowest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShapeList {
    /// Its size.
    pub size: Size,
    /// The colour behind the shapes.
    pub ground: Color32,
    /// The shapes.
    pub items: Vec<Item>,
}

impl ShapeList {
    /// All of it.
    pub fn area(&self) -> Clip {
        Clip { left: 0, top: 0, right: self.size.width as i32, bottom: self.size.height as i32 }
    }
}

impl Outline {
    /// The pixels that it touches, with a pen so wide, and one more on each side.
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

/// A rectangle with round corners as a line with bends.
pub fn rounded(rect: Rect, radii: [f32; 4], place: impl Fn(Pos2) -> Point) -> Vec<Verb> {
    let corners = [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom()];
    let ways = [vec2(0.0, -1.0), vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(-1.0, 0.0)];
    let mut verbs = Vec::with_capacity(9);
    for (index, corner) in corners.into_iter().enumerate() {
        // The line comes along `way` and leaves along the next one.
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
