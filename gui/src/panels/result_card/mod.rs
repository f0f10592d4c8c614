//! Result card at the end of a match: winner, cause, turning point, and the ways to go on.
//!
//! It lies in the open panel, else in the room beside or below the board. Where that has no room for the whole card it is one
//! row until the viewer unfolds it, and where it has none for a row, a strip of the buttons in a margin of the board: the line of
//! the score has the outcome then. The board keeps its size. The card comes when the picture reaches the end of a match, and
//! goes when the viewer closes it or leaves the end.

mod contents;
mod next_match;
mod placement;
mod summary_key;

use eframe::egui::{
    Align2, Area, Context, Frame, Id, Margin, Order, Panel, Rect, Role, Stroke, Ui, Vec2, WidgetInfo, vec2,
};
use grandstand_board::theme::{Palette, mix};
use grandstand_story::sides::Side;
use grandstand_story::story;
use grandstand_story::summary::ResultSummary;

use self::contents::{Sizes, headline, moments, review, row, show_ways_on, strip, ways_on};
use self::next_match::NextMatch;
pub(crate) use self::placement::Surroundings;
use self::placement::{FORMS, Form, Placement, WIDEST};
use self::summary_key::{SummaryKey, summary};
use crate::actions::Action;
use crate::address::Target;
use crate::layout::ScreenLayout;
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
const BESIDE: f32 = 200.0;

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
        let height = ui.available_height();
        let has_moves = story(session.scene()).turns().is_some();
        let extent = match Extent::of(height, neighbour) {
            // The moves below the plots keep their room.
            Extent::Whole if has_moves && height < ROOM_FOR_MOMENTS_AND_MOVES => Extent::Short,
            Extent::Whole if session.review.is_asked_for() => Extent::Short,
            extent => extent,
        };
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
        let floating = Area::new(Id::unique("finale")).order(Order::Middle).constrain_to(around.inside());
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
        let Placement { form: index, edge, inside, is_free } =
            Placement::of(around, layout, &self.sizes, self.unfolded);
        let form = FORMS[index];
        let extent = match form {
            Form::Whole => Extent::Brief,
            Form::Row => Extent::Row,
            Form::Strip { is_column, has_words } => Extent::Strip { is_column, has_words },
        };
        let floating = floating.pivot(edge).fixed_pos(edge.pos_in_rect(&inside));
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
                Extent::Strip { is_column, has_words } => {
                    return strip(ui, layout, ways, (is_column, has_words), unfolds);
                }
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
