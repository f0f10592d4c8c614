//! Board of the generic dialect: characters on a grid, for games without a module of their own.

use egui::layers::ShapeIdx;
use egui::{Align2, FontId, Painter, Pos2, Rect, Role, Sense, Ui, Vec2, WidgetInfo, vec2};
use grandstand_protocol::grid::{Coord, Scene};
use grandstand_protocol::{Place, Scene as AnyScene, SeatRequest};

use crate::layer::Layer;
use crate::step::SceneChange;
use crate::theme::{Palette, ink_on};
use crate::{BoardInput, BoardOptions, BoardPainter, BoardView, overlay, place_labels};

impl BoardView for Scene {
    fn thumbnail(&self, painter: &Painter, palette: &Palette, square: Rect) {
        let side = square.width() / 3.0;
        for n in 0..9_u8 {
            let corner = square.min + vec2(f32::from(n % 3), f32::from(n / 3)) * side;
            let color = if n % 4 == 0 { palette.weak } else { palette.cell };
            painter.rect_filled(Rect::from_min_size(corner, Vec2::splat(side)).shrink(1.0), 2.0, color);
        }
    }

    fn new_painter(&self) -> Box<dyn BoardPainter> {
        Box::<GridBoard>::default()
    }
}

/// The board; nothing is animated.
#[derive(Debug, Default)]
struct GridBoard {
    below_pieces: Layer,
}

impl BoardPainter for GridBoard {
    fn animate(&mut self, _: &SceneChange<'_>) {}

    fn settle(&mut self) {}

    fn is_moving(&self, _: &BoardInput<'_>) -> bool {
        false
    }

    fn show(
        &self,
        ui: &mut Ui,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
    ) -> Option<SeatRequest> {
        if let AnyScene::Grid(scene) = picture.scene {
            show(ui, rect, scene, &self.below_pieces, picture, options);
        }
        None
    }

    fn place_at(
        &self,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
        at: Pos2,
    ) -> Option<Place> {
        let AnyScene::Grid(scene) = picture.scene else { return None };
        Geometry::of(rect, scene, options).place_at(at, scene).map(Place::Cell)
    }

    fn occupied(&self, rect: Rect, picture: &BoardInput<'_>, options: BoardOptions) -> Vec<Rect> {
        let AnyScene::Grid(scene) = picture.scene else { return Vec::new() };
        let geometry = Geometry::of(rect, scene, options);
        scene.cells().map(|(at, _)| geometry.cell(at.x(), at.y())).collect()
    }

    fn below_pieces(&self) -> Option<ShapeIdx> {
        self.below_pieces.get()
    }

    fn area_of(
        &self,
        rect: Rect,
        picture: &BoardInput<'_>,
        options: BoardOptions,
        place: Place,
    ) -> Option<Rect> {
        let (AnyScene::Grid(scene), Place::Cell(at)) = (picture.scene, place) else { return None };
        let is_on = at.x() < scene.width() && at.y() < scene.height();
        is_on.then(|| Geometry::of(rect, scene, options).cell(at.x(), at.y()))
    }
}

/// Positions of the cells on the screen.
#[derive(Debug, Clone, Copy)]
struct Geometry {
    origin: Pos2,
    /// Side of a cell, in points.
    side: f32,
}

impl Geometry {
    /// Positions of a scene's cells in `rect`.
    fn of(rect: Rect, scene: &Scene, options: BoardOptions) -> Geometry {
        Geometry::fit(rect, scene.width(), scene.height(), options.coordinates)
    }

    /// The largest grid of `columns` by `rows` that fits into `rect`, with room for coordinates if they are shown.
    fn fit(rect: Rect, columns: u8, rows: u8, coordinates: bool) -> Geometry {
        let margin = if coordinates { 26.0 } else { 8.0 };
        let inside = rect.shrink(margin);
        let cells = vec2(f32::from(columns), f32::from(rows));
        let side = (inside.width() / cells.x).min(inside.height() / cells.y).clamp(1.0, 96.0);
        Geometry { origin: rect.center() - cells * side / 2.0, side }
    }

    fn cell(&self, x: u8, y: u8) -> Rect {
        let min = self.origin + vec2(f32::from(x), f32::from(y)) * self.side;
        Rect::from_min_size(min, Vec2::splat(self.side))
    }

