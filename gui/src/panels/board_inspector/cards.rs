//! Cards of places: contents, time of the last change, and the last lines that touched the place.

use std::sync::Arc;

use eframe::egui::text::{LayoutJob, TextFormat, TextWrapping};
use eframe::egui::{
    Align, Align2, Button, Color32, CursorIcon, FontId, Frame, Galley, Label, Layout, Margin, Rect, Response,
    RichText, Role, Sense, Stroke, TextWrapMode, Ui, Vec2, WidgetInfo, vec2,
};
use grandstand_board::node;
use grandstand_board::theme::{BODY, MONO, Palette, SMALL, semibold};
use grandstand_protocol::{Place, Scene};
use grandstand_story::format;
use grandstand_story::story;

use super::dock::INSET;
use super::place_history::PlaceHistory;
use super::{BoardInspector, BoardInspectorRequest, marks, ruler, words_of, words_of_unit};
use crate::actions::Action;
use crate::icons::{self, Icon};
use crate::layout::ScreenLayout;
use crate::session::Session;
use crate::widgets::IconButton;

/// Largest width of the card of a place that is pointed at, in points.
pub(super) const HINT: f32 = 300.0;

/// Width of the left column of a card in two columns, in points.
const COLUMN: f32 = 230.0;

/// Room for the number of a folded card, in points.
pub(super) const NUMBER: f32 = 24.0;
/// The side of the sign that a folded card can be unfolded, in points.
pub(super) const SIGN: f32 = 12.0;

/// How much a card shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Detail {
    /// The name of the place and its state, in a few words.
    Title,
    /// All of the contents.
    Brief,
    /// Also the last lines.
    Full,
    /// The same in two columns, for a low room.
    Broad,
}

impl Detail {
    pub(super) const ALL: [Detail; 4] = [Detail::Title, Detail::Brief, Detail::Full, Detail::Broad];
}

/// The form of a card.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    /// Number of the pin.
    pub number: usize,
    pub detail: Detail,
    /// Whether a panel can list all lines of a place.
    pub has_panel: bool,
    /// Whether the viewer has unfolded it, where a button shows more, or less again.
    pub unfolds: Option<bool>,
    /// Cards that a button brings into view.
    pub others: Option<CardsOutOfView>,
}

/// Cards of the panel that have no room in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CardsOutOfView {
    /// The place of the first card in view, which tells of them.
    first: Place,
    /// How many they are.
    count: usize,
    /// The place of the next one.
    next: Place,
}

impl CardsOutOfView {
    /// Those of these cards that are not all within the view; `None` if all of them are.
    pub(crate) fn of(cards: &[(Place, Rect)], view: Rect) -> Option<CardsOutOfView> {
        let (above, below) = (view.top() - 2.0, view.bottom() + 2.0);
        let first = cards.iter().position(|(_, card)| card.top() >= above)?;
        let is_out = |card: &Rect| card.top() < above || card.bottom() > below;
        let others = cards[first + 1..].iter().chain(&cards[..first]);
        let mut out = others.filter(|(_, card)| is_out(card));
        let (next, _) = *out.next()?;
        Some(CardsOutOfView { first: cards[first].0, count: 1 + out.count(), next })
    }
}

