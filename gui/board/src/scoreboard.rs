//! Scoreboard above the board: teams, points, turn, and result.

use std::sync::Arc;

use egui::{
    Align2, Color32, CornerRadius, FontId, Galley, Painter, Pos2, Rect, Role, Stroke, Ui, Vec2, pos2, vec2,
};
use grandstand_protocol::{MatchResult, Scene};
use grandstand_story::format;
use grandstand_story::sides::{Badge, Side, YOU};
use grandstand_story::story;

use crate::badge::{paint_badge, team_badge};
use crate::text::{cut_to_fit, fitted, fitting};
use crate::theme::{BODY, Palette, SMALL, mix, semibold};
use crate::{MatchContext, SideFigure, node, view};

/// Width below which the names stand below the points, in points.
const NARROW: f32 = 600.0;
/// Width of a team's badge and points with the gaps, in points.
const BESIDE: f32 = 118.0;
/// Height of a window, wider than high, below which no row may be wasted: a phone in landscape, or a frame in a page.
const LOW: f32 = 480.0;
/// Radius of a badge beside a name, size of the points there, and their least width, in points.
const BADGE: f32 = 15.0;
const POINTS: f32 = 30.0;
const POINTS_MIN: f32 = 20.0;
/// Radius of a badge above a name, and size of the points beside it, in points.
const STACKED: (f32, f32) = (11.0, 24.0);
/// Height of the line with pictures beside a team's name, in points.
const LINE: f32 = 20.0;
/// Distance of the names below the points, in points.
const NAMES_BELOW: f32 = 24.0;
/// How much higher the points stand where words of two lines may stand below them, in points.
const RAISED: f32 = 4.0;
/// Gap between two pictures beside a team's name, in points.
const GAP: f32 = 6.0;
/// Width of an emblem at most, in its height.
const EMBLEM: f32 = 1.5;
/// Least size of emblems and of other pictures in little room, of their own.
const LEAST: (f32, f32) = (0.4, 0.75);

/// What the viewer is called who plays, and told when they are to move.
const YOURS: &str = "Your move";

/// Input of the scoreboard.
#[derive(Debug, Clone, Copy)]
pub struct ScoreboardState<'a> {
    /// The scene with the scores.
    pub scene: &'a Scene,
    /// Facts about the match that are not in the scene.
    pub about: MatchContext<'a>,
    /// `Some` at the end of a finished match, with its result as far as it is known.
    pub over: Option<Option<&'a MatchResult>>,
    /// Whether the outcome is shown elsewhere on the screen.
    pub told: bool,
    /// The viewer's side, while they play.
    pub you: Option<usize>,
    /// Whether evaluations come with the match: names leave them the line below at every moment.
    pub evaluates: bool,
    /// Room for a rim around the words in the middle and a sign behind them, in points.
    pub rim: (f32, f32),
}

/// Whether a window of this size, in points, is so low that no row may be wasted.
pub fn is_low(window: Vec2) -> bool {
    window.y < LOW && window.x > 1.25 * window.y
}

/// Height of the line in a window of this size, in points.
pub fn height(window: Vec2) -> f32 {
    if is_low(window) { 50.0 } else { 68.0 }
}

