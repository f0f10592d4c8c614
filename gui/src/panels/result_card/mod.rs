//! Result card at the end of a match: winner, cause, turning point, and the ways to go on.
//!
//! It lies in the open panel, else in the room beside or below the board. Where that has no room for the whole card it is one
//! row until the viewer unfolds it, and where it has none for a row, a strip of the buttons in a margin of the board: the line of
//! the score has the outcome then. The board keeps its size. The card comes when the picture reaches the end of a match, and
//! goes when the viewer closes it or leaves the end.

mod next_match;
mod summary_key;

use eframe::egui::text::{LayoutJob, TextFormat, TextWrapping};
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
use crate::icons::{self, Icon};
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
/// Height of a sheet of plots from which a plot has room above a card of two rows, in points.
const ROOM_FOR_PLOT: f32 = 330.0;
/// Height of a sheet of plots from which a plot has room above a card that tells the turning point too, in points.
const ROOM_FOR_PLOT_AND_TURN: f32 = 390.0;
/// Height of a panel of lists from which the card has the engine's review, in points.
const ROOM_FOR_REVIEW: f32 = 470.0;
/// Height of a panel from which the card lists moments too, in points.
const ROOM_FOR_MOMENTS: f32 = 560.0;
/// Gap between the outcome and the facts beside it, in points.
const FACTS_APART: f32 = 12.0;
/// Gap between the words of a row and its buttons, in points.
const APART: f32 = 8.0;
/// Width beside a board from which the card lies there, in points.
const BESIDE: f32 = 200.0;
/// Largest width of the card over a board, in points.
const WIDEST: f32 = 640.0;
/// Where the card may lie over a board, the preferred place first.
const EDGES: [Align2; 8] = [
    Align2::CENTER_BOTTOM,
    Align2::LEFT_BOTTOM,
    Align2::RIGHT_BOTTOM,
    Align2::CENTER_TOP,
    Align2::LEFT_TOP,
    Align2::RIGHT_TOP,
    Align2::LEFT_CENTER,
    Align2::RIGHT_CENTER,
];
/// Forms of the card over a board, the preferred one first.
const FORMS: [Form; 4] =
    [Form::Whole, Form::Row, Form::Strip { is_column: false }, Form::Strip { is_column: true }];
/// Number of buttons of a strip until its size is known.
const BUTTONS: f32 = 6.0;

/// The card, and the search for the next match.
#[derive(Debug, Default)]
pub(crate) struct ResultCard {
    /// Whether the viewer has closed it.
    closed: bool,
    /// Whether the viewer wants to see all of it over the board.
    unfolded: bool,
    /// Its sizes over the board, in each form.
    sizes: [Option<Vec2>; FORMS.len()],
    /// Whether it is a strip of buttons.
    is_strip: bool,
    next: NextMatch,
    /// The summary with its key.
    summary: Option<(SummaryKey, ResultSummary)>,
}

