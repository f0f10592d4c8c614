//! Page of one player: results by opponent, side and map, terminations, worst losses, all games.

use std::fmt::Write as _;

use grandstand_story::format::ended_by;

use super::super::report::{GameLine, Opposition, PlayerReport, Report};
use super::document::{Site, games, home, page, player_link};
use super::{GAMES, player_page, position};
use crate::html::escaped;

/// The page of a player, with the player's games from `all`.
pub fn player(report: &Report, site: &Site, of: &PlayerReport, all: &[GameLine]) -> String {
    let name = &of.player.name;
    let mut body = home(report);
    if site.queries {
        let number = of.player.player as usize;
        // Writing to a string can't fail.
        let _ = writeln!(
            body,
            "<nav><a href=\"{GAMES}?player={}\">Its games, chosen by result</a> <a href=\"{}?spoilers=hide\">Hide results</a></nav>",
            number + 1,
            player_page(number)
        );
    }
    let total = &of.total;
    // Writing to a string can't fail.
    let _ = writeln!(
        body,
        "<h1>{}</h1>\n<p>{} games count: {} won, {} drawn, {} lost. Plays as <code>{}</code>, version <code>{}</code>{}.</p>",
        escaped(name),
        total.games(),
        total.wins,
        total.draws,
        total.losses,
        escaped(&of.player.play),
        escaped(of.player.sha256.get(..12).unwrap_or(&of.player.sha256)),
        if of.player.versions > 1 {
            format!(", the latest of {}", of.player.versions)
        } else {
            String::new()
        },
    );
    body.push_str("<div class=\"columns\">\n");
    shares(&mut body, "By side", &of.sides, |one| format!("{} side", escaped(&one.name)));
    shares(&mut body, "By map", &of.maps, |one| escaped(&one.name));
    endings(&mut body, of);
    body.push_str("</div>\n");
    shares(&mut body, "By opponent", &of.opponents, |one| player_link(report, &one.name));
    if !of.worst_losses.is_empty() {
        body.push_str("<h2>Worst losses</h2>\n<p>Those that took the opponent the shortest time.</p>\n");
        body.push_str(&games(report, site, &of.worst_losses.iter().collect::<Vec<_>>()));
    }
    for opponent in &of.opponents {
        let lines: Vec<&GameLine> = all
            .iter()
            .filter(|line| line.players.contains(name) && line.players.contains(&opponent.name))
            .collect();
        let number = position(report, &opponent.name).map_or(0, |index| index + 1);
        let _ = writeln!(body, "<h2 id=\"vs-{number}\">Against {}</h2>", player_link(report, &opponent.name));
        body.push_str(&games(report, site, &lines));
    }
    page(&report.name, site.refresh_of(report), name, &body)
}

/// A table of results with bars.
fn shares(body: &mut String, title: &str, rows: &[Opposition], name: impl Fn(&Opposition) -> String) {
    if rows.iter().all(|row| row.games() == 0) {
        return;
    }
    let _ = writeln!(
        body,
        "<div><h2>{title}</h2>\n<div class=\"wide\"><table>\n<thead><tr><th><span class=\"hidden\">{title}</span>\
         <th class=\"number\">Won<th class=\"number\">Drawn<th class=\"number\">Lost<th>Share</thead>\n<tbody>"
    );
    for row in rows.iter().filter(|row| row.games() > 0) {
        let games = f64::from(row.games());
        let (won, drawn) = (f64::from(row.wins) / games * 100.0, f64::from(row.draws) / games * 100.0);
        let _ = writeln!(
            body,
            "<tr><th scope=\"row\">{}<td class=\"number\">{}<td class=\"number\">{}<td class=\"number\">{}\
             <td><svg class=\"share\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{won:.0} % won\">\
             <rect class=\"lost\" width=\"100\" height=\"10\"/><rect class=\"drawn\" width=\"{:.1}\" height=\"10\"/>\
             <rect class=\"won\" width=\"{won:.1}\" height=\"10\"/></svg>",
            name(row),
            row.wins,
            row.draws,
            row.losses,
            won + drawn,
        );
    }
    body.push_str("</tbody>\n</table></div></div>\n");
}

fn endings(body: &mut String, of: &PlayerReport) {
    if of.endings.is_empty() {
        return;
    }
    body.push_str("<div><h2>How its games ended</h2>\n<div class=\"wide\"><table>\n<thead><tr><th>Result<th>By<th class=\"number\">Games</thead>\n<tbody>\n");
    for (won, by, count) in &of.endings {
        let _ = writeln!(body, "<tr><td>{won}<td>{}<td class=\"number\">{count}", escaped(&ended_by(by)));
    }
    body.push_str("</tbody>\n</table></div>\n");
    if !of.faults.is_empty() {
        let faults: Vec<String> =
            of.faults.iter().map(|(by, count)| format!("{} {count}", escaped(&ended_by(by)))).collect();
        let _ = writeln!(body, "<p>By its own fault: {}.</p>", faults.join(", "));
    }
    body.push_str("</div>\n");
}
