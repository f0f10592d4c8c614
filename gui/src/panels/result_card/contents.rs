//! Contents of the result card: as one row, as a strip of buttons, and as the parts of the whole card.

use eframe::egui::text::{LayoutJob, TextFormat, TextWrapping};
use eframe::egui::{
    Align, Button, FontId, Label, Layout, RichText, Role, Sense, TextStyle, TextWrapMode, Ui, Vec2,
    WidgetInfo, vec2,
};
use grandstand_board::badge::team_badge;
use grandstand_board::text::with_short_names;
use grandstand_board::theme::{BODY, HEADING, Palette, SMALL, semibold};
use grandstand_story::format;
use grandstand_story::sides::Side;
use grandstand_story::summary::{Moment, ResultSummary};

use super::{Extent, ResultCardAction};
use crate::actions::Action;
use crate::address::Target;
use crate::icons::{self, Icon};
use crate::layout::ScreenLayout;
use crate::panels::review_row::{self, ReviewRequest};
use crate::session::Session;
use crate::widgets::{IconButton, main_button};

/// Width from which the button of the next match has its title, in points.
const ROOM_FOR_NAME: f32 = 440.0;
/// Gap between the outcome and the facts beside it, in points.
const FACTS_APART: f32 = 12.0;
/// Words of the buttons that unfold the card and close it.
const MORE: &str = "More";
const CLOSE: &str = "Close";
/// Gap between the words of a row and its buttons, in points.
const APART: f32 = 8.0;

/// Height of the buttons, in points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    pub height: f32,
}

