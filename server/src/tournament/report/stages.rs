//! Report of one stage: table, crosstable, rounds, ratings, test of strength.

use grandstand_tournaments::ratings::{self, Ratings};
use grandstand_tournaments::sprt::SprtDecision;
use grandstand_tournaments::{Format, Score};

use super::{
    Bracket, BracketPlace, CrossCell, CrossRow, EncounterLine, Points, RatingLine, RoundLine, Snapshot,
    SprtLine, StageReport, StandingLine, TieBreakLine,
};

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
    let plan = &of.state.plan().stages[index];
    let standings = of.state.standings(index);
    let options = ratings::Options {
        seed: of.state.plan().seed,
        paired_by_results: plan.pairs_by_results(),
        ..ratings::Options::default()
    };
    let ratings = ratings::fit(&of.state.rated_games(index), options);
    StageReport {
        name: plan.name.clone(),
        format: format_name(&plan.format).to_owned(),
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
    let tie_breaks = line.tie_breaks.iter().map(|(tie_break, value)| TieBreakLine {
        name: tie_break.name().to_owned(),
        value: value.map(points),
    });
    StandingLine {
        rank: line.rank,
        player: of.name(line.player).to_owned(),
        points: points(line.points),
        games: line.games,
        wins: line.wins,
        draws: line.draws,
        losses: line.losses,
        forfeits: line.forfeits,
        byes: line.byes,
        tie_breaks: tie_breaks.collect(),
        above_next: line.above_next.map(|order| order.name().to_owned()),
        retired: line.retired,
        left_table: line.left_table,
        rating,
    }
}

fn crosstable(of: &Snapshot, index: usize) -> Vec<CrossRow> {
    let table = of.state.crosstable(index);
    let rows = table.players.iter().zip(table.cells).enumerate();
    let rows = rows.map(|(row, (player, cells))| CrossRow {
        player: of.name(*player).to_owned(),
        cells: cells
            .into_iter()
            .enumerate()
            .map(|(column, cell)| {
                (column != row).then_some(CrossCell {
                    points: points(cell.points),
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
    let rounds = of.state.rounds().iter().filter(|round| round.stage as usize == index);
    let rounds = rounds.map(|round| RoundLine {
        round: round.round + 1,
        cycle: round.cycle + 1,
        encounters: round.encounters.iter().map(|encounter| encounter_line(of, encounter)).collect(),
        byes: round.byes.iter().map(|player| of.name(*player).to_owned()).collect(),
    });
    rounds.collect()
}

fn encounter_line(of: &Snapshot, encounter: &grandstand_tournaments::Encounter) -> EncounterLine {
    let result = of.state.encounter_result(encounter.id);
    let end = encounter.first_game + u64::from(encounter.most_games);
    let from = of.games.partition_point(|game| game.game.number < encounter.first_game);
    let games = of.games[from..].iter().map(|game| game.game.number).take_while(|number| *number < end);
    EncounterLine {
        id: encounter.id,
        players: encounter.players.map(|player| of.name(player).to_owned()),
        bracket: encounter.bracket.map(bracket_place),
        points: result.map(|result| result.points.map(points)),
        winner: result.and_then(|result| result.winner),
        by_seed: result.is_some_and(|result| result.by_seed),
        over: result.is_some(),
        games: games.collect(),
        first_game: encounter.first_game,
        most_games: encounter.most_games,
    }
}

fn points(score: Score) -> Points {
    Points(score.points())
}

pub(super) fn bracket_place(of: grandstand_tournaments::BracketPosition) -> BracketPlace {
    let bracket = match of.bracket {
        grandstand_tournaments::BracketKind::Winners => Bracket::Winners,
        grandstand_tournaments::BracketKind::Losers => Bracket::Losers,
        grandstand_tournaments::BracketKind::GrandFinal => Bracket::GrandFinal,
        grandstand_tournaments::BracketKind::ThirdPlace => Bracket::ThirdPlace,
    };
    BracketPlace { bracket, round: of.round, position: of.position }
}

fn sprt(of: &Snapshot, index: usize) -> Option<SprtLine> {
    let Format::Sprt(plan) = &of.state.plan().stages[index].format else { return None };
    let (tally, llr, at) = of.state.sprt(index)?;
    let bounds = plan.bounds();
    Some(SprtLine {
        pairs: tally.pairs,
        games: tally.games,
        llr,
        bounds: [bounds.0, bounds.1],
        elo: [plan.elo0, plan.elo1],
        verdict: verdict(at).to_owned(),
    })
}

/// A test's verdict in words.
pub(super) fn verdict(verdict: SprtDecision) -> &'static str {
    match verdict {
        SprtDecision::Open => "undecided",
        SprtDecision::Elo0 => "elo0 accepted",
        SprtDecision::Elo1 => "elo1 accepted",
        SprtDecision::OutOfGames => "no decision within its games",
    }
}
