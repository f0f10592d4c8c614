//! Pictures of a match: PNG and SVG of a moment, GIF and animated PNG of a range.
//!
//! One renderer makes them, on the processor alone: it needs no display and gives the same bytes on every machine and in the
//! page. It shows what the window shows, as it runs the same code: the line with the score and the board, painted into an
//! interface that has no window.
//!
//! | module | what it is |
//! | --- | --- |
//! | `plan` | what is asked for, its limits, and what is wrong with it |
//! | `clip` | a match on a clock of its own |
//! | `offscreen_ui` | the interface without a window that shows it |
//! | `svg` | shapes as a document |
//! | `animation` | of each frame what changed, a few rows at a time; `dirty_rect` finds that |
//! | `gif`, `apng` | the formats of moving pictures; `gif_palette` chooses the colours of a GIF |
//! | `job` | making a picture bit by bit |

mod animation;
mod apng;
mod clip;
mod dirty_rect;
mod gif;
mod gif_palette;
mod job;
mod offscreen_ui;
mod plan;
mod svg;

use std::ops::RangeInclusive;

use egui::Color32;
use grandstand_replays::Log;

pub use clip::Match;
pub use grandstand_board::pixels::{SIDE_MAX, SIDE_MIN, Size};
pub use job::{Job, Progress};

pub use plan::{
    BYTES_MAX, ExportError, Extra, FPS_MAX, FRAME_PIXELS_MAX, FRAMES_MAX, Format, Look, Moment, Plan, Range,
    What, speed,
};

/// Whether all of these commands are here: a long live match keeps only a part of them in memory.
fn present(log: &Log, range: RangeInclusive<u64>) -> Result<(), ExportError> {
    let (from, to) = range.into_inner();
    let gap = log.gaps().into_iter().find(|gap| *gap.start() <= to && *gap.end() >= from);
    match gap {
        Some(gap) => Err(ExportError::Missing { from: *gap.start(), to: *gap.end() }),
        None => Ok(()),
    }
}

/// The colour between two.
fn middle(a: Color32, b: Color32) -> Color32 {
    let (a, b) = (a.to_array(), b.to_array());
    let [r, g, b, a] = std::array::from_fn(|n| u8::midpoint(a[n], b[n]));
    Color32::from_rgba_premultiplied(r, g, b, a)
}
