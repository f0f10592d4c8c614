//! Result card at the end of a match: winner, cause, turning point, and the ways to go on.
//!
//! It lies in the open panel, else beside the board, else over the board's lower part, or the upper one where an upright board
//! showed the end in the lower one; the board keeps its size. It comes when the
//! picture reaches the end of a match, and goes when the viewer closes it or leaves the end.

mod next_match;
mod summary_key;

use eframe::egui::{
    Align, Align2, Area, Button, Context, FontId, Frame, Id, Label, Layout, Margin, Order, Panel, Rect,
    RichText, Role, Sense, Stroke, TextStyle, TextWrapMode, Ui, Vec2, WidgetInfo, vec2,
};
use grandstand_board::badge::team_badge;
use grandstand_board::theme::{BODY, HEADING, Palette, SMALL, mix, semibold};
use grandstand_story::format;
use grandstand_story::sides::Side;
use grandstand_story::summary::{Moment, ResultSummary};

use crate::actions::Action;
use crate::address::Target;
use crate::icons::Icon;
use crate::layout::ScreenLayout;
use crate::panels::review_row::{self, ReviewRequest};
use crate::session::{Arrival, Session, Stage};
use crate::widgets::{IconButton, main_button};
use next_match::NextMatch;
use summary_key::{SummaryKey, summary};

/// Width from which the button of the next match has its title, in points.
const ROOM_FOR_NAME: f32 = 440.0;
/// Height of a sheet of lists from which the card has buttons, in points.
const ROOM_FOR_WAYS_ON: f32 = 320.0;
/// Height of a panel of lists from which the card has the engine's review, in points.
const ROOM_FOR_REVIEW: f32 = 470.0;
/// Height of a panel from which the card lists moments too, in points.
const ROOM_FOR_MOMENTS: f32 = 560.0;
/// Gap between the outcome and the facts beside it, in points.
const FACTS_APART: f32 = 12.0;
/// Width beside a board from which the card lies there, in points.
const BESIDE: f32 = 200.0;
/// Largest width of the card over a board, in points.
const WIDEST: f32 = 640.0;

/// The card, and the search for the next match.
#[derive(Debug, Default)]
pub(crate) struct ResultCard {
    /// Whether the viewer has closed it.
    closed: bool,
    next: NextMatch,
    /// The summary with its key.
    summary: Option<(SummaryKey, ResultSummary)>,
}

/// A request of the viewer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ResultCardAction {
    Close,
    PlayAgain,
    /// Go to the moment that decided the match, by its command.
    Seq(u64),
    Open(Target),
    /// Open the following match, in which the viewer plays again.
    Rematch(Target),
    /// Choose the settings of another match in place of the next one.
    NewGame(Target),
    Action(Action),
}

impl ResultCard {
    /// Whether the card is shown. In spoiler mode only a viewer who has watched the match to its end sees it.
    pub(crate) fn is_shown(&self, session: &Session, spoiler_free: bool) -> bool {
        let arrived = match session.arrival() {
            Some(Arrival::Played) => true,
            Some(Arrival::Gone) => !spoiler_free,
            None => false,
        };
        arrived && !self.closed && !session.seat_client.replaced && matches!(session.stage, Stage::Open)
    }

    /// Closes the card until the end is reached again.
    pub(crate) fn close(&mut self) {
        self.closed = true;
    }

    /// The match after the one that is shown, as soon as it is known.
    pub(crate) fn next_match(&mut self, ctx: &Context, session: &Session) -> Option<Target> {
        self.next.after(ctx, session).map(|(target, _)| target)
    }

    /// Opens the card again when the picture has left the end.
    pub(crate) fn update(&mut self, session: &Session) {
        if session.arrival().is_none() {
            self.closed = false;
        }
    }

    /// Shows the card at the lower edge of the panel. `leads_on`: it may lead to another match. `neighbour`: what the
    /// panel shows beside it.
    pub(crate) fn show_in_panel(
        &mut self,
        ui: &mut Ui,
        layout: ScreenLayout,
        (session, sides): (&Session, &[Side]),
        (leads_on, neighbour): (bool, Neighbour),
    ) -> Option<ResultCardAction> {
        // The panel's own contents keep most of its height.
        let extent = Extent::of(ui.available_height(), neighbour);
        let frame = Frame::new().inner_margin(Margin { left: 0, right: 0, top: 8, bottom: 0 });
        let panel = Panel::bottom("finale").resizable(false).frame(frame);
        let shown = panel.show(ui, |ui| self.card(ui, layout, (session, sides), leads_on, extent));
        shown.inner
    }

    /// What the card covers since the last frame, where it is shown on the board.
    pub(crate) fn over_board(&self, ctx: &Context) -> Option<Rect> {
        ctx.memory(|memory| memory.area_rect(Id::unique("finale")))
    }

