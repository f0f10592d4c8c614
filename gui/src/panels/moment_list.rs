//! Moments of a match as a list with time, team, text, turn and score; a click seeks to one.

use eframe::egui::text::{LayoutJob, TextFormat, TextWrapping};
use eframe::egui::{
    Align, Color32, CursorIcon, FontId, Layout, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui,
    UiBuilder, WidgetInfo, pos2, vec2,
};
use grandstand_board::badge::team_badge;
use grandstand_board::text::{self, with_short_names};
use grandstand_board::theme::{BODY, Palette, SMALL, mix};
use grandstand_story::format;
use grandstand_story::markers::{Marker, MarkerSides, Origin, Visible};
use grandstand_story::moments::{MomentRow, rows, standing};
use grandstand_story::reason::Reason;
use grandstand_story::sides::Side;
use grandstand_story::story;

use crate::layout::ScreenLayout;
use crate::panels::timeline::{self, TimelineRequest};
use crate::session::Session;
use crate::widgets::rows::Rows;

/// Height of a row under a pointer, in points.
const ROW: f32 = 28.0;
/// Height of a row with two lines, in points.
const HIGH_ROW: f32 = 42.0;
/// Width of the list from which a row has one line, in points.
const ONE_LINE_FROM: f32 = 460.0;

/// The list and its cached rows.
#[derive(Debug, Default)]
pub(crate) struct Moments {
    rows: Rows,
    /// All rows, in the order of their commands.
    all: Vec<MomentRow>,
    /// The rows that are shown.
    shown: Vec<MomentRow>,
    /// Key of the rows: versions of markers and bookmarks, the filter, whether all moments are shown, and whether the result is.
    rows_of: Option<(u64, u64, Visible, bool, bool)>,
    /// The row that was last scrolled to, and the height of the list then: the card of the result may take a part of it.
    revealed: (Option<usize>, f32),
}

impl Moments {
    /// Shows the list in the remaining space. `all`: all moments, or only the key moments; the viewer can change it.
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        session: &Session,
        sides: &[Side],
        all: &mut bool,
    ) -> Option<TimelineRequest> {
        let findings = session.events.findings();
        let result = session.result_marker(sides);
        let [found, marked] = session.marker_lists();
        let lists = [found, marked, result.as_slice()];
        self.sort(session, lists, *all);
        let mut ask = None;
        let layout = ScreenLayout::of(ui.ctx());
        let height = if ui.available_width() < ONE_LINE_FROM { HIGH_ROW } else { ROW };
        let height = layout.control(height - 2.0) + 2.0;
        let counts = (self.all.iter().filter(|row| row.key).count(), self.all.len());
        let head = |ui: &mut Ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            ui.spacing_mut().button_padding.x = if layout.is_touched() { 9.0 } else { 6.0 };
            for (wanted, name, count) in [(false, "Key", counts.0), (true, "All", counts.1)] {
                let count = format::number(count as u64);
                let choice = ui.selectable_label(*all == wanted, format!("{name} {count}"));
                choice.widget_info(|| {
                    let words = format!("{name} moments: {count}");
                    WidgetInfo::selected(Role::Button, true, *all == wanted, words)
                });
                if choice.clicked() {
                    *all = wanted;
                }
            }
            ask = timeline::menu_button(ui, session, sides);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ask = timeline::steps(ui, None).or(ask.take());
            });
        };
        self.rows.head(ui, (self.shown.len(), height, 1), |ui| ui.horizontal(head));
        if self.shown.is_empty() {
            let words = if self.all.is_empty() { "Nothing of note yet." } else { "No key moment yet." };
            ui.add_space(12.0);
            ui.vertical_centered(|ui| ui.weak(words));
            return ask;
        }
        let marker = |row: &MomentRow| lists[usize::from(row.list)].get(row.at as usize);
        // The last row that has been reached.
        let shown = session.seq();
        let reached = |row: &MomentRow| marker(row).is_some_and(|marker| marker.seq <= shown);
        let current = self.shown.partition_point(reached).checked_sub(1);
        let area = ui.available_rect_before_wrap();
        if self.revealed != (current, area.height()) {
            self.revealed = (current, area.height());
            current.into_iter().for_each(|row| self.rows.reveal(row));
        }
        let mut child = ui.new_child(UiBuilder::new().max_rect(area).id_salt("moments"));
        let mut clicked = None;
        let cast = findings.markers.cast(sides);
        let together = story(session.scene()).group_window();
        let rows = &self.shown;
        // As in the sentence of the result, the winner is the first.
        let score = session.result().and_then(|result| {
            let mut sides = sides.to_vec();
            sides.sort_by_key(|side| result.winner.as_deref() != Some(&*side.key));
            format::result_score(result, &sides)
        });
        let score = score.map(Reason::plain);
        self.rows.show(&mut child, rows.len(), height, |ui, index, rect, hot| {
            let row = &rows[index];
            let Some(marker) = marker(row) else { return };
            let of = ((marker.seq, marker.t), cast.side(marker).map(|(place, _)| place));
            let why = row.scored.then(|| standing(findings, sides, of, together, row.beside)).flatten();
            let judged = findings.judgements.of(marker.seq).filter(|_| marker.origin == Origin::Engine);
            let judged = judged.zip(cast.side(marker).map(|(_, side)| side));
            let why = why.or_else(|| judged.map(|(judged, side)| judged.correction(side)));
            let why = why.or_else(|| score.clone().filter(|_| marker.origin == Origin::Result));
            let flags = (Some(index) == current, marker.seq > shown, hot);
            let turn = session.turn_words_at(session.whole(marker)).unwrap_or_default();
            let mut response = line(ui, marker, (&cast, sides), (&turn, why.as_ref()), rect, flags);
            if let Some((judged, side)) = judged {
                response = response.on_hover_text(judged.words(side));
            }
            if response.clicked() {
                clicked = Some(session.whole(marker));
            }
        });
        ui.advance_cursor_after_rect(area);
        clicked.map(TimelineRequest::Seq).or(ask)
    }

    /// Makes the rows again if something has changed.
    fn sort(&mut self, session: &Session, lists: [&[Marker]; 3], all: bool) {
        let findings = session.events.findings();
        let versions = (findings.markers.version(), session.bookmarks().version());
        let key = (versions.0, versions.1, session.visible(), all, !lists[2].is_empty());
        if self.rows_of.as_ref() == Some(&key) {
            return;
        }
        let together = story(session.scene()).group_window();
        self.all = rows(findings, &lists, &key.2, together);
        self.shown = self.all.iter().filter(|row| all || row.key).copied().collect();
        (self.rows_of, self.revealed) = (Some(key), (None, 0.0));
    }
}

