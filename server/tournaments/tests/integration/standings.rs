//! Tables: tie-breaks, rulings, places over stages.

use grandstand_tournaments::*;

use crate::support::{chance, entered, plan, play, stage, table};

/// A round robin of one cycle; `winner` is the one of two players who wins both games, if there is one.
fn league(count: u32, tie_breaks: &[TieBreak], winner: impl Fn(u32, u32) -> Option<u32>) -> TournamentState {
    let mut plan = plan(entered(count), Format::RoundRobin { cycles: 1 });
    plan.stages[0].tie_breaks = tie_breaks.to_vec();
    let mut tournament = TournamentState::new(plan).unwrap();
    play(&mut tournament, |game| {
        let [one, other] = game.players.map(|player| player.0);
        let winner = winner(one.min(other), one.max(other));
        GameResult::Played {
            winner: winner.map(|winner| u8::from(winner == other)),
            digest: Some(game.number),
        }
    });
    tournament
}

fn order(tournament: &TournamentState) -> Vec<u32> {
    tournament.standings(0).iter().map(|line| line.player.0).collect()
}

/// 1 beats 0, 3 beats 1, and otherwise the first in the list wins: 0 and 1 have the same points, and so have 2 and 3.
fn two_tied(one: u32, other: u32) -> Option<u32> {
    match (one, other) {
        (0, 1) => Some(1),
        (1, 3) => Some(3),
        _ => Some(one),
    }
}

#[test]
fn head_to_head_orders_two_with_the_same_points() {
    let tournament = league(4, &TieBreak::DEFAULT, two_tied);
    let lines = tournament.standings(0);
    assert_eq!(order(&tournament)[..2], [1, 0]);
    assert_eq!(lines[0].points, lines[1].points);
    assert_eq!(lines[0].above_next, Some(OrderedBy::TieBreak(TieBreak::HeadToHead)));
    assert_eq!(lines[0].tie_breaks[0], (TieBreak::HeadToHead, Some(Score(2000))));
    assert_eq!(lines[1].tie_breaks[0], (TieBreak::HeadToHead, Some(Score(0))));
    assert_eq!(lines[1].above_next, Some(OrderedBy::Points));
    assert_eq!(lines[3].above_next, None);
}

#[test]
fn tie_breaks_count_in_the_order_of_the_plan() {
    let tournament = league(4, &[TieBreak::SonnebornBerger, TieBreak::HeadToHead], two_tied);
    // Both won four games: 0 against 2 and 3 with 2 points each, 1 against 0 with 4 and 2 with 2.
    let lines = tournament.standings(0);
    let value = |player: u32| {
        let line = lines.iter().find(|line| line.player.0 == player).unwrap();
        line.tie_breaks[0].1.unwrap()
    };
    assert_eq!((value(0), value(1)), (Score(8000), Score(12_000)));
    assert_eq!(lines[0].above_next, Some(OrderedBy::TieBreak(TieBreak::SonnebornBerger)));
}

#[test]
fn a_circle_ends_with_a_lot_of_the_seed() {
    let circle = |one: u32, other: u32| Some(if (one, other) == (0, 2) { 2 } else { one });
    let firsts: std::collections::BTreeSet<u32> = (0..20)
        .map(|seed| {
            let mut plan = plan(entered(3), Format::RoundRobin { cycles: 1 });
            plan.seed = seed;
            let mut tournament = TournamentState::new(plan).unwrap();
            play(&mut tournament, |game| {
                let [one, other] = game.players.map(|player| player.0);
                let winner = circle(one.min(other), one.max(other));
                GameResult::Played {
                    winner: Some(u8::from(winner == Some(other))),
                    digest: Some(game.number),
                }
            });
            assert_eq!(tournament.standings(0)[0].above_next, Some(OrderedBy::TieBreak(TieBreak::Lot)));
            order(&tournament)[0]
        })
        .collect();
    assert_eq!(firsts.len(), 3, "each seed draws another lot");
}

#[test]
fn head_to_head_is_passed_over_where_not_all_of_the_tied_met() {
    let mut plan = plan(entered(6), Format::Swiss { rounds: 1 });
    plan.stages[0].tie_breaks = vec![TieBreak::HeadToHead, TieBreak::Wins];
    let mut tournament = TournamentState::new(plan).unwrap();
    play(&mut tournament, |game| GameResult::Played {
        winner: Some(u8::from(game.players[1].0 < 3)),
        digest: Some(game.number),
    });
    for line in tournament.standings(0) {
        assert_eq!(line.tie_breaks[0].1, None);
        assert_ne!(line.above_next, Some(OrderedBy::TieBreak(TieBreak::HeadToHead)));
    }
}

#[test]
fn points_are_those_of_the_plan() {
    let mut plan = plan(entered(2), Format::RoundRobin { cycles: 2 });
    plan.stages[0].points = Points { win: Score(3000), draw: Score(1000), loss: Score(-500), bye: Score(0) };
    let mut tournament = TournamentState::new(plan).unwrap();
    let results = [
        GameResult::Played { winner: Some(0), digest: Some(1) },
        GameResult::Played { winner: None, digest: Some(2) },
        GameResult::Forfeit { by: FaultOf::Both },
        GameResult::Annulled,
    ];
    for (number, result) in (0..).zip(results) {
        tournament.record(number, result).unwrap();
    }
    let points: Vec<String> = tournament.standings(0).iter().map(|line| line.points.to_string()).collect();
    assert_eq!(points, ["3.5", "0"]);
    assert!(tournament.standings(0).iter().all(|line| (line.games, line.forfeits) == (3, 1)));
}

