//! Why section: who lost and where the match turned, the bots that a side lost, and what its mistakes cost.

use std::sync::Arc;

use eframe::egui::{Button, FontId, Galley, Response, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use grandstand_board::theme::{Palette, SMALL, semibold};
use grandstand_protocol::insight::{MatchFacts, MatchReport, SideReport};
use grandstand_story::format::{count, in_plain_words};

use super::ProgramPanel;
use super::state_section::heading;
use super::words::moment;
use crate::layout::ScreenLayout;

/// Number of mistakes that are listed.
const MISTAKES: usize = 10;
/// Least width of the left column, and the room around its text, in points.
const LEFT: f32 = 58.0;
const GAP: f32 = 12.0;
/// Smallest height of a row, in points.
const ROW: f32 = 20.0;

/// The report, and the side of it that is shown.
#[derive(Debug, Default)]
pub(super) struct WhySection {
    pub report: Option<MatchReport>,
    /// `None` until the viewer has chosen one: the side that lost.
    side: Option<usize>,
}

impl ProgramPanel {
    pub(super) fn why_section(&mut self, ui: &mut Ui) {
        ui.spacing_mut().item_spacing.y = 2.0;
        let Some(report) = self.why.report.take() else {
            ui.weak("The match is played again…");
            return;
        };
        let mut way = self.summary(ui, &report);
        let side = self.why.side.or(report.loser).unwrap_or(0);
        if let Some(facts) = &self.facts {
            ui.horizontal_wrapped(|ui| {
                for (index, of) in facts.sides.iter().enumerate() {
                    let name = RichText::new(format!("{} ({})", of.player, of.team)).size(SMALL);
                    if ui.selectable_label(side == index, name).clicked() {
                        self.why.side = Some(index);
                    }
                }
            });
        }
        way = side_rows(ui, &report.sides[side], self.facts.as_ref(), self.word()).or(way);
        self.why.report = Some(report);
        if let Some((bot, cycle)) = way {
            self.go_to(bot, cycle);
        }
    }

    /// Who lost and where the match turned; returns that moment if the viewer goes there.
    fn summary(&self, ui: &mut Ui, report: &MatchReport) -> Option<(u32, u64)> {
        ui.label(in_plain_words(&report.summary));
        let turned = report.turned.as_ref()?;
        let bot = turned.bot.or(self.bot)?;
        let height = ScreenLayout::of(ui.ctx()).control(24.0);
        let button = ui.add(Button::new("Show where it turned").min_size(vec2(0.0, height)));
        button.clicked().then(|| (bot, turned.cycle.saturating_sub(1)))
    }

    /// The game's word for a bot.
    pub(super) fn word(&self) -> &str {
        self.facts.as_ref().map_or("bot", |facts| &facts.word)
    }

    /// The game's word for a turn.
    pub(super) fn beat(&self) -> String {
        self.facts.as_ref().map_or_else(|| "turn".to_owned(), |facts| facts.beat.clone())
    }
}

/// The losses, deadlocks and mistakes of a side; returns the bot and the cycle of the one that was clicked.
fn side_rows(ui: &mut Ui, side: &SideReport, facts: Option<&MatchFacts>, word: &str) -> Option<(u32, u64)> {
    let mut way = None;
    let when = |turn: u64, cycle: u64| moment(facts, turn, cycle);
    let SideReport { lost, deadlocks, mistakes } = side;
    let lost_at = lost.iter().map(|loss| (loss.turn, loss.cycle));
    let moments = lost_at.chain(deadlocks.iter().map(|deadlock| (deadlock.turn, deadlock.cycle)));
    let longest = moments.max().map(|(turn, cycle)| lead(ui, &when(turn, cycle)).size().x);
    let left = LEFT.max(longest.unwrap_or(0.0) + GAP);
    heading(
        ui,
        &match lost.len() {
            0 => format!("No {word} was lost"),
            lost => format!("{} lost", count(lost as u64, word, &format!("{word}s"))),
        },
    );
    for loss in lost {
        // Its last moment: in the next cycle it is gone.
        if row(ui, left, &when(loss.turn, loss.cycle), &loss.text).clicked() {
            way = Some((loss.bot, loss.cycle.saturating_sub(1)));
        }
    }
    if !deadlocks.is_empty() {
        heading(ui, "Deadlocks");
    }
    for deadlock in deadlocks {
        if row(ui, left, &when(deadlock.turn, deadlock.cycle), &deadlock.waits.join("; ")).clicked() {
            way = Some((deadlock.bot, deadlock.cycle));
        }
    }
    if mistakes.is_empty() {
        heading(ui, "No mistake that cost anything was found");
        return way;
    }
    heading(ui, &format!("What cost most, in moves of one {word}"));
    for mistake in mistakes.iter().take(MISTAKES) {
        let clicked = row(ui, left, &format!("{:.1}", mistake.moves), &mistake.text).clicked();
        if let Some(bot) = mistake.bot.filter(|_| clicked) {
            way = Some((bot, mistake.cycle.saturating_sub(1)));
        }
    }
    if mistakes.len() > MISTAKES {
        ui.weak(format!("and {} more, which cost less", mistakes.len() - MISTAKES));
    }
    way
}

/// The short text on the left of a row.
fn lead(ui: &Ui, text: &str) -> Arc<Galley> {
    let palette = Palette::of(ui.ctx());
    ui.painter().layout_no_wrap(text.to_owned(), FontId::new(SMALL, semibold()), palette.weak)
}

/// A row that leads to a moment: a short text in a left column of this width, and a sentence in as many lines as it takes.
fn row(ui: &mut Ui, column: f32, left: &str, words: &str) -> Response {
    let palette = Palette::of(ui.ctx());
    let width = ui.available_width();
    let font = FontId::proportional(SMALL + 0.5);
    let text =
        ui.painter().layout(words.to_owned(), font.clone(), palette.text, (width - column - 6.0).max(60.0));
    let height = ScreenLayout::of(ui.ctx()).control(ROW).max(text.size().y + 5.0);
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{left}: {words}")));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let painter = ui.painter();
    if response.hovered() || response.has_focus() {
        painter.rect_filled(rect, 3.0, palette.raised);
    }
    painter.galley(pos2(rect.left() + 4.0, rect.top() + 3.0), lead(ui, left), palette.weak);
    painter.galley(pos2(rect.left() + column, rect.top() + 2.5), text, palette.text);
    response.on_hover_cursor(eframe::egui::CursorIcon::PointingHand)
}
