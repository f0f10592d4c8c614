//! Boards of the games, painted with egui: in a window, in a page, or into pixels without either.
//!
//! Boards paint a scene and nothing else. Texts, figures and events of a match come from [`grandstand_story`].
//!
//! | module | what it is |
//! | --- | --- |
//! | `games` | the boards, one module each, and their table: [`view()`] |
//! | `view` | the traits that a game implements: [`BoardView`], [`BoardPainter`] |
//! | [`step`] | steps of a picture between commands, and their timing |
//! | [`zoom`] | zoom and pan of a board |
//! | [`scoreboard`], [`badge`], `team_marks` | the line with the score; marks of teams |
//! | [`overlay`], `hidden` | the bots' drawings over a board; those that are switched off |
//! | [`place_labels`], `piece_numbers` | names on places, numbers on pieces |
//! | [`cached_mesh`], `sprites` | caches of unchanging parts, as triangles or pixels |
//! | [`theme`], [`text`], `angle` | colours and fonts; texts that fit; angles that are the same on every machine |
//! | [`pixels`] | rendering of egui's shapes into pixels, without a graphics card |

mod angle;
pub mod badge;
pub mod cached_mesh;
mod cell_shape;
mod cross;
mod games;
mod hidden;
pub mod hint;
#[cfg(test)]
mod input_tests;
mod layer;
pub mod node;
pub mod overlay;
mod piece_numbers;
pub mod pixels;
pub mod place_labels;
#[cfg(test)]
mod place_tests;
pub mod scoreboard;
mod sprites;
pub mod step;
mod team_marks;
pub mod text;
pub mod theme;
mod view;
pub mod zoom;

pub use cell_shape::CellShape;
pub use games::view;
pub use hidden::Hidden;
pub use view::{
    BegunMove, BoardInput, BoardOptions, BoardPainter, BoardView, MatchContext, PaintTally, Present,
    SideFigure, go_to,
};
pub use zoom::VisiblePart;
