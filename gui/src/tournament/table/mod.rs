//! Table of equal rows with cells that can be pressed, headings that sort, and first columns that stay while the others
//! scroll sideways. On a phone columns without room are a second line of each row instead.

mod cell;
mod fold;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use eframe::egui::{
    Align, Color32, CursorIcon, FontId, Galley, Id, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2,
};
use grandstand_board::text::fitted;
use grandstand_board::theme::{Palette, SMALL, mix, semibold};

use self::cell::ring;
pub(super) use self::cell::{Cell, Figure};
use self::fold::RISE;
use super::TournamentRequest;
use crate::icons::{self, Icon};
use crate::layout::ScreenLayout;
use crate::widgets::list_keys;

/// Padding at both sides of a cell's text, in points.
const PAD: f32 = 8.0;
const NARROW_PAD: f32 = 4.0;
/// Least and largest width of a column without its padding, in points.
const LEAST: f32 = 22.0;
const NARROW: f32 = 20.0;
const WIDEST: f32 = 260.0;
/// Width of an icon beside a text, in points.
const SIGN: f32 = 15.0;
/// Least width of a figure, and the largest of an interval and of a share, by the room that the other columns leave, in
/// points.
const FIGURE: f32 = 64.0;
const INTERVAL: f32 = 480.0;
const SHARE: f32 = 300.0;
/// Least gap between the values at both ends of a scale, in points.
const ENDS_APART: f32 = 3.0;
/// Width at the right that a figure or a text leaves free, in points.
pub(super) const MARGIN: f32 = 16.0;

/// A column.
#[derive(Debug, Clone, Default)]
pub(super) struct Column {
    pub title: String,
    /// Tooltip of the heading, also for screen readers.
    pub tip: String,
    /// Whether the cells are aligned at the right, as for numbers.
    pub right: bool,
    /// Whether they are aligned in the middle of a narrow column.
    pub narrow: bool,
    /// Action of the heading.
    pub press: Option<TournamentRequest>,
    /// Whether the table is sorted by this column.
    pub sorted: bool,
    /// Texts that fit into the column, besides its own.
    pub fits: Vec<String>,
    /// Whether the texts say what they are without the title.
    pub untitled: bool,
    /// Values of the scale of figures, each at a place from 0 to 1.
    pub ticks: Vec<(f32, String)>,
}

/// Columns and rows.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Cell>>,
    /// Number of columns that stay at the left.
    pub fixed: usize,
    /// The column below whose texts a phone shows what has no room beside it; without one such a table scrolls.
    pub main: Option<usize>,
    /// Index of the highlighted row.
    pub marked: Option<usize>,
    /// Number of rows above a line that separates them from the others.
    pub cut: Option<usize>,
}

impl Column {
    pub(super) fn text(title: &str) -> Column {
        Column { title: title.to_owned(), ..Column::default() }
    }

    pub(super) fn number(title: &str) -> Column {
        Column { right: true, ..Column::text(title) }
    }

    /// The same with texts that say what they are without the title.
    pub(super) fn untitled(mut self) -> Column {
        self.untitled = true;
        self
    }

    /// A narrow column of short texts in its middle.
    pub(super) fn narrow(title: &str) -> Column {
        Column { narrow: true, ..Column::text(title) }
    }

    /// Padding at both sides of a text, in points.
    fn pad(&self) -> f32 {
        if self.narrow { NARROW_PAD } else { PAD }
    }

    /// Least width without the padding, in points.
    fn least(&self) -> f32 {
        if self.narrow { NARROW } else { LEAST }
    }

    /// Where the texts are: at the left, in the middle or at the right.
    fn align(&self) -> Align {
        match (self.narrow, self.right) {
            (true, _) => Align::Center,
            (false, true) => Align::Max,
            (false, false) => Align::Min,
        }
    }

    pub(super) fn tip(mut self, tip: impl Into<String>) -> Column {
        self.tip = tip.into();
        self
    }