impl BoardInspector {
    /// Cards of the pinned places, one below the other, in the order of their numbers. `unfolds` is as in [`Form`], and `out` has a
    /// button for the cards without room. Returns their places and areas too.
    pub(crate) fn cards(
        &self,
        ui: &mut Ui,
        session: &Session,
        unfolds: Option<bool>,
        out: Option<CardsOutOfView>,
    ) -> (BoardInspectorRequest, Vec<(Place, Rect)>) {
        let mut asked = BoardInspectorRequest::default();
        let mut cards = Vec::with_capacity(self.pins.len());
        for pin in &self.pins {
            let others = out.filter(|out| out.first == pin.place);
            let (number, detail) = (pin.number, Detail::Full);
            let form = Form { number, detail, has_panel: true, unfolds, others };
            cards.push((pin.place, self.card(ui, session, form, pin, &mut asked)));
            ui.add_space(6.0);
        }
        (asked, cards)
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
        // Rows for fingers would fill a phone's sheet; the protocol below lists the lines of the place anyway.
        let is_low = ScreenLayout::of(ui.ctx()).is_touched();
        let palette = Palette::of(ui.ctx());
        let is_folded = form.detail == Detail::Title;
        let frame = frame(palette).inner_margin(if is_folded {
            Margin::symmetric(6, 3)
        } else {
            Margin::symmetric(9, 6)
        });
        let card = ui.push_id(("card", pin.place), |ui| {
            frame.show(ui, |ui| {
                if is_folded {
                    return folded(ui, session.scene(), form, pin, asked);
                }
                ui.set_width(ui.available_width());
                ui.spacing_mut().item_spacing.y = 3.0;
                if form.detail == Detail::Broad {
                    return broad(ui, session, form, pin, lines, asked);
                }
                head(ui, session.scene(), form, pin, is_low && form.unfolds.is_none(), asked);
                body(ui, session, pin);
                if is_low {
                    let (since, _) = since_words(session, pin);
                    ui.label(RichText::new(since).size(SMALL).color(palette.weak));
                } else {
                    since(ui, session, pin, asked);
                    if form.detail == Detail::Full {
                        for (seq, deed) in deeds(session, pin).take(lines) {
                            row(ui, session, (seq, deed), asked);
                        }
                    }
                }
                if form.has_panel && (form.unfolds.is_some() || !is_low) {
                    ui.horizontal(|ui| buttons(ui, session.scene(), pin, asked));
                }
            })
        });
        card.inner.response.rect
    }
}

/// The frame of a card.
pub(super) fn frame(palette: &Palette) -> Frame {
    Frame::new()
        .fill(palette.panel.gamma_multiply(0.96))
        .stroke(Stroke::new(1.0, palette.line))
        .corner_radius(8.0)
}

/// All of a card in two columns: the place, and the last lines with the buttons.
fn broad(
    ui: &mut Ui,
    session: &Session,
    form: Form,
    pin: &PlaceHistory,
    lines: usize,
    asked: &mut BoardInspectorRequest,
) {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 12.0;
        ui.vertical(|ui| {
            ui.set_width(COLUMN.min(ui.available_width() / 2.0));
            head(ui, session.scene(), form, pin, false, asked);
            body(ui, session, pin);
            since(ui, session, pin, asked);
        });
        ui.vertical(|ui| {
            for (seq, deed) in deeds(session, pin).take(lines) {
                row(ui, session, (seq, deed), asked);
            }
            if form.has_panel {
                ui.horizontal(|ui| buttons(ui, session.scene(), pin, asked));
            }
        });
    });
}

/// A description of a place in a few words: what stands there, and the ground.
fn few_words(words: &str) -> String {
    let words = words.split(';').next().unwrap_or(words);
    match (words.split_once('\n'), words.rsplit_once('\n')) {
        (Some((first, _)), Some((_, ground))) => format!("{first} – {ground}"),
        _ => words.to_owned(),
    }
}

/// The state of a place in a few words.
pub(super) fn state(words: &str) -> String {
    few_words(words.split_once(": ").map_or(words, |(_, state)| state))
}

/// The number, the name and the state of a place in a few words; a press shows the whole card.
fn folded(ui: &mut Ui, scene: &Scene, form: Form, pin: &PlaceHistory, asked: &mut BoardInspectorRequest) {
    let palette = Palette::of(ui.ctx());
    let name = ruler::name(scene, pin.place);
    let words = words_of(scene, pin.place);
    // The number, the sign that it unfolds, the button that unpins, and the gaps.
    let cross = ScreenLayout::of(ui.ctx()).control(20.0);
    let room = (ui.available_width() - 20.0 - (4.0 + SIGN) - cross - 8.0).max(40.0);
    let bold = FontId::new(BODY, semibold());
    let (state, small) = (state(&words), FontId::proportional(SMALL));
    let named = ui.fonts_mut(|fonts| fonts.layout(name.clone(), bold.clone(), palette.text, room));
    let name_rows = named.rows.len();
    let mut job = LayoutJob::default();
    let format =
        |font, color| TextFormat { font_id: font, color, valign: Align::Center, ..TextFormat::default() };
    job.append(&name, 0.0, format(bold, palette.text));
    // A state that has no room beside the name has a row of its own: it is not broken.
    let wide = ui.painter().layout_no_wrap(state.clone(), small.clone(), palette.weak).size().x;
    let is_beside = name_rows == 1 && named.size().x + 6.0 + wide <= room;
    let (apart, state) = if is_beside { (6.0, state) } else { (0.0, format!("\n{state}")) };
    job.append(&state, apart, format(small, palette.weak));
    // A long name takes no row from the state.
    job.wrap = TextWrapping { max_width: room, max_rows: 2 + name_rows, ..TextWrapping::default() };
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    ui.spacing_mut().interact_size.y = 20.0;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        head_of_folded(ui, (form.number, pin.place), (&name, galley), true, asked);
        unpin(ui, (pin.place, &name), 20.0, asked);
        node::show(ui, ui.min_rect(), "pinned", Role::Label, format!("Pinned {words}"));
    });
}

