//! Boards of the games, one module each, and their table: [`view`].
//!
//! A game implements [`BoardView`] for its scene, and [`BoardPainter`](crate::BoardPainter) for its painter.

pub(crate) mod abalone;
mod fortress;
mod grid;
mod riskless;
mod shark;
pub(crate) mod stones;
mod tiles;
mod turn_tally;

use grandstand_protocol::{Scene, by_scene};

use crate::BoardView;

/// Board view of a scene's game.
pub fn view(scene: &Scene) -> &dyn BoardView {
    by_scene!(scene, scene => scene)
}