    /// Makes the column wide enough for other texts, for tables that have columns below each other.
    pub(super) fn fits(mut self, texts: &[String]) -> Column {
        self.fits = texts.to_vec();
        self
    }

    /// The values of the scale that have room in a heading from `free` on, each at its left end: those at both ends of the scale
    /// together, zero, which the rows have a line for, and the others.
    fn ticks_from(&self, ui: &Ui, rect: Rect, free: f32) -> Vec<(f32, Arc<Galley>)> {
        let inner = rect.x_range().shrink(self.pad());
        let ink = Palette::of(ui.ctx()).weak;
        let places = self.ticks.iter().map(|(at, value)| {
            let text = ui.painter().layout_no_wrap(value.clone(), FontId::proportional(SMALL - 1.0), ink);
            let width = text.size().x;
            let x = inner.min + inner.span() * at - width / 2.0;
            (x.min(rect.right() - width).max(rect.left()), text)
        });
        let places: Vec<(f32, Arc<Galley>)> = places.collect();
        let is_apart = |(x, text): &(f32, Arc<Galley>), (left, other): &(f32, Arc<Galley>), gap: f32| {
            *x >= left + other.size().x + gap || x + text.size().x + gap <= *left
        };
        let last = places.len().saturating_sub(1);
        let have_room =
            !places.is_empty() && is_apart(&places[last], &places[0], ENDS_APART) && places[0].0 >= free;
        let rank = |index: &usize| match () {
            () if have_room && (*index == 0 || *index == last) => 0,
            () if self.ticks[*index].1 == "0" => 1,
            () => 2,
        };
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by_key(rank);
        let mut placed: Vec<(f32, Arc<Galley>)> = Vec::new();
        for index in order {
            let place = &places[index];
            if place.0 >= free && placed.iter().all(|other| is_apart(place, other, SIGN)) {
                placed.push(place.clone());
            }
        }
        placed
    }

    pub(super) fn sorts(mut self, press: TournamentRequest, sorted: bool) -> Column {
        (self.press, self.sorted) = (Some(press), sorted);
        self
    }
}

/// Shows the table of `rows` rows that `make` returns; returns what was pressed. Out of sight the table is not made.
pub(super) fn show_if_seen(
    ui: &mut Ui,
    id: &str,
    rows: usize,
    make: impl FnOnce() -> Table,
) -> Option<TournamentRequest> {
    let (top, height) = (ui.cursor().top(), row_height(ui) * (rows + 1) as f32);
    let clip = ui.clip_rect();
    let is_seen = top <= clip.bottom() && top + height >= clip.top();
    // Screen readers are told all rows.
    if is_seen || ui.ctx().has_accesskit_node(ui.unique_id()) {
        return make().show(ui, id);
    }
    let measured: Option<Measured> = ui.data(|data| data.get_temp(id_of(id)));
    let width = measured.map_or(0.0, |measured| measured.widths.iter().sum());
    ui.allocate_exact_size(vec2(width, height), Sense::hover());
    None
}

/// Widths of a table's columns without the additional room of figures, and the key of what was measured.
#[derive(Debug, Clone)]
struct Measured {
    key: u64,
    widths: Vec<f32>,
}

fn id_of(id: &str) -> Id {
    Id::unique(("tournament", id))
}

fn row_height(ui: &Ui) -> f32 {
    ScreenLayout::of(ui.ctx()).control(28.0)
}

