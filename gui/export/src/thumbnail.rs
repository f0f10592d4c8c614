//! Thumbnail: a board alone, as small as in a list.

use std::fmt;

use grandstand_board::pixels::Size;
use grandstand_board::pixels::rasterizer::Drawing;
use grandstand_protocol::{Scene, TeamInfo};
use grandstand_story::games::sides;

use crate::Look;
use crate::offscreen_ui::OffscreenUi;

/// Boards are drawn so many times as large and made smaller: their lines and signs have a least size.
const LARGER: u32 = 3;

/// Draws thumbnails of one size.
pub struct Thumbnailer {
    ui: OffscreenUi,
    size: Size,
}

impl fmt::Debug for Thumbnailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Thumbnailer").field("size", &self.size).finish_non_exhaustive()
    }
}

impl Thumbnailer {
    /// For pictures of so many pixels, on a light ground or a dark one.
    pub fn new(size: Size, light: bool) -> Thumbnailer {
        let mut look = if light { Look::light() } else { Look::dark() };
        (look.options.coordinates, look.options.labels, look.options.numbers) = (false, false, false);
        (look.options.thoughts, look.options.overlays) = (false, false);
        let drawn = Size { width: size.width * LARGER, height: size.height * LARGER };
        Thumbnailer { ui: OffscreenUi::new(drawn, look), size: drawn }
    }

    /// The pixels of a scene's board, three bytes each, row by row.
    pub fn draw(&mut self, scene: &Scene, teams: &[TeamInfo]) -> Vec<u8> {
        let mut drawing = Drawing::blank(self.size);
        drawing.begin(self.ui.board(scene, &sides(scene, teams)));
        while !drawing.is_done() {
            drawing.step();
        }
        smaller(&drawing.pixels.rgb, self.size)
    }
}

/// The mean of every square of pixels.
fn smaller(rgb: &[u8], size: Size) -> Vec<u8> {
    let (line, side) = (size.width as usize * 3, LARGER as usize);
    let mut out = Vec::with_capacity(rgb.len() / (side * side));
    for rows in rgb.chunks_exact(line * side) {
        for x in (0..line).step_by(3 * side) {
            for channel in 0..3 {
                let column = |row: &[u8]| (0..side).map(|n| u32::from(row[x + 3 * n + channel])).sum::<u32>();
                let sum: u32 = rows.chunks_exact(line).map(column).sum();
                out.push((sum / (LARGER * LARGER)) as u8);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_protocol::{Command, Game, Micros};

    #[test]
    fn what_lies_on_the_board_is_seen_on_the_thumbnail() {
        let size = Size { width: 96, height: 60 };
        let mut scene = Scene::new(Game::Abalone);
        let mut thumbnailer = Thumbnailer::new(size, false);
        let before = thumbnailer.draw(&scene, &[]);
        assert_eq!(before.len(), 96 * 60 * 3);
        scene.apply(1, Micros(0), &Command::parse(Game::Abalone, b"set E0 w1"));
        assert_ne!(thumbnailer.draw(&scene, &[]), before);
    }
}