/// The number and the words of a folded card, with the sign that it unfolds if it `has_sign`. A press does so.
pub(super) fn head_of_folded(
    ui: &mut Ui,
    (number, place): (usize, Place),
    (name, words): (&str, Arc<Galley>),
    has_sign: bool,
    asked: &mut BoardInspectorRequest,
) {
    let palette = Palette::of(ui.ctx());
    let sign = if has_sign { 4.0 + SIGN } else { 0.0 };
    let high = words.size().y.max(ScreenLayout::of(ui.ctx()).control(20.0));
    let (area, title) = ui.allocate_exact_size(vec2(NUMBER + words.size().x + sign, high), Sense::click());
    let (badge, area) = area.split_left_right_at_x(area.left() + NUMBER);
    marks::badge(ui.painter(), palette, badge.center() - vec2(2.0, 0.0), number);
    let at = Align2::LEFT_CENTER.align_size_within_rect(words.size(), area).min;
    ui.painter().galley(at, words, palette.text);
    if has_sign {
        let sign = Align2::RIGHT_CENTER.align_size_within_rect(Vec2::splat(SIGN), area);
        icons::paint(ui.painter(), Icon::Folded, sign, palette.weak);
    }
    title.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Unfold {name}")));
    if title.on_hover_cursor(CursorIcon::PointingHand).on_hover_text("Shows all of the card").clicked() {
        asked.unfold = Some(place);
    }
}

/// The button that unpins a place.
pub(super) fn unpin(ui: &mut Ui, (place, name): (Place, &str), size: f32, asked: &mut BoardInspectorRequest) {
    if ui.add(IconButton::plain(Icon::Close, &format!("Unpin {name}")).sized(size)).clicked() {
        asked.unpin = Some(place);
    }
}

/// The number and the name of a place, which is never cut, and the buttons that fold and unpin; with `all` the others too.
fn head(
    ui: &mut Ui,
    scene: &Scene,
    form: Form,
    pin: &PlaceHistory,
    all: bool,
    asked: &mut BoardInspectorRequest,
) {
    let palette = Palette::of(ui.ctx());
    let name = ruler::name(scene, pin.place);
    let cross = ScreenLayout::of(ui.ctx()).control(22.0);
    if all {
        return whole_head(ui, scene, form, pin, asked);
    }
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let (area, _) = ui.allocate_exact_size(vec2(20.0, cross), Sense::hover());
        marks::badge(ui.painter(), palette, area.center(), form.number);
        let count = usize::from(form.unfolds.is_some()) + usize::from(form.others.is_some());
        let room_for_buttons =
            (1 + count) as f32 * (cross + 4.0) + if form.others.is_some() { 8.0 } else { 0.0 };
        let room = (ui.available_width() - room_for_buttons).max(20.0);
        ui.allocate_ui_with_layout(vec2(room, cross), Layout::left_to_right(Align::Center), |ui| {
            title(ui, scene, pin, &name);
        });
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            unpin(ui, (pin.place, &name), 22.0, asked);
            if let Some(out) = form.others {
                let more = ui.add(Button::new(RichText::new(format!("+{}", out.count)).size(SMALL)));
                let next = format!("Show the card of {}", ruler::name(scene, out.next));
                more.widget_info(|| WidgetInfo::labeled(Role::Button, true, &next));
                if more.on_hover_text(&next).clicked() {
                    asked.show = Some(out.next);
                }
            }
            if let Some(is_unfolded) = form.unfolds {
                let (icon, word) = match is_unfolded {
                    true => (Icon::Unfolded, "Fold"),
                    false => (Icon::Folded, "Unfold"),
                };
                if ui.add(IconButton::plain(icon, &format!("{word} {name}")).sized(22.0)).clicked() {
                    asked.unfold = Some(pin.place);
                }
            }
        });
    });
}