/// A request of the viewer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ResultCardAction {
    Close,
    /// Show all of the card over the board, or one row again.
    Unfold,
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

    /// Whether the card tells the outcome: a strip of buttons leaves that to the line of the score.
    pub(crate) fn tells_outcome(&self) -> bool {
        !self.is_strip
    }

    /// Shows all of the card over the board, or one row again.
    pub(crate) fn toggle(&mut self) {
        self.unfolded = !self.unfolded;
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
            (self.closed, self.unfolded) = (false, false);
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
        self.is_strip = false;
        // The panel's own contents keep most of its height.
        let extent = Extent::of(ui.available_height(), neighbour);
        let frame = Frame::new().inner_margin(Margin { left: 0, right: 0, top: 8, bottom: 0 });
        let panel = Panel::bottom("finale").resizable(false).frame(frame);
        let shown = panel.show(ui, |ui| self.card(ui, layout, (session, sides), leads_on, (extent, false)));
        shown.inner
    }

    /// What the card covers since the last frame, where it is shown on the board.
    pub(crate) fn over_board(&self, ctx: &Context) -> Option<Rect> {
        ctx.memory(|memory| memory.area_rect(Id::unique("finale")))
    }

    /// Shows the card beside or below the board if there is room, else as a row or a strip where it hides the least; the board
    /// keeps its size.
    pub(crate) fn show_on_board(
        &mut self,
        ctx: &Context,
        layout: ScreenLayout,
        (session, sides): (&Session, &[Side]),
        leads_on: bool,
        around: &Surroundings,
    ) -> Option<ResultCardAction> {
        let Surroundings { area, board, .. } = *around;
        // The rims of the area are free.
        let inside = area.expand2(vec2(4.0, 3.0));
        let floating = Area::new(Id::unique("finale")).order(Order::Middle).constrain_to(inside);
        let beside = board.left() - area.left() - 12.0;
        let is_beside = beside >= BESIDE && !layout.low;
        if is_beside {
            self.is_strip = false;
            let at = area.left_bottom() - vec2(0.0, 4.0);
            let shown = floating.pivot(Align2::LEFT_BOTTOM).fixed_pos(at).show(ctx, |ui| {
                ui.set_max_width(beside.min(WIDEST));
                // There is room for no list.
                self.card(ui, layout, (session, sides), leads_on, (Extent::Short, false))
            });
            return shown.inner;
        }
        let width = area.width().min(WIDEST);
        // What stands beside the board may leave the room over the board.
        let places = [inside, inside.with_min_x(board.left().max(inside.left()))];
        let (side, sizes) = (layout.control(30.0), self.sizes);
        let room = |index: usize| {
            let usual = match FORMS[index] {
                Form::Whole => vec2(width, 150.0),
                Form::Row => vec2(width, side + 7.0),
                Form::Strip { is_column: false } => vec2(BUTTONS * (side + 4.0), side + 7.0),
                Form::Strip { is_column: true } => vec2(side + 7.0, BUTTONS * (side + 4.0)),
            };
            let size = sizes[index].unwrap_or(usual);
            let edges = places.into_iter().flat_map(|place| EDGES.map(|edge| (edge, place)));
            let cost = |edge: Align2, place: Rect| around.cost(edge.align_size_within_rect(size, place));
            let costs = edges.map(|(edge, place)| (edge, place, cost(edge, place)));
            costs.min_by(|a, b| a.2.total_cmp(&b.2)).unwrap_or((EDGES[0], inside, 0.0))
        };
        let rooms: [_; FORMS.len()] = std::array::from_fn(room);
        let is_free = !layout.low && rooms[0].2 < 1.0;
        let index = match () {
            () if is_free || self.unfolded && !layout.low => 0,
            () => (1..FORMS.len()).min_by(|a, b| rooms[*a].2.total_cmp(&rooms[*b].2)).unwrap_or(1),
        };
        let form = FORMS[index];
        // Unfolded it lies at the place of the row.
        let (edge, place, _) = rooms[if form == Form::Whole && !is_free { 1 } else { index }];
        let extent = match form {
            Form::Whole => Extent::Brief,
            Form::Row => Extent::Row,
            Form::Strip { is_column } => Extent::Strip { is_column },
        };
        let floating = floating.pivot(edge).fixed_pos(edge.pos_in_rect(&place));
        let unfolds = !is_free && !layout.low;
        let shown = floating.show(ctx, |ui| {
            ui.set_max_width(width);
            self.card(ui, layout, (session, sides), leads_on, (extent, unfolds))
        });
        let is_strip = matches!(form, Form::Strip { .. });
        let size = shown.response.rect.size();
        let is_known = self.sizes[index].is_some_and(|known| (known - size).abs().max_elem() <= 0.5);
        if !is_known || is_strip != self.is_strip {
            (self.sizes[index], self.is_strip) = (Some(size), is_strip);
            ctx.request_repaint();
        }
        shown.inner
    }

    fn card(
        &mut self,
        ui: &mut Ui,
        layout: ScreenLayout,
        (session, sides): (&Session, &[Side]),
        leads_on: bool,
        (extent, unfolds): (Extent, bool),
    ) -> Option<ResultCardAction> {
        let next = leads_on.then(|| self.next.after(ui.ctx(), session)).flatten();
        let palette = Palette::of(ui.ctx());
        let grounds = SummaryKey::of(session, sides);
        let known = self.summary.take().filter(|(of, _)| *of == grounds);
        let (_, summary) = &*self.summary.insert(known.unwrap_or_else(|| (grounds, summary(session, sides))));
        let accent = summary.winner.and_then(|side| sides.get(side)).map(|side| palette.side(side));
        let fill = mix(palette.panel, accent.unwrap_or(palette.weak), 0.08);
        let edge = Stroke::new(1.5, mix(palette.line, accent.unwrap_or(palette.line), 0.7));
        let margin = match extent {
            Extent::Strip { .. } => Margin::same(2),
            Extent::Row if layout.phone => Margin::symmetric(6, 2),
            Extent::Row => Margin::symmetric(10, 2),
            _ if layout.phone => Margin::symmetric(10, 6),
            _ => Margin::symmetric(10, 8),
        };
        let frame = Frame::new().fill(fill).stroke(edge).corner_radius(8.0).inner_margin(margin);
        let shown = frame.show(ui, |ui| {
            // The card's own ground is near to that of buttons.
            ui.visuals_mut().widgets.inactive.bg_stroke = Stroke::new(1.0, palette.line);
            let client = &session.seat_client;
            let has_played = (client.has_played, !client.setup.is_empty());
            let button = Sizes { height: layout.control(30.0) };
            let ways = ways_on(next, has_played);
            match extent {
                Extent::Row => return row(ui, layout, (summary, sides), ways, unfolds),
                Extent::Strip { is_column } => return strip(ui, layout, ways, (is_column, unfolds)),
                _ => {}
            }
            let wish = headline(ui, layout, summary, sides, unfolds);
            let wish = match extent {
                Extent::TwoRows => wish,
                _ => moments(ui, button, summary, extent).or(wish),
            };
            let wish = match extent {
                Extent::TwoRows | Extent::Brief => wish,
                _ => review(ui, session, button).or(wish),
            };
            ui.horizontal_wrapped(|ui| show_ways_on(ui, layout, button, ways)).inner.or(wish)
        });
        let told = format!("The match is over. {}", summary.told());
        shown.response.widget_info(|| WidgetInfo::labeled(Role::Group, true, &told));
        shown.inner
    }
}

