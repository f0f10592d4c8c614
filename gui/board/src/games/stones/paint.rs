//! Painter of the Gomoku and Pente board: wood, lines and stones, for sizes from 5 to 999.
//!
//! All sizes follow from the board's rectangle; only the visible part is painted.

use std::f32::consts::FRAC_1_SQRT_2;

use egui::{
    Align2, Color32, CursorIcon, FontId, Painter, Pos2, Rect, Role, Sense, Stroke, StrokeKind, Ui,
    WidgetInfo, pos2, vec2,
};
use grandstand_protocol::Place;
use grandstand_protocol::stones::{Point, Scene, Stone, Team};
use grandstand_protocol::team::Outcome;
use grandstand_story::games::stones::{self as story, text};
use grandstand_story::games::turns::latest_thought;

use super::geometry::Geometry;
use super::stone::{REACH, ink, letters, paint_ghost, paint_stone};
use super::{Drops, StonesBoard};
use crate::cached_mesh::bits;
use crate::cross::paint_cross;
use crate::games::tiles::Quads;
use crate::piece_numbers::Numbers;
use crate::sprites::Sprites;
use crate::step::ease;
use crate::theme::{Palette, mix, rgb, semibold};
use crate::view::is_touched;
use crate::{BoardInput, BoardOptions, hint, node, overlay, place_labels};

/// The disc behind the number of the last move, and its ink.
const LAST_NUMBER: (Color32, Color32) = (rgb(0xc2200f), Color32::WHITE);

/// Colours of the board.
pub(super) struct Wood {
    top: Color32,
    bottom: Color32,
    rim: Color32,
    pub line: Color32,
    name: Color32,
    /// Mark of the last move, visible on stones of both colours.
    last: Color32,
    forbidden: Color32,
}

const NIGHT: Wood = Wood {
    top: rgb(0xa98352),
    bottom: rgb(0x94703f),
    rim: rgb(0x6b4f2b),
    line: rgb(0x3c2a14),
    name: rgb(0x2a1c0c),
    last: rgb(0xe8452f),
    forbidden: rgb(0x8f1d12),
};

const DAY: Wood = Wood {
    top: rgb(0xe6c58d),
    bottom: rgb(0xd8b071),
    rim: rgb(0xb48a4c),
    line: rgb(0x6a4d26),
    name: rgb(0x52390f),
    last: rgb(0xd93a25),
    forbidden: rgb(0xa62316),
};

/// Radius of a stone, in distances between points.
const STONE: f32 = 0.47;
/// Distance of two points from which stones have numbers, in points of the screen.
const NUMBERS_FROM: f32 = 13.0;
/// Strength of the stone that the viewer may place: clearly less than that of one on the board.
const GHOST: f32 = 0.35;
/// Distance of two lines below which some are left out, in points.
const CLOSE: f32 = 2.0;
/// Number of expected moves shown.
const EXPECTED: u32 = 6;

impl Wood {
    /// Paints a piece of the board, on which stones of both colours are seen.
    pub(super) fn tray(&self, painter: &Painter, rect: Rect) {
        painter.rect_filled(rect, 4.0, self.bottom);
    }

    pub(super) fn of(palette: &Palette) -> &'static Wood {
        if palette.is_dark { &NIGHT } else { &DAY }
    }

    pub(super) fn middle(&self) -> Color32 {
        mix(self.top, self.bottom, 0.5)
    }
}

