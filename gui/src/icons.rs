//! Icons of buttons, painted as shapes: sharp at every scale, and the same on every machine.

use std::f32::consts::TAU;

use eframe::egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};

/// An icon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Icon {
    Play,
    Pause,
    Start,
    End,
    NextCommand,
    PreviousCommand,
    NextTurn,
    PreviousTurn,
    NextEvent,
    PreviousEvent,
    SkipIdle,
    Flag,
    List,
    Side,
    Help,
    Sun,
    Moon,
    System,
    #[cfg(not(target_arch = "wasm32"))]
    Folder,
    File,
    Menu,
    Folded,
    Unfolded,
    Check,
    Pin,
    Wall,
    Cup,
    Close,
    Plus,
    Minus,
    Whole,
    Fight,
    Loop,
    Share,
    Export,
    Flip,
    Filter,
    Select,
    Warning,
    Error,
}

/// Paints the icon into the largest square in the middle of `rect`.
pub(crate) fn paint(painter: &Painter, icon: Icon, rect: Rect, color: Color32) {
    let size = rect.width().min(rect.height());
    let pen = Pen { painter, origin: rect.center() - Vec2::splat(size / 2.0), size, color };
    match icon {
        Icon::Play => pen.triangle(0.30, 0.82, 0.5, 0.36),
        Icon::Pause => {
            pen.bar(0.27, 0.16, 0.18);
            pen.bar(0.57, 0.16, 0.18);
        }
        Icon::Start => {
            pen.bar(0.20, 0.22, 0.10);
            pen.triangle(0.80, 0.34, 0.5, 0.28);
        }
        Icon::End => {
            pen.bar(0.70, 0.22, 0.10);
            pen.triangle(0.20, 0.66, 0.5, 0.28);
        }
        Icon::NextCommand => pen.chevron(0.40, 0.64),
        Icon::PreviousCommand => pen.chevron(0.60, 0.36),
        Icon::NextTurn => {
            pen.chevron(0.26, 0.50);
            pen.chevron(0.52, 0.76);
        }
        Icon::PreviousTurn => {
            pen.chevron(0.74, 0.50);
            pen.chevron(0.48, 0.24);
        }
        Icon::NextEvent => {
            pen.ring(0.36, 0.5, 0.20);
            pen.arrow(0.62, 0.94);
        }
        Icon::PreviousEvent => {
            pen.ring(0.64, 0.5, 0.20);
            pen.arrow(0.38, 0.06);
        }
        Icon::SkipIdle => {
            pen.line(&[(0.08, 0.66), (0.26, 0.66)]);
            pen.line(&[(0.74, 0.66), (0.92, 0.66)]);
            let arc: Vec<(f32, f32)> = (0..=12)
                .map(|i| i as f32 / 12.0)
                .map(|f| (0.26 + 0.48 * f, 0.62 - 0.30 * (f * TAU / 2.0).sin()))
                .collect();
            pen.line(&arc);
        }
        Icon::Menu => {
            for y in [0.24, 0.5, 0.76] {
                pen.line(&[(0.14, y), (0.86, y)]);
            }
        }
        Icon::Folded => pen.chevron(0.40, 0.64),
        Icon::Unfolded => pen.line(&[(0.24, 0.40), (0.5, 0.64), (0.76, 0.40)]),
        Icon::Flag => {
            pen.line(&[(0.26, 0.12), (0.26, 0.90)]);
            pen.line(&[(0.26, 0.16), (0.80, 0.34), (0.26, 0.54)]);
        }
        Icon::List => {
            for y in [0.26, 0.5, 0.74] {
                pen.line(&[(0.16, y), (0.24, y)]);
                pen.line(&[(0.36, y), (0.86, y)]);
            }
        }
        Icon::Side => {
            pen.frame(0.14, 0.2, 0.72, 0.6);
            pen.line(&[(0.60, 0.2), (0.60, 0.8)]);
        }
        Icon::Help => {
            pen.line(&[
                (0.32, 0.36),
                (0.34, 0.24),
                (0.44, 0.17),
                (0.56, 0.17),
                (0.66, 0.25),
                (0.67, 0.36),
                (0.61, 0.45),
                (0.52, 0.52),
                (0.50, 0.64),
            ]);
            pen.dot(0.5, 0.82, 0.06);
        }
        Icon::Sun => {
            pen.ring(0.5, 0.5, 0.18);
            for i in 0..8 {
                let (sin, cos) = (i as f32 * TAU / 8.0).sin_cos();
                pen.line(&[(0.5 + 0.30 * cos, 0.5 + 0.30 * sin), (0.5 + 0.40 * cos, 0.5 + 0.40 * sin)]);
            }
        }
        Icon::Moon => {
            let outer = (0..=20)
                .map(|i| TAU * (0.14 + 0.72 * i as f32 / 20.0))
                .map(|a| (0.5 + 0.34 * a.cos(), 0.5 + 0.34 * a.sin()));
            let inner = (0..=20)
                .map(|i| TAU * (0.80 - 0.60 * i as f32 / 20.0))
                .map(|a| (0.66 + 0.27 * a.cos(), 0.5 + 0.28 * a.sin()));
            let mut points: Vec<(f32, f32)> = outer.collect();
            points.extend(inner);
            points.push(points[0]);
            pen.line(&points);
        }
        Icon::System => {
            pen.ring(0.5, 0.5, 0.32);
            let half = (0..=16).map(|i| TAU * (0.25 + 0.5 * i as f32 / 16.0));
            pen.fill(&half.map(|a| (0.5 + 0.32 * a.cos(), 0.5 + 0.32 * a.sin())).collect::<Vec<_>>());
        }
        #[cfg(not(target_arch = "wasm32"))]
        Icon::Folder => pen.line(&[
            (0.12, 0.78),
            (0.12, 0.24),
            (0.40, 0.24),
            (0.50, 0.36),
            (0.88, 0.36),
            (0.88, 0.78),
            (0.12, 0.78),
        ]),
        Icon::File => {
            pen.line(&[(0.24, 0.12), (0.58, 0.12), (0.76, 0.30), (0.76, 0.88), (0.24, 0.88), (0.24, 0.12)]);
            pen.line(&[(0.58, 0.12), (0.58, 0.30), (0.76, 0.30)]);
        }
        Icon::Check => pen.line(&[(0.20, 0.54), (0.42, 0.74), (0.80, 0.28)]),
        Icon::Pin => {
            pen.line(&[(0.34, 0.12), (0.66, 0.12)]);
            pen.line(&[(0.40, 0.12), (0.40, 0.44), (0.26, 0.58), (0.74, 0.58), (0.60, 0.44), (0.60, 0.12)]);
            pen.line(&[(0.5, 0.58), (0.5, 0.90)]);
        }
        Icon::Wall => {
            for (x, y) in [(0.14, 0.18), (0.54, 0.18), (0.14, 0.54), (0.54, 0.54)] {
                pen.frame(x, y, 0.32, 0.28);
            }
        }
        Icon::Cup => {
            pen.line(&[(0.26, 0.14), (0.74, 0.14), (0.68, 0.48), (0.5, 0.60), (0.32, 0.48), (0.26, 0.14)]);
            pen.line(&[(0.26, 0.20), (0.10, 0.22), (0.16, 0.38), (0.31, 0.42)]);
            pen.line(&[(0.74, 0.20), (0.90, 0.22), (0.84, 0.38), (0.69, 0.42)]);
            pen.line(&[(0.5, 0.60), (0.5, 0.84)]);
            pen.line(&[(0.30, 0.85), (0.70, 0.85)]);
        }
        Icon::Close => {
            pen.line(&[(0.24, 0.24), (0.76, 0.76)]);
            pen.line(&[(0.76, 0.24), (0.24, 0.76)]);
        }
        Icon::Plus => {
            pen.line(&[(0.18, 0.5), (0.82, 0.5)]);
            pen.line(&[(0.5, 0.18), (0.5, 0.82)]);
        }
        Icon::Minus => pen.line(&[(0.18, 0.5), (0.82, 0.5)]),
        Icon::Whole => {
            for (x, y) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
                let at = |dx: f32, dy: f32| {
                    (0.16 + 0.68 * (x + dx * (1.0 - 2.0 * x)), 0.16 + 0.68 * (y + dy * (1.0 - 2.0 * y)))
                };
                pen.line(&[at(0.0, 0.34), at(0.0, 0.0), at(0.34, 0.0)]);
            }
        }
        Icon::Fight => {
            pen.ring(0.5, 0.5, 0.26);
            pen.dot(0.5, 0.5, 0.07);
            for (x, y) in [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)] {
                pen.line(&[(0.5 + 0.26 * x, 0.5 + 0.26 * y), (0.5 + 0.42 * x, 0.5 + 0.42 * y)]);
            }
        }
        Icon::Loop => {
            let arc = (0..=18).map(|i| TAU * (0.02 + 0.80 * i as f32 / 18.0));
            pen.line(&arc.map(|a| (0.5 + 0.34 * a.cos(), 0.5 + 0.34 * a.sin())).collect::<Vec<_>>());
            pen.line(&[(0.46, 0.06), (0.63, 0.19), (0.49, 0.36)]);
        }
        Icon::Share => {
            pen.line(&[(0.74, 0.24), (0.26, 0.5), (0.74, 0.76)]);
            for (x, y) in [(0.74, 0.24), (0.26, 0.5), (0.74, 0.76)] {
                pen.dot(x, y, 0.12);
            }
        }
        Icon::Export => {
            pen.line(&[(0.5, 0.64), (0.5, 0.12)]);
            pen.line(&[(0.30, 0.32), (0.5, 0.12), (0.70, 0.32)]);
            pen.line(&[(0.16, 0.56), (0.16, 0.86), (0.84, 0.86), (0.84, 0.56)]);
        }
        Icon::Flip => {
            pen.line(&[(0.32, 0.86), (0.32, 0.16)]);
            pen.line(&[(0.14, 0.34), (0.32, 0.16), (0.50, 0.34)]);
            pen.line(&[(0.68, 0.14), (0.68, 0.84)]);
            pen.line(&[(0.50, 0.66), (0.68, 0.84), (0.86, 0.66)]);
        }
        Icon::Filter => {
            for (half, y) in [(0.36, 0.26), (0.23, 0.5), (0.10, 0.74)] {
                pen.line(&[(0.5 - half, y), (0.5 + half, y)]);
            }
        }
        Icon::Select => {
            pen.frame(0.16, 0.16, 0.68, 0.68);
            pen.line(&[(0.32, 0.52), (0.46, 0.66), (0.70, 0.36)]);
        }
        Icon::Warning => {
            pen.line(&[(0.5, 0.14), (0.90, 0.84), (0.10, 0.84), (0.5, 0.14)]);
            pen.line(&[(0.5, 0.40), (0.5, 0.60)]);
            pen.dot(0.5, 0.72, 0.045);
        }
        Icon::Error => {
            pen.ring(0.5, 0.5, 0.38);
            pen.line(&[(0.5, 0.28), (0.5, 0.56)]);
            pen.dot(0.5, 0.70, 0.05);
        }
    }
}

