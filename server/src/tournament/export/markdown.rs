//! Export as Markdown tables for a course page.

use std::fmt::Write as _;

use super::super::report::Report;
use super::super::report::text::signed;

/// The ranking and the table of each stage, latest stage first.
pub fn markdown(report: &Report) -> String {
    let mut out = format!("# {}\n", text(&report.name));
    let several = report.stages.len() > 1;
    if several && report.ranking.iter().any(|place| place.place.is_some()) {
        out.push_str("\n| Place | Player | Reached |\n| ---: | --- | --- |\n");
        for place in report.ranking.iter().filter(|place| place.place.is_some()) {
            let number = place.place.unwrap_or_default();
            // Writing to a string can't fail.
            let _ = writeln!(out, "| {number} | {} | {} |", text(&place.player), text(&place.stage));
        }
    }
    for stage in report.stages.iter().rev().filter(|stage| stage.begun) {
        let _ = writeln!(out, "\n## {}\n", text(&stage.name));
        let rated = stage.standings.iter().any(|line| line.rating.is_some());
        out.push_str("| Rank | Player | Points | Games | Won | Drawn | Lost |");
        out.push_str(if rated { " Rating |\n" } else { "\n" });
        out.push_str("| ---: | --- | ---: | ---: | ---: | ---: | ---: |");
        out.push_str(if rated { " --- |\n" } else { "\n" });
        for line in &stage.standings {
            let rank = line.rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string());
            let remark = line.remark().map_or_else(String::new, |remark| format!(" ({remark})"));
            let _ = write!(
                out,
                "| {rank} | {}{remark} | {} | {} | {} | {} | {} |",
                text(&line.player),
                line.points,
                line.games,
                line.wins,
                line.draws,
                line.losses
            );
            match &line.rating {
                Some(rating) => {
                    let ends =
                        rating.interval.map(|[low, high]| format!(" ({} to {})", signed(low), signed(high)));
                    let _ = writeln!(out, " {}{} |", signed(rating.elo), ends.unwrap_or_default());
                }
                None if rated => out.push_str(" |\n"),
                None => out.push('\n'),
            }
        }
    }
    out
}

/// Escapes a text for a cell: no mark-up, no HTML, one line.
fn text(of: &str) -> String {
    let mut safe = String::with_capacity(of.len());
    for c in of.chars() {
        match c {
            '<' => safe.push_str("&lt;"),
            '&' => safe.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '>' | '!' | '~' | '$' => {
                safe.extend(['\\', c]);
            }
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_one_cell_of_text() {
        assert_eq!(text("a|b\nc <img> [x](y)"), "a\\|b c &lt;img\\> \\[x\\](y)");
        // Struck out, and a formula, where course pages are shown on GitHub.
        assert_eq!(text("~~x~~ $y$"), "\\~\\~x\\~\\~ \\$y\\$");
    }
}