/// Shows the line in `rect`; where the words in its middle stand.
pub fn show(ui: &mut Ui, rect: Rect, standing: &ScoreboardState<'_>, sides: &[Side]) -> Rect {
    let palette = Palette::of(ui.ctx());
    let narrow = rect.width() < NARROW;
    let font = FontId::new(BODY + 1.0, semibold());
    let has_units = story(standing.scene).has_units();
    let (share, below) = match () {
        () if narrow => (0.44, 0.44),
        // The units beside the names have more room.
        () if has_units => (0.26, 0.30),
        () => (0.36, 0.30),
    };
    let least = SMALL / (BODY + 1.0);
    let fit =
        |text: &str| fitting(ui.painter(), text, font.clone(), palette.text, rect.width() * share, least);
    let (mut turn, mut detail) = middle(standing, sides, narrow);
    let mut galley = fit(&turn);
    if galley.elided && !narrow {
        // A cause that has no room behind the winner stands below.
        (turn, detail) = middle(standing, sides, true);
        galley = fit(&turn);
    }
    // The mover also has a ring around the badge.
    let wide =
        |text: &str, font: FontId| ui.painter().layout_no_wrap(text.to_owned(), font, palette.text).size().x;
    // In a narrow line the names stand below the points, beside these words.
    let (name, beside) = if narrow { (SMALL, 10.0) } else { (BODY + 1.0, BESIDE) };
    let names =
        (0..sides.len()).map(|index| wide(short_name(standing, sides, index), FontId::new(name, semibold())));
    let longest = names.fold(0.0, f32::max);
    let (rim, sign) = standing.rim;
    if narrow
        && standing.over.is_some()
        && 2.0 * (longest + beside + rim) + galley.size().x + sign > rect.width()
    {
        // The names beside these words stay whole: the winner is told by the colour.
        let coloured = |side: &Side| Side { name: format::capitalised(side.word()), ..side.clone() };
        let coloured: Vec<Side> = sides.iter().map(coloured).collect();
        (turn, detail) = middle(standing, &coloured, narrow);
        galley = fit(&turn);
    }
    let told = wide(&detail, FontId::proportional(SMALL));
    let crowded = narrow && 2.0 * (longest + beside) + told > rect.width();
    if let Some(brief) = brief_mover(standing, sides).filter(|_| !narrow) {
        // The colour alone where the name of either has no room: words of both sides are alike.
        let font = FontId::proportional(SMALL);
        let is_long = |side: &Side| wide(&moves(side), font.clone()) > rect.width() * below;
        if sides.iter().any(is_long) {
            detail = brief;
        }
    }
    // Games with units have no side to move: the time stands between the names, and the units have all of the row above. So have
    // all figures at the end, when the words are longer unless the outcome is told elsewhere.
    let tallies: Vec<Vec<SideFigure>> =
        (0..sides.len()).map(|side| view(standing.scene).tally(side, &standing.about)).collect();
    let has_figures = match standing.over {
        None => has_units,
        Some(_) if standing.told => has_units,
        Some(_) => tallies.iter().flatten().any(|item| !matches!(item, SideFigure::Words(_))),
    };
    let is_low = narrow && has_figures && 2.0 * (longest + beside) + galley.size().x <= rect.width();
    let shown = if crowded && (is_low || standing.over.is_none()) { "" } else { detail.as_str() };
    if is_low && !shown.is_empty() {
        // Two lines below the figures.
        let font = FontId::new(BODY, semibold());
        galley = ui.painter().layout_no_wrap(turn.clone(), font, palette.text);
    }
    let center = rect.center() - vec2(sign / 2.0, 0.0);
    // How far the two lines are above and below the middle.
    let (up, down) = match (is_low, shown.is_empty()) {
        (true, true) => (8.0 - NAMES_BELOW, 0.0),
        (true, false) => (-10.0, 26.0),
        (false, true) => (0.0, 0.0),
        (false, false) => (10.0, 11.0),
    };
    let at = center - galley.size() / 2.0 - vec2(0.0, up);
    let mut width = galley.size().x;
    let mut words = Rect::from_min_size(at, galley.size());
    // Where the lower one of two lines begins, from the left.
    let mut lower = rect.center().x - rect.left();
    ui.painter().galley(at, galley, palette.text);
    if !shown.is_empty() {
        let font = FontId::proportional(SMALL);
        let galley = fitted(ui.painter(), shown, font, palette.weak, rect.width() * below);
        // In a narrow line these words stand lower than the figures beside them.
        width = if narrow && standing.over.is_none() { width } else { width.max(galley.size().x) };
        let at = center - galley.size() / 2.0 + vec2(0.0, down);
        words = words.union(Rect::from_min_size(at, galley.size()));
        lower = at.x - rect.left();
        ui.painter().galley(at, galley, palette.weak);
    }
    let width = width + 2.0 * rim + sign;
    let area = Rect::from_center_size(rect.center(), vec2(width, rect.height()));
    node::show(ui, area, "turn", Role::Label, format!("{turn} {detail}").trim());

    let leader = sides.iter().map(|side| side.score).max().unwrap_or(0);
    match sides {
        [_, _] => {
            // In a wide line the names have the same room at every moment, whatever is told between them.
            let taken = match () {
                () if is_low => 0.0,
                () if narrow => width,
                () => rect.width() * share,
            };
            let half = (rect.width() - taken) / 2.0 - if narrow { 8.0 } else { 22.0 };
            let place = |x| Rect::from_min_size(pos2(x, rect.top()), vec2(half, rect.height()));
            let mover = mover(standing);
            let stacked =
                narrow || sides.iter().any(|side| is_cut_beside(ui.painter(), standing, side, half));
            // What both sides have, such as clocks, has one size.
            let scales = (0..2).map(|index| {
                let room = half - figures_x(ui.painter(), standing, &sides[index], stacked);
                drawn_scale(&tallies[index], room)
            });
            // Names stand beside words that are as low as they are.
            let taken = if is_low { width / 2.0 } else { 0.0 };
            let scale = scales.fold(1.0, f32::min);
            let up = if is_low { RAISED } else { 0.0 };
            let lower = lower - 6.0;
            let look =
                |index: usize| TeamLook { stacked, scale, words: taken, lower, up, tally: &tallies[index] };
            team(ui, place(rect.left()), standing, (0, sides), mover == Some(0), leader, look(0));
            team(ui, place(rect.right() - half), standing, (1, sides), mover == Some(1), leader, look(1));
        }
        _ => row_of_teams(ui, rect, sides),
    }
    words
}

