//! Tile of a wall: the picture, the teams with their scores, the clock, and the result.

use eframe::egui::text::{LayoutJob, TextFormat};
use eframe::egui::{
    Align, Color32, Context, CornerRadius, FontId, Pos2, Rect, Role, Stroke, StrokeKind, Ui, UiBuilder, Vec2,
    pos2, vec2,
};
use grandstand_board::node;
use grandstand_board::text::fitted;
use grandstand_board::theme::{Palette, SMALL, mix, semibold};
use grandstand_board::{BoardInput, BoardOptions};
use grandstand_protocol::SeatRequest;
use grandstand_story::format;
use grandstand_story::games::sides;
use grandstand_story::interest::{Interest, interest};
use grandstand_story::sides::Side;
use grandstand_story::story;

use super::caption::{self, Note};
use super::game_name::called;
use super::tiling::{Arrangement, BoardShape, MARGIN, Names, Plan, Text, Words};
use crate::address::Target;
use crate::errors::SourceError;
use crate::session::{MatchView, Stage};
use crate::source::Connection;

/// Height of the line that tells how much of a recording was played, in points.
const PROGRESS: f32 = 2.5;
/// Height of a board below which coordinates are left out as unreadable, in points.
const COORDINATES: f32 = 300.0;

/// A match on the wall.
#[derive(Debug)]
pub(crate) struct Tile {
    /// Identifies the tile; two tiles may show the same match.
    pub number: u64,
    pub session: MatchView,
    /// The tile keeps its place, before those that come and go.
    pub pinned: bool,
    /// When the match ended or the recording was played to its end, in seconds of egui's time.
    pub over: Option<f64>,
    /// What the match is called in the captions, and shorter; otherwise by its game.
    pub called: Option<[String; 2]>,
    /// What tells it from a tile with the same captions, such as the name of its file.
    pub apart: Option<String>,
}

/// Look of a tile in one frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct TileLook {
    pub text: Text,
    pub options: BoardOptions,
    pub common: SharedLayout,
    /// Whether the tile says why it is worth watching.
    pub reasons: bool,
    /// The tile has the pointer or the focus.
    pub hot: bool,
    pub focused: bool,
    /// Where the tile's buttons are shown, or its sign.
    pub corner: Option<Rect>,
}

impl Tile {
    pub(super) fn new(number: u64, session: MatchView, pinned: bool) -> Tile {
        Tile { number, session, pinned, over: None, called: None, apart: None }
    }

    /// Whether it shows a recording, which is played again and again.
    pub(super) fn is_recording(&self) -> bool {
        !matches!(self.session.target, Target::Match { .. })
    }

    pub(super) fn shape(&self, ctx: &Context) -> BoardShape {
        BoardShape::of(self.session.scene(), ctx)
    }

    /// The tile's content in words, for screen readers, and for the card where something is cut.
    pub(super) fn label(&self) -> String {
        let session = &self.session;
        let sides = sides(session.scene(), &session.about.teams);
        let title = session.about.title.trim();
        match &session.stage {
            Stage::Opening => format!("Opening {}", session.target),
            Stage::Failed(trouble) => format!("{}: {}", session.target, trouble.title),
            Stage::Open if session.hides_picture() => {
                let names: Vec<&str> = sides.iter().map(|side| side.name.as_str()).collect();
                format!("{title}: {}. Over, and hidden", names.join(", "))
            }
            Stage::Open => {
                let counts = caption::counts(session);
                let score = |side: &Side| match counts {
                    true => format!("{} {}", side.name, side.score),
                    false => side.name.clone(),
                };
                let scores: Vec<String> = sides.iter().map(score).collect();
                let mut label = scores.join(", ");
                if !title.is_empty() {
                    label = format!("{title}: {label}");
                }
                let moment = story(session.scene()).progress_text();
                let note = note(session, &sides).map_or(moment, |(note, _)| note);
                let live = if session.is_live() { ", live" } else { "" };
                let [called, _] = self.called();
                format!("{label}. {note}{live}. {called}")
            }
        }
    }

