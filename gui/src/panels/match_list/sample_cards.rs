//! Samples: a card for each, with a match of one game that plays while it is pointed at.

use eframe::egui::{
    CornerRadius, CursorIcon, FontId, Rect, Role, Sense, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo, pos2,
    vec2,
};
use grandstand_board::text::{fitting, paint_left};
use grandstand_board::theme::{BODY, Palette, SMALL, mix, semibold};
use grandstand_board::{BoardInput, BoardOptions};
use grandstand_replays::Growth;
use grandstand_story::Sample;
use grandstand_story::games::sides;
use grandstand_story::sides::Side;

use super::rows::heading;
use super::selection::Selection;
use crate::address::Target;
use crate::session::{MatchView, NextFrame};
use crate::source::samples::samples;
use crate::source::{self, Wake};
use crate::widgets::list_keys;

/// Gap between cards, in points.
const GAP: f32 = 10.0;

/// The sample cards; loaded when they are first shown.
#[derive(Debug, Default)]
pub(super) struct SampleCards(Vec<Card>);

#[derive(Debug)]
struct Card {
    sample: Sample,
    view: MatchView,
    /// Whether it has been moved to its poster.
    stands: bool,
}

impl SampleCards {
    /// Shows the cards and returns the sample that was pressed. `small`: all in one row, if the window is wide enough.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        small: bool,
        selection: &Selection,
        wake: &Wake,
    ) -> Option<Target> {
        if self.0.is_empty() {
            let card = |sample: Sample| {
                let target = Target::Sample(sample);
                let feed = source::preview(&target, wake.clone())?;
                Some(Card { sample, view: MatchView::preview(target, feed), stands: false })
            };
            self.0 = samples().filter_map(card).collect();
        }
        heading(ui, "Samples", self.0.len(), self.0.len());
        let width = ui.available_width();
        let columns = match (small, width < 520.0) {
            (true, false) => self.0.len(),
            (true, true) | (false, false) => 3,
            (false, true) => 2,
        };
        let side = (width - GAP * (columns - 1) as f32) / columns as f32;
        let mut pressed = None;
        for row in self.0.chunks_mut(columns) {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = GAP;
                for card in row {
                    let target = Target::Sample(card.sample);
                    if card.show(ui, side, selection.contains(&target)) {
                        pressed = Some(target);
                    }
                }
            });
            ui.add_space(GAP - ui.spacing().item_spacing.y);
        }
        ui.add_space(12.0);
        pressed
    }
}

impl Card {
    /// Shows the card; returns whether it was pressed. `selected` is `Some` during a selection.
    fn show(&mut self, ui: &mut Ui, width: f32, selected: Option<bool>) -> bool {
        let palette = Palette::of(ui.ctx());
        let caption = 44.0;
        let (rect, _) = ui.allocate_exact_size(vec2(width, width * 0.62 + caption), Sense::hover());
        let response = ui.interact(rect, ui.scope_id().with(self.sample.game), Sense::click());
        list_keys::add(ui, response.id, rect);
        let hot = ui.rect_contains_pointer(rect) || response.has_focus();
        self.go_on(ui, hot);
        let sides = sides(self.view.scene(), &self.view.about.teams);
        // Until the recording is read, the scene is not of this game.
        let game = self.sample.game.title();
        let players: Vec<&str> = sides.iter().map(Side::short).filter(|_| self.stands).collect();
        let players = players.join(" – ");
        let label = format!("Sample: {game}, {players}");
        response.widget_info(|| match selected {
            Some(selected) => WidgetInfo::selected(Role::CheckBox, true, selected, &label),
            None => WidgetInfo::labeled(Role::Button, true, &label),
        });
        if ui.is_rect_visible(rect) {
            let radius = CornerRadius::same(8);
            let fill = mix(palette.panel, palette.raised, if hot { 1.0 } else { 0.45 });
            let accent = if selected == Some(true) { 0.18 } else { 0.0 };
            let fill = mix(fill, palette.accent, accent);
            ui.painter().rect_filled(rect, radius, fill);
            let board = Rect::from_min_max(rect.min, rect.max - vec2(0.0, caption)).shrink(5.0);
            ui.painter().rect_filled(board, CornerRadius::same(6), palette.ground);
            if self.stands {
                let options = BoardOptions {
                    coordinates: false,
                    thoughts: false,
                    is_tile: true,
                    ..BoardOptions::default()
                };
                let picture = self.view.picture(&sides);
                let picture = BoardInput { pixels: ui.ctx().pixels_per_point(), ..picture };
                let mut ui = ui.new_child(UiBuilder::new().id_salt(self.sample.game).max_rect(board));
                ui.shrink_clip_rect(board);
                self.view.board().show(&mut ui, board.shrink(4.0), &picture, options);
            }
            let mut at = pos2(rect.left() + 8.0, board.bottom() + 14.0);
            let room = rect.width() - 16.0;
            let title = fitting(ui.painter(), game, FontId::new(BODY, semibold()), palette.text, room, 0.8);
            ui.painter().galley(at - vec2(0.0, title.size().y / 2.0), title, palette.text);
            at.y += 17.0;
            paint_left(ui.painter(), at, &players, FontId::proportional(SMALL), palette.weak, room);
            if response.has_focus() {
                let ring = Stroke::new(1.5, palette.accent);
                ui.painter().rect_stroke(rect, radius, ring, StrokeKind::Inside);
            }
        }
        response.on_hover_cursor(CursorIcon::PointingHand).clicked()
    }

    /// Plays while the pointer is on the card; otherwise shows the poster.
    fn go_on(&mut self, ui: &Ui, hot: bool) {
        let next = self.view.update(ui.input(|input| input.time));
        let whole = self.view.whole_log().growth() == Growth::Complete;
        if !whole {
            return;
        }
        if !self.stands || !hot && self.view.is_running() {
            self.view.stand_at(self.sample.poster);
            self.stands = true;
        } else if hot && self.view.is_at_end() {
            self.view.play_again();
        } else if hot && !self.view.is_running() {
            self.view.go(|playback, log| playback.play(log));
        }
        match next {
            NextFrame::Now => ui.ctx().request_repaint(),
            NextFrame::After(secs) if hot => {
                ui.ctx().request_repaint_after(std::time::Duration::from_secs_f64(secs));
            }
            NextFrame::After(_) | NextFrame::Idle => {}
        }
        if hot {
            ui.ctx().request_repaint_after(std::time::Duration::from_millis(33));
        }
    }
}