/// Shows the board in `rect`; returns the point that was chosen, if the viewer may move.
pub(super) fn show(
    ui: &mut Ui,
    rect: Rect,
    scene: &Scene,
    board: &StonesBoard,
    picture: &BoardInput<'_>,
    options: BoardOptions,
) -> Option<Point> {
    let StonesBoard { drops, cached_meshes, hand, captured, .. } = board;
    let palette = Palette::of(ui.ctx());
    let geometry = Geometry::fit(rect, scene.size(), options, picture.pixels);
    let painter = ui.painter_at(rect.intersect(ui.clip_rect()));
    let sense = if picture.may_move.is_some() { Sense::click() } else { Sense::hover() };
    let response = ui.interact(rect, ui.scope_id().with("board"), sense);
    let canvas = Canvas { painter, wood: Wood::of(palette), geometry, scene };

    let shown = (options.coordinates, options.flipped);
    let place = (bits(rect), scene.size().get(), shown, palette.is_dark);
    cached_meshes.ground.paint(&canvas.painter, place, || {
        canvas.ground();
        if options.coordinates {
            canvas.names();
        }
    });
    cached_meshes.below_pieces.keep(&canvas.painter);
    let progress = drops.progress(picture.now);
    let moves = |point: &Point| progress.is_some() && drops.put.contains(point);
    let standing: Vec<(Point, Stone)> = scene.stones().filter(|(point, _)| !moves(point)).collect();
    cached_meshes.stones.paint(&canvas.painter, (place, scene.forbidden(), plain(&standing)), || {
        canvas.forbidden();
        canvas.stones(&standing, &cached_meshes.figures);
    });
    // On one of several boards expected moves would pass for moves.
    let expected = match options.thoughts && !options.is_tile {
        true => canvas.expected_moves(),
        false => Vec::new(),
    };
    let is_expected = |point: &Point| expected.iter().any(|(.., other)| other == point);
    canvas.captured(captured, is_expected);
    canvas.on_their_way(drops, progress);
    if options.numbers && geometry.step > NUMBERS_FROM {
        let all: Vec<(Point, Stone)> = scene.stones().collect();
        cached_meshes.numbers.paint(&canvas.painter, (place, scene.last(), plain(&all)), || {
            canvas.numbers(&cached_meshes.digits);
        });
    } else {
        canvas.last();
    }
    canvas.five(palette);
    canvas.winning_capture(palette);
    canvas.expected(&expected, options.numbers && geometry.step > NUMBERS_FROM);
    canvas.crosses_beside(captured.iter().map(|(point, _)| *point).filter(is_expected));
    if options.labels {
        cached_meshes.labels.paint(&canvas.painter, place, || {
            let (columns, rows) = geometry.seen(canvas.painter.clip_rect());
            let points = rows.flat_map(|y| columns.clone().filter_map(move |x| Point::new(x, y)));
            let longest = Point::column(scene.size().get() - 1) + &scene.size().get().to_string();
            place_labels::paint(
                &canvas.painter,
                palette,
                &longest,
                points.map(|point| (point, geometry.area(point))),
            );
        });
    }
    let is_on_board = |point: &Point| scene.size().has(*point);
    let place = |name: &str| name.parse().ok().filter(is_on_board).map(|point| geometry.at(point));
    overlay::paint(&canvas.painter, palette, picture, options, geometry.step, place);

    let pointer = response.hover_pos().or(response.interact_pointer_pos());
    let by_key = match picture.cursor {
        Some(Place::Point(point)) => Some(point),
        _ => None,
    };
    let pointed = by_key.or_else(|| pointer.and_then(|at| geometry.point_at(at)));
    let aim = &hand.aim;
    hand.chosen.set(hand.chosen.get().filter(|point| pointed == Some(*point)));
    aim.set(aim.get().filter(|point| picture.may_move.is_some() && scene.stone(*point).is_none()));
    // An opening may have several pending stones, of both sides in turn.
    let pending = picture.pending.unwrap_or_default().split_whitespace().filter_map(|text| text.parse().ok());
    let pending: Vec<Point> = pending.collect();
    let teams = [mover(scene), mover(scene).opponent()];
    for (point, team) in pending.iter().zip(teams.into_iter().cycle()) {
        if scene.stone(*point).is_some() {
            continue;
        }
        canvas.ghost(*point, team, 0.8);
    }
    let refused = |point: Point| story::refusal(scene, picture.rules, point);
    if picture.may_move.is_some()
        && pending.is_empty()
        && let Some(point) = story::only_point(scene, picture.rules)
    {
        canvas.ring(point, palette.accent);
    }
    if let (Some(side), Some(point)) = (picture.may_move, by_key.or(aim.get()).or(pointed))
        && scene.stone(point).is_none()
        && !pending.contains(&point)
    {
        match refused(point) {
            Some(_) => canvas.barred(point),
            None => canvas.ghost(point, Team::ALL[side.min(1)], GHOST),
        }
    }
    if picture.may_move.is_some()
        && let Some(point) = pointed.filter(|point| hand.chosen.get() != Some(*point))
        && let Some(why) = refused(point)
    {
        ui.ctx().set_cursor_icon(CursorIcon::NotAllowed);
        let at = (geometry.at(point), geometry.step * 1.6);
        hint::paint(&canvas.painter, palette, at, canvas.painter.clip_rect(), (why, palette.error));
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Figure, true, text::summary(scene)));
    describe(ui, scene, &geometry);
    // Any point is sent: the game server decides, and refuses with a reason.
    let mut chosen =
        pointed.filter(|_| picture.may_move.is_some() && (response.clicked() || picture.pressed));
    // A finger hides its target: the first press shows the stone, the second one places it.
    let is_free = |point: Point| refused(point).is_none();
    if is_touched(ui) && !picture.pressed && chosen.is_some_and(is_free) && chosen != aim.get() {
        aim.set(chosen.take());
    }
    hand.chosen.set(chosen.filter(|point| is_free(*point)).or(hand.chosen.get()));
    chosen
}

