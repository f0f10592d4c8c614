//! Conversion of egui's shapes to a picture.
//!
//! Lines and rectangles are aligned to whole pixels by the same rules as in a window, so that they are as sharp.

use egui::emath::GuiRounding;
use egui::epaint::{
    CircleShape, ClippedShape, ColorMode, CubicBezierShape, EllipseShape, PathShape, PathStroke, RectShape,
    TextShape,
};
use egui::{Color32, Mesh, Pos2, Rect, Shape, Stroke, StrokeKind, TextureId, Vec2, pos2, vec2};

use super::Size;
use super::shapes::{Clip, HANDLE, Item, Outline, Pen, Point, ShapeList, Verb, Vertex, rounded, steps};
use super::text_outlines::TextOutlines;

/// Converts shapes that were painted on `ground`, with `scale` pixels in a point.
pub fn take(
    shapes: &[ClippedShape],
    size: Size,
    scale: f32,
    ground: Color32,
    letters: &mut TextOutlines,
) -> ShapeList {
    let picture = ShapeList { size, ground, items: Vec::new() };
    let area = picture.area();
    let mut taker = ShapeCollector { picture, scale, letters, clip: area, area };
    for shape in shapes {
        let rect = shape.clip_rect * scale;
        // A window's graphics card also clips at whole pixels.
        let cut = |pixels: f32| pixels.clamp(-1e6, 1e6).round() as i32;
        let clip = Clip {
            left: cut(rect.min.x),
            top: cut(rect.min.y),
            right: cut(rect.max.x),
            bottom: cut(rect.max.y),
        };
        taker.clip = clip.within(area);
        if !taker.clip.is_empty() {
            taker.shape(&shape.shape);
        }
    }
    taker.picture
}

struct ShapeCollector<'a> {
    picture: ShapeList,
    scale: f32,
    letters: &'a mut TextOutlines,
    clip: Clip,
    area: Clip,
}