/// Painter in a unit square.
struct Pen<'a> {
    painter: &'a Painter,
    origin: Pos2,
    size: f32,
    color: Color32,
}

impl Pen<'_> {
    fn at(&self, (x, y): (f32, f32)) -> Pos2 {
        self.origin + vec2(x, y) * self.size
    }

    fn stroke(&self) -> Stroke {
        Stroke::new((self.size * 0.09).max(1.3), self.color)
    }

    fn line(&self, points: &[(f32, f32)]) {
        let points = points.iter().map(|p| self.at(*p)).collect();
        self.painter.add(Shape::line(points, self.stroke()));
    }

    fn fill(&self, points: &[(f32, f32)]) {
        let points = points.iter().map(|p| self.at(*p)).collect();
        self.painter.add(Shape::convex_polygon(points, self.color, Stroke::NONE));
    }

    fn bar(&self, x: f32, top: f32, width: f32) {
        let rect = Rect::from_min_max(self.at((x, top)), self.at((x + width, 1.0 - top)));
        self.painter.rect_filled(rect, self.size * 0.05, self.color);
    }

    /// A filled triangle from its flat side at `from` to its tip at `to`, `half` high on either side of `y`.
    fn triangle(&self, from: f32, to: f32, y: f32, half: f32) {
        self.fill(&[(from, y - half), (to, y), (from, y + half)]);
    }

    fn chevron(&self, from: f32, to: f32) {
        self.line(&[(from, 0.22), (to, 0.5), (from, 0.78)]);
    }

    fn arrow(&self, from: f32, to: f32) {
        let back = to - (to - from).signum() * 0.16;
        self.line(&[(from, 0.5), (to, 0.5)]);
        self.line(&[(back, 0.34), (to, 0.5), (back, 0.66)]);
    }

    fn ring(&self, x: f32, y: f32, radius: f32) {
        self.painter.circle_stroke(self.at((x, y)), radius * self.size, self.stroke());
    }

    fn dot(&self, x: f32, y: f32, radius: f32) {
        self.painter.circle_filled(self.at((x, y)), (radius * self.size).max(0.9), self.color);
    }

    fn frame(&self, x: f32, y: f32, width: f32, height: f32) {
        self.line(&[(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]);
    }
}

/// A square of a size around a point.
pub(crate) fn square(center: Pos2, size: f32) -> Rect {
    Rect::from_center_size(pos2(center.x, center.y), Vec2::splat(size))
}
