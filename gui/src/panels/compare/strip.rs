//! Strip between the boards and the timeline: the lock, the differences, and the lines of both matches.

use eframe::egui::{
    Align, Button, Color32, Context, Direction, FontId, Label, Layout, Rect, RichText, Role, Sense,
    TextStyle, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};
use grandstand_board::CellShape;
use grandstand_board::node;
use grandstand_board::text::{cut_apart, fitted, paint_left, without_common_start};
use grandstand_board::theme::{MONO, Palette, SMALL, mix, semibold};
use grandstand_replays::Growth;
use grandstand_replays::diff::{Kind, Lock};
use grandstand_story::{format, story};

use super::boards::{self, Division};
use super::{Compare, CompareRequest, places};
use crate::actions::Action;
use crate::icons::Icon;
use crate::layout::ScreenLayout;
use crate::panels::status::{NO_SPOILERS, NO_SPOILERS_TIP};
use crate::session::Session;
use crate::widgets::{IconButton, chip};

/// Height of a button under a pointer, the gap to the next row, and the height of a line, in points.
const BUTTON: f32 = 30.0;
const BETWEEN: f32 = 4.0;
const LINE: f32 = 23.0;
/// Width below which the buttons take two rows and lines stand one above the other, in points.
const NARROW: f32 = 640.0;
/// Width from which groups of buttons have a title, in points.
const WIDE: f32 = 960.0;

/// Height of the strip with so many pairs of lines in this window, in points.
pub(crate) fn height(ctx: &Context, pairs: usize) -> f32 {
    let window = ctx.content_rect().size();
    let (rows, columns) = if window.x < NARROW { (2.0, 1) } else { (1.0, 2) };
    10.0 + row_height(ctx) * rows + LINE * (pairs * 2 / columns) as f32
}

/// Height of a row of buttons, which a finger may press, with the gap below it.
fn row_height(ctx: &Context) -> f32 {
    ScreenLayout::of(ctx).control(BUTTON) + BETWEEN
}

/// Number of pairs of lines that fit.
pub(super) fn most_pairs(ctx: &Context) -> usize {
    let window = ctx.content_rect().size();
    match window.y {
        y if y < 560.0 || window.x < NARROW => 1,
        y if y < 760.0 => 2,
        _ => 3,
    }
}

/// Shows the strip, with lines as the room is divided; returns the viewer's request.
pub(crate) fn show(
    ui: &mut Ui,
    compare: &Compare,
    leader: &Session,
    Division { pairs, is_tall, .. }: Division,
) -> Option<CompareRequest> {
    let palette = Palette::of(ui.ctx());
    if let Some(mismatch) = compare.mismatch(leader) {
        let shown = ui.vertical_centered(|ui| {
            ui.add_space(8.0);
            ui.colored_label(palette.warning, mismatch);
            ui.add_space(2.0);
            // Of the first alone something is to be seen only if it could be opened.
            let opens = !compare.pair(leader)[0].is_failed();
            opens
                .then(|| ui.button("Watch the first alone").clicked().then_some(CompareRequest::End))
                .flatten()
        });
        return shown.inner;
    }
    let area = ui.max_rect().shrink2(vec2(10.0, 4.0));
    let narrow = area.width() < NARROW;
    let high = row_height(ui.ctx());
    let row = |index: f32| {
        Rect::from_min_size(pos2(area.left(), area.top() + high * index), vec2(area.width(), high))
    };
    let mut request = None;
    let builder = UiBuilder::new().max_rect(row(0.0)).layout(Layout::left_to_right(Align::Center));
    let locks = ui.scope_builder(builder.id_salt("locks"), |ui| {
        request = locks(ui, compare, leader, area.width() >= WIDE);
        if !narrow {
            ui.add_space(10.0);
            request = request.or(firsts(ui, compare, leader, area.width() >= WIDE));
        }
        ui.min_rect().right()
    });
    let rest = Rect::from_min_max(pos2(locks.inner + 8.0, area.top()), row(0.0).max);
    let builder = UiBuilder::new().max_rect(rest).layout(Layout::right_to_left(Align::Center));
    ui.scope_builder(builder.id_salt("steps"), |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (icon, action, name, asks) in [
            (Icon::NextEvent, Action::NextEvent, "Next difference", CompareRequest::Next),
            (Icon::PreviousEvent, Action::PreviousEvent, "Previous difference", CompareRequest::Previous),
        ] {
            if ui.add(IconButton::new(icon, action).called(action, name)).clicked() {
                request = Some(asks);
            }
        }
        // Whose the timeline is: by name, or by its place.
        let side = usize::from(compare.swapped);
        let place = places(is_tall)[side];
        let owners = [&*names(compare, leader)[side], place];
        let font = match narrow {
            true => FontId::proportional(SMALL),
            false => TextStyle::Body.resolve(ui.style()),
        };
        let owners = owners.map(|owner| {
            let words = format!("Timeline: {owner}");
            ui.painter().layout_no_wrap(words, font.clone(), palette.weak)
        });
        if !narrow {
            // What differs here gives way to the shorter one.
            let room = ui.available_width() - owners[1].size().x - 10.0 - ui.spacing().item_spacing.x;
            let layout = Layout::right_to_left(Align::Center);
            ui.allocate_ui_with_layout(vec2(room.max(0.0), high), layout, |ui| {
                here(ui, compare, leader);
            });
            ui.add_space(10.0);
        }
        if let Some(words) = owners.into_iter().find(|words| words.size().x <= ui.available_width()) {
            ui.add(Label::new(words));
        }
    });
    if narrow {
        let builder = UiBuilder::new().max_rect(row(1.0)).layout(Layout::left_to_right(Align::Center));
        ui.scope_builder(builder.id_salt("firsts"), |ui| {
            request = request.or(firsts(ui, compare, leader, false));
            here(ui, compare, leader);
        });
    }
    let top = row(if narrow { 1.0 } else { 0.0 }).bottom();
    let lines = Rect::from_min_max(pos2(area.left(), top), area.max);
    show_lines(ui, lines, compare, leader, pairs);
    request
}

