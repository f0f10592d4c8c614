//! Painter of the Steam Fortress board: ground, control points, units and effects.
//!
//! All sizes follow from the board's rectangle. On small squares units are larger than their square; there are only ten
//! of them on 1275 squares.

use std::f32::consts::TAU;

use egui::{
    Align2, Color32, FontId, Painter, Pos2, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo, pos2, vec2,
};
use grandstand_protocol::Scene as AnyScene;
use grandstand_protocol::fortress::{ControlPoint, Scene, Square, Team, Unit, UnitClass};
use grandstand_story::format;
use grandstand_story::games::fortress::text;

use super::cards;
use super::crowd::{self, Placed, Texts};
use super::effects::{Effects, HealthChange};
use super::unit::{self, INK, paint_health};
use super::{EFFECT_SECS, FortressBoard, terrain, tile, token};
use crate::angle::angled;
use crate::cached_mesh::bits;
use crate::games::tiles::{Tiles, middle, paint_fade};
use crate::theme::{Palette, mix, semibold};
use crate::{BoardInput, BoardOptions, node, overlay, place_labels, team_marks};

/// Radius of a control point's number above units, in squares, and of any such number at least, in points.
const EMBLEM: f32 = 0.45;
const LEAST_EMBLEM: f32 = 8.0;
/// Largest radius of one beside units, in points: on an enlarged board it finds a place.
const LARGEST_EMBLEM: f32 = 22.0;
/// Largest radius of a number in squares, where that is less: signs of two points don't touch; and the least one with a number.
const MOST_EMBLEM: f32 = 2.6;
const READABLE: f32 = 6.0;
/// Radius of a number with the progress of a capture around it, in radii of the number.
const RINGED: f32 = 1.9;
/// Margin of a board, in points.
const EDGE: f32 = 8.0;
/// Width of the names of rows, and height of those of columns, over an enlarged board, in points.
const NAMES: Vec2 = vec2(28.0, 26.0);
/// Height of the strip with the control points above the board, in points.
const STRIP: f32 = 44.0;
/// Radius of a plate from which the unit has its number, in points.
const NUMBERED: f32 = 8.5;
/// Distance of a plate from the middle of its square from which a line joins them, in radii: the plate is beside it.
const ASIDE: f32 = 0.95;

/// Where the control points stand in a row, as an overview.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strip {
    /// From west to east above the board.
    Above,
    /// From west to east downwards, at the right of a board that is upright.
    Beside,
    /// Nowhere: there is no room.
    None,
}

/// Positions of the squares in `rect`, and the place of the strip.
pub(super) fn tiles(rect: Rect, picture: &BoardInput<'_>, options: BoardOptions) -> (Tiles, Strip) {
    // What has a fixed size beside the board would otherwise shift it while it is enlarged.
    let place = Rect::from_min_size(rect.min, rect.size() / picture.zoom);
    let (tiles, strip) = laid_out(place, picture.pixels, options);
    if picture.zoom == 1.0 { (tiles, strip) } else { (tiles.enlarged(rect.min, picture.zoom), strip) }
}

/// The place of the units' cards; `None` without room.
fn place_of_cards(
    rect: Rect,
    tiles: &Tiles,
    picture: &BoardInput<'_>,
    options: BoardOptions,
) -> Option<Rect> {
    match picture.zoom {
        zoom if zoom > 1.0 => cards::area_over(picture.seen?, options),
        _ => cards::area(rect, tiles, options),
    }
}

/// The unit on the board whose card has this point of the screen.
pub(super) fn unit_of_card<'a>(
    rect: Rect,
    tiles: &Tiles,
    (scene, picture): (&'a Scene, &BoardInput<'_>),
    options: BoardOptions,
    at: Pos2,
) -> Option<&'a Unit> {
    cards::unit_at(place_of_cards(rect, tiles, picture, options)?, scene, at)
}

