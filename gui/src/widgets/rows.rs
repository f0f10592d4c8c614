//! List of any number of rows of one height; only visible rows are drawn.
//!
//! egui's own scroll area counts in `f32` points, which a million rows overflow; here the position is a row number.

use eframe::egui::{self, Key, Popup, Rect, Sense, Ui, UiBuilder, pos2, vec2};
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
    /// The same with all of the head.
    whole: f64,
    /// Height of the head, and how much of it is scrolled out of sight, in points.
    head: (f32, f32),
    /// Whether the head gives way to the rows.
    head_goes: bool,
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
/// Number of entries that a list with a head has in view: where there is room for fewer, the head scrolls away.
const LEAST: f32 = 5.0;

impl Rows {
    /// Scrolls as little as needed to show the row.
    pub(crate) fn reveal(&mut self, row: usize) {
        self.reveal = Some(row);
    }

    /// Shows the head again, where it was scrolled away.
    pub(crate) fn show_head(&mut self) {
        self.head.1 = 0.0;
    }

    /// Shows the head of the list, which has so many rows of this height with so many entries each: what is above them, in the space
    /// that remains. With little room it scrolls away when the list goes down, and comes back as soon as it goes up. `None` while it is
    /// out of sight.
    pub(crate) fn head<R>(
        &mut self,
        ui: &mut Ui,
        (count, height, entries): (usize, f32, usize),
        show: impl FnOnce(&mut Ui) -> R,
    ) -> Option<R> {
        let area = ui.available_rect_before_wrap();
        let (high, hidden) = self.head;
        let is_in_sight = hidden <= 0.0 || hidden < high;
        let told = is_in_sight.then(|| {
            let place = area.translate(vec2(0.0, -hidden));
            let mut inside = ui.new_child(UiBuilder::new().max_rect(place).id_salt("head of the list"));
            inside.shrink_clip_rect(area);
            let told = show(&mut inside);
            self.head.0 = inside.min_rect().height() + ui.spacing().item_spacing.y;
            told
        });
        let high = self.head.0;
        let room = area.height() - high;
        self.head_goes = room * (entries as f32) < LEAST * height && count as f32 * height > room;
        self.head.1 = if self.head_goes { hidden.min(high) } else { 0.0 };
        ui.add_space((high - self.head.1 - ui.spacing().item_spacing.y).max(0.0));
        told
    }

    /// Scrolls down by so many rows; the head goes first, and comes back first.
    fn scroll(&mut self, rows: f64, height: f32) {
        let way = rows * f64::from(height);
        let of_head = match self.head {
            (high, hidden) if self.head_goes => way.clamp(f64::from(-hidden), f64::from(high - hidden)),
            _ => 0.0,
        };
        self.head.1 += of_head as f32;
        self.top += (way - of_head) / f64::from(height);
    }