/// Choice of the lock.
fn locks(ui: &mut Ui, compare: &Compare, leader: &Session, wide: bool) -> Option<CompareRequest> {
    let mut request = None;
    ui.spacing_mut().item_spacing.x = 4.0;
    if wide {
        ui.weak("Align by").on_hover_text("Which moments of the two are shown together");
    }
    let turn = story(leader.scene()).turn_counter().map_or("Turn", |(name, _)| name);
    let turn_tip = format!("The same {}, and as far within it", turn.to_lowercase());
    for (lock, name, tip) in [
        (Lock::Turn, turn, turn_tip.as_str()),
        (Lock::Time, "Time", "The same time since the beginning"),
        (Lock::Command, "Line", "The pictures after the same number of lines"),
    ] {
        let button = ui.selectable_label(compare.lock == lock, name);
        button.widget_info(|| {
            WidgetInfo::selected(Role::RadioButton, true, compare.lock == lock, format!("Align by {name}"))
        });
        if button.on_hover_text(tip).clicked() {
            request = Some(CompareRequest::Lock(lock));
        }
    }
    request
}

/// First difference of boards and of lines. A button seeks to it, and from then on steps go by this kind; it is lit while that moment
/// is shown.
fn firsts(ui: &mut Ui, compare: &Compare, leader: &Session, has_room: bool) -> Option<CompareRequest> {
    let mut request = None;
    let logs = compare.logs(leader);
    let shown = compare.pair(leader).map(|session| session.seq());
    let loading = logs.iter().any(|log| log.growth() == Growth::Loading);
    let (done, whole) = (!compare.reads && !loading, compare.diff.progress(logs) >= 1.0);
    let hidden = leader.hides_future() || compare.other.hides_future() || !whole;
    ui.spacing_mut().item_spacing.x = 4.0;
    if [Kind::Boards, Kind::Lines].into_iter().any(|kind| compare.diff.first(kind).is_some()) {
        ui.weak(if has_room { "First difference" } else { "First" });
        ui.add_space(2.0);
    }
    for (kind, one, many) in [(Kind::Boards, "board", "Boards"), (Kind::Lines, "line", "Lines")] {
        let first = compare.diff.first(kind);
        let at = first.map(|found| {
            let lines = found.lines(logs).into_iter().flatten().min();
            match kind {
                Kind::Lines => lines.unwrap_or(found.after[0]),
                Kind::Boards => found.after[0].max(found.after[1]),
            }
        });
        let (text, words) = match at {
            Some(at) if kind == Kind::Lines => {
                let at = format::number(at);
                (format!("line {at}"), format!("First different {one}: line {at}"))
            }
            Some(at) => {
                let turn =
                    first.and_then(|found| leader.turn_words_at(found.after[usize::from(compare.swapped)]));
                let line = format!("line {}", format::number(at));
                // What differs on the board is looked for by its turn, a line by its number.
                let turn = turn.map(|turn| format::uncapitalised(&turn));
                let shown = turn.clone().unwrap_or_else(|| format!("board at {line}"));
                let all: Vec<String> = turn.into_iter().chain([line]).collect();
                (shown, format!("First difference: {}", all.join(", ")))
            }
            None if done && !hidden => (format!("{many}: equal"), format!("Every {one} is the same")),
            None if done => {
                (format!("{many}: equal so far"), format!("Every {one} that was seen is the same"))
            }
            None => (format!("{many}: …"), format!("No different {one} yet")),
        };
        let is_shown = first.is_some_and(|found| found.after == shown);
        // A frame says that it leads somewhere.
        let button = ui.add(Button::new(text).selected(is_shown));
        button.widget_info(|| WidgetInfo::selected(Role::Button, true, is_shown, &words));
        if button.on_hover_text(format!("{words}. Goes there, and steps by these from now on")).clicked() {
            request =
                Some(if first.is_some() { CompareRequest::First(kind) } else { CompareRequest::Kind(kind) });
        }
    }
    request
}

