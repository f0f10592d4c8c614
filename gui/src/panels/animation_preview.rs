//! Preview of an animation before it is exported: its pictures played through, its length, and how large the file will be.

use std::fmt;
use std::time::Duration;

use eframe::egui::{
    Color32, ColorImage, CornerRadius, Image, Rect, Role, Sense, TextureHandle, TextureOptions, Ui, Vec2,
    WidgetInfo, pos2, vec2,
};
use grandstand_board::theme::Palette;
use grandstand_export::{BYTES_MAX, Format, Plan, Size, Sketch};
use grandstand_replays::{Growth, Speed};
use grandstand_story::format;

use crate::budget::Budget;
use crate::session::Session;

/// Time for drawing in one frame of the interface.
const BUDGET: Duration = Duration::from_millis(5);
/// How many times as long as it was drawn nothing is drawn: whatever a step takes on a slow machine, two thirds of the time are
/// the window's.
const RESTS: f64 = 2.0;
/// How long a change of the form stands before it is drawn, in seconds.
const SETTLES: f64 = 0.25;
/// How long the pictures take, at most, and how long the last one stands, in seconds.
const PLAYS: f32 = 4.0;
const STANDS: f32 = 1.0;
/// Time between two looks at which picture is to be seen.
const TICK: Duration = Duration::from_millis(50);
/// Thickness of the line that says how far it is, in points.
const LINE: f32 = 3.0;

/// The preview.
#[derive(Default)]
pub(crate) struct AnimationPreview {
    /// What is shown.
    key: Option<Key>,
    /// What was asked for last, and since when.
    asked: Option<(Key, f64)>,
    sketch: Option<Sketch>,
    /// Nothing is drawn until this time.
    rests_until: f64,
    /// Why there is none.
    refused: Option<String>,
    /// The pictures with the parts of the length at which they begin.
    pictures: Vec<(f32, TextureHandle)>,
    /// When it began to play; while it stands, how far it is.
    began: f64,
    stands: Option<f64>,
}

/// What a preview depends on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Key {
    pub format: Format,
    pub range: [String; 2],
    pub size: Size,
    pub speed: Speed,
    pub skips_idle: bool,
    pub light: bool,
    pub is_part: bool,
}

impl fmt::Debug for AnimationPreview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnimationPreview").field("key", &self.key).finish_non_exhaustive()
    }
}

impl AnimationPreview {
    /// Draws for a while what belongs to `key`; `plan` says what that is. `largest` is the room for it, in points.
    pub(crate) fn work(&mut self, ui: &Ui, session: &Session, key: Key, plan: Plan, largest: Vec2) {
        // A recording that is still being read is sketched when it is whole.
        if session.log().growth() == Growth::Loading {
            return ui.ctx().request_repaint_after(TICK);
        }
        let now = ui.input(|input| input.time);
        if self.asked.as_ref().is_none_or(|(asked, _)| *asked != key) {
            self.asked = Some((key.clone(), now));
        }
        if self.key.as_ref() != Some(&key) {
            let since = self.asked.as_ref().map_or(now, |(_, since)| *since);
            if self.key.is_some() && now - since < SETTLES {
                return ui.ctx().request_repaint_after(TICK);
            }
            self.begin(ui, session, plan, largest);
            (self.key, self.began, self.stands) = (Some(key), now, None);
        }
        let Some(sketch) = self.sketch.as_mut().filter(|sketch| !sketch.is_done()) else { return };
        if now < self.rests_until {
            let rest = Duration::from_secs_f64(self.rests_until - now);
            return ui.ctx().request_repaint_after(rest);
        }
        let time = Budget::new(BUDGET);
        while !sketch.is_done() && time.is_left() {
            match sketch.step(session.material()) {
                Ok(None) => {}
                Ok(Some(picture)) => {
                    let size = sketch.picture_size();
                    let image =
                        ColorImage::from_rgb([size.width as usize, size.height as usize], &picture.rgb);
                    let name = format!("export preview {}", self.pictures.len());
                    let texture = ui.ctx().load_texture(name, image, TextureOptions::LINEAR);
                    self.pictures.push((picture.at, texture));
                }
                Err(error) => {
                    self.refused = Some(error.to_string());
                    self.sketch = None;
                    return;
                }
            }
        }
        let rest = RESTS * time.elapsed().as_secs_f64();
        self.rests_until = now + rest;
        ui.ctx().request_repaint_after(Duration::from_secs_f64(rest));
    }

    fn begin(&mut self, ui: &Ui, session: &Session, plan: Plan, largest: Vec2) {
        self.pictures.clear();
        let shown = fitted(plan.size, largest) * ui.pixels_per_point();
        let side = |shown: f32, all: u32| (shown.round() as u32).clamp(1, all);
        let small = Size { width: side(shown.x, plan.size.width), height: side(shown.y, plan.size.height) };
        let sketch = Sketch::new(session.material(), plan.what, plan.size, plan.look, small);
        (self.sketch, self.refused) = match sketch {
            Ok(sketch) => (sketch, None),
            Err(error) => (None, Some(error.to_string())),
        };
    }

