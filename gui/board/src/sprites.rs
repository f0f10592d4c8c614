//! Sprites of figures that a board has in large numbers, like stones: each kind is drawn into pixels once and then
//! stamped.
//!
//! A stone has three hundred vertices; its stamp has four. In a picture for a file, and outside of [`REACH`], figures
//! are drawn one by one.
//! that few of them are seen, they are drawn one by one.

use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use egui::emath::GuiRounding;
use egui::{
    Color32, ColorImage, Mesh, Painter, Pos2, Rect, Shape, TextureHandle, TextureOptions, Vec2, pos2, vec2,
};

use super::cached_mesh;
use crate::pixels::rasterizer::stamp;

/// Reach of a figure from its centre, in pixels, within which it is stamped. Of larger figures only few are visible;
/// smaller ones have few vertices and subpixel positions.
const REACH: Range<f32> = 4.3..100.0;

/// Sheet with one figure of each kind, side by side.
#[derive(Default)]
pub(crate) struct Sprites(RefCell<Option<Sheet>>);

struct Sheet {
    key: u64,
    texture: TextureHandle,
}

impl std::fmt::Debug for Sprites {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sheet = self.0.borrow();
        f.debug_struct("Sprites").field("size", &sheet.as_ref().map(|sheet| sheet.texture.size())).finish()
    }
}

impl Sprites {
    /// Paints figures, the lowest first, each with its kind (less than `kinds`) and its centre. `draw` draws one, no
    /// further than `reach` points from its centre; its look must depend on `about` only.
    pub(crate) fn paint(
        &self,
        painter: &Painter,
        (about, kinds, reach): (impl Hash, usize, f32),
        figures: impl IntoIterator<Item = (usize, Pos2)>,
        draw: impl Fn(&Painter, usize, Pos2),
    ) {
        let pixels = painter.pixels_per_point();
        if cached_mesh::letters(painter.ctx()).is_none() || !REACH.contains(&(reach * pixels)) {
            figures.into_iter().for_each(|(kind, at)| draw(painter, kind, at));
            return;
        }
        // The centre of a figure lies between pixels, as a board's lines do, with a margin of one transparent pixel.
        let half = (reach * pixels).ceil() as usize + 1;
        let mut hasher = DefaultHasher::new();
        (about, kinds, half).hash(&mut hasher);
        [pixels, reach].map(f32::to_bits).hash(&mut hasher);
        let key = hasher.finish();
        let mut sheet = self.0.borrow_mut();
        if sheet.as_ref().is_none_or(|sheet| sheet.key != key) {
            let Some(image) = draw_sheet(painter, kinds, half, draw) else { return };
            let texture = painter.ctx().load_texture("sprites", image, TextureOptions::LINEAR);
            *sheet = Some(Sheet { key, texture });
        }
        let Some(sheet) = &*sheet else { return };
        let side = 2.0 * half as f32 / pixels;
        let mut mesh = Mesh::with_texture(sheet.texture.id());
        for (kind, at) in figures {
            let rect = Rect::from_center_size(at.round_to_pixels(pixels), Vec2::splat(side));
            if painter.clip_rect().intersects(rect) {
                let part = |n: usize| n as f32 / kinds as f32;
                let uv = Rect::from_min_max(pos2(part(kind), 0.0), pos2(part(kind + 1), 1.0));
                mesh.add_rect_with_uv(rect, uv, Color32::WHITE);
            }
        }
        painter.add(Shape::mesh(mesh));
    }
}

