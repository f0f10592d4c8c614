//! The final table does not depend on the order of results or on interruptions.

use grandstand_tournaments::*;

use crate::support::{Random, chance, entered, plan, play, stage, table};

/// Plays with up to `jobs` games at a time, which end in random order. It stops and resumes at random; games that
/// were played and not recorded then are lost.
fn play_disturbed(plan: &Plan, random: &mut Random, jobs: usize, faults: usize) -> TournamentState {
    let mut tournament = TournamentState::new(plan.clone()).unwrap();
    let mut rounds = tournament.take_drawn();
    let mut results: Vec<(u64, GameResult)> = Vec::new();
    let mut playing: Vec<ScheduledGame> = Vec::new();
    loop {
        while playing.len() < jobs {
            let Some(game) = tournament.next_game() else { break };
            assert!(
                results.iter().all(|&(number, _)| number != game.number),
                "played again: {}",
                game.number
            );
            playing.push(game);
        }
        if playing.is_empty() {
            assert!(tournament.is_over());
            return tournament;
        }
        let game = playing.swap_remove(random.below(playing.len()));
        let result = chance(&game, faults);
        tournament.record(game.number, result).unwrap();
        results.push((game.number, result));
        rounds.extend(tournament.take_drawn());
        if random.below(40) == 0 {
            playing.clear();
            tournament =
                TournamentState::resume(plan.clone(), rounds.clone(), results.iter().copied()).unwrap();
            assert!(tournament.take_drawn().is_empty());
        }
    }
}

fn knock_out(double: bool) -> Format {
    Format::Elimination { best_of: 3, double, third_place: !double }
}

fn formats() -> Vec<Vec<Format>> {
    let sprt = sprt::SprtPlan {
        elo0: 0.0,
        elo1: 60.0,
        alpha: 0.05,
        beta: 0.05,
        model: sprt::Model::Normalized,
        max_games: 200,
    };
    vec![
        vec![Format::RoundRobin { cycles: 2 }],
        vec![Format::Gauntlet { challengers: 2, cycles: 2 }, Format::RoundRobin { cycles: 1 }],
        vec![Format::RoundRobin { cycles: 1 }, Format::Sprt(sprt), Format::RoundRobin { cycles: 1 }],
        vec![Format::Swiss { rounds: 5 }, knock_out(false)],
        vec![knock_out(true), Format::Swiss { rounds: 1 }],
    ]
}

#[test]
fn order_of_results_and_interruptions_leave_the_table_as_it_is() {
    let mut random = Random(11);
    for formats in formats() {
        for faults in [0, 30] {
            let mut plan = plan(entered(7), formats[0].clone());
            plan.faults = Some(3);
            plan.stages = formats.iter().cloned().map(stage).collect();
            if formats.len() > 1 {
                plan.stages[0].advance = Some(2);
            }
            let mut in_order = TournamentState::new(plan.clone()).unwrap();
            play(&mut in_order, |game| chance(game, faults));
            for jobs in [1, 2, 3, 8, 50] {
                let disturbed = play_disturbed(&plan, &mut random, jobs, faults);
                assert_eq!(
                    table(&in_order),
                    table(&disturbed),
                    "{formats:?}, {jobs} at once, {faults} faults"
                );
                assert_eq!(in_order.games(), disturbed.games());
            }
        }
    }
}

#[test]
fn notices_come_in_the_same_order_and_again_after_a_resume() {
    let mut plan = plan(entered(7), Format::RoundRobin { cycles: 2 });
    plan.faults = Some(3);
    let mut in_order = TournamentState::new(plan.clone()).unwrap();
    play(&mut in_order, |game| chance(game, 100));
    let notices = in_order.notices();
    let retired = |notice: &Notice| matches!(notice, Notice::Retired { .. });
    assert!(notices.iter().any(retired) && in_order.notices().is_empty());
    assert_eq!(notices.last(), Some(&Notice::StageOver { stage: 0 }));
    let games: Vec<(u64, GameResult)> = (0..)
        .map_while(|number| in_order.game(number))
        .map(|game| (game.number, chance(&game, 100)))
        .collect();
    let mut resumed = TournamentState::resume(plan, in_order.rounds().to_vec(), games).unwrap();
    assert!(resumed.is_over());
    assert_eq!(resumed.notices(), notices);
}

#[test]
fn a_result_that_is_of_no_game_or_comes_twice_is_refused() {
    let mut tournament = TournamentState::new(plan(entered(3), Format::RoundRobin { cycles: 1 })).unwrap();
    let won = GameResult::Played { winner: Some(0), digest: Some(1) };
    assert_eq!(tournament.record(6, won), Err(RecordError::Unknown(6)));
    assert_eq!(tournament.record(2, GameResult::Awarded { winner: Some(2) }), Err(RecordError::Side(2)));
    assert_eq!(tournament.record(2, won), Ok(()));
    assert_eq!(tournament.record(2, won), Err(RecordError::Twice(2)));
    assert_eq!(tournament.counted(), 0, "the first game of the schedule has no result");
}

#[test]
fn a_stored_round_that_does_not_fit_the_plan_is_refused() {
    let plan = plan(entered(4), Format::RoundRobin { cycles: 1 });
    let rounds = TournamentState::new(plan.clone()).unwrap().rounds().to_vec();
    let damages: [fn(&mut Vec<Round>); 7] = [
        |rounds| rounds[1].stage = 1,
        |rounds| rounds[1].round = 5,
        |rounds| rounds[0].field.clear(),
        |rounds| rounds[0].encounters[1].players[0] = PlayerIndex(4),
        |rounds| rounds[0].encounters[1].players = rounds[0].encounters[0].players,
        |rounds| rounds[1].encounters[0].first_game += 2,
        |rounds| rounds[1].encounters[0].most_games = 4,
    ];
    assert!(TournamentState::resume(plan.clone(), rounds.clone(), []).is_ok());
    for (index, damage) in damages.iter().enumerate() {
        let mut rounds = rounds.clone();
        damage(&mut rounds);
        let resumed = TournamentState::resume(plan.clone(), rounds, []);
        assert!(matches!(resumed, Err(ResumeError::Round { .. })), "damage {index}");
    }
}
