//! Result card at the end of a match: winner, cause, turning point, and the ways to go on.
//!
//! It lies in the open panel, else in the room beside or below the board. Without room for the whole card it is folded: one
//! row, or in a margin of the board a strip of the buttons, while the line of the score has the outcome. Unfolded it hides
//! nothing that stands on the board: it lies over the track below, on a phone above it, and its texts scroll. The board keeps its
//! size. In a small panel the lists keep their room beside a review: the folded card has two lines of it. The card comes when
//! the picture reaches the end of a match, and goes when the viewer closes it or leaves the end.

mod contents;
mod next_match;
mod placement;
mod summary_key;

use eframe::egui::{
    Align2, Area, Context, Frame, Id, Margin, Order, Panel, Rect, Role, ScrollArea, Stroke, Ui, Vec2,
    WidgetInfo, vec2,
};
use grandstand_board::theme::{Palette, mix};
use grandstand_story::sides::Side;
use grandstand_story::story;
use grandstand_story::summary::ResultSummary;

use self::contents::{Sizes, headline, moments, review, review_way, row, show_ways_on, strip, ways_on};
use self::next_match::NextMatch;
pub(crate) use self::placement::Surroundings;
use self::placement::{FORMS, Form, HIGH, Placement, WIDEST};
use self::summary_key::{SummaryKey, summary};
use crate::actions::Action;
use crate::address::Target;
use crate::layout::ScreenLayout;
use crate::panels::review_row;
use crate::session::{Arrival, Session, Stage};

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
/// The same where the panel lists moves below its plots.
const ROOM_FOR_MOMENTS_AND_MOVES: f32 = 720.0;
/// Width beside a board from which the card lies there, in points.
const BESIDE: f32 = 190.0;
/// The part of a panel's height that the unfolded card takes at most, where it is one row otherwise.
const UNFOLDED: f32 = 0.8;

/// The card, and the search for the next match.
#[derive(Debug, Default)]
pub(crate) struct ResultCard {
    /// Whether the viewer has closed it.
    closed: bool,
    /// Whether the viewer wants to see all of it where it has little room; `None` until they say so.
    unfolded: Option<bool>,
    /// Its sizes over the board, in each form.
    sizes: [Option<Vec2>; FORMS.len()],
    /// Height of the rows of its buttons in the last frame, in points.
    ways_height: f32,
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
    /// Show all of the card, or fold it again.
    Unfold(bool),
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

    /// Shows all of the card, or folds it again.
    pub(crate) fn unfold(&mut self, unfolded: bool) {
        self.unfolded = Some(unfolded);
    }

    /// Takes the form in which the card tells how a review goes on and what it finds: over a board all of it, in a small panel
    /// two lines.
    pub(crate) fn tell_review(&mut self) {
        self.unfolded = None;
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
            self.unfolded = session.review.is_asked_for().then_some(false);
            self.sizes[0] = None;
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
        let height = ui.available_height();
        let has_moves = story(session.scene()).turns().is_some();
        let extent = match Extent::of(height, neighbour) {
            // The moves below the plots keep their room.
            Extent::Whole if has_moves && height < ROOM_FOR_MOMENTS_AND_MOVES => Extent::Short,
            Extent::Whole if session.review.is_asked_for() => Extent::Short,
            extent => extent,
        };
        let is_row = extent == Extent::Row;
        let tells_review = session.can_be_reviewed() && session.review.is_asked_for();
        let unfolds = if is_row { !layout.low } else { height < ROOM_FOR_MOMENTS };
        let unfolded = self.unfolded.unwrap_or(!is_row && !tells_review);
        let form = match unfolds {
            true if !unfolded => Shape { unfolds, tells_review, ..Shape::of(Extent::Row) },
            true if is_row => Shape { unfolds, height: height * UNFOLDED, ..Shape::of(Extent::Brief) },
            true if tells_review => Shape { unfolds, height: height * UNFOLDED, ..Shape::of(extent) },
            unfolds => Shape { unfolds, ..Shape::of(extent) },
        };
        let frame = Frame::new().inner_margin(Margin { left: 0, right: 0, top: 8, bottom: 0 });
        let panel = Panel::bottom("finale").resizable(false).frame(frame);
        let shown = panel.show(ui, |ui| self.card(ui, layout, (session, sides), leads_on, form));
        shown.inner.0
    }