/// Positions of the squares and place of the strip, for a number of pixels in a point.
fn laid_out(rect: Rect, pixels: f32, options: BoardOptions) -> (Tiles, Strip) {
    let (columns, rows) = (Square::COLUMNS as u8, Square::ROWS as u8);
    let fit = |rect| Tiles::fit(rect, columns, rows, options, pixels);
    if options.upright {
        let tiles = fit(rect);
        let has_room = rect.right() - tiles.board().right() >= STRIP;
        return (tiles, if has_room { Strip::Beside } else { Strip::None });
    }
    // The strip is shown if the board doesn't become smaller by it.
    let below = Rect::from_min_max(pos2(rect.left(), rect.top() + STRIP), rect.max);
    if fit(below).side < fit(rect).side {
        return (fit(rect), Strip::None);
    }
    if options.is_tile {
        return (fit(below), Strip::Above);
    }
    // What is free lies below the board, where the units' cards are and a screen has its buttons; most of it even in a high place.
    let free = |place: Rect| (2.0 * (place.bottom() - EDGE - fit(place).board().bottom())).max(0.0);
    // The board has the control points, too: the strip leaves its room to the cards.
    let has_cards = |place: Rect| free(place) >= cards::LEAST + cards::BELOW;
    let gives_way = !has_cards(below) && has_cards(rect) && rect.width() >= cards::READABLE;
    let (place, strip) = if gives_way { (rect, Strip::None) } else { (below, Strip::Above) };
    let free = free(place);
    let used = free.min(cards::MOST + cards::BELOW);
    (fit(place.with_max_y(place.bottom() - used - (free - used) / 2.0)), strip)
}

/// The strip's middle above a board.
fn strip_above(board: Rect, options: BoardOptions) -> Pos2 {
    pos2(board.center().x, board.top() - if options.coordinates { 26.0 } else { 4.0 } - STRIP / 2.0)
}

/// What the board covers of `rect`, with its names, the strip and the cards.
pub(super) fn drawn(rect: Rect, options: BoardOptions) -> Rect {
    let (tiles, strip) = laid_out(rect, 1.0, options);
    let board = tiles.board().expand(2.0);
    let names = tiles.named(options).into_iter().map(|names| names.intersect(rect));
    let strip = match strip {
        Strip::Above => Some(Rect::from_center_size(strip_above(tiles.board(), options), Vec2::splat(STRIP))),
        Strip::Beside => Some(board.with_max_x(board.right() + STRIP)),
        Strip::None => None,
    };
    let cards = cards::area(rect, &tiles, options);
    names.chain(strip).chain(cards).fold(board, Rect::union).intersect(rect)
}

