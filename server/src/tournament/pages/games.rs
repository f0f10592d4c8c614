//! Page of all games with an attempt, filtered by player, opponent, stage and result.

use std::fmt::Write as _;

use super::super::report::{GameFilter, GameLine, OutcomeFilter, Report};
use super::document::{Site, games as table, home, page};
use super::{GAMES, position};
use crate::html::escaped;

/// Games per page.
const PAGE: usize = 200;

/// The page with the games of `all` that match `filter`, from number `from` on.
pub fn games(report: &Report, site: &Site, filter: &GameFilter, from: u64, all: &[GameLine]) -> String {
    let mut body = home(report);
    body.push_str("<h1>Games</h1>\n");
    form(&mut body, report, filter);
    let wanted: Vec<&GameLine> = all.iter().filter(|line| filter.takes(line)).collect();
    let start = wanted.partition_point(|line| line.number < from);
    let shown = &wanted[start..(start + PAGE).min(wanted.len())];
    let count = if wanted.len() == 1 { "1 game".to_owned() } else { format!("{} games", wanted.len()) };
    // Writing to a string can't fail.
    let _ = match shown.len() == wanted.len() {
        true => writeln!(body, "<p>{count}.</p>"),
        false => writeln!(body, "<p>{count}; {} to {} of them:</p>", start + 1, start + shown.len()),
    };
    if shown.is_empty() {
        body.push_str("<p class=\"weak\">Nothing was played that fits.</p>\n");
    } else {
        body.push_str(&table(report, site, shown));
    }
    let query = query(report, filter);
    let leaf = |text: &str, from: u64| format!("<a href=\"{GAMES}?{query}from={from}\">{text}</a> ");
    if start > 0 {
        body.push_str(&leaf("Earlier", wanted[start.saturating_sub(PAGE)].number));
    }
    if let Some(next) = wanted.get(start + shown.len()) {
        body.push_str(&leaf("Later", next.number));
    }
    page(&report.name, site.refresh_of(report), "Games", &body)
}

/// The filter as an HTML form without script.
fn form(body: &mut String, report: &Report, filter: &GameFilter) {
    let _ = writeln!(body, "<form action=\"{GAMES}\" class=\"filters\">");
    let names: Vec<&str> = report.players.iter().map(|player| player.name.as_str()).collect();
    let stages: Vec<&str> = report.stages.iter().map(|stage| stage.name.as_str()).collect();
    choice(body, "Player", "player", &names, filter.player.as_deref());
    choice(body, "Opponent", "opponent", &names, filter.opponent.as_deref());
    choice(body, "Stage", "stage", &stages, filter.stage.as_deref());
    let _ = write!(body, "<label>Result <select name=\"result\"><option value=\"\">any</option>");
    for outcome in OutcomeFilter::ALL {
        let chosen = if filter.outcome == Some(outcome) { " selected" } else { "" };
        let _ = write!(body, "<option value=\"{}\"{chosen}>{}</option>", outcome.name(), outcome.label());
    }
    body.push_str("</select></label>\n<button>Show</button></form>\n");
}

/// A selection among names, with their numbers from 1 as values.
fn choice(body: &mut String, label: &str, name: &str, all: &[&str], current: Option<&str>) {
    let _ = write!(body, "<label>{label} <select name=\"{name}\"><option value=\"\">any</option>");
    for (index, text) in all.iter().enumerate() {
        let chosen = if current == Some(*text) { " selected" } else { "" };
        let _ = write!(body, "<option value=\"{}\"{chosen}>{}</option>", index + 1, escaped(text));
    }
    body.push_str("</select></label>\n");
}

/// The filter as a query string, with an `&` after each part.
fn query(report: &Report, filter: &GameFilter) -> String {
    let mut query = String::new();
    for (name, player) in [("player", &filter.player), ("opponent", &filter.opponent)] {
        let number = player.as_ref().and_then(|player| position(report, player));
        if let Some(number) = number {
            let _ = write!(query, "{name}={}&amp;", number + 1);
        }
    }
    let stage = |name: &String| report.stages.iter().position(|stage| stage.name == *name);
    if let Some(stage) = filter.stage.as_ref().and_then(stage) {
        let _ = write!(query, "stage={}&amp;", stage + 1);
    }
    if let Some(outcome) = filter.outcome {
        let _ = write!(query, "result={}&amp;", outcome.name());
    }
    query
}