/// Text in the middle (the turn or the result), and the details below it, which in a narrow line are the cause.
fn middle(standing: &ScoreboardState<'_>, sides: &[Side], narrow: bool) -> (String, String) {
    let turn = story(standing.scene).progress_text();
    let verdict = story(standing.scene).verdict();
    match (standing.over, verdict) {
        (Some(_), _) if standing.told => return (turn, "The end".to_owned()),
        (Some(Some(result)), _) if narrow => return format::who_and_why(result, sides),
        (Some(Some(result)), _) => return (format::result_sentence(result, sides), turn),
        (_, Some(verdict)) => return (verdict.words(sides), turn),
        (Some(None), None) => return ("No result".to_owned(), turn),
        (None, None) => {}
    }
    let is_yours = is_yours(standing);
    let mover = mover(standing).and_then(|index| sides.get(index));
    let words = match narrow {
        _ if is_yours => Some(YOURS.to_owned()),
        true => brief_mover(standing, sides),
        false => mover.map(moves),
    };
    (turn, words.unwrap_or_default())
}

/// Who moves.
fn moves(side: &Side) -> String {
    format!("{} to move", side.name)
}

/// Who moves, in little room.
fn brief_mover(standing: &ScoreboardState<'_>, sides: &[Side]) -> Option<String> {
    let side = sides.get(mover(standing)?)?;
    if is_yours(standing) {
        return Some(YOURS.to_owned());
    }
    Some(format!("{} to move", format::capitalised(side.word())))
}

/// Whether the viewer is to move.
fn is_yours(standing: &ScoreboardState<'_>) -> bool {
    standing.you.is_some() && standing.you == mover(standing)
}

/// Name of a side in little room; the viewer is *You*.
fn short_name<'a>(standing: &ScoreboardState<'_>, sides: &'a [Side], index: usize) -> &'a str {
    if standing.you == Some(index) { YOU } else { sides.get(index).map_or("", Side::short) }
}

/// Index of the side to move, in games with turns.
fn mover(standing: &ScoreboardState<'_>) -> Option<usize> {
    story(standing.scene).mover().filter(|_| standing.over.is_none())
}

/// Whether a team's name is cut beside its points in a place of this width, and whole below them.
fn is_cut_beside(painter: &Painter, standing: &ScoreboardState<'_>, side: &Side, width: f32) -> bool {
    let layout = |text: &str, size: f32| {
        painter.layout_no_wrap(text.to_owned(), FontId::new(size, semibold()), Color32::WHITE).size().x
    };
    let score = widest_score(standing, side).map_or(0.0, |score| layout(&score, POINTS).max(POINTS_MIN));
    let name = layout(side.short(), SMALL);
    let room = width - (2.0 * BADGE + 24.0 + score + 14.0);
    name > room && name <= width - 2.0
}