/// The square at a point of the screen. A unit that was moved aside is where it is seen.
pub(super) fn place_at(tiles: &Tiles, units: &[Placed<'_>], at: Pos2) -> Option<Square> {
    if let Some(unit) = crowd::unit_at(units, crowd::plate_radius(tiles.side), at) {
        return Some(unit.at);
    }
    let (column, row) = tiles.tile_at(at)?;
    Square::new(i64::from(column) - i64::from(Square::X_MAX), i64::from(Square::Y_MAX) - i64::from(row))
}

/// Shows the board in `rect`.
pub(super) fn show(
    ui: &mut Ui,
    rect: Rect,
    scene: &Scene,
    board: &FortressBoard,
    picture: &BoardInput<'_>,
    options: BoardOptions,
) {
    let palette = Palette::of(ui.ctx());
    let (tiles, strip) = tiles(rect, picture, options);
    let painter = ui.painter_at(rect.intersect(ui.clip_rect()));
    let response = ui.interact(rect, ui.scope_id().with("board"), Sense::hover());
    let units = placed(&tiles, scene, board, picture);
    let hovered = response.hover_pos().and_then(|at| place_at(&tiles, &units, at));
    let canvas = Canvas { painter, palette, tiles, board, picture };

    let colors = if palette.is_dark { &terrain::NIGHT } else { &terrain::DAY };
    let place = (bits(tiles.board()), (options.coordinates, options.upright), palette.is_dark);
    let terrain: Vec<u8> = Square::all().map(|at| scene.elevation().get(at) as u8).collect();
    board.ground.paint(&canvas.painter, (place, terrain, hovered), || {
        terrain::paint(&canvas.painter, colors, &tiles, scene.elevation(), hovered);
        if options.coordinates {
            let column = |n: u8| i32::from(n) - i32::from(Square::X_MAX);
            let row = |n: u8| i32::from(Square::Y_MAX) - i32::from(n);
            tiles.names(&canvas.painter, palette, column, row);
        }
    });
    board.below_pieces.keep(&canvas.painter);
    let radius = crowd::plate_radius(tiles.side);
    for point in scene.points() {
        canvas.point(point, canvas.is_hidden(point, &units, radius));
    }
    let effects = Effects { painter: &canvas.painter, palette, tiles: &tiles, radius, units: &units };
    let seen: Vec<_> =
        scene.effects().filter_map(|effect| Some((effect, picture.age(effect.t, EFFECT_SECS)?))).collect();
    seen.iter().for_each(|(effect, age)| effects.below(effect, *age));
    board.trails.paint(&canvas.painter, palette, &canvas.tiles, picture);
    // A line to a unit's square lies below all pieces, the mark there above them.
    canvas.lines(&units, radius);
    canvas.plates(&units, radius);
    let cards = place_of_cards(rect, &canvas.tiles, picture, options);
    let mut texts = Texts::beside(&units, radius, free_part(&canvas, cards, picture.zoom));
    for point in scene.points().iter().filter(|point| !canvas.is_hidden(point, &units, radius)) {
        texts.take(Rect::from_center_size(canvas.center(point.at), Vec2::splat(3.0 * tiles.side)));
    }
    scene.points().iter().for_each(|point| canvas.point_above(point, &units, radius, &mut texts));
    seen.iter().for_each(|(effect, age)| effects.around(effect, *age));
    canvas.labels(&units, radius);
    canvas.squares(&units, radius);
    let changes = HealthChange::of_units(&seen);
    // On a whole board, whose units stand close together, their cards tell it.
    let on_cards = cards.is_some() && picture.zoom <= 1.0;
    if !on_cards {
        effects.amounts(&changes, texts);
    }
    if options.labels {
        board.labels.paint(&canvas.painter, place, || {
            let places = Square::all().map(|at| (at, tiles.tile(tile(at).0, tile(at).1)));
            place_labels::paint(&canvas.painter, palette, "-25,-12", places);
        });
    }
    if let Some(area) = cards {
        if let Some(seen) = picture.seen.filter(|_| picture.zoom > 1.0) {
            cards::paint_ground(&canvas.painter, palette, area, seen);
        }
        let changes = if on_cards { changes.as_slice() } else { &[] };
        cards::paint(&canvas.painter, palette, area, (scene, changes), picture);
    }
    let place = |name: &str| name.parse().ok().map(|place: Square| canvas.center(place));
    overlay::paint(&canvas.painter, palette, picture, options, tiles.side, place);
    let board = tiles.board();
    match strip {
        Strip::Above => {
            canvas.strip(scene, strip_above(board, options), vec2(58.0, 0.0));
        }
        // Each point stands about where it is on the board.
        Strip::Beside => {
            let gap = board.height() / scene.points().len().max(1) as f32;
            canvas.strip(scene, pos2(board.right() + STRIP / 2.0, board.center().y), vec2(0.0, gap));
        }
        Strip::None => {}
    }

    response.widget_info(|| WidgetInfo::labeled(Role::Figure, true, summary(picture)));
    describe(ui, scene, &tiles, &units);
}

/// The part of a board that is seen and has no names of columns and rows and no cards over it.
fn free_part(canvas: &Canvas<'_>, cards: Option<Rect>, zoom: f32) -> Rect {
    let seen = canvas.painter.clip_rect();
    if zoom <= 1.0 {
        return seen;
    }
    let bottom = cards.map_or(seen.bottom(), |cards| cards.top().min(seen.bottom()));
    Rect::from_min_max(seen.min + NAMES, pos2(seen.right(), bottom))
}

/// A unit of each team on the ground.
pub(super) fn paint_thumbnail(painter: &Painter, palette: &Palette, square: Rect) {
    let colors = if palette.is_dark { &terrain::NIGHT } else { &terrain::DAY };
    let [low, high] = colors.samples();
    painter.rect_filled(square, square.width() * 0.2, low);
    let hill = Rect::from_min_max(square.min, pos2(square.center().x, square.bottom()));
    painter.rect_filled(hill, square.width() * 0.2, high);
    let (size, away) = (square.width() * 0.26, vec2(0.22, 0.20) * square.width());
    let (red, blue) = ((Team::Red, UnitClass::Soldier), (Team::Blue, UnitClass::Medic));
    unit::paint(painter, palette, (square.center() - away, vec2(1.0, 0.0)), size, red);
    unit::paint(painter, palette, (square.center() + away, vec2(-1.0, 0.0)), size, blue);
}

fn summary(picture: &BoardInput<'_>) -> String {
    let AnyScene::Fortress(scene) = picture.scene else { return String::new() };
    let count = |team| scene.units().iter().filter(|unit| unit.team == team).count();
    let held = Team::ALL.map(|team| scene.held(team));
    let points = |n: usize| format::count(n as u64, "point", "points");
    let (red, blue) = (count(Team::Red), count(Team::Blue));
    let (held, other) = (points(held[0]), held[1]);
    format!("Steam Fortress board: {red} red and {blue} blue units, red holds {held}, blue {other}")
}

/// Adds accessibility nodes for units and control points, if the tree is in use. Units on one square are where they are seen.
fn describe(ui: &Ui, scene: &Scene, tiles: &Tiles, units: &[Placed<'_>]) {
    if !node::are_read(ui) {
        return;
    }
    for Placed { unit, at, .. } in units {
        let words = format!("{}: {}", text::place(unit.at), text::describe_unit(unit));
        let is_alone = units.iter().filter(|other| other.unit.at == unit.at).count() == 1;
        let area = match is_alone {
            true => tiles.tile(tile(unit.at).0, tile(unit.at).1),
            false => Rect::from_center_size(*at, Vec2::splat(tiles.side)),
        };
        node::show(ui, area, ("unit", unit.id), Role::Image, words);
    }
    for point in scene.points() {
        let owner = point.owner.map_or("nobody", Team::name);
        let capture = point.capture.map_or_else(String::new, |c| format!(", {} captures it", c.team));
        let text = format!("{}: control point {}, {owner}{capture}", text::place(point.at), point.point);
        let (column, row) = tile(point.at);
        node::show(ui, tiles.tile(column, row), ("point", point.point), Role::Image, text);
    }
}

/// The units of a picture on the screen, those further south last.
pub(super) fn placed<'a>(
    tiles: &Tiles,
    scene: &'a Scene,
    board: &FortressBoard,
    picture: &BoardInput<'_>,
) -> Vec<Placed<'a>> {
    let place = |unit: &'a Unit| {
        let pose = board.movers.pose(&token(unit), picture.now);
        let foot = tiles.at(pose.at);
        Placed::new(unit, foot, tiles.way(pose.angle))
    };
    let mut units: Vec<Placed<'a>> = scene.units().iter().map(place).collect();
    crowd::spread(&mut units, crowd::plate_radius(tiles.side), tiles.board());
    units.sort_by(|a, b| a.at.y.total_cmp(&b.at.y));
    units
}

