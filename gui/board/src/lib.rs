//! Boards of the games, painted with egui: in a window, in a page, or into pixels without either.
//!
//! Boards paint from a scene and nothing else. What a match means, in words, figures and events, comes from [`grandstand_story`].
//!
//! | module | what it is |
//! | --- | --- |
//! | `games` | one module a game, and the table of them: [`view()`] |
//! | `view` | the traits that a game implements: [`BoardView`], [`BoardPainter`] |
//! | [`step`] | how a picture goes from one command to another |
//! | [`zoom`] | how a board is enlarged, and the part of it that is seen |
//! | [`scoreboard`], [`badge`], `team_marks` | the line with the score; the marks of teams |
//! | [`overlay`], `hidden` | what bots have drawn over a board, and what of it is switched off |
//! | [`place_labels`], `piece_numbers` | names on places, numbers on pieces |
//! | [`cached_mesh`], `sprites` | what does not move, turned into triangles or pixels once |
//! | [`theme`], [`text`], `angle` | colours and fonts, texts that fit, angles that are the same on every machine |
//! | [`pixels`] | from what egui paints to pixels, without a graphics card |

mod angle;
pub mod badge;
pub mod cached_mesh;
mod cell_shape;
mod games;
mod hidden;
#[cfg(test)]
mod input_tests;
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
pub use view::{BoardPainter, BoardView, MatchContext, Options, PaintTally, Picture, Tally, go_to};
pub use zoom::VisiblePart;