/// One row.
fn line(
    ui: &Ui,
    marker: &Marker,
    (cast, sides): (&MarkerSides<'_>, &[Side]),
    (turn, why): (&str, Option<&Reason>),
    rect: Rect,
    (current, future, hot): (bool, bool, bool),
) -> Response {
    let palette = Palette::of(ui.ctx());
    let rect = rect.shrink2(vec2(0.0, 1.0));
    let id = ui.scope_id().with((marker.seq, marker.kind, marker.side, marker.topic));
    let response = ui.interact(rect, id, Sense::click());
    let (clock, words) = (format::clock(marker.t.as_secs_f64()), marker.words(cast));
    response.widget_info(|| {
        let why = why.map_or("", Reason::whole);
        let more: String =
            [turn, why].iter().filter(|part| !part.is_empty()).map(|part| format!("; {part}")).collect();
        WidgetInfo::selected(Role::ListItem, true, current, format!("{clock}: {words}{more}"))
    });
    let painter = ui.painter();
    if current {
        painter.rect_filled(rect, 6.0, mix(palette.panel, palette.accent, 0.22));
    } else if hot || response.has_focus() {
        painter.rect_filled(rect, 6.0, palette.raised);
    }
    if response.has_focus() {
        painter.rect_stroke(rect, 6.0, Stroke::new(1.5, palette.accent), StrokeKind::Inside);
    }
    let small = FontId::proportional(SMALL);
    let time = painter.layout_no_wrap(clock, small.clone(), palette.weak);
    let time_at = pos2(rect.left() + 56.0 - time.size().x, rect.center().y - time.size().y / 2.0);
    painter.galley(time_at, time, palette.weak);
    let middle = pos2(rect.left() + 70.0, rect.center().y);
    let side = cast.side(marker).map(|(_, side)| side);
    match (marker.origin, side) {
        (Origin::Viewer, _) => {
            let points = [(-3.5, -5.0), (3.5, -5.0), (3.5, 5.0), (0.0, 2.0), (-3.5, 5.0)];
            let points = points.map(|(x, y)| middle + vec2(x, y)).to_vec();
            let ribbon = eframe::egui::Shape::closed_line(points, Stroke::new(1.5, palette.accent));
            painter.add(ribbon);
        }
        (_, Some(side)) => team_badge(ui, side, middle, 5.5),
        (Origin::Line, None) => {
            painter.vline(middle.x, middle.y - 5.0..=middle.y + 5.0, Stroke::new(2.0, palette.warning));
        }
        (_, None) => {
            painter.circle_filled(middle, 2.5, palette.weak);
        }
    }
    let ink = match marker.origin {
        _ if future => palette.weak,
        // As in the list of moves.
        Origin::Engine if marker.major => palette.error,
        Origin::Engine => palette.warning,
        _ => palette.text,
    };
    let text = pos2(middle.x + 12.0, middle.y);
    let area = Rect::from_min_max(pos2(text.x, rect.top()), pos2(rect.right() - 4.0, rect.bottom()));
    let told = Told::of(ui, marker, (&words, side, sides), area.width());
    paint_words(ui, area, (&told, turn, why), ink);
    response.on_hover_cursor(CursorIcon::PointingHand)
}

/// The words of a row.
struct Told<'a> {
    /// All of them, with the name of the side.
    whole: String,
    /// Those that stand first.
    first: String,
    /// The side, where its name has no room beside them. Then that has none in rows of the other sides either.
    side: Option<&'a Side>,
}