    /// What the match is called in the captions, and shorter.
    fn called(&self) -> [String; 2] {
        let [long, short] = self.called.clone().unwrap_or_else(|| called(&self.session));
        match &self.apart {
            // The sign of the game stands beside the shorter one. A file that is named after the map says that.
            Some(apart) => {
                let says = |part: &str| apart.to_lowercase().starts_with(&part.to_lowercase());
                let parts: Vec<&str> =
                    long.split(" · ").filter(|part| !says(part)).chain([&**apart]).collect();
                [parts.join(" · "), apart.clone()]
            }
            None => [long, short],
        }
    }

    /// What tiles with the same captions share: the teams' names, and what the match is called.
    pub(super) fn captions(&self) -> Vec<String> {
        let sides = sides(self.session.scene(), &self.session.about.teams);
        let [called, _] = self.called.clone().unwrap_or_else(|| called(&self.session));
        sides.into_iter().map(|side| side.name).chain([called]).collect()
    }

    /// What makes the match worth watching now.
    pub(super) fn interest(&self, wanted: bool) -> Option<String> {
        self.ranked().filter(|_| wanted).map(|interest| interest.words)
    }

    /// Interest of the match; `None` without any, and once it is over.
    pub(super) fn ranked(&self) -> Option<Interest> {
        let session = &self.session;
        let goes_on = matches!(session.stage, Stage::Open) && !session.hides_picture() && self.over.is_none();
        let about = &session.about;
        goes_on
            .then(|| interest(session.scene(), &about.teams, about.rules.as_ref(), session.secs()))
            .flatten()
    }

    /// The part of a recording that was played; `None` for live matches, and where it would tell how long the match goes on.
    fn progress(&self) -> Option<f32> {
        let session = &self.session;
        let is_known = self.is_recording() && matches!(session.stage, Stage::Open);
        let part = session.secs() / session.end_secs().max(1e-6);
        (is_known && !session.is_spoiler_free()).then_some(part.clamp(0.0, 1.0) as f32)
    }

    /// Paints the tile into `rect`.
    pub(super) fn paint(&self, ui: &mut Ui, rect: Rect, look: TileLook) -> Option<Painted> {
        let palette = Palette::of(ui.ctx());
        let radius = CornerRadius::same(8);
        let fill = mix(palette.ground, palette.panel, if look.hot { 1.0 } else { 0.55 });
        ui.painter().rect_filled(rect, radius, fill);
        let sides = sides(self.session.scene(), &self.session.about.teams);
        let shown = (&self.session, self.session.picture(&sides));
        let framing = Framing {
            common: Some(look.common),
            reason: self.interest(look.reasons),
            called: Some(self.called()),
            corner: look.corner,
            ..Framing::new(look.text, look.options)
        };
        let painted = paint_board(ui, rect.shrink(MARGIN), shown, &framing);
        if let Some(part) = self.progress() {
            progress_line(ui, rect, part);
        }
        if look.focused {
            ui.painter().rect_stroke(rect, radius, Stroke::new(2.0, palette.accent), StrokeKind::Inside);
        }
        painted
    }

    /// What the tile's card says, which the tile does not show: what has no room where something is cut, and the place of the board under
    /// the pointer.
    pub(super) fn card(&self, painted: &Painted, at: Pos2, is_cut: bool) -> Vec<String> {
        let session = &self.session;
        let sides = sides(session.scene(), &session.about.teams);
        let picture = session.picture(&sides);
        let place = told_place(session, &picture, painted, at);
        is_cut.then(|| self.label()).into_iter().chain(place).collect()
    }
}

/// A thin line at the lower edge of a tile: how much of a recording was played.
fn progress_line(ui: &Ui, tile: Rect, part: f32) {
    let palette = Palette::of(ui.ctx());
    let line =
        Rect::from_min_max(pos2(tile.left() + 8.0, tile.bottom() - PROGRESS), tile.max - vec2(8.0, 0.0));
    ui.painter().rect_filled(line, PROGRESS / 2.0, mix(palette.ground, palette.text, 0.16));
    let played = line.with_max_x(line.left() + line.width() * part);
    ui.painter().rect_filled(played, PROGRESS / 2.0, palette.accent);
}

/// The place of a painted board at a point of the screen, in words.
fn told_place(session: &MatchView, picture: &BoardInput<'_>, painted: &Painted, at: Pos2) -> Option<String> {
    let place = session.board().place_at(painted.board, picture, painted.options, at)?;
    story(session.scene()).describe(place)
}

