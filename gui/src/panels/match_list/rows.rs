//! Rows of the list: matches, files and folders as cards, and the headings over them.

use eframe::egui::{
    Align, CornerRadius, CursorIcon, FontId, Layout, Rect, RichText, Role, Sense, Stroke, StrokeKind, Ui,
    UiBuilder, WidgetInfo, pos2, vec2,
};
use grandstand_board as board;
use grandstand_board::badge::team_badge;
use grandstand_board::text::{fitted, paint_left};
use grandstand_board::theme::{BODY, Palette, SMALL, mix, semibold};
use grandstand_protocol::message::MatchState;
use grandstand_protocol::{Scene, Summary};
use grandstand_story::format;
use grandstand_story::games::sides;
use grandstand_story::sides::Side;

use crate::icons::{self, Icon};
use crate::widgets::chip;

pub(super) fn heading(ui: &mut Ui, text: &str, count: usize) {
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.label(RichText::new(text).family(semibold()).size(BODY + 2.0));
        ui.weak(count.to_string());
    });
    ui.add_space(2.0);
}

/// A card that one can press; its rectangle and whether it was pressed. `chosen` while the viewer chooses several.
pub(super) fn card(ui: &mut Ui, height: f32, label: &str, chosen: Option<bool>) -> (Rect, bool) {
    let palette = Palette::of(ui.ctx());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    response.widget_info(|| match chosen {
        Some(chosen) => WidgetInfo::selected(Role::CheckBox, true, chosen, label),
        None => WidgetInfo::labeled(Role::Button, true, label),
    });
    let hot = response.hovered() || response.has_focus();
    let fill = mix(palette.panel, palette.raised, if hot { 1.0 } else { 0.45 });
    ui.painter().rect_filled(rect, CornerRadius::same(8), fill);
    if chosen == Some(true) {
        let fill = mix(fill, palette.accent, 0.18);
        ui.painter().rect_filled(rect, CornerRadius::same(8), fill);
    }
    if response.has_focus() {
        let ring = Stroke::new(1.5, palette.accent);
        ui.painter().rect_stroke(rect, CornerRadius::same(8), ring, StrokeKind::Inside);
    }
    (rect, response.on_hover_cursor(CursorIcon::PointingHand).clicked())
}

/// What a match is called: by its title, or by who plays.
pub(crate) fn title(summary: &Summary) -> String {
    format::match_name(&summary.title, &sides(&Scene::new(summary.game), &summary.teams))
}