/// A head that has all buttons of its card.
fn whole_head(ui: &mut Ui, scene: &Scene, form: Form, pin: &PlaceHistory, asked: &mut BoardInspectorRequest) {
    let name = ruler::name(scene, pin.place);
    let size = vec2(ui.available_width(), ScreenLayout::of(ui.ctx()).control(22.0));
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        unpin(ui, (pin.place, &name), 22.0, asked);
        if form.has_panel {
            buttons(ui, scene, pin, asked);
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let (area, _) = ui.allocate_exact_size(vec2(20.0, 20.0), Sense::hover());
            marks::badge(ui.painter(), Palette::of(ui.ctx()), area.center(), form.number);
            title(ui, scene, pin, &name);
        });
    });
}

/// The name of a place.
fn title(ui: &mut Ui, scene: &Scene, pin: &PlaceHistory, name: &str) {
    let title = Label::new(RichText::new(name).family(semibold()).size(BODY + 1.0)).wrap();
    let title = ui.add(title);
    let words = words_of(scene, pin.place);
    title.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("Pinned {words}")));
}

/// The buttons of a card besides those that fold and unpin.
fn buttons(ui: &mut Ui, scene: &Scene, pin: &PlaceHistory, asked: &mut BoardInspectorRequest) {
    let name = ruler::name(scene, pin.place);
    ui.spacing_mut().item_spacing.x = 4.0;
    let lines = ui.add(Button::new(RichText::new("Lines").size(SMALL)));
    lines.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Lines at {name}")));
    if lines.on_hover_text("Every line that ever touched this place").clicked() {
        asked.lines = Some(pin.place);
    }
    let units = story(scene).units_at(pin.place);
    for id in &units {
        let (text, words) = match story(scene).unit(*id).filter(|_| units.len() > 1) {
            Some((_, unit)) => (format!("Follow {id}"), format!("Follow {unit}")),
            None => ("Follow".to_owned(), format!("Follow the unit at {name}")),
        };
        let follow = ui.add(Button::new(RichText::new(text).size(SMALL)));
        follow.widget_info(|| WidgetInfo::labeled(Role::Button, true, &words));
        if follow.on_hover_text(Action::FollowUnit.tooltip()).clicked() {
            asked.follow = Some(*id);
        }
    }
}

/// Contents of the place.
fn body(ui: &mut Ui, session: &Session, place_history: &PlaceHistory) {
    let words = words_of(session.scene(), place_history.place);
    let text = words.split_once(": ").map_or(&*words, |(_, rest)| rest);
    ui.add(Label::new(RichText::new(text).size(BODY)).wrap());
}

/// Since when a place is as it is, with the line of the last change.
fn since_words(session: &Session, place_history: &PlaceHistory) -> (String, Option<u64>) {
    let Some(seq) = place_history.since else {
        let text = if !place_history.is_whole() {
            "searching …"
        } else if place_history.is_cut() {
            "unchanged in the loaded lines"
        } else {
            "unchanged since the start"
        };
        return (text.to_owned(), None);
    };
    // The number stays beside its word.
    (format!("since {}, line\u{a0}{}", moment(session, seq), format::number(seq)), Some(seq))
}

/// A moment by its turn, or by its time in a game without turns.
fn moment(session: &Session, seq: u64) -> String {
    let turn = session.turn_words_at(seq).map(|turn| format::uncapitalised(&turn));
    turn.unwrap_or_else(|| format::clock(session.log().time_of(seq).as_secs_f64()))
}

/// The last lines with what they did, without that of the last change where it says no more than what stands at the place.
fn deeds<'a>(session: &Session, history: &'a PlaceHistory) -> impl Iterator<Item = (u64, &'a str)> {
    let words = words_of(session.scene(), history.place);
    let state = words.split_once(": ").map_or(&*words, |(_, state)| state).to_owned();
    let since = history.since;
    let is_state = move |seq: u64, deed: &str| {
        Some(seq) == since && deed.trim_end_matches('.').eq_ignore_ascii_case(&state)
    };
    history.told().skip_while(move |(seq, deed)| is_state(*seq, deed))
}

/// Time of the last change; a click seeks to it.
fn since(ui: &mut Ui, session: &Session, place_history: &PlaceHistory, asked: &mut BoardInspectorRequest) {
    let (text, seq) = since_words(session, place_history);
    let text = RichText::new(text).size(SMALL).color(Palette::of(ui.ctx()).weak);
    match seq {
        Some(seq) => {
            if quiet(ui, text).on_hover_text("Go to the last change").clicked() {
                asked.seq = Some(seq);
            }
        }
        None => drop(ui.add(Label::new(text).wrap())),
    }
}