/// The outcome, the score and the buttons in one row; with `unfolds` a press on the outcome shows the whole card.
pub(super) fn row(
    ui: &mut Ui,
    layout: ScreenLayout,
    (summary, sides): (&ResultSummary, &[Side]),
    mut ways: Vec<WayOn>,
    unfolds: bool,
) -> Option<ResultCardAction> {
    let palette = Palette::of(ui.ctx());
    let side = layout.control(30.0);
    let mut wish = None;
    ui.horizontal(|ui| {
        ui.set_min_height(side);
        let gap = if layout.phone { 1.0 } else { 4.0 };
        ui.spacing_mut().item_spacing.x = gap;
        let badge = if layout.phone { 18.0 } else { 24.0 };
        if let Some(side) = summary.winner.and_then(|side| sides.get(side)) {
            let (rect, _) = ui.allocate_exact_size(Vec2::splat(badge), Sense::hover());
            team_badge(ui, side, rect.center(), badge * 0.44);
        }
        let format =
            |font, color| TextFormat { font_id: font, color, valign: Align::Center, ..TextFormat::default() };
        // Three rows of a phone's type are as high as its buttons.
        let rows = if layout.phone { 3 } else { 2 };
        let told_of = |outcome: &str, count: usize, room: f32| {
            let size = if layout.phone { SMALL } else { BODY };
            let mut job = LayoutJob::default();
            job.append(outcome, 0.0, format(FontId::new(size, semibold()), palette.text));
            if count > 0 {
                // A line ends between facts, and within none.
                let facts: Vec<String> =
                    summary.facts[..count].iter().map(|fact| fact.replace(' ', "\u{a0}")).collect();
                let facts = facts.join("\u{a0}\u{a0}·  ");
                job.append(" ", 0.0, format(FontId::proportional(SMALL), palette.weak));
                job.append(&facts, 6.0, format(FontId::proportional(SMALL), palette.weak));
            }
            job.wrap = TextWrapping { max_width: room, max_rows: rows, ..TextWrapping::default() };
            ui.fonts_mut(|fonts| fonts.layout_job(job))
        };
        let font = TextStyle::Button.resolve(ui.style());
        let wide = |text: &str| {
            let text = ui.painter().layout_no_wrap(text.to_owned(), font.clone(), palette.text);
            text.size().x + 2.0 * ui.spacing().button_padding.x
        };
        let told = |count: usize, room: f32| told_of(&summary.outcome, count, room);
        // Words have room where the outcome still has one line.
        let fold = if unfolds { 14.0 + 2.0 * gap } else { 0.0 };
        let words: f32 = ways.iter().map(|way| wide(way.text) + gap).sum();
        let whole = told(summary.facts.len(), f32::INFINITY).size().x + fold + 8.0;
        let has_words = whole + words + side + gap <= ui.available_width();
        let taken = |shown: usize| if has_words { words } else { shown as f32 * (side + gap) } + side + gap;
        let told_beside = |shown: usize| {
            let room = (ui.available_width() - taken(shown) - fold - gap - APART).max(60.0);
            // All facts, or as many as have room in the line; at least the score.
            let counts = (2..=summary.facts.len()).rev();
            let count = counts.into_iter().find(|count| told(*count, f32::INFINITY).size().x <= room);
            let count = count.unwrap_or(summary.facts.len().min(1));
            let fits = |outcome: &str| !told_of(outcome, count, room).elided;
            let outcome = with_short_names(&summary.outcome, sides, fits);
            (told_of(&outcome, count, room), fits(&summary.outcome))
        };
        // The whole card or the menu has what finds no room beside the outcome.
        if layout.phone {
            ways.truncate(3);
        }
        if layout.phone || unfolds {
            // The names of an outcome are shortened before it takes the main button.
            while ways.len() > 1 && !told_beside(ways.len()).1 {
                ways.pop();
            }
        }
        let (buttons, (galley, _)) = (taken(ways.len()), told_beside(ways.len()));
        match unfolds {
            false => drop(ui.add(Label::new(galley))),
            true => {
                let button = Button::new(galley).frame(false).min_size(vec2(side, side));
                let button = ui.scope(|ui| {
                    ui.spacing_mut().button_padding.x = 0.0;
                    ui.add(button)
                });
                let button = button.inner;
                button.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Unfold this card"));
                let (sign, on_sign) = ui.allocate_exact_size(vec2(14.0, side), Sense::click());
                icons::paint(ui.painter(), Icon::Folded, icons::square(sign.center(), 12.0), palette.weak);
                let pressed = button.union(on_sign);
                if pressed.on_hover_text("Shows all of this card").clicked() {
                    wish = Some(ResultCardAction::Unfold(true));
                }
            }
        }
        if !has_words {
            ui.add_space((ui.available_width() - buttons).max(0.0));
        }
        if !has_words {
            wish = icon_buttons(ui, layout, ways, None).or(wish.take());
            return;
        }
        for way in ways {
            let button = if way.is_main { main_button(way.text, palette) } else { Button::new(way.text) };
            let button = ui.add(button.min_size(vec2(0.0, side)));
            button.widget_info(|| WidgetInfo::labeled(Role::Button, true, &way.name));
            if button.on_hover_text(&way.hint).clicked() {
                wish = Some(way.action);
            }
        }
        wish = close_button(ui, None).or(wish.take());
    });
    wish
}

/// The buttons in a row or a column, with words or without; with `unfolds` the first one shows the whole card.
pub(super) fn strip(
    ui: &mut Ui,
    layout: ScreenLayout,
    ways: Vec<WayOn>,
    (is_column, has_words): (bool, bool),
    unfolds: bool,
) -> Option<ResultCardAction> {
    let way = if is_column { Layout::top_down(Align::Min) } else { Layout::left_to_right(Align::Min) };
    let buttons = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing = Vec2::splat(if layout.phone { 1.0 } else { 4.0 });
        let words = ways.iter().map(|way| way.word).chain([MORE, CLOSE]);
        let wide = words.map(|word| IconButton::caption_width(ui, word)).fold(0.0, f32::max);
        let width = Some(wide).filter(|_| has_words);
        let unfold =
            unfolds.then(|| worded(IconButton::plain(Icon::Folded, "Unfold this card"), MORE, width));
        let unfold = unfold.is_some_and(|unfold| ui.add(unfold).clicked());
        icon_buttons(ui, layout, ways, width).or(unfold.then_some(ResultCardAction::Unfold(true)))
    };
    ui.allocate_ui_with_layout(Vec2::ZERO, way, buttons).inner
}

/// A button with a word, for words of this width.
fn worded(button: IconButton, word: &'static str, width: Option<f32>) -> IconButton {
    match width {
        Some(width) => button.captioned(word, width),
        None => button,
    }
}