    /// Shows the card beside the board if there is room, else over the lower part of the board's area, or with `above`
    /// the upper one; the board keeps its size.
    pub(crate) fn show_on_board(
        &mut self,
        ctx: &Context,
        layout: ScreenLayout,
        (session, sides): (&Session, &[Side]),
        leads_on: bool,
        (area, board, above): (Rect, Rect, bool),
    ) -> Option<ResultCardAction> {
        let floating = Area::new(Id::unique("finale")).order(Order::Middle);
        let beside = board.left() - area.left() - 12.0;
        let is_beside = beside >= BESIDE && !layout.low;
        let (pivot, at, width) = match is_beside {
            true => (Align2::LEFT_BOTTOM, area.left_bottom(), beside),
            false if above => (Align2::CENTER_TOP, area.center_top() + vec2(0.0, 8.0), area.width() - 8.0),
            false => (Align2::CENTER_BOTTOM, area.center_bottom(), area.width() - 8.0),
        };
        let floating = floating.pivot(pivot).fixed_pos(at - vec2(0.0, 4.0)).constrain_to(area);
        let shown = floating.show(ctx, |ui| {
            ui.set_max_width(width.min(WIDEST));
            let extent = match () {
                () if layout.low => Extent::OneRow,
                // Beside a board there is room for no list.
                () if is_beside => Extent::Short,
                // Over a board, and below that of a phone, it is as small as it can be.
                () => Extent::Brief,
            };
            self.card(ui, layout, (session, sides), leads_on, extent)
        });
        shown.inner
    }

    fn card(
        &mut self,
        ui: &mut Ui,
        layout: ScreenLayout,
        (session, sides): (&Session, &[Side]),
        leads_on: bool,
        extent: Extent,
    ) -> Option<ResultCardAction> {
        let next = leads_on.then(|| self.next.after(ui.ctx(), session)).flatten();
        let palette = Palette::of(ui.ctx());
        let grounds = SummaryKey::of(session, sides);
        let known = self.summary.take().filter(|(of, _)| *of == grounds);
        let (_, summary) = &*self.summary.insert(known.unwrap_or_else(|| (grounds, summary(session, sides))));
        let accent = summary.winner.and_then(|side| sides.get(side)).map(|side| palette.side(side));
        let fill = mix(palette.panel, accent.unwrap_or(palette.weak), 0.08);
        let edge = Stroke::new(1.5, mix(palette.line, accent.unwrap_or(palette.line), 0.7));
        let margin = Margin::symmetric(10, if layout.low { 3 } else { 8 });
        let frame = Frame::new().fill(fill).stroke(edge).corner_radius(8.0).inner_margin(margin);
        let shown = frame.show(ui, |ui| {
            // The card's own ground is near to that of buttons.
            ui.visuals_mut().widgets.inactive.bg_stroke = Stroke::new(1.0, palette.line);
            let client = &session.seat_client;
            let has_played = (client.has_played, !client.setup.is_empty());
            let button = Sizes { height: layout.control(30.0) };
            if extent == Extent::OneRow {
                // On a low screen the board needs the height; the card has one row.
                return headline(
                    ui,
                    layout,
                    summary,
                    sides,
                    Some(|ui: &mut Ui| ways_on(ui, layout, button, next, has_played)),
                );
            }
            let wish = headline(ui, layout, summary, sides, None::<fn(&mut Ui) -> Option<ResultCardAction>>);
            if extent == Extent::Outcome {
                return wish;
            }
            let wish = match extent {
                Extent::TwoRows => wish,
                _ => moments(ui, button, summary, extent).or(wish),
            };
            let wish = match extent {
                Extent::TwoRows | Extent::Brief => wish,
                _ => review(ui, session, button).or(wish),
            };
            ui.horizontal_wrapped(|ui| ways_on(ui, layout, button, next, has_played)).inner.or(wish)
        });
        let told = format!("The match is over. {}", summary.told());
        shown.response.widget_info(|| WidgetInfo::labeled(Role::Group, true, &told));
        shown.inner
    }
}

/// Amount of detail on the card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// The outcome.
    Outcome,
    /// The outcome and the buttons, in one row.
    OneRow,
    /// The outcome, and below it the buttons.
    TwoRows,
    /// The outcome, the turning point, and the buttons.
    Brief,
    /// All of `Brief`, and the engine's review.
    Short,
    /// All of `Short`, and a list of moments.
    Whole,
}

/// Contents of the panel that the card shares its room with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Neighbour {
    /// Lists, which scroll.
    Lists,
    /// A program, which needs most of the room.
    Program,
    /// Lists in a sheet below a board, of little height.
    Sheet,
    /// Plots in such a sheet, which give way to the card.
    Plots,
}

