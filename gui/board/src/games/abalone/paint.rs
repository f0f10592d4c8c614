//! Painter of the Abalone board: 61 hexes with row letters and diagonals as in figure 1 of the Abalone handout (CS 312,
//! 2008), and pieces that show their facing (section 5).
//!
//! All sizes follow from the board's rectangle. The teams' pieces differ in lightness, in the colour of the rim, and in
//! their marks: filled for black, open for white.

use std::f32::consts::{FRAC_PI_3, FRAC_PI_6, TAU};

use egui::{
    Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo,
    vec2,
};
use grandstand_protocol::abalone::{Facing, Hex, Piece, Scene, Team};
use grandstand_story::games::abalone::text;

use super::CachedMeshes;
use super::motion::Motion;
use crate::angle::angled;
use crate::cached_mesh::bits;
use crate::cell_shape::hexagon;
use crate::cross::paint_cross;
use crate::step::ease;
use crate::theme::{Palette, mix, semibold};
use crate::{BoardInput, BoardOptions, node, overlay, place_labels};

/// Height of a row. All sizes here are in distances between neighbouring hexes.
const ROW: f32 = 0.866_025_4;
/// Distance of the tray's edge from the centres of the outermost hexes.
const TRAY: f32 = 0.74;
/// Distance of a coordinate from the nearest hex.
const LABEL: f32 = 1.02;
/// Radius of a piece.
const PIECE: f32 = 0.385;
/// Distance of a piece that was pushed off from the last hex on its way: on the rim of the tray.
const OUT: f32 = 0.61;
/// Radius of the small piece there.
const LOST: f32 = 0.17;
/// Length of the head of an arrow and half of its width, and the width of its shaft.
const HEAD: (f32, f32) = (0.2, 0.15);
const SHAFT: f32 = 0.07;
/// Length of the head of an arrow between two pieces, and half of its width.
const PUSH: (f32, f32) = (0.38, 0.15);

/// Positions of the hexes on the screen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Geometry {
    center: Pos2,
    /// Distance between the centres of neighbouring hexes, in points.
    pitch: f32,
    /// 1, or −1 on a board that is turned around.
    turn: f32,
}

impl Geometry {
    /// The largest board that fits into `rect`.
    pub(super) fn fit(rect: Rect, options: BoardOptions) -> Geometry {
        let BoardOptions { coordinates, flipped, .. } = options;
        let turn = if flipped { -1.0 } else { 1.0 };
        let side = if coordinates { LABEL + 0.30 } else { TRAY + 0.10 };
        let below = if coordinates { LABEL * ROW + 0.30 } else { TRAY + 0.10 };
        let above = TRAY + 0.10;
        let pitch =
            (rect.width() / (8.0 + 2.0 * side)).min(rect.height() / (8.0 * ROW + above + below)).max(1.0);
        let center = rect.center() + vec2(0.0, (above - below) / 2.0 * pitch * turn);
        Geometry { center, pitch, turn }
    }

    /// The tray from its top to its bottom, as wide as it is with its coordinates.
    pub(super) fn tray(&self, options: BoardOptions) -> Rect {
        let side = if options.coordinates { LABEL + 0.30 } else { TRAY };
        let half = vec2(4.0 + side, 4.0 * ROW + TRAY) * self.pitch;
        Rect::from_center_size(self.center, 2.0 * half)
    }

    fn place(&self, row: f32, diagonal: f32) -> Pos2 {
        self.center + vec2(diagonal - row / 2.0, -row * ROW) * self.pitch * self.turn
    }

    /// The way from one hex to the next in a direction, on the screen, of length 1.
    fn heading(&self, facing: Facing) -> Vec2 {
        let (rows, diagonals) = facing.step();
        vec2(f32::from(diagonals) - f32::from(rows) / 2.0, -f32::from(rows) * ROW) * self.turn
    }

    /// Centre of a hex.
    fn center(&self, hex: Hex) -> Pos2 {
        self.place(f32::from(hex.row()), f32::from(hex.diagonal()))
    }

