//! The generic dialect `grid`, of Grandstand's own design: characters on a grid, for any game that has no dialect of
//! its own.
//!
//! | line | command |
//! | --- | --- |
//! | `size WIDTH HEIGHT` | [`Command::Size`]: 1 to 64 columns and rows |
//! | `cell X,Y GLYPH [COLOR]` | [`Command::Cell`] with a glyph and its colour |
//! | `cell X,Y` | [`Command::Cell`] with nothing in it |
//! | `clear` | [`Command::Clear`]: every cell becomes empty |
//! | `score TEAM N` | [`Command::Score`] |
//! | `step N` | [`Command::Step`]: a turn, a round, whatever the game counts |
//! | `say TEAM TEXT` | [`Command::Say`] |

mod coord;
mod dialect;
mod scene;
mod text;

use serde::{Deserialize, Serialize};

pub use crate::team::TeamName;
pub use coord::{Coord, Glyph, GlyphError};
pub use scene::{Scene, TEAMS_MAX};

use crate::color::Color;
use crate::text::Text;

/// The largest width and height of a grid.
pub const SIZE_MAX: u8 = 64;

/// The content of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Cell {
    /// The character.
    pub glyph: Glyph,
    /// The glyph's colour; `None` for the spectator's text colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<Color>,
}

/// One drawing command of the grid.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "cmd", rename_all = "lowercase")]
pub enum Command {
    /// The grid changes its size; cells that are still on it keep their content.
    Size {
        /// Columns, 1 to [`SIZE_MAX`].
        #[serde(deserialize_with = "coord::extent")]
        width: u8,
        /// Rows, 1 to [`SIZE_MAX`].
        #[serde(deserialize_with = "coord::extent")]
        height: u8,
    },
    /// A cell shows a glyph or becomes empty. A cell outside the current size shows nothing.
    Cell {
        /// The cell's place.
        at: Coord,
        /// The content; `None` is an empty cell. In JSON the member is mandatory.
        #[serde(deserialize_with = "Option::deserialize")]
        cell: Option<Cell>,
    },
    /// Every cell becomes empty; size, scores, step and talk stay.
    Clear,
    /// A team's score becomes `value`.
    Score {
        /// The team.
        team: TeamName,
        /// The new score.
        value: i32,
    },
    /// The counter of turns becomes `value`.
    Step {
        /// The new number.
        value: u32,
    },
    /// A team says something.
    Say {
        /// The team that speaks.
        team: TeamName,
        /// The text.
        text: Text,
    },
}
