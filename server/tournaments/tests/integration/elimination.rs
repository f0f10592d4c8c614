//! Single and double elimination.

use std::collections::BTreeMap;

use grandstand_tournaments::*;

use crate::support::{Random, chance, entered, plan, play};

fn knock_out(best_of: u32, double: bool, third_place: bool) -> Format {
    Format::Elimination { best_of, double, third_place }
}

/// The better seed wins every game.
fn favourite(game: &ScheduledGame) -> GameResult {
    GameResult::Played {
        winner: Some(u8::from(game.players[1] < game.players[0])),
        digest: Some(game.number),
    }
}

fn played(count: u32, format: Format, result: impl FnMut(&ScheduledGame) -> GameResult) -> TournamentState {
    let mut tournament = TournamentState::new(plan(entered(count), format)).unwrap();
    play(&mut tournament, result);
    tournament
}

fn ranks(tournament: &TournamentState) -> Vec<(u32, u32)> {
    tournament.standings(0).iter().map(|line| (line.rank.unwrap(), line.player.0)).collect()
}

#[test]
fn the_best_have_the_byes_and_meet_late() {
    let tournament = played(6, knock_out(1, false, false), favourite);
    let rounds: Vec<Vec<[u32; 2]>> = tournament
        .rounds()
        .iter()
        .map(|round| {
            round.encounters.iter().map(|encounter| encounter.players.map(|player| player.0)).collect()
        })
        .collect();
    assert_eq!(rounds, [vec![[3, 4], [2, 5]], vec![[0, 3], [1, 2]], vec![[0, 1]]]);
    assert_eq!(tournament.rounds()[0].byes, [PlayerIndex(0), PlayerIndex(1)]);
    assert_eq!(ranks(&tournament), [(1, 0), (2, 1), (3, 2), (3, 3), (5, 4), (5, 5)]);
    let why: Vec<_> = tournament.standings(0).iter().map(|line| line.above_next).collect();
    assert_eq!(why[..3], [Some(OrderedBy::Round), Some(OrderedBy::Round), Some(OrderedBy::Shared)]);
}

#[test]
fn losers_of_semi_finals_meet_for_third_place_if_planned() {
    let tournament = played(8, knock_out(1, false, true), favourite);
    assert_eq!(ranks(&tournament)[..4], [(1, 0), (2, 1), (3, 2), (4, 3)]);
    let last = tournament.rounds().last().unwrap();
    let brackets: Vec<_> =
        last.encounters.iter().map(|encounter| encounter.bracket.unwrap().bracket).collect();
    assert_eq!(brackets, [BracketKind::ThirdPlace, BracketKind::Winners]);
}

#[test]
fn an_encounter_ends_when_it_cannot_be_turned() {
    for (best_of, games) in [(1, 2), (3, 4), (5, 6), (2, 4)] {
        let tournament = played(2, knock_out(best_of, false, false), favourite);
        assert_eq!(tournament.counted(), games, "best of {best_of} pairs, all won by the same");
    }
    // 1½–½ and 1–1 leave the third pair open.
    let mut results = [Some(0), None, None, None, None, None].into_iter();
    let tournament = played(2, knock_out(3, false, false), |game| GameResult::Played {
        winner: results.next().unwrap(),
        digest: Some(game.number),
    });
    assert_eq!((tournament.counted(), ranks(&tournament)), (6, vec![(1, 0), (2, 1)]));
}

#[test]
fn a_level_encounter_has_one_more_pair_then_the_better_seed() {
    let draw = |game: &ScheduledGame| GameResult::Played { winner: None, digest: Some(game.number) };
    let mut tournament = played(2, knock_out(2, false, false), draw);
    assert_eq!((tournament.counted(), ranks(&tournament)), (6, vec![(1, 0), (2, 1)]));
    let by_seed = Notice::BySeed { encounter: 0, winner: PlayerIndex(0) };
    assert!(tournament.notices().contains(&by_seed));
    assert!(tournament.encounter_result(0).unwrap().by_seed);
    let last = |game: &ScheduledGame| match game.number {
        5 => GameResult::Played { winner: Some(0), digest: Some(5) },
        _ => draw(game),
    };
    let tournament = played(2, knock_out(2, false, false), last);
    assert_eq!(ranks(&tournament), [(1, 1), (2, 0)], "the last game of the added pair decided");
}

