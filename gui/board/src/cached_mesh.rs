//! Cached meshes of the parts of a board that don't change: ground, coordinates, standing pieces.
//!
//! In a window they are tessellated once and painted again in every frame until their input changes. Text stays as
//! shapes, since it refers to a texture that grows. In a picture for a file everything stays as shapes; there [`begin`]
//! is never called.

use std::cell::RefCell;
use std::f32::consts::TAU;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem;
use std::sync::Arc;

use egui::epaint::tessellator::Path;
use egui::epaint::text::FontsView;
use egui::epaint::{CircleShape, ClippedShape, PathStroke, Tessellator};
use egui::{Color32, Context, FontId, Galley, Id, Mesh, Painter, Rect, Shape};

use crate::angle::angled;
use crate::theme::BODY;

/// Largest deviation of a circle from a round one, in pixels.
const ROUND: f32 = 0.1;

/// State of the font texture.
#[derive(Clone, Default)]
struct Letters {
    /// Number of times the texture was rebuilt, which invalidates glyph positions.
    begun: u64,
    /// A text laid out in every frame; a new layout means that the texture was rebuilt.
    sample: Option<Arc<Galley>>,
}

/// Begins a frame of a window, in which meshes may be cached. Must be called before any text is laid out.
pub fn begin(ctx: &Context) {
    let layout = |fonts: &mut FontsView<'_>| {
        fonts.layout_no_wrap("0".to_owned(), FontId::proportional(BODY), Color32::WHITE)
    };
    let sample = ctx.fonts_mut(layout);
    ctx.data_mut(|data| {
        let letters: &mut Letters = data.get_temp_mut_or_default(id());
        let same = letters.sample.as_ref().is_some_and(|last| Arc::ptr_eq(last, &sample));
        letters.begun += u64::from(!same);
        letters.sample = Some(sample);
    });
}

fn id() -> Id {
    Id::unique("texture of letters")
}

/// An unchanging part of a board, as it was painted last.
#[derive(Default)]
pub struct CachedMesh(RefCell<Option<Kept>>);

struct Kept {
    key: u64,
    shapes: Vec<(Rect, Shape)>,
}

impl std::fmt::Debug for CachedMesh {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kept = self.0.borrow();
        f.debug_struct("CachedMesh").field("shapes", &kept.as_ref().map(|kept| kept.shapes.len())).finish()
    }
}

impl CachedMesh {
    /// Paints what `draw` paints, or the cached result of the last call. `about` must contain everything that `draw`
    /// depends on besides the painter; `draw` must paint with this painter.
    pub fn paint(&self, painter: &Painter, about: impl Hash, draw: impl FnOnce()) {
        let Some(letters) = letters(painter.ctx()) else { return draw() };
        let mut hasher = DefaultHasher::new();
        about.hash(&mut hasher);
        letters.hash(&mut hasher);
        bits(painter.clip_rect()).hash(&mut hasher);
        [painter.pixels_per_point(), painter.opacity()].map(f32::to_bits).hash(&mut hasher);
        let key = hasher.finish();
        let mut kept = self.0.borrow_mut();
        if kept.as_ref().is_none_or(|kept| kept.key != key) {
            *kept = Some(Kept { key, shapes: keep(painter, draw) });
        }
        if let Some(kept) = &*kept {
            painter.ctx().graphics_mut(|layers| {
                let list = layers.entry(painter.layer_id());
                for (clip, shape) in &kept.shapes {
                    list.add(*clip, shape.clone());
                }
            });
        }
    }
}

/// Number of times the font texture was rebuilt; `None` outside a window, where nothing is cached.
pub(super) fn letters(ctx: &Context) -> Option<u64> {
    ctx.data(|data| data.get_temp::<Letters>(id())).map(|letters| letters.begun)
}

/// Bits of a rectangle, for hashing.
pub fn bits(rect: Rect) -> [u32; 4] {
    [rect.min.x, rect.min.y, rect.max.x, rect.max.y].map(f32::to_bits)
}

