//! First page: state of the tournament, ranking, and each stage with its table, crosstable and rounds.

use std::fmt::Write as _;

use grandstand_story::format::{capitalised, stage_plan};
use grandstand_tournaments::TieBreak;

use super::super::report::text::{machine_faults, signed};
use super::super::report::{
    CrossCell, EncounterLine, RatingHistory, Report, SprtLine, StageReport, StandingsOrder,
};
use super::bracket::brackets;
use super::document::{Site, page, player_link};
use super::interval::Scale;
use super::ratings::ratings;
use super::{GAMES, INDEX, player_page, position};
use crate::html::escaped;

/// Maximum number of players for a crosstable on the page.
const CROSSTABLE_MAX: usize = 128;

/// The direction of the order, as `aria-sort` names it.
fn direction(order: StandingsOrder) -> &'static str {
    match order {
        StandingsOrder::Rank | StandingsOrder::Name => "ascending",
        StandingsOrder::Rating | StandingsOrder::Wins | StandingsOrder::Forfeits => "descending",
    }
}

/// The first page, with the ratings over time of the stages that have some.
pub fn index(report: &Report, histories: &[RatingHistory], site: &Site, order: StandingsOrder) -> String {
    let mut body = format!("<h1>{}</h1>\n<p>{}</p>\n", escaped(&report.name), state(report));
    // The latest stage is first: during it readers look for its table, and after it for the ranking.
    let begun: Vec<(usize, &StageReport)> =
        report.stages.iter().enumerate().filter(|(_, stage)| stage.begun).collect();
    if report.stages.len() > 1 || site.queries {
        body.push_str("<nav>");
        let several = report.stages.len() > 1;
        for (number, stage) in report.stages.iter().enumerate().filter(|_| several) {
            let name = escaped(&stage.name);
            body.push_str(&match stage.begun {
                true => format!("<a href=\"#stage-{}\">{name}</a> ", number + 1),
                false => format!("<span class=\"weak\">{name}</span> "),
            });
        }
        if is_ranked(report) {
            body.push_str("<a href=\"#ranking\">Ranking over all stages</a> ");
        }
        if site.queries {
            // Writing to a string can't fail.
            let _ = write!(
                body,
                "<a href=\"{GAMES}\">All games</a> <a href=\"{INDEX}?spoilers=hide\">Hide results</a>"
            );
        }
        body.push_str("</nav>\n");
    }
    for (number, stage) in begun.into_iter().rev() {
        let history = histories.iter().find(|history| history.stage == number + 1);
        stage_section(&mut body, report, site, order, (number, stage, history));
    }
    if is_ranked(report) {
        ranking(&mut body, report);
    }
    notes(&mut body, report);
    page(&report.name, site.refresh_of(report), "", &body)
}

/// Whether there is a ranking beyond the tables of single stages.
fn is_ranked(report: &Report) -> bool {
    report.stages.len() > 1 && report.ranking.iter().any(|place| place.place.is_some())
}

/// The places over all stages.
fn ranking(body: &mut String, report: &Report) {
    body.push_str("<h2 id=\"ranking\">Ranking over all stages</h2>\n<div class=\"wide\"><table>\n<thead><tr><th class=\"number\">Place<th>Player<th>Reached</thead>\n<tbody>\n");
    for place in &report.ranking {
        let number = place.place.map_or_else(|| "–".to_owned(), |place| place.to_string());
        // Writing to a string can't fail.
        let _ = writeln!(
            body,
            "<tr><td class=\"number\">{number}<td>{}<td>{}",
            player_link(report, &place.player),
            escaped(&place.stage)
        );
    }
    body.push_str("</tbody>\n</table></div>\n");
}

/// Progress of the tournament, in a sentence.
fn state(report: &Report) -> String {
    let games = |count: u64| if count == 1 { "1 game".to_owned() } else { format!("{count} games") };
    let state = match (report.over, report.counted) {
        (true, counted) => format!("Over after {}.", games(counted)),
        (false, 0) => "Not begun.".to_owned(),
        (false, counted) => {
            format!(
                "In progress: {} counted, {} to come in the rounds drawn so far.",
                games(counted),
                report.remaining
            )
        }
    };
    let players = report.players.len();
    format!("{}, {players} players. {state}", escaped(title(&report.game)))
}

/// The display name of a game.
pub(super) fn title(game: &str) -> &str {
    match game.parse() {
        Ok(known) => grandstand_matches::games::title(known),
        Err(_) => game,
    }
}

fn stage_section(
    body: &mut String,
    report: &Report,
    site: &Site,
    order: StandingsOrder,
    (number, stage, history): (usize, &StageReport, Option<&RatingHistory>),
) {
    let _ = writeln!(
        body,
        "<section id=\"stage-{0}\">\n<h2>{1} <small>{2}</small></h2>",
        number + 1,
        escaped(&stage.name),
        escaped(&stage_plan(&stage.format, stage.advance)),
    );
    if let Some(sprt) = &stage.sprt {
        test(body, report, sprt);
    }
    body.push_str(&brackets(report, stage));
    standings(body, report, site, order, stage);
    crosstable(body, report, stage);
    body.push_str(&history.map(ratings).unwrap_or_default());
    rounds(body, report, stage);
    body.push_str("</section>\n");
}

