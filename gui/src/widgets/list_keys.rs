//! Keys of a list: the vertical arrow keys, Page Up and Page Down, Home and End lead the focus from row to row, and Enter presses
//! the row that has it. In a grid all arrow keys lead from one to the other.

use eframe::egui::style::ScrollAnimation;
use eframe::egui::{FocusDirection, Id, Key, Modifiers, Popup, Rect, Ui};

/// Number of frames after which a list shows what it was scrolled to, and how often it is scrolled to one place at most.
const FRAMES: u8 = 2;
const TRIES: u8 = 4;
/// Room that is in view above and below the row with the focus, in points.
const AROUND: f32 = 8.0;

/// The keys, in the order in which they are looked for.
const KEYS: [Key; 8] = [
    Key::ArrowDown,
    Key::ArrowUp,
    Key::PageDown,
    Key::PageUp,
    Key::Home,
    Key::End,
    Key::ArrowRight,
    Key::ArrowLeft,
];

/// How the rows stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrangement {
    /// One below the other, in an area that scrolls.
    Column,
    /// Side by side in lines, each with buttons of its own.
    Grid,
}

impl Arrangement {
    fn has(self, key: Key) -> bool {
        self == Arrangement::Grid || !matches!(key, Key::ArrowRight | Key::ArrowLeft)
    }
}

/// The rows of this frame, and what comes into view.
#[derive(Debug, Clone, Default)]
struct ListRows {
    rows: Vec<(Id, Rect)>,
    /// Where the list begins.
    top: f32,
    /// The row that had the focus in the last frame.
    focused: Option<Id>,
    /// What is to come into view, and how often the list may still be scrolled for it.
    seeks: Option<(Sought, u8)>,
    /// Number of frames until the list shows what it was scrolled to.
    wait: u8,
}

/// What comes into view.
#[derive(Debug, Clone, Copy)]
enum Sought {
    /// The row with the focus.
    Focused,
    /// A place below the top of the list, whose row then gets the focus.
    Place(f32),
}

fn list<R>(ui: &Ui, with: impl FnOnce(&mut ListRows) -> R) -> R {
    ui.data_mut(|data| with(data.get_temp_mut_or_default(Id::unique("rows of the list"))))
}

/// Adds a row to the list of this frame: the widget that gets its focus, and its place.
pub(crate) fn add(ui: &Ui, widget: Id, place: Rect) {
    list(ui, |list| list.rows.push((widget, place)));
}

/// Leads to the row at a height, which comes into view and gets the focus.
pub(crate) fn seek(ui: &Ui, y: f32) {
    list(ui, |list| list.seeks = Some((Sought::Place(y - list.top), TRIES)));
}

/// Shows a list, whose rows [`add`] themselves, within the scroll area that has it alone.
pub(crate) fn show<R>(ui: &mut Ui, arrangement: Arrangement, contents: impl FnOnce(&mut Ui) -> R) -> R {
    let top = ui.cursor().top();
    list(ui, |list| {
        list.rows.clear();
        list.top = top;
    });
    let shown = contents(ui);
    let mut state = list(ui, std::mem::take);
    state.lead(ui, arrangement, (top, ui.min_rect().bottom()));
    list(ui, |list| *list = state);
    shown
}