/// The shapes that `draw` paints, tessellated where the result stays valid.
pub(super) fn keep(painter: &Painter, draw: impl FnOnce()) -> Vec<(Rect, Shape)> {
    let swap = |list| painter.ctx().graphics_mut(|all| mem::replace(all.entry(painter.layer_id()), list));
    let before = swap(Default::default());
    draw();
    let painted = swap(before);
    let pixels = painter.pixels_per_point();
    let options = painter.ctx().tessellation_options(|options| *options);
    let mut keeper = Keeper {
        tessellator: Tessellator::new(pixels, options, [1, 1], Vec::new()),
        pixels,
        feathers: options.feathering,
        mesh: Mesh::default(),
        clip: Rect::NOTHING,
        shapes: Vec::new(),
    };
    painted.all_entries().for_each(|clipped: &ClippedShape| keeper.take(clipped.clip_rect, &clipped.shape));
    keeper.close();
    keeper.shapes
}

struct Keeper {
    tessellator: Tessellator,
    pixels: f32,
    feathers: bool,
    /// Mesh of consecutive shapes with one clip rectangle.
    mesh: Mesh,
    clip: Rect,
    shapes: Vec<(Rect, Shape)>,
}

impl Keeper {
    fn take(&mut self, clip: Rect, shape: &Shape) {
        let stays = match shape {
            Shape::Noop => return,
            Shape::Vec(shapes) => return shapes.iter().for_each(|shape| self.take(clip, shape)),
            Shape::Text(_) | Shape::Callback(_) => true,
            Shape::Mesh(mesh) => mesh.texture_id != Default::default(),
            Shape::Rect(rect) => rect.fill_texture_id() != Default::default(),
            _ => false,
        };
        if stays || clip != self.clip {
            self.close();
            self.clip = clip;
        }
        if stays {
            self.shapes.push((clip, shape.clone()));
            return;
        }
        match shape {
            Shape::Circle(circle) => self.circle(*circle),
            shape => {
                self.tessellator.set_clip_rect(clip);
                self.tessellator.tessellate_shape(shape.clone(), &mut self.mesh);
            }
        }
    }

    /// A circle with only as many corners as it needs to look round; there may be hundreds of circles.
    fn circle(&mut self, circle: CircleShape) {
        let CircleShape { center, radius, fill, stroke } = circle;
        if radius <= 0.0 || !self.clip.expand(radius + stroke.width).contains(center) {
            return;
        }
        let corners = (TAU / (8.0 * ROUND / (radius * self.pixels)).sqrt()).ceil().clamp(8.0, 128.0) as u32;
        let mut path = Path::default();
        path.reserve(corners as usize);
        for n in 0..corners {
            let way = angled(TAU * n as f32 / corners as f32);
            path.add_point(center + way * radius, way);
        }
        let feather = if self.feathers { 1.0 / self.pixels } else { 0.0 };
        path.fill_and_stroke(feather, fill, &PathStroke::from(stroke).outside(), &mut self.mesh);
    }

