//! Rows of the list: matches, files and folders as cards, and the headings over them.

use std::path::Path;

use eframe::egui::{
    Align, CornerRadius, CursorIcon, FontId, Id, Layout, Pos2, Rect, Response, RichText, Role, Sense, Stroke,
    StrokeKind, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};
use grandstand_board as board;
use grandstand_board::text::{fitted, paint_left};
use grandstand_board::theme::{BODY, Palette, SMALL, mix, semibold};
use grandstand_protocol::{MatchSummary, Scene};
use grandstand_story::format;
use grandstand_story::games::sides;

use super::entry::{Entry, EntryState};
use super::player_names::{AFTER, PlayerNames};
use super::selection::Selection;
use super::thumbnails::Thumbnails;
use crate::address::Target;
use crate::icons::{self, Icon};
use crate::layout::ScreenLayout;
use crate::widgets::{chip, list_keys, paint_chip};

/// A heading with the number of what is below it, and of all where a filter leaves some out; none of nothing.
pub(super) fn heading(ui: &mut Ui, text: &str, shown: usize, all: usize) {
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.label(RichText::new(text).family(semibold()).size(BODY + 2.0));
        if all > 0 {
            ui.weak(if shown < all { format!("{shown} of {all}") } else { all.to_string() });
        }
    });
    ui.add_space(2.0);
}

/// A card that can be pressed. `selected` is `Some` during a selection.
pub(super) fn card(ui: &mut Ui, height: f32, label: &str, selected: Option<bool>) -> Response {
    let palette = Palette::of(ui.ctx());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    response.widget_info(|| match selected {
        Some(selected) => WidgetInfo::selected(Role::CheckBox, true, selected, label),
        None => WidgetInfo::labeled(Role::Button, true, label),
    });
    list_keys::add(ui, response.id, rect);
    let hot = response.hovered() || response.has_focus();
    let fill = mix(palette.panel, palette.raised, if hot { 1.0 } else { 0.45 });
    ui.painter().rect_filled(rect, CornerRadius::same(8), fill);
    if selected == Some(true) {
        let fill = mix(fill, palette.accent, 0.18);
        ui.painter().rect_filled(rect, CornerRadius::same(8), fill);
    }
    if response.has_focus() {
        let ring = Stroke::new(1.5, palette.accent);
        ui.painter().rect_stroke(rect, CornerRadius::same(8), ring, StrokeKind::Inside);
    }
    response.on_hover_cursor(CursorIcon::PointingHand)
}

/// Title of a match; without one, the names of the players.
pub(crate) fn title(summary: &MatchSummary) -> String {
    format::match_name(&summary.title, &sides(&Scene::new(summary.game), &summary.teams))
}

/// Height of a match's row. On a phone the facts have a line of their own, and so have the game and the date.
pub(super) fn row_height(layout: ScreenLayout) -> f32 {
    if layout.phone { 96.0 } else { 60.0 }
}

/// Height of a folder's row under a pointer.
#[cfg(not(target_arch = "wasm32"))]
pub(super) const SMALL_ROW: f32 = 34.0;
/// Size of the picture in a row.
const PICTURE: [f32; 2] = [80.0, 52.0];

/// Room of the players' names below a title, before the facts, in points.
const TITLED: f32 = 380.0;
/// Gap between the names and the score, in points.
const BEFORE_SCORE: f32 = 16.0;
/// Length of a match below which it is not told, in seconds.
const SHORT: f64 = 1.0;

/// What rows of matches and recordings share.
pub(super) struct RowPainter<'a> {
    pub thumbnails: &'a mut Thumbnails,
    pub selection: &'a Selection,
    /// Spoiler mode: results, lengths and pictures are hidden.
    pub hides: bool,
    /// The match to whose row the list leads, until it is found.
    pub sought: &'a mut Option<Target>,
}

impl RowPainter<'_> {
    /// The place among these entries of the row to which the list leads.
    pub(super) fn find<'e>(&mut self, mut entries: impl Iterator<Item = &'e Entry>) -> Option<usize> {
        let found = self.sought.as_ref().and_then(|sought| entries.position(|entry| entry.target == *sought));
        if found.is_some() {
            *self.sought = None;
        }
        found
    }

    /// Shows a row; returns its target if it was pressed.
    pub(super) fn show(&mut self, ui: &mut Ui, entry: &Entry) -> Option<Target> {
        let selected = self.selection.contains(&entry.target);
        row(ui, entry, self.thumbnails, selected, self.hides).then(|| entry.target.clone())
    }
}

