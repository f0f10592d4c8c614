//! Ground of the Riskless map: sea routes, land in the holders' colours, coasts and borders.

use egui::epaint::PathShape;
use egui::{Color32, Mesh, Pos2, Shape, Stroke, Vec2, pos2, vec2};

use super::atlas::blunt;
use super::land::{Border, Ring};
use super::paint::Canvas;
use crate::angle::angled;
use crate::cached_mesh;
use crate::games::tiles::Quads;
use crate::theme::{mix, rgb};

/// Colours of the map.
pub(super) struct Colors {
    /// At the upper and at the lower edge.
    pub sea: [Color32; 2],
    /// Water near land, and nearer.
    shallow: [Color32; 2],
    /// Land that nobody holds.
    pub land: Color32,
    /// Land outside of the game.
    beyond: Color32,
    coast: Color32,
    border: Color32,
    /// Routes over the sea.
    pub road: Color32,
    pub name: Color32,
    pub halo: Color32,
    /// Share of the holder's colour in the land's.
    held: f32,
}

pub(super) const NIGHT: Colors = Colors {
    sea: [rgb(0x14293a), rgb(0x0f1f2d)],
    shallow: [rgb(0x183246), rgb(0x1e3d53)],
    land: rgb(0x56605a),
    beyond: rgb(0x2a343a),
    coast: rgb(0x9fb3bd),
    border: rgb(0x10181f),
    road: rgb(0x8fa9b6),
    name: rgb(0xf1f5f7),
    halo: rgb(0x0c141b),
    held: 0.62,
};
pub(super) const DAY: Colors = Colors {
    sea: [rgb(0xcfe3ec), rgb(0xb9d5e2)],
    shallow: [rgb(0xd8eaf2), rgb(0xe4f2f7)],
    land: rgb(0xefe8d2),
    beyond: rgb(0xdad9d0),
    coast: rgb(0x5d7078),
    border: rgb(0x6b6656),
    road: rgb(0x56707c),
    name: rgb(0x1b2226),
    halo: rgb(0xfdfdfb),
    held: 0.5,
};

