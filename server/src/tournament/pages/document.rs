//! Frame of every page, and parts that several pages share.

use std::fmt::Write as _;

use grandstand_story::format;

use super::super::report::{GameLine, Report};
use super::{INDEX, picture_name, player_page, position, recording_name};
use crate::html::escaped;

/// Link targets and features that the pages can use.
#[derive(Debug, Clone, Default)]
pub struct Site {
    /// Ending of the recordings' file names by [`recording_name`]; `None` if recordings are not available.
    pub recordings: Option<&'static str>,
    /// Whether pictures of the games' ends exist, named by [`picture_name`].
    pub pictures: bool,
    /// Address of the spectator, relative to the pages, if there is one: it opens recordings.
    pub spectator: Option<&'static str>,
    /// Whether addresses may have queries, for sorted tables, filtered games, and hidden results.
    pub queries: bool,
    /// Interval in seconds at which browsers refresh a page, while the tournament is running.
    pub refresh: Option<u32>,
}

/// A whole page of the tournament `name`, which browsers refresh every `refresh` seconds. `body` is HTML.
pub(super) fn page(name: &str, refresh: Option<u32>, title: &str, body: &str) -> String {
    let name = escaped(name);
    let title = if title.is_empty() { name.clone() } else { format!("{} – {name}", escaped(title)) };
    let refresh = refresh
        .map_or_else(String::new, |seconds| format!("<meta http-equiv=\"refresh\" content=\"{seconds}\">\n"));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n{refresh}<title>{title}</title>\n\
         <style>\n{}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        include_str!("style.css")
    )
}

impl Site {
    /// The refresh interval of this tournament's pages; `None` once it is over.
    pub(super) fn refresh_of(&self, report: &Report) -> Option<u32> {
        self.refresh.filter(|_| !report.over)
    }
}

/// A player's name, as a link to its page.
pub(super) fn player_link(report: &Report, name: &str) -> String {
    match position(report, name) {
        Some(index) => format!("<a href=\"{}\">{}</a>", player_page(index), escaped(name)),
        None => escaped(name),
    }
}

/// Link to the first page.
pub(super) fn home(report: &Report) -> String {
    format!("<nav><a href=\"{INDEX}\">{}</a></nav>\n", escaped(&report.name))
}

/// A table of games, with links to their recordings and pictures.
pub(super) fn games(report: &Report, site: &Site, lines: &[&GameLine]) -> String {
    let mapped = lines.iter().any(|line| line.map.is_some());
    let mut table = String::from(
        "<div class=\"wide\"><table>\n<thead><tr><th class=\"number\">Game<th>Stage<th>First side<th>Second side<th>Result<th>Ended by",
    );
    table.push_str(if mapped { "<th>Map" } else { "" });
    table.push_str("<th class=\"number\">Length<th>Watch</thead>\n<tbody>\n");
    for line in lines {
        // Writing to a string can't fail.
        let _ = write!(
            table,
            "<tr id=\"g{0}\"><td class=\"number\">{0}<td>{1}, round {2}",
            line.number,
            escaped(&line.stage),
            line.round
        );
        for (side, name) in line.players.iter().enumerate() {
            let link = player_link(report, name);
            let won = line.winner.is_some_and(|winner| usize::from(winner) == side);
            table.push_str("<td>");
            table.push_str(&if won { format!("<strong>{link}</strong>") } else { link });
        }
        let _ = write!(
            table,
            "<td class=\"result\">{}<td>{}",
            line.result.as_deref().unwrap_or("to be replayed"),
            ended_by(line)
        );
        if mapped {
            let _ = write!(table, "<td>{}", escaped(line.map.as_deref().unwrap_or("–")));
        }
        let length = line.length.zip(line.unit.as_deref());
        let length = length.map_or_else(String::new, |(length, unit)| {
            format!("{} {}", format::number(length), escaped(unit))
        });
        let _ = writeln!(table, "<td class=\"number\">{length}<td>{}", watch(site, line));
    }
    table.push_str("</tbody>\n</table></div>\n");
    table
}

/// Termination of a game, with remarks on its result.
fn ended_by(line: &GameLine) -> String {
    let mut words = escaped(&format::ended_by(&line.termination));
    if let Some(reason) = &line.reason {
        let _ = write!(words, " <small>{}</small>", escaped(reason));
    }
    if let Some(ruling) = &line.ruling {
        let _ = write!(words, " <small>ruling: {}</small>", escaped(ruling));
    }
    if let Some(same) = line.same_as {
        let _ = write!(words, " <small>the same as game {same}</small>");
    }
    if line.attempts > 1 {
        let _ = write!(words, " <small>played {} times</small>", line.attempts);
    }
    if !line.counts {
        words.push_str(" <small>does not count yet</small>");
    }
    words
}

fn watch(site: &Site, line: &GameLine) -> String {
    if !line.recorded {
        return "<span class=\"weak\">not recorded</span>".to_owned();
    }
    let number = line.number;
    let mut links = Vec::new();
    if let Some(recording) = site.recordings.map(|ending| recording_name(number, ending)) {
        if let Some(spectator) = site.spectator {
            links.push(format!("<a href=\"{spectator}?replay=tournament/{recording}\">watch</a>"));
        }
        links.push(format!("<a href=\"{recording}\" download>recording</a>"));
    }
    if site.pictures {
        let file = picture_name(number);
        links.push(format!("<a href=\"{file}\">end</a>"));
    }
    links.join(" ")
}
