//! Following one unit: the board stays with it, and a card says what it has done.

use eframe::egui::{
    Align, Align2, FontId, Frame, Label, Layout, Margin, RichText, Role, Stroke, Ui, UiBuilder, Vec2, vec2,
};
use grandstand_board::node;
use grandstand_board::theme::{BODY, Palette, SMALL, semibold};
use grandstand_story::format;
use grandstand_story::story;

use super::{BoardInspector, Shown, marks};
use crate::icons::Icon;
use crate::layout::ScreenLayout;
use crate::session::Session;
use crate::widgets::IconButton;

/// The width of the card, in points.
const CARD: f32 = 168.0;
/// The size of a board from which it has room for the whole card, in points; on a smaller one the card is one line.
const ROOMY: Vec2 = vec2(2.5 * CARD, 260.0);
/// The side of its button under a pointer, in points.
const CLOSE: f32 = 20.0;

/// The unit that is followed.
#[derive(Debug, Clone)]
pub(crate) struct Followed {
    pub id: u32,
    /// Its name when it was on the board last.
    name: String,
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
    let back = back.map_or_else(String::new, |secs| format!(", back in {:.0} s", secs.ceil()));
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
                self.followed = Some(Followed { id, name });
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

    /// Marks the unit on the board, and shows its card in a corner of it.
    pub(super) fn show_followed(&mut self, ui: &mut Ui, shown: &Shown<'_>, session: &Session) {
        let Some(followed) = &mut self.followed else { return };
        let palette = Palette::of(ui.ctx());
        let now = story(session.scene()).unit(followed.id);
        if let Some((_, name)) = now {
            followed.name = name;
            if let Some(area) = shown.unit_area(followed.id) {
                let painter = ui.painter_at(shown.area.intersect(ui.clip_rect()));
                marks::followed(&painter, palette, area);
            }
        }
        let state = state(session, followed.id);
        let figures: Vec<(&str, String)> = session
            .events
            .findings()
            .units
            .figures(followed.id, session.secs())
            .map(|(deed, count)| (deed.title(), format::number(count.into())))
            .collect();
        let is_whole = shown.area.width() >= ROOMY.x && shown.area.height() >= ROOMY.y;
        let place = shown.area.shrink(4.0);
        let size = vec2(if is_whole { CARD } else { place.width() }, place.height());
        let corner = Align2::RIGHT_TOP.align_size_within_rect(size, place);
        let frame = Frame::new()
            .fill(palette.panel)
            .stroke(Stroke::new(1.0, palette.line))
            .corner_radius(8.0)
            .inner_margin(if is_whole { Margin::symmetric(9, 6) } else { Margin::symmetric(9, 0) });
        let mut ends = false;
        let name = format::capitalised(&followed.name);
        let mut close = |ui: &mut Ui| {
            ends = ui.add(IconButton::plain(Icon::Close, "Stop following").sized(CLOSE)).clicked()
        };
        let layout = Layout::top_down(if is_whole { Align::Min } else { Align::Max });
        let mut inside = ui.new_child(UiBuilder::new().max_rect(corner).layout(layout).id_salt("followed"));
        let card = frame.show(&mut inside, |ui| {
            if !is_whole {
                // From the right, so that the state gives way to the button.
                let size = vec2(ui.available_width(), ScreenLayout::of(ui.ctx()).control(CLOSE));
                ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
                    close(ui);
                    let text = ui.painter().layout(
                        format!("{name}: {state}"),
                        FontId::new(SMALL, semibold()),
                        palette.text,
                        ui.available_width() - 8.0,
                    );
                    ui.add(Label::new(text));
                });
                return;
            }
            ui.set_width(CARD - 20.0);
            ui.spacing_mut().item_spacing.y = 1.0;
            ui.spacing_mut().interact_size.y = ScreenLayout::of(ui.ctx()).control(CLOSE);
            ui.horizontal(|ui| {
                ui.label(RichText::new(&name).family(semibold()).size(BODY));
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    close(ui);
                });
            });
            ui.spacing_mut().interact_size.y = 16.0;
            ui.add(Label::new(RichText::new(&state).family(semibold()).size(SMALL)).wrap());
            for (title, count) in &figures {
                ui.horizontal(|ui| {
                    ui.label(RichText::new(*title).size(SMALL).color(palette.weak));
                    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                        ui.label(RichText::new(count).family(semibold()).size(SMALL));
                    });
                });
            }
        });
        let words: Vec<String> = figures.iter().map(|(title, count)| format!("{title} {count}")).collect();
        let name = &followed.name;
        node::show(
            ui,
            card.response.rect,
            "followed unit",
            Role::Figure,
            format!("Following {name}: {state}, {}", words.join(", ")),
        );
        self.covered.push(card.response.rect);
        if ends {
            self.followed = None;
        }
    }
}
