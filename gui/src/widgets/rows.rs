//! List of any number of rows of one height; only visible rows are drawn.
//!
//! egui's own scroll area counts in `f32` points, which a million rows overflow; here the position is a row number.

use eframe::egui::{self, Key, Rect, Sense, Ui, pos2, vec2};
use grandstand_board::theme::{Palette, mix};

/// Scroll position of the list.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Rows {
    /// The row at the upper edge, with a fraction.
    top: f64,
    /// A row to be shown in the next frame.
    reveal: Option<usize>,
    /// The row that was shown last, which stays in view where the list becomes lower.
    revealed: Option<usize>,
    /// Number of rows in view in the last frame, with a fraction.
    page: f64,
}

/// Result of one frame.
#[derive(Debug)]
pub(crate) struct Shown {
    /// The row that was clicked.
    pub clicked: Option<usize>,
    /// Whether the viewer scrolled.
    pub scrolled: bool,
}

const BAR: f32 = 10.0;

impl Rows {
    /// Scrolls as little as needed to show the row.
    pub(crate) fn reveal(&mut self, row: usize) {
        self.reveal = Some(row);
    }

    /// Shows the list in the remaining space. `draw` paints one row into its rectangle.
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        count: usize,
        height: f32,
        mut draw: impl FnMut(&mut Ui, usize, Rect, bool),
    ) -> Shown {
        let area = ui.available_rect_before_wrap();
        let response = ui.allocate_rect(area, Sense::click());
        let page = f64::from((area.height() / height).max(1.0));
        let end = (count as f64 - page).max(0.0);
        let before = self.top;

        let was_seen =
            |row: &usize| *row as f64 >= self.top && (*row + 1) as f64 <= self.top + self.page + 1e-3;
        let kept = self.revealed.filter(|row| page < self.page && was_seen(row));
        self.page = page;
        if let Some(row) = self.reveal.take().or(kept) {
            self.revealed = Some(row);
            let row = row as f64;
            // Two rows of context above and below, if the page is long enough.
            let margin = if page > 8.0 { 2.0 } else { 0.0 };
            self.top = self.top.min(row - margin).max(row + 1.0 + margin - page);
        }
        let mut scrolled = false;
        if response.contains_pointer() {
            let delta = ui.ctx().input_mut(|input| std::mem::take(&mut input.smooth_scroll_delta.y));
            scrolled = delta != 0.0;
            self.top -= f64::from(delta / height);
        }
        if response.hovered() || response.has_focus() {
            let step = ui.input_mut(|input| {
                let mut pressed = |key| f64::from(u8::from(input.consume_key(egui::Modifiers::NONE, key)));
                (pressed(Key::PageDown) - pressed(Key::PageUp)) * (page - 1.0)
            });
            scrolled |= step != 0.0;
            self.top += step;
        }
        if count as f64 > page {
            scrolled |= self.bar(ui, area, page, end);
        }
        self.top = self.top.clamp(0.0, end);
        if self.top != before {
            ui.ctx().request_repaint();
        }

        let inside = Rect::from_min_max(area.min, pos2(area.max.x - BAR - 2.0, area.max.y));
        let hovered = response.hover_pos().filter(|at| inside.contains(*at));
        let row_of = |y: f32| (self.top + f64::from((y - area.top()) / height)) as usize;
        let mut child = ui.new_child(egui::UiBuilder::new().max_rect(inside));
        child.set_clip_rect(inside.intersect(ui.clip_rect()));
        let first = self.top.floor();
        let shift = ((self.top - first) as f32) * height;
        let visible = page.ceil() as usize + 1;
        for line in 0..visible {
            let row = first as usize + line;
            let min = pos2(inside.left(), inside.top() + line as f32 * height - shift);
            let rect = Rect::from_min_size(min, vec2(inside.width(), height));
            if row >= count || rect.top() >= inside.bottom() {
                break;
            }
            let hot = hovered.is_some_and(|at| rect.contains(at));
            draw(&mut child, row, rect, hot);
        }
        let clicked = response.clicked().then(|| response.interact_pointer_pos()).flatten();
        let clicked =
            clicked.filter(|at| inside.contains(*at)).map(|at| row_of(at.y)).filter(|row| *row < count);
        Shown { clicked, scrolled }
    }

    /// The scroll bar; returns `true` while it is dragged.
    fn bar(&mut self, ui: &Ui, area: Rect, page: f64, end: f64) -> bool {
        let palette = Palette::of(ui.ctx());
        let track = Rect::from_min_max(pos2(area.right() - BAR, area.top()), area.max);
        let response = ui.interact(track, ui.scope_id().with("bar"), Sense::click_and_drag());
        let length =
            (f64::from(track.height()) * page / (page + end)).max(28.0).min(f64::from(track.height())) as f32;
        let free = (track.height() - length).max(1.0);
        let dragged = response.is_pointer_button_down_on();
        if dragged && let Some(at) = response.interact_pointer_pos() {
            let delta = ui.input(|input| input.pointer.delta().y);
            let thumb = track.top() + free * (self.top / end.max(1e-9)) as f32;
            let inside = at.y - delta >= thumb && at.y - delta <= thumb + length;
            if inside {
                self.top += end * f64::from(delta / free);
            } else {
                self.top = end * f64::from((at.y - track.top() - length / 2.0) / free);
            }
            self.top = self.top.clamp(0.0, end);
        }
        let thumb_top = track.top() + free * (self.top / end.max(1e-9)).clamp(0.0, 1.0) as f32;
        let width = if response.hovered() || dragged { 7.0 } else { 4.0 };
        let thumb = Rect::from_min_size(pos2(track.right() - width - 1.0, thumb_top), vec2(width, length));
        let strength = if dragged {
            0.65
        } else if response.hovered() {
            0.5
        } else {
            0.3
        };
        ui.painter().rect_filled(thumb, width / 2.0, mix(palette.panel, palette.weak, strength));
        dragged
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(rows: &mut Rows, count: usize) -> Vec<usize> {
        frame_of(rows, count, 200.0)
    }

    fn frame_of(rows: &mut Rows, count: usize, high: f32) -> Vec<usize> {
        let mut drawn = Vec::new();
        let ctx = egui::Context::default();
        let input = egui::RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(300.0, high))),
            ..Default::default()
        };
        let mut output = ctx.run_ui(input, |ui| {
            rows.show(ui, count, 20.0, |_, row, rect, _| {
                assert!(rect.top() > -21.0 && rect.top() < high);
                drawn.push(row);
            });
        });
        // The textures of this frame are dropped, since nobody draws it.
        output.textures_delta.clear();
        drawn
    }

    #[test]
    fn only_rows_in_view_are_drawn_even_of_a_million() {
        let mut rows = Rows::default();
        assert_eq!(frame(&mut rows, 1_000_000).first(), Some(&0));
        rows.reveal(999_999);
        let drawn = frame(&mut rows, 1_000_000);
        assert!(drawn.len() <= 11, "{}", drawn.len());
        assert_eq!(drawn.last(), Some(&999_999));
    }

    #[test]
    fn the_row_that_was_shown_stays_whole_in_a_list_that_becomes_lower() {
        let mut rows = Rows::default();
        rows.reveal(99);
        frame_of(&mut rows, 100, 400.0);
        frame_of(&mut rows, 100, 230.0);
        assert_eq!(rows.top, 100.0 - 230.0 / 20.0);
        // A row that the viewer has scrolled away from stays away.
        rows.top = 10.0;
        frame_of(&mut rows, 100, 200.0);
        assert_eq!(rows.top, 10.0);
    }

    #[test]
    fn a_list_that_shrank_is_scrolled_back_into_itself() {
        let mut rows = Rows { top: 500.0, ..Rows::default() };
        assert_eq!(frame(&mut rows, 3), [0, 1, 2]);
        assert_eq!(frame(&mut rows, 0), Vec::<usize>::new());
    }
}
