//! Moments of a match as a list with time, team, text and score; a click seeks to one.

use eframe::egui::{
    Align, CursorIcon, FontId, Layout, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, UiBuilder,
    WidgetInfo, pos2, vec2,
};
use grandstand_board::badge::team_badge;
use grandstand_board::theme::{BODY, Palette, SMALL, mix};
use grandstand_story::format;
use grandstand_story::judgements::Judgement;
use grandstand_story::markers::{Marker, MarkerSides, Origin, Visible};
use grandstand_story::moments::{MomentRow, rows, standing};
use grandstand_story::sides::Side;
use grandstand_story::story;

use crate::panels::timeline::{self, TimelineRequest};
use crate::session::Session;
use crate::widgets::rows::Rows;

/// Height of a row, in points.
const ROW: f32 = 28.0;

/// The list and its cached rows.
#[derive(Debug, Default)]
pub(crate) struct Moments {
    rows: Rows,
    /// All rows, in the order of their commands.
    all: Vec<MomentRow>,
    /// The rows that are shown.
    shown: Vec<MomentRow>,
    /// Key of the rows: versions of markers and bookmarks, the filter, and whether all moments are shown.
    rows_of: Option<(u64, u64, Visible, bool)>,
    /// The row that was last scrolled to.
    revealed: Option<usize>,
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
        self.sort(session, *all);
        let mut ask = None;
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            ui.spacing_mut().button_padding.x = 6.0;
            let key = self.all.iter().filter(|row| row.key).count();
            for (wanted, name, count) in [(false, "Key", key), (true, "All", self.all.len())] {
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
        });
        if self.shown.is_empty() {
            let words = if self.all.is_empty() { "Nothing of note yet." } else { "No key moment yet." };
            ui.add_space(12.0);
            ui.vertical_centered(|ui| ui.weak(words));
            return ask;
        }
        let lists = session.marker_lists();
        let marker = |row: &MomentRow| lists[usize::from(row.list)].get(row.at as usize);
        // The last row that has been reached.
        let shown = session.seq();
        let reached = |row: &MomentRow| marker(row).is_some_and(|marker| marker.seq <= shown);
        let current = self.shown.partition_point(reached).checked_sub(1);
        if current != self.revealed {
            self.revealed = current;
            current.into_iter().for_each(|row| self.rows.reveal(row));
        }
        let area = ui.available_rect_before_wrap();
        let mut child = ui.new_child(UiBuilder::new().max_rect(area).id_salt("moments"));
        let mut clicked = None;
        let findings = session.events.findings();
        let cast = findings.markers.cast(sides);
        let together = story(session.scene()).together();
        let rows = &self.shown;
        self.rows.show(&mut child, rows.len(), ROW, |ui, index, rect, hot| {
            let row = &rows[index];
            let Some(marker) = marker(row) else { return };
            let why = row.scored.then(|| standing(findings, sides, marker.t, together)).flatten();
            let judged = findings.judgements.of(marker.seq).filter(|_| marker.origin == Origin::Engine);
            let why = why.or_else(|| judged.map(Judgement::correction));
            let flags = (Some(index) == current, marker.seq > shown, hot);
            let mut response = line(ui, marker, (&cast, why.as_deref()), rect, flags);
            if let Some(judged) = judged {
                response = response.on_hover_text(judged.words());
            }
            if response.clicked() {
                clicked = Some(session.whole(marker));
            }
        });
        ui.advance_cursor_after_rect(area);
        clicked.map(TimelineRequest::Seq).or(ask)
    }

    /// Makes the rows again if something has changed.
    fn sort(&mut self, session: &Session, all: bool) {
        let findings = session.events.findings();
        let key = (findings.markers.version(), session.bookmarks().version(), session.visible(), all);
        if self.rows_of.as_ref() == Some(&key) {
            return;
        }
        let together = story(session.scene()).together();
        self.all = rows(findings, session.marker_lists(), &key.2, together);
        self.shown = self.all.iter().filter(|row| all || row.key).copied().collect();
        (self.rows_of, self.revealed) = (Some(key), None);
    }
}

/// One row.
fn line(
    ui: &Ui,
    marker: &Marker,
    (cast, why): (&MarkerSides<'_>, Option<&str>),
    rect: Rect,
    (current, future, hot): (bool, bool, bool),
) -> Response {
    let palette = Palette::of(ui.ctx());
    let rect = rect.shrink2(vec2(0.0, 1.0));
    let id = ui.scope_id().with((marker.seq, marker.kind, marker.side));
    let response = ui.interact(rect, id, Sense::click());
    let (clock, words) = (format::clock(marker.t.as_secs_f64()), marker.words(cast));
    response.widget_info(|| {
        let why = why.map_or_else(String::new, |why| format!("; {why}"));
        WidgetInfo::selected(Role::ListItem, true, current, format!("{clock}: {words}{why}"))
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
    let ink = if future { palette.weak } else { palette.text };
    let font = FontId::proportional(BODY);
    let room = rect.right() - middle.x - 16.0;
    // The badge says whose move it was; the engine's line needs the room of the name.
    let told = match marker.origin {
        Origin::Engine => marker.what.trim_end_matches(" by"),
        _ => &words,
    };
    let wide = grandstand_board::text::paint_left(painter, middle + vec2(12.0, 0.0), told, font, ink, room);
    let room = room - wide - 10.0;
    if let Some(why) = why.filter(|_| room > 20.0) {
        let at = middle + vec2(22.0 + wide, 0.0);
        let whole = painter.layout_no_wrap(why.to_owned(), small.clone(), palette.weak);
        // The first part tells most.
        let first = why.split_once("; ").map_or(why, |(first, _)| first);
        let shown = if whole.size().x <= room { why } else { first };
        grandstand_board::text::paint_left(painter, at, shown, small, palette.weak, room);
    }
    response.on_hover_cursor(CursorIcon::PointingHand)
}