/// A small button for each way to go on, with words of this width, and the close button. On a phone the menu has what finds no
/// room.
fn icon_buttons(
    ui: &mut Ui,
    layout: ScreenLayout,
    ways: Vec<WayOn>,
    words: Option<f32>,
) -> Option<ResultCardAction> {
    let mut wish = None;
    for way in ways.into_iter().take(if layout.phone { 3 } else { usize::MAX }) {
        let button = IconButton::plain(way.icon, &way.name).selected(way.is_main).hint(&way.hint);
        if ui.add(worded(button, way.word, words)).clicked() {
            wish = Some(way.action);
        }
    }
    close_button(ui, words).or(wish)
}

fn close_button(ui: &mut Ui, words: Option<f32>) -> Option<ResultCardAction> {
    let button = worded(IconButton::plain(Icon::Close, "Close this card"), CLOSE, words);
    ui.add(button).clicked().then_some(ResultCardAction::Close)
}

/// Winner, cause, facts, and the close button; with `unfolds` also one that shows one row again.
pub(super) fn headline(
    ui: &mut Ui,
    layout: ScreenLayout,
    summary: &ResultSummary,
    sides: &[Side],
    unfolds: bool,
) -> Option<ResultCardAction> {
    let palette = Palette::of(ui.ctx());
    let size = if layout.is_touched() || ui.available_width() < 360.0 { BODY + 2.0 } else { HEADING - 2.0 };
    let cross = layout.control(30.0);
    let mut wish = None;
    ui.horizontal(|ui| {
        ui.set_min_height(cross);
        ui.spacing_mut().item_spacing.x = 8.0;
        if let Some(side) = summary.winner.and_then(|side| sides.get(side)) {
            let (rect, _) = ui.allocate_exact_size(Vec2::splat(size * 1.4), Sense::hover());
            team_badge(ui, side, rect.center(), size * 0.62);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.add(IconButton::plain(Icon::Close, "Close this card")).clicked() {
                wish = Some(ResultCardAction::Close);
            }
            if unfolds && ui.add(IconButton::plain(Icon::Unfolded, "Fold this card")).clicked() {
                wish = Some(ResultCardAction::Unfold(false));
            }
            let font = FontId::new(size, semibold());
            let width = ui.available_width();
            let title = with_short_names(&summary.outcome, sides, |text| {
                let text = ui.painter().layout(text.to_owned(), font.clone(), palette.text, width);
                text.rows.len() <= 2
            });
            let outcome = Label::new(RichText::new(&*title).font(font));
            let facts = summary.facts.join("  ·  ");
            let wide = |text: &str, font: FontId| {
                ui.painter().layout_no_wrap(text.to_owned(), font, palette.text).size().x
            };
            // Facts move to a line of their own rather than being broken.
            let needed = wide(&summary.outcome, FontId::new(size, semibold()))
                + FACTS_APART
                + wide(&facts, FontId::proportional(SMALL + 1.0));
            let in_a_row = needed <= ui.available_width();
            let facts = RichText::new(facts).size(SMALL + 1.0).color(palette.weak);
            let facts = Label::new(facts).wrap_mode(TextWrapMode::Extend);
            let way = match in_a_row {
                true => Layout::left_to_right(Align::Center),
                false => Layout::top_down(Align::Min),
            };
            ui.with_layout(way, |ui| {
                ui.spacing_mut().item_spacing = vec2(FACTS_APART, 1.0);
                let outcome = ui.add(outcome);
                if title != summary.outcome {
                    outcome.on_hover_text(&summary.outcome);
                }
                ui.add(facts);
            });
        });
    });
    wish
}