    /// The hex at a point.
    pub(super) fn hex_at(&self, at: Pos2) -> Option<Hex> {
        let nearest = Hex::all()
            .min_by(|a, b| self.center(*a).distance_sq(at).total_cmp(&self.center(*b).distance_sq(at)))?;
        (self.center(nearest).distance(at) < self.pitch * 0.56).then_some(nearest)
    }

    /// Size of the names of rows and diagonals.
    pub(super) fn letters(&self) -> f32 {
        (self.pitch * 0.30).clamp(11.0, 40.0)
    }

    /// Names of rows and diagonals, and their middles.
    pub(super) fn coordinates(&self) -> Vec<(Pos2, String)> {
        let rows = (-4_i8..=4).map(|row| {
            let first = f32::from((row - 4).max(-4));
            let letter = char::from(b'A' + (row + 4) as u8);
            (self.place(f32::from(row), first - LABEL), letter.to_string())
        });
        let diagonals = (-4_i8..=4).map(|diagonal| {
            let lowest = f32::from((diagonal - 4).max(-4));
            let text = if diagonal < 0 { format!("−{}", -diagonal) } else { diagonal.to_string() };
            (self.place(lowest - LABEL, f32::from(diagonal)), text)
        });
        rows.chain(diagonals).collect()
    }

    /// Square around the contents of a hex.
    pub(super) fn area(&self, hex: Hex) -> Rect {
        Rect::from_center_size(self.center(hex), Vec2::splat(self.pitch * 0.8))
    }
}

/// How a picture changes into the next, and what the last move was.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change<'a> {
    /// Moves under way, and their progress: 0 is the picture before, 1 the picture itself.
    pub motions: &'a [Motion],
    pub progress: f32,
    /// The last move, which is marked.
    pub last: &'a [Motion],
}

/// Shows the board in `rect`. `scene` is the picture after the transition.
pub(super) fn show(
    ui: &mut Ui,
    rect: Rect,
    scene: &Scene,
    (change, cached_meshes): (Change<'_>, &CachedMeshes),
    picture: &BoardInput<'_>,
    options: BoardOptions,
) {
    let palette = Palette::of(ui.ctx());
    let geometry = Geometry::fit(rect, options);
    let canvas = Canvas { painter: ui.painter_at(rect.intersect(ui.clip_rect())), palette, geometry };
    let response = ui.interact(rect, ui.scope_id().with("board"), Sense::hover());
    let hovered = response.hover_pos().and_then(|at| geometry.hex_at(at));

    let place = (bits(rect), options.coordinates, options.flipped, palette.is_dark);
    cached_meshes.cells.paint(&canvas.painter, (place, change.last, hovered), || {
        canvas.tray();
        canvas.cells(change.last, hovered);
        if options.coordinates {
            canvas.coordinates();
        }
    });
    cached_meshes.below_pieces.keep(&canvas.painter);
    let motions = if change.progress >= 1.0 { &[] } else { change.motions };
    let standing = scene.pieces().filter(|(hex, _)| !motions.iter().any(|motion| motion.leads_to(*hex)));
    let standing: Vec<(Hex, Piece)> = standing.collect();
    cached_meshes.pieces.paint(&canvas.painter, (place, &standing), || canvas.pieces(&standing));
    canvas.motions(motions, change.progress);
    if motions.is_empty() {
        canvas.pushes(change.last);
    }
    if options.labels {
        cached_meshes.labels.paint(&canvas.painter, place, || {
            let places = Hex::all().map(|hex| (hex.name(), geometry.area(hex)));
            place_labels::paint(&canvas.painter, palette, "A-4", places);
        });
    }
    let place = |name: &str| name.parse().ok().map(|hex| geometry.center(hex));
    overlay::paint(&canvas.painter, palette, picture, options, geometry.pitch, place);

    let count = |team| scene.pieces().filter(|(_, piece)| piece.team == team).count();
    let summary =
        format!("Abalone board: {} black and {} white pieces", count(Team::Black), count(Team::White));
    response.widget_info(|| WidgetInfo::labeled(Role::Figure, true, &summary));
    describe_hexes(ui, scene, geometry);
}

/// Adds an accessibility node for each piece, if the tree is in use.
fn describe_hexes(ui: &Ui, scene: &Scene, geometry: Geometry) {
    if !node::are_read(ui) {
        return;
    }
    for (hex, piece) in scene.pieces() {
        let words = text::describe(hex, Some(piece));
        node::show(ui, geometry.area(hex), ("hex", hex.index()), Role::Image, words);
    }
}

struct Canvas<'a> {
    painter: Painter,
    palette: &'a Palette,
    geometry: Geometry,
}

