//! Pictures of a match: PNG and SVG of a moment, GIF and animated PNG of a range.
//!
//! One renderer makes them on the CPU alone. It needs no display, and its output is the same, byte for byte, on every machine and
//! in the page. It runs the code of the window and therefore shows the same: the line with the score, and the board, painted into
//! an interface without a window.
//!
//! | module | what it is |
//! | --- | --- |
//! | `plan` | the requested export, its limits and its errors |
//! | `clip` | a match on its own clock |
//! | `offscreen_ui` | the interface without a window that shows the match |
//! | `svg` | the shapes as an SVG document |
//! | `animation` | the changed part of each frame, a few rows at a time; `dirty_rect` finds that part |
//! | `gif`, `apng` | the animated formats; `gif_palette` chooses the colours of a GIF |
//! | `job` | the making of a picture in small steps |
//! | `sketch` | a few pictures of an animation before it is made, and its size by a sample |
//! | `still` | the pixels of one moment |
//! | `thumbnail` | the board alone, as small as in a list |

mod animation;
mod apng;
mod clip;
mod dirty_rect;
mod gif;
mod gif_palette;
mod job;
mod offscreen_ui;
mod plan;
mod sketch;
mod still;
mod svg;
mod thumbnail;

use std::ops::RangeInclusive;

use egui::Color32;
use grandstand_replays::Log;

pub use clip::Match;
pub use grandstand_board::pixels::{SIDE_MAX, SIDE_MIN, Size};
pub use job::{Job, Progress};

pub use sketch::{Sketch, SketchPicture};
pub use still::still;
pub use thumbnail::Thumbnailer;

pub use plan::{
    BYTES_MAX, ExportError, Extra, FPS_MAX, FRAME_PIXELS_MAX, FRAMES_MAX, Format, Look, Moment, Plan, Range,
    What, speed,
};

/// Checks that all of these commands are in memory. A long live match keeps only a part of its commands there.
fn present(log: &Log, range: RangeInclusive<u64>) -> Result<(), ExportError> {
    let (from, to) = range.into_inner();
    let gap = log.gaps().into_iter().find(|gap| *gap.start() <= to && *gap.end() >= from);
    match gap {
        Some(gap) => Err(ExportError::Missing { from: *gap.start(), to: *gap.end() }),
        None => Ok(()),
    }
}

/// The colour halfway between two.
fn middle(a: Color32, b: Color32) -> Color32 {
    let (a, b) = (a.to_array(), b.to_array());
    let [r, g, b, a] = std::array::from_fn(|n| u8::midpoint(a[n], b[n]));
    Color32::from_rgba_premultiplied(r, g, b, a)
}