/// One match; whether it was pressed.
pub(super) fn row(ui: &mut Ui, summary: &Summary, chosen: Option<bool>, hides: bool) -> bool {
    let palette = Palette::of(ui.ctx());
    let scene = Scene::new(summary.game);
    let (game, name) = (board::view(&scene), scene.game().title());
    let teams = sides(&scene, &summary.teams);
    let title = title(summary);
    let (state, ink, dot) = match summary.state {
        MatchState::Live => ("Live", palette.live, true),
        MatchState::Finished => ("Finished", palette.weak, false),
        MatchState::Interrupted if hides => ("Finished", palette.weak, false),
        MatchState::Interrupted => ("Interrupted", palette.warning, false),
    };
    let result = summary.result.as_ref().filter(|_| !hides);
    let outcome = result.map(|result| format::outcome(result, &teams));
    let told = outcome.as_ref().map_or_else(String::new, |outcome| format!(", {outcome}"));
    let label = format!("{title}, {state}{told}, {name}");
    let (rect, pressed) = card(ui, 58.0, &label, chosen);

    let right = {
        let area = Rect::from_min_max(pos2(rect.right() - 130.0, rect.top()), rect.max - vec2(12.0, 0.0));
        let mut ui =
            ui.new_child(UiBuilder::new().max_rect(area).layout(Layout::right_to_left(Align::Center)));
        chip(&mut ui, state, ink, dot);
        ui.min_rect().left()
    };
    let picture = icons::square(rect.left_center() + vec2(30.0, 0.0), 36.0);
    if chosen == Some(true) {
        icons::paint(ui.painter(), Icon::Check, picture.shrink(6.0), palette.accent);
    } else {
        game.thumbnail(ui.painter(), palette, picture);
    }
    let at = rect.left_top() + vec2(60.0, 10.0);
    let room = right - at.x - 12.0;
    let title = fitted(ui.painter(), &title, FontId::new(BODY, semibold()), palette.text, room);
    ui.painter().galley(at, title, palette.text);
    let mut x = at.x;
    let y = rect.bottom() - 17.0;
    let each = room / teams.len().max(1) as f32;
    for side in &teams {
        x = team_word(ui, side, x, y, each.min(200.0));
    }
    let mut facts = vec![name.to_owned()];
    facts.extend(outcome.clone());
    if !hides {
        facts.push(format::count(summary.seq, "line", "lines"));
    }
    if summary.state == MatchState::Live {
        facts.push(format::count(summary.spectators, "spectator", "spectators"));
    }
    facts.push(format::started(&summary.started));
    // Where there is no room for everything, who won comes first; on a narrow page the names leave none.
    let who = result.map(|result| format::who_and_why(result, &teams).0);
    let most = (2..=facts.len()).rev().map(|count| facts[..count].join("  ·  "));
    let options = most.chain(outcome).chain(who).chain([name.to_owned()]);
    let font = FontId::proportional(SMALL);
    let layout = |text| ui.painter().layout_no_wrap(text, font.clone(), palette.weak);
    if let Some(facts) = options.map(layout).find(|facts| facts.size().x <= right - x - 12.0) {
        ui.painter().galley(pos2(x, y - facts.size().y / 2.0), facts, palette.weak);
    }
    ui.add_space(0.0);
    pressed
}

/// A team's badge and name, in so much room; where the next thing may stand.
fn team_word(ui: &Ui, side: &Side, x: f32, y: f32, room: f32) -> f32 {
    let palette = Palette::of(ui.ctx());
    let font = FontId::proportional(SMALL);
    team_badge(ui, side, pos2(x + 6.0, y), 6.0);
    let at = pos2(x + 17.0, y);
    at.x + paint_left(ui.painter(), at, side.short(), font, palette.text, room - 20.0) + 14.0
}

/// The way to the server's tournament; whether it was pressed.
pub(super) fn tournament(ui: &mut Ui, name: &str) -> bool {
    let palette = Palette::of(ui.ctx());
    let (rect, pressed) = card(ui, 46.0, &format!("Tournament: {name}"), None);
    icons::paint(
        ui.painter(),
        Icon::Cup,
        icons::square(rect.left_center() + vec2(30.0, 0.0), 22.0),
        palette.accent,
    );
    let at = rect.left_center() + vec2(60.0, 0.0);
    let title = FontId::new(BODY, semibold());
    let used = paint_left(ui.painter(), at, name, title, palette.text, rect.width() - 200.0);
    let small = FontId::proportional(SMALL);
    paint_left(ui.painter(), at + vec2(used + 14.0, 0.0), "Tournament", small, palette.weak, 120.0);
    ui.add_space(8.0);
    pressed
}

/// A folder or a file; whether it was pressed.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn entry(ui: &mut Ui, icon: Icon, name: &str, note: &str, chosen: Option<bool>) -> bool {
    let palette = Palette::of(ui.ctx());
    let (text, ink) = if note.is_empty() { (name, palette.text) } else { (note, palette.weak) };
    let (rect, pressed) = card(ui, 34.0, text, chosen);
    icons::paint(ui.painter(), icon, icons::square(rect.left_center() + vec2(22.0, 0.0), 16.0), palette.weak);
    let at = rect.left_center() + vec2(42.0, 0.0);
    paint_left(ui.painter(), at, text, FontId::proportional(BODY), ink, rect.width() - 56.0);
    pressed
}
