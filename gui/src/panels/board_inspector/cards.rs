//! Cards of places: contents, time of the last change, and the last lines that touched the place.

use eframe::egui::{
    Align, Button, Color32, FontId, Frame, Label, Layout, Margin, RichText, Role, Sense, Stroke,
    TextWrapMode, Ui, WidgetInfo, vec2,
};
use grandstand_board::theme::{BODY, MONO, Palette, SMALL, semibold};
use grandstand_protocol::Scene;
use grandstand_story::format;
use grandstand_story::story;

use super::place_history::PlaceHistory;
use super::{BoardInspector, BoardInspectorRequest, marks, ruler};
use crate::actions::Action;
use crate::icons::Icon;
use crate::layout::ScreenLayout;
use crate::session::Session;
use crate::widgets::IconButton;

/// The width of the card of a place that is pointed at, in points.
const HINT: f32 = 240.0;
/// Texts of the buttons of a card.
const FOLLOW: &str = "Follow";
const LINES: &str = "Lines";

impl BoardInspector {
    /// Cards of the pinned places, one below the other. `has_panel` adds a button that lists all lines of a place in
    /// the panel.
    pub(crate) fn cards(&self, ui: &mut Ui, session: &Session, has_panel: bool) -> BoardInspectorRequest {
        let mut asked = BoardInspectorRequest::default();
        let lines = if self.pins.len() > 2 { 3 } else { 4 };
        for (index, pin) in self.pins.iter().enumerate() {
            let palette = Palette::of(ui.ctx());
            let frame = Frame::new()
                .fill(palette.panel.gamma_multiply(0.96))
                .stroke(Stroke::new(1.0, palette.line))
                .corner_radius(8.0)
                .inner_margin(Margin::symmetric(9, 6));
            ui.push_id(("card", pin.place), |ui| {
                frame.show(ui, |ui| {
                    ui.set_width(ui.available_width());
                    ui.spacing_mut().item_spacing.y = 3.0;
                    head(ui, session.scene(), (index + 1, has_panel), pin, &mut asked);
                    body(ui, session, pin);
                    since(ui, session, pin, Some(&mut asked));
                    for seq in pin.lines.iter().take(lines) {
                        row(ui, session, *seq, Some(&mut asked));
                    }
                });
            });
            ui.add_space(6.0);
        }
        asked
    }
}

fn head(
    ui: &mut Ui,
    scene: &Scene,
    (number, has_panel): (usize, bool),
    pin: &PlaceHistory,
    asked: &mut BoardInspectorRequest,
) {
    let palette = Palette::of(ui.ctx());
    let name = ruler::name(scene, pin.place);
    let follows = story(scene).unit_at(pin.place).is_some();
    let title = RichText::new(&name).family(semibold()).size(BODY + 1.0);
    let mut is_room = true;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let (area, _) = ui.allocate_exact_size(vec2(20.0, 20.0), Sense::hover());
        marks::badge(ui.painter(), palette, area.center(), number);
        let font = FontId::new(BODY + 1.0, semibold());
        let wide = ui.painter().layout_no_wrap(name.clone(), font, palette.text).size().x;
        // The button that unpins has this room at least.
        let room = ui.available_width() - 30.0;
        is_room = has_panel && wide + width_of_buttons(ui, follows) <= room;
        let room = if is_room { wide + 2.0 } else { room };
        ui.allocate_ui_with_layout(vec2(room.max(20.0), 24.0), Layout::left_to_right(Align::Center), |ui| {
            let words = story(scene).describe(pin.place).unwrap_or_else(|| name.clone());
            let title = ui.add(Label::new(title).truncate());
            title.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("Pinned {words}")));
        });
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.add(IconButton::plain(Icon::Close, &format!("Unpin {name}"))).clicked() {
                asked.unpin = Some(pin.place);
            }
            if is_room {
                buttons(ui, &name, pin, follows, asked);
            }
        });
    });
    if has_panel && !is_room {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            buttons(ui, &name, pin, follows, asked);
        });
    }
}