/// Form of the card over a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Whole,
    Row,
    Strip { is_column: bool },
}

/// Amount of detail on the card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// The buttons, in a row or a column.
    Strip { is_column: bool },
    /// The outcome and the buttons, in one row.
    Row,
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
    /// Lists with the cards of pinned places above them.
    Pins,
    /// A program, which needs most of the room.
    Program,
    /// Lists in a sheet below a board, of little height.
    Sheet,
    /// Plots in such a sheet, of which the card leaves one its room.
    Plots,
}

impl Extent {
    /// The detail for a panel of this height.
    fn of(height: f32, neighbour: Neighbour) -> Extent {
        let is_high = height >= ROOM_FOR_MOMENTS;
        match neighbour {
            Neighbour::Sheet if height >= ROOM_FOR_WAYS_ON => Extent::Brief,
            Neighbour::Plots if height >= ROOM_FOR_PLOT_AND_TURN => Extent::Brief,
            Neighbour::Plots if height >= ROOM_FOR_PLOT => Extent::TwoRows,
            Neighbour::Sheet | Neighbour::Plots => Extent::Row,
            Neighbour::Program if !is_high => Extent::Row,
            Neighbour::Lists | Neighbour::Pins if is_high => Extent::Whole,
            Neighbour::Pins if height < ROOM_FOR_REVIEW => Extent::Row,
            // The list of moves has the review.
            Neighbour::Lists if height < ROOM_FOR_REVIEW => Extent::Brief,
            Neighbour::Program | Neighbour::Lists | Neighbour::Pins => Extent::Short,
        }
    }
}

/// Height of the buttons, in points.
#[derive(Debug, Clone, Copy)]
struct Sizes {
    height: f32,
}

/// What is around the card where the panel is closed.
#[derive(Debug)]
pub(crate) struct Surroundings {
    /// The room for the board and the card.
    pub area: Rect,
    /// The board with its names.
    pub board: Rect,
    /// Pieces and other things on the board, names, and marks of pins.
    pub things: Vec<Rect>,
    /// Buttons of the board, and what stands beside it.
    pub taken: Vec<Rect>,
    /// Whether the match ended in the board's lower half.
    pub ends_below: bool,
}

