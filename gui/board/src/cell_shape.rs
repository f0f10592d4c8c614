//! Shapes of a board's places, for frames around them.

use std::rc::Rc;

use egui::epaint::RectShape;
use egui::{Pos2, Rect, Shape, Stroke, StrokeKind};

use crate::angle::angled;

/// Shape of a place. Frames take the square around the place's contents, as
/// [`BoardPainter::area_of`](crate::BoardPainter::area_of) gives it.
#[derive(Debug, Clone, PartialEq)]
pub enum CellShape {
    /// A square with rounded corners.
    Square,
    /// A hexagon with a corner at the top.
    Hexagon,
    /// A round sign, or a point where lines cross.
    Disc,
    /// Land, with its closed outlines on the screen; frames lie on them.
    Land(Rc<[Vec<Pos2>]>),
}

impl CellShape {
    /// Shapes of a frame around a place, `outside` points from its edge; negative values are inside.
    pub fn frame_shapes(&self, area: Rect, outside: f32, stroke: Stroke) -> Vec<Shape> {
        if *self == CellShape::Square {
            let corners = area.height() * 0.18;
            return vec![RectShape::stroke(area.expand(outside), corners, stroke, StrokeKind::Middle).into()];
        }
        let lines = self.outlines(area, outside).into_iter();
        lines.map(|line| Shape::closed_line(line, stroke)).collect()
    }

    /// Shapes of a dashed frame.
    pub fn dashed_frame_shapes(&self, area: Rect, outside: f32, stroke: Stroke) -> Vec<Shape> {
        let closed = |mut outline: Vec<Pos2>| {
            outline.extend(outline.first().copied());
            Shape::dashed_line(&outline, stroke, 4.0, 3.0)
        };
        self.outlines(area, outside).into_iter().flat_map(closed).collect()
    }

    /// Outlines of the frame.
    fn outlines(&self, area: Rect, outside: f32) -> Vec<Vec<Pos2>> {
        let center = area.center();
        let outline = match self {
            CellShape::Land(lines) => return lines.to_vec(),
            CellShape::Square => {
                let area = area.expand(outside);
                vec![area.left_top(), area.right_top(), area.right_bottom(), area.left_bottom()]
            }
            CellShape::Hexagon => hexagon(center, area.height() * HEXAGON + outside),
            CellShape::Disc => {
                let radius = area.height() * 0.54 + outside;
                (0..40).map(|n| center + angled(std::f32::consts::TAU * n as f32 / 40.0) * radius).collect()
            }
        };
        vec![outline]
    }
}

/// Distance of a hexagon's corners from its centre, in sides of the square around its contents.
const HEXAGON: f32 = 0.66;

/// Outline of a hexagon with a corner at the top and rounded corners.
pub(crate) fn hexagon(center: Pos2, radius: f32) -> Vec<Pos2> {
    use std::f32::consts::{FRAC_PI_3, FRAC_PI_6};

    let mut points = Vec::with_capacity(18);
    for corner in 0..6 {
        let angle = corner as f32 * FRAC_PI_3 + FRAC_PI_6;
        let inner = center + angled(angle) * radius * 0.82;
        for step in -1..=1 {
            points.push(inner + angled(angle + step as f32 * FRAC_PI_6) * radius * 0.18);
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::vec2;

    #[test]
    fn a_frame_follows_the_edge_of_its_place() {
        let area = Rect::from_center_size(egui::pos2(10.0, 10.0), vec2(8.0, 8.0));
        let far = |shape: CellShape| {
            let distances =
                shape.outlines(area, 1.0).remove(0).into_iter().map(|at| at.distance(area.center()));
            distances.fold((f32::INFINITY, 0.0_f32), |(least, most), d| (least.min(d), most.max(d)))
        };
        let (least, most) = far(CellShape::Disc);
        assert!(most - least < 0.01 && (most - 5.32).abs() < 0.01);
        let (least, most) = far(CellShape::Hexagon);
        assert!(least > 4.0 && most < 6.4);
        assert_eq!(CellShape::Hexagon.outlines(area, 0.0)[0].len(), 18);
    }
}