impl Table {
    /// Shows the table in its full width; returns what was pressed. `id` identifies it on the screen.
    pub(super) fn show(&self, ui: &mut Ui, id: &str) -> Option<TournamentRequest> {
        let id = id_of(id);
        let palette = Palette::of(ui.ctx());
        let row_height = row_height(ui);
        let mut widths = self.widths(ui, id);
        let folded = self.fold(ui, &mut widths);
        let mut asked = self.sort_by(ui, &folded);
        let size = vec2(widths.iter().sum(), row_height * (self.rows.len() + 1) as f32);
        let (area, _) = ui.allocate_exact_size(size, Sense::hover());
        let clip = ui.clip_rect();
        let seen = Rect::from_x_y_ranges(
            area.left().max(clip.left())..=area.right().min(clip.right()),
            area.y_range(),
        );
        ui.painter().rect_filled(seen, 8.0, palette.raised);
        let rest = area.left()..area.right();
        // The columns that stay are painted above the others.
        let leads = self.add_rows(ui, id, (area, row_height), &folded);
        let focused = ui.memory(|memory| memory.focused());
        let chosen = leads.iter().find(|(_, lead)| Some(*lead) == focused).map(|(row, _)| *row);
        let stays = area.left().max(clip.left().min(rest.end - widths.iter().take(self.fixed).sum::<f32>()));
        for layer in [false, true] {
            let mut left = area.left();
            let mut kept = stays;
            for (column, width) in widths.iter().enumerate() {
                let is_fixed = column < self.fixed;
                let x = if is_fixed { kept } else { left };
                left += width;
                if is_fixed {
                    kept += width;
                }
                if is_fixed != layer
                    || folded.contains(&column)
                    || x > clip.right()
                    || x + width < clip.left()
                {
                    continue;
                }
                let strip = Rect::from_min_size(pos2(x, area.top()), vec2(*width, area.height()));
                if is_fixed && stays > area.left() {
                    ui.painter().rect_filled(strip, 0.0, palette.raised);
                }
                let place = |row: usize| {
                    Rect::from_min_size(
                        pos2(x, area.top() + row_height * row as f32),
                        vec2(*width, row_height),
                    )
                };
                asked = self.heading(ui, id, place(0), column).or(asked);
                for (row, cells) in self.rows.iter().enumerate() {
                    let rect = place(row + 1);
                    if !clip.intersects(rect) {
                        continue;
                    }
                    let Some(cell) = cells.get(column) else { continue };
                    if self.marked == Some(row) || chosen == Some(row) {
                        ui.painter().rect_filled(rect, 0.0, mix(palette.raised, palette.accent, 0.16));
                    }
                    let of = &self.columns[column];
                    let align = (of.align(), of.pad());
                    let rise = if folded.is_empty() { 0.0 } else { RISE };
                    asked = cell.show(ui, id.with((row, column)), rect, (align, rise)).or(asked);
                    if self.main == Some(column) && !folded.is_empty() {
                        let room = Rect::from_min_max(rect.min, pos2(area.right(), rect.bottom()));
                        self.paint_folded(ui, room, cells, &folded);
                    }
                }
            }
        }
        self.tell(ui, id, (area, row_height));
        for row in 1..=self.rows.len() {
            let y = area.top() + row_height * row as f32;
            let is_cut = self.cut.is_some_and(|above| above + 1 == row);
            let stroke =
                if is_cut { Stroke::new(2.0, palette.accent) } else { Stroke::new(1.0, palette.line) };
            if clip.y_range().contains(y) {
                ui.painter().hline(seen.x_range(), y, stroke);
            }
        }
        asked
    }

    /// Adds the rows in view and those next to it to the list that keys lead through. Returns them, each with the cell that is
    /// pressed for it: in the main column, else the first one.
    fn add_rows(&self, ui: &Ui, id: Id, (area, height): (Rect, f32), folded: &[usize]) -> Vec<(usize, Id)> {
        let clip = ui.clip_rect();
        let index = |y: f32| ((y - area.top()) / height).max(0.0) as usize;
        // The heading is the first of the table's rows.
        let near = index(clip.top()).saturating_sub(3)..(index(clip.bottom()) + 2).min(self.rows.len());
        let mut leads = Vec::new();
        for row in near {
            let cells = &self.rows[row];
            let is_pressed = |column: &usize| cells.get(*column).is_some_and(|cell| cell.press.is_some());
            let unfolded = (0..cells.len()).filter(|column| !folded.contains(column));
            let lead = self.main.into_iter().chain(unfolded).find(is_pressed);
            if let Some(column) = lead {
                let top = area.top() + height * (row + 1) as f32;
                let place = Rect::from_x_y_ranges(area.x_range(), top..=top + height);
                let widget = id.with((row, column));
                list_keys::add(ui, widget, place);
                leads.push((row, widget));
            }
        }
        leads
    }