#[test]
fn the_crosstable_has_every_game_from_both_ends() {
    let tournament = league(5, &TieBreak::DEFAULT, two_tied);
    let crosstable = tournament.crosstable(0);
    for (row, cells) in crosstable.cells.iter().enumerate() {
        let points: Score = cells.iter().map(|cell| cell.points).sum();
        assert_eq!(points, tournament.standings(0)[row].points);
        for (column, cell) in cells.iter().enumerate() {
            let other = &crosstable.cells[column][row];
            assert_eq!((cell.wins, cell.draws, &cell.games), (other.losses, other.draws, &other.games));
            assert_eq!(cell.games.len(), if row == column { 0 } else { 2 });
        }
    }
}

#[test]
fn a_late_ruling_changes_the_table_and_no_drawn_round() {
    let mut plan = plan(entered(6), Format::Swiss { rounds: 3 });
    plan.stages[0].advance = Some(2);
    plan.stages.push(stage(Format::Elimination { best_of: 1, double: false, third_place: false }));
    let mut tournament = TournamentState::new(plan.clone()).unwrap();
    let mut results = Vec::new();
    play(&mut tournament, |game| {
        results.push((game.number, chance(game, 0)));
        chance(game, 0)
    });
    for ruling in [
        GameResult::Annulled,
        GameResult::Awarded { winner: Some(1) },
        GameResult::Forfeit { by: FaultOf::Both },
    ] {
        for number in 0..results.len() {
            let mut ruled = results.clone();
            ruled[number].1 = ruling;
            let again = TournamentState::resume(plan.clone(), tournament.rounds().to_vec(), ruled).unwrap();
            assert_eq!(again.rounds(), tournament.rounds());
            assert_eq!(again.games()[number].result, ruling);
        }
    }
    let as_it_was = TournamentState::resume(plan, tournament.rounds().to_vec(), results).unwrap();
    assert_eq!(table(&as_it_was), table(&tournament));
}

#[test]
fn house_and_staff_take_no_place_and_do_not_advance() {
    let mut plan = plan(entered(4), Format::RoundRobin { cycles: 1 });
    plan.players[0].kind = EntryKind::Staff;
    plan.players.push(Entry { name: "House".into(), kind: EntryKind::House, joins: 0 });
    plan.stages[0].advance = Some(2);
    plan.stages.push(stage(Format::RoundRobin { cycles: 1 }));
    let mut tournament = TournamentState::new(plan).unwrap();
    play(&mut tournament, |game| GameResult::Played {
        winner: Some(u8::from(game.players[1] < game.players[0])),
        digest: Some(game.number),
    });
    assert_eq!(order(&tournament), [1, 2, 3, 0], "staff stands below, though it won all");
    assert_eq!(tournament.field(1), [PlayerIndex(1), PlayerIndex(2)]);
    let places: Vec<_> = tournament.ranking().iter().map(|place| (place.place, place.player.0)).collect();
    assert_eq!(places, [(Some(1), 1), (Some(2), 2), (Some(3), 3), (None, 0)]);
}

#[test]
fn plans_that_cannot_be_played_are_refused_in_words() {
    let good = || plan(entered(4), Format::Swiss { rounds: 3 });
    type Damage = fn(&mut Plan);
    let cases: [(Damage, &str); 13] = [
        (|plan| plan.stages.clear(), "a tournament needs at least one stage"),
        (|plan| plan.players.truncate(1), "stage 1 needs two players that may play in it, and has 1"),
        (|plan| plan.players[2].name = "player 1".into(), "two players are named \"player 1\""),
        (|plan| plan.faults = Some(0), "`faults` is at least 1"),
        (
            |plan| plan.stages[0].games = 3,
            "stage 1: games come in pairs with sides changed, so their number is even and at least 2, not 3",
        ),
        (
            |plan| plan.stages[0].format = Format::Swiss { rounds: 0 },
            "stage 1: `rounds` is from 1 to 1000, not 0",
        ),
        (
            |plan| plan.stages[0].points.win = Score(i64::MAX),
            "stage 1: a result is worth 1000 points at most",
        ),
        (|plan| plan.stages[0].advance = Some(0), "stage 1: `advance` is from 1 to 1024, not 0"),
        (
            |plan| plan.players[1].joins = 3,
            "player \"player 1\" joins in round 3, and only a Swiss first stage with more rounds has late entries",
        ),
        (
            |plan| plan.stages[0].points.win = Score::HALF,
            "stage 1: points for a win are more than for a draw, and those not less than for a loss",
        ),
        (
            |plan| plan.stages[0].tie_breaks.push(TieBreak::Lot),
            "stage 1: the tie-break lot stands there twice",
        ),
        (
            |plan| plan.stages[0].format = Format::Gauntlet { challengers: 4, cycles: 1 },
            "stage 1: 4 challengers leave nobody of 4 players to meet",
        ),
        (
            |plan| {
                plan.stages[0].format = Format::Elimination { best_of: 1, double: true, third_place: true }
            },
            "stage 1: a double elimination has its third without a match for that place",
        ),
    ];
    assert!(good().check().is_ok());
    for (damage, words) in cases {
        let mut plan = good();
        damage(&mut plan);
        assert_eq!(plan.check().unwrap_err().to_string(), words);
    }
}
