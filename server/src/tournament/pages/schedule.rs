//! Page without results: the pairings, with links to all games that each encounter may have.
//!
//! The page does not reveal how a game ended, how many games were needed, or how far the tournament is. All links keep
//! results hidden, except the one that shows them.

use std::fmt::Write as _;

use grandstand_story::format::stage_plan;

use super::super::report::{Bracket, Schedule, ScheduledEncounter, ScheduledPlayer, ScheduledStage};
use super::document::{Site, page};
use super::{INDEX, player_page, recording_name};
use crate::html::escaped;

/// The page; with the games of one player only if `player` is given.
pub fn schedule(schedule: &Schedule, site: &Site, player: Option<usize>) -> String {
    let name = escaped(&schedule.name);
    let query = format!("?spoilers=hide&amp;rounds={}", schedule.rounds);
    let player = player.and_then(|index| Some((index, schedule.players.get(index)?)));
    let mut body = String::new();
    // Writing to a string can't fail.
    let _ = match player {
        Some((_, player)) => writeln!(
            body,
            "<nav><a href=\"{INDEX}{query}\">{name}</a></nav>\n<h1>{}</h1>\n<p>Plays as <code>{}</code>.</p>",
            escaped(&player.name),
            escaped(&player.play)
        ),
        None => writeln!(
            body,
            "<h1>{name}</h1>\n<p>{}, {} players.</p>",
            escaped(super::index::title(schedule.game)),
            schedule.players.len()
        ),
    };
    let shown = player.map_or_else(|| INDEX.to_owned(), |(index, _)| player_page(index));
    let _ = writeln!(
        body,
        "<p class=\"notice\">Results are hidden. Each encounter lists all games that it can have; one that was not needed has no \
         recording. <a href=\"{shown}\">Show all results</a></p>"
    );
    for stage in schedule.stages.iter().filter(|stage| !stage.rounds.is_empty()) {
        rounds(&mut body, schedule, stage, site, &query, player.map(|(_, player)| player));
    }
    let _ = writeln!(
        body,
        "<p><a href=\"{shown}?spoilers=hide&amp;rounds={}#next\" id=\"next\">Show the next round</a> \
         <span class=\"weak\">It tells of results before it. Where none appears, there is none yet.</span></p>",
        schedule.rounds + 1
    );
    page(&schedule.name, site.refresh, player.map_or("", |(_, player)| &player.name), &body)
}

fn rounds(
    body: &mut String,
    schedule: &Schedule,
    stage: &ScheduledStage,
    site: &Site,
    query: &str,
    player: Option<&ScheduledPlayer>,
) {
    let _ = writeln!(
        body,
        "<section>\n<h2>{} <small>{}</small></h2>",
        escaped(&stage.name),
        escaped(&stage_plan(stage.format, stage.advance)),
    );
    let is_own = |name: &String| player.is_none_or(|player| player.name == *name);
    for round in &stage.rounds {
        let encounters: Vec<_> =
            round.encounters.iter().filter(|encounter| encounter.players.iter().any(is_own)).collect();
        let byes: Vec<_> = round.byes.iter().filter(|name| is_own(name)).collect();
        if encounters.is_empty() && byes.is_empty() {
            continue;
        }
        let _ = writeln!(body, "<h4>Round {}</h4>\n<ul class=\"rounds\">", round.round);
        for encounter in encounters {
            let _ = writeln!(body, "<li>{}</li>", line(schedule, encounter, site, query));
        }
        for name in byes {
            let _ = writeln!(
                body,
                "<li>{} <span class=\"weak\">no opponent</span></li>",
                link(schedule, name, query)
            );
        }
        body.push_str("</ul>\n");
    }
    body.push_str("</section>\n");
}

/// A pairing, with a link for each game.
fn line(schedule: &Schedule, encounter: &ScheduledEncounter, site: &Site, query: &str) -> String {
    let [first, second] = encounter.players.each_ref().map(|name| link(schedule, name, query));
    let part = match encounter.bracket.map(|place| place.bracket) {
        Some(Bracket::Winners) | None => String::new(),
        Some(bracket) => format!(" <span class=\"weak\">{}</span>", bracket.title(true).to_lowercase()),
    };
    let games = encounter.games.iter().filter_map(|&number| {
        let recording = recording_name(number, site.recordings?);
        Some(match site.spectator {
            Some(spectator) => {
                format!(
                    "<a href=\"{spectator}?replay=tournament/{recording}&amp;spoilers=hide\">{number}</a>"
                )
            }
            None => format!("<a href=\"{recording}\" download>{number}</a>"),
        })
    });
    let games: Vec<String> = games.collect();
    format!("{first} – {second}{part} <span class=\"weak\">games</span> {}", games.join(" "))
}

fn link(schedule: &Schedule, name: &str, query: &str) -> String {
    match schedule.players.iter().position(|player| player.name == name) {
        Some(index) => format!("<a href=\"{}{query}\">{}</a>", player_page(index), escaped(name)),
        None => escaped(name),
    }
}
