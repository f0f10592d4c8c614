//! Head of the screen: the tournament's name and progress, the tabs, the stages.

use eframe::egui::{RichText, Ui, vec2};
use grandstand_board::theme::{BODY, Palette, semibold};
use grandstand_protocol::Game;
use grandstand_story::format;

use super::TournamentRequest;
use super::known::VisibleTournament;
use crate::address::tournament::{Tab, TournamentView};
use crate::layout::ScreenLayout;
use crate::panels::status::{NO_SPOILERS, NO_SPOILERS_TIP};
use crate::widgets::chip;

/// Title of a tab.
fn title(tab: Tab) -> &'static str {
    match tab {
        Tab::Standings => "Standings",
        Tab::Crosstable => "Crosstable",
        Tab::Bracket => "Bracket",
        Tab::Rounds => "Rounds",
        Tab::Ratings => "Ratings",
        Tab::Games => "Games",
        Tab::Now => "Now",
        Tab::Player => "Player",
    }
}

/// Shows the head; returns what was pressed. `revealed`: the viewer has revealed all results.
pub(super) fn show(
    ui: &mut Ui,
    known: &VisibleTournament<'_>,
    place: TournamentView,
    revealed: bool,
) -> Option<TournamentRequest> {
    let palette = Palette::of(ui.ctx());
    let is_phone = ScreenLayout::of(ui.ctx()).phone;
    let mut asked = None;
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(known.name()).family(semibold()).size(BODY + 5.0));
        if !is_phone {
            ui.weak(state(known));
        }
        if known.hides() {
            chip(ui, NO_SPOILERS, palette.accent, false).on_hover_text(NO_SPOILERS_TIP);
            let tip = "Shows all of the tournament until it is closed";
            if ui.button("Reveal all results").on_hover_text(tip).clicked() {
                asked = Some(TournamentRequest::RevealAll);
            }
        } else if revealed {
            chip(ui, "All results revealed", palette.warning, false);
        }
    });
    // Beside the name it would be broken.
    if is_phone {
        ui.weak(state(known));
    }
    ui.add_space(4.0);
    let stages: Vec<_> = known.stages().collect();
    let current = place.stage.map_or_else(|| known.latest(), |stage| stage as usize - 1);
    let has_bracket =
        |index: usize| stages.get(index).is_some_and(|stage| stage.format.contains("elimination"));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        for tab in Tab::ALL.iter().copied().filter(|tab| *tab != Tab::Player) {
            if tab == Tab::Bracket && !has_bracket(current) {
                continue;
            }
            if ui.selectable_label(place.tab == tab, title(tab)).clicked() {
                asked = Some(TournamentRequest::Go(TournamentView::of(tab, place.stage)));
            }
        }
        if let Some(player) =
            place.player.filter(|_| place.tab == Tab::Player).and_then(|number| known.player(number))
        {
            let _ = ui.selectable_label(true, &player.name);
        }
    });
    if stages.len() > 1 && !matches!(place.tab, Tab::Player | Tab::Now | Tab::Games) {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
            ui.weak("Stage");
            for (index, stage) in stages.iter().enumerate() {
                let number = u32::try_from(index + 1).ok();
                let label =
                    ui.add_enabled_ui(stage.is_open, |ui| ui.selectable_label(index == current, stage.name));
                let label = label.inner.on_hover_text(format::stage_plan(stage.format, stage.advance));
                if label.clicked() {
                    let tab = match place.tab {
                        Tab::Bracket if !has_bracket(index) => Tab::Rounds,
                        tab => tab,
                    };
                    asked = Some(TournamentRequest::Go(TournamentView { tab, stage: number, ..place }));
                }
            }
        });
    }
    ui.separator();
    asked
}

/// Progress of the tournament in words; in spoiler mode only the game and the number of players.
pub(super) fn state(known: &VisibleTournament<'_>) -> String {
    let players = format::count(known.players().len() as u64, "player", "players");
    let game = known.game().parse::<Game>();
    let game = game.map_or_else(|_| known.game().to_owned(), |game| game.title().to_owned());
    let games = |count| format::count(count, "game", "games");
    match known.report() {
        None => format!("{game}, {players}"),
        Some(report) if report.over => format!("{game}, {players}, finished after {}", games(report.counted)),
        Some(report) => format!(
            "{game}, {players}, {} counted, {} to come in the rounds drawn so far",
            games(report.counted),
            format::number(report.remaining)
        ),
    }
}

/// Text in place of a table that spoiler mode hides.
pub(super) fn hidden(ui: &mut Ui, known: &VisibleTournament<'_>) -> Option<TournamentRequest> {
    if !known.hides() {
        ui.weak("This stage has not begun.");
        return None;
    }
    let mut asked = None;
    ui.add_space(16.0);
    ui.label(RichText::new("Hidden: this would tell results").family(semibold()).size(BODY + 2.0));
    ui.weak("Rounds shows who meets whom, and the result of each encounter whose games you have watched.");
    ui.add_space(6.0);
    ui.horizontal_wrapped(|ui| {
        if ui.button("Show the rounds").clicked() {
            asked = Some(TournamentRequest::Go(TournamentView::of(Tab::Rounds, None)));
        }
        if ui.button("Reveal all results").clicked() {
            asked = Some(TournamentRequest::RevealAll);
        }
    });
    asked
}