/// The sheet: each figure in a square of twice `half` pixels. `None` where painting has no effect.
fn draw_sheet(
    painter: &Painter,
    kinds: usize,
    half: usize,
    draw: impl Fn(&Painter, usize, Pos2),
) -> Option<ColorImage> {
    let pixels = painter.pixels_per_point();
    let side = 2 * half;
    let size = [side * kinds, side];
    let area = Rect::from_min_size(Pos2::ZERO, vec2(size[0] as f32, size[1] as f32) / pixels);
    let mut own = painter.clone();
    own.set_clip_rect(area);
    own.set_opacity(1.0);
    let shapes = cached_mesh::keep(&own, || {
        for kind in 0..kinds {
            let middle = pos2((kind * side + half) as f32, half as f32) / pixels;
            draw(&own, kind, middle);
        }
    });
    let meshes = shapes.iter().filter_map(|(_, shape)| match shape {
        Shape::Mesh(mesh) => Some(&**mesh),
        _ => None,
    });
    (!shapes.is_empty()).then(|| ColorImage::new(size, stamp(meshes, pixels, size)))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use egui::epaint::{ClippedShape, ImageData};
    use egui::{CentralPanel, Context, RawInput, Stroke};

    use super::*;

    const SIZE: usize = 120;
    /// Two kinds, two of them overlapping, and one cut off at an edge.
    const PLACES: [(usize, Pos2); 4] =
        [(0, pos2(30.0, 40.0)), (1, pos2(44.0, 40.0)), (1, pos2(90.0, 80.0)), (0, pos2(119.0, 60.0))];

    fn disc(painter: &Painter, kind: usize, at: Pos2) {
        painter.circle_filled(at + vec2(1.5, 2.0), 9.0, Color32::from_black_alpha(70));
        let fill = [Color32::from_rgb(200, 60, 20), Color32::from_rgb(20, 90, 220)][kind];
        painter.circle(at, 9.0, fill, Stroke::new(1.5, Color32::WHITE));
    }

    /// Shapes of a frame in a window or for a file, and the sheet if it is new; `drawn` counts the calls of `draw`.
    fn frame(
        ctx: &Context,
        window: bool,
        sprites: &Sprites,
        drawn: &Cell<u32>,
    ) -> (Vec<ClippedShape>, Option<ColorImage>) {
        let area = Rect::from_min_size(Pos2::ZERO, Vec2::splat(SIZE as f32));
        let input = RawInput { screen_rect: Some(area), ..RawInput::default() };
        let output = ctx.run_ui(input, |ui| {
            if window {
                cached_mesh::begin(ui.ctx());
            }
            CentralPanel::no_frame().show(ui, |ui| {
                // A board that doesn't begin in the window's corner.
                let board = ui.painter().with_clip_rect(Rect::from_min_max(pos2(16.0, 26.0), area.max));
                sprites.paint(&board, ((), 2, 12.5), PLACES, |painter, kind, at| {
                    drawn.set(drawn.get() + 1);
                    disc(painter, kind, at);
                });
            });
        });
        let shapes = output.shapes.clone();
        let sheet = sprites.0.borrow().as_ref().map(|sheet| sheet.texture.id());
        let new = sheet.and_then(|id| output.textures_delta.set.get(&id)?.last());
        let image = new.map(|delta| match &delta.image {
            ImageData::Color(image) => (**image).clone(),
        });
        output.drop_without_applying_deltas();
        (shapes, image)
    }

    fn meshes(shapes: &[ClippedShape]) -> Vec<&Mesh> {
        let meshes = shapes.iter().filter_map(|clipped| match &clipped.shape {
            Shape::Mesh(mesh) => Some(&**mesh),
            _ => None,
        });
        meshes.collect()
    }

    #[test]
    fn figures_are_drawn_once_a_kind_and_look_as_if_each_were_drawn() {
        let (ctx, sprites, drawn) = (Context::default(), Sprites::default(), Cell::new(0));
        let (shapes, sheet) = frame(&ctx, true, &sprites, &drawn);
        let sheet = sheet.expect("a sheet of figures");
        frame(&ctx, true, &sprites, &drawn);
        assert_eq!(drawn.get(), 2, "each kind once");
        let found = meshes(&shapes);
        let [mesh] = found[..] else { panic!("one mesh") };
        assert_eq!(mesh.vertices.len(), 4 * PLACES.len());

        // All stamps blended over each other.
        let mut stamped = vec![Color32::TRANSPARENT; SIZE * SIZE];
        let side = sheet.height();
        for (kind, at) in PLACES {
            let corner = at.to_vec2() - Vec2::splat(side as f32 / 2.0);
            for (n, over) in sheet.pixels.iter().enumerate() {
                let (x, y) = (n % sheet.width(), n / sheet.width());
                let (to_x, to_y) = ((x % side) as f32 + corner.x, y as f32 + corner.y);
                if x / side == kind && to_x < SIZE as f32 {
                    let under = &mut stamped[to_y as usize * SIZE + to_x as usize];
                    *under = under.blend(*over);
                }
            }
        }
        let mut direct = Mesh::default();
        let (shapes, _) = frame(&Context::default(), false, &Sprites::default(), &Cell::new(0));
        let ctx = Context::default();
        ctx.run_ui(RawInput::default(), |_| {}).drop_without_applying_deltas();
        ctx.tessellation_options_mut(|options| options.prerasterized_discs = false);
        for clipped in ctx.tessellate(shapes, 1.0) {
            if let egui::epaint::Primitive::Mesh(mesh) = clipped.primitive {
                direct.append(mesh);
            }
        }
        let direct = stamp([&direct].into_iter(), 1.0, [SIZE, SIZE]);
        let far =
            |a: &Color32, b: &Color32| a.to_array().iter().zip(b.to_array()).any(|(a, b)| a.abs_diff(b) > 40);
        let apart = stamped.iter().zip(&direct).filter(|(a, b)| far(a, b)).count();
        let shown = direct.iter().filter(|color| color.a() > 0).count();
        // Circles with other numbers of corners differ in a few pixels of their edges.
        assert!(shown > 700 && apart * 50 < shown, "{apart} of {shown}");
    }

    #[test]
    fn at_another_scale_they_are_drawn_anew_and_for_a_file_each_is() {
        let (ctx, sprites, drawn) = (Context::default(), Sprites::default(), Cell::new(0));
        frame(&ctx, true, &sprites, &drawn);
        ctx.set_pixels_per_point(2.0);
        (0..3).for_each(|_| drop(frame(&ctx, true, &sprites, &drawn)));
        assert_eq!(drawn.get(), 4);
        let drawn = Cell::new(0);
        let (shapes, _) = frame(&Context::default(), false, &Sprites::default(), &drawn);
        assert_eq!((drawn.get(), meshes(&shapes).len()), (4, 0));
    }
}