    /// Whether the table has room beside nothing else.
    pub(super) fn fits(&self, ui: &Ui, id: &str) -> bool {
        self.widths(ui, id_of(id)).iter().sum::<f32>() <= ui.clip_rect().width() - MARGIN
    }

    /// The columns' widths: as their texts need, and figures as wide as the screen lets them be.
    fn widths(&self, ui: &Ui, id: Id) -> Vec<f32> {
        let key = self.key(ui.pixels_per_point());
        let known: Option<Measured> = ui.data(|data| data.get_temp(id));
        let mut widths =
            known.filter(|known| known.key == key).map(|known| known.widths).unwrap_or_else(|| {
                let widths: Vec<f32> = (0..self.columns.len()).map(|column| self.width(ui, column)).collect();
                ui.data_mut(|data| data.insert_temp(id, Measured { key, widths: widths.clone() }));
                widths
            });
        let figure = |column: usize| {
            let cells = self.rows.iter().filter_map(|cells| cells.get(column));
            let largest = cells.filter_map(|cell| cell.figure).map(|figure| match figure {
                Figure::Interval { .. } => INTERVAL,
                Figure::Share { .. } => SHARE,
            });
            largest.reduce(f32::max).map(|largest| (column, largest))
        };
        let figures: Vec<(usize, f32)> = (0..widths.len()).filter_map(figure).collect();
        // Of the clip rectangle, since what is left of a scrolled area depends on where it was scrolled to.
        let room = ui.clip_rect().width() - MARGIN - widths.iter().sum::<f32>();
        for &(column, largest) in &figures {
            widths[column] += (room / figures.len() as f32).clamp(0.0, largest - FIGURE);
        }
        widths
    }

    /// Key of everything that widths of columns depend on.
    fn key(&self, pixels_per_point: f32) -> u64 {
        let mut hasher = DefaultHasher::new();
        pixels_per_point.to_bits().hash(&mut hasher);
        for column in &self.columns {
            (&column.title, column.sorted, &column.fits).hash(&mut hasher);
        }
        for cell in self.rows.iter().flatten() {
            (&cell.text, cell.strong, cell.icon.is_some(), cell.figure.is_some()).hash(&mut hasher);
        }
        hasher.finish()
    }

    fn width(&self, ui: &Ui, column: usize) -> f32 {
        let measure = |text: &str, font: FontId| {
            ui.painter().layout_no_wrap(text.to_owned(), font, Color32::WHITE).size().x
        };
        let heading = &self.columns[column];
        let sign = if heading.sorted { SIGN } else { 0.0 };
        let title = measure(&heading.title, FontId::new(SMALL, semibold())) + sign;
        let cells = self.rows.iter().filter_map(|cells| cells.get(column)).map(|cell| match cell.figure {
            Some(_) => FIGURE,
            None => measure(&cell.text, cell.font()) + if cell.icon.is_some() { SIGN } else { 0.0 },
        });
        let others = heading.fits.iter().map(|text| measure(text, Cell::default().font()));
        cells.chain(others).fold(title.max(heading.least()), f32::max).min(WIDEST) + 2.0 * heading.pad()
    }