    /// Shows the list in the remaining space. `draw` paints one row into its rectangle.
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        count: usize,
        height: f32,
        mut draw: impl FnMut(&mut Ui, usize, Rect, bool),
    ) -> Shown {
        let mut area = ui.available_rect_before_wrap();
        let room = area.height();
        if count as f32 * height > room {
            // At its end, and where it leads to a row, no other row is cut.
            area.max.y = area.top() + (room / height).floor().max(1.0) * height;
        }
        let response = ui.allocate_rect(area, Sense::click());
        let page = f64::from((area.height() / height).max(1.0));
        let end = (count as f64 - page).max(0.0);
        let before = (self.top, self.head);

        let was_seen =
            |row: &usize| *row as f64 >= self.top && (*row + 1) as f64 <= self.top + self.page + 1e-3;
        // What a head takes that comes back is no loss.
        let whole = f64::from((room + self.head.0 - self.head.1) / height);
        let kept = self.revealed.filter(|row| whole < self.whole && was_seen(row));
        (self.page, self.whole) = (page, whole);
        if let Some(row) = self.reveal.take().or(kept) {
            self.revealed = Some(row);
            let row = row as f64;
            // Two rows of context above and below, if the page is long enough.
            let margin = if page > 8.0 { 2.0 } else { 0.0 };
            let seen = self.top.min(row - margin).max(row + 1.0 + margin - page);
            if self.head_goes && seen > self.top && !Popup::is_any_open(ui.ctx()) {
                self.head.1 = self.head.0;
            }
            self.top = seen;
        }
        let mut scrolled = false;
        if response.contains_pointer() {
            let delta = ui.ctx().input_mut(|input| std::mem::take(&mut input.smooth_scroll_delta.y));
            scrolled = delta != 0.0;
            self.scroll(f64::from(-delta / height), height);
        }
        if response.hovered() || response.has_focus() {
            let step = ui.input_mut(|input| {
                let mut pressed = |key| f64::from(u8::from(input.consume_key(egui::Modifiers::NONE, key)));
                (pressed(Key::PageDown) - pressed(Key::PageUp)) * (page - 1.0)
            });
            scrolled |= step != 0.0;
            self.scroll(step, height);
        }
        if count as f64 > page {
            scrolled |= self.bar(ui, area, page, end);
        }
        self.top = self.top.clamp(0.0, end);
        if (self.top, self.head) != before {
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
        assert_eq!(rows.top, 89.0, "no other row is cut");
        // A row that the viewer has scrolled away from stays away.
        rows.top = 10.0;
        frame_of(&mut rows, 100, 200.0);
        assert_eq!(rows.top, 10.0);
    }

    #[test]
    fn with_little_room_the_head_goes_with_the_list_and_comes_back_first() {
        let ctx = egui::Context::default();
        // Whether the head is in sight, and the rows that are.
        let frame = |rows: &mut Rows, high: f32, down: f32| {
            let mut seen = (false, 0);
            let screen = Rect::from_min_size(pos2(0.0, 0.0), vec2(300.0, high));
            let events = vec![
                egui::Event::PointerMoved(pos2(100.0, high - 10.0)),
                egui::Event::MouseWheel {
                    unit: egui::MouseWheelUnit::Point,
                    delta: vec2(0.0, -down),
                    phase: egui::TouchPhase::Move,
                    source: egui::MouseWheelSource::Unknown,
                    modifiers: egui::Modifiers::NONE,
                },
            ];
            // The wheel's way is smoothed over some frames.
            for events in [events].into_iter().chain(std::iter::repeat_n(Vec::new(), 40)) {
                let input = egui::RawInput { screen_rect: Some(screen), events, ..Default::default() };
                let mut output = ctx.run_ui(input, |ui| {
                    let shown = rows.head(ui, (100, 20.0, 1), |ui| _ = ui.allocate_space(vec2(100.0, 30.0)));
                    let mut count = 0;
                    let area = ui.available_rect_before_wrap();
                    rows.show(ui, 100, 20.0, |_, _, rect, _| {
                        count += usize::from(area.contains_rect(rect.shrink(0.5)));
                    });
                    seen = (shown.is_some(), count);
                });
                output.textures_delta.clear();
            }
            seen
        };
        let mut rows = Rows::default();
        assert!(frame(&mut rows, 125.0, 0.0).0);
        rows.reveal(99);
        let (head, count) = frame(&mut rows, 125.0, 0.0);
        assert!(!head && count >= 6, "{count}");
        let (head, fewer) = frame(&mut rows, 125.0, -60.0);
        assert!(head && fewer < count, "{fewer}");
        // In a high list it stays.
        rows.reveal(50);
        assert!(frame(&mut rows, 400.0, 0.0).0);
    }

    #[test]
    fn a_list_that_shrank_is_scrolled_back_into_itself() {
        let mut rows = Rows { top: 500.0, ..Rows::default() };
        assert_eq!(frame(&mut rows, 3), [0, 1, 2]);
        assert_eq!(frame(&mut rows, 0), Vec::<usize>::new());
    }
}
