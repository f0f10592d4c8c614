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

/// What a cell shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Cell {
    /// The character.
    pub glyph: Glyph,
    /// Its colour; without one the spectator's text colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<Color>,
}

/// One drawing command of the grid.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "cmd", rename_all = "lowercase")]
pub enum Command {
    /// The grid becomes so large; cells that are still on it keep what they show.
    Size {
        /// Columns, 1 to [`SIZE_MAX`].
        #[serde(deserialize_with = "coord::extent")]
        width: u8,
        /// Rows, 1 to [`SIZE_MAX`].
        #[serde(deserialize_with = "coord::extent")]
        height: u8,
    },
    /// A cell shows something or becomes empty. A cell off the grid of the moment shows nothing.
    Cell {
        /// Which cell.
        at: Coord,
        /// What it shows; `None` is an empty cell. In JSON the member must be there.
        #[serde(deserialize_with = "Option::deserialize")]
        cell: Option<Cell>,
    },
    /// Every cell becomes empty; size, scores, step and talk stay.
    Clear,
    /// A team's score becomes `value`.
    Score {
        /// Whose.
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
        /// Who.
        team: TeamName,
        /// What.
        text: Text,
    },
}