/// The score of a side, or the one that wins if that has more letters: what stands beside it stays there while it grows. `None` in a game
/// without scores.
fn widest_score(standing: &ScoreboardState<'_>, side: &Side) -> Option<String> {
    let story = story(standing.scene);
    if story.scores().is_empty() {
        return None;
    }
    let goal = story.winning_score(standing.about.rules).map(|goal| goal.to_string());
    let score = side.score.to_string();
    Some(goal.filter(|goal| goal.len() > score.len()).unwrap_or(score))
}

/// The score of a side, as it is painted beside its badge, and the room for it.
fn score_of(
    painter: &Painter,
    standing: &ScoreboardState<'_>,
    side: &Side,
    stacked: bool,
    ink: Color32,
) -> (Arc<Galley>, f32) {
    let widest = widest_score(standing, side);
    let score = widest.as_ref().map_or_else(String::new, |_| side.score.to_string());
    let size = if stacked { STACKED.1 } else { POINTS };
    let lay = |score: String| painter.layout_no_wrap(score, FontId::new(size, semibold()), ink);
    let score = lay(score);
    let width = widest.map_or(0.0, |widest| lay(widest).size().x.max(score.size().x).max(POINTS_MIN));
    (score, width)
}

/// How far from a team's outer edge its score begins.
fn score_x(stacked: bool) -> f32 {
    if stacked { 2.0 * STACKED.0 + 18.0 } else { 2.0 * BADGE + 24.0 }
}

/// How far from a team's outer edge its figures begin, and its name unless that stands below.
fn figures_x(painter: &Painter, standing: &ScoreboardState<'_>, side: &Side, stacked: bool) -> f32 {
    let (_, score) = score_of(painter, standing, side, stacked, Color32::WHITE);
    score_x(stacked) + score + if stacked { 8.0 } else { 14.0 }
}

/// How a team is shown.
#[derive(Debug, Clone, Copy)]
struct TeamLook<'a> {
    /// Whether the names stand below.
    stacked: bool,
    /// Scale of the figures.
    scale: f32,
    /// Room of each name that words in the middle take, in points.
    words: f32,
    /// Distance of the lower words in the middle from the team's outer edge, in points.
    lower: f32,
    /// How much higher the row with the points is than usual, in points.
    up: f32,
    /// The figures.
    tally: &'a [SideFigure],
}

