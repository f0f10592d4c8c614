//! The interface without a window: the picture that the window shows of a match, as shapes.

use egui::{
    CentralPanel, Color32, Context, FontId, Frame, RawInput, Rect, Theme, ThemePreference, Ui, ViewportId,
    pos2, vec2,
};
use grandstand_board::pixels::shapes::ShapeList;
use grandstand_board::pixels::{self, Size, TextOutlines};
use grandstand_board::scoreboard::{self, ScoreboardState};
use grandstand_board::text::fitted;
use grandstand_board::theme::{self, Palette};
use grandstand_board::{self as board, MatchContext, VisiblePart};
use grandstand_protocol::Scene;
use grandstand_replays::Growth;
use grandstand_replays::playback::State;
use grandstand_story::Side;
use grandstand_story::games::sides;

use crate::clip::{Clip, Match};
use crate::plan::Look;

/// The interface without a window that shows clips.
pub(super) struct OffscreenUi {
    ctx: Context,
    letters: TextOutlines,
    size: Size,
    look: Look,
}

/// The height of the line that names the game, in points; lower pictures have none.
const IDENTITY: f32 = 20.0;
const LEAST_HEIGHT: f32 = 320.0;

/// Names the game with its sign at the lower edge; the y where the board ends.
fn identity_line(ui: &Ui, rect: Rect, scene: &Scene, words: &str) -> f32 {
    if rect.height() < LEAST_HEIGHT {
        return rect.bottom();
    }
    let palette = Palette::of(ui.ctx());
    let top = rect.bottom() - IDENTITY - 2.0;
    let font = FontId::proportional(theme::SMALL);
    let room = rect.width() - 20.0 - IDENTITY;
    let text = fitted(ui.painter(), words, font, palette.weak, room);
    let left = rect.center().x - (text.size().x + IDENTITY) / 2.0;
    let middle = top + IDENTITY / 2.0;
    let square = Rect::from_center_size(pos2(left + 7.0, middle), vec2(14.0, 14.0));
    board::view(scene).thumbnail(ui.painter(), palette, square);
    ui.painter().galley(pos2(left + IDENTITY, middle - text.size().y / 2.0), text, palette.weak);
    top
}

impl OffscreenUi {
    pub(super) fn new(size: Size, look: Look) -> OffscreenUi {
        let ctx = Context::default();
        theme::install(&ctx);
        ctx.set_theme(if look.light { ThemePreference::Light } else { ThemePreference::Dark });
        OffscreenUi { ctx, letters: TextOutlines::new(), size, look }
    }

    /// The board alone, as large as it fits.
    pub(super) fn board(&mut self, scene: &Scene, sides: &[Side]) -> ShapeList {
        let view = board::view(scene);
        let painter = view.new_painter();
        let options = self.look.options;
        let hidden = self.look.hidden.clone();
        self.shapes(1.0, 1.0, |ui| {
            let picture = board::BoardInput {
                scene,
                sides,
                now: 1.0,
                secs: 0.0,
                playback_rate: 0.0,
                hidden: &hidden,
                pixels: 1.0,
                zoom: 1.0,
                seen: None,
                rules: None,
                may_move: None,
                pending: None,
                cursor: None,
                pressed: false,
                marked: &[],
            };
            painter.show(ui, ui.max_rect().shrink(2.0), &picture, options);
        })
    }

    /// The picture that the window shows of a match: the line with the score, and the board.
    pub(super) fn picture(&mut self, of: Match<'_>, clip: &Clip) -> ShapeList {
        // The same zoom as in the window: large sizes are scaled up.
        let scale = theme::zoom_for(vec2(self.size.width as f32, self.size.height as f32));
        let look = self.look.clone();
        self.shapes(scale, clip.now(), |ui| {
            let height = scoreboard::height(ui.ctx().content_rect().size());
            let rect = ui.max_rect();
            let scene = clip.scene();
            let sides = sides(scene, of.teams);
            let secs = clip.playback().time().as_secs_f64();
            let complete = of.log.growth() == Growth::Complete && clip.seq() == of.log.last_seq();
            let result = of.log.end().and_then(|end| end.result.as_ref());
            let about = MatchContext { rules: of.rules, secs, present: None, is_judged: false };
            let standing = ScoreboardState {
                scene,
                about,
                over: complete.then_some(result),
                told: false,
                you: None,
                evaluates: false,
                rim: (0.0, 0.0),
            };
            let line = Rect::from_min_size(rect.min + vec2(10.0, 4.0), vec2(rect.width() - 20.0, height));
            scoreboard::show(ui, line, &standing, &sides);
            let foot = identity_line(ui, rect, scene, &of.identity(scene));
            let board = Rect::from_min_max(pos2(rect.left(), line.bottom()), pos2(rect.right(), foot));
            let plays = clip.playback().state() != State::Paused;
            let picture = board::BoardInput {
                scene,
                sides: &sides,
                now: clip.now(),
                secs,
                playback_rate: if plays { clip.playback().speed().factor() } else { 0.0 },
                hidden: &look.hidden,
                pixels: scale,
                zoom: 1.0,
                seen: None,
                rules: None,
                may_move: None,
                pending: None,
                cursor: None,
                pressed: false,
                marked: &[],
            };
            let area = board.shrink2(vec2(10.0, 4.0));
            let whole = |part: VisiblePart| part.place(area, board::view(scene).shape_with(look.options));
            if look.part.is_some() {
                ui.shrink_clip_rect(area);
            }
            let rect = look.part.map_or(area, whole);
            let picture = board::BoardInput { zoom: rect.width() / area.width().max(1.0), ..picture };
            clip.board().show(ui, rect, &picture, look.options);
        })
    }

    /// The shapes of one frame, with `scale` pixels per point. `now` is the time in seconds.
    fn shapes(&mut self, scale: f32, now: f64, mut show: impl FnMut(&mut Ui)) -> ShapeList {
        let pixels = vec2(self.size.width as f32, self.size.height as f32);
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), pixels / scale)),
            time: Some(now),
            max_texture_side: Some(4096),
            system_theme: Some(if self.look.light { Theme::Light } else { Theme::Dark }),
            ..RawInput::default()
        };
        input.viewports.entry(ViewportId::ROOT).or_default().native_pixels_per_point = Some(scale);
        let mut ground = Color32::BLACK;
        let output = self.ctx.run_ui(input, |ui| {
            let palette = Palette::of(ui.ctx());
            ground = palette.ground;
            CentralPanel::default().frame(Frame::new()).show(ui, |ui| show(ui));
        });
        let picture = pixels::take(&output.shapes, self.size, scale, ground, &mut self.letters);
        output.drop_without_applying_deltas();
        picture
    }
}
