//! Reports as text for a terminal: aligned columns.

use grandstand_tournaments::ratings::RELIABLE_GAMES;

use super::{GameLine, Opposition, PlayerReport, RatingLine, Report, StageReport};

/// Alignment of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Left, for words.
    Left,
    /// Right, for numbers.
    Right,
}

/// Rows of cells as lines with aligned columns, two blanks apart. The first row is the header.
pub fn table(columns: &[Align], rows: &[Vec<String>]) -> String {
    let width =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns.len()).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for ((cell, align), width) in row.iter().zip(columns).zip(&widths) {
            let padding = " ".repeat(width - cell.chars().count().min(*width));
            let cell = match align {
                Align::Left => format!("{cell}{padding}"),
                Align::Right => format!("{padding}{cell}"),
            };
            line = format!("{line}{}{cell}", if line.is_empty() { "" } else { "  " });
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// Heading of every report.
pub fn heading(report: &Report) -> String {
    let state = match (report.over, report.remaining) {
        (true, _) => "over".to_owned(),
        (false, 1) => "1 game of the rounds drawn is still to play".to_owned(),
        (false, games) => format!("{games} games of the rounds drawn are still to play"),
    };
    let seed = match &report.seed {
        Some(seed) => format!("seed {seed}"),
        None => format!("secret seed, whose SHA-256 is {}", report.seed_sha256),
    };
    format!("{} ({})\n{} games count, {state}; {seed}\n", report.name, report.game, report.counted)
}

/// The tables of all stages that have begun, the latest first.
pub fn standings(report: &Report) -> String {
    let mut text = heading(report);
    for stage in report.stages.iter().rev().filter(|stage| stage.begun) {
        text += &format!("\n{} ({})\n", stage.name, stage.format);
        text += &stage_table(stage);
        text += &about_ratings(stage);
        text += &reasons(stage);
        if let Some(test) = &stage.sprt {
            text += &format!(
                "elo0 {} against elo1 {}: {}; log-likelihood ratio {:.2} of {:.2} to {:.2}, pairs {:?}\n",
                test.elo[0], test.elo[1], test.verdict, test.llr, test.bounds[0], test.bounds[1], test.pairs
            );
        }
    }
    if report.stages.iter().filter(|stage| stage.begun).count() > 1 {
        text += "\nPlaces\n";
        let mut rows = vec![vec!["#".to_owned(), "player".to_owned(), "played up to".to_owned()]];
        rows.extend(
            report.ranking.iter().map(|line| vec![rank(line.place), line.player.clone(), line.stage.clone()]),
        );
        text += &table(&[Align::Right, Align::Left, Align::Left], &rows);
    }
    text + &remarks(report)
}

fn stage_table(stage: &StageReport) -> String {
    use Align::{Left, Right};

    // Wins have their own column; lots and head-to-heads are listed below the table where they decided.
    let shown = |name: &str| !matches!(name, "wins" | "lot" | "head-to-head");
    let first = stage.standings.first();
    let tie_breaks: Vec<&str> = first
        .iter()
        .flat_map(|line| &line.tie_breaks)
        .map(|tie_break| tie_break.name.as_str())
        .filter(|name| shown(name))
        .collect();
    let rated = stage.standings.iter().any(|line| line.rating.is_some());
    let faulty = stage.standings.iter().any(|line| line.forfeits > 0);
    let mut columns = vec![Right, Left, Right, Right, Right, Right, Right];
    let mut head: Vec<String> =
        ["#", "player", "points", "games", "won", "drawn", "lost"].map(str::to_owned).into();
    if faulty {
        columns.push(Right);
        head.push("faults".to_owned());
    }
    for tie_break in &tie_breaks {
        columns.push(Right);
        head.push((*tie_break).to_owned());
    }
    if rated {
        columns.push(Right);
        head.push("Elo, 95 %".to_owned());
    }
    columns.push(Left);
    let mut rows = vec![head];
    for line in &stage.standings {
        let counts = [line.games, line.wins, line.draws, line.losses].map(|count| count.to_string());
        let mut row = vec![rank(line.rank), line.player.clone(), line.points.to_string()];
        row.extend(counts);
        if faulty {
            row.push(line.forfeits.to_string());
        }
        let values = line.tie_breaks.iter().filter(|tie_break| shown(&tie_break.name));
        row.extend(
            values.map(|tie_break| tie_break.value.map(|value| value.to_string()).unwrap_or_default()),
        );
        if rated {
            row.push(line.rating.as_ref().map(elo).unwrap_or_default());
        }
        row.push(line.remark().unwrap_or_default().to_owned());
        rows.push(row);
    }
    table(&columns, &rows)
}

/// The criteria that decided between players with equal points.
fn reasons(stage: &StageReport) -> String {
    let pairs = stage.standings.iter().zip(stage.standings.iter().skip(1));
    let told = pairs.filter_map(|(above, below)| {
        let why = above
            .above_next
            .as_deref()
            .filter(|why| !matches!(*why, "points" | "takes no place" | "went further"))?;
        Some(format!("{} above {}: {why}\n", above.player, below.player))
    });
    told.collect()
}

/// Notices, rulings, and faults of the machine.
fn remarks(report: &Report) -> String {
    let mut text = String::new();
    let identical = report.notices.iter().filter(|notice| notice.kind == "identical").count();
    let told = report
        .notices
        .iter()
        .filter(|notice| !matches!(notice.kind.as_str(), "identical" | "bye" | "stage-over"));
    for notice in told {
        text += &format!("{}\n", notice.text);
    }
    match identical {
        0 => {}
        1 => text += "1 game is the same as an earlier one, command for command; it is rated once\n",
        games => {
            text += &format!(
                "{games} games are the same as earlier ones, command for command; they are rated once\n"
            )
        }
    }
    for ruling in &report.rulings {
        text += &format!("ruling on game {}: {}\n", ruling.game, ruling.reason);
    }
    if report.machine_faults > 0 {
        text += &format!("{}\n", machine_faults(report));
    }
    if let Some(late) = report.disturbed_ms.filter(|late| *late >= 5) {
        text += &format!("the machine woke a player up to {late} ms late while clocks ran\n");
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// The faults of the machine, and what became of their games.
pub(in super::super) fn machine_faults(report: &Report) -> String {
    let faults = report.machine_faults;
    match report.machine_left {
        0 => format!("faults of the machine: {faults}; their games were played again"),
        left => format!("faults of the machine: {faults}; games that were not played again: {left}"),
    }
}

/// The crosstable of the last stage that has begun.
pub fn crosstable(report: &Report) -> String {
    let mut text = heading(report);
    let Some(stage) = report.stages.iter().rev().find(|stage| stage.begun) else { return text };
    text += &format!("\n{} ({}): points of the row against the column\n", stage.name, stage.format);
    let mut columns = vec![Align::Right, Align::Left];
    let mut head = vec!["#".to_owned(), "player".to_owned()];
    for number in 1..=stage.crosstable.len() {
        columns.push(Align::Right);
        head.push(number.to_string());
    }
    let mut rows = vec![head];
    for (number, row) in (1..).zip(&stage.crosstable) {
        let mut cells = vec![format!("{number}"), row.player.clone()];
        cells.extend(row.cells.iter().map(|cell| match cell {
            None => "·".to_owned(),
            Some(cell) if cell.games.is_empty() => String::new(),
            Some(cell) if cell.left_out => format!("({})", cell.points),
            Some(cell) => cell.points.to_string(),
        }));
        rows.push(cells);
    }
    text += &table(&columns, &rows);
    if stage.crosstable.iter().flat_map(|row| row.cells.iter().flatten()).any(|cell| cell.left_out) {
        text += "(in brackets: of players who left the table, not counted)\n";
    }
    text
}

/// A list of games.
pub fn games(lines: &[GameLine]) -> String {
    use Align::{Left, Right};

    let head = ["game", "stage", "round", "first", "result", "second", "ended by", "length", "remarks"];
    let mut rows: Vec<Vec<String>> = vec![head.map(str::to_owned).into()];
    for line in lines {
        let length = line.length.zip(line.unit.as_ref()).map(|(length, unit)| format!("{length} {unit}"));
        rows.push(vec![
            line.number.to_string(),
            line.stage.clone(),
            line.round.to_string(),
            line.players[0].clone(),
            line.result.as_deref().unwrap_or("again").to_owned(),
            line.players[1].clone(),
            line.termination.clone(),
            length.unwrap_or_default(),
            remarks_of(line),
        ]);
    }
    table(&[Right, Left, Right, Left, Left, Left, Left, Right, Left], &rows)
}

fn remarks_of(line: &GameLine) -> String {
    let mut remarks: Vec<String> = Vec::new();
    remarks.extend(line.map.as_ref().map(|map| format!("on {map}")));
    remarks.extend(line.opening.map(|opening| format!("opening {opening}")));
    remarks.extend(line.ruling.as_ref().map(|reason| format!("ruling: {reason}")));
    remarks.extend(line.reason.clone());
    remarks.extend(line.same_as.map(|same| format!("the same as game {same}")));
    if line.attempts > 1 {
        remarks.push(format!("played {} times", line.attempts));
    }
    if !line.counts && line.result.is_some() {
        remarks.push("counts when those before it are there".to_owned());
    }
    remarks.join("; ")
}

/// The report of one player.
pub fn player(report: &PlayerReport) -> String {
    let PlayerReport { player, total, .. } = report;
    let mut text = format!("{}: {}\nversion {}", player.name, player.play, short(&player.sha256));
    if player.versions > 1 {
        text += &format!(", the latest of {}", player.versions);
    }
    text += &format!(
        "\n{} games: {} won, {} drawn, {} lost\n",
        total.games(),
        total.wins,
        total.draws,
        total.losses
    );
    for (title, lines) in [("against", &report.opponents), ("side", &report.sides), ("map", &report.maps)] {
        if !lines.is_empty() {
            text.push('\n');
            text += &opposition(title, lines);
        }
    }
    if !report.endings.is_empty() {
        let mut rows = vec![vec!["ended".to_owned(), "by".to_owned(), "games".to_owned()]];
        rows.extend(
            report.endings.iter().map(|(won, by, count)| vec![won.clone(), by.clone(), count.to_string()]),
        );
        text.push('\n');
        text += &table(&[Align::Left, Align::Left, Align::Right], &rows);
    }
    if !report.worst_losses.is_empty() {
        text += "\nits quickest losses\n";
        text += &games(&report.worst_losses);
    }
    text
}

fn opposition(title: &str, lines: &[Opposition]) -> String {
    let mut rows: Vec<Vec<String>> =
        vec![[title, "games", "won", "drawn", "lost", "share"].map(str::to_owned).into()];
    for line in lines {
        let share = (f64::from(line.wins) + f64::from(line.draws) / 2.0) / f64::from(line.games().max(1));
        let counts = [line.games(), line.wins, line.draws, line.losses].map(|count| count.to_string());
        let share = if line.games() == 0 { String::new() } else { format!("{:.0} %", 100.0 * share) };
        rows.push([line.name.clone()].into_iter().chain(counts).chain([share]).collect());
    }
    let right = Align::Right;
    table(&[Align::Left, right, right, right, right, right], &rows)
}

fn rank(rank: Option<u32>) -> String {
    rank.map_or_else(|| "-".to_owned(), |rank| rank.to_string())
}

/// Elo with interval, such as `+120 (+40 to +200)`, with `?` if the interval is not reliable.
fn elo(rating: &RatingLine) -> String {
    let group = if rating.group > 0 { format!(", group {}", rating.group + 1) } else { String::new() };
    let sure = if rating.reliable { "" } else { "?" };
    match rating.interval {
        Some([low, high]) => {
            format!("{} ({} to {}){sure}{group}", signed(rating.elo), signed(low), signed(high))
        }
        None => format!("{}{sure}{group}", signed(rating.elo)),
    }
}

/// A rounded number with its sign, zero without one.
pub(in super::super) fn signed(elo: f64) -> String {
    let whole = elo.round();
    if whole == 0.0 { "0".to_owned() } else { format!("{whole:+}") }
}

/// Notes on the ratings of a stage.
fn about_ratings(stage: &StageReport) -> String {
    let ratings = || stage.standings.iter().filter_map(|line| line.rating.as_ref());
    let mut text = String::new();
    if let Some(advantage) = stage.side_advantage {
        text += &format!("the first side is worth {} Elo\n", signed(advantage));
    }
    if ratings().any(|rating| !rating.reliable) {
        text += &format!("? fewer than {RELIABLE_GAMES} rated games: the interval is a hint\n");
    }
    if ratings().any(|rating| rating.group > 0) {
        text += "no chain of games joins the players of different groups: their ratings can't be compared\n";
    }
    text
}

/// Prefix of a hash, long enough to distinguish versions.
fn short(sha256: &str) -> &str {
    sha256.get(..12).unwrap_or(sha256)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_stands_before_all_but_zero() {
        assert_eq!([0.3, -0.3, 12.6, -12.6].map(signed), ["0", "0", "+13", "-13"]);
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let text = table(&[Align::Left, Align::Right], &[row(["é", "n"]), row(["word", "100"])]);
        assert_eq!(text, "é       n\nword  100\n");
    }
}