/// One of two teams; the second one is mirrored on the right.
fn team(
    ui: &mut Ui,
    rect: Rect,
    standing: &ScoreboardState<'_>,
    (index, sides): (usize, &[Side]),
    moves: bool,
    leader: i32,
    TeamLook { stacked, scale, words, lower, up, tally }: TeamLook<'_>,
) {
    let Some(side) = sides.get(index) else { return };
    let mirrored = index == 1;
    let pips = tally.iter().find_map(|item| match item {
        SideFigure::Pips { badge, have, of } => Some((*badge, *have, *of)),
        SideFigure::Drawn { .. } | SideFigure::Text { .. } | SideFigure::Words(_) => None,
    });
    let drawn = tally.iter().any(|item| matches!(item, SideFigure::Drawn { .. } | SideFigure::Text { .. }));
    let palette = Palette::of(ui.ctx());
    let accent = palette.side(side);
    let x = |offset: f32| if mirrored { rect.right() - offset } else { rect.left() + offset };
    // Left edge of a text that begins at an offset, or ends there if mirrored.
    let begin = |offset: f32, width: f32| if mirrored { x(offset) - width } else { x(offset) };
    let badge = if stacked { STACKED.0 } else { BADGE };
    let middle = rect.center().y - up - if stacked { 8.0 } else { 0.0 };
    let badge_at = pos2(x(badge + if stacked { 5.0 } else { 10.0 }), middle);
    team_badge(ui, side, badge_at, badge);
    if moves {
        ui.painter().circle_stroke(badge_at, badge + 4.0, Stroke::new(1.5, accent));
    }
    let ink = if side.score == leader && leader > 0 { palette.text } else { palette.weak };
    let counts = !story(standing.scene).scores().is_empty();
    let (score, _) = score_of(ui.painter(), standing, side, stacked, ink);
    let score_at = pos2(begin(score_x(stacked), score.size().x), middle - score.size().y / 2.0);
    ui.painter().galley(score_at, score, ink);

    let text_x = figures_x(ui.painter(), standing, side, stacked);
    let room = rect.width() - text_x;
    let (name_x, name_y, font) = match (stacked, pips.is_some() || drawn || standing.evaluates) {
        (true, _) => (2.0, middle + up + NAMES_BELOW, FontId::new(SMALL, semibold())),
        (false, true) => (text_x, middle - 11.0, FontId::new(BODY + 1.0, semibold())),
        (false, false) => (text_x, middle, FontId::new(BODY + 1.0, semibold())),
    };
    // Where what follows the name has room, from the outer edge on.
    let mut after_name = name_x;
    if stacked || room > 24.0 {
        let room = rect.width() - name_x - words;
        // A name is shrunk before it is cut.
        let least = SMALL / font.size;
        let fits = |name: &str| {
            let small = FontId::new(SMALL, semibold());
            ui.painter().layout_no_wrap(name.to_owned(), small, palette.text).size().x <= room
        };
        // Both sides are named in the same way, and cut so that they differ.
        let whole = (0..sides.len()).all(|index| standing.you == Some(index) || fits(&sides[index].name));
        let name = match sides {
            _ if standing.you == Some(index) => YOU.to_owned(),
            [_, _] if !whole => {
                cut_to_fit([0, 1].map(|index| short_name(standing, sides, index)), fits).swap_remove(index)
            }
            _ => side.name.clone(),
        };
        let name = fitting(ui.painter(), &name, font, palette.text, room, least);
        let at = pos2(begin(name_x, name.size().x), name_y - name.size().y / 2.0);
        after_name += name.size().x + 8.0;
        ui.painter().galley(at, name, palette.text);
    }
    if let Some(pips) = pips.filter(|_| room > 24.0) {
        let start = pos2(x(text_x + 6.0), middle + if stacked { 0.0 } else { 12.0 });
        paint_pips(ui.painter(), palette, start, room - 6.0, mirrored, pips);
    }
    if drawn && room > 24.0 {
        let line = |from: f32, to: f32, top: f32| {
            let (near, far) = (x(from), x(to));
            Rect::from_x_y_ranges(near.min(far)..=near.max(far), top..=top + LINE)
        };
        let first = line(text_x, rect.width(), middle + if stacked { -10.0 } else { 2.0 });
        let rest = paint_drawn(ui.painter(), palette, first, (mirrored, scale), tally);
        // What has no room there stands beside the name, if that is below.
        let (end, top) = ((rect.width() - words).min(lower), name_y - LINE / 2.0);
        let wide = rest.first().map_or(0.0, |item| match item {
            SideFigure::Drawn { width, .. } => width * LINE,
            SideFigure::Pips { .. } | SideFigure::Text { .. } | SideFigure::Words(_) => 0.0,
        });
        let scale = ((end - after_name) / wide.max(1.0)).min(LEAST.1);
        if stacked && scale > LEAST.0 {
            paint_drawn(ui.painter(), palette, line(after_name, end, top), (mirrored, scale), rest);
        }
    }
    let (one, many) = story(standing.scene).score_unit();
    let points = if counts { format::count(side.score.max(0) as u64, one, many) } else { String::new() };
    let more = tally.iter().filter_map(|item| match item {
        // The score may count the same things.
        SideFigure::Words(words) | SideFigure::Drawn { words, .. } | SideFigure::Text { words, .. } => {
            (*words != points).then(|| format!(", {words}"))
        }
        SideFigure::Pips { .. } => None,
    });
    let all = format!("{points}{}", more.collect::<String>());
    let text = format!("{}: {}", side.name, all.trim_start_matches(", "));
    node::show(ui, rect, ("team", &side.key), Role::Label, &text).on_hover_text(text);
}