/// A painted board: its rectangle and its options.
#[derive(Debug)]
pub(crate) struct Painted {
    pub board: Rect,
    pub options: BoardOptions,
    /// The viewer's move on it.
    pub request: Option<SeatRequest>,
}

/// Layout shared by all tiles of a wall.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SharedLayout {
    /// Room for the names.
    names: Names,
    /// Where the captions are.
    arrangement: Arrangement,
}

impl SharedLayout {
    /// For these matches, each in a rectangle of this size.
    pub(crate) fn of<'a>(
        ui: &Ui,
        matches: impl Iterator<Item = &'a MatchView>,
        area: Rect,
        text: Text,
    ) -> SharedLayout {
        let open = matches.filter(|session| matches!(session.stage, Stage::Open)).collect::<Vec<_>>();
        let size = text.size(area.size());
        let names = open.iter().map(|session| {
            let sides = sides(session.scene(), &session.about.teams);
            caption::names(ui.painter(), session, &sides, size)
        });
        let names = names.fold(Names::short(size), Names::max);
        let shape = |session: &&MatchView| BoardShape::of(session.scene(), ui.ctx());
        let shapes: Vec<BoardShape> = open.iter().map(shape).collect();
        SharedLayout { names, arrangement: Arrangement::best(area, &shapes, size, names) }
    }
}

/// How a board is painted with its captions.
#[derive(Debug, Clone)]
pub(crate) struct Framing {
    pub text: Text,
    pub options: BoardOptions,
    /// What it has in common with the boards beside it.
    pub common: Option<SharedLayout>,
    /// Why the match is worth watching.
    pub reason: Option<String>,
    /// What the match is called in the captions, and shorter; otherwise by its game.
    pub called: Option<[String; 2]>,
    /// Where the captions give way to buttons or a sign.
    pub corner: Option<Rect>,
}

impl Framing {
    /// For a board by itself.
    pub(crate) fn new(text: Text, options: BoardOptions) -> Self {
        Framing { text, options, common: None, reason: None, called: None, corner: None }
    }
}