#[test]
fn only_the_first_of_a_double_elimination_lost_less_than_twice() {
    let mut random = Random(6);
    for _ in 0..300 {
        let count = 2 + random.below(31) as u32;
        let mut plan = plan(entered(count), knock_out(1, true, false));
        plan.seed = random.next();
        let mut tournament = TournamentState::new(plan).unwrap();
        play(&mut tournament, |game| chance(game, 5));
        let mut lost = BTreeMap::<PlayerIndex, u32>::new();
        for encounter in tournament.rounds().iter().flat_map(|round| &round.encounters) {
            let winner = tournament.encounter_result(encounter.id).unwrap().winner.unwrap();
            *lost.entry(encounter.players[usize::from(1 - winner)]).or_default() += 1;
        }
        let table = tournament.standings(0);
        assert_eq!(table[0].rank, Some(1));
        assert!(lost.get(&table[0].player).is_none_or(|&lost| lost < 2));
        assert_eq!(table[1].rank, Some(2), "the place of the second is its own");
        assert!(table[1..].iter().all(|line| lost[&line.player] == 2), "{count} players: {lost:?}");
        if count > 2 {
            assert!(table[2].rank == Some(3) && table.get(3).is_none_or(|line| line.rank == Some(4)));
        }
    }
}

#[test]
fn the_grand_final_is_repeated_at_a_first_loss() {
    let grand_finals = |tournament: &TournamentState| {
        let encounters = tournament.rounds().iter().flat_map(|round| &round.encounters);
        encounters.filter(|encounter| encounter.bracket.unwrap().bracket == BracketKind::GrandFinal).count()
    };
    let tournament = played(8, knock_out(1, true, false), favourite);
    assert_eq!(
        (grand_finals(&tournament), ranks(&tournament)[..3].to_vec()),
        (1, vec![(1, 0), (2, 1), (3, 2)])
    );
    // From the grand final on the worse seed wins.
    let tournament = played(8, knock_out(1, true, false), |game| {
        if game.round < 5 {
            favourite(game)
        } else {
            GameResult::Forfeit { by: [FaultOf::First, FaultOf::Second][usize::from(game.players[1].0 == 0)] }
        }
    });
    assert_eq!((grand_finals(&tournament), ranks(&tournament)[..2].to_vec()), (2, vec![(1, 1), (2, 0)]));
}

#[test]
fn every_player_has_a_place_at_any_moment() {
    let mut random = Random(8);
    for format in [knock_out(3, false, true), knock_out(1, true, false)] {
        for count in [2, 3, 5, 8, 13] {
            let mut tournament = TournamentState::new(plan(entered(count), format.clone())).unwrap();
            while let Some(game) = tournament.next_game() {
                let lines = tournament.standings(0);
                assert_eq!(lines.len() as u32, count);
                assert!(lines.is_sorted_by_key(|line| line.rank));
                let _ = tournament.record(game.number, chance(&game, random.below(2) * 100));
            }
            assert!(tournament.is_over());
        }
    }
}

#[test]
fn who_is_retired_loses_what_is_left_and_keeps_its_place() {
    let mut plan = plan(entered(4), knock_out(3, false, false));
    plan.faults = Some(1);
    let mut tournament = TournamentState::new(plan).unwrap();
    play(&mut tournament, |game| match game.players.iter().position(|player| player.0 == 0) {
        Some(0) if game.round == 1 => GameResult::Forfeit { by: FaultOf::First },
        _ => favourite(game),
    });
    assert_eq!(ranks(&tournament), [(1, 1), (2, 0), (3, 2), (3, 3)]);
    assert!(tournament.standings(0)[1].retired);
}
