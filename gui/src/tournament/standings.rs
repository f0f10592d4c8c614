//! Standings of a stage with ratings and their intervals, the test of strength, the ranking over all stages, and notes.

use eframe::egui::{RichText, Ui};
use grandstand_board::theme::{BODY, semibold};
use grandstand_protocol::tournament::{
    RatingLine, Report, SprtLine, StageReport, StandingLine, StandingsOrder,
};
use grandstand_story::format;

use super::TournamentRequest;
use super::known::VisibleTournament;
use super::table::{Cell, Column, Figure, MARGIN, Table};
use crate::address::tournament::{Tab, TournamentView};

/// The tie-break that has a column of its own.
const WINS: &str = "wins";

/// Games that are the same as earlier ones and have a note each, at most.
const SAME: usize = 2;
/// What the mark of a rating means.
const PROVISIONAL: &str = "A rating with ? is provisional: too few games for a reliable interval.";
/// What the group of a rating means.
const GROUPS: &str = "Ratings of different groups can't be compared: no wins and losses join their players. The mean of each group is 0.";

/// Shows them; returns what was pressed.
pub(super) fn show(
    ui: &mut Ui,
    known: &VisibleTournament<'_>,
    place: TournamentView,
    (index, stage): (usize, &StageReport),
) -> Option<TournamentRequest> {
    let mut asked = None;
    let mut has_heading = false;
    if let Some(report) = known.report().filter(|report| report.over && report.stages.len() > 1) {
        asked = overall(ui, known, report);
        heading(ui, &stage.name);
        has_heading = true;
    }
    let plan = format::stage_plan(&stage.format, stage.advance);
    // The name of the only stage says nothing, and neither does one that its plan begins with.
    let is_named = known.stages().count() > 1
        && !has_heading
        && !plan.to_lowercase().starts_with(&stage.name.to_lowercase());
    ui.weak(if is_named { format!("{}: {plan}", stage.name) } else { format::capitalised(&plan) });
    if let Some(sprt) = &stage.sprt {
        test(ui, known, sprt);
    }
    ui.add_space(4.0);
    let table = table(known, place, (index, stage));
    asked = table.show(ui, "standings").or(asked);
    if stage.standings.iter().filter_map(|line| line.rating.as_ref()).any(|rating| !rating.reliable) {
        note(ui, PROVISIONAL);
    }
    if stage.standings.iter().filter_map(|line| line.rating.as_ref()).any(|rating| rating.group > 0) {
        note(ui, GROUPS);
    }
    let Some(report) = known.report() else { return asked };
    // Once all is over it stands first.
    if !report.over {
        asked = overall(ui, known, report).or(asked);
    }
    let notes = notes(report);
    if !notes.is_empty() || !report.rulings.is_empty() {
        heading(ui, "Notes");
        notes.iter().for_each(|text| note(ui, text));
        for ruling in &report.rulings {
            note(ui, &format!("Ruling on game {}: {}", ruling.game, ruling.reason));
        }
    }
    ui.add_space(16.0);
    asked
}

/// The ranking over all stages, where there are several.
fn overall(ui: &mut Ui, known: &VisibleTournament<'_>, report: &Report) -> Option<TournamentRequest> {
    let has_places = report.ranking.iter().any(|line| line.place.is_some());
    if report.stages.len() < 2 || !has_places {
        return None;
    }
    heading(ui, if report.over { "Final ranking" } else { "Ranking over all stages" });
    ranking(known, report).show(ui, "ranking")
}

/// The notices that no other view shows. Many games that are the same as earlier ones are one notice.
fn notes(report: &Report) -> Vec<String> {
    let is_same = |kind: &str| kind == "identical";
    let same = report.notes().filter(|notice| is_same(&notice.kind)).count();
    let one_by_one = report.notes().filter(|notice| same <= SAME || !is_same(&notice.kind));
    let mut notes: Vec<String> = one_by_one.map(|notice| format::capitalised(&notice.text)).collect();
    if same > SAME {
        notes.push(format!("{same} games are the same as earlier ones, move for move; they are rated once"));
    }
    notes
}

pub(super) fn heading(ui: &mut Ui, text: &str) {
    ui.add_space(14.0);
    ui.label(RichText::new(text).family(semibold()).size(BODY + 2.0));
    ui.add_space(2.0);
}

/// A text below a table: as wide as the screen, however wide the table is.
pub(super) fn note(ui: &mut Ui, text: &str) {
    ui.scope(|ui| {
        ui.set_max_width(ui.clip_rect().width() - MARGIN);
        ui.label(text);
    });
}

/// Opens a player's page.
pub(super) fn page_of(known: &VisibleTournament<'_>, player: &str) -> Option<TournamentRequest> {
    let number = known.number(player)?;
    Some(TournamentRequest::Go(TournamentView {
        tab: Tab::Player,
        player: Some(number),
        ..TournamentView::default()
    }))
}