    /// What the card covers since the last frame, where it is shown on the board.
    pub(crate) fn over_board(&self, ctx: &Context) -> Option<Rect> {
        ctx.memory(|memory| memory.area_rect(Id::unique("finale")))
    }

    /// Shows the card beside or below the board if there is room, else folded where it hides the least; the board keeps its
    /// size. Unfolded it lies below what stands on the board.
    pub(crate) fn show_on_board(
        &mut self,
        ctx: &Context,
        layout: ScreenLayout,
        (session, sides): (&Session, &[Side]),
        leads_on: bool,
        around: &Surroundings,
    ) -> Option<ResultCardAction> {
        let Surroundings { area, board, .. } = *around;
        let floating = Area::new(Id::unique("finale")).order(Order::Middle).constrain_to(around.inside());
        let beside = board.left() - area.left() - 12.0;
        let is_beside = beside >= BESIDE && !layout.low;
        if is_beside {
            self.is_strip = false;
            let at = area.left_bottom() - vec2(0.0, 4.0);
            let shown = floating.pivot(Align2::LEFT_BOTTOM).fixed_pos(at).show(ctx, |ui| {
                ui.set_max_width(beside.min(WIDEST));
                // There is room for no list.
                let form = Shape { height: area.height(), ..Shape::of(Extent::Short) };
                self.card(ui, layout, (session, sides), leads_on, form)
            });
            return shown.inner.0;
        }
        let width = area.width().min(WIDEST);
        let Placement { form: index, edge, inside, is_free } = Placement::of(around, layout, &self.sizes);
        let unfolds = !is_free && !layout.low;
        let tells_review = session.can_be_reviewed() && session.review.is_asked_for();
        let unfolded = self.unfolded.unwrap_or(tells_review);
        let index = if unfolds && unfolded { 0 } else { index };
        let extent = match FORMS[index] {
            Form::Whole => Extent::Brief,
            Form::Row => Extent::Row,
            Form::Strip { is_column, has_words } => Extent::Strip { is_column, has_words },
        };
        let shape = Shape { unfolds, tells_review, ..Shape::of(extent) };
        let (floating, shape) = match FORMS[index] {
            Form::Whole if !is_free => {
                // A phone has the line and the time beside the track.
                let end = if layout.phone { around.inside().bottom() } else { around.controls };
                let window = ctx.content_rect().with_max_y(end);
                let high = self.sizes[0].map_or(HIGH, |size| size.y);
                let size = vec2(width, high);
                let place = around.over_free(size).unwrap_or_else(|| around.below(size, window));
                let floating = floating.constrain_to(window).pivot(Align2::CENTER_TOP);
                (floating.fixed_pos(place.center_top()), Shape { height: place.height().ceil(), ..shape })
            }
            _ => (floating.pivot(edge).fixed_pos(edge.pos_in_rect(&inside)), shape),
        };
        let shown = floating.show(ctx, |ui| {
            ui.set_max_width(width);
            self.card(ui, layout, (session, sides), leads_on, shape)
        });
        let (wish, hidden) = shown.inner;
        let is_strip = matches!(FORMS[index], Form::Strip { .. });
        let size = shown.response.rect.size() + vec2(0.0, hidden);
        let is_known = self.sizes[index].is_some_and(|known| (known - size).abs().max_elem() <= 0.5);
        if !is_known || is_strip != self.is_strip {
            (self.sizes[index], self.is_strip) = (Some(size), is_strip);
            ctx.request_repaint();
        }
        wish
    }