/// When a line came, and what it did.
fn row_words(session: &Session, seq: u64, deed: &str) -> String {
    format!("{}  {deed}", format::capitalised(&moment(session, seq)))
}

/// What one line did; a click seeks to it. The line itself is its tooltip.
fn row(ui: &mut Ui, session: &Session, (seq, deed): (u64, &str), asked: &mut BoardInspectorRequest) {
    let log = session.log();
    let palette = Palette::of(ui.ctx());
    let ink = if seq == session.seq() { palette.accent } else { palette.text };
    let text = RichText::new(row_words(session, seq, deed)).size(SMALL).color(ink);
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
fn quiet(ui: &mut Ui, text: RichText) -> Response {
    let height = ScreenLayout::of(ui.ctx()).control(18.0);
    let button =
        Button::new(text).fill(Color32::TRANSPARENT).stroke(Stroke::NONE).wrap_mode(TextWrapMode::Wrap);
    let shown = ui.scope(|ui| {
        ui.spacing_mut().button_padding = vec2(0.0, 0.0);
        ui.spacing_mut().interact_size.y = height;
        ui.add(button)
    });
    shown.inner
}

/// Texts of the card of a place that is pointed at, or of one of several units there. It has no buttons.
pub(super) fn hint(
    ui: &Ui,
    session: &Session,
    (place_history, unit): (&PlaceHistory, Option<u32>),
    width: f32,
    detail: Detail,
) -> Vec<Arc<Galley>> {
    let palette = Palette::of(ui.ctx());
    let lay = |text: String, size: f32, color: Color32| {
        // Without the margins of the card.
        ui.painter().layout(text, FontId::proportional(size), color, width - INSET.sum().x - 2.0)
    };
    let place = place_history.place;
    let words = match unit {
        Some(id) => words_of_unit(session.scene(), place, id),
        None => words_of(session.scene(), place),
    };
    if detail != Detail::Full {
        let state = match detail {
            Detail::Title => few_words(&words),
            _ => words.split(';').next().unwrap_or(&words).to_owned(),
        };
        return vec![lay(state, BODY, palette.text)];
    }
    // That nothing ever changed there is no news.
    let since = place_history.since.map(|_| since_words(session, place_history).0);
    let rows = deeds(session, place_history).take(2).map(|(seq, deed)| {
        let ink = if seq == session.seq() { palette.accent } else { palette.text };
        lay(row_words(session, seq, deed), SMALL, ink)
    });
    let above = std::iter::once(lay(words, BODY, palette.text));
    above.chain(since.map(|since| lay(since, SMALL, palette.weak))).chain(rows).collect()
}

/// Gap between the texts of that card, in points.
const HINT_GAP: f32 = 2.0;

/// The size of that card.
pub(super) fn hint_size(texts: &[Arc<Galley>]) -> Vec2 {
    let width = texts.iter().map(|text| text.size().x).fold(0.0, f32::max);
    let height: f32 = texts.iter().map(|text| text.size().y).sum();
    // The frame has a stroke.
    let gaps = HINT_GAP * texts.len().saturating_sub(1) as f32;
    vec2(width, height + gaps) + INSET.sum() + Vec2::splat(2.0)
}

/// Shows those texts.
pub(super) fn show_hint(ui: &mut Ui, texts: Vec<Arc<Galley>>) {
    ui.spacing_mut().item_spacing.y = HINT_GAP;
    for text in texts {
        ui.add(Label::new(text));
    }
}

#[cfg(test)]
mod tests {
    use super::few_words;

    #[test]
    fn few_words_have_what_stands_on_a_place_and_the_ground_last() {
        for (words, few) in [
            (
                "4,2: red soldier 6, health 700 of 1,000\nfacing west\nwithin reach of control point 2, red's\nlow ground",
                "4,2: red soldier 6, health 700 of 1,000 – low ground",
            ),
            ("0,0: control point 2, red's\nlow ground", "0,0: control point 2, red's – low ground"),
            ("4,2: ramp", "4,2: ramp"),
            ("Alaska (no. 0): red, 4 armies; roads to Kamchatka", "Alaska (no. 0): red, 4 armies"),
        ] {
            assert_eq!(few_words(words), few);
        }
    }
}
