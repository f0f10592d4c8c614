//! The moments of a match as a list: when, of whom, what. A click goes to one.

use eframe::egui::{
    Align, CursorIcon, FontId, Layout, Rect, Role, Sense, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo,
    pos2, vec2,
};
use grandstand_board::badge::team_badge;
use grandstand_board::theme::{BODY, Palette, SMALL, mix};
use grandstand_story::format;
use grandstand_story::markers::{Cast, Marker, Origin, Visible};
use grandstand_story::sides::Side;

use crate::panels::timeline::{self, TimelineRequest};
use crate::session::Session;
use crate::widgets::rows::Rows;

/// How high a line is.
const ROW: f32 = 28.0;

/// The list, as the viewer left it.
#[derive(Debug, Default)]
pub(crate) struct Moments {
    rows: Rows,
    /// Places in the two lists of markers, in the order of the commands.
    order: Vec<(u8, u32)>,
    /// What this is the order of.
    order_of: Option<(u64, u64, Visible)>,
    /// The line that was last brought into view.
    revealed: Option<usize>,
}

impl Moments {
    /// Shows the list in the space that is left.
    pub(crate) fn show(&mut self, ui: &mut Ui, session: &Session, sides: &[Side]) -> Option<TimelineRequest> {
        self.sort(session);
        let mut ask = None;
        ui.horizontal(|ui| {
            ui.label(format::count(self.order.len() as u64, "moment", "moments"));
            ask = timeline::menu_button(ui, session, sides);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ask = timeline::steps(ui, None).or(ask.take());
            });
        });
        if self.order.is_empty() {
            ui.add_space(12.0);
            ui.vertical_centered(|ui| ui.weak("Nothing of note yet."));
            return ask;
        }
        let lists = session.marker_lists();
        let marker = |row: usize| {
            let (list, at) = self.order[row];
            lists[usize::from(list)].get(at as usize)
        };
        // The last one that has been reached.
        let shown = session.seq();
        let current =
            self.order.partition_point(|(list, at)| lists[usize::from(*list)][*at as usize].seq <= shown);
        let current = current.checked_sub(1);
        if current != self.revealed {
            self.revealed = current;
            current.into_iter().for_each(|row| self.rows.reveal(row));
        }
        let area = ui.available_rect_before_wrap();
        let mut child = ui.new_child(UiBuilder::new().max_rect(area).id_salt("moments"));
        let mut clicked = None;
        let cast = session.events.findings().markers.cast(sides);
        self.rows.show(&mut child, self.order.len(), ROW, |ui, row, rect, hot| {
            let Some(marker) = marker(row) else { return };
            if line(ui, marker, &cast, rect, (Some(row) == current, marker.seq > shown, hot)) {
                clicked = Some(session.whole(marker));
            }
        });
        ui.advance_cursor_after_rect(area);
        clicked.map(TimelineRequest::Seq).or(ask)
    }

    /// Puts both lists into one order, when something has changed.
    fn sort(&mut self, session: &Session) {
        let visible = session.visible();
        let key = (session.events.findings().markers.version(), session.bookmarks().version(), visible);
        if self.order_of.as_ref() == Some(&key) {
            return;
        }
        let lists = session.marker_lists();
        self.order.clear();
        for (list, markers) in (0..).zip(lists) {
            let seen = (0..).zip(markers).filter(|(_, marker)| key.2.has(marker));
            self.order.extend(seen.map(|(at, _)| (list, at)));
        }
        self.order.sort_by_key(|(list, at)| (lists[usize::from(*list)][*at as usize].seq, *list));
        self.order_of = Some(key);
        self.revealed = None;
    }
}

/// One line; whether it was clicked.
fn line(
    ui: &Ui,
    marker: &Marker,
    cast: &Cast<'_>,
    rect: Rect,
    (current, future, hot): (bool, bool, bool),
) -> bool {
    let palette = Palette::of(ui.ctx());
    let rect = rect.shrink2(vec2(0.0, 1.0));
    let id = ui.scope_id().with((marker.seq, marker.kind, marker.side));
    let response = ui.interact(rect, id, Sense::click());
    let (clock, words) = (format::clock(marker.t.as_secs_f64()), marker.words(cast));
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, current, format!("{clock}: {words}")));
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
    let time = painter.layout_no_wrap(clock, small, palette.weak);
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
    grandstand_board::text::paint_left(painter, middle + vec2(12.0, 0.0), &words, font, ink, room);
    response.on_hover_cursor(CursorIcon::PointingHand).clicked()
}