impl Canvas<'_> {
    /// The sea, lighter near the coasts, with the routes over it.
    pub(super) fn sea(&self) {
        let mut quads = Quads::default();
        quads.shaded(self.atlas.map, self.colors.sea[0], self.colors.sea[1]);
        quads.paint(&self.painter);
        let width = self.unit();
        for (color, wide) in self.colors.shallow.into_iter().zip([14.0, 7.0]) {
            self.shallow(wide * width, color);
        }
        let pen = Stroke::new((1.5 * width).max(1.0), self.colors.road);
        for road in self.scene.roads().iter().filter(|road| !self.has_border(road.a, road.b)) {
            for line in self.atlas.way(road.a, road.b) {
                self.painter.extend(Shape::dashed_line(&line, pen, 5.0 * width, 4.0 * width));
            }
        }
    }

    /// Shallow water: a broad line along the coasts.
    fn shallow(&self, wide: f32, color: Color32) {
        let is_coast = |border: &Border| border.sides.contains(&None);
        if self.is_file() {
            return self.stroke(Stroke::new(wide, color), is_coast);
        }
        // In a window, sharp corners of a broad line are spikes, so it is made of pieces with round ends. These have few
        // corners and hard rims: the colours of the water hardly differ.
        let radius = wide / 2.0;
        let mut mesh = Mesh::default();
        for border in self.atlas.land.borders.iter().filter(|border| is_coast(border)) {
            let mut last: Option<Pos2> = None;
            let (mut line, is_closed) = self.atlas.line(&border.points);
            if is_closed {
                line.extend(line.first().copied());
            }
            for at in line {
                match last {
                    Some(before) if before.distance(at) < radius => continue,
                    Some(before) => {
                        let side = (at - before).normalized().rot90() * radius;
                        add_polygon(&mut mesh, [before - side, before + side, at + side, at - side], color);
                    }
                    None => {}
                }
                let corners = round(radius);
                let turn = std::f32::consts::TAU / f32::from(corners);
                add_polygon(
                    &mut mesh,
                    (0..corners).map(|n| at + angled(turn * f32::from(n)) * radius),
                    color,
                );
                last = Some(at);
            }
        }
        self.painter.add(Shape::mesh(mesh));
    }

    /// Land in the holders' colours.
    pub(super) fn ground(&self) {
        for territory in &self.atlas.land.territories {
            let held = territory.id.and_then(|id| self.scene.holding(id));
            let color = match (territory.id, held) {
                (None, _) => self.colors.beyond,
                (_, None) => self.colors.land,
                (_, Some(held)) => mix(self.colors.land, self.piece(held.team), self.colors.held),
            };
            territory.rings.iter().for_each(|ring| self.fill(ring, color));
        }
    }

    /// Borders (stronger between continents and where no road crosses them) and coasts.
    pub(super) fn borders(&self) {
        let width = self.unit();
        let land = &self.atlas.land;
        let open = |border: &Border| {
            land.neighbours(border).is_some_and(|[a, b]| match (a.id, b.id) {
                (Some(from), Some(to)) => self.scene.has_road(from, to) || extent(border) < TINY,
                _ => true,
            })
        };
        let continents = |border: &Border| {
            let both = land.neighbours(border);
            both.is_some_and(|[a, b]| a.id.is_some() && b.id.is_some() && !a.shares_continent(b))
        };
        let closed = |border: &Border| land.neighbours(border).is_some() && !open(border);
        self.stroke(Stroke::new((1.1 * width).max(0.8), self.colors.border), |border| {
            open(border) && !continents(border)
        });
        self.stroke(Stroke::new((2.4 * width).max(1.2), self.colors.border), |border| {
            open(border) && continents(border)
        });
        self.stroke(Stroke::new((3.4 * width).max(1.8), self.colors.coast), closed);
        self.stroke(Stroke::new((1.4 * width).max(0.8), self.colors.sea[1]), closed);
        self.stroke(Stroke::new((1.2 * width).max(0.8), self.colors.coast), |border| {
            border.sides.contains(&None)
        });
        self.edges();
    }

    /// Fades land at the map's eastern and southern edges into the sea, where it continues beyond the map.
    fn edges(&self) {
        if self.atlas.land.territories.iter().all(|territory| territory.id.is_some()) {
            return;
        }
        let (map, area) = (self.atlas.map, self.atlas.area);
        let sea =
            |y: f32| mix(self.colors.sea[0], self.colors.sea[1], (y - map.top()) / map.height().max(1.0));
        let (inside, outside) = (area.size().min_elem() * 0.12, 12.0 * self.unit());
        let (low, high) = (area.min - Vec2::splat(outside), area.max + Vec2::splat(outside));
        let (down, right) = (vec2(0.0, high.y - low.y), vec2(high.x - low.x, 0.0));
        let at = |x: f32| pos2(x, low.y);
        let row = |y: f32| pos2(low.x, y);
        let bands = [
            ([at(area.right() - inside), at(area.right()), at(high.x)], down),
            ([row(area.bottom() - inside * 0.4), row(area.bottom()), row(high.y)], right),
        ];
        for ([from, edge, end], along) in bands {
            let mut mesh = Mesh::default();
            for (at, alpha) in [(from, 0.0), (edge, 1.0), (end, 1.0)] {
                for at in [at, at + along] {
                    mesh.colored_vertex(at, sea(at.y).gamma_multiply(alpha));
                }
            }
            for n in [0, 2] {
                mesh.add_triangle(n, n + 1, n + 2);
                mesh.add_triangle(n + 1, n + 2, n + 3);
            }
            self.painter.add(Shape::mesh(mesh));
        }
    }

    /// Whether this is a picture for a file, in which any outline can be filled directly.
    fn is_file(&self) -> bool {
        cached_mesh::letters(self.painter.ctx()).is_none()
    }

    /// Screen points per point of line width, on a map of this size.
    fn unit(&self) -> f32 {
        (self.atlas.map.width() / 1000.0).clamp(0.5, 2.5)
    }

    /// Whether two territories have a border on land.
    fn has_border(&self, a: u8, b: u8) -> bool {
        let land = &self.atlas.land;
        let ids = |border: &Border| land.neighbours(border).map(|[a, b]| [a.id, b.id]);
        land.borders.iter().filter_map(ids).any(|ids| ids == [Some(a), Some(b)] || ids == [Some(b), Some(a)])
    }

    fn stroke(&self, stroke: Stroke, which: impl Fn(&Border) -> bool) {
        for border in self.atlas.land.borders.iter().filter(|border| which(border)) {
            let (line, is_closed) = self.atlas.line(&border.points);
            let line = blunt(&line, is_closed);
            self.painter.add(if is_closed {
                Shape::closed_line(line, stroke)
            } else {
                Shape::line(line, stroke)
            });
        }
    }

    /// Fills a ring of land with one colour.
    fn fill(&self, ring: &Ring, color: Color32) {
        let points = ring.points.iter().map(|at| self.atlas.on_screen(*at));
        if self.is_file() {
            // A file's renderer fills any outline.
            let points: Vec<Pos2> = points.collect();
            self.painter.add(PathShape { points, closed: true, fill: color, stroke: Stroke::NONE.into() });
            return;
        }
        let mut mesh = Mesh::default();
        points.for_each(|at| mesh.colored_vertex(at, color));
        mesh.indices = ring.triangles.iter().flatten().copied().collect();
        self.painter.add(Shape::mesh(mesh));
    }
}

/// Number of corners of a polygon that looks like a circle of this radius.
fn round(radius: f32) -> u8 {
    let half = (1.0 - ROUND / radius.max(ROUND)).acos();
    (std::f32::consts::PI / half).ceil().clamp(6.0, 36.0) as u8
}

/// Adds a convex polygon.
fn add_polygon(mesh: &mut Mesh, corners: impl IntoIterator<Item = Pos2>, color: Color32) {
    let first = mesh.vertices.len() as u32;
    corners.into_iter().for_each(|at| mesh.colored_vertex(at, color));
    let end = mesh.vertices.len() as u32;
    (first + 2..end).for_each(|n| mesh.add_triangle(first, n - 1, n));
}

/// Deviation of a polygon from the circle that it stands for, in points.
const ROUND: f32 = 0.25;
/// Length below which a border counts as a corner where four territories meet, in units of the land.
const TINY: f32 = 12.0;

/// Distance between the ends of a border.
fn extent(border: &Border) -> f32 {
    let ends = border.points.first().zip(border.points.last());
    ends.map_or(0.0, |(a, b)| (*b - *a).length())
}