/// A player's name, which opens the page.
pub(super) fn player_cell(known: &VisibleTournament<'_>, player: &str) -> Cell {
    Cell::new(player).press(page_of(known, player))
}

fn table(
    known: &VisibleTournament<'_>,
    place: TournamentView,
    (index, stage): (usize, &StageReport),
) -> Table {
    let scale = Scale::of(&stage.standings);
    let stage_number = u32::try_from(index + 1).ok();
    let sorts = |sort: StandingsOrder| {
        let there =
            TournamentView { tab: Tab::Standings, stage: stage_number, sort, ..TournamentView::default() };
        (TournamentRequest::Go(there), place.sort == sort)
    };
    let sorted = |column: Column, sort: StandingsOrder| {
        let (press, current) = sorts(sort);
        column.sorts(press, current)
    };
    let mut columns = vec![
        sorted(Column::number("#").tip("Rank"), StandingsOrder::Rank),
        sorted(Column::text("Player"), StandingsOrder::Name),
        Column::number("Points"),
    ];
    if let Some(scale) = scale {
        columns.push(sorted(Column::number("Rating").tip("Rating in Elo"), StandingsOrder::Rating));
        let [low, high] = scale.ends.map(elo);
        let interval = Column::text("Interval");
        let interval = interval.tip(format!("95 % confidence interval, from {low} to {high} Elo"));
        columns.push(Column { ticks: scale.ticks(), ..interval });
    }
    // Last, since a narrow screen shows the first columns.
    columns.extend([
        Column::number("Games"),
        sorted(Column::number("Won"), StandingsOrder::Wins),
        Column::number("Drawn"),
        Column::number("Lost"),
        sorted(Column::number("Faults").tip("Games lost by its own fault"), StandingsOrder::Forfeits),
    ]);
    let breaks: Vec<(usize, &str)> = stage.deciding_tie_breaks().filter(|(_, name)| *name != WINS).collect();
    columns.extend(
        breaks.iter().map(|(_, name)| Column::number(&short(name)).tip(format!("Tie-break: {name}"))),
    );
    let lines = place.sort.sorted(&stage.standings);
    let own = |line: &&StandingLine| place.player.is_some() && known.number(&line.player) == place.player;
    let marked = lines.iter().position(own);
    let rows = lines.iter().map(|line| row(known, line, scale, &breaks)).collect();
    let cut = stage.last_to_advance().filter(|_| place.sort == StandingsOrder::Rank);
    Table { columns, rows, fixed: 2, main: Some(1), marked, cut }
}

/// Heading of a tie-break's column; the longest name is shortened, as is usual.
fn short(name: &str) -> String {
    if name == "Sonneborn–Berger" { "S.–Berger".to_owned() } else { format::capitalised(name) }
}

fn row(
    known: &VisibleTournament<'_>,
    line: &StandingLine,
    scale: Option<Scale>,
    breaks: &[(usize, &str)],
) -> Vec<Cell> {
    let remark = line.remark().map_or_else(String::new, |remark| format!(" ({remark})"));
    let player = player_cell(known, &line.player).strong();
    let player = Cell { text: format!("{}{remark}", player.text), ..player };
    let above =
        line.above_next.as_ref().map_or_else(String::new, |by| format!("Against the next rank: {by}"));
    let count = |number: u32| {
        let cell = Cell::new(number.to_string());
        if number == 0 { cell.weak() } else { cell }
    };
    let mut cells = vec![
        Cell::new(line.rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string())).tip(above),
        player,
        Cell::new(points(line.points.0)).strong(),
    ];
    if let Some(scale) = scale {
        match &line.rating {
            None => cells.extend([Cell::new("–").weak(), Cell::default()]),
            Some(rating) => {
                let sure = if rating.reliable { "" } else { "?" };
                let group =
                    if rating.group > 0 { format!(" group {}", rating.group + 1) } else { String::new() };
                let tip = match (rating.reliable, rating.group) {
                    (false, _) => "Provisional: too few games for a reliable interval",
                    (true, 1..) => GROUPS,
                    (true, _) => "",
                };
                cells.push(Cell::new(format!("{}{sure}{group}", elo(rating.elo))).tip(tip));
                cells.push(scale.cell(rating));
            }
        }
    }
    cells.extend([line.games, line.wins, line.draws, line.losses, line.forfeits].map(count));
    cells.extend(breaks.iter().map(|&(at, _)| match line.tie_breaks.get(at).and_then(|value| value.value) {
        Some(value) => Cell::new(points(value.0)),
        None => Cell::new("–").weak(),
    }));
    cells
}

/// Text of a rating: with its sign, a rounded zero without one.
pub(super) fn elo(elo: f64) -> String {
    if elo.round() == 0.0 { "0".to_owned() } else { format!("{elo:+.0}").replace('-', "−") }
}