/// Stones in a form that can be hashed.
fn plain(stones: &[(Point, Stone)]) -> Vec<(Point, usize, Option<u32>)> {
    stones.iter().map(|(point, stone)| (*point, stone.team.index(), stone.number)).collect()
}

fn mover(scene: &Scene) -> Team {
    scene.table().turn().unwrap_or(Team::Black)
}

/// Adds accessibility nodes for stones (400 at most), if the tree is in use.
fn describe(ui: &Ui, scene: &Scene, geometry: &Geometry) {
    if !node::are_read(ui) {
        return;
    }
    for (point, stone) in scene.stones().take(400) {
        node::show(ui, geometry.area(point), ("stone", point), Role::Image, text::stone(point, stone));
    }
}

struct Canvas<'a> {
    painter: Painter,
    wood: &'static Wood,
    geometry: Geometry,
    scene: &'a Scene,
}

impl Canvas<'_> {
    /// The wood and its lines.
    fn ground(&self) {
        let Geometry { board, step, .. } = self.geometry;
        let radius = (board.width() * 0.012).clamp(2.0, 12.0);
        let shadow = board.translate(vec2(0.0, radius * 0.5));
        self.painter.rect_filled(shadow, radius, Color32::from_black_alpha(60));
        self.painter.rect_filled(board, radius, self.wood.rim);
        let face = board.shrink((radius * 0.25).max(1.0));
        let mut quads = Quads::default();
        quads.shaded(face, self.wood.top, self.wood.bottom);
        // Grain: stripes of pseudo-random width from a fixed seed.
        let mut x = face.left();
        let mut seed = 12_345_u32;
        while x < face.right() {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let width = face.width() * (0.004 + 0.016 * (seed >> 24) as f32 / 255.0);
            let dark = self.wood.rim.gamma_multiply(0.05 + 0.09 * ((seed >> 16) & 0xff) as f32 / 255.0);
            let stripe =
                Rect::from_min_max(pos2(x, face.top()), pos2((x + width).min(face.right()), face.bottom()));
            quads.add(stripe, dark);
            x += width * 2.2;
        }
        quads.paint(&self.painter);

        let lines = self.geometry.lines();
        let clip = self.painter.clip_rect();
        let (columns, rows) = self.geometry.seen(clip);
        // Lines that are too close together are thinned out, and fade before that.
        let every =
            [1, 5, 10, 50, 100].into_iter().find(|every| f32::from(*every) * step >= CLOSE).unwrap_or(250);
        let strength = ((f32::from(every) * step - 2.0) / 8.0).clamp(0.25, 1.0);
        let width = (step * 0.045).clamp(0.7, 2.2);
        let line = Stroke::new(width, self.wood.line.gamma_multiply(strength));
        let last = self.geometry.size - 1;
        let drawn = |n: &u16| n.is_multiple_of(every) || *n == last;
        for n in columns.filter(drawn) {
            let x = Point::new(n, 0).map_or(lines.left(), |point| self.geometry.at(point).x);
            self.painter.vline(x, lines.y_range(), line);
        }
        for n in rows.filter(drawn) {
            let y = Point::new(0, n).map_or(lines.bottom(), |point| self.geometry.at(point).y);
            self.painter.hline(lines.x_range(), y, line);
        }
        let edge = Stroke::new(width * 1.6, self.wood.line);
        self.painter.rect_stroke(lines, 0.0, edge, StrokeKind::Middle);
        if step > 4.0 || self.geometry.size > 25 {
            let radius = (step * 0.1).clamp(1.2, 5.0);
            for star in self.geometry.stars() {
                let at = self.geometry.at(star);
                if clip.contains(at) {
                    self.painter.circle_filled(at, radius, self.wood.line);
                }
            }
        }
    }

    /// Letters of the columns and numbers of the rows, as many as fit, in the visible part.
    fn names(&self) {
        let size = self.geometry.size;
        let (columns, rows) = self.geometry.seen(self.painter.clip_rect());
        let font = FontId::new((self.geometry.step * 0.36).clamp(11.0, 15.0), semibold());
        // In the middle of what the outermost stones leave of the wood.
        let free = self.geometry.lines().left() - self.geometry.board.left();
        let out = self.geometry.board.shrink((free - self.geometry.step * STONE) * 0.5);
        let longest = Point::column(size - 1).len().max(size.to_string().len()) as f32;
        let wide = self.geometry.names_every(font.size * (0.5 + 0.55 * longest));
        let high = self.geometry.names_every(font.size * 1.25);
        let write = |at: Pos2, text: String| {
            self.painter.text(at, Align2::CENTER_CENTER, text, font.clone(), self.wood.name);
        };
        // With a distance of two, names begin at the first line; with larger ones, round numbers and the first line are
        // named.
        let named = |n: u16, every: u16| {
            if every <= 2 { n.is_multiple_of(every) } else { n == 0 || (n + 1).is_multiple_of(every) }
        };
        for x in columns.filter(|x| named(*x, wide)) {
            if let Some(point) = Point::new(x, 0) {
                write(pos2(self.geometry.at(point).x, out.bottom()), Point::column(x));
            }
        }
        for y in rows.filter(|y| named(*y, high)) {
            if let Some(point) = Point::new(0, y) {
                write(pos2(out.left(), self.geometry.at(point).y), (y + 1).to_string());
            }
        }
    }

    /// Radius of a stone; on the largest boards more than its space, so that it can be seen.
    fn radius(&self) -> f32 {
        (self.geometry.step * STONE).max(1.3)
    }

    fn stones(&self, standing: &[(Point, Stone)], figures: &Sprites) {
        let radius = self.radius();
        let clip = self.painter.clip_rect().expand(radius);
        let places = standing.iter().map(|(point, stone)| (stone.team.index(), self.geometry.at(*point)));
        let seen = places.filter(|(_, at)| clip.contains(*at));
        figures.paint(&self.painter, ((), 2, radius * REACH), seen, |painter, team, at| {
            paint_stone(painter, at, radius, Team::ALL[team], 1.0);
        });
    }

    /// Placed stones, which shrink onto the board, and captured ones, which vanish.
    fn on_their_way(&self, drops: &Drops, progress: Option<f32>) {
        let Some(progress) = progress else { return };
        let radius = self.radius();
        for point in &drops.put {
            if let Some(stone) = self.scene.stone(*point) {
                let large = radius * (1.35 - 0.35 * ease(progress));
                paint_stone(&self.painter, self.geometry.at(*point), large, stone.team, ease(progress * 1.6));
            }
        }
        for (point, team) in &drops.taken {
            if self.scene.stone(*point).is_none() {
                let small = radius * (1.0 - 0.5 * ease(progress));
                paint_stone(&self.painter, self.geometry.at(*point), small, *team, 1.0 - ease(progress));
            }
        }
    }

    /// Ring on the last stone.
    fn last(&self) {
        let Some(point) = self.scene.last().filter(|point| self.scene.stone(*point).is_some()) else {
            return;
        };
        let radius = self.radius();
        let pen = Stroke::new((radius * 0.16).max(1.5), self.wood.last);
        let at = self.geometry.at(point);
        if radius > 3.0 {
            self.painter.circle_stroke(at, radius * 0.5, pen);
        } else {
            // On a large board the ring is larger than the stone, so that it can be found; in a small picture it lies close around that.
            let around = if radius > 1.2 { radius + 1.8 } else { 6.0 };
            self.painter.circle_stroke(at, around, Stroke::new(1.5, self.wood.last));
        }
    }

    /// Numbers of the moves; the last one is white on a red disc, on stones of either team.
    fn numbers(&self, digits: &Numbers) {
        let radius = self.radius();
        let clip = self.painter.clip_rect().expand(radius);
        for (point, stone) in self.scene.stones() {
            let at = self.geometry.at(point);
            let Some(number) = stone.number.filter(|_| clip.contains(at)) else { continue };
            let is_last = self.scene.last() == Some(point);
            let ink = if is_last { LAST_NUMBER.1 } else { ink(stone.team) };
            if is_last {
                self.painter.circle_filled(at, radius * 0.74, LAST_NUMBER.0);
            }
            digits.write(&self.painter, at, number, letters(radius, number), ink);
        }
    }

    /// Bright rim around each stone of the winning row.
    fn five(&self, palette: &Palette) {
        let Some([from, to]) = self.scene.five() else { return };
        let far = from.x().abs_diff(to.x()).max(from.y().abs_diff(to.y()));
        let [start, end] = [from, to].map(|point| self.geometry.at(point));
        for n in 0..=far {
            self.won(start + (end - start) * (f32::from(n) / f32::from(far.max(1))), palette);
        }
    }

    /// The rim of a stone that won.
    fn won(&self, at: Pos2, palette: &Palette) {
        let width = (self.geometry.step * 0.11).max(1.5);
        let radius = self.radius() + width * 0.2;
        self.painter.circle_stroke(at, radius, Stroke::new(width * 1.7, Color32::from_black_alpha(150)));
        self.painter.circle_stroke(at, radius, Stroke::new(width, mix(palette.good, rgb(0x6fe39b), 0.6)));
    }

    /// The rim of the stone that won by its captures.
    fn winning_capture(&self, palette: &Palette) {
        let winner = self.scene.table().winner().and_then(Outcome::winner);
        let has_won = |team: &Team| self.scene.five().is_none() && self.scene.captures(*team) >= story::PAIRS;
        if let Some(point) = self.scene.last().filter(|_| winner.as_ref().is_some_and(has_won)) {
            self.won(self.geometry.at(point), palette);
        }
    }

    /// A crossed shade of each stone that the last move has captured, unless a move is expected there.
    fn captured(&self, captured: &[(Point, Team)], is_expected: impl Fn(&Point) -> bool) {
        let radius = self.radius();
        let is_free = |point: &Point| self.scene.stone(*point).is_none() && !is_expected(point);
        for (point, team) in captured.iter().filter(|(point, _)| is_free(point)) {
            let at = self.geometry.at(*point);
            paint_stone(&self.painter, at, radius * 0.94, *team, 0.30);
            self.cross(at, radius * 0.44);
        }
    }

    /// The crosses of captured stones where a move is expected, at the corners of its shade, which has a number.
    fn crosses_beside(&self, points: impl Iterator<Item = Point>) {
        for point in points {
            let corner = vec2(self.radius(), -self.radius()) * 0.74;
            self.cross(self.geometry.at(point) + corner, self.radius() * 0.3);
        }
    }

    /// The cross of a captured stone.
    fn cross(&self, at: Pos2, half: f32) {
        let pens = [
            Stroke::new((half * 0.77).max(2.0), Color32::from_black_alpha(110)),
            Stroke::new((half * 0.41).max(1.2), self.wood.last),
        ];
        paint_cross(&self.painter, at, half, pens);
    }

    fn forbidden(&self) {
        let half = self.geometry.step * 0.2;
        let pen = Stroke::new((self.geometry.step * 0.08).max(1.0), self.wood.forbidden);
        for point in self.scene.forbidden().iter().filter(|point| self.scene.stone(**point).is_none()) {
            let at = self.geometry.at(*point);
            paint_cross(&self.painter, at, half, [pen]);
        }
    }

    /// The free points of the latest thought's moves that have not been played: their numbers from 1, and whose they are.
    fn expected_moves(&self) -> Vec<(u32, Team, Point)> {
        let table = self.scene.table();
        let Some(line) = latest_thought(table).filter(|_| table.winner().is_none()) else {
            return Vec::new();
        };
        let teams = [line.thought.team, line.thought.team.opponent()];
        let is_free = |point: &Point| self.scene.stone(*point).is_none() && self.scene.size().has(*point);
        let moves = numbered(line.to_come()).into_iter().filter(|(.., point)| is_free(point));
        moves.map(|(number, at, point)| (number, teams[at % 2], point)).collect()
    }

    /// Shades of expected moves. Beside numbers of moves theirs go on from those (`goes_on`); alone they begin at 1.
    fn expected(&self, moves: &[(u32, Team, Point)], goes_on: bool) {
        let before = if goes_on { self.scene.ply() } else { 0 };
        for (number, team, point) in moves {
            let alpha = 0.95 - 0.05 * *number as f32;
            let place = (self.geometry.at(*point), self.radius());
            paint_ghost(&self.painter, place, *team, before + number, alpha);
        }
    }

    /// A ring around the point where the viewer has to place the stone.
    fn ring(&self, point: Point, color: Color32) {
        let (at, radius) = (self.geometry.at(point), self.radius() * 1.1);
        let wide = (self.geometry.step * 0.1).max(2.0);
        self.painter.circle_stroke(at, radius, Stroke::new(wide * 1.8, Color32::from_black_alpha(130)));
        self.painter.circle_stroke(at, radius, Stroke::new(wide, color));
    }

    /// The sign that the viewer may not place a stone: a ring with a bar through it.
    fn barred(&self, point: Point) {
        let (at, radius) = (self.geometry.at(point), self.radius() * 0.6);
        let pen = Stroke::new((self.geometry.step * 0.08).max(1.0), self.wood.forbidden);
        let across = vec2(radius, radius) * FRAC_1_SQRT_2;
        self.painter.circle_stroke(at, radius, pen);
        self.painter.line_segment([at - across, at + across], pen);
    }

    /// A stone that the viewer may place, or has sent.
    fn ghost(&self, point: Point, team: Team, alpha: f32) {
        paint_stone(&self.painter, self.geometry.at(point), self.radius() * 0.94, team, alpha);
    }
}