/// Where control points, units and the strip of the control points are on a board in `rect`.
pub(super) fn occupied(
    rect: Rect,
    scene: &Scene,
    board: &FortressBoard,
    picture: &BoardInput<'_>,
    options: BoardOptions,
) -> Vec<Rect> {
    let (tiles, strip) = tiles(rect, picture, options);
    let points = scene.points().iter().map(|point| {
        let (column, row) = tile(point.at);
        tiles.tile(column, row).expand(tiles.side)
    });
    // A unit has its number above it, and its health below.
    let radius = crowd::plate_radius(tiles.side) * 1.4;
    let units = placed(&tiles, scene, board, picture);
    let units = units.into_iter().map(|unit| Rect::from_center_size(unit.at, Vec2::splat(radius * 2.0)));
    let ground = tiles.board();
    let strip = match strip {
        Strip::Above => Some(Rect::from_min_max(
            pos2(ground.left(), rect.top()),
            pos2(ground.right(), rect.top().max(ground.top())),
        )),
        Strip::Beside => Some(ground.with_min_x(ground.right()).with_max_x(ground.right() + STRIP)),
        Strip::None => None,
    };
    points.chain(units).chain(strip).chain(place_of_cards(rect, &tiles, picture, options)).collect()
}

/// Whether a unit is seen beside its square.
fn is_aside(placed: &Placed<'_>, radius: f32) -> bool {
    placed.at.distance(placed.foot) > radius * ASIDE
}