    fn center(&self, place: Coord) -> Pos2 {
        self.cell(place.x(), place.y()).center()
    }

    fn place_at(&self, at: Pos2, scene: &Scene) -> Option<Coord> {
        let cell = (at - self.origin) / self.side;
        let inside = |value: f32, end: u8| (value >= 0.0 && value < f32::from(end)).then_some(value as u8);
        Coord::new(inside(cell.x, scene.width())?, inside(cell.y, scene.height())?)
    }
}

/// Shows the grid in `rect`.
fn show(
    ui: &mut Ui,
    rect: Rect,
    scene: &Scene,
    below_pieces: &Layer,
    picture: &BoardInput<'_>,
    options: BoardOptions,
) {
    let palette = Palette::of(ui.ctx());
    let geometry = Geometry::of(rect, scene, options);
    let painter = ui.painter_at(rect.intersect(ui.clip_rect()));
    let response = ui.interact(rect, ui.scope_id().with("board"), Sense::hover());
    let board = Rect::from_min_size(
        geometry.origin,
        vec2(f32::from(scene.width()), f32::from(scene.height())) * geometry.side,
    );
    painter.rect_filled(board.expand(6.0), 8.0, palette.tray);
    let gap = (geometry.side * 0.04).clamp(0.5, 2.0);
    for y in 0..scene.height() {
        for x in 0..scene.width() {
            let area = geometry.cell(x, y).shrink(gap);
            painter.rect_filled(area, geometry.side * 0.12, palette.cell);
        }
    }
    below_pieces.keep(&painter);
    for (place, cell) in scene.cells() {
        let font = FontId::proportional(geometry.side * 0.62);
        let color = cell.color.map_or(ink_on(palette.cell), |color| palette.color(color));
        painter.text(geometry.center(place), Align2::CENTER_CENTER, cell.glyph.as_char(), font, color);
    }
    if options.coordinates {
        coordinates(&painter, palette, scene, geometry);
    }
    if options.labels {
        let cells = (0..scene.height()).flat_map(|y| (0..scene.width()).map(move |x| (x, y)));
        let places = cells.map(|(x, y)| (format!("{x},{y}"), geometry.cell(x, y)));
        let longest = format!("{},{}", scene.width() - 1, scene.height() - 1);
        place_labels::paint(&painter, palette, &longest, places);
    }
    let place = |name: &str| name.parse().ok().map(|place| geometry.center(place));
    overlay::paint(&painter, palette, picture, options, geometry.side, place);

    let summary =
        format!("Board of {} by {} cells, {} in use", scene.width(), scene.height(), scene.cells().count());
    response.widget_info(|| WidgetInfo::labeled(Role::Figure, true, &summary));
}

/// Column numbers above the grid and row numbers beside it, as many as fit.
fn coordinates(painter: &Painter, palette: &Palette, scene: &Scene, geometry: Geometry) {
    let font = FontId::proportional((geometry.side * 0.34).clamp(11.0, 15.0));
    let every = (20.0 / geometry.side).ceil().max(1.0) as u8;
    let write = |at: Pos2, n: u8| {
        painter.text(at, Align2::CENTER_CENTER, n, font.clone(), palette.coordinate);
    };
    for x in (0..scene.width()).step_by(usize::from(every)) {
        write(geometry.cell(x, 0).center_top() - vec2(0.0, 16.0), x);
    }
    for y in (0..scene.height()).step_by(usize::from(every)) {
        write(geometry.cell(0, y).left_center() - vec2(18.0, 0.0), y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_finds_its_cell() {
        let scene = Scene::default();
        let rect = Rect::from_min_size(Pos2::new(5.0, 7.0), vec2(300.0, 200.0));
        let geometry = Geometry::fit(rect, scene.width(), scene.height(), true);
        for (x, y) in [(0, 0), (7, 7), (3, 5)] {
            let place = Coord::new(x, y);
            let center = geometry.cell(x, y).center();
            assert_eq!(geometry.place_at(center, &scene), place);
            assert!(rect.contains(center));
        }
        assert_eq!(geometry.place_at(Pos2::ZERO, &scene), None);
    }
}