/// State of a test of strength.
fn test(body: &mut String, report: &Report, sprt: &SprtLine) {
    let [lost, drawn, won] = sprt.games;
    let [low, high] = sprt.bounds;
    // In a later stage the first player is another one than the best seed.
    let best = report.players.first().filter(|_| report.stages.len() == 1);
    let first = best.map_or("the first player", |player| &*player.name);
    let number = |value: f64| format!("{value:.2}").replace('-', "−");
    let _ = writeln!(
        body,
        "<p class=\"notice\"><strong>{}.</strong> {won} won, {drawn} drawn, {lost} lost by {}; log-likelihood ratio {} \
         between {} (elo0) and {} (elo1). Pairs by its points, 0 to 2: {}.</p>",
        escaped(&capitalised(&sprt.sentence())),
        escaped(first),
        number(sprt.llr),
        number(low),
        number(high),
        sprt.pairs.map(|count| count.to_string()).join(", "),
    );
}

fn standings(body: &mut String, report: &Report, site: &Site, order: StandingsOrder, stage: &StageReport) {
    let scale = Scale::of(&stage.standings);
    // The number of wins has its own column.
    let breaks: Vec<(usize, &str)> =
        stage.deciding_tie_breaks().filter(|(_, name)| *name != TieBreak::Wins.name()).collect();
    let heading = |class: &str, text: &str, by: Option<StandingsOrder>| {
        let Some(by) = by.filter(|_| site.queries) else { return format!("<th{class}>{text}") };
        let current = match by == order {
            true => format!(" aria-sort=\"{}\"", direction(order)),
            false => String::new(),
        };
        format!("<th{class}{current}><a href=\"?sort={}\">{text}</a>", by.name())
    };
    let number = " class=\"number\"";
    body.push_str("<div class=\"wide\"><table class=\"standings\">\n<thead><tr>");
    body.push_str(&heading(number, "Rank", Some(StandingsOrder::Rank)));
    body.push_str(&heading("", "Player", Some(StandingsOrder::Name)));
    body.push_str(&heading(number, "Points", None));
    if scale.is_some() {
        body.push_str(&heading(number, "Rating", Some(StandingsOrder::Rating)));
        body.push_str("<th>95 % interval");
    }
    body.push_str(&heading(number, "Games", None));
    body.push_str(&heading(number, "Won", Some(StandingsOrder::Wins)));
    body.push_str(&heading(number, "Drawn", None));
    body.push_str(&heading(number, "Lost", None));
    body.push_str(&heading(number, "By own fault", Some(StandingsOrder::Forfeits)));
    for &(_, name) in &breaks {
        body.push_str(&heading(number, &capitalised(name), None));
    }
    body.push_str("</thead>\n<tbody>\n");
    let last_to_advance = stage.last_to_advance().filter(|_| order == StandingsOrder::Rank);
    for (index, line) in order.sorted(&stage.standings).into_iter().enumerate() {
        let rank = line.rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string());
        let remark = line.remark().map_or_else(String::new, |remark| format!(" <small>{remark}</small>"));
        let _ = write!(
            body,
            "<tr{}><td class=\"number\">{rank}<th scope=\"row\">{}{remark}<td class=\"number points\">{}",
            if last_to_advance == Some(index + 1) { " class=\"cut\"" } else { "" },
            player_link(report, &line.player),
            line.points,
        );
        if let Some(scale) = scale {
            match &line.rating {
                Some(rating) => {
                    let sure = if rating.reliable { "" } else { "?" };
                    let group = if rating.group > 0 {
                        format!(" <small>group {}</small>", rating.group + 1)
                    } else {
                        String::new()
                    };
                    let _ = write!(
                        body,
                        "<td class=\"number\">{}{sure}{group}<td>{}",
                        signed(rating.elo).replace('-', "−"),
                        scale.bar(rating)
                    );
                }
                None => body.push_str("<td class=\"number weak\">–<td>"),
            }
        }
        for count in [line.games, line.wins, line.draws, line.losses, line.forfeits] {
            let _ = write!(body, "<td class=\"number\">{count}");
        }
        for &(at, _) in &breaks {
            let value = line.tie_breaks.get(at).and_then(|value| value.value);
            let _ = write!(
                body,
                "<td class=\"number\">{}",
                value.map_or_else(|| "–".to_owned(), |v| v.to_string())
            );
        }
        body.push('\n');
    }
    body.push_str("</tbody>\n</table></div>\n");
}

