//! The boards of the games: one module for each game, and their table [`board`].

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

/// A size in columns and lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub width: i32,
    pub height: i32,
}

/// The painter of a game in a terminal.
pub(crate) trait TextBoard {
    /// The size of the board in the given room.
    fn size(&self, room: Size, look: Look) -> Size;

    /// Paints the board. The canvas has the size returned by [`size`](TextBoard::size), unless the terminal is smaller than any board.
    fn paint(&self, canvas: &mut Canvas<'_>);

    /// The text beside the score of a side with this number: clocks, units or robots. `t` is the time of the picture.
    fn figures(&self, side: usize, t: Micros, look: Look) -> Vec<String> {
        let _ = (side, t, look);
        Vec::new()
    }
}

/// The painter of a scene.
pub(crate) fn board(scene: &Scene) -> &dyn TextBoard {
    by_scene!(scene, scene => scene)
}
