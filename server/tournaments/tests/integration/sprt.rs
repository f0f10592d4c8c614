//! The sequential test: the numbers of fastchess, its bounds, and its ends.

use grandstand_tournaments::sprt::{Model, SprtCounts, SprtDecision, SprtPlan, llr, llr_trinomial};
use grandstand_tournaments::*;

use crate::support::{entered, plan, play};

fn test(elo0: f64, elo1: f64, model: Model) -> SprtPlan {
    SprtPlan { elo0, elo1, alpha: 0.05, beta: 0.05, model, max_games: 2000 }
}

#[test]
fn the_ratio_is_that_of_fastchess_for_the_same_counts() {
    let mut compared = 0;
    for line in include_str!("../sprt/fastchess.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split("; ").collect();
        let counts: Vec<u64> = fields[0].split(' ').map(|count| count.parse().unwrap()).collect();
        let number = |index: usize| fields[index].parse::<f64>().unwrap();
        let model = if fields[3] == "normalized" { Model::Normalized } else { Model::Logistic };
        let plan = test(number(1), number(2), model);
        let ours = match counts[..] {
            [a, b, c, d, e] => llr([a, b, c, d, e], &plan),
            [lost, drawn, won] => llr_trinomial([lost, drawn, won], &plan),
            _ => panic!("{line}"),
        };
        assert!((ours - number(4)).abs() < 1e-3, "{line}: {ours}");
        compared += 1;
    }
    assert_eq!(compared, 294);
}

#[test]
fn the_bounds_are_walds() {
    let plan = test(0.0, 5.0, Model::Normalized);
    let (lower, upper) = plan.bounds();
    assert!((upper - 19.0_f64.ln()).abs() < 1e-12 && (lower + upper).abs() < 1e-12);
    assert_eq!(plan.decide(upper), SprtDecision::Elo1);
    assert_eq!(plan.decide(lower), SprtDecision::Elo0);
    assert_eq!(plan.decide(0.0), SprtDecision::Open);
}

#[test]
fn games_beyond_the_decision_of_a_test_do_not_count() {
    let tested = plan(entered(2), Format::Sprt(test(0.0, 50.0, Model::Normalized)));
    // The first player wins three of four games.
    let result = |game: &ScheduledGame| {
        let winner =
            if game.number % 8 == 3 || game.number % 8 == 4 { PlayerIndex(1) } else { PlayerIndex(0) };
        GameResult::Played { winner: Some(u8::from(game.players[1] == winner)), digest: Some(game.number) }
    };
    let mut tournament = TournamentState::new(tested.clone()).unwrap();
    let ahead: Vec<ScheduledGame> = std::iter::from_fn(|| tournament.next_game()).collect();
    assert_eq!(ahead.len(), 2000, "games are handed out ahead of the decision");
    for game in &ahead {
        tournament.record(game.number, result(game)).unwrap();
    }
    assert!(tournament.is_over());
    let (tally, ratio, verdict) = tournament.sprt(0).unwrap();
    assert_eq!(verdict, SprtDecision::Elo1);
    assert!(ratio >= 19.0_f64.ln() && tournament.counted() < 400, "{ratio} after {}", tournament.counted());
    assert_eq!(tally.pairs.iter().sum::<u64>() * 2, tournament.counted());
    let mut in_order = TournamentState::new(tested).unwrap();
    play(&mut in_order, result);
    assert_eq!(in_order.counted(), tournament.counted());
    let ended = Notice::Sprt { stage: 0, verdict, llr: ratio };
    assert!(in_order.notices().contains(&ended));
}

#[test]
fn a_test_without_a_decision_ends_after_its_games() {
    let tested =
        plan(entered(2), Format::Sprt(SprtPlan { max_games: 40, ..test(-5.0, 5.0, Model::Logistic) }));
    let mut tournament = TournamentState::new(tested).unwrap();
    play(&mut tournament, |game| GameResult::Played { winner: Some(0), digest: Some(game.number) });
    assert_eq!(tournament.counted(), 40);
    assert_eq!(tournament.sprt(0).map(|(_, _, verdict)| verdict), Some(SprtDecision::OutOfGames));
}

#[test]
fn where_a_pair_is_not_complete_single_games_count() {
    let plan = test(0.0, 20.0, Model::Normalized);
    let mut tally = SprtCounts::default();
    for half_points in [2, 1, 2, 0, 1, 1, 2, 2] {
        tally.add(Some(half_points));
    }
    assert_eq!((tally.pairs, tally.games), ([0, 0, 2, 1, 1], [1, 3, 4]));
    assert_eq!(tally.llr(&plan), llr([0, 0, 2, 1, 1], &plan));
    tally.add(Some(2));
    assert!(tally.add(None));
    assert_eq!((tally.incomplete, tally.games), (1, [1, 3, 5]));
    assert_eq!(tally.llr(&plan), llr_trinomial([1, 3, 5], &plan));
}

#[test]
fn a_test_that_cannot_be_played_is_refused() {
    let good = test(0.0, 5.0, Model::Normalized);
    let bad = [
        SprtPlan { elo1: 0.0, ..good },
        SprtPlan { elo0: f64::NAN, ..good },
        SprtPlan { elo1: f64::INFINITY, ..good },
        SprtPlan { alpha: 0.0, ..good },
        SprtPlan { beta: 0.5, ..good },
        SprtPlan { max_games: 3, ..good },
        SprtPlan { max_games: 0, ..good },
    ];
    for sprt in bad {
        let error = TournamentState::new(plan(entered(2), Format::Sprt(sprt))).unwrap_err();
        assert!(matches!(error, PlanError::Sprt { stage: 1, .. }), "{sprt:?}");
    }
    let error = TournamentState::new(plan(entered(3), Format::Sprt(good))).unwrap_err();
    assert_eq!(error.to_string(), "a test is between two players, and stage 1 has 3");
}
