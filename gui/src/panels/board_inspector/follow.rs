//! Following one unit: the board stays with it, and a card says what it has done.

use std::sync::Arc;

use eframe::egui::text::{LayoutJob, TextFormat};
use eframe::egui::{
    Align, Align2, CursorIcon, FontId, Frame, Galley, Label, Layout, Margin, Rect, RichText, Role, Sense,
    Stroke, Ui, UiBuilder, Vec2, WidgetInfo, vec2,
};
use grandstand_board::node;
use grandstand_board::theme::{BODY, Palette, SMALL, semibold};
use grandstand_story::format;
use grandstand_story::story;

use super::{BoardInspector, Shown, marks};
use crate::icons::{self, Icon};
use crate::layout::ScreenLayout;
use crate::session::Session;
use crate::widgets::IconButton;

/// The width of the card, in points.
const CARD: f32 = 168.0;
/// The size of a board from which the whole card is far from the middle, where the unit is, in points; on a smaller one the card
/// is one line until the viewer unfolds it.
const ROOMY: Vec2 = vec2(4.0 * CARD, 260.0);
/// The side of its button under a pointer, and of the sign that it can be unfolded, in points.
const CLOSE: f32 = 20.0;
const SIGN: f32 = 12.0;
/// Gap between the parts of the line, and between two figures below it, in points.
const GAP: f32 = 6.0;
const APART: f32 = 12.0;
/// Where the card may lie on the board, the preferred corner first.
const CORNERS: [Align2; 4] = [Align2::RIGHT_TOP, Align2::LEFT_TOP, Align2::RIGHT_BOTTOM, Align2::LEFT_BOTTOM];
/// How far the surroundings of the unit reach beyond it, in sizes of it.
const AROUND: f32 = 1.5;

/// The unit that is followed.
#[derive(Debug, Clone)]
pub(crate) struct Followed {
    pub id: u32,
    /// Its name when it was on the board last.
    name: String,
    /// Whether the viewer has unfolded the line of its card.
    unfolded: bool,
    /// The corner where the card lies, and its size there.
    corner: Align2,
    size: Option<Vec2>,
}

impl Followed {
    /// Where a card lies that has this size until it was shown: in the corner where it was if that is still free, else in the first
    /// one where it hides nothing of `others`.
    fn place(&mut self, usual: Vec2, area: Rect, others: &[Rect]) -> Rect {
        let size = self.size.unwrap_or(usual);
        let at = |corner: Align2| corner.align_size_within_rect(size, area);
        let is_free = |corner: &Align2| !others.iter().any(|other| other.intersects(at(*corner)));
        self.corner = [self.corner].into_iter().chain(CORNERS).find(is_free).unwrap_or(self.corner);
        at(self.corner)
    }
}

/// The present state of a unit in words, also of one that is not on the board.
fn state(session: &Session, id: u32) -> String {
    let story = story(session.scene());
    if let Some(state) = story.unit_state(id) {
        return format::capitalised(&state);
    }
    let Some(fall) = session.events.findings().units.last_fall(id, session.secs()) else {
        return "Not on the board".to_owned();
    };
    let by = fall.by.as_ref().map_or_else(String::new, |by| format!(" by {by}"));
    let back = story.unit_returns(id, session.secs(), session.about.rules.as_ref());
    let back = back.map_or_else(String::new, |secs| format!(", back in {secs:.0} s"));
    format!("Died at {}{by}{back}", format::clock(fall.t.as_secs_f64()))
}

impl BoardInspector {
    /// Follows the unit that is pointed at, or pinned last, or follows none any more; returns what was done in words. Of
    /// several units on the place of the cursor or a pin it is the one after that which is followed.
    pub(crate) fn toggle_follow(&mut self, session: &Session) -> String {
        let place = self.pointed().or(self.last_pin());
        let units = place.map_or_else(Vec::new, |place| story(session.scene()).units_at(place));
        let now = self.followed.as_ref().and_then(|now| units.iter().position(|id| *id == now.id));
        let next = units.get(now.map_or(0, |now| now + 1)).copied();
        let found = self.hovered_unit.or(next);
        self.follow(session, found)
    }