/// `have` emblems, and empty places up to `of`.
fn paint_pips(
    painter: &Painter,
    palette: &Palette,
    start: Pos2,
    room: f32,
    mirrored: bool,
    (badge, have, of): (Badge, u32, u32),
) {
    let pitch = (room / of as f32).clamp(5.0, 17.0);
    let radius = (pitch * 0.42).min(6.5);
    for index in 0..of.min((room / pitch) as u32 + 1) {
        let offset = index as f32 * pitch * if mirrored { -1.0 } else { 1.0 };
        let center = start + vec2(offset, 0.0);
        if index < have {
            paint_badge(painter, palette, center, radius, badge, "");
        } else {
            painter.circle_stroke(center, radius - 0.5, Stroke::new(1.0, palette.line));
        }
    }
}

/// How much smaller than the line pictures are painted that have so much room side by side; of those that have none at their least size the
/// last count no more.
fn drawn_scale(tally: &[SideFigure], room: f32) -> f32 {
    let widths = tally.iter().filter_map(|item| match item {
        SideFigure::Drawn { width, .. } => Some(*width),
        SideFigure::Pips { .. } | SideFigure::Text { .. } | SideFigure::Words(_) => None,
    });
    let mut widths: Vec<f32> = widths.collect();
    // A part of the emblems would tell a wrong number: they become as small as needed. Texts are to be read.
    let are_emblems = widths.iter().all(|width| *width < EMBLEM);
    let least = if are_emblems { LEAST.0 } else { LEAST.1 };
    let fitting = |widths: &[f32]| {
        let all: f32 = widths.iter().map(|width| width * LINE + GAP).sum();
        room / (all - GAP).max(1.0)
    };
    while !are_emblems && widths.len() > 1 && fitting(&widths) < least {
        widths.pop();
    }
    fitting(&widths).clamp(least, 1.0)
}

/// Pictures side by side at this scale, as many as fit; mirrored from the right. Returns those that had no room.
fn paint_drawn<'a>(
    painter: &Painter,
    palette: &Palette,
    line: Rect,
    (mirrored, scale): (bool, f32),
    tally: &'a [SideFigure],
) -> &'a [SideFigure] {
    let (height, gap) = (line.height() * scale, GAP * scale);
    let mut used = 0.0;
    for (index, item) in tally.iter().enumerate() {
        let left = |width: f32| if mirrored { line.right() - used - width } else { line.left() + used };
        let fits = |width: f32| used + width <= line.width() + 0.5;
        match item {
            SideFigure::Drawn { width, paint, .. } => {
                let width = width * height;
                if !fits(width) {
                    return &tally[index..];
                }
                let min = pos2(left(width), line.center().y - height / 2.0);
                paint(painter, palette, Rect::from_min_size(min, vec2(width, height)));
                used += width + gap;
            }
            SideFigure::Text { texts, .. } => {
                let font = || FontId::new(SMALL, semibold());
                let lay = |text: &String| painter.layout_no_wrap(text.clone(), font(), palette.weak);
                let Some(text) = texts.iter().map(lay).find(|text| fits(text.size().x)) else {
                    return &tally[index..];
                };
                let (width, height) = text.size().into();
                painter.galley(pos2(left(width), line.center().y - height / 2.0), text, palette.weak);
                used += width + gap;
            }
            SideFigure::Pips { .. } | SideFigure::Words(_) => {}
        }
    }
    &[]
}

/// One team, or more than two: small cards in a row.
fn row_of_teams(ui: &Ui, rect: Rect, sides: &[Side]) {
    let palette = Palette::of(ui.ctx());
    let mut x = rect.left();
    for side in sides {
        let font = FontId::new(BODY, semibold());
        let text = format!("{}  {}", side.name, side.score);
        let galley = fitted(ui.painter(), &text, font, palette.text, rect.width() * 0.3);
        let card = Rect::from_min_size(pos2(x, rect.center().y - 14.0), galley.size() + vec2(40.0, 12.0));
        if card.right() > rect.center().x - 60.0 {
            let at = pos2(x, rect.center().y);
            ui.painter().text(at, Align2::LEFT_CENTER, "…", FontId::new(BODY, semibold()), palette.weak);
            break;
        }
        ui.painter().rect_filled(card, CornerRadius::same(7), mix(palette.ground, palette.raised, 1.0));
        team_badge(ui, side, card.left_center() + vec2(15.0, 0.0), 8.0);
        ui.painter().galley(card.left_center() + vec2(30.0, -galley.size().y / 2.0), galley, palette.text);
        x = card.right() + 8.0;
    }
}
