//! Result card at the end of a match: winner, cause, turning point, and the ways to go on.
//!
//! It lies in the open panel, else in the room beside or below the board. A panel keeps some rows of its list ([`LEAST`]): the
//! card has as much detail as leaves them, from all of it to one row, and in a panel that is lower still the line of the score is
//! the folded card. Over a board without room for the whole card it is folded too: one row, or in a margin of the board a strip of
//! the buttons, while the line of the score has the outcome. Unfolded it hides nothing that stands on the board: it lies over the
//! track below, on a phone above it, and its texts scroll. The board keeps its size. A folded card has two lines of a review. The
//! card comes when the picture reaches the end of a match, and goes when the viewer closes it or leaves the end.

mod contents;
mod next_match;
mod placement;
mod summary_key;

use eframe::egui::epaint::RectShape;
use eframe::egui::layers::ShapeIdx;
use eframe::egui::{
    Align2, Area, Color32, Context, CursorIcon, Frame, Id, Margin, Order, Panel, Rect, Role, ScrollArea,
    Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, vec2,
};
use grandstand_board::node;
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
use crate::icons::{self, Icon};
use crate::layout::ScreenLayout;
use crate::panels::{review_row, seat_bar};
use crate::session::{Arrival, Session, Stage};

/// Height of a panel from which the card lists moments too, in points.
const ROOM_FOR_MOMENTS: f32 = 560.0;
/// The same where the panel lists moves below its plots.
const ROOM_FOR_MOMENTS_AND_MOVES: f32 = 720.0;
/// Number of rows that the card leaves a panel's list.
const LEAST: f32 = 6.0;
/// Height of a row of such a list, and of the tabs and the controls above it, in points.
const LIST_ROW: f32 = 42.0;
const TABS: f32 = 34.0;
const HEAD: f32 = 30.0;
/// Width beside a board from which the card lies there, in points.
const BESIDE: f32 = 190.0;
/// Side of the sign that the card unfolds, in the line of the score, in points.
const SIGN: f32 = 12.0;
/// Room between the words there and the rim around them, in points.
const RIM: f32 = 6.0;
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
    /// Its heights in a panel of a width, in each extent.
    heights: (f32, [Option<f32>; IN_PANEL.len()]),
    /// Height of the rows of its buttons in the last frame, in points.
    ways_height: f32,
    /// Whether the line of the score tells the outcome: the card is a strip of buttons, or that line itself.
    told_by_score: bool,
    /// Whether the line of the score is the folded card.
    is_line: bool,
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
    WatchAgain,
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

    /// Whether the card tells the outcome, and does not leave that to the line of the score.
    pub(crate) fn tells_outcome(&self) -> bool {
        !self.told_by_score
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
            self.heights = Default::default();
            (self.told_by_score, self.is_line) = (false, false);
        }
    }

    /// The most detail that leaves the list of a panel of this size its least rows.
    fn extent_in(&mut self, size: Vec2, layout: ScreenLayout) -> Extent {
        if (self.heights.0 - size.x).abs() > 0.5 {
            self.heights = (size.x, Default::default());
        }
        let row = layout.control(LIST_ROW - 2.0) + 2.0;
        let least = layout.control(TABS) + layout.control(HEAD) + LEAST * row;
        let high = |at: usize| self.heights.1[at].unwrap_or(IN_PANEL[at].1);
        let fits = (0..IN_PANEL.len()).find(|at| high(*at) <= size.y - least);
        fits.map_or(Extent::Line, |at| IN_PANEL[at].0)
    }

    /// Shows the card at the lower edge of the panel. `leads_on`: it may lead to another match. `with_program`: the panel shows a
    /// program, which needs most of the room.
    pub(crate) fn show_in_panel(
        &mut self,
        ui: &mut Ui,
        layout: ScreenLayout,
        (session, sides): (&Session, &[Side]),
        (leads_on, with_program): (bool, bool),
    ) -> Option<ResultCardAction> {
        let height = ui.available_height();
        let has_moves = story(session.scene()).turns().is_some();
        let extent = match self.extent_in(ui.available_size(), layout) {
            Extent::Line => Extent::Line,
            _ if with_program && height < ROOM_FOR_MOMENTS => Extent::Row,
            Extent::Whole if with_program => Extent::Short,
            // The moves below the plots keep their room.
            Extent::Whole if has_moves && height < ROOM_FOR_MOMENTS_AND_MOVES => Extent::Short,
            Extent::Whole if session.review.is_asked_for() => Extent::Short,
            extent => extent,
        };
        let is_folded = matches!(extent, Extent::Row | Extent::Line);
        let tells_review = session.can_be_reviewed() && session.review.is_asked_for();
        let unfolds = is_folded || height < ROOM_FOR_MOMENTS;
        let unfolded = self.unfolded.unwrap_or(!is_folded && !tells_review);
        let form = match unfolds {
            true if !unfolded && extent == Extent::Line => Shape { tells_review, ..Shape::of(extent) },
            true if !unfolded => Shape { unfolds, tells_review, ..Shape::of(Extent::Row) },
            true if is_folded => Shape { unfolds, height: height * UNFOLDED, ..Shape::of(Extent::Brief) },
            true if tells_review => Shape { unfolds, height: height * UNFOLDED, ..Shape::of(extent) },
            unfolds => Shape { unfolds, ..Shape::of(extent) },
        };
        self.is_line = form.extent == Extent::Line;
        self.told_by_score = self.is_line;
        if self.is_line && !tells_review {
            return None;
        }
        let frame = Frame::new().inner_margin(Margin { left: 0, right: 0, top: 8, bottom: 0 });
        let panel = Panel::bottom("finale").resizable(false).frame(frame);
        let shown = panel.show(ui, |ui| self.card(ui, layout, (session, sides), leads_on, form));
        let at = IN_PANEL.iter().position(|(extent, _)| *extent == form.extent && form.height.is_infinite());
        if let Some(at) = at {
            let high = shown.response.rect.height();
            if self.heights.1[at].is_none_or(|known| (known - high).abs() > 0.5) {
                self.heights.1[at] = Some(high);
                ui.ctx().request_repaint();
            }
        }
        shown.inner.0
    }

    /// The room for the rim and the sign of the folded card in the line of the score.
    pub(crate) fn rim_in_score(&self) -> (f32, f32) {
        if self.is_line { (RIM, 1.25 * SIGN) } else { (0.0, 0.0) }
    }

    /// Makes the words in the middle of the line of the score the folded card.
    pub(crate) fn show_in_score(
        &mut self,
        ui: &Ui,
        ScoreWords { ground, words, line }: ScoreWords,
        (session, sides): (&Session, &[Side]),
    ) -> Option<ResultCardAction> {
        if !self.is_line {
            return None;
        }
        let palette = Palette::of(ui.ctx());
        let sign = Rect::from_center_size(words.right_center() + vec2(0.75 * SIGN, 0.0), Vec2::splat(SIGN));
        let plate = words.union(sign).expand2(vec2(RIM, 1.0)).intersect(line);
        let summary = self.summary(session, sides);
        node::show(ui, plate, "folded card", Role::Group, told(summary));
        let (fill, edge) = looks(palette, summary, sides);
        let least = Vec2::splat(ScreenLayout::of(ui.ctx()).control(30.0));
        let target = Rect::from_center_size(plate.center(), plate.size().max(least));
        let pressed = ui.interact(target, Id::unique("unfold the card"), Sense::click());
        pressed.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Unfold this card"));
        let fill = if pressed.hovered() { mix(fill, palette.accent, 0.15) } else { fill };
        let edge = if pressed.has_focus() { Stroke::new(2.0, palette.accent) } else { edge };
        ui.painter().set(ground, RectShape::new(plate, 8.0, fill, edge, StrokeKind::Inside));
        icons::paint(ui.painter(), Icon::Folded, sign, palette.weak);
        let pressed =
            pressed.on_hover_cursor(CursorIcon::PointingHand).on_hover_text("Shows all of the result");
        pressed.clicked().then_some(ResultCardAction::Unfold(true))
    }

    /// What the card says, as long as that stays.
    fn summary(&mut self, session: &Session, sides: &[Side]) -> &ResultSummary {
        let grounds = SummaryKey::of(session, sides);
        let known = self.summary.take().filter(|(of, _)| *of == grounds);
        &self.summary.insert(known.unwrap_or_else(|| (grounds, summary(session, sides)))).1
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
            (self.told_by_score, self.is_line) = (false, false);
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
        self.is_line = false;
        if !is_known || is_strip != self.told_by_score {
            (self.sizes[index], self.told_by_score) = (Some(size), is_strip);
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
        let ways_height = self.ways_height;
        let summary = self.summary(session, sides);
        let (fill, edge) = looks(palette, summary, sides);
        let margin = match extent {
            Extent::Strip { .. } => Margin::same(2),
            Extent::Row | Extent::Line if layout.phone => Margin::symmetric(6, 2),
            Extent::Row | Extent::Line => Margin::symmetric(10, 2),
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
            let leads_elsewhere = !leads_on && seat_bar::leads_on(session);
            let mut ways = ways_on(next, has_played, !leads_elsewhere);
            match extent {
                Extent::Line => {
                    let told = review_row::is_first(ui)
                        .then(|| review_row::lines(ui, (session, sides), button.height));
                    return (review(told.flatten()), 0.0, ways_height);
                }
                Extent::Row => {
                    let wish = row(ui, layout, (summary, sides), ways, unfolds);
                    let told = tells_review && review_row::is_first(ui);
                    let told = told.then(|| review_row::lines(ui, (session, sides), button.height)).flatten();
                    return (review(told).or(wish), 0.0, ways_height);
                }
                Extent::Strip { is_column, has_words } => {
                    let wish = strip(ui, layout, ways, (is_column, has_words), unfolds);
                    return (wish, 0.0, ways_height);
                }
                _ => {}
            }
            let is_small = matches!(extent, Extent::TwoRows | Extent::Brief);
            // A small card has the review in place of the turning point, and its button among the others.
            let has_review = is_small && session.can_be_reviewed() && review_row::is_first(ui);
            let reviews = has_review && session.review.is_asked_for();
            if has_review && !reviews {
                ways.insert(1, review_way(session));
            }
            let wish = headline(ui, layout, summary, sides, unfolds);
            let texts = |ui: &mut Ui| {
                let wish = match extent {
                    _ if reviews => review(review_row::contents(ui, (session, sides), button.height)),
                    Extent::TwoRows => None,
                    // A review that is over tells it better.
                    _ => moments(ui, button, summary, (extent, session.review.is_complete())),
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
                let others = ui.min_rect().height() + 2.0 * ui.spacing().item_spacing.y + ways_height;
                let room = height - others - frame.total_margin().sum().y;
                // A button among them is whole.
                let room = room.max(button.height);
                let scrolled = ScrollArea::vertical().max_height(room).min_scrolled_height(room);
                let shown = scrolled.show(ui, texts);
                (shown.inner, (shown.content_size.y - shown.inner_rect.height()).max(0.0))
            };
            let shown = ui.vertical(|ui| show_ways_on(ui, layout, button, ways));
            (shown.inner.or(text).or(wish), hidden, shown.response.rect.height())
        });
        // The line of the score has the outcome.
        let told = if extent == Extent::Line { "Review".to_owned() } else { told(summary) };
        shown.response.widget_info(|| WidgetInfo::labeled(Role::Group, true, &told));
        let (wish, hidden, ways_height) = shown.inner;
        self.ways_height = ways_height;
        (wish, hidden)
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
    /// Nothing but a review: the line of the score has the outcome.
    Line,
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

/// Extents of the card in a panel, the most detail first, with their heights in points until these are known.
const IN_PANEL: [(Extent, f32); 5] = [
    (Extent::Whole, 240.0),
    (Extent::Short, 210.0),
    (Extent::Brief, 170.0),
    (Extent::TwoRows, 110.0),
    (Extent::Row, 45.0),
];

/// A place of the panel that the card may take.
#[derive(Debug, Clone, Copy)]
pub(crate) enum CardPlace {
    /// The lower edge.
    Foot,
    /// The line of the score.
    Score(ScoreWords),
}

/// The words in the middle of the line of the score.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScoreWords {
    /// A shape below them.
    pub ground: ShapeIdx,
    pub words: Rect,
    /// The whole line.
    pub line: Rect,
}

/// What the card says to those who hear it.
fn told(summary: &ResultSummary) -> String {
    format!("The match is over. {}", summary.told())
}

/// Ground and rim of the card, in the winner's colour.
fn looks(palette: &Palette, summary: &ResultSummary, sides: &[Side]) -> (Color32, Stroke) {
    let accent = summary.winner.and_then(|side| sides.get(side)).map(|side| palette.side(side));
    let fill = mix(palette.panel, accent.unwrap_or(palette.weak), 0.08);
    (fill, Stroke::new(1.5, mix(palette.line, accent.unwrap_or(palette.line), 0.7)))
}