/// Width of the buttons with the gaps before them, in points.
fn width_of_buttons(ui: &Ui, follows: bool) -> f32 {
    let texts = [Some(LINES), Some(FOLLOW).filter(|_| follows)];
    let font = FontId::proportional(SMALL);
    let width = |text: &str| {
        let text = ui.painter().layout_no_wrap(text.to_owned(), font.clone(), Color32::WHITE);
        text.size().x + 2.0 * ui.spacing().button_padding.x + ui.spacing().item_spacing.x
    };
    texts.into_iter().flatten().map(width).sum()
}

fn buttons(ui: &mut Ui, name: &str, pin: &PlaceHistory, follows: bool, asked: &mut BoardInspectorRequest) {
    if follows {
        let follow = ui.add(Button::new(RichText::new(FOLLOW).size(SMALL)));
        follow.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Follow the unit at {name}")));
        if follow.on_hover_text(Action::FollowUnit.tooltip()).clicked() {
            asked.action = Some(Action::FollowUnit);
        }
    }
    let lines = ui.add(Button::new(RichText::new(LINES).size(SMALL)));
    lines.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Lines at {name}")));
    if lines.on_hover_text("Every line that ever touched this place").clicked() {
        asked.lines = Some(pin.place);
    }
}

/// Contents of the place.
fn body(ui: &mut Ui, session: &Session, place_history: &PlaceHistory) {
    let words = story(session.scene()).describe(place_history.place);
    let text = match &words {
        Some(words) => words.split_once(": ").map_or(&**words, |(_, rest)| rest),
        None => "not on this board",
    };
    ui.add(Label::new(RichText::new(text).size(BODY)).wrap());
}

/// Time of the last change; a click seeks to it.
fn since(
    ui: &mut Ui,
    session: &Session,
    place_history: &PlaceHistory,
    asked: Option<&mut BoardInspectorRequest>,
) {
    let weak = Palette::of(ui.ctx()).weak;
    let small = |text: String| RichText::new(text).size(SMALL).color(weak);
    let Some(seq) = place_history.since else {
        let text = if !place_history.is_whole() {
            "searching …"
        } else if place_history.is_cut() {
            "unchanged in the loaded lines"
        } else {
            "unchanged since the start"
        };
        ui.label(small(text.to_owned()));
        return;
    };
    let time = format::clock(session.log().time_of(seq).as_secs_f64());
    let text = small(format!("since {time}, line {}", format::number(seq)));
    match asked {
        Some(asked) => {
            if quiet(ui, text).on_hover_text("Go to the last change").clicked() {
                asked.seq = Some(seq);
            }
        }
        None => drop(ui.label(text)),
    }
}

/// One line; a click seeks to it.
fn row(ui: &mut Ui, session: &Session, seq: u64, asked: Option<&mut BoardInspectorRequest>) {
    let log = session.log();
    let Some(line) = log.line(seq) else { return };
    let palette = Palette::of(ui.ctx());
    let line: String = String::from_utf8_lossy(line).chars().take(120).collect();
    let time = format::clock(log.time_of(seq).as_secs_f64());
    let ink = if seq == session.seq() { palette.accent } else { palette.text };
    let text = RichText::new(format!("{seq}  {time}  {line}")).size(MONO).monospace().color(ink);
    match asked {
        Some(asked) => {
            if quiet(ui, text).clicked() {
                asked.seq = Some(seq);
            }
        }
        None => drop(ui.add(Label::new(text).truncate())),
    }
}

/// A button that looks like text.
fn quiet(ui: &mut Ui, text: RichText) -> eframe::egui::Response {
    ui.spacing_mut().button_padding = vec2(0.0, 0.0);
    let height = ScreenLayout::of(ui.ctx()).control(18.0);
    ui.spacing_mut().interact_size.y = height;
    let button =
        Button::new(text).fill(Color32::TRANSPARENT).stroke(Stroke::NONE).wrap_mode(TextWrapMode::Truncate);
    ui.add(button)
}

/// Tooltip of a place: a short card without buttons.
pub(super) fn hint(ui: &mut Ui, session: &Session, place_history: &PlaceHistory) {
    ui.set_max_width(HINT);
    ui.spacing_mut().item_spacing.y = 2.0;
    let words = story(session.scene()).describe(place_history.place);
    if let Some(words) = words {
        ui.label(words);
    }
    since(ui, session, place_history, None);
    for seq in place_history.lines.iter().take(2) {
        row(ui, session, *seq, None);
    }
}