/// The difference at the shown moment in words, with those that fit.
fn here(ui: &mut Ui, compare: &Compare, leader: &Session) {
    let palette = Palette::of(ui.ctx());
    let progress = compare.diff.progress(compare.logs(leader));
    let count = compare.differing.places.len() as u64;
    let terrain = if compare.differing.terrain > 0 { " · different maps" } else { "" };
    let (texts, ink) = match count {
        _ if compare.reads && progress < 1.0 => {
            (vec![format!("Read {:.0} %", progress * 100.0)], palette.weak)
        }
        0 if !terrain.is_empty() => {
            let short = terrain.trim_start_matches(" · ");
            (
                vec!["Different maps, the same on them here".to_owned(), format::capitalised(short)],
                palette.text,
            )
        }
        0 => (vec!["Same board here".to_owned(), "Same board".to_owned()], palette.weak),
        _ => {
            let places = format::count(count, "place differs", "places differ");
            // Where the boards went apart the last time.
            let since = compare.since(leader);
            let here = match compare.is_apart(leader) {
                _ if ScreenLayout::of(ui.ctx()).phone => String::new(),
                // Boards that are the same moment by moment differ between two moments.
                true => " between two moments".to_owned(),
                false => since.map_or_else(String::new, |since| format!(" since {since}")),
            };
            let brief = format::count(count, "differs", "differ");
            let texts = [format!("{places}{here}{terrain}"), format!("{places}{terrain}"), places, brief];
            (texts.into(), palette.text)
        }
    };
    let font = TextStyle::Body.resolve(ui.style());
    let width = |text: &str| ui.painter().layout_no_wrap(text.to_owned(), font.clone(), ink).size().x;
    let room = ui.available_width();
    let fresh = compare.differing.fresh.len() as u64;
    // The words, and the names of the two kinds of marks: of new differences, and of others. In little room these are counted.
    type Form<'a> = (Option<&'a String>, Option<[String; 2]>);
    let named = ["new", "earlier"].map(str::to_owned);
    let counted = [(fresh, &named[0]), (count.saturating_sub(fresh), &named[1])];
    let counted = counted.map(|(count, name)| format!("{} {name}", format::number(count)));
    let with_key = texts.iter().map(|text| (Some(text), Some(named.clone()))).chain([(None, Some(counted))]);
    let with_key = with_key.filter(|_| fresh > 0 && fresh < count);
    let forms: Vec<Form<'_>> = with_key.chain(texts.iter().map(|text| (Some(text), None))).collect();
    let gap = ui.spacing().item_spacing.x;
    let wide = |(text, key): &Form<'_>| {
        let key = key.iter().flatten().map(|name| APART + SIGN + width(name) + 3.0 * gap);
        text.map_or(0.0, |text| width(text)) + key.sum::<f32>()
    };
    let Some((text, key)) = forms.iter().find(|form| wide(form) <= room).or(forms.last()) else { return };
    let mut parts: Vec<Part<'_>> = text.map(|text| Part::Words(text, ink)).into_iter().collect();
    for (is_fresh, name) in [true, false].into_iter().zip(key.iter().flatten()) {
        parts.extend([Part::Sign(is_fresh), Part::Words(name, palette.weak)]);
    }
    // From the right: what is added first stands last.
    if ui.layout().main_dir() == Direction::RightToLeft {
        parts.reverse();
    }
    for part in parts {
        match part {
            Part::Words(words, ink) => drop(ui.add(Label::new(RichText::new(words).color(ink)).truncate())),
            Part::Sign(is_fresh) => {
                let (rect, _) = ui.allocate_exact_size(vec2(APART + SIGN, SIGN), Sense::hover());
                let rect = rect.with_min_x(rect.right() - SIGN).shrink(1.0);
                let strength = if is_fresh { boards::FRESH } else { boards::OLD.0 };
                let kind = (is_fresh && compare.dashes.get(), strength);
                ui.painter().extend(boards::mark_shapes(&CellShape::Disc, rect, palette, kind));
            }
        }
    }
}

