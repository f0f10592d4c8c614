//! Report of one stage: table, crosstable, rounds, ratings, the test.

use grandstand_tournaments::ratings::{self, Ratings};
use grandstand_tournaments::sprt::Verdict;
use grandstand_tournaments::{BracketPlace, Format, Score};
use serde::Serialize;

use super::Snapshot;

/// A stage at one moment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StageReport {
    /// For people.
    pub name: String,
    /// The format, by its name in a tournament's file.
    pub format: &'static str,
    /// Whether it has begun.
    pub begun: bool,
    /// How many go on; none: everybody.
    pub advance: Option<u32>,
    /// The table, best first.
    pub standings: Vec<StandingLine>,
    /// Who had what against whom, in the order of the table.
    pub crosstable: Vec<CrossRow>,
    /// The rounds drawn so far.
    pub rounds: Vec<RoundLine>,
    /// The test, in a stage that is one.
    pub sprt: Option<SprtLine>,
    /// What the first side is worth, in Elo, where there are ratings.
    pub side_advantage: Option<f64>,
}

/// A line of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StandingLine {
    /// From 1; none: house and staff, and who left the table.
    pub rank: Option<u32>,
    /// Who.
    pub player: String,
    /// Points.
    pub points: Score,
    /// Games that count.
    pub games: u32,
    /// Of these.
    pub wins: u32,
    /// Of these.
    pub draws: u32,
    /// Of these.
    pub losses: u32,
    /// Games lost by its own fault.
    pub forfeits: u32,
    /// Rounds without an opponent that scored.
    pub byes: u32,
    /// The tie-breaks, in their order.
    pub tie_breaks: Vec<TieBreakLine>,
    /// Why it stands above the next line.
    pub above_next: Option<&'static str>,
    /// It was retired for its faults.
    pub retired: bool,
    /// It left the table.
    pub left_table: bool,
    /// Its rating; none where it has no rated game.
    pub rating: Option<RatingLine>,
}

impl StandingLine {
    /// What became of the player by its faults, where something did.
    pub fn remark(&self) -> Option<&'static str> {
        match (self.left_table, self.retired) {
            (true, _) => Some("left the table by its faults"),
            (false, true) => Some("retired by its faults"),
            (false, false) => None,
        }
    }
}

/// A tie-break's value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TieBreakLine {
    /// Which.
    pub name: &'static str,
    /// None: it was not needed, or could not be used.
    pub value: Option<Score>,
}

/// A rating with its interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RatingLine {
    /// Elo, about the mean of those it can be compared with.
    pub elo: f64,
    /// Between which the true one lies with 95 %; none where there is a single pair.
    pub interval: Option<[f64; 2]>,
    /// Games that it rests on.
    pub games: u32,
    /// Whether these are enough for an interval that is more than a hint.
    pub reliable: bool,
    /// From 0. Players of different groups can't be compared: no chain of games joins them.
    pub group: u32,
}

/// A row of the crosstable.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CrossRow {
    /// Whose.
    pub player: String,
    /// In the order of the rows; the diagonal is null.
    pub cells: Vec<Option<CrossCell>>,
}

/// What one had against another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CrossCell {
    /// Its points.
    pub points: Score,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// The numbers of their games.
    pub games: Vec<u64>,
    /// One of both left the table.
    pub left_out: bool,
}

/// A round.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoundLine {
    /// From 1.
    pub round: u32,
    /// From 1.
    pub cycle: u32,
    /// Who meets whom.
    pub encounters: Vec<EncounterLine>,
    /// Who has no opponent.
    pub byes: Vec<String>,
}

/// An encounter.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EncounterLine {
    /// Unique in the tournament.
    pub id: u32,
    /// Who meets.
    pub players: [String; 2],
    /// Where it stands in a bracket.
    pub bracket: Option<BracketPlace>,
    /// Points of the two, once it is over.
    pub points: Option<[Score; 2]>,
    /// Who won, 0 or 1, once it is over; none where it is level.
    pub winner: Option<u8>,
    /// It was level to the end, and the better seed goes on.
    pub by_seed: bool,
    /// Whether it is over.
    pub over: bool,
    /// The numbers of its games that were played.
    pub games: Vec<u64>,
    /// The number of its first game; the others follow.
    pub first_game: u64,
    /// The most games that it can have: so many numbers are its own.
    pub most_games: u32,
}

/// How a test stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SprtLine {
    /// Pairs by the points of the first player: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
    /// Single games lost, drawn and won by the first player.
    pub games: [u64; 3],
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    /// Where it accepts `elo0` and `elo1`.
    pub bounds: [f64; 2],
    /// The two hypotheses.
    pub elo: [f64; 2],
    /// In words.
    pub verdict: &'static str,
}