    /// Shows the card; what was asked for, and the height of its contents that are scrolled out of sight.
    fn card(
        &mut self,
        ui: &mut Ui,
        layout: ScreenLayout,
        (session, sides): (&Session, &[Side]),
        leads_on: bool,
        Shape { extent, unfolds, tells_review, height }: Shape,
    ) -> (Option<ResultCardAction>, f32) {
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
        if height.is_finite() {
            // The room is no longer that of the last frame.
            ui.set_max_height(height);
        }
        let shown = frame.show(ui, |ui| {
            // The card's own ground is near to that of buttons.
            ui.visuals_mut().widgets.inactive.bg_stroke = Stroke::new(1.0, palette.line);
            let client = &session.seat_client;
            let has_played = (client.has_played, !client.setup.is_empty());
            let button = Sizes { height: layout.control(30.0) };
            let mut ways = ways_on(next, has_played);
            match extent {
                Extent::Row => {
                    let wish = row(ui, layout, (summary, sides), ways, unfolds);
                    let told = tells_review && review_row::is_first(ui);
                    let told = told.then(|| review_row::lines(ui, (session, sides), button.height)).flatten();
                    return (review(told).or(wish), 0.0);
                }
                Extent::Strip { is_column, has_words } => {
                    return (strip(ui, layout, ways, (is_column, has_words), unfolds), 0.0);
                }
                _ => {}
            }
            let is_small = matches!(extent, Extent::TwoRows | Extent::Brief);
            // A small card has the review in place of the turning point, and its button among the others.
            let has_review = is_small && session.can_be_reviewed() && review_row::is_first(ui);
            let reviews = has_review && session.review.is_asked_for();
            if has_review && !reviews {
                ways.insert(1, review_way());
            }
            let wish = headline(ui, layout, summary, sides, unfolds);
            let texts = |ui: &mut Ui| {
                let wish = match extent {
                    _ if reviews => review(review_row::contents(ui, (session, sides), button.height)),
                    Extent::TwoRows => None,
                    // The review tells of the move that lost, too.
                    _ => moments(ui, button, summary, (extent, session.review.lost_by())),
                };
                match extent {
                    _ if is_small => wish,
                    _ => review(review_row::show(ui, (session, sides), button.height)).or(wish),
                }
            };
            // The texts scroll in what the headline and the buttons leave.
            let (text, hidden) = if height.is_infinite() {
                (texts(ui), 0.0)
            } else {
                let others = ui.min_rect().height() + 2.0 * ui.spacing().item_spacing.y + self.ways_height;
                let room = height - others - frame.total_margin().sum().y;
                // A button among them is whole.
                let room = room.max(button.height);
                let scrolled = ScrollArea::vertical().max_height(room).min_scrolled_height(room);
                let shown = scrolled.show(ui, texts);
                (shown.inner, (shown.content_size.y - shown.inner_rect.height()).max(0.0))
            };
            let shown = ui.vertical(|ui| show_ways_on(ui, layout, button, ways));
            self.ways_height = shown.response.rect.height();
            (shown.inner.or(text).or(wish), hidden)
        });
        let told = format!("The match is over. {}", summary.told());
        shown.response.widget_info(|| WidgetInfo::labeled(Role::Group, true, &told));
        shown.inner
    }
}

/// How the card is shown.
#[derive(Debug, Clone, Copy)]
struct Shape {
    extent: Extent,
    /// Whether the viewer can unfold it, and fold it again.
    unfolds: bool,
    /// Whether the folded card has a line of the review.
    tells_review: bool,
    /// Its largest height, in which its contents scroll, in points.
    height: f32,
}

impl Shape {
    /// All of the contents of this extent.
    fn of(extent: Extent) -> Shape {
        Shape { extent, unfolds: false, tells_review: false, height: f32::INFINITY }
    }
}

/// Amount of detail on the card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// The buttons, in a row or a column, with words or without.
    Strip { is_column: bool, has_words: bool },
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