struct Canvas<'a> {
    painter: Painter,
    palette: &'a Palette,
    tiles: Tiles,
    board: &'a FortressBoard,
    picture: &'a BoardInput<'a>,
}

impl Canvas<'_> {
    fn side(&self) -> f32 {
        self.tiles.side
    }

    /// Colour of a team, or of no owner.
    fn color_of(&self, owner: Option<Team>) -> Color32 {
        owner.map_or(self.palette.weak, |owner| self.palette.squad(owner).accent)
    }

    fn center(&self, at: Square) -> Pos2 {
        let (column, row) = tile(at);
        self.tiles.tile(column, row).center()
    }

    /// Team and progress of a capture, from 0 to 1.
    fn progress(&self, point: &ControlPoint) -> Option<(Team, f32)> {
        let capture = point.capture?;
        let heard = self.board.captures.iter().find(|heard| heard.point == point.point);
        let since = heard.filter(|heard| heard.millis == capture.millis).map_or(0.0, |heard| {
            // Extrapolates up to half a second after the last report.
            (self.picture.secs - heard.secs).clamp(0.0, 0.5) * 1000.0
        });
        let left = (f64::from(capture.millis) - since).max(0.0);
        Some((capture.team, 1.0 - (left / f64::from(capture.of.max(1))) as f32))
    }

    /// Whether units hide the number of a control point, which stands beside them then.
    fn is_hidden(&self, point: &ControlPoint, units: &[Placed<'_>], radius: f32) -> bool {
        let (side, at) = (self.side(), self.center(point.at));
        let hides = |unit: &Placed<'_>| {
            [unit.at, unit.number].iter().any(|unit| unit.distance(at) < side * 0.95 + radius)
        };
        units.iter().any(hides)
    }

    /// The nine squares of a control point in its owner's colour, with the progress of a capture, and its number unless that stands
    /// elsewhere.
    fn point(&self, point: &ControlPoint, is_hidden: bool) {
        let side = self.side();
        let at = self.center(point.at);
        let owner = self.color_of(point.owner);
        let area = Rect::from_center_size(at, Vec2::splat(side * 3.0)).shrink(side * 0.08);
        // On the smallest boards the emblem is larger, and the corners of the squares would stick out of it.
        let is_seen = is_hidden || self.emblem_radius(side * 0.95) < side * 1.4;
        if is_seen {
            self.painter.rect_filled(area, side * 0.35, owner.gamma_multiply(0.22));
            let rim = Stroke::new((side * 0.12).max(1.6), owner);
            self.painter.rect_stroke(area, side * 0.35, rim, StrokeKind::Inside);
        }
        // The emblem in the owner's shape tells the owner apart from colour.
        if !is_hidden || self.emblem_radius(side * EMBLEM) < READABLE {
            self.emblem(at, side * 0.95, point);
        }
        if let Some((team, part)) = self.progress(point) {
            self.ring(at, side * 2.05, (side * 0.34).max(3.0), team, part);
        }
    }

    /// Where units stand on a control point, its number at the nearest place that they leave free, with a line to the point if that is far
    /// off, and the progress of a capture around it.
    fn point_above(&self, point: &ControlPoint, units: &[Placed<'_>], radius: f32, texts: &mut Texts) {
        let (side, at) = (self.side(), self.center(point.at));
        if !self.is_hidden(point, units, radius) {
            return;
        }
        let size = self.emblem_radius(side * EMBLEM).min(LARGEST_EMBLEM);
        if size < READABLE {
            return;
        }
        // The ring on the ground may be hidden, too.
        let progress = self.progress(point);
        let reach = if progress.is_some() { size * RINGED } else { size };
        let Some(place) = texts.place(at, side * 1.4, Vec2::splat(2.0 * reach)) else { return };
        let sign = place.center();
        let way = (sign - at).normalized();
        let (from, to) = (at + way * side * 1.4, sign - way * reach);
        if (to - from).dot(way) > size {
            let pen = Stroke::new(1.2, self.color_of(point.owner));
            self.painter.line_segment([from, to], pen);
        }
        if let Some((team, part)) = progress {
            self.ring(sign, size * 1.5, size * 0.4, team, part);
        }
        self.emblem(sign, size, point);
    }

    /// The radius of a control point's number that would have this one, on a board of any size.
    fn emblem_radius(&self, radius: f32) -> f32 {
        radius.max(LEAST_EMBLEM.min(MOST_EMBLEM * self.side()))
    }

    /// Number of a control point on its owner's sign.
    fn emblem(&self, at: Pos2, radius: f32, point: &ControlPoint) {
        let radius = self.emblem_radius(radius);
        let rim = Stroke::new((radius * 0.12).max(1.2), self.color_of(point.owner));
        match point.owner {
            Some(team) => {
                let fill = self.palette.squad(team).piece;
                team_marks::paint_plate(&self.painter, at, radius, team, fill, rim);
            }
            None => {
                let fill = mix(self.palette.ground, self.palette.weak, 0.35);
                let hexagon = (0..6).map(|n| at + angled(TAU * n as f32 / 6.0) * radius).collect();
                self.painter.add(Shape::convex_polygon(hexagon, fill, rim));
            }
        }
        if radius < READABLE {
            return;
        }
        let ink = point.owner.map_or(self.palette.text, |team| self.palette.squad(team).mark);
        let font = FontId::new((radius * 1.15).round().max(12.0), semibold());
        self.painter.text(at, Align2::CENTER_CENTER, point.point, font, ink);
    }

    /// A ring that closes, clockwise from the top.
    fn ring(&self, at: Pos2, radius: f32, width: f32, team: Team, part: f32) {
        self.painter.circle_stroke(at, radius, Stroke::new(width, INK.gamma_multiply(0.40)));
        let accent = self.palette.squad(team).accent;
        let part = part.clamp(0.02, 1.0);
        self.painter.add(team_marks::arc(at, radius, part, Stroke::new(width * 0.72, accent)));
        let head = at + angled(TAU * (part - 0.25)) * radius;
        team_marks::paint_badge(&self.painter, self.palette, head, width * 0.95, team);
    }

    fn plates(&self, units: &[Placed<'_>], radius: f32) {
        for passing in self.board.movers.passing(self.picture.now) {
            let at = self.tiles.at(middle(passing.token.column, passing.token.row));
            let team = Team::ALL[passing.token.team.min(1)];
            paint_fade(
                &self.painter,
                self.palette,
                at,
                radius * 1.7,
                (team, passing.comes, passing.progress),
            );
        }
        for placed in units {
            let below = placed.at + vec2(0.06, 0.14) * radius;
            self.painter.circle_filled(below, radius * 1.12, Color32::from_black_alpha(80));
        }
        // A beak may reach below the plate of a neighbour, and hides none.
        for Placed { unit, at, way, .. } in units {
            unit::paint_beak(&self.painter, self.palette, (*at, *way), radius, unit.team);
        }
        for Placed { unit, at, .. } in units {
            unit::paint_plate(&self.painter, self.palette, *at, radius, (unit.team, unit.class));
        }
    }

    /// Where a unit was moved aside, a line leads to its square.
    fn lines(&self, units: &[Placed<'_>], radius: f32) {
        for placed in units.iter().filter(|placed| is_aside(placed, radius)) {
            let accent = self.palette.squad(placed.unit.team).accent;
            let width = (radius * 0.14).max(1.4);
            for (width, color) in [(width + 2.0, INK), (width, accent)] {
                self.painter.line_segment([placed.foot, placed.at], Stroke::new(width, color));
            }
        }
    }

    /// Where a unit was moved aside, its square has a mark, also over the unit that is seen there.
    fn squares(&self, units: &[Placed<'_>], radius: f32) {
        for placed in units.iter().filter(|placed| is_aside(placed, radius)) {
            let accent = self.palette.squad(placed.unit.team).accent;
            self.painter.circle(placed.foot, (radius * 0.22).max(2.4), accent, Stroke::new(1.2, INK));
        }
    }

    /// Health and number of each unit.
    fn labels(&self, units: &[Placed<'_>], radius: f32) {
        for Placed { unit, at, .. } in units {
            // On the plate's lower edge, where it hides no beak.
            let height = (radius * 0.28).clamp(2.5, 12.0);
            let below = *at + vec2(0.0, radius * 0.80);
            paint_health(&self.painter, below, radius * 1.7, height, unit);
        }
        for Placed { unit, number, .. } in units.iter().filter(|_| radius >= NUMBERED) {
            self.label(*number, unit.id);
        }
    }

    /// The unit's number at a corner of its plate, where it hides neither sign nor beak.
    fn label(&self, at: Pos2, id: u32) {
        let font = FontId::new((self.side() * 0.40).round().clamp(11.0, 24.0), semibold());
        let galley = self.painter.layout_no_wrap(id.to_string(), font, Color32::WHITE);
        let area = Align2::CENTER_CENTER.anchor_size(at, galley.size());
        self.painter.rect_filled(area.expand2(vec2(2.5, -1.5)), 3.0, INK.gamma_multiply(0.8));
        self.painter.galley(area.min, galley, Color32::WHITE);
    }

    /// The control points from west to east, around `middle`, with `gap` from one to the next.
    fn strip(&self, scene: &Scene, middle: Pos2, gap: Vec2) {
        let points = scene.points();
        if points.is_empty() {
            return;
        }
        let place = |index: usize| middle + (index as f32 - (points.len() - 1) as f32 / 2.0) * gap;
        let rim = gap.normalized() * 18.0;
        for index in 1..points.len() {
            let (a, b) = (points[index - 1].owner, points[index].owner);
            let color = if a == b { self.color_of(a) } else { self.palette.line };
            let ends = [place(index - 1) + rim, place(index) - rim];
            self.painter.line_segment(ends, Stroke::new(2.0, color));
        }
        for (index, point) in points.iter().enumerate() {
            let at = place(index);
            if let Some((team, part)) = self.progress(point) {
                self.ring(at, 18.0, 4.5, team, part);
            }
            self.emblem(at, 11.5, point);
        }
    }
}
