//! Tables in CSV for spreadsheets: RFC 4180, with line feeds at the ends of lines.
//!
//! Names and messages stay text: an apostrophe is put before a text that a spreadsheet would take for a formula.

use clap::ValueEnum;
use serde_json::Value;

use super::super::report::{Report, Snapshot, StageReport};

/// The table to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Table {
    /// The standings of every stage
    Standings,
    /// Points of each player against each other, in every stage
    Crosstable,
    /// Every game
    Games,
    /// The places over all stages
    Ranking,
}

/// A table with a header row.
pub fn csv(of: &Snapshot, table: Table) -> String {
    let mut out = String::new();
    match table {
        Table::Standings => standings(&mut out, &of.report()),
        Table::Crosstable => of.report().stages.iter().for_each(|stage| crosstable(&mut out, stage)),
        Table::Games => games(&mut out, of),
        Table::Ranking => {
            row(&mut out, ["place", "player", "stage"]);
            for place in of.report().ranking {
                row(
                    &mut out,
                    [
                        place.place.map_or_else(String::new, |place| place.to_string()),
                        place.player,
                        place.stage,
                    ],
                );
            }
        }
    }
    out
}

fn standings(out: &mut String, report: &Report) {
    row(
        out,
        [
            "stage",
            "rank",
            "player",
            "points",
            "games",
            "won",
            "drawn",
            "lost",
            "forfeits",
            "byes",
            "rating",
            "low",
            "high",
            "head-to-head",
            "Buchholz",
            "Sonneborn–Berger",
            "wins",
            "lot",
            "retired",
            "left the table",
        ],
    );
    for stage in &report.stages {
        for line in &stage.standings {
            let tie_break = |name: &str| {
                let found = line.tie_breaks.iter().find(|value| value.name == name);
                found.and_then(|found| found.value).map_or_else(String::new, |value| value.to_string())
            };
            let elo = |value: Option<f64>| value.map_or_else(String::new, |elo| format!("{elo:.1}"));
            let rating = line.rating.as_ref();
            let end = |which: usize| rating.and_then(|rating| rating.interval).map(|ends| ends[which]);
            row(
                out,
                [
                    stage.name.clone(),
                    line.rank.map_or_else(String::new, |rank| rank.to_string()),
                    line.player.clone(),
                    line.points.to_string(),
                    line.games.to_string(),
                    line.wins.to_string(),
                    line.draws.to_string(),
                    line.losses.to_string(),
                    line.forfeits.to_string(),
                    line.byes.to_string(),
                    elo(rating.map(|rating| rating.elo)),
                    elo(end(0)),
                    elo(end(1)),
                    tie_break("head-to-head"),
                    tie_break("Buchholz"),
                    tie_break("Sonneborn–Berger"),
                    tie_break("wins"),
                    tie_break("lot"),
                    line.retired.to_string(),
                    line.left_table.to_string(),
                ],
            );
        }
    }
}

/// One block per stage: its own header row, then a row per player.
fn crosstable(out: &mut String, stage: &StageReport) {
    if stage.crosstable.is_empty() {
        return;
    }
    let names = stage.crosstable.iter().map(|row| row.player.as_str());
    row(out, std::iter::once(stage.name.as_str()).chain(names));
    for line in &stage.crosstable {
        let cells = line.cells.iter().map(|cell| match cell {
            Some(cell) if !cell.games.is_empty() => cell.points.to_string(),
            _ => String::new(),
        });
        row(out, std::iter::once(line.player.clone()).chain(cells));
    }
}

/// The fields of a game, in the order of the JSON; lists are split into columns.
fn games(out: &mut String, of: &Snapshot) {
    row(
        out,
        [
            "number",
            "stage",
            "round",
            "encounter",
            "pair",
            "first",
            "second",
            "map",
            "opening",
            "seed",
            "result",
            "fault",
            "termination",
            "reason",
            "score first",
            "score second",
            "length",
            "unit",
            "started",
            "wall ms",
            "attempts",
            "counts",
            "same as",
            "ruling",
        ],
    );
    for line in of.game_lines() {
        let value = serde_json::json!(line);
        let text = |field: &str| match &value[field] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let score = |side: usize| line.score.map_or_else(String::new, |score| score[side].to_string());
        let [first, second] = line.players.clone();
        let mut cells: Vec<String> = ["number", "stage", "round", "encounter", "pair"].map(text).into();
        cells.extend([first, second]);
        cells.extend(["map", "opening", "seed", "result", "fault", "termination", "reason"].map(text));
        cells.extend([score(0), score(1)]);
        cells.extend(
            ["length", "unit", "started", "wall_ms", "attempts", "counts", "same_as", "ruling"].map(text),
        );
        row(out, cells);
    }
}

fn row<T: AsRef<str>>(out: &mut String, cells: impl IntoIterator<Item = T>) {
    for (number, text) in cells.into_iter().enumerate() {
        if number > 0 {
            out.push(',');
        }
        cell(out, text.as_ref());
    }
    out.push('\n');
}

/// Writes a cell. Numbers in digits stay as they are; other text that begins like a formula is escaped.
fn cell(out: &mut String, text: &str) {
    // Words such as `-inf` parse as numbers too, and name cells of a spreadsheet.
    let is_number = || text.parse::<f64>().is_ok_and(f64::is_finite);
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_number();
    let quoted = formula || text.contains(['"', ',', '\n', '\r']);
    if !quoted {
        out.push_str(text);
        return;
    }
    out.push('"');
    out.push_str(if formula { "'" } else { "" });
    out.push_str(&text.replace('"', "\"\""));
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell_of(text: &str) -> String {
        let mut out = String::new();
        cell(&mut out, text);
        out
    }

    #[test]
    fn cells_are_quoted_where_they_have_to_be() {
        assert_eq!(cell_of("ann"), "ann");
        assert_eq!(cell_of("ann, \"the\" bot"), "\"ann, \"\"the\"\" bot\"");
        assert_eq!(cell_of("-12.5"), "-12.5");
    }

    #[test]
    fn a_name_is_never_a_formula() {
        for name in ["=HYPERLINK(\"x\")", "+1+cmd", "-1+cmd", "@SUM(A1)", "\tx", "-inf", "+nan", "-Infinity"]
        {
            assert!(cell_of(name).starts_with("\"'"), "{name}");
        }
    }
}