/// The turning point as a sentence, unless a review tells it, and the list of moments; a press seeks to one. Without a result there
/// is none.
pub(super) fn moments(
    ui: &mut Ui,
    sizes: Sizes,
    summary: &ResultSummary,
    (extent, is_reviewed): (Extent, bool),
) -> Option<ResultCardAction> {
    if !summary.ended {
        return None;
    }
    let mut wish = None;
    if let Some(decided) = summary.decided.as_ref().filter(|_| !is_reviewed) {
        let link = ui.link(RichText::new(&decided.what).size(BODY));
        if link.on_hover_text("Shows this moment").clicked() {
            wish = Some(ResultCardAction::Seq(decided.seq));
        }
        ui.add_space(2.0);
    }
    let told = summary.decided.as_ref().map(|decided| decided.t);
    let others: Vec<&Moment> = summary.moments.iter().filter(|moment| Some(moment.t) != told).collect();
    if extent == Extent::Whole && !others.is_empty() {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
            for moment in others {
                let text = format!("{}  {}", format::minutes(moment.t.as_secs_f64()), moment.what);
                let button =
                    Button::new(RichText::new(text).size(SMALL + 1.0)).min_size(vec2(0.0, sizes.height));
                if ui.add(button.truncate()).on_hover_text("Shows this moment").clicked() {
                    wish = Some(ResultCardAction::Seq(moment.seq));
                }
            }
        });
        ui.add_space(4.0);
    }
    wish
}

/// What was asked for in the row of the engine's review.
pub(super) fn review(wish: Option<ReviewRequest>) -> Option<ResultCardAction> {
    Some(match wish? {
        ReviewRequest::Toggle => ResultCardAction::Action(Action::FindMistakes),
        ReviewRequest::Seq(seq) => ResultCardAction::Seq(seq),
    })
}

/// A way to go on.
#[derive(Debug)]
pub(super) struct WayOn {
    icon: Icon,
    /// Text of its button.
    text: &'static str,
    /// A short word below its icon.
    word: &'static str,
    /// Its name, which tells more.
    name: String,
    hint: String,
    action: ResultCardAction,
    is_main: bool,
}

/// The ways to go on, the main one first. `has_main`: no button beside the card is the main one.
pub(super) fn ways_on(
    next: Option<(Target, String)>,
    (has_played, offers): (bool, bool),
    has_main: bool,
) -> Vec<WayOn> {
    let way = |icon, (text, word): (&'static str, &'static str), hint: &str, action| WayOn {
        icon,
        text,
        word,
        name: text.to_owned(),
        hint: hint.to_owned(),
        action,
        is_main: false,
    };
    let mut ways = Vec::new();
    // "Play" would mean another game.
    let again = way(
        Icon::Play,
        ("Watch again", "Again"),
        "Watch the match again from its start",
        ResultCardAction::WatchAgain,
    );
    match next {
        Some((target, _)) if has_played => {
            let action = ResultCardAction::Rematch(target.clone());
            ways.push(way(Icon::Loop, ("Rematch", "Rematch"), "Colours are swapped", action));
            if offers {
                let action = ResultCardAction::NewGame(target);
                ways.push(way(Icon::Plus, ("New game…", "New"), "Chooses other settings", action));
            }
            ways.push(again);
        }
        Some((target, title)) => {
            let name = format!("Next match: {title}");
            let next = way(Icon::NextEvent, ("Next match", "Next"), &name, ResultCardAction::Open(target));
            ways.extend([again, WayOn { name, ..next }]);
        }
        None => ways.push(again),
    }
    if let Some(main) = ways.first_mut() {
        main.is_main = has_main;
    }
    for (icon, action, text) in [
        (Icon::Share, Action::Share, ("Share…", "Share")),
        (Icon::Export, Action::Export, ("Export…", "Export")),
    ] {
        ways.push(way(icon, text, &action.tooltip(), ResultCardAction::Action(action)));
    }
    ways
}

/// The button that begins the engine's review.
pub(super) fn review_way(session: &Session) -> WayOn {
    let offer = review_row::offer(session);
    WayOn {
        icon: Icon::Warning,
        text: offer,
        word: "Review",
        name: offer.to_owned(),
        hint: Action::FindMistakes.tooltip(),
        action: ResultCardAction::Action(Action::FindMistakes),
        is_main: false,
    }
}

