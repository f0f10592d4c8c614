//! Boards of the games that are live, or else of the latest ones.

use eframe::egui::{Ui, UiBuilder};
use grandstand_protocol::tournament::EncounterLine;
use grandstand_story::games::sides;

use super::known::VisibleTournament;
use super::standings::points;
use super::{TournamentRequest, Viewer};
use crate::panels::wall::{Wall, WallRequest};
use crate::session::MatchView;

/// Shows the boards in the remaining space; returns what was pressed.
pub(super) fn show(
    ui: &mut Ui,
    known: &VisibleTournament<'_>,
    (live, latest): (&mut Option<Wall>, &mut Option<Wall>),
    viewer: Viewer<'_>,
) -> Option<TournamentRequest> {
    let is_live = latest.is_none();
    let wall = latest.as_mut().or(live.as_mut())?;
    if is_live && !wall.is_listed() {
        ui.spinner();
        return None;
    }
    if wall.len() == 0 {
        ui.weak(match known.hides() {
            true => "Nothing that was played can be shown, or all of it was watched.",
            false => "No game has been played yet.",
        });
        return None;
    }
    ui.weak(match is_live {
        true => "Games as they are played. A click shows one alone.",
        false if known.hides() => "The latest games that you have not watched. A click shows one alone.",
        false => "No game is live. The latest ones, from their recordings; a click shows one alone.",
    });
    // The wall takes all the remaining space.
    let rest = UiBuilder::new().max_rect(ui.available_rect_before_wrap());
    let request = ui.scope_builder(rest, |ui| wall.show(ui, viewer.options, viewer.text)).inner?;
    let WallRequest::Enlarge(index) = request else { return None };
    Some(TournamentRequest::Open(wall.session(index)?.target.clone()))
}

/// What a game is called, in full and shorter: its round, and how its encounter stands, in the order of the sides.
pub(super) fn called(known: &VisibleTournament<'_>, game: &MatchView) -> Option<[String; 2]> {
    let label = Some(&*game.about.round).filter(|round| !round.is_empty())?;
    // The round's number comes after that of its stage where there are several.
    let (stage, round) = label.split_once('.').unwrap_or(("1", label));
    let stage = stage.parse::<usize>().ok()?.checked_sub(1)?;
    let name = known.stages().nth(stage)?.name;
    let short = format!("Round {round}");
    let long = if known.stages().count() > 1 { format!("{name}, round {round}") } else { short.clone() };
    let sides = sides(game.scene(), &game.about.teams);
    let [first, second] = &sides[..] else { return Some([long, short]) };
    let names = [first.short(), second.short()];
    let round = known.rounds(stage).into_iter().find(|one| one.round.to_string() == round);
    let encounters = round.into_iter().flat_map(|round| round.encounters);
    let standing = encounters.filter(|_| !known.hides()).find_map(|one| standing(one.encounter, names));
    Some(match standing {
        Some(standing) => [format!("{long} · {standing}"), format!("{short} · {standing}")],
        None => [long, short],
    })
}

/// How the encounter of these two stands: `1 : ½`; `None` of others, and before its first result.
fn standing(encounter: &EncounterLine, names: [&str; 2]) -> Option<String> {
    let [a, b] = encounter.points.filter(|_| !encounter.games.is_empty())?.map(|of| points(of.0));
    let players = encounter.players.each_ref().map(String::as_str);
    match names {
        _ if players == names => Some(format!("{a} : {b}")),
        [first, second] if players == [second, first] => Some(format!("{b} : {a}")),
        _ => None,
    }
}