/// One match; returns whether it was pressed. `selected` is `Some` during a selection.
fn row(ui: &mut Ui, entry: &Entry, thumbnails: &mut Thumbnails, selected: Option<bool>, hides: bool) -> bool {
    let palette = Palette::of(ui.ctx());
    let outcome = entry.outcome(hides);
    let chip_of = match &entry.state {
        EntryState::Live => Some(("Live".to_owned(), palette.live, true)),
        EntryState::Finished => None,
        EntryState::Interrupted if hides => None,
        EntryState::Interrupted => {
            let words = if entry.result.is_some() { "Interrupted" } else { "No result" };
            Some((words.to_owned(), palette.warning, false))
        }
        EntryState::Unread => Some(("Reading…".to_owned(), palette.weak, false)),
        EntryState::Unreadable(why) => Some((why.clone(), palette.error, false)),
    };
    let game = entry.game.map(|_| entry.identity.as_str());
    let mut facts: Vec<String> = game.map(str::to_owned).into_iter().chain(outcome.clone()).collect();
    let moment = Some(entry.moment.clone()).filter(|moment| !moment.is_empty());
    let length = entry.secs.filter(|secs| *secs >= SHORT).map(format::minutes);
    let standing = moment.into_iter().chain(length).filter(|_| !hides);
    let standing: Vec<String> = standing.collect();
    facts.extend_from_slice(&standing);
    facts.extend(Some(entry.occasion.clone()).filter(|occasion| !occasion.is_empty()));
    if entry.spectators > 0 {
        facts.push(format!("{} watching", format::number(entry.spectators)));
    }
    facts.extend(Some(entry.started.clone()).filter(|started| !started.is_empty()));
    let layout = ScreenLayout::of(ui.ctx());
    let state = chip_of.as_ref().map_or("Finished", |(text, ..)| text.as_str());
    let score = if hides { "" } else { entry.score.as_str() };
    let mut told = facts.clone();
    if !score.is_empty() {
        told.insert(usize::from(game.is_some()) + usize::from(outcome.is_some()), score.to_owned());
    }
    let label = format!("{}, {state}, {}", entry.name, told.join(", "));
    let height = row_height(layout);
    let response = card(ui, height, &label, selected);
    let (rect, pressed) = (response.rect, response.clicked());
    let hot = response.hovered() || response.has_focus();
    if !ui.is_rect_visible(rect) {
        return pressed;
    }
    let right = chip_of.map_or(rect.right(), |(text, ink, dot)| {
        let area = Rect::from_min_max(pos2(rect.right() - 200.0, rect.top()), rect.max - vec2(12.0, 0.0));
        let mut ui =
            ui.new_child(UiBuilder::new().max_rect(area).layout(Layout::right_to_left(Align::Center)));
        chip(&mut ui, &text, ink, dot);
        ui.min_rect().left()
    });
    let picture =
        Rect::from_min_size(rect.left_top() + vec2(4.0, (height - PICTURE[1]) / 2.0), PICTURE.into());
    paint_picture(ui, picture, entry, thumbnails, selected, hides);
    let at = rect.left_top() + vec2(PICTURE[0] + 16.0, 10.0);
    // The score stands after the names.
    let score = ui.painter().layout_no_wrap(score.to_owned(), FontId::new(BODY, semibold()), palette.text);
    let scored = if score.size().x > 0.0 { score.size().x + BEFORE_SCORE } else { 0.0 };
    let room = right - at.x - 12.0 - scored;
    let mut y = rect.bottom() - if layout.phone { 37.0 } else { 18.0 };
    let mut x = at.x;
    if let (Some(game), true) = (game, layout.phone) {
        let at = pos2(at.x, rect.bottom() - 15.0);
        let end = at.x + paint_chip(ui, at, game, palette.weak, false) + 8.0;
        // When it was, and of what event, as far as there is room.
        let whole = [entry.started.as_str(), &entry.occasion].into_iter().filter(|part| !part.is_empty());
        let whole = whole.collect::<Vec<_>>().join("  ·  ");
        let font = FontId::proportional(SMALL);
        let room = right - end - 12.0;
        let fits = |text: &str| !fitted(ui.painter(), text, font.clone(), palette.weak, room).elided;
        // Without the year the time has room.
        let in_year = entry.started.split_once('-').map_or("", |(_, rest)| rest);
        if let Some(text) = [whole.as_str(), &entry.started, in_year].into_iter().find(|text| fits(text)) {
            paint_left(ui.painter(), pos2(end, at.y), text, font, palette.weak, room);
        }
    }
    // A file that was not read has its name alone.
    let rise = if entry.game.is_none() { height / 2.0 - 19.0 } else { 0.0 };
    let at = at + vec2(0.0, rise);
    let winner = entry.result.as_ref().filter(|_| !hides).and_then(|result| result.winner.as_deref());
    let names = |font: FontId| PlayerNames::new(ui, &entry.sides, winner, font);
    // Where the first line ends.
    let named = if entry.has_title {
        let name = fitted(ui.painter(), &entry.name, FontId::new(BODY, semibold()), palette.text, room);
        let named = at.x + name.size().x;
        ui.painter().galley(at, name, palette.text);
        let most = if layout.phone { room + scored } else { room.min(TITLED) };
        let end = names(FontId::proportional(SMALL)).show(
            ui,
            (at.x, at.y + if layout.phone { 29.0 } else { 32.0 }),
            most,
        );
        if !layout.phone {
            x = end;
        }
        named
    } else {
        let names = names(FontId::new(BODY, semibold()));
        if layout.phone && entry.sides.len() == 2 && !names.fit(room) {
            // A line for each, as a title and its players have.
            names.one(ui, 0, (at.x, at.y + 5.0), room + scored - 17.0);
            names.one(ui, 1, (at.x, at.y + 25.0), room + scored - 17.0);
            y += 2.0;
            // The names have all the room of their lines.
            ui.painter().galley(pos2(x, y - score.size().y / 2.0), score.clone(), palette.text);
            x += scored;
            right
        } else {
            y -= if layout.phone { 10.0 } else { 0.0 };
            names.show(ui, (at.x, at.y + 9.0), room) - AFTER
        }
    };
    let named = if scored > 0.0 && named < right {
        let at = pos2(named + BEFORE_SCORE, at.y + 9.0 - score.size().y / 2.0);
        ui.painter().galley(at, score, palette.text);
        named + scored
    } else {
        named
    };
    if let (Target::File(path), true) = (&entry.target, hot || entry.game.is_some() && !layout.phone) {
        paint_file(ui, path, hot, named + 16.0, pos2(right - 12.0, at.y + 9.0));
    }
    // The longest text that fits: all facts, fewer of them, the outcome, the winner, the game.
    let who = entry.result.as_ref().filter(|_| !hides);
    let who = who.map(|result| format::who_and_why(result, &entry.sides).0);
    // A long event gives way to the start.
    let short: Vec<String> = facts.iter().filter(|fact| **fact != entry.occasion).cloned().collect();
    let most = std::iter::once(facts.join("  ·  "))
        .chain((2..=short.len()).rev().map(|count| short[..count].join("  ·  ")));
    // On a phone the game has a line with the date.
    let stands = standing.join("  ·  ");
    // Who won is worth more than the turn.
    let shorter = stands.split_once("  ·  ").map_or("", |(_, rest)| rest);
    let with_winner = who.iter().flat_map(|who| {
        let known = [stands.as_str(), shorter].into_iter().filter(|known| !known.is_empty());
        known.map(move |known| format!("{who}  ·  {known}"))
    });
    let first: Vec<String> = match layout.phone && !stands.is_empty() {
        true => with_winner.chain(who.clone()).chain([stands.clone()]).collect(),
        false => Vec::new(),
    };
    let options =
        first.into_iter().chain(most).chain(outcome).chain(who.clone()).chain(game.map(str::to_owned));
    let font = FontId::proportional(SMALL);
    let layout = |text| ui.painter().layout_no_wrap(text, font.clone(), palette.weak);
    if let Some(facts) = options.map(layout).find(|facts| facts.size().x <= right - x - 12.0) {
        ui.painter().galley(pos2(x, y - facts.size().y / 2.0), facts, palette.weak);
    }
    pressed
}

