//! The card at the end of a match: who won and how, what decided it, and where to go from there.
//!
//! It lies below the board and takes room from it, so that it hides nothing. It comes when the picture reaches the end of
//! a match, and goes when the viewer closes it or goes elsewhere.

mod next_match;
mod summary_key;

use eframe::egui::{
    Align, Button, Frame, Label, Layout, Margin, Panel, RichText, Role, Sense, TextWrapMode, Ui, Vec2,
    WidgetInfo, vec2,
};
use grandstand_board::badge::team_badge;
use grandstand_board::theme::{BODY, HEADING, Palette, SMALL, mix, semibold};
use grandstand_story::format;
use grandstand_story::sides::Side;
use grandstand_story::summary::Summary;

use crate::actions::Action;
use crate::address::Target;
use crate::icons::Icon;
use crate::layout::ScreenLayout;
use crate::session::{Arrival, Session, Stage};
use crate::widgets::{IconButton, main_button};
use next_match::NextMatch;
use summary_key::{SummaryKey, summary};

/// With so much room for the ways on the next match is named, in points.
const ROOM_FOR_NAME: f32 = 640.0;

/// The card, and what it knows of other matches.
#[derive(Debug, Default)]
pub(crate) struct ResultCard {
    /// The viewer has closed it.
    closed: bool,
    next: NextMatch,
    /// What it says, and of what.
    summary: Option<(SummaryKey, Summary)>,
}

/// What the viewer asked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ResultCardAction {
    Close,
    PlayAgain,
    /// To a moment that decided the match, by its command.
    Seq(u64),
    Open(Target),
    Action(Action),
}

impl ResultCard {
    /// Whether the card is shown: in spoiler mode only to who has watched the match to its end.
    pub(crate) fn is_shown(&self, session: &Session, spoiler_free: bool) -> bool {
        let arrived = match session.arrival() {
            Some(Arrival::Played) => true,
            Some(Arrival::Gone) => !spoiler_free,
            None => false,
        };
        arrived && !self.closed && matches!(session.stage, Stage::Open)
    }

    /// The viewer needs it no more; it comes again when the end does.
    pub(crate) fn close(&mut self) {
        self.closed = true;
    }

    /// Takes note of where the picture is.
    pub(crate) fn update(&mut self, session: &Session) {
        if session.arrival().is_none() {
            self.closed = false;
        }
    }

    /// Shows the card at the lower edge of what is left of the screen. `leads_on`: it may lead to another match. Above an open
    /// `sheet` there is room for the outcome alone.
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        layout: ScreenLayout,
        session: &Session,
        sides: &[Side],
        (leads_on, sheet): (bool, bool),
    ) -> Option<ResultCardAction> {
        let next = leads_on.then(|| self.next.after(ui.ctx(), session)).flatten();
        let palette = Palette::of(ui.ctx());
        let grounds = SummaryKey::of(session, sides);
        let known = self.summary.take().filter(|(of, _)| *of == grounds);
        let (_, summary) = &*self.summary.insert(known.unwrap_or_else(|| (grounds, summary(session, sides))));
        let accent = summary.winner.and_then(|side| sides.get(side)).map(|side| palette.side(side));
        let fill = mix(palette.panel, accent.unwrap_or(palette.weak), 0.06);
        let frame =
            Frame::new().fill(fill).inner_margin(Margin::symmetric(12, if layout.low { 3 } else { 8 }));
        let shown = Panel::bottom("finale").resizable(false).frame(frame).show(ui, |ui| {
            // The winner's colour along the edge.
            let edge = ui.max_rect().expand2(vec2(12.0, if layout.low { 3.0 } else { 8.0 }));
            ui.painter().hline(edge.x_range(), edge.top(), (2.0, accent.unwrap_or(palette.line)));
            let button = Sizes { height: if layout.is_touched() { 42.0 } else { 30.0 } };
            if layout.low {
                // Every row is the board's: one has to do.
                return headline(ui, layout, summary, sides, |ui| ways_on(ui, layout, button, next));
            }
            let wish = headline(ui, layout, summary, sides, |_| None);
            if sheet {
                return wish;
            }
            let wish = moments(ui, button, summary).or(wish);
            ways_on(ui, layout, button, next).or(wish)
        });
        let told = format!("The match is over. {}", summary.told());
        shown.response.widget_info(|| WidgetInfo::labeled(Role::Group, true, &told));
        shown.inner
    }
}

