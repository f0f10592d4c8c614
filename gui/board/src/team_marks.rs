//! Marks of the red and the blue team. Red is angular with filled marks, blue is round with open ones, so that they can
//! be told apart without colour.

use std::f32::consts::TAU;

use egui::{Color32, Mesh, Painter, Pos2, Shape, Stroke, vec2};
use grandstand_protocol::team::RedBlue;

use crate::angle::angled;
use crate::theme::Palette;

/// Badge of a team: a diamond with a triangle for red, a disc with a ring for blue.
pub(crate) fn paint_badge(painter: &Painter, palette: &Palette, center: Pos2, radius: f32, squad: RedBlue) {
    let colors = palette.squad(squad);
    paint_plate(
        painter,
        center,
        radius,
        squad,
        colors.piece,
        Stroke::new((radius * 0.16).max(1.2), colors.accent),
    );
    paint_mark(painter, center, radius * 0.5, squad, colors.mark);
}

/// Plate of a team: a diamond or a disc.
pub(crate) fn paint_plate(
    painter: &Painter,
    center: Pos2,
    radius: f32,
    squad: RedBlue,
    fill: Color32,
    rim: Stroke,
) {
    match squad {
        RedBlue::Red => painter.add(Shape::convex_polygon(diamond(center, radius * 1.12), fill, rim)),
        RedBlue::Blue => painter.circle(center, radius - rim.width / 2.0, fill, rim),
    };
}

/// Plate of a token: a square with cut corners, or a disc.
pub(crate) fn paint_token(
    painter: &Painter,
    center: Pos2,
    radius: f32,
    squad: RedBlue,
    fill: Color32,
    rim: Stroke,
) {
    match squad {
        RedBlue::Red => {
            let (side, cut) = (radius * 0.92 - rim.width / 2.0, radius * 0.70);
            let corners = [(side, cut), (cut, side), (-cut, side), (-side, cut)];
            let corners = corners.into_iter().chain(corners.map(|(x, y)| (-x, -y)));
            let points = corners.map(|(x, y)| center + vec2(x, y)).collect();
            painter.add(Shape::convex_polygon(points, fill, rim))
        }
        RedBlue::Blue => painter.circle(center, radius - rim.width / 2.0, fill, rim),
    };
}

/// Mark of a team: a filled triangle or a ring.
pub(crate) fn paint_mark(painter: &Painter, center: Pos2, radius: f32, squad: RedBlue, color: Color32) {
    match squad {
        RedBlue::Red => {
            let corner = |n: f32| center + angled(TAU * (n / 3.0 - 0.25)) * radius * 0.95;
            let center = [corner(0.0), corner(1.0), corner(2.0)];
            painter.add(Shape::convex_polygon(center.to_vec(), color, Stroke::NONE))
        }
        RedBlue::Blue => {
            painter.circle_stroke(center, radius * 0.62, Stroke::new((radius * 0.38).max(1.0), color))
        }
    };
}

/// A flag on a pole, `size` high, standing at `foot`: a pennant for red, a banner with two tails for blue.
pub(crate) fn paint_flag(
    painter: &Painter,
    palette: &Palette,
    foot: Pos2,
    size: f32,
    squad: RedBlue,
    alpha: f32,
) {
    let colors = palette.squad(squad);
    let at = |x: f32, y: f32| foot + vec2(x, -y) * size;
    let fade = |color: Color32| color.gamma_multiply(alpha);
    let dark = fade(Color32::from_rgb(0x10, 0x14, 0x1a));
    let edge = Stroke::new((size * 0.05).max(1.0), fade(colors.mark));
    painter.line_segment([at(0.0, 0.0), at(0.0, 1.0)], Stroke::new((size * 0.13).max(2.2), dark));
    let outline: &[(f32, f32)] = match squad {
        RedBlue::Red => &[(0.0, 1.0), (0.74, 0.74), (0.0, 0.46)],
        // A square banner would look like a box: the notch is what is seen of it at any size.
        RedBlue::Blue => &[(0.0, 1.0), (0.88, 1.0), (0.58, 0.73), (0.88, 0.46), (0.0, 0.46)],
    };
    let cloth = |points: &[(f32, f32)]| points.iter().map(|(x, y)| at(*x, *y)).collect::<Vec<Pos2>>();
    // Each part of it is convex.
    for part in outline.windows(2).map(|edge| [(0.0, 0.73), edge[0], edge[1]]) {
        painter.add(Shape::convex_polygon(cloth(&part), fade(colors.piece), Stroke::NONE));
    }
    painter.add(Shape::closed_line(cloth(outline), edge));
    painter
        .line_segment([at(0.0, 0.0), at(0.0, 1.0)], Stroke::new((size * 0.06).max(1.1), fade(colors.mark)));
}

/// A part of a ring, clockwise from the top; 1 is the whole ring.
pub(crate) fn arc(center: Pos2, radius: f32, part: f32, stroke: Stroke) -> Shape {
    let steps = (48.0 * part).ceil().max(1.0) as u32;
    let angle = |n: u32| TAU * (part * n as f32 / steps as f32 - 0.25);
    Shape::line((0..=steps).map(|n| center + angled(angle(n)) * radius).collect(), stroke)
}

/// A square with a corner at the top.
pub(crate) fn diamond(center: Pos2, radius: f32) -> Vec<Pos2> {
    [vec2(0.0, -1.0), vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(-1.0, 0.0)].map(|way| center + way * radius).into()
}

/// A ring that fades to both sides.
pub(crate) fn glow(center: Pos2, radius: f32, width: f32, color: Color32) -> Shape {
    const AROUND: u32 = 40;
    let clear = Color32::TRANSPARENT;
    let mut mesh = Mesh::default();
    for step in 0..=AROUND {
        let way = angled(TAU * step as f32 / AROUND as f32);
        mesh.colored_vertex(center + way * (radius - width).max(0.0), clear);
        mesh.colored_vertex(center + way * radius, color);
        mesh.colored_vertex(center + way * (radius + width), clear);
        if step > 0 {
            let n = 3 * (step - 1);
            for [a, b] in [[n, n + 1], [n + 1, n + 2]] {
                mesh.add_triangle(a, b, b + 3);
                mesh.add_triangle(a, b + 3, a + 3);
            }
        }
    }
    Shape::mesh(mesh)
}
