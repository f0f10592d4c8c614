//! State section: the bot's calls, names with values, its team's cells, and its last actions.

use eframe::egui::{FontId, Popup, Rect, Response, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use grandstand_board::theme::{MONO, Palette, SMALL, mix, semibold};
use grandstand_protocol::Game;
use grandstand_protocol::insight::{BotState, ScopeName, SharedCell, Target};
use grandstand_story::format::{count, number};

use super::{ProgramPanel, places};

/// Height of a row, in points.
const ROW: f32 = 19.0;

/// One row: a name and a value.
struct Entry<'a> {
    left: &'a str,
    right: &'a str,
    /// Whether the value differs from the one in the previous view.
    changed: bool,
    weak: bool,
}

impl ProgramPanel {
    pub(super) fn state_section(&mut self, ui: &mut Ui, game: Game) {
        ui.spacing_mut().item_spacing.y = 1.0;
        let Some(view) = self.view.take_if(|_| self.absent.is_none()) else {
            if self.absent.is_some() {
                ui.weak("It is not in the match at this moment, and has no state.");
            }
            return;
        };
        self.names(ui, game, &view.state);
        self.calls(ui, &view.state);
        let before = self.before.as_ref().map(|before| &before.state);
        locks(ui, &view.state, before);
        let find = self.cells(ui, &view.state);
        last_actions(ui, &view.state, before);
        self.view = Some(view);
        if let Some((what, back)) = find {
            self.find(what, back);
        }
    }

    fn names(&mut self, ui: &mut Ui, game: Game, view: &BotState) {
        let Some(call) = view.calls.get(self.call) else { return };
        let (constants, names): (Vec<&ScopeName>, Vec<&ScopeName>) =
            call.names.iter().partition(|name| name.constant);
        let (names, lost): (Vec<&ScopeName>, Vec<&ScopeName>) =
            names.iter().partition(|name| name.value.is_some());
        heading(ui, if names.is_empty() { "No names in scope" } else { "Names" });
        let before = self.before.as_ref().and_then(|before| before.state.calls.get(self.call));
        let before = before.filter(|before| before.function == call.function);
        let left = widest(ui, names.iter().map(|name| name.name.as_str()));
        for name in names {
            let value = name.value.as_ref().map(|value| value.text.as_str());
            let was = before.and_then(|before| before.names.iter().find(|was| was.name == name.name));
            let changed = before.is_some()
                && was.is_none_or(|was| was.value.as_ref().map(|value| value.text.as_str()) != value);
            let right = value.unwrap_or_default();
            let shown = places::of_name(game, name, &call.names);
            let entry = Entry { left: &name.name, right, changed, weak: false };
            let response = row(ui, left, &entry, Sense::hover());
            if response.hovered() && !shown.is_empty() {
                self.request.places = shown;
            }
            if right.chars().count() > 40 {
                response.on_hover_text(right);
            }
        }
        folded(ui, &constants, "constant", "constants");
        folded(ui, &lost, "name that is not kept", "names that are not kept");
    }

    fn calls(&mut self, ui: &mut Ui, view: &BotState) {
        if view.calls.len() < 2 {
            return;
        }
        heading(ui, "Calls, the innermost first");
        for (index, call) in view.calls.iter().enumerate() {
            let name = call.function.as_deref().unwrap_or("the program");
            let text = format!("{name}  {}:{}", call.place.file, call.place.line);
            let text = RichText::new(text).size(MONO).monospace();
            if ui.selectable_label(self.call == index, text).clicked() {
                self.call = index;
            }
        }
        if view.depth > view.calls.len() {
            ui.weak(format!("and {} more", view.depth - view.calls.len()));
        }
    }

    /// The cells that the team shares. Returns a search that was chosen for a cell, and whether it goes backwards.
    fn cells(&self, ui: &mut Ui, view: &BotState) -> Option<(Target, bool)> {
        if view.cells.is_empty() {
            return None;
        }
        heading(ui, "Cells of the team");
        let left = widest(ui, view.cells.iter().map(|cell| cell.names.first().map_or("", String::as_str)));
        let mut find = None;
        for (index, cell) in view.cells.iter().enumerate() {
            let was = self.before.as_ref().and_then(|before| {
                before.state.cells.iter().find(|was| was.names.first() == cell.names.first())
            });
            let changed =
                was.is_some_and(|was| was.value.text != cell.value.text || was.holder != cell.holder);
            let text = cell_words(view, cell);
            let name = cell.names.first().map_or("no name", String::as_str);
            let entry = Entry { left: name, right: &text, changed, weak: false };
            let response = ui.push_id(index, |ui| row(ui, left, &entry, Sense::click())).inner;
            if let Some(name) = cell.names.first() {
                Popup::menu(&response).show(|ui| {
                    let lock = Target::Lock { side: view.side, cell: name.clone() };
                    let write = Target::Write { side: view.side, cell: name.clone() };
                    for (label, what, back) in [
                        ("Last write", &write, true),
                        ("Next write", &write, false),
                        ("Last change of its lock", &lock, true),
                        ("Next change of its lock", &lock, false),
                    ] {
                        if ui.button(label).clicked() {
                            find = Some((what.clone(), back));
                        }
                    }
                });
            }
            response.on_hover_text(format!("{} = {text}", cell.names.join(", ")));
        }
        find
    }
}

