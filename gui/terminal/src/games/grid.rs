//! The generic grid: characters on tiles.

use grandstand_protocol::grid::{Coord, Scene};
use ratatui_core::style::Color;

use super::tiles::{DrawnTile, Tiles};
use super::{Size, TextBoard};
use crate::canvas::Canvas;
use crate::look::{Look, TEXT, named, rgb};

const CELLS: [Color; 2] = [rgb(0x232b36), rgb(0x1f2731)];

fn tiles(scene: &Scene) -> Tiles {
    Tiles { columns: scene.width().into(), rows: scene.height().into() }
}

impl TextBoard for Scene {
    fn size(&self, room: Size, _: Look) -> Size {
        tiles(self).size(room)
    }

    fn paint(&self, canvas: &mut Canvas<'_>) {
        let empty = canvas.look.sign('·', '.');
        tiles(self).paint(canvas, |x, y| {
            let ground = CELLS[(x + y) as usize % 2];
            let cell = Coord::new(x as u8, y as u8).and_then(|place| self.get(place));
            match cell {
                Some(cell) => {
                    let ink = cell.color.map_or(TEXT, named);
                    DrawnTile { signs: [cell.glyph.as_char(), ' '], ink, ground, weight: 1, strong: true }
                }
                None => {
                    DrawnTile { signs: [empty, ' '], ink: rgb(0x465466), ground, weight: 0, strong: false }
                }
            }
        });
    }
}
