//! Robot of λ-Shark: a shark seen from above. Red ones are angular with a filled arrow on the back, blue ones round
//! with an open one.

use std::f32::consts::TAU;

use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};
use grandstand_protocol::shark::Team;
use grandstand_story::games::shark::text::HEALTH;

use crate::theme::{Palette, mix};

/// Dark outline colour, visible on any ground.
pub(super) const INK: Color32 = Color32::from_rgb(0x0b, 0x12, 0x1a);

/// A shark that looks along `way`. `size` is the side of its tile, in points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shark {
    pub at: Pos2,
    pub way: Vec2,
    pub size: f32,
    pub team: Team,
    pub alpha: f32,
}

impl Shark {
    /// A point of the shark in tiles: `x` towards the nose, `y` to its right.
    fn point(&self, x: f32, y: f32) -> Pos2 {
        self.at + (self.way * x + self.way.rot90() * y) * self.size
    }

    fn fade(&self, color: Color32) -> Color32 {
        color.gamma_multiply(self.alpha)
    }

    fn polygon(&self, points: &[(f32, f32)]) -> Vec<Pos2> {
        points.iter().map(|(x, y)| self.point(*x, *y)).collect()
    }

    /// Body, fins and tail, each of them convex.
    fn parts(&self) -> Vec<Vec<Pos2>> {
        let mut parts = Vec::with_capacity(5);
        for side in [1.0, -1.0] {
            let fin: &[(f32, f32)] = match self.team {
                Team::Red => &[(0.12, 0.12), (-0.14, 0.37), (-0.22, 0.37), (-0.12, 0.10)],
                Team::Blue => &[(0.14, 0.14), (0.02, 0.34), (-0.10, 0.38), (-0.10, 0.12)],
            };
            let fin: Vec<(f32, f32)> = fin.iter().map(|(x, y)| (*x, y * side)).collect();
            parts.push(self.polygon(&fin));
            let tail = match self.team {
                Team::Red => [(-0.28, 0.0), (-0.42, 0.20 * side), (-0.48, 0.19 * side), (-0.40, 0.0)],
                Team::Blue => {
                    [(-0.28, 0.03 * side), (-0.40, 0.20 * side), (-0.47, 0.18 * side), (-0.43, 0.0)]
                }
            };
            parts.push(self.polygon(&tail));
        }
        parts.push(match self.team {
            Team::Red => self.polygon(&[
                (0.50, 0.0),
                (0.14, 0.21),
                (-0.06, 0.19),
                (-0.36, 0.04),
                (-0.36, -0.04),
                (-0.06, -0.19),
                (0.14, -0.21),
            ]),
            Team::Blue => {
                // Half a circle in front, narrowing to the tail.
                let mut body: Vec<(f32, f32)> = (0..=10)
                    .map(|step| TAU * (step as f32 / 20.0 - 0.25))
                    .map(|angle| (0.20 + 0.25 * libm::cosf(angle), 0.205 * libm::sinf(angle)))
                    .collect();
                body.extend([(0.0, 0.19), (-0.22, 0.10), (-0.36, 0.035)]);
                body.extend([(-0.36, -0.035), (-0.22, -0.10), (0.0, -0.19)]);
                self.polygon(&body)
            }
        });
        parts
    }

    /// Paints the shark.
    pub(super) fn paint(&self, painter: &Painter, palette: &Palette) {
        let colors = palette.squad(self.team);
        let parts = self.parts();
        let rim = Stroke::new((self.size * 0.13).max(2.4), self.fade(colors.accent));
        for part in &parts {
            painter.add(Shape::convex_polygon(part.clone(), self.fade(colors.accent), rim));
        }
        for part in parts {
            painter.add(Shape::convex_polygon(part, self.fade(colors.piece), Stroke::NONE));
        }
        let mark = self.fade(colors.mark);
        match self.team {
            Team::Red => {
                let arrow = self.polygon(&[(0.33, 0.0), (0.02, 0.13), (0.02, -0.13)]);
                painter.add(Shape::convex_polygon(arrow, mark, Stroke::NONE));
            }
            Team::Blue => {
                let arrow = self.polygon(&[(0.08, 0.12), (0.29, 0.0), (0.08, -0.12)]);
                painter.add(Shape::line(arrow, Stroke::new((self.size * 0.075).max(1.3), mark)));
            }
        }
    }

    /// Paints its shadow on the ground.
    pub(super) fn paint_shadow(&self, painter: &Painter) {
        let below = Shark { at: self.at + vec2(0.05, 0.08) * self.size, ..*self };
        for part in below.parts() {
            let dark = Color32::from_black_alpha((70.0 * self.alpha) as u8);
            painter.add(Shape::convex_polygon(part, dark, Stroke::NONE));
        }
    }
}

/// Health of a robot: bright cells of at least three.
pub(super) fn paint_health(painter: &Painter, center: Pos2, size: f32, health: u8) {
    let cells = HEALTH.max(health.min(9));
    let (cell, gap) = (vec2(0.17, 0.10) * size, 0.05 * size);
    let width = f32::from(cells) * cell.x + f32::from(cells - 1) * gap;
    let plate = Rect::from_center_size(center, vec2(width, cell.y) + Vec2::splat(size * 0.07));
    painter.rect_filled(plate, size * 0.05, INK.gamma_multiply(0.85));
    let full = match health {
        0 | 1 => Color32::from_rgb(0xff, 0xb0, 0x4d),
        2 => Color32::from_rgb(0xf2, 0xe6, 0x7a),
        _ => Color32::from_rgb(0x8f, 0xe8, 0xa4),
    };
    for n in 0..cells {
        let min = pos2(center.x - width / 2.0 + f32::from(n) * (cell.x + gap), center.y - cell.y / 2.0);
        let color = if n < health { full } else { Color32::from_rgb(0x3c, 0x48, 0x55) };
        painter.rect_filled(Rect::from_min_size(min, cell), size * 0.02, color);
    }
}

/// A powerup: a coin with a plus.
pub(super) fn paint_powerup(painter: &Painter, palette: &Palette, center: Pos2, radius: f32) {
    let gold = if palette.is_dark {
        Color32::from_rgb(0xff, 0xd2, 0x57)
    } else {
        Color32::from_rgb(0xf2, 0xb8, 0x20)
    };
    let rim = mix(gold, Color32::WHITE, 0.55);
    painter.circle(center, radius, gold, Stroke::new((radius * 0.2).max(1.0), rim));
    painter.circle_stroke(
        center,
        radius * 1.12,
        Stroke::new((radius * 0.12).max(1.0), INK.gamma_multiply(0.7)),
    );
    let pen = Stroke::new((radius * 0.32).max(1.4), INK);
    for way in [vec2(1.0, 0.0), vec2(0.0, 1.0)] {
        painter.line_segment([center - way * radius * 0.55, center + way * radius * 0.55], pen);
    }
}

/// A small shark as the emblem of a team's robots.
pub(super) fn paint_emblem(painter: &Painter, palette: &Palette, center: Pos2, size: f32, team: Team) {
    Shark { at: center, way: vec2(1.0, 0.0), size: size * 1.05, team, alpha: 1.0 }.paint(painter, palette);
}