/// How high buttons are.
#[derive(Debug, Clone, Copy)]
struct Sizes {
    height: f32,
}

/// Who won and how, the bare facts, and at the right the cross, with `more` beside it.
fn headline(
    ui: &mut Ui,
    layout: ScreenLayout,
    summary: &Summary,
    sides: &[Side],
    more: impl FnOnce(&mut Ui) -> Option<ResultCardAction>,
) -> Option<ResultCardAction> {
    let palette = Palette::of(ui.ctx());
    let size = if layout.is_touched() { BODY + 2.0 } else { HEADING - 2.0 };
    let cross = if layout.is_touched() { 42.0 } else { 30.0 };
    let mut wish = None;
    ui.horizontal(|ui| {
        ui.set_min_height(cross);
        ui.spacing_mut().item_spacing.x = 8.0;
        if let Some(side) = summary.winner.and_then(|side| sides.get(side)) {
            let (rect, _) = ui.allocate_exact_size(Vec2::splat(size * 1.4), Sense::hover());
            team_badge(ui, side, rect.center(), size * 0.62);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.add(IconButton::plain(Icon::Close, "Close this card").sized(cross)).clicked() {
                wish = Some(ResultCardAction::Close);
            }
            wish = more(ui).or(wish.take());
            if layout.low {
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    let outcome = RichText::new(&summary.outcome).family(semibold()).size(size);
                    ui.add(Label::new(outcome).truncate());
                });
                return;
            }
            ui.with_layout(Layout::left_to_right(Align::Center).with_main_wrap(true), |ui| {
                ui.spacing_mut().item_spacing = vec2(12.0, 2.0);
                ui.label(RichText::new(&summary.outcome).family(semibold()).size(size));
                let facts = RichText::new(summary.facts.join("  ·  ")).size(SMALL + 1.0).color(palette.weak);
                // In a line of their own rather than broken.
                ui.add(Label::new(facts).wrap_mode(TextWrapMode::Extend));
            });
        });
    });
    wish
}

/// The moments that decided the match: a press shows one.
fn moments(ui: &mut Ui, sizes: Sizes, summary: &Summary) -> Option<ResultCardAction> {
    if summary.moments.is_empty() {
        return None;
    }
    let palette = Palette::of(ui.ctx());
    let mut wish = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
        let heading = if summary.ended { "What decided it" } else { "Key moments" };
        ui.label(RichText::new(heading).size(SMALL + 1.0).color(palette.weak));
        for moment in &summary.moments {
            let text = format!("{}  {}", format::minutes(moment.t.as_secs_f64()), moment.what);
            let button = Button::new(RichText::new(text).size(SMALL + 1.0)).min_size(vec2(0.0, sizes.height));
            if ui.add(button.truncate()).on_hover_text("Shows this moment").clicked() {
                wish = Some(ResultCardAction::Seq(moment.seq));
            }
        }
    });
    ui.add_space(4.0);
    wish
}

/// What can be done now.
fn ways_on(
    ui: &mut Ui,
    layout: ScreenLayout,
    sizes: Sizes,
    next: Option<(Target, String)>,
) -> Option<ResultCardAction> {
    let palette = Palette::of(ui.ctx());
    let mut wish = None;
    let wraps = !layout.low;
    let row = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
        let height = vec2(0.0, sizes.height);
        if ui.add(main_button("Play again", palette).min_size(height)).clicked() {
            wish = Some(ResultCardAction::PlayAgain);
        }
        if let Some((target, name)) = next {
            let text = format!("Next match: {name}");
            // In a narrow window the name would need a row of its own.
            let narrow = layout.is_touched() || ui.available_width() < ROOM_FOR_NAME;
            let shown = if narrow { "Next match" } else { text.as_str() };
            let button = Button::new(shown).min_size(height);
            let button = if wraps { button.truncate() } else { button };
            if ui.add(button).on_hover_text(text).clicked() {
                wish = Some(ResultCardAction::Open(target));
            }
        }
        if layout.low {
            return;
        }
        for (action, text) in [(Action::CopyLink, "Share link"), (Action::Export, "Export…")] {
            let button = ui.add(Button::new(text).min_size(height));
            if button.on_hover_text(action.tooltip()).clicked() {
                wish = Some(ResultCardAction::Action(action));
            }
        }
    };
    if wraps {
        ui.horizontal_wrapped(row);
    } else {
        row(ui);
    }
    wish
}