/// Size of a mark in the legend, and the gap before it, in points.
const SIGN: f32 = 15.0;
const APART: f32 = 8.0;

/// A part of the words about what differs.
enum Part<'a> {
    Words(&'a str, Color32),
    /// The mark of a new difference, or of one that is not.
    Sign(bool),
}

/// Lines of both matches: those of the shown difference, or the last ones of both pictures.
fn show_lines(ui: &mut Ui, area: Rect, compare: &Compare, leader: &Session, count: usize) {
    let palette = Palette::of(ui.ctx());
    let narrow = area.width() < NARROW;
    let sessions = compare.pair(leader);
    let logs = compare.logs(leader);
    let now = sessions.map(|session| session.seq());
    let mut top = area.top() + 2.0;
    for pair in compare.lines(leader, count) {
        let lines = [0, 1].map(|side| pair[side].and_then(|seq| Some((seq, logs[side].line(seq)?))));
        if lines == [None; 2] {
            continue;
        }
        let differs = lines[0].map(|(_, line)| line) != lines[1].map(|(_, line)| line);
        for (side, line) in lines.into_iter().enumerate() {
            let half = if narrow {
                Rect::from_min_size(pos2(area.left(), top + LINE * side as f32), vec2(area.width(), LINE))
            } else {
                let width = area.width() / 2.0;
                Rect::from_min_size(pos2(area.left() + width * side as f32, top), vec2(width, LINE))
            };
            let text = match line {
                Some((seq, line)) => {
                    format!("{}  {}", format::number(seq), String::from_utf8_lossy(line))
                }
                None => "no line here".to_owned(),
            };
            let current = line.is_some_and(|(seq, _)| seq == now[side]);
            let ink = if line.is_some() && (current || differs) { palette.text } else { palette.weak };
            paint_line(ui, half.shrink2(vec2(2.0, 1.0)), &text, ink, differs);
        }
        top += if narrow { 2.0 * LINE } else { LINE };
    }
}

fn paint_line(ui: &Ui, rect: Rect, text: &str, ink: Color32, differs: bool) {
    let palette = Palette::of(ui.ctx());
    if differs {
        // The ink of the frames on the boards, which is no team's colour.
        ui.painter().rect_filled(rect, 5.0, mix(palette.panel, palette.text, 0.09));
        let edge = Rect::from_min_size(rect.min, vec2(3.0, rect.height()));
        ui.painter().rect_filled(edge, 1.5, palette.text);
    }
    let at = rect.left_center() + vec2(9.0, 0.0);
    paint_left(ui.painter(), at, text, FontId::monospace(MONO), ink, rect.width() - 16.0);
    let node = node::show(ui, rect, ("line", rect.left() as i32, rect.top() as i32), Role::Label, text);
    node.on_hover_text(RichText::new(text).monospace());
}

/// What stands between the players in the title of a match.
const PLAYERS_APART: &str = " – ";