    /// Follows a unit, or none any more if it is the one that is followed; returns what was done in words.
    pub(crate) fn follow(&mut self, session: &Session, unit: Option<u32>) -> String {
        let story = story(session.scene());
        let other = unit.filter(|id| self.followed.as_ref().is_none_or(|now| now.id != *id));
        match (other, self.followed.take()) {
            (Some(id), _) => {
                let name = story.unit(id).map_or_else(String::new, |(_, name)| name);
                let words = format!("Following {name}");
                self.followed = Some(Followed { id, name, unfolded: false, corner: CORNERS[0], size: None });
                words
            }
            (None, Some(_)) => "No longer following".to_owned(),
            (None, None) => "Point at a unit to follow it".to_owned(),
        }
    }

    /// Stops following; returns whether there was a unit.
    pub(crate) fn stop_following(&mut self) -> bool {
        self.followed.take().is_some()
    }

    /// Where the unit that is followed is from the middle of the board, when that is drawn in `rect`, in widths and heights of it.
    pub(crate) fn followed_at(&self, shown: &Shown<'_>) -> Option<Vec2> {
        let followed = self.followed.as_ref()?;
        let area = shown.unit_area(followed.id)?;
        Some((area.center() - shown.rect.center()) / shown.rect.size())
    }

    /// Whether a unit is followed.
    pub(crate) fn follows(&self) -> bool {
        self.followed.is_some()
    }

    /// Marks the unit on the board, and shows its card in a corner of it, away from the unit and from what is `kept` free.
    pub(super) fn show_followed(
        &mut self,
        ui: &mut Ui,
        shown: &Shown<'_>,
        session: &Session,
        kept: [Option<Rect>; 2],
    ) {
        let Some(followed) = &mut self.followed else { return };
        let palette = Palette::of(ui.ctx());
        let mut others: Vec<Rect> = kept.into_iter().flatten().collect();
        if let Some((_, name)) = story(session.scene()).unit(followed.id) {
            followed.name = name;
            if let Some(area) = shown.unit_area(followed.id) {
                let painter = ui.painter_at(shown.area.intersect(ui.clip_rect()));
                marks::followed(&painter, palette, area);
                others.push(area.expand2(AROUND * area.size()));
            }
        }
        let card = Card {
            name: &format::capitalised(&followed.name),
            state: &state(session, followed.id),
            figures: session
                .events
                .findings()
                .units
                .figures(followed.id, session.secs())
                .map(|(deed, count)| (deed.title(), format::number(count.into())))
                .collect(),
        };
        let is_whole = shown.area.width() >= ROOMY.x && shown.area.height() >= ROOMY.y;
        let place = shown.area.shrink(4.0);
        let row = Row::of(ui, &card, place.width());
        let usual = if is_whole { ROOMY / vec2(4.0, 1.5) } else { row.size() };
        let corner = followed.place(usual, place, &others).min;
        let inside = Rect::from_min_size(corner, place.size());
        let frame = Frame::new()
            .fill(palette.panel)
            .stroke(Stroke::new(1.0, palette.line))
            .corner_radius(8.0)
            .inner_margin(if is_whole { Margin::symmetric(9, 6) } else { Margin::symmetric(9, 0) });
        let layout = Layout::top_down(Align::Min);
        let mut inside = ui.new_child(UiBuilder::new().max_rect(inside).layout(layout).id_salt("followed"));
        let shown = frame.show(&mut inside, |ui| match is_whole {
            true => card.show(ui),
            false => row.show(ui, &card, followed.unfolded),
        });
        let rect = shown.response.rect;
        let words: Vec<String> =
            card.figures.iter().map(|(title, count)| format!("{title} {count}")).collect();
        let told = format!("Following {}: {}, {}", followed.name, card.state, words.join(", "));
        node::show(ui, rect, "followed unit", Role::Figure, told);
        if followed.size.is_none_or(|size| (size - rect.size()).abs().max_elem() > 0.5) {
            followed.size = Some(rect.size());
            ui.ctx().request_repaint();
        }
        self.covered.push(rect);
        match shown.inner {
            Some(Press::Close) => self.followed = None,
            Some(Press::Unfold) => followed.unfolded = !followed.unfolded,
            None => {}
        }
    }
}

/// A press on the card.
#[derive(Debug, Clone, Copy)]
enum Press {
    Close,
    /// Show the figures, or fold them again.
    Unfold,
}

/// Contents of the card.
#[derive(Debug)]
struct Card<'a> {
    name: &'a str,
    state: &'a str,
    /// What the unit has done: titles and numbers.
    figures: Vec<(&'static str, String)>,
}

