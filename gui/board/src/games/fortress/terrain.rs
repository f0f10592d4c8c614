//! Ground of Steam Fortress: high ground is light and throws a shadow on low ground, ramps are striped with steps.

use egui::{Color32, Painter, Rect, Stroke, StrokeKind, pos2, vec2};
use grandstand_protocol::fortress::{Elevation, Square, Terrain};

use super::tile;
use crate::games::tiles::{Quads, Tiles};
use crate::theme::{mix, rgb};

/// Number of ramps in a row that are followed.
const RUN: i8 = 6;

/// Colours of the ground.
pub(super) struct Colors {
    low: [Color32; 2],
    ramp: Color32,
    step: Color32,
    high: [Color32; 2],
    /// Edges of high ground, on the lit and on the shaded side.
    lit: Color32,
    cliff: Color32,
    frame: Color32,
}

pub(super) const NIGHT: Colors = Colors {
    low: [rgb(0x1d2a33), rgb(0x1f2d37)],
    ramp: rgb(0x4b4d4b),
    step: rgb(0x807a68),
    high: [rgb(0x716c61), rgb(0x767166)],
    lit: rgb(0xa29b8a),
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
    /// Colours of low and of high ground.
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
    hovered: Option<Square>,
) {
    let mut quads = Quads::default();
    for at in Square::all() {
        let (column, row) = tile(at);
        let area = tiles.tile(column, row);
        let odd = usize::from((column + row) % 2);
        match terrain.get(at) {
            Elevation::Low => quads.add(area, colors.low[odd]),
            Elevation::High => quads.add(area, colors.high[odd]),
            Elevation::Ramp => quads.add(area, colors.ramp),
        }
    }
    for at in Square::all() {
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

/// Cliffs of a high square: light edges above and at the left, shadows on the low ground below and at the right.
fn edges(quads: &mut Quads, colors: &Colors, tiles: &Tiles, terrain: &Terrain, at: Square) {
    let (column, row) = tile(at);
    let area = tiles.tile(column, row);
    let low = |right: i8, down: i8| {
        let (east, south) = tiles.step_of((right, down));
        at.offset(east, -south).is_some_and(|next| terrain.get(next) == Elevation::Low)
    };
    let thin = (tiles.side * 0.10).max(1.0);
    let deep = (tiles.side * 0.24).max(1.5);
    let clear = Color32::TRANSPARENT;
    if low(0, -1) {
        quads.add(Rect::from_min_size(area.min, vec2(area.width(), thin)), colors.lit);
    }
    if low(-1, 0) {
        quads.add(Rect::from_min_size(area.min, vec2(thin, area.height())), colors.lit);
    }
    if low(0, 1) {
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

/// Direction in which a ramp leads up, the index of this square's ramp counted from below, and the number of ramps in
/// the row.
fn way_up(terrain: &Terrain, at: Square) -> ((i8, i8), i8, i8) {
    let is = |steps: i8, (dx, dy): (i8, i8), elevation| {
        at.offset(steps * dx, steps * dy).is_some_and(|next| terrain.get(next) == elevation)
    };
    let ramps = |way: (i8, i8)| (1..=RUN).take_while(|steps| is(*steps, way, Elevation::Ramp)).count() as i8;
    let ways = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    let climbs = |way: &(i8, i8)| is(ramps(*way) + 1, *way, Elevation::High);
    // The shortest way up. A ramp between high squares on both sides leads across them.
    let way = ways.into_iter().filter(climbs).min_by_key(|way| ramps(*way)).unwrap_or((1, 0));
    let (above, below) = (ramps(way), ramps((-way.0, -way.1)));
    (way, below, above + below + 1)
}

/// Steps of a ramp: stripes across the way up, lighter from step to step.
fn steps(quads: &mut Quads, colors: &Colors, tiles: &Tiles, terrain: &Terrain, at: Square) {
    const STEPS: i8 = 4;
    let (column, row) = tile(at);
    let area = tiles.tile(column, row);
    let ((east, north), index, ramps) = way_up(terrain, at);
    let (right, down) = tiles.step_seen((east, -north));
    let size = tiles.side / f32::from(STEPS);
    let line = (tiles.side * 0.08).max(1.0);
    for n in 0..STEPS {
        let part = f32::from(index * STEPS + n) / f32::from((ramps * STEPS - 1).max(1));
        // Start and end of the step along the way up.
        let (near, far) = (f32::from(n) * size, f32::from(n + 1) * size);
        let slice = |near: f32, far: f32| match (right, -down) {
            (1, _) => Rect::from_min_max(area.min + vec2(near, 0.0), pos2(area.left() + far, area.bottom())),
            (-1, _) => Rect::from_min_max(pos2(area.right() - far, area.top()), area.max - vec2(near, 0.0)),
            (_, 1) => Rect::from_min_max(pos2(area.left(), area.bottom() - far), area.max - vec2(0.0, near)),
            _ => Rect::from_min_max(area.min + vec2(0.0, near), pos2(area.right(), area.top() + far)),
        };
        quads.add(slice(near, far), mix(colors.ramp, colors.high[0], part * 0.85));
        quads.add(slice(near, near + line), mix(colors.cliff, colors.step, 0.3 + 0.7 * part));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ramps_lead_up_by_the_shortest_way() {
        let place = |x: i64, y: i64| Square::new(x, y).expect("a square");
        let mut terrain = Terrain::default();
        for (x, y, elevation) in [
            (0, 0, Elevation::Ramp),
            (1, 0, Elevation::Ramp),
            (2, 0, Elevation::High),
            (1, 5, Elevation::Ramp),
            (1, 4, Elevation::High),
            (9, 9, Elevation::Ramp),
        ] {
            terrain.set(place(x, y), elevation);
        }
        assert_eq!(way_up(&terrain, place(0, 0)), ((1, 0), 0, 2));
        assert_eq!(way_up(&terrain, place(1, 0)), ((1, 0), 1, 2));
        assert_eq!(way_up(&terrain, place(1, 5)), ((0, -1), 0, 1));
        // A ramp that leads nowhere is still drawn.
        assert_eq!(way_up(&terrain, place(9, 9)).2, 1);
    }
}
