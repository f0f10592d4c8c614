//! Numbers on pieces, with cached layouts. egui drops the layout of a text that one frame doesn't use, and hundreds of
//! numbers should not be laid out again when one of them changes.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use egui::{Align2, Color32, FontId, Galley, Painter, Pos2};

use super::cached_mesh;
use crate::theme::semibold;

/// Number of layouts kept at most; then all are dropped.
const REMEMBERED: usize = 2_000;

/// Cached layouts of a board's numbers.
#[derive(Default)]
pub(crate) struct Numbers(RefCell<Laid>);

#[derive(Default)]
struct Laid {
    /// Version of the font texture and pixels per point of the layouts.
    by: (u64, u32),
    /// Layouts by number, bits of the size, and colour.
    galleys: HashMap<(u32, u32, Color32), Arc<Galley>>,
}

impl std::fmt::Debug for Numbers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Numbers").field("laid", &self.0.borrow().galleys.len()).finish()
    }
}

impl Numbers {
    /// Writes a number with this text size, centred at a point.
    pub(crate) fn write(&self, painter: &Painter, at: Pos2, number: u32, size: f32, ink: Color32) {
        let layout = || painter.layout_no_wrap(number.to_string(), FontId::new(size, semibold()), ink);
        let galley = match cached_mesh::letters(painter.ctx()) {
            Some(begun) => {
                let mut laid = self.0.borrow_mut();
                let by = (begun, painter.pixels_per_point().to_bits());
                if laid.by != by || laid.galleys.len() > REMEMBERED {
                    *laid = Laid { by, galleys: HashMap::new() };
                }
                Arc::clone(laid.galleys.entry((number, size.to_bits(), ink)).or_insert_with(layout))
            }
            None => layout(),
        };
        let corner = Align2::CENTER_CENTER.anchor_size(at, galley.size()).min;
        painter.galley(corner, galley, ink);
    }
}

#[cfg(test)]
mod tests {
    use egui::{CentralPanel, Context, RawInput, Shape, Theme, pos2};

    use super::*;

    /// A frame in a window or for a file that writes a number or none; returns its layout.
    fn frame(ctx: &Context, window: bool, numbers: &Numbers, number: Option<u32>) -> Option<Arc<Galley>> {
        let output = ctx.run_ui(RawInput::default(), |ui| {
            if window {
                cached_mesh::begin(ui.ctx());
            }
            CentralPanel::default().show(ui, |ui| {
                if let Some(number) = number {
                    numbers.write(ui.painter(), pos2(50.0, 50.0), number, 14.0, Color32::WHITE);
                }
            });
        });
        let galley = output.shapes.iter().find_map(|clipped| match &clipped.shape {
            Shape::Text(text) => Some((text.pos, Arc::clone(&text.galley))),
            _ => None,
        });
        output.drop_without_applying_deltas();
        let (corner, galley) = galley?;
        let middle = corner + galley.size() / 2.0;
        assert!((middle - pos2(50.0, 50.0)).length() < 1.0, "{middle}");
        Some(galley)
    }

    fn context() -> Context {
        let ctx = Context::default();
        crate::theme::install(&ctx);
        ctx.set_theme(Theme::Dark);
        ctx
    }

    #[test]
    fn a_number_is_laid_out_once_even_if_frames_do_without_it() {
        let (ctx, numbers) = (context(), Numbers::default());
        (0..3).for_each(|_| drop(frame(&ctx, true, &numbers, None)));
        let first = frame(&ctx, true, &numbers, Some(217)).expect("a number");
        (0..3).for_each(|_| drop(frame(&ctx, true, &numbers, None)));
        let again = frame(&ctx, true, &numbers, Some(217)).expect("a number");
        assert!(Arc::ptr_eq(&first, &again));
        assert_eq!(again.text(), "217");
        // The other theme rebuilds the font texture.
        ctx.set_theme(Theme::Light);
        (0..3).for_each(|_| drop(frame(&ctx, true, &numbers, None)));
        let other = frame(&ctx, true, &numbers, Some(217)).expect("a number");
        assert!(!Arc::ptr_eq(&first, &other));
    }

    #[test]
    fn for_a_file_nothing_is_remembered() {
        let (ctx, numbers) = (context(), Numbers::default());
        assert_eq!(frame(&ctx, false, &numbers, Some(5)).expect("a number").text(), "5");
        assert!(numbers.0.borrow().galleys.is_empty());
    }
}