    fn heading(&self, ui: &mut Ui, id: Id, rect: Rect, column: usize) -> Option<TournamentRequest> {
        let palette = Palette::of(ui.ctx());
        let of = &self.columns[column];
        let Column { title, tip, press, sorted, .. } = of;
        let pad = of.pad();
        let sense = if press.is_some() { Sense::click() } else { Sense::hover() };
        let response = ui.interact(rect, id.with(("heading", column)), sense);
        let words = if tip.is_empty() { title } else { tip };
        response.widget_info(|| match press {
            Some(_) => WidgetInfo::selected(Role::Button, true, *sorted, format!("Sort by {words}")),
            None => WidgetInfo::labeled(Role::ColumnHeader, true, words),
        });
        let hot = press.is_some() && (response.hovered() || response.has_focus());
        let ink = if hot || *sorted { palette.accent } else { palette.weak };
        let sign = if *sorted { SIGN } else { 0.0 };
        let room = rect.width() - 2.0 * pad - sign;
        let galley = fitted(ui.painter(), title, FontId::new(SMALL, semibold()), ink, room);
        let inner = rect.x_range().shrink(pad);
        let x = of.align().align_size_within_range(galley.size().x + sign, inner).min;
        if *sorted {
            let at = pos2(x + galley.size().x + SIGN * 0.6, rect.center().y);
            icons::paint(ui.painter(), Icon::Unfolded, icons::square(at, 10.0), ink);
        }
        let end = x + galley.size().x;
        // The title gives way to values that have no room beside it.
        let (beside, whole) = (of.ticks_from(ui, rect, end + SIGN), of.ticks_from(ui, rect, rect.left()));
        if beside.len() == whole.len() {
            ui.painter().galley(pos2(x, rect.center().y - galley.size().y / 2.0), galley, ink);
        }
        for (x, tick) in whole {
            let at = pos2(x, rect.center().y - tick.size().y / 2.0);
            ui.painter().galley(at, tick, palette.weak);
        }
        ring(ui, rect, response.has_focus());
        let clicked = response.clicked();
        let response =
            if press.is_some() { response.on_hover_cursor(CursorIcon::PointingHand) } else { response };
        if !tip.is_empty() {
            response.on_hover_text(tip);
        }
        press.clone().filter(|_| clicked)
    }

    /// An accessibility node for each row.
    fn tell(&self, ui: &Ui, id: Id, (area, row_height): (Rect, f32)) {
        if !ui.ctx().has_accesskit_node(ui.unique_id()) {
            return;
        }
        for (row, cells) in self.rows.iter().enumerate() {
            let words = self.columns.iter().zip(cells).filter_map(|(column, cell)| {
                let title = if column.tip.is_empty() { &column.title } else { &column.tip };
                let text = if cell.figure.is_some() { &cell.tip } else { &cell.text };
                (!text.is_empty()).then(|| format!("{title} {text}").trim().to_owned())
            });
            let words: Vec<String> = words.collect();
            let at = pos2(area.left(), area.top() + row_height * (row + 1) as f32);
            let rect = Rect::from_min_size(at, vec2(1.0, row_height));
            let response = ui.interact(rect, id.with(("row", row)), Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(Role::Row, true, words.join(", ")));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell as Counter;

    use eframe::egui::{Context, Pos2, RawInput, ScrollArea};
    use grandstand_board::theme;

    use super::*;

    fn table(rows: usize) -> Table {
        let rows = (0..rows).map(|row| vec![Cell::new(format!("number {row}"))]);
        Table { columns: vec![Column::text("Number")], rows: rows.collect(), ..Table::default() }
    }

    /// Shows `contents` in a window of 400 × 300 points.
    fn frame(ctx: &Context, contents: impl FnMut(&mut Ui)) {
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, vec2(400.0, 300.0)));
        let input = RawInput { screen_rect, ..RawInput::default() };
        ctx.run_ui(input, contents).drop_without_applying_deltas();
    }