    fn close(&mut self) {
        let mut mesh = mem::take(&mut self.mesh);
        if !mesh.is_empty() {
            mesh.vertices.shrink_to_fit();
            mesh.indices.shrink_to_fit();
            self.shapes.push((self.clip, Shape::Mesh(Arc::new(mesh))));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use egui::{Align2, CentralPanel, RawInput, Stroke, Theme, pos2, vec2};

    use super::*;

    /// A board with a line, a disc and a word, painted in a window or for a file. Returns the shapes; `drawn` counts
    /// the calls of `draw`.
    fn frame(
        ctx: &Context,
        window: bool,
        still: &CachedMesh,
        about: u32,
        drawn: &Cell<u32>,
    ) -> Vec<ClippedShape> {
        let area = Rect::from_min_size(pos2(0.0, 0.0), vec2(200.0, 200.0));
        let input = RawInput { screen_rect: Some(area), ..RawInput::default() };
        let output = ctx.run_ui(input, |ui| {
            if window {
                begin(ui.ctx());
            }
            CentralPanel::default().show(ui, |ui| {
                let painter = ui.painter();
                still.paint(painter, about, || {
                    drawn.set(drawn.get() + 1);
                    let stroke = Stroke::new(1.0 + about as f32, Color32::RED);
                    painter.line_segment([pos2(3.0, 4.0), pos2(150.0, 90.0)], stroke);
                    painter.circle_filled(pos2(80.0, 80.0), 40.0, Color32::BLUE);
                    painter.circle_filled(pos2(80.0, 80.0), 3.0, Color32::WHITE);
                    let font = FontId::proportional(14.0);
                    painter.text(pos2(80.0, 80.0), Align2::CENTER_CENTER, "word", font, Color32::WHITE);
                });
            });
        });
        let shapes = output.shapes.clone();
        output.drop_without_applying_deltas();
        shapes
    }

    fn triangles(ctx: &Context, shapes: Vec<ClippedShape>) -> usize {
        let meshes = ctx.tessellate(shapes, 1.0);
        let count = meshes.iter().map(|clipped| match &clipped.primitive {
            egui::epaint::Primitive::Mesh(mesh) => mesh.indices.len() / 3,
            egui::epaint::Primitive::Callback(_) => 0,
        });
        count.sum()
    }

    #[test]
    fn what_stands_still_is_drawn_once_and_painted_every_time() {
        let (ctx, still, drawn) = (Context::default(), CachedMesh::default(), Cell::new(0));
        let direct = frame(&ctx, false, &CachedMesh::default(), 1, &Cell::new(0));
        let first = frame(&ctx, true, &still, 1, &drawn);
        let second = frame(&ctx, true, &still, 1, &drawn);
        assert_eq!(drawn.get(), 1);
        assert_eq!(first, second);
        // The word stays text; the rest is one mesh with no more triangles.
        let is_mesh = |clipped: &&ClippedShape| matches!(clipped.shape, Shape::Mesh(_));
        assert_eq!(second.iter().filter(is_mesh).count(), 1);
        assert!(second.iter().any(|clipped| matches!(clipped.shape, Shape::Text(_))));
        let (kept, direct) = (triangles(&ctx, second), triangles(&ctx, direct));
        assert!((direct / 2..=direct).contains(&kept), "{kept} of {direct}");
        // Another line is drawn again.
        let other = frame(&ctx, true, &still, 2, &drawn);
        assert_eq!(drawn.get(), 2);
        assert_ne!(first, other);
    }

    #[test]
    fn another_scale_and_letters_that_are_elsewhere_are_drawn_anew() {
        let (ctx, still, drawn) = (Context::default(), CachedMesh::default(), Cell::new(0));
        frame(&ctx, true, &still, 1, &drawn);
        ctx.set_pixels_per_point(2.0);
        frame(&ctx, true, &still, 1, &drawn);
        frame(&ctx, true, &still, 1, &drawn);
        assert!(drawn.get() >= 2, "{}", drawn.get());
        let before = drawn.get();
        // The other theme changes glyph edges: the texture is rebuilt.
        ctx.set_theme(Theme::Light);
        (0..3).for_each(|_| drop(frame(&ctx, true, &still, 1, &drawn)));
        assert_eq!(drawn.get(), before + 1);
    }

    #[test]
    fn for_a_file_everything_is_painted_as_it_is() {
        let (ctx, still, drawn) = (Context::default(), CachedMesh::default(), Cell::new(0));
        for _ in 0..2 {
            let shapes = frame(&ctx, false, &still, 1, &drawn);
            assert!(shapes.iter().any(|clipped| matches!(clipped.shape, Shape::LineSegment { .. })));
        }
        assert_eq!(drawn.get(), 2);
    }
}