impl Surroundings {
    /// What a card here hides: buttons count most, then things, then the board.
    fn cost(&self, card: Rect) -> f32 {
        let shared = |other: &Rect| {
            let both = card.intersect(*other);
            if both.is_positive() { both.area() } else { 0.0 }
        };
        let all = |others: &[Rect]| others.iter().map(shared).sum::<f32>();
        let half = self.board.with_min_y(self.board.center().y);
        let end = if self.ends_below { 100.0 * shared(&half) } else { 0.0 };
        1e3 * all(&self.taken) + 20.0 * all(&self.things) + shared(&self.board) + end
    }
}

/// The outcome, the score and the buttons in one row; with `unfolds` a press on the outcome shows the whole card.
fn row(
    ui: &mut Ui,
    layout: ScreenLayout,
    (summary, sides): (&ResultSummary, &[Side]),
    ways: Vec<WayOn>,
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
        let told = |count: usize, room: f32| {
            let size = if layout.phone { SMALL } else { BODY };
            let mut job = LayoutJob::default();
            job.append(&summary.outcome, 0.0, format(FontId::new(size, semibold()), palette.text));
            if count > 0 {
                // A line ends between facts, and within none.
                let facts: Vec<String> =
                    summary.facts[..count].iter().map(|fact| fact.replace(' ', "\u{a0}")).collect();
                let facts = facts.join("\u{a0}\u{a0}·  ");
                job.append(" ", 0.0, format(FontId::proportional(SMALL), palette.weak));
                job.append(&facts, 6.0, format(FontId::proportional(SMALL), palette.weak));
            }
            job.wrap = TextWrapping { max_width: room, max_rows: 3, ..TextWrapping::default() };
            ui.fonts_mut(|fonts| fonts.layout_job(job))
        };
        let font = TextStyle::Button.resolve(ui.style());
        let wide = |text: &str| {
            let text = ui.painter().layout_no_wrap(text.to_owned(), font.clone(), palette.text);
            text.size().x + 2.0 * ui.spacing().button_padding.x
        };
        // Words have room where the outcome still has one line.
        let fold = if unfolds { 14.0 + 2.0 * gap } else { 0.0 };
        let words: f32 = ways.iter().map(|way| wide(way.text) + gap).sum();
        let whole = told(summary.facts.len(), f32::INFINITY).size().x + fold + 8.0;
        let has_words = whole + words + side + gap <= ui.available_width();
        // On a phone the menu has what finds no room.
        let shown = if layout.phone { ways.len().min(3) } else { ways.len() };
        let buttons = if has_words { words } else { shown as f32 * (side + gap) } + side + gap;
        let room = (ui.available_width() - buttons - fold - gap - APART).max(60.0);
        // All facts, or as many as have room in the line; at least the score.
        let counts = (2..=summary.facts.len()).rev();
        let count = counts.into_iter().find(|count| told(*count, f32::INFINITY).size().x <= room);
        let galley = told(count.unwrap_or(summary.facts.len().min(1)), room);
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
                let (sign, _) = ui.allocate_exact_size(vec2(14.0, side), Sense::hover());
                icons::paint(ui.painter(), Icon::Folded, icons::square(sign.center(), 12.0), palette.weak);
                if button.on_hover_text("Shows all of this card").clicked() {
                    wish = Some(ResultCardAction::Unfold);
                }
            }
        }
        if !has_words {
            ui.add_space((ui.available_width() - buttons).max(0.0));
        }
        if !has_words {
            wish = icon_buttons(ui, layout, ways).or(wish.take());
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
        wish = close_button(ui).or(wish.take());
    });
    wish
}

/// The buttons in a row or a column; with `unfolds` the first one shows the whole card.
fn strip(
    ui: &mut Ui,
    layout: ScreenLayout,
    ways: Vec<WayOn>,
    (is_column, unfolds): (bool, bool),
) -> Option<ResultCardAction> {
    let way = if is_column { Layout::top_down(Align::Min) } else { Layout::left_to_right(Align::Min) };
    let buttons = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing = Vec2::splat(if layout.phone { 1.0 } else { 4.0 });
        let unfold = unfolds.then(|| IconButton::plain(Icon::Folded, "Unfold this card"));
        let unfold = unfold.is_some_and(|unfold| ui.add(unfold).clicked());
        icon_buttons(ui, layout, ways).or(unfold.then_some(ResultCardAction::Unfold))
    };
    ui.allocate_ui_with_layout(Vec2::ZERO, way, buttons).inner
}

