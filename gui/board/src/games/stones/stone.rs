//! Stones: black and white discs, lit from the upper left.

use std::f32::consts::TAU;

use egui::{Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Shape, Stroke, Vec2, vec2};
use grandstand_protocol::Game;
use grandstand_protocol::stones::Team;

use super::paint::Wood;
use crate::angle::angled;
use crate::theme::{Palette, mix, semibold};

/// Reach of a stone's shadow from its centre, in radii.
pub(super) const REACH: f32 = 1.12;

/// Colours of a face, its lit part and its rim.
struct Face {
    dark: Color32,
    light: Color32,
    rim: Color32,
}

const fn grey(level: u8) -> Color32 {
    Color32::from_gray(level)
}

fn face(team: Team) -> Face {
    match team {
        Team::Black => Face { dark: grey(0x10), light: grey(0x58), rim: grey(0x04) },
        Team::White => Face { dark: grey(0xcf), light: grey(0xff), rim: grey(0x77) },
    }
}

/// Colour of text on a stone.
pub(super) fn ink(team: Team) -> Color32 {
    match team {
        Team::Black => grey(0xf4),
        Team::White => grey(0x1a),
    }
}

/// Paints a stone; large ones have a shadow.
pub(crate) fn paint_stone(painter: &Painter, at: Pos2, radius: f32, team: Team, alpha: f32) {
    let face = face(team);
    let fade = |color: Color32| color.gamma_multiply(alpha);
    if radius < 2.5 {
        painter.rect_filled(Rect::from_center_size(at, Vec2::splat(radius * 1.8)), 0.0, fade(face.dark));
        return;
    }
    if radius > 6.0 {
        let shadow = Color32::from_black_alpha(70).gamma_multiply(alpha);
        painter.circle_filled(at + vec2(0.07, 0.11) * radius, radius, shadow);
    }
    let rim = Stroke::new((radius * 0.05).clamp(0.6, 1.6), fade(face.rim));
    painter.circle(at, radius - rim.width / 2.0, fade(face.dark), rim);
    if radius > 4.0 {
        painter.add(Shape::mesh(shine(at, radius - rim.width, fade(face.dark), fade(face.light))));
    }
}

/// A disc that is bright in its upper left.
fn shine(at: Pos2, radius: f32, dark: Color32, light: Color32) -> Mesh {
    let mut mesh = Mesh::default();
    let rim = (radius * 1.6).clamp(12.0, 40.0) as u32;
    mesh.colored_vertex(at + vec2(-0.34, -0.38) * radius, light);
    for n in 0..rim {
        let way = angled(TAU * n as f32 / rim as f32);
        // The lit edge is a little brighter.
        let lit = (way.dot(vec2(-0.67, -0.74)) * 0.5 + 0.5).powi(2);
        mesh.colored_vertex(at + way * (radius - 0.7), mix(dark, light, lit * 0.38));
    }
    for n in 0..rim {
        mesh.add_triangle(0, 1 + n, 1 + (n + 1) % rim);
    }
    mesh
}

/// An expected stone: an outline with a number.
pub(super) fn paint_ghost(painter: &Painter, (at, radius): (Pos2, f32), team: Team, number: u32, alpha: f32) {
    let face = face(team);
    let rim = Stroke::new((radius * 0.09).max(1.0), face.rim.gamma_multiply(alpha));
    painter.circle(at, radius * 0.86, face.dark.gamma_multiply(alpha * 0.6), rim);
    if radius > 6.0 {
        let font = FontId::new(letters(radius, number), semibold());
        painter.text(at, Align2::CENTER_CENTER, number, font, ink(team));
    }
}

/// Text size of a number on a stone.
pub(super) fn letters(radius: f32, number: u32) -> f32 {
    radius * if number > 99 { 0.72 } else { 0.95 }
}

/// The sign of a game: a corner of a board with what its players are after.
pub(super) fn paint_thumbnail(painter: &Painter, palette: &Palette, square: Rect, game: Game) {
    let wood = Wood::of(palette);
    painter.rect_filled(square, square.width() * 0.16, wood.middle());
    // Black's row of three in Gomoku; in Pente the pair of white stones that black has captured between two of its own.
    type Points = &'static [(f32, f32)];
    let (lines, black, white, captured): (u8, Points, Points, Points) = match game {
        Game::Pente => (4, &[(1.0, 4.0), (4.0, 1.0)], &[], &[(2.0, 3.0), (3.0, 2.0)]),
        _ => (3, &[(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)], &[(2.0, 1.0), (3.0, 2.0)], &[]),
    };
    let step = square.width() / f32::from(lines + 1);
    for n in 1..=lines {
        let offset = f32::from(n) * step;
        let line = Stroke::new((square.width() / 60.0).max(0.8), wood.line);
        painter.hline(square.x_range(), square.top() + offset, line);
        painter.vline(square.left() + offset, square.y_range(), line);
    }
    let at = |(x, y): &(f32, f32)| square.min + vec2(*x, *y) * step;
    for (points, team) in [(black, Team::Black), (white, Team::White)] {
        for point in points {
            paint_stone(painter, at(point), step * 0.47, team, 1.0);
        }
    }
    for point in captured {
        painter.circle_filled(at(point), step * 0.40, wood.middle());
        painter.circle_stroke(at(point), step * 0.38, Stroke::new((step * 0.16).max(1.2), Color32::WHITE));
    }
}