/// Paints a board with its captions into `area`, as large as fits; `None` without a board.
pub(crate) fn paint_board(
    ui: &mut Ui,
    area: Rect,
    (session, picture): (&MatchView, BoardInput<'_>),
    framing: &Framing,
) -> Option<Painted> {
    let Framing { text, options, .. } = *framing;
    let palette = Palette::of(ui.ctx());
    let size = text.size(area.size());
    match &session.stage {
        Stage::Open if session.hides_picture() => {
            centered(ui, area, "Over. Open it to watch it from its start.", palette.weak, size);
        }
        Stage::Open => {
            let sides = picture.sides;
            let shape = BoardShape::of(session.scene(), ui.ctx());
            let reason = framing.reason.clone().map(|words| (words, Tone::Reason));
            let note = note(session, sides).or(reason);
            let own = || SharedLayout::of(ui, std::iter::once(session), area, text);
            let SharedLayout { names, arrangement } = framing.common.unwrap_or_else(own);
            let plan = Plan::arranged(area, shape, size, names, arrangement);
            let coordinates = options.coordinates && plan.board.height() > COORDINATES;
            let labels = options.labels && coordinates;
            let options =
                BoardOptions { coordinates, labels, upright: plan.upright, is_tile: true, ..options };
            let shown = ui.scope_builder(UiBuilder::new().max_rect(plan.board), |ui| {
                ui.shrink_clip_rect(plan.board.expand(2.0));
                let picture = BoardInput { pixels: ui.ctx().pixels_per_point(), ..picture };
                session.board().show(ui, plan.board, &picture, options)
            });
            let who = session.result().map(|result| format::who_and_why(result, sides).0);
            let note = note.map(|(text, tone)| {
                let short = who.filter(|who| text.starts_with(who));
                let over = (tone == Tone::Result).then(|| "Over".to_owned());
                let texts = std::iter::once(text).chain(short).chain(over).collect();
                Note { texts, ink: tone.ink(palette) }
            });
            let called = framing.called.clone().unwrap_or_else(|| called(session));
            let words = match framing.corner {
                Some(corner) => plan.words.clear_of(corner),
                None => plan.words,
            };
            caption::paint(ui, &words, (session, sides, &called), note.as_ref(), size);
            if let (Some(note), Words::Beside { .. }) = (note, &words) {
                strip(ui, area, &note, size);
            }
            return Some(Painted { board: plan.board, options, request: shown.inner });
        }
        Stage::Opening => centered(ui, area, "Opening…", palette.weak, size),
        Stage::Failed(trouble) => failed(ui, area, trouble, size),
    }
    None
}

/// What the tile says besides the score: the result, or a trouble with the connection.
fn note(session: &MatchView, sides: &[Side]) -> Option<(String, Tone)> {
    if session.is_at_end() {
        let verdict = story(session.scene()).verdict().map(|verdict| verdict.words(sides));
        let text = session.result().map(|result| format::result_sentence(result, sides));
        return Some((text.or(verdict).unwrap_or_else(|| "Match over".to_owned()), Tone::Result));
    }
    if let Some(verdict) = story(session.scene()).verdict() {
        return Some((verdict.words(sides), Tone::Result));
    }
    match &session.connection {
        Some((Connection::Waiting { .. }, _)) => Some(("Reconnecting…".to_owned(), Tone::SourceError)),
        _ => None,
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Tone {
    Result,
    Reason,
    SourceError,
}

impl Tone {
    fn ink(self, palette: &Palette) -> Color32 {
        match self {
            Tone::Result => palette.text,
            Tone::Reason => palette.accent,
            Tone::SourceError => palette.warning,
        }
    }
}

/// A strip at the tile's lower edge with the note.
fn strip(ui: &Ui, tile: Rect, note: &Note, size: f32) {
    let palette = Palette::of(ui.ctx());
    let Some(galley) = note.fitting(ui.painter(), tile.width() - 1.2 * size, size) else { return };
    let around = galley.size() + vec2(size * 1.2, size * 0.4);
    let rect = Rect::from_center_size(pos2(tile.center().x, tile.bottom() - around.y / 2.0 - 2.0), around);
    let painter = ui.painter();
    painter.rect_filled(rect, CornerRadius::same(8), palette.panel.gamma_multiply(0.94));
    painter.rect_stroke(rect, CornerRadius::same(8), Stroke::new(1.0, palette.line), StrokeKind::Inside);
    painter.galley(rect.center() - galley.size() / 2.0, galley, note.ink);
}

/// An error, with its details if they fit.
fn failed(ui: &Ui, area: Rect, trouble: &SourceError, size: f32) {
    let palette = Palette::of(ui.ctx());
    node::show(ui, area, "trouble", Role::Label, trouble);
    let width = area.width() - 2.0 * size;
    let text = format!("{} {}", trouble.detail, trouble.advice);
    let small = FontId::proportional((size * 0.8).max(SMALL));
    let mut job = LayoutJob::single_section(text, TextFormat::simple(small, palette.weak));
    (job.wrap.max_width, job.halign) = (width, Align::Center);
    let detail = ui.painter().layout_job(job);
    let title = fitted(ui.painter(), &trouble.title, FontId::new(size, semibold()), palette.error, width);
    let height = title.size().y + size * 0.5 + detail.size().y;
    if width < 160.0 || height > area.height() {
        return centered(ui, area, &trouble.title, palette.error, size);
    }
    let top = area.center().y - height / 2.0;
    let below = top + title.size().y + size * 0.5;
    ui.painter().galley(pos2(area.center().x - title.size().x / 2.0, top), title, palette.error);
    ui.painter().galley(pos2(area.center().x, below), detail, palette.weak);
}

fn centered(ui: &Ui, area: Rect, text: &str, ink: Color32, size: f32) {
    let galley = fitted(ui.painter(), text, FontId::proportional(size), ink, area.width());
    ui.painter().galley(area.center() - galley.size() / 2.0, galley, ink);
}

/// Size of a tile's buttons, in points.
pub(super) fn button_size(text: Text, tile: Rect) -> Vec2 {
    Vec2::splat((text.size(tile.size()) * 1.3).max(2.0 * SMALL))
}
