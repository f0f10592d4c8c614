//! Still: the pixels of one moment, without a file around them.

use grandstand_board::pixels::Size;
use grandstand_board::pixels::rasterizer::Drawing;

use crate::clip::Match;
use crate::job::stand;
use crate::offscreen_ui::OffscreenUi;
use crate::plan::{ExportError, Look, Moment};

/// The pixels of a moment, three bytes each, row by row: those of the exported picture of this size.
///
/// # Errors
/// [`ExportError`] when the match does not have the moment, or not in memory.
pub fn still(of: Match<'_>, at: Moment, size: Size, look: Look) -> Result<Vec<u8>, ExportError> {
    let clip = stand(of, at)?;
    let mut ui = OffscreenUi::new(size, look);
    let mut drawing = Drawing::blank(size);
    drawing.begin(ui.picture(of, &clip));
    while !drawing.is_done() {
        drawing.step();
    }
    Ok(drawing.pixels.rgb)
}