/// The buttons, in rows of which none has one alone.
pub(super) fn show_ways_on(
    ui: &mut Ui,
    layout: ScreenLayout,
    sizes: Sizes,
    ways: Vec<WayOn>,
) -> Option<ResultCardAction> {
    let palette = Palette::of(ui.ctx());
    let mut wish = None;
    ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
    let room = ui.available_width();
    // A title would need a row of its own in a narrow card.
    let narrow = layout.is_touched() || room < ROOM_FOR_NAME;
    let font = TextStyle::Button.resolve(ui.style());
    let wide = |text: &str| {
        let text = ui.painter().layout_no_wrap(text.to_owned(), font.clone(), palette.text);
        text.size().x + 2.0 * ui.spacing().button_padding.x
    };
    let named = |way: &WayOn| if narrow { way.text.to_owned() } else { way.name.clone() };
    let undotted = |way: &WayOn| way.text.trim_end_matches('…').to_owned();
    let texts: [Vec<String>; 3] = [
        ways.iter().map(named).collect(),
        ways.iter().map(undotted).collect(),
        ways.iter().map(|way| way.word.to_owned()).collect(),
    ];
    let widths_of = |texts: &Vec<String>| -> Vec<f32> { texts.iter().map(|text| wide(text)).collect() };
    let rows_of = |texts: &Vec<String>| even_rows(&widths_of(texts), 6.0, room).len();
    // Fewer letters, and at last single words, where they save a row.
    let fewest = texts.iter().map(rows_of).min().unwrap_or(1);
    let [whole, ..] = &texts;
    let texts = texts.iter().find(|texts| rows_of(texts) == fewest && !layout.phone).unwrap_or(whole);
    let widths = widths_of(texts);
    // On a phone the buttons have one row: those without room for their words have a sign, and the menu has the others.
    let rows = if layout.phone { vec![ways.len()] } else { even_rows(&widths, 6.0, room) };
    let mut ways = ways.into_iter().zip(texts).zip(widths);
    for count in rows {
        ui.horizontal(|ui| {
            for ((way, text), wide) in ways.by_ref().take(count) {
                let free = ui.available_width();
                if layout.phone && !way.is_main && wide > free {
                    if layout.control(30.0) > free {
                        return;
                    }
                    if ui.add(IconButton::plain(way.icon, &way.name).hint(&way.hint)).clicked() {
                        wish = Some(way.action);
                    }
                    continue;
                }
                let button =
                    if way.is_main { main_button(text, palette) } else { Button::new(text).truncate() };
                let button = ui.add(button.min_size(vec2(0.0, sizes.height)));
                button.widget_info(|| WidgetInfo::labeled(Role::Button, true, &way.name));
                if button.on_hover_text(&way.hint).clicked() {
                    wish = Some(way.action);
                }
            }
        });
    }
    wish
}

/// How many things of these widths stand in each row: as few rows as `room` allows, of as equal numbers as it allows.
fn even_rows(widths: &[f32], gap: f32, room: f32) -> Vec<usize> {
    let wide = |row: &[f32]| row.iter().sum::<f32>() + gap * row.len().saturating_sub(1) as f32;
    let mut filled = Vec::new();
    let mut left = widths;
    while !left.is_empty() {
        let count = (1..=left.len()).rev().find(|count| wide(&left[..*count]) <= room).unwrap_or(1);
        filled.push(count);
        left = &left[count..];
    }
    let each = widths.len().div_ceil(filled.len().max(1)).max(1);
    let even = widths.chunks(each);
    if even.clone().all(|row| wide(row) <= room) { even.map(<[f32]>::len).collect() } else { filled }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_button_stands_alone_where_two_even_rows_have_room() {
        let rows = |widths: &[f32], room| even_rows(widths, 6.0, room);
        assert_eq!(rows(&[88.0, 98.0, 70.0, 76.0], 400.0), [4]);
        assert_eq!(rows(&[88.0, 98.0, 70.0, 76.0], 276.0), [2, 2]);
        assert_eq!(rows(&[88.0, 170.0, 70.0, 76.0, 76.0], 276.0), [2, 3]);
        // A long one leaves the others what is left.
        assert_eq!(rows(&[60.0, 60.0, 250.0, 60.0], 276.0), [2, 1, 1]);
        assert_eq!(rows(&[400.0], 276.0), [1]);
        assert!(rows(&[], 276.0).is_empty());
    }
}