impl ListRows {
    /// Leads the focus through the list between these heights, and scrolls to it.
    fn lead(&mut self, ui: &Ui, arrangement: Arrangement, (top, bottom): (f32, f32)) {
        let focused = ui.memory(|memory| memory.focused());
        let at = focused.and_then(|focused| self.row_of(ui, arrangement, focused));
        let row = at.map(|(widget, _)| widget);
        if row != self.focused {
            self.focused = row;
            self.seeks = row.map(|_| (Sought::Focused, TRIES)).or(self.seeks);
        }
        let is_elsewhere = focused.is_some() && at.is_none();
        // Whoever types is led nowhere.
        if is_elsewhere && ui.ctx().text_edit_focused() {
            self.seeks = None;
        }
        let is_covered =
            Popup::is_any_open(ui.ctx()) || ui.memory(|memory| memory.top_modal_layer().is_some());
        // From what stands above a grid its first line is entered.
        let enters = |key| arrangement == Arrangement::Grid && key == Key::ArrowDown;
        let is_ours = |key: Key| !is_covered && arrangement.has(key) && (!is_elsewhere || enters(key));
        let is_pressed = |key: &Key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, *key));
        if let Some(key) = KEYS.into_iter().filter(|key| is_ours(*key)).find(is_pressed) {
            self.press(ui, (key, arrangement), at, (top, bottom));
        }
        self.scroll(ui, at, (top, bottom));
    }

    /// The row that has the focus, itself or in a grid by one of its buttons.
    fn row_of(&self, ui: &Ui, arrangement: Arrangement, focused: Id) -> Option<(Id, Rect)> {
        let row = self.rows.iter().find(|(widget, _)| *widget == focused).copied();
        let is_grid = arrangement == Arrangement::Grid;
        row.or_else(|| {
            let at = ui.ctx().read_response(focused).filter(|_| is_grid)?.rect.center();
            self.rows.iter().find(|(_, place)| place.contains(at)).copied()
        })
    }

    /// Handles a key. `at`: the row with the focus.
    fn press(
        &mut self,
        ui: &Ui,
        (key, arrangement): (Key, Arrangement),
        at: Option<(Id, Rect)>,
        (top, bottom): (f32, f32),
    ) {
        ui.memory_mut(|memory| memory.move_focus(FocusDirection::None));
        let clip = ui.clip_rect();
        let Some(height) = self.rows.first().map(|(_, place)| place.height()) else { return };
        let from = at.map(|(_, place)| place);
        let beside = |place: &Rect| from.map_or(0.0, |from| (place.center().x - from.center().x).abs());
        let in_order = |a: &&(Id, Rect), b: &&(Id, Rect)| {
            a.1.top().total_cmp(&b.1.top()).then(beside(&a.1).total_cmp(&beside(&b.1)))
        };
        let is_grid = arrangement == Arrangement::Grid;
        let number = at.and_then(|(at, _)| self.rows.iter().position(|(widget, _)| *widget == at));
        let next = match (key, from) {
            (Key::ArrowRight, _) => self.rows.get(number.map_or(0, |number| number + 1)),
            (Key::ArrowLeft, _) => self.rows.get(number.map_or(0, |number| number.saturating_sub(1))),
            (Key::Home | Key::PageUp, _) if is_grid => self.rows.first(),
            (Key::End | Key::PageDown, _) if is_grid => self.rows.last(),
            (Key::ArrowDown, Some(from)) => {
                let below = self.rows.iter().filter(|(_, place)| place.top() >= from.bottom() - 1.0);
                below.min_by(in_order)
            }
            (Key::ArrowUp, Some(from)) => {
                let above = self.rows.iter().filter(|(_, place)| place.bottom() <= from.top() + 1.0);
                let last = above.clone().map(|(_, place)| place.top()).max_by(f32::total_cmp);
                above.filter(|(_, place)| Some(place.top()) == last).min_by(in_order)
            }
            (Key::ArrowDown | Key::ArrowUp, None) => {
                let in_view = self.rows.iter().filter(|(_, place)| place.top() >= clip.top() - 1.0);
                in_view.min_by(in_order)
            }
            _ => None,
        };
        let middle = from.unwrap_or(clip).center().y;
        let page = clip.height() - height;
        let to = match key {
            Key::PageDown => middle + page,
            Key::PageUp => middle - page,
            // Beyond the first row and the last one is what stands there.
            Key::Home | Key::ArrowUp => top,
            _ => bottom,
        };
        match (key, next) {
            (_, Some((widget, _))) => ui.memory_mut(|memory| memory.request_focus(*widget)),
            (_, None) if is_grid => {}
            (Key::ArrowDown | Key::ArrowUp, None) => reveal(ui, (to, to)),
            _ => self.seeks = Some((Sought::Place(to.clamp(top, bottom) - top), TRIES)),
        }
        ui.ctx().request_repaint();
    }

    /// Scrolls to what is to come into view.
    fn scroll(&mut self, ui: &Ui, at: Option<(Id, Rect)>, (top, _): (f32, f32)) {
        if self.wait > 0 {
            self.wait -= 1;
            return ui.ctx().request_repaint();
        }
        let Some((sought, tries)) = self.seeks.take() else { return };
        let clip = ui.clip_rect().y_range();
        let place = match (sought, at) {
            (Sought::Place(y), _) => (top + y, top + y),
            (Sought::Focused, Some((_, place))) => (place.top() - AROUND, place.bottom() + AROUND),
            (Sought::Focused, None) => return,
        };
        let is_seen = place.0 >= clip.min - 1.0 && place.1 <= clip.max + 1.0;
        if !is_seen && tries > 0 {
            reveal(ui, place);
            (self.seeks, self.wait) = (Some((sought, tries - 1)), FRAMES);
            return ui.ctx().request_repaint();
        }
        if let Sought::Place(_) = sought {
            let y = place.0;
            let distance = |row: &Rect| (row.top() - y).max(y - row.bottom()).max(0.0);
            let nearest = self.rows.iter().min_by(|a, b| distance(&a.1).total_cmp(&distance(&b.1)));
            if let Some((widget, _)) = nearest {
                ui.memory_mut(|memory| memory.request_focus(*widget));
                ui.ctx().request_repaint();
            }
        }
    }
}

/// Scrolls at once, as little as brings these heights into view.
fn reveal(ui: &Ui, (top, bottom): (f32, f32)) {
    let place = Rect::from_x_y_ranges(ui.clip_rect().x_range(), top..=bottom);
    ui.scroll_to_rect_animation(place, None, ScrollAnimation::none());
}