impl ShapeCollector<'_> {
    fn add(&mut self, outline: Outline, fill: Color32, stroke: Stroke) {
        let pen = (!stroke.is_empty())
            .then(|| Pen { width: steps(stroke.width * self.scale).max(1), color: stroke.color });
        let colored = matches!(outline, Outline::Triangles(_));
        if fill == Color32::TRANSPARENT && pen.is_none() && !colored {
            return;
        }
        let bounds = outline.bounds(pen.map_or(0, |pen| pen.width));
        if bounds.within(self.clip).is_empty() {
            return;
        }
        let clip = (!self.clip.holds(bounds.within(self.area))).then_some(self.clip);
        self.picture.items.push(Item { outline, fill, pen, clip });
    }

    fn point(&self, at: Pos2) -> Point {
        Point::at(at * self.scale)
    }

    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Noop | Shape::Callback(_) => {}
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| self.shape(shape)),
            Shape::Circle(circle) => self.circle(*circle),
            Shape::Ellipse(ellipse) => self.ellipse(*ellipse),
            Shape::LineSegment { points, stroke } => self.segment(*points, *stroke),
            Shape::Path(path) => self.path(path),
            Shape::Band(band) => {
                let upper = band.points.iter().map(|point| pos2(point.x, point.y.min));
                let lower = band.points.iter().rev().map(|point| pos2(point.x, point.y.max));
                let points = upper.chain(lower).map(|at| self.point(at)).collect();
                self.add(Outline::Polygon { points, closed: true }, band.fill, band.stroke);
            }
            Shape::Rect(rect) => self.rect(rect),
            Shape::Text(text) => self.text(text),
            Shape::Mesh(mesh) => self.mesh(mesh),
            Shape::QuadraticBezier(bend) => {
                let [a, b, c] = bend.points;
                let third = |from: Pos2, to: Pos2| from + (to - from) * (2.0 / 3.0);
                let points = [a, third(a, b), third(c, b), c];
                self.bezier(points, bend.closed, bend.fill, &bend.stroke);
            }
            Shape::CubicBezier(CubicBezierShape { points, closed, fill, stroke }) => {
                self.bezier(*points, *closed, *fill, stroke);
            }
        }
    }

    /// A circle's stroke lies outside of it.
    fn circle(&mut self, circle: CircleShape) {
        if circle.radius <= 0.0 {
            return;
        }
        let center = self.point(circle.center);
        let disc = |radius: f32, scale: f32| Outline::Circle { center, radius: steps(radius * scale) };
        self.add(disc(circle.radius, self.scale), circle.fill, Stroke::NONE);
        let middle = circle.radius + circle.stroke.width / 2.0;
        self.add(disc(middle, self.scale), Color32::TRANSPARENT, circle.stroke);
    }

    fn ellipse(&mut self, ellipse: EllipseShape) {
        let (cos, sin) = (libm::cosf(ellipse.angle), libm::sinf(ellipse.angle));
        let verbs = |radius: Vec2, scale: f32| {
            let at = |x: f32, y: f32| {
                let (x, y) = (x * radius.x, y * radius.y);
                Point::at((ellipse.center + vec2(x * cos - y * sin, x * sin + y * cos)) * scale)
            };
            let h = HANDLE;
            vec![
                Verb::Move(at(1.0, 0.0)),
                Verb::Cubic(at(1.0, h), at(h, 1.0), at(0.0, 1.0)),
                Verb::Cubic(at(-h, 1.0), at(-1.0, h), at(-1.0, 0.0)),
                Verb::Cubic(at(-1.0, -h), at(-h, -1.0), at(0.0, -1.0)),
                Verb::Cubic(at(h, -1.0), at(1.0, -h), at(1.0, 0.0)),
                Verb::Close,
            ]
        };
        self.add(Outline::Curve(verbs(ellipse.radius, self.scale)), ellipse.fill, Stroke::NONE);
        let middle = ellipse.radius + Vec2::splat(ellipse.stroke.width / 2.0);
        self.add(Outline::Curve(verbs(middle, self.scale)), Color32::TRANSPARENT, ellipse.stroke);
    }

    fn segment(&mut self, [mut a, mut b]: [Pos2; 2], stroke: Stroke) {
        if a.x == b.x {
            stroke.round_center_to_pixel(self.scale, &mut a.x);
            b.x = a.x;
        }
        if a.y == b.y {
            stroke.round_center_to_pixel(self.scale, &mut a.y);
            b.y = a.y;
        }
        let points = vec![self.point(a), self.point(b)];
        self.add(Outline::Polygon { points, closed: false }, Color32::TRANSPARENT, stroke);
    }

    fn path(&mut self, path: &PathShape) {
        let points: Vec<Point> = path.points.iter().map(|at| self.point(*at)).collect();
        if points.len() < 2 {
            return;
        }
        let stroke = plain(&path.stroke, &path.points);
        if path.closed && path.stroke.kind == StrokeKind::Middle {
            self.add(Outline::Polygon { points, closed: true }, path.fill, stroke);
            return;
        }
        if path.closed {
            self.add(Outline::Polygon { points: points.clone(), closed: true }, path.fill, Stroke::NONE);
        }
        // Inside and outside strokes are drawn in the middle; the difference of half a width shows only on rectangles.
        self.add(Outline::Polygon { points, closed: path.closed }, Color32::TRANSPARENT, stroke);
    }

    fn rect(&mut self, shape: &RectShape) {
        let RectShape { mut rect, mut fill, mut stroke, corner_radius, stroke_kind, angle, .. } = *shape;
        let scale = self.scale;
        let pixel = 1.0 / scale;
        rect.min = rect.min.max(pos2(-1e7, -1e7));
        rect.max = rect.max.min(pos2(1e7, 1e7));
        if !rect.is_positive() {
            return;
        }
        if stroke.is_empty() {
            stroke = Stroke::NONE;
        } else {
            let around = match stroke_kind {
                StrokeKind::Inside => rect,
                StrokeKind::Middle => rect.expand(stroke.width * 0.5),
                StrokeKind::Outside => rect.expand(stroke.width),
            };
            if around.size().min_elem() <= 2.0 * stroke.width + 0.5 * pixel {
                // The stroke covers the inside.
                (rect, fill, stroke) = (around, stroke.color, Stroke::NONE);
            }
        }
        if angle == 0.0 && stroke == Stroke::NONE && rect.size().min_elem() <= 2.0 * pixel {
            let along = if rect.width() <= 2.0 * pixel {
                ([rect.center_top(), rect.center_bottom()], rect.width())
            } else {
                ([rect.left_center(), rect.right_center()], rect.height())
            };
            return self.segment(along.0, Stroke::new(along.1, fill));
        }
        if shape.round_to_pixels.unwrap_or(true) {
            rect = match stroke_kind {
                StrokeKind::Middle if stroke != Stroke::NONE => {
                    let round = |mut at: Pos2| {
                        stroke.round_center_to_pixel(scale, &mut at.x);
                        stroke.round_center_to_pixel(scale, &mut at.y);
                        at
                    };
                    Rect::from_min_max(round(rect.min), round(rect.max))
                }
                _ => rect.round_to_pixels(scale),
            };
        }
        let radii = [corner_radius.nw, corner_radius.ne, corner_radius.se, corner_radius.sw].map(f32::from);
        self.corners(rect, radii, angle, fill, Stroke::NONE);
        let out = match stroke_kind {
            StrokeKind::Inside => -0.5,
            StrokeKind::Middle => 0.0,
            StrokeKind::Outside => 0.5,
        };
        let by = out * stroke.width;
        let radii = radii.map(|radius| if radius > 0.0 { (radius + by).max(0.0) } else { 0.0 });
        self.corners(rect.expand(by), radii, angle, Color32::TRANSPARENT, stroke);
    }

    fn corners(&mut self, rect: Rect, radii: [f32; 4], angle: f32, fill: Color32, stroke: Stroke) {
        let most = rect.size().min_elem() / 2.0;
        let radii = radii.map(|radius| radius.clamp(0.0, most.max(0.0)));
        if angle == 0.0 {
            let (min, max) = (self.point(rect.min), self.point(rect.max));
            let radii = radii.map(|radius| steps(radius * self.scale));
            return self.add(Outline::Rect { min, max, radii }, fill, stroke);
        }
        let (cos, sin) = (libm::cosf(angle), libm::sinf(angle));
        let turned = |at: Pos2| {
            let from = at - rect.center();
            self.point(rect.center() + vec2(from.x * cos - from.y * sin, from.x * sin + from.y * cos))
        };
        let verbs = rounded(rect, radii, turned);
        self.add(Outline::Curve(verbs), fill, stroke);
    }

    fn bezier(&mut self, points: [Pos2; 4], closed: bool, fill: Color32, stroke: &PathStroke) {
        let ends = plain(stroke, &points);
        let [a, b, c, d] = points.map(|at| self.point(at));
        let mut verbs = vec![Verb::Move(a), Verb::Cubic(b, c, d)];
        if closed {
            verbs.push(Verb::Close);
        }
        self.add(Outline::Curve(verbs), fill, ends);
    }

    fn text(&mut self, text: &TextShape) {
        // A row's mesh contains backgrounds and strike-throughs as well as the glyphs' images, which are left out.
        let corner = text.pos.round_to_pixels(self.scale);
        for row in &text.galley.rows {
            let visuals = &row.visuals;
            let lines = visuals.mesh.indices.chunks_exact(3).filter(|triangle| {
                !triangle.iter().any(|index| visuals.glyph_vertex_range.contains(&(*index as usize)))
            });
            let vertex = |index: &u32| {
                let vertex = visuals.mesh.vertices.get(*index as usize)?;
                let placeholder = vertex.color == Color32::PLACEHOLDER;
                let color = if placeholder { text.fallback_color } else { vertex.color };
                let at = corner + row.pos.to_vec2() + vertex.pos.to_vec2();
                Some(Vertex { at: self.point(at), color: color.gamma_multiply(text.opacity_factor.min(1.0)) })
            };
            let triangles = lines.filter_map(|triangle| {
                let [a, b, c] = triangle else { return None };
                Some([vertex(a)?, vertex(b)?, vertex(c)?])
            });
            let triangles: Vec<_> = triangles.collect();
            if !triangles.is_empty() && text.angle == 0.0 {
                self.add(Outline::Triangles(triangles), Color32::TRANSPARENT, Stroke::NONE);
            }
        }
        for (color, verbs) in self.letters.outlines(text, self.scale) {
            self.add(Outline::Text(verbs), color, Stroke::NONE);
        }
        if !text.underline.is_empty() {
            for row in &text.galley.rows {
                let rect = row.visuals.mesh_bounds.translate(corner.to_vec2() + row.pos.to_vec2());
                if rect.is_positive() {
                    self.segment([rect.left_bottom(), rect.right_bottom()], text.underline);
                }
            }
        }
    }

    /// Meshes are coloured triangles; boards paint no images.
    fn mesh(&mut self, mesh: &Mesh) {
        if mesh.texture_id != TextureId::default() {
            return;
        }
        let vertex = |index: u32| {
            let vertex = mesh.vertices.get(index as usize)?;
            Some(Vertex { at: self.point(vertex.pos), color: vertex.color })
        };
        let triangles = mesh.indices.chunks_exact(3).filter_map(|triangle| {
            let corners = [vertex(triangle[0])?, vertex(triangle[1])?, vertex(triangle[2])?];
            corners.iter().any(|corner| corner.color != Color32::TRANSPARENT).then_some(corners)
        });
        self.add(Outline::Triangles(triangles.collect()), Color32::TRANSPARENT, Stroke::NONE);
    }
}

/// A stroke of one colour; of a stroke with a gradient, its middle colour.
fn plain(stroke: &PathStroke, points: &[Pos2]) -> Stroke {
    let color = match &stroke.color {
        ColorMode::Solid(color) => *color,
        ColorMode::UV(at) => {
            let bounds = Rect::from_points(points);
            at(bounds, bounds.center())
        }
    };
    Stroke::new(stroke.width, color)
}