/// The file of a row between `left` and the point at its right end: its name, or nothing; the whole path of a row that is pointed at.
fn paint_file(ui: &Ui, path: &Path, hot: bool, left: f32, end: Pos2) {
    let weak = Palette::of(ui.ctx()).weak;
    let whole = path.display().to_string();
    let last = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let laid = |text: String| ui.painter().layout_no_wrap(text, FontId::proportional(SMALL), weak);
    let whole = hot.then_some(whole);
    if let Some(text) = whole.into_iter().chain([last]).map(laid).find(|text| text.size().x <= end.x - left) {
        ui.painter().galley(end - vec2(text.size().x, text.size().y / 2.0), text, weak);
    }
}

/// The board's last picture; the game's icon in spoiler mode and where no picture is known.
fn paint_picture(
    ui: &Ui,
    rect: Rect,
    entry: &Entry,
    thumbnails: &mut Thumbnails,
    selected: Option<bool>,
    hides: bool,
) {
    let palette = Palette::of(ui.ctx());
    ui.painter().rect_filled(rect, CornerRadius::same(5), palette.ground);
    if selected == Some(true) {
        return icons::paint(ui.painter(), Icon::Check, icons::square(rect.center(), 24.0), palette.accent);
    }
    if let Some(scene) = entry.scene.as_deref().filter(|_| !hides) {
        thumbnails.paint(
            ui,
            rect,
            || format!("{} {}", entry.target, entry.secs.unwrap_or_default()),
            (scene, &entry.teams),
        );
        return;
    }
    let sign = icons::square(rect.center(), 36.0);
    match entry.game {
        Some(game) => board::view(&Scene::new(game)).thumbnail(ui.painter(), palette, sign),
        None => icons::paint(ui.painter(), Icon::File, sign.shrink(9.0), palette.weak),
    }
}