impl Canvas<'_> {
    fn pitch(&self) -> f32 {
        self.geometry.pitch
    }

    /// The tray: the hexagon of the outermost centres, grown by a circle so that its corners are round.
    fn tray(&self) {
        let mut outline = Vec::with_capacity(6 * 9);
        for corner in 0..6 {
            let angle = corner as f32 * FRAC_PI_3;
            let center = self.geometry.center + angled(angle) * 4.0 * self.pitch();
            for step in 0..=8 {
                let around = angle - FRAC_PI_6 + FRAC_PI_3 * step as f32 / 8.0;
                outline.push(center + angled(around) * TRAY * self.pitch());
            }
        }
        let shadow: Vec<Pos2> = outline.iter().map(|p| *p + vec2(0.0, self.pitch() * 0.06)).collect();
        self.painter.add(Shape::convex_polygon(shadow, Color32::from_black_alpha(40), Stroke::NONE));
        let rim = Stroke::new((self.pitch() * 0.03).max(1.0), self.palette.tray_rim);
        self.painter.add(Shape::convex_polygon(outline, self.palette.tray, rim));
    }

    /// The hexes, with the last moves below the pieces: the way of each in its team's colour, and a cross where a piece was
    /// lost.
    fn cells(&self, last: &[Motion], hovered: Option<Hex>) {
        let mut tints = [None; Hex::COUNT];
        let mut left = [None; Hex::COUNT];
        for motion in last {
            match *motion {
                Motion::Step { piece, from, to } => {
                    tints[to.index()] = Some(piece.team);
                    left[from.index()] = Some(piece.team);
                }
                Motion::PushedOff { piece, from, .. } | Motion::Vanished { piece, from } => {
                    left[from.index()] = Some(piece.team);
                }
                Motion::Appeared { piece, at } => tints[at.index()] = Some(piece.team),
            }
        }
        for hex in Hex::all() {
            let center = self.geometry.center(hex);
            let mut fill = self.palette.cell;
            let mut rim = self.palette.cell_rim;
            if let Some(team) = tints[hex.index()] {
                fill = mix(fill, self.palette.team(team).accent, 0.18);
            }
            if let Some(team) = tints[hex.index()].or(left[hex.index()]) {
                rim = mix(rim, self.palette.team(team).accent, 0.45);
            }
            if hovered == Some(hex) {
                fill = mix(fill, self.palette.text, 0.10);
            }
            let stroke = Stroke::new((self.pitch() * 0.022).max(1.0), rim);
            self.painter.add(Shape::convex_polygon(hexagon(center, self.pitch() * 0.535), fill, stroke));
        }
        for motion in last {
            match *motion {
                Motion::Step { from, .. } if tints[from.index()].is_some() => {}
                Motion::Step { piece, from, to } => {
                    self.way(self.geometry.center(from), self.geometry.center(to), piece.team, PIECE);
                }
                Motion::PushedOff { piece, from, last, direction } => {
                    let out =
                        self.geometry.center(last) + self.geometry.heading(direction) * OUT * self.pitch();
                    self.way(self.geometry.center(from), out, piece.team, LOST);
                    self.lost(out, piece.team);
                }
                Motion::Vanished { piece, from } => self.lost(self.geometry.center(from), piece.team),
                Motion::Appeared { .. } => {}
            }
        }
    }

    /// The way of each piece that was pushed, or follows one: where another piece stands now. Its arrow would lie below both, so that
    /// its head stands between them, above their edges.
    fn pushes(&self, last: &[Motion]) {
        let reached = |hex: Hex| last.iter().any(|motion| motion.leads_to(hex));
        for motion in last {
            let Motion::Step { piece, from, to } = *motion else { continue };
            if !reached(from) {
                continue;
            }
            let (from, to) = (self.geometry.center(from), self.geometry.center(to));
            let way = (to - from).normalized() * self.pitch();
            let tip = from.lerp(to, 0.5) + way * PUSH.0 / 2.0;
            let rim = Stroke::new((self.pitch() * 0.035).max(1.0), self.palette.tray);
            self.head((tip, way), PUSH, self.palette.team(piece.team).accent, rim);
        }
    }

    /// The way of a piece, an arrow whose tip touches the sign at its end, of this radius in pitches.
    fn way(&self, from: Pos2, to: Pos2, team: Team, radius: f32) {
        let way = (to - from).normalized() * self.pitch();
        let color = self.palette.team(team).accent.gamma_multiply(0.85);
        let (tip, base) = (to - way * radius, to - way * (radius + HEAD.0));
        self.painter.line_segment([from, base], Stroke::new((self.pitch() * SHAFT).max(1.5), color));
        self.head((tip, way), HEAD, color, Stroke::NONE);
    }

    /// The head of an arrow in the direction of `way`, one pitch long: its length and half of its width in pitches.
    fn head(&self, (tip, way): (Pos2, Vec2), (length, half): (f32, f32), color: Color32, rim: Stroke) {
        let (base, side) = (tip - way * length, way.rot90() * half);
        self.painter.add(Shape::convex_polygon(vec![tip, base + side, base - side], color, rim));
    }

    /// A small piece that was lost, crossed out.
    fn lost(&self, at: Pos2, team: Team) {
        let radius = self.pitch() * LOST;
        paint_badge(&self.painter, self.palette, at, radius, team);
        let pens = [(0.68, Color32::from_black_alpha(160)), (0.34, self.palette.error)];
        let pens = pens.map(|(width, color)| Stroke::new((radius * width).max(1.2), color));
        paint_cross(&self.painter, at, radius, pens);
    }

    fn coordinates(&self) {
        let font = FontId::new(self.geometry.letters(), semibold());
        for (at, text) in self.geometry.coordinates() {
            self.painter.text(at, Align2::CENTER_CENTER, text, font.clone(), self.palette.coordinate);
        }
    }

    fn pieces(&self, standing: &[(Hex, Piece)]) {
        for (hex, _) in standing {
            self.shadow(self.geometry.center(*hex), 1.0);
        }
        for (hex, piece) in standing {
            self.piece(self.geometry.center(*hex), *piece, 1.0, 1.0);
        }
    }

    /// Pieces of moves under way.
    fn motions(&self, motions: &[Motion], progress: f32) {
        let eased = ease(progress);
        for motion in motions {
            match *motion {
                Motion::Step { piece, from, to } => {
                    let at = self.geometry.center(from).lerp(self.geometry.center(to), eased);
                    self.shadow(at, 1.0);
                    self.piece(at, piece, 1.0, 1.0);
                }
                Motion::PushedOff { piece, from, last, direction } => {
                    let end =
                        self.geometry.center(last) + self.geometry.heading(direction) * 1.25 * self.pitch();
                    let at = self.geometry.center(from).lerp(end, eased);
                    let fade = 1.0 - ((eased - 0.45) / 0.55).clamp(0.0, 1.0);
                    self.piece(at, piece, 0.7 + 0.3 * fade, fade);
                }
                Motion::Vanished { piece, from } => {
                    self.piece(self.geometry.center(from), piece, 1.0 + 0.25 * eased, 1.0 - eased);
                }
                Motion::Appeared { piece, at } => {
                    self.piece(self.geometry.center(at), piece, 0.4 + 0.6 * eased, eased);
                }
            }
        }
    }

    fn shadow(&self, at: Pos2, alpha: f32) {
        let at = at + vec2(0.0, self.pitch() * 0.045);
        let color = Color32::from_black_alpha((70.0 * alpha) as u8);
        self.painter.circle_filled(at, self.pitch() * (PIECE + 0.012), color);
    }

    /// One piece, enlarged by `scale`.
    fn piece(&self, at: Pos2, piece: Piece, scale: f32, alpha: f32) {
        let colors = self.palette.team(piece.team);
        let fade = |color: Color32| color.gamma_multiply(alpha);
        let radius = PIECE * self.pitch() * scale;
        let rim = Stroke::new((radius * 0.11).max(1.2), fade(colors.accent));
        if piece.facing != Facing::None {
            // A beak on the rim, so that the facing shows in the outline too.
            let way = self.geometry.heading(piece.facing);
            let side = way.rot90() * radius * 0.42;
            let base = at + way * radius * 0.90;
            let beak = vec![base + side, at + way * radius * 1.34, base - side];
            self.painter.add(Shape::convex_polygon(beak, fade(colors.accent), Stroke::NONE));
        }
        self.painter.circle_filled(at, radius, fade(colors.piece));
        self.painter.add(shine(at, radius * 0.94, fade(colors.shine), fade(colors.piece)));
        self.painter.circle_stroke(at, radius - rim.width / 2.0, rim);
        self.mark(at, piece, radius, fade(colors.mark));
    }

    /// Mark in the middle of a piece: an arrow in the direction of its facing, or a dot. Filled for black, open for
    /// white.
    fn mark(&self, at: Pos2, piece: Piece, radius: f32, color: Color32) {
        let pen = Stroke::new((radius * 0.15).max(1.3), color);
        let way = self.geometry.heading(piece.facing);
        match (piece.facing, piece.team) {
            (Facing::None, Team::Black) => {
                self.painter.circle_filled(at, radius * 0.16, color);
            }
            (Facing::None, Team::White) => {
                self.painter.circle_stroke(at, radius * 0.20, Stroke::new((radius * 0.11).max(1.1), color));
            }
            (_, Team::Black) => {
                // With a shaft, since a bare triangle as wide as high seems to point three ways.
                let (side, shaft) = (way.rot90() * radius * 0.44, way.rot90() * radius * 0.13);
                let (tip, base, tail) = (at + way * radius * 0.58, at, at - way * radius * 0.52);
                for shape in [
                    vec![base + side, tip, base - side],
                    vec![tail + shaft, base + shaft, base - shaft, tail - shaft],
                ] {
                    self.painter.add(Shape::convex_polygon(shape, color, Stroke::NONE));
                }
            }
            (_, Team::White) => {
                let side = way.rot90() * radius * 0.42;
                let tip = at + way * radius * 0.50;
                let base = at + way * radius * 0.02;
                self.painter.line_segment([at - way * radius * 0.50, tip], pen);
                self.painter.add(Shape::line(vec![base + side, tip, base - side], pen));
            }
        }
    }
}