/// Points of each player against each other; a cell links to its games.
fn crosstable(body: &mut String, report: &Report, stage: &StageReport) {
    let met = stage.crosstable.iter().flat_map(|row| &row.cells).flatten().any(|cell| !cell.games.is_empty());
    if !met || stage.crosstable.len() < 3 {
        return;
    }
    if stage.crosstable.len() > CROSSTABLE_MAX {
        body.push_str("<p class=\"weak\">The crosstable is too large for a page; it is in the JSON, and in what <code>tournament export</code> writes.</p>\n");
        return;
    }
    let _ = writeln!(
        body,
        "<details{}><summary>Crosstable</summary>\n<div class=\"wide\"><table class=\"crosstable\">\n<thead><tr><th>Player",
        if stage.crosstable.len() <= 16 { " open" } else { "" }
    );
    for (number, row) in stage.crosstable.iter().enumerate() {
        let _ = write!(
            body,
            "<th class=\"number\"><abbr title=\"{}\">{}</abbr>",
            escaped(&row.player),
            number + 1
        );
    }
    body.push_str("</thead>\n<tbody>\n");
    for (number, row) in stage.crosstable.iter().enumerate() {
        let _ = write!(
            body,
            "<tr><th scope=\"row\"><span class=\"weak\">{}</span> {}",
            number + 1,
            player_link(report, &row.player)
        );
        for (cell, other) in row.cells.iter().zip(&stage.crosstable) {
            cross_cell(body, report, &row.player, &other.player, cell.as_ref());
        }
        body.push('\n');
    }
    body.push_str("</tbody>\n</table></div></details>\n");
}

fn cross_cell(body: &mut String, report: &Report, own: &str, other: &str, cell: Option<&CrossCell>) {
    let Some(cell) = cell else {
        body.push_str("<td class=\"self\">");
        return;
    };
    if cell.games.is_empty() {
        body.push_str("<td>");
        return;
    }
    let class = match cell.wins.cmp(&cell.losses) {
        _ if cell.left_out => "left-out",
        std::cmp::Ordering::Greater => "ahead",
        std::cmp::Ordering::Less => "behind",
        std::cmp::Ordering::Equal => "level",
    };
    let points = match (position(report, own), position(report, other)) {
        (Some(own), Some(other)) => {
            format!("<a href=\"{}#vs-{}\">{}</a>", player_page(own), other + 1, cell.points)
        }
        _ => cell.points.to_string(),
    };
    let _ = write!(
        body,
        "<td class=\"number {class}\" title=\"{} – {}: {} won, {} drawn, {} lost\">{points}",
        escaped(own),
        escaped(other),
        cell.wins,
        cell.draws,
        cell.losses
    );
}

/// The rounds drawn so far, latest first. Eliminations are shown as brackets instead.
fn rounds(body: &mut String, report: &Report, stage: &StageReport) {
    let in_bracket = |encounter: &EncounterLine| encounter.bracket.is_some();
    if stage.rounds.iter().flat_map(|round| &round.encounters).any(in_bracket) {
        return;
    }
    body.push_str("<details><summary>Rounds</summary>\n");
    for round in stage.rounds.iter().rev() {
        let _ = writeln!(body, "<h4>Round {}</h4>\n<ul class=\"rounds\">", round.round);
        for encounter in &round.encounters {
            let [first, second] = encounter.players.each_ref().map(|name| player_link(report, name));
            let points = match encounter.points {
                Some([a, b]) => format!("{a} : {b}"),
                None if encounter.games.is_empty() => "to be played".to_owned(),
                None => "being played".to_owned(),
            };
            let _ = writeln!(body, "<li>{first} – {second} <span class=\"result\">{points}</span></li>");
        }
        for player in &round.byes {
            let _ = writeln!(
                body,
                "<li>{} <span class=\"weak\">no opponent</span></li>",
                player_link(report, player)
            );
        }
        body.push_str("</ul>\n");
    }
    body.push_str("</details>\n");
}

/// Notices, rulings, and the data to verify the draws.
fn notes(body: &mut String, report: &Report) {
    if report.notes().next().is_some() || !report.rulings.is_empty() {
        body.push_str("<h2 id=\"notes\">Notes</h2>\n<ul>\n");
        for notice in report.notes() {
            let _ = writeln!(body, "<li>{}</li>", escaped(&capitalised(&notice.text)));
        }
        for ruling in &report.rulings {
            let _ = writeln!(body, "<li>Ruling on game {}: {}</li>", ruling.game, escaped(&ruling.reason));
        }
        body.push_str("</ul>\n");
    }
    let seed = match &report.seed {
        Some(seed) => format!("Drawn from seed {}", escaped(seed)),
        None => "The seed is secret until the tournament is over".to_owned(),
    };
    let _ = writeln!(
        body,
        "<p class=\"weak\">{seed}; its SHA-256 is <code>{}</code>.</p>",
        escaped(&report.seed_sha256)
    );
    if report.machine_faults > 0 {
        let _ = writeln!(body, "<p class=\"weak\">{}.</p>", capitalised(&machine_faults(report)));
    }
}
