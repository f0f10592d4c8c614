//! The strip between the boards and the timeline: how they are locked, and where they differ.

use eframe::egui::{Color32, FontId, Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use grandstand_replays::diff::{Kind, Lock};

use super::{Compare, Wish};
use crate::scoreboard::fitted;
use crate::session::Session;
use crate::theme::{MONO, Palette, SMALL, mix, semibold};
use crate::words;

/// How high the strip is at this width.
pub(crate) fn height(width: f32) -> f32 {
    if width < 700.0 { 148.0 } else { 84.0 }
}

/// Shows the strip; what the viewer asked for.
pub(crate) fn show(ui: &mut Ui, compare: &Compare, leader: &Session, hides: bool) -> Option<Wish> {
    let palette = Palette::of(ui.ctx());
    if let Some(mismatch) = compare.mismatch(leader) {
        ui.vertical_centered(|ui| {
            ui.add_space(14.0);
            ui.colored_label(palette.warning, mismatch);
        });
        return ui
            .vertical_centered(|ui| ui.button("Watch the first alone").clicked().then_some(Wish::End))
            .inner;
    }
    let mut wish = None;
    ui.add_space(4.0);
    ui.horizontal_wrapped(|ui| {
        ui.add_space(8.0);
        ui.weak("Locked by");
        for (lock, name, tip) in [
            (Lock::Command, "Command", "The pictures after the same number of commands"),
            (Lock::Turn, "Turn", "The same turn, and as far within it"),
            (Lock::Time, "Time", "The same time since the beginning"),
        ] {
            if ui.selectable_label(compare.lock == lock, name).on_hover_text(tip).clicked() {
                wish = Some(Wish::Lock(lock));
            }
        }
        ui.add_space(10.0);
        if hides {
            ui.weak("Spoiler mode hides where they differ");
            return;
        }
        for (kind, name) in [(Kind::Boards, "board"), (Kind::Lines, "line")] {
            let first = compare.diff.first(kind);
            let text = match first {
                Some(found) => {
                    let at = found
                        .lines(compare.logs(leader))
                        .into_iter()
                        .flatten()
                        .min()
                        .unwrap_or(found.after[0]);
                    let at = if kind == Kind::Lines { at } else { found.after[0].max(found.after[1]) };
                    format!("First other {name}: line {}", words::number(at))
                }
                None if compare.diff.progress(compare.logs(leader)) >= 1.0 => {
                    format!("Every {name} is the same")
                }
                None => format!("No other {name} yet"),
            };
            let chosen = compare.kind == kind;
            let label = ui.selectable_label(chosen, text);
            if label.on_hover_text("Goes there, and steps by these from now on").clicked() {
                wish = Some(if first.is_some() { Wish::First(kind) } else { Wish::Kind(kind) });
            }
        }
        if ui.button("Previous").on_hover_text("Previous difference  (P)").clicked() {
            wish = Some(Wish::Previous);
        }
        if ui.button("Next").on_hover_text("Next difference  (N)").clicked() {
            wish = Some(Wish::Next);
        }
        let progress = compare.diff.progress(compare.logs(leader));
        if progress < 1.0 {
            ui.weak(format!("Read {:.0} %", progress * 100.0));
        }
    });
    if !hides {
        show_lines(ui, compare, leader, palette);
    }
    wish
}

/// The lines of both in which they differ, side by side.
fn show_lines(ui: &mut Ui, compare: &Compare, leader: &Session, palette: &Palette) {
    let room = ui.available_rect_before_wrap().shrink2(vec2(10.0, 2.0));
    let found = compare.shown(leader);
    let lines = found.map_or([None; 2], |found| found.lines(compare.logs(leader)));
    let narrow = room.width() < 600.0;
    for (index, session) in compare.pair(leader).into_iter().enumerate() {
        let half = if narrow {
            let (a, b) = room.split_top_bottom_at_fraction(0.5);
            [a, b][index]
        } else {
            let (a, b) = room.split_left_right_at_fraction(0.5);
            [a, b][index].shrink2(vec2(4.0, 0.0))
        };
        let seq = lines[index];
        let text = match (found, seq) {
            (None, _) => String::new(),
            (Some(_), None) => "no line here".to_owned(),
            (Some(_), Some(seq)) => {
                let line = session.log().line(seq).unwrap_or_default();
                format!("{}  {}", words::number(seq), String::from_utf8_lossy(line))
            }
        };
        paint_line(ui, half, &text, if seq.is_some() { palette.text } else { palette.weak }, found.is_some());
    }
}

fn paint_line(ui: &Ui, area: Rect, text: &str, ink: Color32, marked: bool) {
    let palette = Palette::of(ui.ctx());
    if !marked {
        return;
    }
    let rect =
        Rect::from_min_size(pos2(area.left(), area.top()), vec2(area.width(), area.height().min(30.0)));
    ui.painter().rect_filled(rect, 6.0, mix(palette.panel, palette.warning, 0.12));
    let galley = fitted(ui.painter(), text, FontId::monospace(MONO), ink, rect.width() - 16.0);
    ui.painter().galley(rect.left_center() + vec2(8.0, -galley.size().y / 2.0), galley, ink);
    let node = ui.interact(
        rect,
        ui.scope_id().with(("line", rect.left() as i32, rect.top() as i32)),
        Sense::hover(),
    );
    node.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    node.on_hover_text(RichText::new(text).monospace());
}

/// What the bar at the top says: both titles.
pub(crate) fn title(ui: &mut Ui, compare: &Compare, leader: &Session) {
    let palette = Palette::of(ui.ctx());
    let names = compare.pair(leader).map(|session| match session.about.title.trim() {
        "" => session.target.to_string(),
        title => title.to_owned(),
    });
    let text = format!("{}  |  {}", names[0], names[1]);
    let width = ui.available_width();
    let galley = fitted(ui.painter(), &text, FontId::new(SMALL + 3.0, semibold()), palette.text, width);
    ui.add(eframe::egui::Label::new(galley));
}