    #[test]
    fn only_texts_in_sight_are_laid_out_in_each_frame() {
        let ctx = Context::default();
        theme::install(&ctx);
        let mut width = 0.0;
        for _ in 0..4 {
            frame(&ctx, |ui| {
                let shown = ScrollArea::both().show(ui, |ui| drop(table(1000).show(ui, "numbers")));
                width = shown.content_size.x;
            });
        }
        let kept = ctx.fonts(|fonts| fonts.num_galleys_in_cache());
        assert!(kept < 60, "{kept} texts");
        assert!(width > 60.0, "{width} points");
    }

    #[test]
    fn a_scale_without_room_for_both_ends_names_zero() {
        let ctx = Context::default();
        theme::install(&ctx);
        let ticks = [(0.1, "−1000"), (0.5, "0"), (0.9, "+1000")].map(|(at, name)| (at, name.to_owned()));
        let column = Column { ticks: ticks.into(), ..Column::text("95 %") };
        let mut told = [Vec::new(), Vec::new()];
        frame(&ctx, |ui| {
            told = [200.0, 64.0].map(|width| {
                let rect = Rect::from_min_size(Pos2::ZERO, vec2(width, 20.0));
                let ticks = column.ticks_from(ui, rect, 0.0);
                ticks.into_iter().map(|(_, text)| text.text().to_owned()).collect()
            });
        });
        assert_eq!(told, [vec!["−1000", "+1000", "0"], vec!["0"]]);
    }

    /// Width of a table of twelve columns on a phone.
    fn width_of(wide: &Table) -> f32 {
        let ctx = Context::default();
        theme::install(&ctx);
        let mut width = 0.0;
        for _ in 0..2 {
            frame(&ctx, |ui| {
                width = ScrollArea::both().show(ui, |ui| drop(wide.show(ui, "wide"))).content_size.x;
            });
        }
        width
    }

    #[test]
    fn on_a_phone_columns_without_room_stand_below_the_main_one() {
        let columns = (0..12).map(|n| Column::number(&format!("Column {n}"))).collect();
        let rows = vec![(0..12).map(|n| Cell::new(format!("value {n}"))).collect()];
        let mut wide = Table { columns, rows, main: Some(1), ..Table::default() };
        assert!(width_of(&wide) <= 400.0, "{}", width_of(&wide));
        wide.main = None;
        assert!(width_of(&wide) > 600.0, "{}", width_of(&wide));
        // What is pressed keeps its column.
        wide.main = Some(1);
        wide.rows[0].iter_mut().for_each(|cell| cell.press = Some(TournamentRequest::RevealAll));
        assert!(width_of(&wide) > 600.0, "{}", width_of(&wide));
    }

    #[test]
    fn a_crosstable_of_eight_fits_on_a_phone() {
        let names = [Column::number("#"), Column::text("Player")];
        let against = |narrow: bool| {
            let of = if narrow { Column::narrow } else { Column::number };
            (1..=8).map(move |n: u32| of(&n.to_string()))
        };
        let width = |narrow: bool| {
            let columns = names.iter().cloned().chain(against(narrow)).collect();
            let rows =
                vec![["1", "simple_bot", "2", "2", "2", "2", "1½", "2", "2", "2"].map(Cell::new).to_vec()];
            width_of(&Table { columns, rows, fixed: 2, ..Table::default() })
        };
        assert!(width(true) < 362.0 && width(false) > 400.0, "{} {}", width(true), width(false));
    }

    #[test]
    fn a_table_out_of_sight_is_not_made_and_keeps_its_room() {
        let ctx = Context::default();
        theme::install(&ctx);
        let made = Counter::new(0);
        let sizes = [0.0, 900.0].map(|above| {
            let mut size = vec2(0.0, 0.0);
            frame(&ctx, |ui| {
                let shown = ScrollArea::both().show(ui, |ui| {
                    ui.add_space(above);
                    show_if_seen(ui, "numbers", 8, || {
                        made.set(made.get() + 1);
                        table(8)
                    });
                });
                size = shown.content_size - vec2(0.0, above);
            });
            size
        });
        assert_eq!(made.get(), 1);
        assert_eq!(sizes[0], sizes[1]);
    }
}