impl<'a> Told<'a> {
    fn of(ui: &Ui, marker: &Marker, words: (&str, Option<&'a Side>, &[Side]), room: f32) -> Told<'a> {
        let (words, side, sides) = words;
        // Words of a server begin as those of the game do; what a viewer has written stays.
        let whole = match marker.origin {
            Origin::Viewer | Origin::Result => words.to_owned(),
            _ => format::capitalised(words),
        };
        let font = FontId::proportional(BODY);
        let width =
            |text: String| ui.painter().layout_no_wrap(text, font.clone(), Color32::PLACEHOLDER).size().x;
        if marker.origin == Origin::Result {
            let first = with_short_names(&whole, sides, |text| width(text.to_owned()) <= room);
            return Told { whole, first, side: None };
        }
        let names_side = matches!(marker.origin, Origin::Game | Origin::Clock | Origin::Engine);
        let Some(side) = side.filter(|_| names_side && room < ONE_LINE_FROM) else {
            return Told { first: whole.clone(), whole, side: None };
        };
        let wide = |name: &str| width(format!("{} {name}", marker.what));
        // The engine's line needs the room of the name.
        if marker.origin != Origin::Engine && sides.iter().all(|side| wide(&side.name) <= room) {
            return Told { first: whole.clone(), whole, side: None };
        }
        let short = [":", " by", " for", " of"]
            .into_iter()
            .fold(&*marker.what, |what, end| what.trim_end_matches(end));
        Told { whole, first: format::capitalised(short), side: Some(side) }
    }
}

/// Text of a moment, whose it is, its turn and why it mattered: beside each other in a row of one line, else below each other.
fn paint_words(ui: &Ui, area: Rect, (told, turn, why): (&Told<'_>, &str, Option<&Reason>), ink: Color32) {
    let painter = ui.painter();
    let palette = Palette::of(ui.ctx());
    let (font, small) = (FontId::proportional(BODY), FontId::proportional(SMALL));
    let wide = |text: &str, font: &FontId| {
        painter.layout_no_wrap(text.to_owned(), font.clone(), Color32::PLACEHOLDER).size().x
    };
    // The side, the turn and what of the reason has room beside them; a reason that names the side says it alone. Where a long name
    // leaves no room for these, the colour stands for it.
    let names =
        told.side.map_or_else(Default::default, |side| [side.name.clone(), format::capitalised(side.word())]);
    let note_in = |room: f32| {
        let with = |parts: &[&str]| {
            let parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
            parts.join("  ·  ")
        };
        let fits = |text: &str| !text.is_empty() && wide(text, &small) <= room;
        let [name, colour] = names.each_ref();
        let fitting = |named: &str, turn: &str| {
            let beside = |reason: &str| {
                let is_named = !name.is_empty() && (reason.contains(name) || reason.starts_with(colour));
                with(&[if is_named { "" } else { named }, turn, reason])
            };
            Some(beside(why?.fitting(|reason| fits(&beside(reason)))?))
        };
        let noted = [name, colour].into_iter().find_map(|named| fitting(named, turn));
        let noted = noted.or_else(|| fitting(name, "")).or_else(|| fitting(colour, ""));
        let without = || [with(&[name, turn]), with(&[colour, turn]), name.clone(), colour.clone()];
        noted.or_else(|| without().into_iter().find(|text| fits(text)))
    };
    if area.height() < HIGH_ROW - 4.0 {
        let wide = text::paint_left(painter, area.left_center(), &told.first, font, ink, area.width());
        if let Some(note) = note_in(area.width() - wide - 10.0) {
            let at = area.left_center() + vec2(wide + 10.0, 0.0);
            text::paint_left(painter, at, &note, small.clone(), palette.weak, area.width());
        }
        return;
    }
    let galley = text::fitting(painter, &told.first, font, ink, area.width(), SMALL / BODY);
    if galley.elided {
        // A long text has both lines.
        let mut job = LayoutJob::single_section(told.whole.clone(), TextFormat::simple(small, ink));
        job.wrap = TextWrapping { max_width: area.width(), max_rows: 2, ..TextWrapping::default() };
        let galley = painter.layout_job(job);
        painter.galley(area.left_center() - vec2(0.0, galley.size().y / 2.0), galley, ink);
        return;
    }
    let half = galley.size().y / 2.0;
    let Some(note) = note_in(area.width()) else {
        painter.galley(area.left_center() - vec2(0.0, half), galley, ink);
        return;
    };
    painter.galley(area.left_center() - vec2(0.0, 8.0 + half), galley, ink);
    let below = area.left_center() + vec2(0.0, 9.0);
    text::paint_left(painter, below, &note, small.clone(), palette.weak, area.width());
}
