//! The ground of a fortress: what is high is light and warm and throws a shadow on what is low, what leads up is striped
//! with steps.

use eframe::egui::{Color32, Painter, Rect, Stroke, StrokeKind, pos2, vec2};
use grandstand_protocol::fortress::{Elevation, Place, Terrain};

use super::tile;
use crate::board::tiles::{Quads, Tiles};
use crate::theme::mix;

/// The colours of the ground.
pub(super) struct Colors {
    low: [Color32; 2],
    ramp: Color32,
    step: Color32,
    high: [Color32; 2],
    /// The edges of what is high, where the light falls and where it does not.
    lit: Color32,
    cliff: Color32,
    frame: Color32,
}

const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

pub(super) const NIGHT: Colors = Colors {
    low: [rgb(0x1d2a33), rgb(0x1f2d37)],
    ramp: rgb(0x4a4a44),
    step: rgb(0x807a68),
    high: [rgb(0x756b58), rgb(0x7a705c)],
    lit: rgb(0xa3967a),
    cliff: rgb(0x0e151b),
    frame: rgb(0x3a4754),
};

pub(super) const DAY: Colors = Colors {
    low: [rgb(0xb3c2cb), rgb(0xadbdc7)],
    ramp: rgb(0xcbc5b4),
    step: rgb(0x978d74),
    high: [rgb(0xf3ead6), rgb(0xefe5cf)],
    lit: rgb(0xffffff),
    cliff: rgb(0x6f7d88),
    frame: rgb(0x8d99a5),
};

impl Colors {
    /// Of what is low and of what is high.
    pub(super) fn samples(&self) -> [Color32; 2] {
        [self.low[0], self.high[0]]
    }
}

/// Paints the ground.
pub(super) fn paint(
    painter: &Painter,
    colors: &Colors,
    tiles: &Tiles,
    terrain: &Terrain,
    hovered: Option<Place>,
) {
    let mut quads = Quads::default();
    for at in Place::all() {
        let (column, row) = tile(at);
        let area = tiles.tile(column, row);
        let odd = usize::from((column + row) % 2);
        match terrain.get(at) {
            Elevation::Low => quads.add(area, colors.low[odd]),
            Elevation::High => quads.add(area, colors.high[odd]),
            Elevation::Ramp => quads.add(area, colors.ramp),
        }
    }
    for at in Place::all() {
        match terrain.get(at) {
            Elevation::High => edges(&mut quads, colors, tiles, terrain, at),
            Elevation::Ramp => steps(&mut quads, colors, tiles, terrain, at),
            Elevation::Low => {}
        }
    }
    if let Some(at) = hovered {
        let (column, row) = tile(at);
        let light = if colors.low[0].r() < 0x80 { Color32::WHITE } else { Color32::BLACK };
        quads.add(tiles.tile(column, row), light.gamma_multiply(0.16));
    }
    quads.paint(painter);
    let frame = Stroke::new((tiles.side * 0.1).max(1.0), colors.frame);
    painter.rect_stroke(tiles.board().expand(2.0), 3.0, frame, StrokeKind::Middle);
}

/// The cliffs of a high square: light where they face north and west, dark on the low ground beside them elsewhere.
fn edges(quads: &mut Quads, colors: &Colors, tiles: &Tiles, terrain: &Terrain, at: Place) {
    let (column, row) = tile(at);
    let area = tiles.tile(column, row);
    let low = |dx: i8, dy: i8| at.offset(dx, dy).is_some_and(|next| terrain.get(next) == Elevation::Low);
    let thin = (tiles.side * 0.10).max(1.0);
    let deep = (tiles.side * 0.24).max(1.5);
    let clear = Color32::TRANSPARENT;
    if low(0, 1) {
        quads.add(Rect::from_min_size(area.min, vec2(area.width(), thin)), colors.lit);
    }
    if low(-1, 0) {
        quads.add(Rect::from_min_size(area.min, vec2(thin, area.height())), colors.lit);
    }
    if low(0, -1) {
        let edge = Rect::from_min_max(pos2(area.left(), area.bottom() - thin), area.max);
        quads.add(edge, mix(colors.high[0], colors.cliff, 0.55));
        let shade = Rect::from_min_size(area.left_bottom(), vec2(area.width(), deep));
        quads.shaded(shade, colors.cliff.gamma_multiply(0.75), clear);
    }
    if low(1, 0) {
        let edge = Rect::from_min_max(pos2(area.right() - thin, area.top()), area.max);
        quads.add(edge, mix(colors.high[0], colors.cliff, 0.45));
        let shade = Rect::from_min_size(area.right_top(), vec2(deep * 0.7, area.height()));
        quads.add(shade, colors.cliff.gamma_multiply(0.35));
    }
}

/// The steps of a ramp: across the way up, lighter from step to step.
fn steps(quads: &mut Quads, colors: &Colors, tiles: &Tiles, terrain: &Terrain, at: Place) {
    let (column, row) = tile(at);
    let area = tiles.tile(column, row);
    let high = |dx: i8, dy: i8| at.offset(dx, dy).is_some_and(|next| terrain.get(next) == Elevation::High);
    let (east, west, north, south) = (high(1, 0), high(-1, 0), high(0, 1), high(0, -1));
    // Along which axis it leads up, and whether towards the lower or the greater coordinate of the screen.
    let across = (east || west) || !(north || south);
    let rising = if across { east || !west } else { south };
    const STEPS: u8 = 4;
    let size = tiles.side / f32::from(STEPS);
    let line = (tiles.side * 0.09).max(1.0);
    for n in 0..STEPS {
        let place = if rising { n } else { STEPS - 1 - n };
        let from = f32::from(place) * size;
        let tread = if across {
            Rect::from_min_size(area.min + vec2(from, 0.0), vec2(size, area.height()))
        } else {
            Rect::from_min_size(area.min + vec2(0.0, from), vec2(area.width(), size))
        };
        let part = f32::from(n) / f32::from(STEPS - 1);
        quads.add(tread, mix(mix(colors.low[0], colors.ramp, 0.6), colors.high[0], part * 0.8));
        let edge = match (across, rising) {
            (true, true) => Rect::from_min_size(tread.min, vec2(line, tread.height())),
            (true, false) => Rect::from_min_max(pos2(tread.right() - line, tread.top()), tread.max),
            (false, true) => Rect::from_min_size(tread.min, vec2(tread.width(), line)),
            (false, false) => Rect::from_min_max(pos2(tread.left(), tread.bottom() - line), tread.max),
        };
        quads.add(edge, mix(colors.cliff, colors.step, part));
    }
}
