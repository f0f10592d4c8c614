//! One module a game, and the table of them: [`board`].

mod abalone;
mod fortress;
mod grid;
mod riskless;
mod shark;
mod stones;
mod tiles;
mod turns;

use grandstand_protocol::{Micros, Scene, by_scene};

use crate::canvas::Canvas;
use crate::look::Look;

/// How many columns and lines something takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub width: i32,
    pub height: i32,
}

/// How a game is painted in a terminal.
pub(crate) trait TextBoard {
    /// What the board takes of so much room.
    fn size(&self, room: Size, look: Look) -> Size;

    /// Paints it; the canvas is as large as [`size`](TextBoard::size) said, unless the terminal is smaller than anything.
    fn paint(&self, canvas: &mut Canvas<'_>);

    /// What stands beside the score of a side, by its number: clocks, units, robots. `t` is the time of the picture.
    fn figures(&self, side: usize, t: Micros, look: Look) -> Vec<String> {
        let _ = (side, t, look);
        Vec::new()
    }
}

/// How a scene is painted.
pub(crate) fn board(scene: &Scene) -> &dyn TextBoard {
    by_scene!(scene, scene => scene)
}
