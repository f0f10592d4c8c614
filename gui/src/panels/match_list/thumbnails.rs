//! Thumbnails of the list: boards drawn at most one a frame, cached as textures.

use std::collections::HashMap;
use std::fmt;

use eframe::egui::{ColorImage, Context, Image, Rect, TextureHandle, TextureOptions, Theme, Ui, Vec2};
use grandstand_export::{Size, Thumbnailer};
use grandstand_protocol::{Scene, TeamInfo};

/// Number of textures kept.
const KEPT: usize = 256;

/// Cache of drawn thumbnails.
#[derive(Default)]
pub(super) struct Thumbnails {
    /// The drawer, for one size in pixels and one theme (`true`: light).
    drawer: Option<((Size, bool), Thumbnailer)>,
    textures: HashMap<String, TextureHandle>,
    /// The frame in which the last thumbnail was drawn.
    drawn: u64,
}

impl fmt::Debug for Thumbnails {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Thumbnails").field("kept", &self.textures.len()).finish_non_exhaustive()
    }
}

impl Thumbnails {
    /// Paints the board of a scene into `rect`; `key` identifies the picture in the cache. Returns whether it was
    /// painted: `false` while it waits for a later frame.
    pub(super) fn paint(
        &mut self,
        ui: &Ui,
        rect: Rect,
        key: impl FnOnce() -> String,
        of: (&Scene, &[TeamInfo]),
    ) -> bool {
        let ctx = ui.ctx();
        let pixels = (rect.size() * ctx.pixels_per_point()).round().max(Vec2::splat(1.0));
        let size = Size { width: pixels.x as u32, height: pixels.y as u32 };
        let look = (size, ctx.theme() == Theme::Light);
        if self.drawer.as_ref().is_none_or(|(drawn, _)| *drawn != look) || self.textures.len() > KEPT {
            self.drawer = Some((look, Thumbnailer::new(look.0, look.1)));
            self.textures.clear();
        }
        let key = key();
        if !self.textures.contains_key(&key) {
            let frame = ctx.cumulative_frame_nr();
            if self.drawn == frame {
                ctx.request_repaint();
                return false;
            }
            self.drawn = frame;
            self.draw(ctx, key.clone(), size, of);
        }
        let Some(texture) = self.textures.get(&key) else { return false };
        Image::from_texture(texture).corner_radius(5.0).paint_at(ui, rect);
        true
    }

    fn draw(&mut self, ctx: &Context, key: String, size: Size, (scene, teams): (&Scene, &[TeamInfo])) {
        let Some((_, drawer)) = &mut self.drawer else { return };
        let rgb = drawer.draw(scene, teams);
        let image = ColorImage::from_rgb([size.width as usize, size.height as usize], &rgb);
        let texture = ctx.load_texture(key.clone(), image, TextureOptions::LINEAR);
        self.textures.insert(key, texture);
    }
}
