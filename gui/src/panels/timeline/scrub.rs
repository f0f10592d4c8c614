//! Scrub preview: the board of the moment that the pointer is at, above the timeline, with its time and what happened then.

use eframe::egui::{
    Align2, Area, FontId, Frame, Id, Margin, Order, Pos2, Rect, Sense, Stroke, Ui, UiBuilder, pos2, vec2,
};
use grandstand_board::theme::{BODY, Palette, SMALL, semibold};
use grandstand_board::{self as board, BoardInput, BoardOptions, BoardPainter, Hidden};
use grandstand_protocol::Game;
use grandstand_replays::Cursor;
use grandstand_story::sides::Side;

use crate::layout::ScreenLayout;
use crate::session::Session;

/// Maximum height of the board, in points.
const HEIGHT: f32 = 168.0;
/// The same of a board that is turned upright.
const UPRIGHT: f32 = 240.0;
/// Maximum width of the board, in points.
const WIDTH: f32 = 250.0;
/// Maximum width of the words, in points.
const WORDS: f32 = 340.0;
/// Least height of a window that shows the board beside the words, in points.
const ROOM: f32 = 420.0;

/// Board of the moment under the pointer.
#[derive(Debug)]
struct Preview {
    game: Game,
    cursor: Cursor,
    board: Box<dyn BoardPainter>,
}

/// State kept between frames, so that a pointer that moves on costs a few commands.
#[derive(Debug, Default)]
pub(super) struct Scrub {
    preview: Option<Preview>,
    /// Whether the board is upright, as the match's own is.
    pub upright: bool,
    /// Whether the words come without the board.
    pub words_only: bool,
}

impl Scrub {
    /// Options of the board.
    fn options(&self) -> BoardOptions {
        BoardOptions {
            coordinates: false,
            labels: false,
            numbers: false,
            thoughts: false,
            upright: self.upright,
            is_tile: true,
            ..BoardOptions::default()
        }
    }

    /// Shows the moment after command `seq` with `lines` below it; `at` is the middle of its lower edge.
    pub(super) fn show(
        &mut self,
        ui: &Ui,
        session: &Session,
        sides: &[Side],
        (seq, at): (u64, Pos2),
        lines: &[String],
    ) {
        let ctx = ui.ctx().clone();
        let palette = Palette::of(&ctx);
        let whole = ctx.content_rect();
        let options = self.options();
        let has_board = whole.height() >= ROOM && !session.hides_picture() && !self.words_only;
        let picture = has_board.then(|| self.at(session, seq)).flatten();
        let size = picture.map(|preview| {
            let shape = board::view(preview.cursor.scene()).shape_with(options);
            let most = if options.upright { UPRIGHT } else { HEIGHT };
            let room = vec2(WIDTH.min(whole.width() * 0.45), most.min(whole.height() * 0.28));
            let height = room.y.min(room.x / shape);
            vec2(height * shape, height)
        });
        let font = |index: usize| match index {
            0 => FontId::new(BODY, semibold()),
            _ => FontId::proportional(SMALL),
        };
        // As wide as its longest line, where there is room.
        let longest = lines.iter().enumerate().map(|(index, line)| {
            ui.painter().layout_no_wrap(line.clone(), font(index), palette.text).size().x.ceil()
        });
        let longest = longest.fold(150.0, f32::max).min(WORDS.min(whole.width() - 40.0));
        let width = size.map_or(longest, |size| size.x.max(longest));
        // Clamp the centre so that the preview stays inside the window.
        let half = width / 2.0 + 10.0;
        let x = at
            .x
            .clamp((whole.left() + half).min(whole.center().x), (whole.right() - half).max(whole.center().x));
        let area = Area::new(Id::unique("scrub preview"))
            .order(Order::Tooltip)
            .pivot(Align2::CENTER_BOTTOM)
            .fixed_pos(pos2(x, at.y))
            .constrain(true)
            .interactable(false);
        let shown = area.show(&ctx, |ui| {
            let frame =
                Frame::new().fill(palette.panel).stroke(Stroke::new(1.0, palette.line)).corner_radius(8.0);
            frame.inner_margin(Margin::same(6)).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                if let (Some(preview), Some(size)) = (picture, size) {
                    let (row, _) = ui.allocate_exact_size(vec2(width, size.y), Sense::hover());
                    let rect = Rect::from_center_size(row.center(), size);
                    ui.painter().rect_filled(rect, 5.0, palette.ground);
                    paint(ui, (rect, options), preview, session, sides);
                }
                ui.set_max_width(width);
                for (index, line) in lines.iter().enumerate() {
                    // Painted rather than a label: the timeline already describes this moment to screen readers.
                    let galley = ui.painter().layout(line.clone(), font(index), palette.text, width + 1.0);
                    let (rect, _) = ui.allocate_exact_size(galley.size(), Sense::hover());
                    ui.painter().galley(rect.min, galley, palette.text);
                }
            });
        });
        // Hidden from accessibility: the timeline already describes this moment.
        ctx.accesskit_node_builder(shown.response.id, |node| node.set_hidden());
    }

    /// The board after a command; `None` if the log has not got it.
    fn at(&mut self, session: &Session, seq: u64) -> Option<&Preview> {
        let log = session.log();
        if !log.knows(seq) {
            return None;
        }
        let known = self.preview.take().filter(|preview| preview.game == log.game());
        let mut preview = known.unwrap_or_else(|| {
            let cursor = Cursor::new(log);
            Preview { game: log.game(), board: board::view(cursor.scene()).new_painter(), cursor }
        });
        preview.cursor.move_to(log, seq);
        Some(self.preview.insert(preview))
    }
}

fn paint(
    ui: &mut Ui,
    (rect, options): (Rect, BoardOptions),
    preview: &Preview,
    session: &Session,
    sides: &[Side],
) {
    let scene = preview.cursor.scene();
    let secs = session.log().time_of(preview.cursor.seq()).as_secs_f64();
    let picture = BoardInput {
        scene,
        sides,
        now: session.now(),
        secs,
        playback_rate: 0.0,
        hidden: Hidden::NONE,
        pixels: ui.ctx().pixels_per_point(),
        zoom: 1.0,
        seen: None,
        rules: None,
        may_move: None,
        pending: None,
        cursor: None,
        pressed: false,
        marked: &[],
    };
    let mut inside = ui.new_child(UiBuilder::new().max_rect(rect));
    inside.shrink_clip_rect(rect);
    preview.board.show(&mut inside, rect.shrink(2.0), &picture, options);
}

/// Gap above the timeline, in points: larger on touch screens, where the finger covers what is right above it.
pub(super) fn gap(layout: ScreenLayout) -> f32 {
    if layout.is_touched() { 18.0 } else { 8.0 }
}
