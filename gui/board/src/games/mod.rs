//! One module a game, and the table of them: [`view`].
//!
//! A game implements [`BoardView`] for its scene, and [`BoardPainter`](crate::BoardPainter) for what paints it.

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

/// How a scene is painted.
pub fn view(scene: &Scene) -> &dyn BoardView {
    by_scene!(scene, scene => scene)
}
