//! Preview of an exported picture.

use std::fmt;

use eframe::egui::{ColorImage, Image, TextureFilter, TextureHandle, TextureOptions, Ui, Vec2, vec2};
use grandstand_export::{Look, Moment, Size, still};

use crate::session::Session;

/// What is drawn for it is at most so large, in pixels: larger pictures are laid out alike.
const DRAWN: Vec2 = vec2(1280.0, 720.0);
/// The least side of a picture, in pixels.
const LEAST: u32 = 64;

/// A picture as it will be, small.
#[derive(Default)]
pub(crate) struct ExportPreview {
    /// What is drawn, and the picture; `None` where there is none.
    drawn: Option<(Key, Option<TextureHandle>)>,
}

/// Cache key of the preview.
type Key = (Moment, u64, [u32; 2], bool, bool);

impl fmt::Debug for ExportPreview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExportPreview").finish_non_exhaustive()
    }
}

impl ExportPreview {
    /// Shows the picture of a moment, at most `largest` points large; without one, nothing.
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        session: &Session,
        (at, size, look): (Moment, Size, Look),
        largest: Vec2,
    ) {
        let wanted = vec2(size.width as f32, size.height as f32);
        let scale = (largest / wanted).min_elem();
        let pixels = (wanted * (DRAWN / wanted).min_elem().min(1.0)).round();
        let [width, height] = [pixels.x as u32, pixels.y as u32];
        if width < LEAST || height < LEAST {
            return;
        }
        let key = (at, session.log().last_seq(), [width, height], look.light, look.part.is_some());
        if self.drawn.as_ref().is_none_or(|(drawn, _)| *drawn != key) {
            let drawn = still(session.material(), at, Size { width, height }, look).ok();
            let texture = drawn.map(|rgb| {
                let image = ColorImage::from_rgb([width as usize, height as usize], &rgb);
                let smooth =
                    TextureOptions { mipmap_mode: Some(TextureFilter::Linear), ..TextureOptions::LINEAR };
                ui.ctx().load_texture("export preview", image, smooth)
            });
            self.drawn = Some((key, texture));
        }
        if let Some((_, Some(texture))) = &self.drawn {
            ui.vertical_centered(|ui| {
                ui.add(
                    Image::from_texture(texture)
                        .fit_to_exact_size(wanted * scale)
                        .alt_text("Preview of the picture"),
                );
            });
            ui.add_space(6.0);
        }
    }
}
