//! Report of one stage: table, crosstable, rounds, ratings, test of strength.

use grandstand_tournaments::ratings::{self, Ratings};
use grandstand_tournaments::sprt::Verdict;
use grandstand_tournaments::{BracketPlace, Format, Score};
use serde::Serialize;

use super::Snapshot;

/// Report of a stage at one moment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StageReport {
    /// Display name.
    pub name: String,
    /// The format, by its name in a tournament file.
    pub format: &'static str,
    /// Whether the stage has begun.
    pub begun: bool,
    /// Number of players that advance; `None` for all.
    pub advance: Option<u32>,
    /// The table, best first.
    pub standings: Vec<StandingLine>,
    /// The crosstable, in the order of the table.
    pub crosstable: Vec<CrossRow>,
    /// The rounds drawn so far.
    pub rounds: Vec<RoundLine>,
    /// The test of strength, in a stage with that format.
    pub sprt: Option<SprtLine>,
    /// Advantage of the first side in Elo, if there are ratings.
    pub side_advantage: Option<f64>,
}

/// A line of the standings.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StandingLine {
    /// Rank, from 1; `None` for house and staff players, and for players that left the table.
    pub rank: Option<u32>,
    /// The player's name.
    pub player: String,
    /// Points.
    pub points: Score,
    /// Number of games that count.
    pub games: u32,
    /// Number of games won.
    pub wins: u32,
    /// Number of games drawn.
    pub draws: u32,
    /// Number of games lost.
    pub losses: u32,
    /// Number of games lost by the player's own fault.
    pub forfeits: u32,
    /// Number of rounds without an opponent that scored.
    pub byes: u32,
    /// Values of the tie-breaks, in their order.
    pub tie_breaks: Vec<TieBreakLine>,
    /// Criterion that puts the player above the next line.
    pub above_next: Option<&'static str>,
    /// Whether the player was retired for its faults.
    pub retired: bool,
    /// Whether the player left the table.
    pub left_table: bool,
    /// The player's rating; `None` without a rated game.
    pub rating: Option<RatingLine>,
}

impl StandingLine {
    /// The consequence of the player's faults, if there is one.
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
    /// Name of the tie-break.
    pub name: &'static str,
    /// Value; `None` if it was not needed, or could not be used.
    pub value: Option<Score>,
}

/// A rating with its interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RatingLine {
    /// Elo, relative to the mean of the comparable players.
    pub elo: f64,
    /// The 95 % interval; `None` with a single pair.
    pub interval: Option<[f64; 2]>,
    /// Number of rated games.
    pub games: u32,
    /// Whether these are enough for a reliable interval.
    pub reliable: bool,
    /// Group, from 0. Ratings of different groups can't be compared: no chain of games joins them.
    pub group: u32,
}

/// A row of the crosstable.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CrossRow {
    /// The player's name.
    pub player: String,
    /// Cells in the order of the rows; the diagonal is null.
    pub cells: Vec<Option<CrossCell>>,
}

/// Results of one player against another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CrossCell {
    /// Points of the row's player.
    pub points: Score,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Numbers of the games between the two.
    pub games: Vec<u64>,
    /// Whether one of the two left the table.
    pub left_out: bool,
}

/// A round of a stage.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoundLine {
    /// Number of the round, from 1.
    pub round: u32,
    /// Number of the cycle, from 1.
    pub cycle: u32,
    /// The pairings.
    pub encounters: Vec<EncounterLine>,
    /// Names of the players without an opponent.
    pub byes: Vec<String>,
}

/// An encounter of a round.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EncounterLine {
    /// Id, unique in the tournament.
    pub id: u32,
    /// Names of the two players.
    pub players: [String; 2],
    /// Position in a bracket.
    pub bracket: Option<BracketPlace>,
    /// Points of the two players, once it is over.
    pub points: Option<[Score; 2]>,
    /// The winner, 0 or 1, once it is over; `None` for a level result.
    pub winner: Option<u8>,
    /// Whether it stayed level, so that the better seed advances.
    pub by_seed: bool,
    /// Whether it is over.
    pub over: bool,
    /// Numbers of the games that were played.
    pub games: Vec<u64>,
    /// Number of the first game; the others follow.
    pub first_game: u64,
    /// Maximum number of games: the size of its range of numbers.
    pub most_games: u32,
}

/// State of a test of strength.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SprtLine {
    /// Number of pairs by the points of the first player: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
    /// Number of single games lost, drawn and won by the first player.
    pub games: [u64; 3],
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    /// Bounds at which `elo0` and `elo1` are accepted.
    pub bounds: [f64; 2],
    /// The two hypotheses.
    pub elo: [f64; 2],
    /// The verdict in words.
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

/// The report of the stage with this index.
pub(super) fn stage(of: &Snapshot, index: usize) -> StageReport {
    let plan = &of.director.plan().stages[index];
    let standings = of.director.standings(index);
    let options = ratings::Options {
        seed: of.director.plan().seed,
        paired_by_results: plan.pairs_by_results(),
        ..ratings::Options::default()
    };
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