/// The name of a format in a tournament's file.
pub(super) fn format_name(format: &Format) -> &'static str {
    match format {
        Format::RoundRobin { .. } => "round-robin",
        Format::Gauntlet { .. } => "gauntlet",
        Format::Swiss { .. } => "swiss",
        Format::Elimination { double: false, .. } => "single-elimination",
        Format::Elimination { double: true, .. } => "double-elimination",
        Format::Sprt(_) => "sprt",
    }
}

/// The report of stage number `index`.
pub(super) fn stage(of: &Snapshot, index: usize) -> StageReport {
    let plan = &of.director.plan().stages[index];
    let standings = of.director.standings(index);
    let options = ratings::Options { seed: of.director.plan().seed, ..ratings::Options::default() };
    let ratings = ratings::fit(&of.director.rated_games(index), options);
    StageReport {
        name: plan.name.clone(),
        format: format_name(&plan.format),
        begun: !standings.is_empty(),
        advance: plan.advance,
        standings: standings.into_iter().map(|line| standing(of, &ratings, line)).collect(),
        crosstable: crosstable(of, index),
        rounds: rounds(of, index),
        sprt: sprt(of, index),
        side_advantage: (!ratings.players.is_empty()).then_some(ratings.side_advantage),
    }
}

fn standing(of: &Snapshot, ratings: &Ratings, line: grandstand_tournaments::Standing) -> StandingLine {
    let rating =
        ratings.players.iter().find(|rating| rating.player == line.player).map(|rating| RatingLine {
            elo: rating.elo,
            interval: rating.interval.map(|(low, high)| [low, high]),
            games: rating.games,
            reliable: rating.reliable,
            group: rating.group,
        });
    let tie_breaks = line
        .tie_breaks
        .iter()
        .map(|(tie_break, value)| TieBreakLine { name: tie_break.name(), value: *value });
    StandingLine {
        rank: line.rank,
        player: of.name(line.player).to_owned(),
        points: line.points,
        games: line.games,
        wins: line.wins,
        draws: line.draws,
        losses: line.losses,
        forfeits: line.forfeits,
        byes: line.byes,
        tie_breaks: tie_breaks.collect(),
        above_next: line.above_next.map(|order| order.name()),
        retired: line.retired,
        left_table: line.left_table,
        rating,
    }
}

fn crosstable(of: &Snapshot, index: usize) -> Vec<CrossRow> {
    let table = of.director.crosstable(index);
    let rows = table.players.iter().zip(table.cells).enumerate();
    let rows = rows.map(|(row, (player, cells))| CrossRow {
        player: of.name(*player).to_owned(),
        cells: cells
            .into_iter()
            .enumerate()
            .map(|(column, cell)| {
                (column != row).then_some(CrossCell {
                    points: cell.points,
                    wins: cell.wins,
                    draws: cell.draws,
                    losses: cell.losses,
                    games: cell.games,
                    left_out: cell.left_out,
                })
            })
            .collect(),
    });
    rows.collect()
}

fn rounds(of: &Snapshot, index: usize) -> Vec<RoundLine> {
    let rounds = of.director.rounds().iter().filter(|round| round.stage as usize == index);
    let rounds = rounds.map(|round| RoundLine {
        round: round.round + 1,
        cycle: round.cycle + 1,
        encounters: round.encounters.iter().map(|encounter| encounter_line(of, encounter)).collect(),
        byes: round.byes.iter().map(|player| of.name(*player).to_owned()).collect(),
    });
    rounds.collect()
}

fn encounter_line(of: &Snapshot, encounter: &grandstand_tournaments::Encounter) -> EncounterLine {
    let result = of.director.encounter_result(encounter.id);
    let end = encounter.first_game + u64::from(encounter.most_games);
    let from = of.games.partition_point(|game| game.game.number < encounter.first_game);
    let games = of.games[from..].iter().map(|game| game.game.number).take_while(|number| *number < end);
    EncounterLine {
        id: encounter.id,
        players: encounter.players.map(|player| of.name(player).to_owned()),
        bracket: encounter.bracket,
        points: result.map(|result| result.points),
        winner: result.and_then(|result| result.winner),
        by_seed: result.is_some_and(|result| result.by_seed),
        over: result.is_some(),
        games: games.collect(),
        first_game: encounter.first_game,
        most_games: encounter.most_games,
    }
}

fn sprt(of: &Snapshot, index: usize) -> Option<SprtLine> {
    let Format::Sprt(plan) = &of.director.plan().stages[index].format else { return None };
    let (tally, llr, at) = of.director.sprt(index)?;
    let bounds = plan.bounds();
    Some(SprtLine {
        pairs: tally.pairs,
        games: tally.games,
        llr,
        bounds: [bounds.0, bounds.1],
        elo: [plan.elo0, plan.elo1],
        verdict: verdict(at),
    })
}

/// A test's verdict in words.
pub(super) fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Open => "undecided",
        Verdict::Elo0 => "elo0 accepted",
        Verdict::Elo1 => "elo1 accepted",
        Verdict::OutOfGames => "no decision within its games",
    }
}