/// Virtualized rows of one height: only those near the view are laid out. `id` identifies a row, which keeps its focus while the
/// list is scrolled and when others come. The list leads to the row with the number `sought`.
pub(super) fn rows(
    ui: &mut Ui,
    (count, sought): (usize, Option<usize>),
    height: f32,
    id: impl Fn(usize) -> Id,
    mut draw: impl FnMut(&mut Ui, usize),
) {
    /// Lists of up to `FEW` rows are laid out whole; longer ones with `MARGIN` rows on either side of the view.
    const FEW: usize = 40;
    const MARGIN: usize = 4;
    let step = height + ui.spacing().item_spacing.y;
    if let Some(sought) = sought {
        list_keys::seek(ui, ui.cursor().top() + sought as f32 * step + height / 2.0);
    }
    let above = ((ui.clip_rect().top() - ui.cursor().top()) / step).max(0.0) as usize;
    let below = ((ui.clip_rect().bottom() - ui.cursor().top()) / step).max(0.0).ceil() as usize;
    let (first, last) = match count {
        0..=FEW => (0, count),
        _ => (above.saturating_sub(MARGIN).min(count), (below + MARGIN).min(count)),
    };
    let gap = |rows: usize| rows as f32 * step;
    if first > 0 {
        ui.add_space(gap(first));
    }
    for number in first..last {
        ui.scope_builder(UiBuilder::new().scope_id(id(number)), |ui| draw(ui, number));
    }
    if last < count {
        ui.add_space(gap(count - last));
    }
}

/// A folder by its name; returns whether it was pressed.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn folder(ui: &mut Ui, text: &str) -> bool {
    let palette = Palette::of(ui.ctx());
    let ink = palette.text;
    let response = card(ui, ScreenLayout::of(ui.ctx()).control(SMALL_ROW), text, None);
    let rect = response.rect;
    let sign = icons::square(rect.left_center() + vec2(22.0, 0.0), 16.0);
    icons::paint(ui.painter(), Icon::Folder, sign, palette.weak);
    let at = rect.left_center() + vec2(42.0, 0.0);
    let shown = fitted(ui.painter(), text, FontId::proportional(BODY), ink, rect.width() - 56.0);
    let is_cut = shown.elided;
    ui.painter().galley(at - vec2(0.0, shown.size().y / 2.0), shown, ink);
    let pressed = response.clicked();
    if is_cut {
        response.on_hover_text(text);
    }
    pressed
}
