//! Help: the gestures of fingers where these touch the window, and the list of keys, made from the table of actions. What has no key is
//! in the menu and the palette alone.

use eframe::egui::{
    Align, Context, FontId, Frame, Id, Label, Layout, Margin, Modal, Rangef, Rect, RichText, ScrollArea,
    Sense, Stroke, StrokeKind, Ui, UiBuilder, pos2, vec2,
};
use grandstand_board::text::fitting;
use grandstand_board::theme::{BODY, Palette, SMALL, semibold};

use crate::actions::{ACTIONS, Action, Group, key_text};
use crate::layout::ScreenLayout;

/// How high a row is, in points.
const ROWS: Rangef = Rangef { min: 20.0, max: 26.0 };
/// Gap between two columns, and between a name and its keys, in points.
const GAP: f32 = 32.0;

/// Height of what is above, below and around the list, with the margin to the window's edges, in points.
const BESIDE_LIST: f32 = 150.0;
/// What is no action of the table.
const NOTES: [&str; 5] = [
    "Drop a .replay file on the window to open it. Drag along the timeline to seek, with Shift for a range; Ctrl and the wheel zoom it.",
    "In lists and tables ↑ and ↓, Page Up, Page Down, Home and End lead from row to row, and Enter opens one.",
    "On a wall the arrows lead from board to board, Enter opens one, and Delete removes it.",
    "Y leads to the board: there the arrows go from place to place, and Enter pins one.",
    "On your turn in a seat, letters and digits go to the field for the move.",
];

/// What fingers do, on a window that they touch.
const GESTURES: [(&str, &str); 7] = [
    ("Tap a place of the board", "Its card: what is there, and what happened to it"),
    ("Two fingers on the board", "Enlarge it; one finger then moves it"),
    ("Double tap", "The whole board again"),
    ("Finger along the timeline", "Seek, with a picture of each moment"),
    ("Two fingers on the timeline", "Zoom it"),
    ("On your turn: tap, then tap again", "Choose a place, then play there"),
    ("On your turn: long press", "The card of a place"),
];

/// Shows the help over everything else; returns `true` when it should close. `turn`: the game's word for a turn; `by_moves`: whether it
/// is a move. `suits`: whether the game has something for an action.
pub(crate) fn show(
    ctx: &Context,
    turn: Option<&str>,
    by_moves: bool,
    suits: &dyn Fn(Action) -> bool,
) -> bool {
    let entries_of = |group: Group| {
        let with_keys = ACTIONS.iter().filter(move |entry| entry.group == group && !entry.keys.is_empty());
        with_keys.map(|entry| entry.action).filter(|action| suits(*action)).collect::<Vec<_>>()
    };
    // A group takes as much as two rows for its heading and the room below it.
    let rows_of = |group: Group| entries_of(group).len() + 2;
    let area = ctx.content_rect();
    let columns = if area.width() > 1000.0 {
        3
    } else if area.width() > 660.0 {
        2
    } else {
        1
    };
    let palette = Palette::of(ctx);
    let is_touched = ScreenLayout::of(ctx).is_touched();
    let frame = Frame::popup(&ctx.global_style()).inner_margin(Margin::same(20)).fill(palette.panel);
    let modal = Modal::new(Id::unique("help")).frame(frame).show(ctx, |ui| {
        // On a phone the names have the whole width.
        let beside = if columns == 1 { 48.0 } else { 100.0 };
        ui.set_width((area.width() - beside).min(356.0 * columns as f32));
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut close = false;
        ui.horizontal(|ui| {
            ui.heading(if is_touched { "Gestures and shortcuts" } else { "Keyboard shortcuts" });
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| close = ui.button("Close").clicked());
        });
        ui.add_space(10.0);
        // The longest column fits into a usual window; in a lower one a whole number of rows is seen.
        let room = (area.height() - BESIDE_LIST).max(4.0 * ROWS.min);
        let last = columns - 1;
        let rows_in = |column: usize| -> usize {
            let groups = Group::ALL.into_iter().filter(|group| column_of(*group).min(last) == column);
            groups.map(rows_of).sum()
        };
        let longest = (0..columns).map(rows_in).max().unwrap_or(0) as f32;
        let row = if columns == 3 { (room / longest).clamp(ROWS.min, ROWS.max) } else { ROWS.max };
        let room = (room / row).floor() * row;
        // The notes fill the shortest column, and scroll with the list.
        let notes_in = (0..columns).min_by_key(|column| rows_in(*column)).filter(|_| columns > 1);
        ScrollArea::vertical().max_height(room).min_scrolled_height(room).show(ui, |ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            if is_touched {
                gestures(ui);
            }
            ui.columns(columns, |columns| {
                for group in Group::ALL {
                    let column = &mut columns[column_of(group).min(last)];
                    section(column, group, &entries_of(group), row, (turn, by_moves));
                }
                if let Some(column) = notes_in {
                    // A column would stretch their lines.
                    columns[column].with_layout(Layout::top_down(Align::LEFT), |ui| {
                        for note in NOTES {
                            ui.label(RichText::new(note).weak());
                            ui.add_space(6.0);
                        }
                    });
                }
            });
        });
        close
    });
    modal.should_close() || modal.inner
}

/// The gestures, each with what it does below it.
fn gestures(ui: &mut Ui) {
    heading(ui, "Gestures");
    for (gesture, does) in GESTURES {
        ui.label(gesture);
        ui.label(RichText::new(does).size(SMALL).weak());
        ui.add_space(6.0);
    }
    ui.add_space(10.0);
}

/// The title of a section.
fn heading(ui: &mut Ui, title: &str) {
    let palette = Palette::of(ui.ctx());
    ui.label(RichText::new(title).family(semibold()).size(BODY).color(palette.accent));
    ui.add_space(2.0);
}

/// The column of a group, where there are three.
fn column_of(group: Group) -> usize {
    match group {
        Group::Playback | Group::Timeline => 0,
        Group::View => 1,
        Group::Program => 2,
    }
}

fn section(ui: &mut Ui, group: Group, actions: &[Action], height: f32, words: (Option<&str>, bool)) {
    heading(ui, group.title());
    for action in actions {
        row(ui, *action, height, words);
    }
    ui.add_space(height - 4.0);
}

/// An action's name, with its keys at the right.
fn row(ui: &mut Ui, action: Action, height: f32, (turn, by_moves): (Option<&str>, bool)) {
    let palette = Palette::of(ui.ctx());
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let painter = ui.painter_at(rect);
    let small = || FontId::proportional(SMALL);
    let mut x = rect.right();
    for key in action.keys(by_moves).iter().rev() {
        let text = painter.layout_no_wrap(key_text(key), small(), palette.text);
        let width = (text.size().x + 12.0).max(22.0);
        let cap = Rect::from_min_size(pos2(x - width, rect.top() + 2.0), vec2(width, height - 4.0));
        painter.rect_filled(cap, 4.0, palette.raised);
        painter.rect_stroke(cap, 4.0, Stroke::new(1.0, palette.line), StrokeKind::Inside);
        painter.galley(cap.center() - text.size() / 2.0, text, palette.text);
        x = cap.left() - 4.0;
    }
    let font = FontId::proportional(BODY);
    let name = action.name_with(turn);
    let name = fitting(&painter, &name, font, palette.text, x - rect.left() - 6.0, 0.8);
    let mut child =
        ui.new_child(UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center)));
    child.add(Label::new(name));
}