/// Title in the top bar: both titles, with addresses if the titles are equal; side by side, or in little room one above the other.
pub(crate) fn title(ui: &mut Ui, compare: &Compare, leader: &Session) {
    let palette = Palette::of(ui.ctx());
    let pair = compare.pair(leader);
    let titles = pair.map(|session| session.about.title.trim());
    let names = titles_or_names(compare, leader);
    let font = FontId::new(SMALL + 3.0, semibold());
    // In a narrow window the names get all the room.
    let tells = leader.is_spoiler_free() && ui.available_width() > 400.0;
    let told = if tells { 120.0 } else { 0.0 };
    let room = ui.available_width() - 30.0 - told;
    ui.spacing_mut().item_spacing.x = 10.0;
    let fits = |names: &[String; 2], font: &FontId, room: f32| {
        let width =
            |name: &String| ui.painter().layout_no_wrap(name.clone(), font.clone(), palette.text).size().x;
        names.iter().map(width).sum::<f32>() <= room
    };
    let short = short_names(compare, leader);
    let tip = |side: usize| format!("{}\n{}", titles[side], pair[side].target);
    // One above the other, as the boards stand, each has the whole width.
    let (small, whole) = (FontId::new(SMALL, semibold()), ui.available_width() - told);
    let each = |name: &str| fits(&[name.to_owned(), String::new()], &small, whole);
    // Titles of the same first player have the other one.
    let is_other = |short: &String| !short.contains(PLAYERS_APART) && each(short);
    let in_two = match names.iter().any(|name| !each(name)) && short.iter().all(is_other) {
        true => short.clone().map(Some),
        false => names.clone().map(|name| with_players_cut(&name, each)),
    };
    if !fits(&names, &font, room) && (in_two.iter().all(Option::is_some) || !fits(&short, &font, room)) {
        let (font, room) = (small.clone(), whole);
        let names = match in_two {
            [Some(first), Some(second)] => [first, second],
            _ => short,
        };
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            let galleys = names.map(|name| fitted(ui.painter(), &name, font.clone(), palette.text, room));
            let height: f32 = galleys.iter().map(|galley| galley.size().y).sum();
            ui.add_space(((ui.available_height() - height) / 2.0).max(0.0));
            for (side, galley) in galleys.into_iter().enumerate() {
                ui.add(Label::new(galley)).on_hover_text(tip(side));
            }
        });
    } else {
        let names = if fits(&names, &font, room) { names } else { short };
        for (side, name) in names.iter().enumerate() {
            if side == 1 {
                ui.weak("|");
            }
            let galley = fitted(ui.painter(), name, font.clone(), palette.text, room);
            ui.add(Label::new(galley)).on_hover_text(tip(side));
        }
    }
    if tells {
        chip(ui, NO_SPOILERS, palette.accent, false).on_hover_text(NO_SPOILERS_TIP);
    }
}

/// A title, with the names of its two players cut as far as they need it; `None` if it has no room.
fn with_players_cut(title: &str, fits: impl Fn(&str) -> bool) -> Option<String> {
    if fits(title) {
        return Some(title.to_owned());
    }
    let (first, second) = title.split_once(PLAYERS_APART)?;
    let longest = first.chars().count().max(second.chars().count());
    let cuts = (3..longest).rev().filter_map(|most| cut_apart([first, second], most));
    cuts.map(|[first, second]| format!("{first}{PLAYERS_APART}{second}")).find(|title| fits(title))
}

/// Both titles, told apart by addresses if they are equal: `Final · a.replay`.
pub(super) fn titles_or_names(compare: &Compare, leader: &Session) -> [String; 2] {
    let titles = compare.pair(leader).map(|session| session.about.title.trim().to_owned());
    let names = names(compare, leader);
    if titles[0].is_empty() || titles[0] != titles[1] {
        return names;
    }
    names.map(|name| format!("{} · {name}", titles[0]))
}

/// What tells both matches apart: the part in which their titles differ, or addresses if the titles are equal.
pub(super) fn short_names(compare: &Compare, leader: &Session) -> [String; 2] {
    let whole = titles_or_names(compare, leader);
    let names = names(compare, leader);
    if whole == names { without_common_start(names) } else { names }
}

/// Short names of both matches: the titles, or addresses if the titles are equal.
fn names(compare: &Compare, leader: &Session) -> [String; 2] {
    let pair = compare.pair(leader);
    let titles = pair.map(|session| session.about.title.trim());
    [0, 1].map(|side| match titles[side] {
        title if title.is_empty() || titles[0] == titles[1] => pair[side].target.stem(),
        title => title.to_owned(),
    })
}
