//! Cards of places: contents, time of the last change, and the last lines that touched the place.

use eframe::egui::{
    Align, Button, Color32, FontId, Frame, Label, Layout, Margin, Rect, RichText, Role, Sense, Stroke,
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
pub(super) const HINT: f32 = 240.0;
/// Texts of the buttons of a card.
const FOLLOW: &str = "Follow";
const LINES: &str = "Lines";

/// How much a card shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// The name of the place.
    Title,
    /// Also its contents.
    Brief,
    /// Also its last lines.
    Full,
}

impl Detail {
    /// The usual height of a card, in points.
    pub(super) fn height(self) -> f32 {
        match self {
            Detail::Title => 38.0,
            Detail::Brief => 110.0,
            Detail::Full => 190.0,
        }
    }
}

/// The form of a card.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    /// Number of the pin.
    pub number: usize,
    pub detail: Detail,
    /// Whether a panel can list all lines of a place.
    pub has_panel: bool,
    /// Whether a button shows more, or less again.
    pub unfolds: bool,
}

impl BoardInspector {
    /// Cards of the pinned places, one below the other. `has_panel` adds a button that lists all lines of a place in
    /// the panel.
    pub(crate) fn cards(&self, ui: &mut Ui, session: &Session, has_panel: bool) -> BoardInspectorRequest {
        let mut asked = BoardInspectorRequest::default();
        for (index, pin) in self.pins.iter().enumerate() {
            let form = Form { number: index + 1, detail: Detail::Full, has_panel, unfolds: false };
            self.card(ui, session, form, pin, &mut asked);
            ui.add_space(6.0);
        }
        asked
    }

    /// The card of one pin; returns its area.
    pub(super) fn card(
        &self,
        ui: &mut Ui,
        session: &Session,
        form: Form,
        pin: &PlaceHistory,
        asked: &mut BoardInspectorRequest,
    ) -> Rect {
        let lines = if self.pins.len() > 2 { 3 } else { 4 };
        let palette = Palette::of(ui.ctx());
        let frame = Frame::new()
            .fill(palette.panel.gamma_multiply(0.96))
            .stroke(Stroke::new(1.0, palette.line))
            .corner_radius(8.0)
            .inner_margin(Margin::symmetric(9, 6));
        let card = ui.push_id(("card", pin.place), |ui| {
            frame.show(ui, |ui| {
                ui.set_width(ui.available_width());
                ui.spacing_mut().item_spacing.y = 3.0;
                head(ui, session.scene(), form, pin, asked);
                if form.detail == Detail::Title {
                    return;
                }
                body(ui, session, pin);
                since(ui, session, pin, Some(asked));
                if form.detail == Detail::Full {
                    for seq in pin.lines.iter().take(lines) {
                        row(ui, session, pin, *seq, Some(asked));
                    }
                }
            })
        });
        card.inner.response.rect
    }
}

fn head(ui: &mut Ui, scene: &Scene, form: Form, pin: &PlaceHistory, asked: &mut BoardInspectorRequest) {
    let Form { number, has_panel, .. } = form;
    let has_panel = has_panel && form.detail != Detail::Title;
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
        // The buttons that unfold and unpin have this room at least.
        let room = ui.available_width() - if form.unfolds { 60.0 } else { 30.0 };
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
            if form.unfolds {
                let (icon, word) = match form.detail {
                    Detail::Full => (Icon::Unfolded, "Fold"),
                    Detail::Title | Detail::Brief => (Icon::Folded, "Unfold"),
                };
                if ui.add(IconButton::plain(icon, &format!("{word} {name}"))).clicked() {
                    asked.unfold = Some(pin.place);
                }
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
        ui.add(Label::new(small(text.to_owned())).wrap());
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
        None => drop(ui.add(Label::new(text).wrap())),
    }
}

/// What one line did; a click seeks to it. The line itself is its tooltip.
fn row(
    ui: &mut Ui,
    session: &Session,
    place_history: &PlaceHistory,
    seq: u64,
    asked: Option<&mut BoardInspectorRequest>,
) {
    let Some(deed) = place_history.deed(seq) else { return };
    let log = session.log();
    let palette = Palette::of(ui.ctx());
    let time = format::clock(log.time_of(seq).as_secs_f64());
    let ink = if seq == session.seq() { palette.accent } else { palette.text };
    let text = RichText::new(format!("{time}  {deed}")).size(SMALL).color(ink);
    let Some(asked) = asked else {
        ui.add(Label::new(text).wrap());
        return;
    };
    let line = || {
        let line = String::from_utf8_lossy(log.line(seq).unwrap_or_default()).into_owned();
        format!("Line {}: {}", format::number(seq), line.chars().take(120).collect::<String>())
    };
    let button = quiet(ui, text);
    if button.clicked() {
        asked.seq = Some(seq);
    }
    button.on_hover_ui(|ui| drop(ui.label(RichText::new(line()).size(MONO).monospace())));
}

/// A button that looks like text.
fn quiet(ui: &mut Ui, text: RichText) -> eframe::egui::Response {
    ui.spacing_mut().button_padding = vec2(0.0, 0.0);
    let height = ScreenLayout::of(ui.ctx()).control(18.0);
    ui.spacing_mut().interact_size.y = height;
    let button =
        Button::new(text).fill(Color32::TRANSPARENT).stroke(Stroke::NONE).wrap_mode(TextWrapMode::Wrap);
    ui.add(button)
}

/// Tooltip of a place: a short card without buttons.
pub(super) fn hint(ui: &mut Ui, session: &Session, place_history: &PlaceHistory, width: f32) {
    // Without the margins of the card.
    ui.set_max_width(width - 20.0);
    ui.spacing_mut().item_spacing.y = 2.0;
    let words = story(session.scene()).describe(place_history.place);
    if let Some(words) = words {
        ui.add(Label::new(words).wrap());
    }
    since(ui, session, place_history, None);
    for seq in place_history.lines.iter().take(2) {
        row(ui, session, place_history, *seq, None);
    }
}
