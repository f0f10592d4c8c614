//! Evaluation bar beside the board: the players' evaluation of the shown position. The first team's part is at the
//! bottom.

use eframe::egui::{Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};
use grandstand_board::theme::{Palette, mix};
use grandstand_story::evaluation::{height, latest, scale};
use grandstand_story::plots::{Plot, PlotKind};
use grandstand_story::sides::Side;
use grandstand_story::{SceneResult, story};

use crate::session::{Lane, Session};

/// Width of the bar, and its distance from the board, in points.
const BREADTH: f32 = 10.0;
const GAP: f32 = 6.0;

/// Shows the bar beside a board of a shape (width divided by height); returns the area that is left for the board.
/// Where the players said nothing, an engine's review fills the bar. Without evaluations and in spoiler mode there is none; where they come at the
/// end, its place is kept.
pub(crate) fn show(ui: &Ui, area: Rect, shape: f32, session: &Session, sides: &[Side]) -> Rect {
    let [first, second] = sides else { return area };
    let judgements = &session.events.findings().judgements;
    let is_said = session.lanes_of_match.has(Lane::Evaluation);
    if session.is_spoiler_free() || !is_said && judgements.is_empty() {
        return area;
    }
    let plots = &session.events.findings().plots;
    let Some(plot) = plots.iter().find(|plot| plot.kind == PlotKind::Balance) else { return area };
    let left = area.with_min_x(area.left() + BREADTH + GAP);
    if session.awaits_evaluations() && judgements.is_empty() {
        return left;
    }
    // The board may be narrower than its area; the bar is beside the board.
    let wide = (left.height() * shape).min(left.width());
    let x = left.center().x - wide / 2.0 - GAP - BREADTH;
    let tall = (wide / shape).min(left.height());
    let bar = Rect::from_min_size(pos2(x, left.center().y - tall / 2.0), vec2(BREADTH, tall));
    let palette = Palette::of(ui.ctx());
    let (share, words) = standing(session, plot, sides);
    let response = ui.interact(bar, ui.scope_id().with("evaluation bar"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Meter, true, format!("Evaluation: {words}")));
    let painter = ui.painter();
    let middle = bar.bottom() - bar.height() * (1.0 + share) / 2.0;
    painter.rect_filled(bar, 3.0, mix(palette.ground, palette.side(second), 0.85));
    let below = bar.with_min_y(middle.clamp(bar.top(), bar.bottom()));
    painter.rect_filled(below, 3.0, mix(palette.ground, palette.side(first), 0.85));
    painter.hline(bar.x_range().expand(2.0), bar.center().y, Stroke::new(1.0, palette.weak));
    painter.rect_stroke(bar, 3.0, Stroke::new(1.0, palette.line), StrokeKind::Outside);
    response.on_hover_text(words);
    left
}

/// The first team's share from −1 to 1, and its text.
fn standing(session: &Session, plot: &Plot, sides: &[Side]) -> (f32, String) {
    match story(session.scene()).verdict() {
        Some(verdict @ SceneResult::Won(side)) => (if side == 0 { 1.0 } else { -1.0 }, verdict.words(sides)),
        Some(verdict @ SceneResult::Drawn) => (0.0, verdict.words(sides)),
        _ => match latest(plot, session.secs()) {
            Some((team, score)) => {
                let own = if team == 0 { score } else { score.saturating_neg() };
                let name = sides.get(team).map_or("", |side| &side.name);
                (height(score, scale(plot)), format!("{name} {}", story(session.scene()).score_text(own)))
            }
            None => match session.events.findings().judgements.chance_at(session.seq()) {
                Some(chance) => {
                    let name = sides.first().map_or("", |side| &side.name);
                    let words = format!("{name} has a chance of {:.0} % by the engine", chance * 100.0);
                    (chance * 2.0 - 1.0, words)
                }
                None => (0.0, "nothing said".to_owned()),
            },
        },
    }
}