/// A cell's value, its lock's holder, the bots that wait for the lock, and the last write.
fn cell_words(view: &BotState, cell: &SharedCell) -> String {
    let mut text = cell.value.text.clone();
    if let Some(holder) = cell.holder {
        let own = if holder == view.bot { "this bot".to_owned() } else { format!("bot {holder}") };
        text += &format!("; held by {own}");
    }
    if !cell.waiting.is_empty() {
        let waiting: Vec<String> = cell.waiting.iter().map(ToString::to_string).collect();
        text += &format!(", awaited by {}", waiting.join(", "));
    }
    if let Some(written) = &cell.written {
        let place = &written.place;
        text += &format!(
            "; written by {} in cycle {} at {}:{}",
            written.bot,
            number(written.cycle),
            place.file,
            place.line
        );
    }
    text
}

/// The locks that the bot holds, with the lines where it took them.
fn locks(ui: &mut Ui, view: &BotState, before: Option<&BotState>) {
    if view.locks.is_empty() {
        return;
    }
    heading(ui, "Locks that it holds");
    let places: Vec<String> =
        view.locks.iter().map(|lock| format!("{}:{}", lock.taken.file, lock.taken.line)).collect();
    let left = widest(ui, places.iter().map(String::as_str));
    for (lock, place) in view.locks.iter().zip(&places) {
        let changed = before.is_some_and(|before| !before.locks.contains(lock));
        let right = format!("since cycle {}; the cell is {}", number(lock.since), lock.value.text);
        row(ui, left, &Entry { left: place, right: &right, changed, weak: false }, Sense::hover());
    }
}

/// Names behind a heading that unfolds them.
fn folded(ui: &mut Ui, names: &[&ScopeName], one: &str, many: &str) {
    if names.is_empty() {
        return;
    }
    let left = widest(ui, names.iter().map(|name| name.name.as_str()));
    let title = RichText::new(count(names.len() as u64, one, many)).size(SMALL);
    ui.collapsing(title, |ui| {
        for name in names {
            let right = name.value.as_ref().map_or("not kept", |value| &value.text);
            row(ui, left, &Entry { left: &name.name, right, changed: false, weak: true }, Sense::hover());
        }
    });
}

/// The bot's last actions, the latest first.
fn last_actions(ui: &mut Ui, view: &BotState, before: Option<&BotState>) {
    if view.last.is_empty() && view.action.is_none() {
        return;
    }
    let palette = Palette::of(ui.ctx());
    heading(ui, "Last actions");
    for action in view.last.iter().rev() {
        let is_new = before.is_some_and(|before| before.cycle <= view.cycle && action.cycle > before.cycle);
        let failed =
            ["failed", "could not", "can't", "had no move"].iter().any(|word| action.text.contains(word));
        let ink = if failed { palette.warning } else { palette.text };
        let under_way = view.action.as_ref() == Some(&action.text);
        let lead = if under_way { "now: " } else { "" };
        let text = RichText::new(format!("{lead}{}", action.text)).size(SMALL).color(ink);
        let text = if is_new { text.background_color(lit(palette)) } else { text };
        ui.label(text);
    }
}

fn lit(palette: &Palette) -> eframe::egui::Color32 {
    mix(palette.panel, palette.accent, 0.25)
}

pub(super) fn heading(ui: &mut Ui, text: &str) {
    ui.add_space(4.0);
    ui.label(RichText::new(text).size(SMALL).family(semibold()));
}

/// Width of the left column, in points.
fn widest<'a>(ui: &Ui, texts: impl Iterator<Item = &'a str>) -> f32 {
    let most = texts.map(|text| text.chars().count()).max().unwrap_or(0);
    let em = ui.painter().layout_no_wrap("m".repeat(10), FontId::monospace(MONO), ui.visuals().text_color());
    (most as f32 * em.size().x / 10.0 + 14.0).min(ui.available_width() * 0.45)
}

fn row(ui: &mut Ui, left: f32, entry: &Entry<'_>, sense: Sense) -> Response {
    let palette = Palette::of(ui.ctx());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), sense);
    let changed = if entry.changed { ", changed" } else { "" };
    let role = if sense.senses_click() { Role::Button } else { Role::Label };
    response.widget_info(|| {
        WidgetInfo::labeled(role, true, format!("{} = {}{changed}", entry.left, entry.right))
    });
    let painter = ui.painter();
    if entry.changed {
        painter.rect_filled(rect, 3.0, lit(palette));
    } else if response.hovered() || response.has_focus() {
        painter.rect_filled(rect, 3.0, palette.raised);
    }
    let font = FontId::monospace(MONO);
    let ink = if entry.weak { palette.weak } else { palette.text };
    let middle = rect.center().y;
    let name =
        Rect::from_min_max(pos2(rect.left() + 4.0, rect.top()), pos2(rect.left() + left, rect.bottom()));
    let paint = |at: f32, text: &str, ink, room: f32| {
        let at = pos2(at, middle);
        grandstand_board::text::paint_left(painter, at, text, font.clone(), ink, room);
    };
    paint(name.left(), entry.left, palette.weak, name.width());
    paint(rect.left() + left + 4.0, entry.right, ink, rect.width() - left - 8.0);
    response
}