/// The expected moves that are shown, with their numbers. In Pente a point may come twice, after a capture: the first move
/// there has the point.
fn numbered<'a>(moves: impl Iterator<Item = (usize, &'a Point)>) -> Vec<(u32, usize, Point)> {
    let mut shown: Vec<(u32, usize, Point)> = Vec::new();
    for (number, (at, point)) in (1..=EXPECTED).zip(moves) {
        if shown.iter().all(|(.., other)| other != point) {
            shown.push((number, at, *point));
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use egui_kittest::Harness;
    use grandstand_protocol::{Command, Game, Micros, Scene as AnyScene};

    use super::*;
    use crate::input_tests::still;
    use crate::{theme, view};

    /// Number of shapes of a picture that these lines draw.
    fn shapes(lines: &[&str]) -> usize {
        let mut scene = AnyScene::new(Game::Gomoku);
        for (seq, line) in (1..).zip(lines) {
            scene.apply(seq, Micros(0), &Command::parse(Game::Gomoku, line.as_bytes()));
        }
        let (board, mut has_fonts) = (view(&scene).new_painter(), false);
        let mut harness = Harness::builder().with_size(vec2(390.0, 440.0)).build_ui(move |ui| {
            if !std::mem::replace(&mut has_fonts, true) {
                return theme::install(ui.ctx());
            }
            let rect = ui.max_rect();
            let _ = board.show(ui, rect, &still(&scene), BoardOptions::default());
        });
        harness.run_steps(3);
        harness.output().shapes.len()
    }

    #[test]
    fn an_arrow_stays_on_the_board() {
        let arrow = |to: &str| {
            format!(
                r#"#gs overlay {{"team":"white","by":"","marks":[{{"mark":"arrow","from":"h8","to":"{to}"}}]}}"#
            )
        };
        let plain = shapes(&["board 15"]);
        assert!(shapes(&["board 15", &arrow("h12")]) > plain);
        assert_eq!(shapes(&["board 15", &arrow("h19")]), plain);
    }

    #[test]
    fn the_number_of_the_last_move_is_read_on_stones_of_both_teams() {
        let (ground, ink) = LAST_NUMBER;
        let luminance = |color: Color32| {
            let linear = egui::Rgba::from(color);
            0.2126 * linear.r() + 0.7152 * linear.g() + 0.0722 * linear.b()
        };
        assert!((luminance(ink) + 0.05) / (luminance(ground) + 0.05) > 4.5);
    }

    #[test]
    fn a_point_of_several_expected_moves_has_the_first_number() {
        let points = ["h8", "g9", "h8", "f7"].map(|name| name.parse::<Point>().expect("a point"));
        let shown = numbered(points.iter().enumerate());
        assert_eq!(shown, [(1, 0, points[0]), (2, 1, points[1]), (4, 3, points[3])]);
    }
}