/// Text of points: without a zero fraction.
pub(super) fn points(points: f64) -> String {
    let halves = (points * 2.0).round();
    let exact = (points * 2.0 - halves).abs() < 1e-9;
    match (exact, halves.rem_euclid(2.0) > 0.5) {
        (true, false) => format!("{points:.0}"),
        (true, true) if points.abs() < 1.0 => if points < 0.0 { "−½" } else { "½" }.to_owned(),
        (true, true) => format!("{:.0}½", points.trunc()),
        (false, _) => points.to_string(),
    }
}

/// Number of round ratings on the scale, at most.
const TICKS: f64 = 5.0;

/// Scale of the column with ratings and their intervals.
#[derive(Debug, Clone, Copy)]
struct Scale {
    ends: [f64; 2],
}

impl Scale {
    /// A scale that fits all ratings; `None` without any.
    fn of(lines: &[StandingLine]) -> Option<Scale> {
        let ratings = lines.iter().filter_map(|line| line.rating.as_ref());
        let all = ratings.flat_map(|rating| rating.interval.unwrap_or([rating.elo; 2]));
        let (low, high) =
            all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), elo| (low.min(elo), high.max(elo)));
        (low <= high).then_some(Scale { ends: [low - 10.0, high + 10.0] })
    }

    /// Round ratings, and where they are from 0 to 1.
    fn ticks(self) -> Vec<(f32, String)> {
        let [from, to] = self.ends;
        let least = (to - from) / TICKS;
        let step = [10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0];
        let step = step.into_iter().find(|step| *step >= least).unwrap_or(least);
        let (first, last) = ((from / step).ceil() as i32, (to / step).floor() as i32);
        let at = |number: i32| f64::from(number) * step;
        (first..=last).map(|number| (((at(number) - from) / (to - from)) as f32, elo(at(number)))).collect()
    }

    fn cell(self, rating: &RatingLine) -> Cell {
        let [from, to] = self.ends;
        let part = |elo: f64| ((elo - from) / (to - from)) as f32;
        let [low, high] = rating.interval.unwrap_or([rating.elo; 2]);
        let figure =
            Figure::Interval { low: part(low), high: part(high), at: part(rating.elo), zero: part(0.0) };
        Cell::default()
            .figure(figure, format!("{}, 95 % interval {} to {}", elo(rating.elo), elo(low), elo(high)))
    }
}

/// State of a test of strength.
fn test(ui: &mut Ui, known: &VisibleTournament<'_>, sprt: &SprtLine) {
    let ([lost, drawn, won], [low, high]) = (sprt.games, sprt.bounds);
    // In a later stage the first player is another one than the best seed.
    let best = known.players().first().filter(|_| known.stages().count() == 1);
    let first = best.map_or("the first player", |player| &*player.name);
    let number = |value: f64| format!("{value:.2}").replace('-', "−");
    ui.label(RichText::new(format::capitalised(&sprt.sentence())).family(semibold()));
    ui.label(format!(
        "{won} won, {drawn} drawn, {lost} lost by {first}; log-likelihood ratio {}, between {} (elo0) and {} (elo1)",
        number(sprt.llr),
        number(low),
        number(high)
    ));
}

fn ranking(known: &VisibleTournament<'_>, report: &Report) -> Table {
    let rows = report.ranking.iter().map(|line| {
        let place = line.place.map_or_else(|| "–".to_owned(), |place| place.to_string());
        vec![Cell::new(place), player_cell(known, &line.player).strong(), Cell::new(&line.stage)]
    });
    Table {
        columns: vec![Column::number("#").tip("Place"), Column::text("Player"), Column::text("Reached")],
        rows: rows.collect(),
        main: Some(1),
        ..Table::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_written_with_their_sign() {
        for (value, text) in [(0.4, "0"), (-0.4, "0"), (12.6, "+13"), (-12.6, "−13")] {
            assert_eq!(elo(value), text);
        }
    }

    #[test]
    fn a_scale_names_round_ratings() {
        let ticks = |low: f64, high: f64| Scale { ends: [low, high] }.ticks();
        let names = |low, high| ticks(low, high).into_iter().map(|(_, name)| name).collect::<Vec<_>>();
        assert_eq!(names(-620.0, 660.0), ["−500", "0", "+500"]);
        assert_eq!(names(-30.0, 45.0), ["−20", "0", "+20", "+40"]);
        assert!(ticks(-500.0, 500.0).iter().any(|(at, name)| name == "0" && (at - 0.5).abs() < 1e-6));
    }

    #[test]
    fn points_are_written_with_halves() {
        for (value, text) in [(0.0, "0"), (0.5, "½"), (1.5, "1½"), (12.0, "12"), (-0.5, "−½"), (0.3, "0.3")]
        {
            assert_eq!(points(value), text);
        }
    }
}