impl Card<'_> {
    /// Shows all of the card, a line for each figure.
    fn show(&self, ui: &mut Ui) -> Option<Press> {
        let palette = Palette::of(ui.ctx());
        let mut press = None;
        ui.set_width(CARD - 20.0);
        ui.spacing_mut().item_spacing.y = 1.0;
        ui.spacing_mut().interact_size.y = ScreenLayout::of(ui.ctx()).control(CLOSE);
        ui.horizontal(|ui| {
            ui.label(RichText::new(self.name).family(semibold()).size(BODY));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| press = close(ui));
        });
        ui.spacing_mut().interact_size.y = 16.0;
        ui.add(Label::new(RichText::new(self.state).family(semibold()).size(SMALL)).wrap());
        for (title, count) in &self.figures {
            ui.horizontal(|ui| {
                ui.label(RichText::new(*title).size(SMALL).color(palette.weak));
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    ui.label(RichText::new(count).family(semibold()).size(SMALL));
                });
            });
        }
        press
    }

    /// The figures one after the other.
    fn figures_in_a_row(&self, palette: &Palette, width: f32) -> LayoutJob {
        let format = |font, color| TextFormat { font_id: font, color, ..TextFormat::default() };
        let mut job = LayoutJob::default();
        job.wrap.max_width = width;
        for (at, (title, count)) in self.figures.iter().enumerate() {
            // A line ends between figures, and within none.
            let (lead, gap) = if at > 0 { (" ", APART) } else { ("", 0.0) };
            job.append(lead, 0.0, format(FontId::proportional(SMALL), palette.weak));
            let title = title.replace(' ', "\u{a0}");
            job.append(&format!("{title}\u{a0}"), gap, format(FontId::proportional(SMALL), palette.weak));
            job.append(count, 0.0, format(FontId::new(SMALL, semibold()), palette.text));
        }
        job
    }
}

/// The line of the card on a small board.
#[derive(Debug)]
struct Row {
    text: Arc<Galley>,
    /// Largest width of the contents.
    width: f32,
    /// The side of its button.
    close: f32,
}

impl Row {
    fn of(ui: &Ui, card: &Card<'_>, width: f32) -> Row {
        let close = ScreenLayout::of(ui.ctx()).control(CLOSE);
        let width = width - 20.0;
        let room = width - close - SIGN - 2.0 * GAP;
        let words = format!("{}: {}", card.name, card.state);
        let font = FontId::new(SMALL, semibold());
        let text = ui.painter().layout(words, font, Palette::of(ui.ctx()).text, room);
        Row { text, width, close }
    }

    /// The part that unfolds the card.
    fn button(&self) -> Vec2 {
        vec2(self.text.size().x + GAP + SIGN, self.text.size().y.max(self.close))
    }

    /// The size of the folded card.
    fn size(&self) -> Vec2 {
        self.button() + vec2(20.0 + GAP + self.close, 2.0)
    }

    /// Shows the line, unfolded with the figures below it.
    fn show(&self, ui: &mut Ui, card: &Card<'_>, unfolded: bool) -> Option<Press> {
        let palette = Palette::of(ui.ctx());
        let mut press = None;
        ui.spacing_mut().item_spacing = vec2(GAP, 0.0);
        ui.horizontal(|ui| {
            let (area, button) = ui.allocate_exact_size(self.button(), Sense::click());
            let at = Align2::LEFT_CENTER.align_size_within_rect(self.text.size(), area).min;
            let ink = if button.has_focus() { palette.accent } else { palette.text };
            ui.painter().galley_with_override_text_color(at, self.text.clone(), ink);
            let sign = Align2::RIGHT_CENTER.align_size_within_rect(Vec2::splat(SIGN), area);
            icons::paint(
                ui.painter(),
                if unfolded { Icon::Unfolded } else { Icon::Folded },
                sign,
                palette.weak,
            );
            let name = if unfolded { "Fold the unit's figures" } else { "Unfold the unit's figures" };
            button.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
            let button = button.on_hover_cursor(CursorIcon::PointingHand);
            if button.on_hover_text("Shows what the unit has done").clicked() {
                press = Some(Press::Unfold);
            }
            press = close(ui).or(press);
        });
        if unfolded {
            let figures = card.figures_in_a_row(palette, self.width);
            let figures = ui.add(Label::new(figures).sense(Sense::click()).selectable(false));
            if figures.clicked() {
                press = Some(Press::Unfold);
            }
            ui.add_space(GAP);
        }
        press
    }
}

/// The button that ends following.
fn close(ui: &mut Ui) -> Option<Press> {
    ui.add(IconButton::plain(Icon::Close, "Stop following").sized(CLOSE)).clicked().then_some(Press::Close)
}
