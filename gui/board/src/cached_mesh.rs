//! Cached meshes of what stands still on a board: its ground, its names, pieces that nobody moves.
//!
//! In a window it is turned into triangles once and painted as they are until something of it changes, instead of sixty times
//! a second. Letters lie in a texture that grows, so that they stay shapes; so does everything in a picture for a file,
//! for which [`begin`] is never called.

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

/// How far a circle may be from a round one, in pixels.
const ROUND: f32 = 0.1;

/// The texture of the letters, as far as it matters here.
#[derive(Clone, Default)]
struct Letters {
    /// How often it was begun anew: letters that were placed before that are elsewhere now.
    begun: u64,
    /// A text that is laid out in every frame: while the texture stays, so does what was laid out.
    sample: Option<Arc<Galley>>,
}

/// The frame of a window begins: what stands still may be kept. Before this nothing is written in it.
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

/// A part of a board that stands still, as it was painted last.
#[derive(Default)]
pub struct CachedMesh(RefCell<Option<Kept>>);

struct Kept {
    key: u64,
    shapes: Vec<(Rect, Shape)>,
}

impl std::fmt::Debug for CachedMesh {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kept = self.0.borrow();
        f.debug_struct("Still").field("shapes", &kept.as_ref().map(|kept| kept.shapes.len())).finish()
    }
}

impl CachedMesh {
    /// Paints what `draw` paints, or the same as last time where it would be that: as long as `about` is, which is all
    /// that it depends on besides the painter, which `draw` paints with.
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

/// How often the texture of the letters was begun anew; `None` where this is no window, and nothing that was painted is kept.
pub(super) fn letters(ctx: &Context) -> Option<u64> {
    ctx.data(|data| data.get_temp::<Letters>(id())).map(|letters| letters.begun)
}

/// A rectangle, as something that can be hashed.
pub fn bits(rect: Rect) -> [u32; 4] {
    [rect.min.x, rect.min.y, rect.max.x, rect.max.y].map(f32::to_bits)
}

/// What is painted, in triangles as far as they stay right.
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
    /// What is next to each other and has one clip.
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

    /// A circle of as many corners as it takes to be round: there may be hundreds of them.
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

    /// A board of a line, a disc and a word, painted in a window, or for a file; what is painted, and how often it was drawn.
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
        // The word stays what it is; the rest is a mesh of no more triangles.
        let is_mesh = |clipped: &&ClippedShape| matches!(clipped.shape, Shape::Mesh(_));
        assert_eq!(second.iter().filter(is_mesh).count(), 1);
        assert!(second.iter().any(|clipped| matches!(clipped.shape, Shape::Text(_))));
        let (kept, direct) = (triangles(&ctx, second), triangles(&ctx, direct));
        assert!((direct / 2..=direct).contains(&kept), "{kept} of {direct}");
        // Another line is drawn anew.
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
        // In the other theme letters have other edges: their texture is begun anew.
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
