//! Pictures without a graphics card: from egui's shapes to outlines, and from outlines to pixels.
//!
//! The same shapes give the same bytes on every machine and in a page.
//!
//! | module | what it is |
//! | --- | --- |
//! | `shape_collector` | from egui's shapes to a list of outlines |
//! | [`shapes`] | that list, in fixed-point coordinates |
//! | `text_outlines` | texts as outlines |
//! | `paths` | the area of an outline, and of a pen along it |
//! | [`rasterizer`] | outlines as pixels, tile by tile; of the next frame only what changed |
//! | `size` | the size of a picture and its limits |

mod paths;
pub mod rasterizer;
mod shape_collector;
pub mod shapes;
mod size;
mod text_outlines;

pub use shape_collector::take;
pub use size::{SIDE_MAX, SIDE_MIN, Size, SizeError};
pub use text_outlines::TextOutlines;
