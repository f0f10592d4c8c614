//! Evaluation bar beside the board: the players' evaluation of the shown position. The first team's part is at the
//! bottom. The larger part has the evaluation in figures.

use std::f32::consts::FRAC_PI_2;

use eframe::egui::epaint::TextShape;
use eframe::egui::{Context, FontId, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2};
use grandstand_board::badge::team_badge;
use grandstand_board::theme::{Palette, SMALL, ink_on, semibold};
use grandstand_story::evaluation::{height, latest, scale};
use grandstand_story::plots::{Plot, PlotKind};
use grandstand_story::sides::Side;
use grandstand_story::{SceneResult, story};

use crate::layout::ScreenLayout;
use crate::session::{Lane, Session};

/// Width of the bar, and its distance from the board, in points.
const BREADTH: f32 = 16.0;
const GAP: f32 = 6.0;
/// Distance of the figure from the end of the bar, in points.
const MARGIN: f32 = 5.0;
/// Half of the room of a team's badge at an end of the bar, and the height of a bar from which it has them, in points.
const BADGE: f32 = 8.0;
const BADGES: f32 = 140.0;

/// What stands beside the board.
enum Place<'a> {
    /// Nothing: there are no evaluations, or they are a spoiler.
    None,
    /// Room for evaluations that come at the end.
    Kept,
    Bar(&'a Plot),
}

/// A match whose players never evaluate has no bar until an engine's review fills it. A board that people play on has, on a phone, the
/// whole width and no bar.
fn place<'a>(ctx: &Context, session: &'a Session) -> Place<'a> {
    let findings = session.events.findings();
    let is_judged = !findings.judgements.is_empty();
    let is_played = session.seat_client.is_played;
    let has_some = is_judged || session.lanes_of_match.has(Lane::Evaluation);
    if session.is_spoiler_free() || !has_some || is_played && ScreenLayout::of(ctx).phone {
        return Place::None;
    }
    match findings.plots.iter().find(|plot| plot.kind == PlotKind::Balance) {
        None => Place::None,
        Some(_) if session.awaits_evaluations() && !is_judged => Place::Kept,
        Some(plot) => Place::Bar(plot),
    }
}

/// The area that the bar leaves for the board.
pub(crate) fn beside(ctx: &Context, area: Rect, session: &Session, sides: &[Side]) -> Rect {
    match (sides, place(ctx, session)) {
        ([_, _], Place::Kept | Place::Bar(_)) => area.with_min_x(area.left() + BREADTH + GAP),
        _ => area,
    }
}

/// Shows the bar beside a board that covers `drawn`, from its top to its bottom.
pub(crate) fn show(ui: &Ui, drawn: Rect, session: &Session, sides: &[Side]) {
    let ([first, second], Place::Bar(plot)) = (sides, place(ui.ctx(), session)) else { return };
    let right = drawn.left() - GAP;
    let bar = Rect::from_x_y_ranges(right - BREADTH..=right, drawn.y_range());
    let palette = Palette::of(ui.ctx());
    let Standing { share, figure, words } = standing(session, plot, sides);
    let response = ui.interact(bar, ui.scope_id().with("evaluation bar"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Meter, true, format!("Evaluation: {words}")));
    let painter = ui.painter();
    let middle = bar.bottom() - bar.height() * (1.0 + share) / 2.0;
    // As in the plot and on the timeline: a black part on a dark ground would look empty.
    painter.rect_filled(bar, 3.0, palette.side(second));
    let below = bar.with_min_y(middle.clamp(bar.top(), bar.bottom()));
    painter.rect_filled(below, 3.0, palette.side(first));
    painter.hline(bar.x_range().expand(2.0), bar.center().y, Stroke::new(1.0, palette.weak));
    painter.rect_stroke(bar, 3.0, Stroke::new(1.0, palette.weak), StrokeKind::Outside);
    // Whose part is whose: a badge at each end.
    let badges = bar.height() >= BADGES;
    for (side, y) in
        [(second, bar.top() + BADGE), (first, bar.bottom() - BADGE)].into_iter().filter(|_| badges)
    {
        let at = pos2(bar.center().x, y);
        painter.circle_filled(at, BADGE - 1.0, palette.ground);
        team_badge(ui, side, at, BADGE - 3.0);
    }
    // It is read upwards, from the outer end of the larger part.
    let margin = if badges { MARGIN + 2.0 * BADGE } else { MARGIN };
    let ink = ink_on(palette.side(if share > 0.0 { first } else { second }));
    let figure = painter.layout_no_wrap(figure, FontId::new(SMALL, semibold()), ink);
    let [wide, high] = [figure.size().x, figure.size().y];
    let bottom = if share > 0.0 { bar.bottom() - margin } else { bar.top() + margin + wide };
    if wide + margin + MARGIN < bar.height() / 2.0 {
        let at = pos2(bar.center().x - high / 2.0, bottom);
        painter.add(TextShape::new(at, figure, ink).with_angle(-FRAC_PI_2));
    }
    response.on_hover_text(words);
}

/// What the bar says of the shown position.
struct Standing {
    /// The first team's share, from −1 to 1.
    share: f32,
    /// The evaluation from the view of the team that stands better; empty where there is none, or a draw.
    figure: String,
    words: String,
}

fn standing(session: &Session, plot: &Plot, sides: &[Side]) -> Standing {
    let result = |share: f32, words: String| Standing { share, figure: String::new(), words };
    match story(session.scene()).verdict() {
        Some(verdict @ SceneResult::Won(side)) => {
            let share = if side == 0 { 1.0 } else { -1.0 };
            Standing { figure: "wins".to_owned(), ..result(share, verdict.words(sides)) }
        }
        Some(verdict @ SceneResult::Drawn) => result(0.0, verdict.words(sides)),
        _ => match latest(plot, session.seq()) {
            Some((team, score)) => {
                let own = if team == 0 { score } else { score.saturating_neg() };
                let name = sides.get(team).map_or("", |side| &side.name);
                let story = story(session.scene());
                let figure =
                    if score == 0 { String::new() } else { story.score_text(score.saturating_abs()) };
                let words = format!("{name} {}", story.score_text(own));
                // A forced end fills the bar, however far away it is.
                let share = match story.forced_in(score) {
                    Some(_) => score.signum() as f32,
                    None => height(score, scale(plot)),
                };
                Standing { share, figure, words }
            }
            None => match session.events.findings().judgements.chance_at(session.seq()) {
                Some(chance) => {
                    let name = sides.first().map_or("", |side| &side.name);
                    let words = format!("{name} has a chance of {:.0} % by the engine", chance * 100.0);
                    let figure = format!("{:.0} %", chance.max(1.0 - chance) * 100.0);
                    Standing { share: chance * 2.0 - 1.0, figure, words }
                }
                None => result(0.0, "nothing said".to_owned()),
            },
        },
    }
}
