//! Elimination brackets as columns of rounds.

use std::fmt::Write as _;

use super::super::report::{Bracket, BracketPlace, EncounterLine, Report, StageReport};
use super::document::player_link;
use super::position;

/// The brackets of a stage; empty for other formats.
pub(super) fn brackets(report: &Report, stage: &StageReport) -> String {
    let placed = || {
        let all = stage.rounds.iter().flat_map(|round| &round.encounters);
        all.filter_map(|encounter| Some((encounter.bracket?, encounter)))
    };
    let mut html = String::new();
    let is_double = placed().any(|(place, _)| place.bracket == Bracket::Losers);
    for kind in Bracket::ALL {
        let mut all: Vec<_> = placed().filter(|(place, _)| place.bracket == kind).collect();
        all.sort_by_key(|(place, _)| (place.round, place.position));
        let Some(rounds) = all.last().map(|(place, _)| place.round + 1) else { continue };
        // Writing to a string can't fail.
        let _ =
            writeln!(html, "<h3>{}</h3>\n<div class=\"wide\"><div class=\"bracket\">", kind.title(is_double));
        // With byes nobody may play in the first round of the losers' bracket.
        let first = all.first().map_or(0, |(place, _)| place.round);
        let slots = BracketPlace::slots(all.iter().map(|(place, _)| *place));
        for round in first..rounds {
            let encounters: Vec<_> = all.iter().filter(|(place, _)| place.round == round).collect();
            let is_single = kind == Bracket::ThirdPlace || kind == Bracket::GrandFinal && rounds == 1;
            let heading = if is_single {
                String::new()
            } else {
                format!("<h4>{}</h4>", kind.round_title(round, slots))
            };
            let _ = writeln!(html, "<section>{heading}<ol>");
            for (_, encounter) in encounters {
                box_of(&mut html, report, encounter);
            }
            html.push_str("</ol></section>\n");
        }
        html.push_str("</div></div>\n");
    }
    html
}

/// Writes one encounter: two lines with the points of each player; the winner is highlighted.
fn box_of(html: &mut String, report: &Report, encounter: &EncounterLine) {
    html.push_str("<li class=\"encounter\">");
    for (side, name) in encounter.players.iter().enumerate() {
        let won = encounter.winner.is_some_and(|winner| usize::from(winner) == side);
        let points = encounter.points.map_or_else(|| "–".to_owned(), |points| points[side].to_string());
        let points = match (encounter.games.is_empty(), position(report, &encounter.players[1 - side])) {
            (false, Some(other)) => match position(report, name) {
                Some(own) => format!("<a href=\"{}#vs-{}\">{points}</a>", super::player_page(own), other + 1),
                None => points,
            },
            _ => points,
        };
        let class = if won { " class=\"won\"" } else { "" };
        let mark = if won { " <span class=\"hidden\">won</span>" } else { "" };
        let _ = write!(
            html,
            "<div{class}><span>{}{mark}</span><span>{points}</span></div>",
            player_link(report, name)
        );
    }
    if encounter.by_seed {
        html.push_str("<small>level: the better seed advances</small>");
    } else if !encounter.over {
        html.push_str("<small>to be played</small>");
    }
    html.push_str("</li>\n");
}
