//! Head of the screen: the tournament's name and progress, the tabs, the stages.

use eframe::egui::scroll_area::ScrollBarVisibility;
use eframe::egui::{FontId, Response, RichText, ScrollArea, Ui, vec2};
use grandstand_board::text::fitted;
use grandstand_board::theme::{BODY, Palette, semibold};
use grandstand_protocol::Game;
use grandstand_protocol::tournament::Change;
use grandstand_story::format;

use super::TournamentRequest;
use super::known::VisibleTournament;
use crate::address::tournament::{Tab, TournamentView};
use crate::layout::ScreenLayout;
use crate::panels::match_list::{lines, progress, standing};
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
    // On a phone the name stands in the title, and the facts have the width of the window.
    if is_phone {
        let facts = facts(known);
        let room = ui.available_width();
        let is_cut = |words: &str| {
            let font = FontId::proportional(BODY);
            fitted(ui.painter(), words, font, palette.weak, room).elided
        };
        for line in lines(&facts, facts.len(), is_cut) {
            ui.weak(line);
        }
    }
    let line = |ui: &mut Ui| {
        if !is_phone {
            ui.label(RichText::new(known.name()).family(semibold()).size(BODY + 5.0));
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
    };
    if !is_phone || known.hides() || revealed {
        ui.horizontal_wrapped(line);
    }
    ui.add_space(4.0);
    let stages: Vec<_> = known.stages().collect();
    let current = place.stage.map_or_else(|| known.latest(), |stage| stage as usize - 1);
    let has_bracket =
        |index: usize| stages.get(index).is_some_and(|stage| stage.format.contains("elimination"));
    in_a_row(ui, "tabs", |ui| {
        if is_phone {
            // So much room beside each name that all of them are seen, if that is possible.
            let shown = Tab::ALL
                .iter()
                .filter(|tab| **tab != Tab::Player && (**tab != Tab::Bracket || has_bracket(current)));
            let widths = shown.map(|tab| {
                let font = FontId::proportional(BODY);
                ui.painter().layout_no_wrap(title(*tab).to_owned(), font, palette.text).size().x
            });
            let (count, names) = widths.fold((0.0, 0.0), |(count, sum), width| (count + 1.0, sum + width));
            ui.spacing_mut().item_spacing.x = 1.0;
            let room = ui.clip_rect().width() - names - count;
            ui.spacing_mut().button_padding.x = (room / (2.0 * count)).floor().clamp(3.0, 10.0);
        }
        for tab in Tab::ALL.iter().copied().filter(|tab| *tab != Tab::Player) {
            if tab == Tab::Bracket && !has_bracket(current) {
                continue;
            }
            let label = ui.selectable_label(place.tab == tab, title(tab));
            if place.tab == tab {
                see(ui, &label);
            }
            if label.clicked() {
                asked = Some(TournamentRequest::Go(TournamentView::of(tab, place.stage)));
            }
        }
        if let Some(player) =
            place.player.filter(|_| place.tab == Tab::Player).and_then(|number| known.player(number))
        {
            let label = ui.selectable_label(true, &player.name);
            see(ui, &label);
        }
    });
    if stages.len() > 1 && !matches!(place.tab, Tab::Player | Tab::Now | Tab::Games) {
        in_a_row(ui, "stages", |ui| {
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

/// Controls side by side: on a phone in one row that scrolls sideways, elsewhere in as many rows as they need.
fn in_a_row(ui: &mut Ui, name: &str, contents: impl FnOnce(&mut Ui)) {
    let spaced = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        contents(ui);
    };
    if ScreenLayout::of(ui.ctx()).phone {
        let row = ScrollArea::horizontal().id_salt(name);
        let row = row.scroll_bar_visibility(ScrollBarVisibility::AlwaysHidden);
        row.show(ui, |ui| ui.horizontal(spaced));
    } else {
        ui.horizontal_wrapped(spaced);
    }
}

/// Scrolls to the chosen control of a row once it is another one.
fn see(ui: &Ui, chosen: &Response) {
    let id = ui.scope_id().with("chosen");
    let seen = ui.data(|data| data.get_temp(id)) == Some(chosen.id);
    if !seen {
        ui.data_mut(|data| data.insert_temp(id, chosen.id));
        chosen.scroll_to_me(None);
    }
}

/// Progress of the tournament in words; in spoiler mode only the game and the number of players.
pub(super) fn state(known: &VisibleTournament<'_>) -> String {
    facts(known).join("  ·  ")
}

fn facts(known: &VisibleTournament<'_>) -> Vec<String> {
    let players = format::count(known.players().len() as u64, "player", "players");
    let game = known.game().parse::<Game>();
    let game = game.map_or_else(|_| known.game().to_owned(), |game| game.title().to_owned());
    let mut facts = vec![game, players];
    if let Some(report) = known.report() {
        let told = Change::of(report);
        facts.push(match report.over {
            true => format!("finished after {}", format::count(report.counted, "game", "games")),
            false => progress(&told),
        });
        facts.extend(standing(&told));
    }
    facts
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