/// A small button for each way to go on, and the close button. On a phone the menu has what finds no room.
fn icon_buttons(ui: &mut Ui, layout: ScreenLayout, ways: Vec<WayOn>) -> Option<ResultCardAction> {
    let mut wish = None;
    for way in ways.into_iter().take(if layout.phone { 3 } else { usize::MAX }) {
        let button = ui.add(IconButton::plain(way.icon, &way.name).selected(way.is_main));
        if button.on_hover_text(&way.hint).clicked() {
            wish = Some(way.action);
        }
    }
    close_button(ui).or(wish)
}

fn close_button(ui: &mut Ui) -> Option<ResultCardAction> {
    ui.add(IconButton::plain(Icon::Close, "Close this card")).clicked().then_some(ResultCardAction::Close)
}

/// Winner, cause, facts, and the close button; with `unfolds` also one that shows one row again.
fn headline(
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
                wish = Some(ResultCardAction::Unfold);
            }
            let outcome = RichText::new(&summary.outcome).family(semibold()).size(size);
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

/// A way to go on.
#[derive(Debug)]
struct WayOn {
    icon: Icon,
    /// Text of its button.
    text: &'static str,
    /// Its name, which tells more.
    name: String,
    hint: String,
    action: ResultCardAction,
    is_main: bool,
}

/// The ways to go on, the main one first.
fn ways_on(next: Option<(Target, String)>, (has_played, offers): (bool, bool)) -> Vec<WayOn> {
    let way = |icon, text: &'static str, hint: &str, action| WayOn {
        icon,
        text,
        name: text.to_owned(),
        hint: hint.to_owned(),
        action,
        is_main: false,
    };
    let mut ways = Vec::new();
    // "Play" would mean another game to somebody who has just played one.
    let again = if has_played { "Watch again" } else { "Play again" };
    let again = way(Icon::Play, again, again, ResultCardAction::PlayAgain);
    match next {
        Some((target, _)) if has_played => {
            let action = ResultCardAction::Rematch(target.clone());
            ways.push(way(Icon::Loop, "Rematch", "Colours are swapped", action));
            if offers {
                let action = ResultCardAction::NewGame(target);
                ways.push(way(Icon::Plus, "New game…", "Chooses other settings", action));
            }
            ways.push(again);
        }
        Some((target, title)) => {
            let name = format!("Next match: {title}");
            let next = way(Icon::NextEvent, "Next match", &name, ResultCardAction::Open(target));
            ways.extend([again, WayOn { name, ..next }]);
        }
        None => ways.push(again),
    }
    if let Some(main) = ways.first_mut() {
        main.is_main = true;
    }
    for (icon, action, text) in
        [(Icon::Share, Action::Share, "Share…"), (Icon::Export, Action::Export, "Export…")]
    {
        ways.push(way(icon, text, &action.tooltip(), ResultCardAction::Action(action)));
    }
    ways
}

/// The buttons.
fn show_ways_on(
    ui: &mut Ui,
    layout: ScreenLayout,
    sizes: Sizes,
    ways: Vec<WayOn>,
) -> Option<ResultCardAction> {
    let palette = Palette::of(ui.ctx());
    let mut wish = None;
    ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
    // A title would need a row of its own in a narrow card.
    let narrow = layout.is_touched() || ui.available_width() < ROOM_FOR_NAME;
    for way in ways {
        let text = if narrow { way.text } else { way.name.as_str() };
        // On a phone the buttons have one row; the menu has those without room.
        let font = TextStyle::Button.resolve(ui.style());
        let wide = ui.painter().layout_no_wrap(text.to_owned(), font, palette.text).size().x;
        let wide = wide + 2.0 * ui.spacing().button_padding.x;
        if layout.phone && !way.is_main && wide > ui.available_size_before_wrap().x {
            break;
        }
        let button = if way.is_main { main_button(text, palette) } else { Button::new(text).truncate() };
        let button = ui.add(button.min_size(vec2(0.0, sizes.height)));
        button.widget_info(|| WidgetInfo::labeled(Role::Button, true, &way.name));
        if button.on_hover_text(&way.hint).clicked() {
            wish = Some(way.action);
        }
    }
    wish
}