/// A small picture of a piece, for lists and headings, with the same marks as on the board.
pub(crate) fn paint_badge(painter: &Painter, palette: &Palette, center: Pos2, radius: f32, team: Team) {
    let colors = palette.team(team);
    let rim = Stroke::new((radius * 0.16).max(1.2), colors.accent);
    painter.circle_filled(center, radius, colors.piece);
    painter.circle_stroke(center, radius - rim.width / 2.0, rim);
    match team {
        Team::Black => painter.circle_filled(center, radius * 0.22, colors.mark),
        Team::White => {
            painter.circle_stroke(center, radius * 0.28, Stroke::new((radius * 0.14).max(1.0), colors.mark))
        }
    };
}

/// Three hexes with a piece of each team.
pub(super) fn paint_thumbnail(painter: &Painter, palette: &Palette, square: Rect) {
    let unit = square.width() * 0.5;
    let at = |x: f32, y: f32| square.center() + vec2(x, y) * unit;
    let places = [at(-0.5, -0.43), at(0.5, -0.43), at(0.0, 0.43)];
    for place in places {
        let cell = hexagon(place, unit * 0.53);
        painter.add(Shape::convex_polygon(cell, palette.cell, Stroke::new(1.0, palette.cell_rim)));
    }
    paint_badge(painter, palette, places[0], unit * 0.36, Team::Black);
    paint_badge(painter, palette, places[2], unit * 0.36, Team::White);
}