impl Extent {
    /// The detail for a panel of this height.
    fn of(height: f32, neighbour: Neighbour) -> Extent {
        let is_high = height >= ROOM_FOR_MOMENTS;
        match neighbour {
            Neighbour::Sheet | Neighbour::Plots if height >= ROOM_FOR_WAYS_ON => Extent::Brief,
            Neighbour::Plots => Extent::TwoRows,
            Neighbour::Sheet => Extent::Outcome,
            Neighbour::Program if !is_high => Extent::Outcome,
            Neighbour::Lists if is_high => Extent::Whole,
            // The list of moves has the review.
            Neighbour::Lists if height < ROOM_FOR_REVIEW => Extent::Brief,
            Neighbour::Program | Neighbour::Lists => Extent::Short,
        }
    }
}

/// Height of the buttons, in points.
#[derive(Debug, Clone, Copy)]
struct Sizes {
    height: f32,
}

/// Winner, cause, facts, and the close button. With `more`, the rest of the card follows in the same row.
fn headline(
    ui: &mut Ui,
    layout: ScreenLayout,
    summary: &ResultSummary,
    sides: &[Side],
    more: Option<impl FnOnce(&mut Ui) -> Option<ResultCardAction>>,
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
            let outcome = RichText::new(&summary.outcome).family(semibold()).size(size);
            if let Some(more) = more {
                wish = more(ui).or(wish.take());
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.add(Label::new(outcome).truncate());
                });
                return;
            }
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
                ui.label(outcome);
                ui.add(facts);
            });
        });
    });
    wish
}

/// The turning point as a sentence, and the list of moments; a press seeks to one. Without a result there is none.
fn moments(ui: &mut Ui, sizes: Sizes, summary: &ResultSummary, extent: Extent) -> Option<ResultCardAction> {
    if !summary.ended {
        return None;
    }
    let mut wish = None;
    if let Some(decided) = &summary.decided {
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

/// The engine's review.
fn review(ui: &mut Ui, session: &Session, sizes: Sizes) -> Option<ResultCardAction> {
    let wish = review_row::show(ui, session, sizes.height)?;
    Some(match wish {
        ReviewRequest::Toggle => ResultCardAction::Action(Action::FindMistakes),
        ReviewRequest::Seq(seq) => ResultCardAction::Seq(seq),
    })
}

/// The buttons.
fn ways_on(
    ui: &mut Ui,
    layout: ScreenLayout,
    sizes: Sizes,
    next: Option<(Target, String)>,
    (has_played, offers): (bool, bool),
) -> Option<ResultCardAction> {
    let palette = Palette::of(ui.ctx());
    let mut wish = None;
    ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
    let height = vec2(0.0, sizes.height);
    if let Some((target, _)) = next.as_ref().filter(|_| has_played) {
        let rematch = ui.add(main_button("Rematch", palette).min_size(height));
        if rematch.on_hover_text("Colours are swapped").clicked() {
            wish = Some(ResultCardAction::Rematch(target.clone()));
        }
        if offers && ui.add(Button::new("New game…").min_size(height)).clicked() {
            wish = Some(ResultCardAction::NewGame(target.clone()));
        }
        if ui.add(Button::new("Watch again").min_size(height)).clicked() {
            wish = Some(ResultCardAction::PlayAgain);
        }
    } else {
        // "Play" would mean another game to somebody who has just played one.
        let again = if has_played { "Watch again" } else { "Play again" };
        if ui.add(main_button(again, palette).min_size(height)).clicked() {
            wish = Some(ResultCardAction::PlayAgain);
        }
    }
    if let Some((target, name)) = next.filter(|_| !has_played) {
        let text = format!("Next match: {name}");
        // The title would need a row of its own in a narrow card.
        let narrow = layout.is_touched() || ui.available_width() < ROOM_FOR_NAME;
        let button = Button::new(if narrow { "Next match" } else { text.as_str() }).min_size(height);
        let button = if layout.low { button } else { button.truncate() };
        let button = ui.add(button);
        button.widget_info(|| WidgetInfo::labeled(Role::Button, true, &text));
        if button.on_hover_text(text).clicked() {
            wish = Some(ResultCardAction::Open(target));
        }
    }
    if layout.low {
        return wish;
    }
    for (action, text) in [(Action::Share, "Share…"), (Action::Export, "Export…")] {
        // On a phone the buttons have one row; the menu has those without room.
        let font = TextStyle::Button.resolve(ui.style());
        let wide = ui.painter().layout_no_wrap(text.to_owned(), font, palette.text).size().x;
        let wide = wide + 2.0 * ui.spacing().button_padding.x;
        if layout.phone && wide > ui.available_size_before_wrap().x {
            break;
        }
        let button = ui.add(Button::new(text).min_size(height));
        if button.on_hover_text(action.tooltip()).clicked() {
            wish = Some(ResultCardAction::Action(action));
        }
    }
    wish
}