    /// Shows the pictures one after the other, in a frame of the animation's shape at most `largest` points large. A click
    /// holds it.
    pub(crate) fn show(&mut self, ui: &mut Ui, size: Size, largest: Vec2) {
        let palette = Palette::of(ui.ctx());
        let now = ui.input(|input| input.time);
        ui.vertical_centered(|ui| {
            let (rect, response) = ui.allocate_exact_size(fitted(size, largest), Sense::click());
            let words = if self.stands.is_some() { "Play the preview" } else { "Pause the preview" };
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, words));
            if response.clicked() {
                self.stands = match self.stands {
                    Some(passed) => {
                        self.began = now - passed;
                        None
                    }
                    None => Some(now - self.began),
                };
            }
            let painter = ui.painter();
            painter.rect_filled(rect, CornerRadius::same(3), palette.ground);
            let Some(sketch) = &self.sketch else { return };
            let plays = sketch.length().as_secs_f32().min(PLAYS);
            let passed = (self.stands.unwrap_or(now - self.began) as f32).rem_euclid(plays + STANDS);
            let part = (passed / plays).min(1.0);
            let shown = self.pictures.iter().rev().find(|(at, _)| *at <= part).or(self.pictures.first());
            if let Some((_, texture)) = shown {
                Image::from_texture(texture).paint_at(ui, rect);
            }
            // How far it is, as players of videos say it.
            let foot = Rect::from_min_max(pos2(rect.left(), rect.bottom() - LINE), rect.max);
            let done = Rect::from_min_size(foot.min, vec2(foot.width() * part, LINE));
            ui.painter().rect_filled(foot, 0.0, palette.text.gamma_multiply(0.18));
            ui.painter().rect_filled(done, 0.0, palette.accent);
            if response.hovered() || response.has_focus() || self.stands.is_some() {
                paint_sign(ui, rect, self.stands.is_some());
            }
            response.on_hover_text(format!("{words}: its pictures one after the other"));
            if self.stands.is_none() && self.pictures.len() > 1 {
                ui.ctx().request_repaint_after(TICK);
            }
        });
        ui.add_space(6.0);
    }

    /// How long it is, of how many frames, and about how large, with whether that is too much; or why it can't be made.
    pub(crate) fn words(&self) -> Option<(String, bool)> {
        if let Some(refused) = &self.refused {
            return Some((format::capitalised(refused), true));
        }
        let sketch = self.sketch.as_ref()?;
        let length = sketch.length().as_secs_f64();
        let frames = format::count(sketch.frames(), "frame", "frames");
        let (bytes, is_much) = match sketch.bytes() {
            Some(bytes) if bytes > BYTES_MAX => {
                (format!("{}, more than a file may have", about(bytes)), true)
            }
            Some(bytes) => (about(bytes), false),
            None => ("estimating the size …".to_owned(), false),
        };
        Some((format!("{} · {frames} · {bytes}", format::span(length)), is_much))
    }
}

/// A size in the shape of the picture, within the room.
fn fitted(size: Size, largest: Vec2) -> Vec2 {
    let wanted = vec2(size.width as f32, size.height as f32);
    wanted * (largest / wanted).min_elem()
}

/// The sign of what a click does, on a dark disc in the middle.
fn paint_sign(ui: &Ui, rect: Rect, plays: bool) {
    let (at, painter) = (rect.center(), ui.painter());
    painter.circle_filled(at, 20.0, Color32::from_black_alpha(150));
    if plays {
        let points = vec![at + vec2(-6.0, -9.0), at + vec2(10.0, 0.0), at + vec2(-6.0, 9.0)];
        painter.add(eframe::egui::Shape::convex_polygon(points, Color32::WHITE, (0.0, Color32::WHITE)));
    } else {
        for x in [-5.0, 5.0] {
            let bar = Rect::from_center_size(at + vec2(x, 0.0), vec2(5.0, 17.0));
            painter.rect_filled(bar, 1.0, Color32::WHITE);
        }
    }
}

/// `about 840 KB`: an estimate.
fn about(bytes: u64) -> String {
    format!("about {}", size_words(bytes))
}

/// `840 KB`, `1.8 MB`, `12 MB`: a size in two digits.
pub(crate) fn size_words(bytes: u64) -> String {
    let kilobytes = bytes as f64 / 1e3;
    let two_digits = |n: f64| {
        let step = 10_f64.powf(n.max(1.0).log10().floor() - 1.0);
        (n / step).round() * step
    };
    match two_digits(kilobytes) {
        n if n < 1000.0 => format!("{} KB", n.round().max(1.0)),
        n if n < 10_000.0 => format!("{:.1} MB", n / 1000.0),
        n => format!("{:.0} MB", n / 1000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_has_two_digits() {
        for (bytes, words) in [
            (12, "about 1 KB"),
            (4_321, "about 4 KB"),
            (83_900, "about 84 KB"),
            (838_000, "about 840 KB"),
            (999_999, "about 1.0 MB"),
            (1_840_000, "about 1.8 MB"),
            (11_600_000, "about 12 MB"),
            (237_000_000, "about 240 MB"),
        ] {
            assert_eq!(about(bytes), words);
        }
    }
}