/// A disc that is lighter above its middle, like a marble.
fn shine(center: Pos2, radius: f32, light: Color32, edge: Color32) -> Mesh {
    const RIM: u32 = 36;
    let mut mesh = Mesh::default();
    mesh.colored_vertex(center + vec2(-0.26, -0.34) * radius, light);
    for step in 0..RIM {
        let around = angled(step as f32 * TAU / RIM as f32);
        mesh.colored_vertex(center + around * radius, edge);
        mesh.add_triangle(0, 1 + step, 1 + (step + 1) % RIM);
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    fn geometry() -> Geometry {
        Geometry::fit(Rect::from_min_size(Pos2::ZERO, vec2(600.0, 500.0)), BoardOptions::default())
    }

    fn flipped() -> Geometry {
        let options = BoardOptions { flipped: true, ..BoardOptions::default() };
        Geometry::fit(Rect::from_min_size(Pos2::ZERO, vec2(600.0, 500.0)), options)
    }

    fn hex(name: &str) -> Hex {
        name.parse().expect("a hex")
    }

    #[test]
    fn rows_go_up_and_diagonals_lean_as_in_figure_1() {
        let at = |name: &str| geometry().center(hex(name));
        assert!(at("I0").y < at("A0").y, "row I is on top");
        assert!(at("A-4").x < at("A0").x, "diagonals count to the right");
        assert!((at("E-4").y - at("E4").y).abs() < 0.01);
        // Section 2.3: (r + 1, d) is up-left, (r + 1, d + 1) up-right.
        assert!(at("F0").x < at("E0").x && at("F0").y < at("E0").y);
        assert!(at("F1").x > at("E0").x && at("F1").y < at("E0").y);
        // The corners of the board: A is the lower edge, I the upper one, both five hexes long.
        assert!((at("A-4").x - at("I0").x).abs() < 0.01);
        assert!((at("A0").x - at("I4").x).abs() < 0.01);
    }

    #[test]
    fn on_a_board_that_is_turned_around_row_a_is_on_top() {
        let at = |name: &str| flipped().center(hex(name));
        assert!(at("I0").y > at("A0").y && at("A-4").x > at("A0").x);
    }

    #[test]
    fn neighbours_are_one_pitch_apart_in_their_direction() {
        for (hex, geometry) in Hex::all().flat_map(|hex| [(hex, geometry()), (hex, flipped())]) {
            for facing in Facing::DIRECTIONS {
                let Some(next) = hex.neighbour(facing) else { continue };
                let way = (geometry.center(next) - geometry.center(hex)) / geometry.pitch;
                assert!((way - geometry.heading(facing)).length() < 1e-3);
                assert!((way.length() - 1.0).abs() < 1e-3);
            }
        }
    }

    #[test]
    fn a_point_finds_its_hex_and_the_outside_none() {
        for (hex, geometry) in Hex::all().flat_map(|hex| [(hex, geometry()), (hex, flipped())]) {
            let at = geometry.center(hex) + vec2(0.2, -0.3) * geometry.pitch;
            assert_eq!(geometry.hex_at(at), Some(hex));
        }
        assert_eq!(geometry().hex_at(Pos2::ZERO), None);
    }

    #[test]
    fn the_board_fits_into_any_rectangle() {
        for size in [vec2(300.0, 900.0), vec2(900.0, 300.0), vec2(40.0, 40.0)] {
            let rect = Rect::from_min_size(Pos2::new(10.0, 20.0), size);
            let geometry = Geometry::fit(rect, BoardOptions::default());
            for hex in Hex::all() {
                let reach = Rect::from_center_size(geometry.center(hex), Vec2::splat(geometry.pitch));
                assert!(rect.expand(0.1).contains_rect(reach), "{hex} in {rect}");
            }
        }
    }
}
