//! Ratings.

use grandstand_tournaments::ratings::{Options, RatedGame, Ratings, fit};
use grandstand_tournaments::*;

use crate::support::{Random, chance, entered, plan, play};

const NO_INTERVALS: Options = Options { resamples: 0, seed: 0, paired_by_results: false };

/// `counts` of won, drawn and lost games of the first player, on each side.
fn match_of(players: [u32; 2], counts: [u32; 3]) -> Vec<RatedGame> {
    let results = [Some(0), None, Some(1)].into_iter().zip(counts);
    let results: Vec<Option<u8>> =
        results.flat_map(|(winner, count)| std::iter::repeat_n(winner, count as usize)).collect();
    let mut games = Vec::new();
    for (pair, &winner) in (0..).zip(&results) {
        let [one, other] = players.map(PlayerIndex);
        let pair = (players[0] * 100 + players[1], pair);
        games.push(RatedGame { players: [one, other], winner, pair });
        games.push(RatedGame { players: [other, one], winner: winner.map(|side| 1 - side), pair });
    }
    games
}

fn elo(ratings: &Ratings, player: u32) -> f64 {
    ratings.players.iter().find(|rating| rating.player.0 == player).unwrap().elo
}

#[test]
fn ten_to_one_is_four_hundred_elo() {
    let ratings = fit(&match_of([0, 1], [1000, 0, 100]), NO_INTERVALS);
    let apart = elo(&ratings, 0) - elo(&ratings, 1);
    assert!((apart - 400.0).abs() < 3.0, "{apart}");
    assert!(ratings.side_advantage.abs() < 0.1);
    assert!((elo(&ratings, 0) + elo(&ratings, 1)).abs() < 1e-3, "the mean is 0");
}

#[test]
fn draws_are_davidsons() {
    // Wins, draws and losses as a : ν√(ab) : b with a = 4b and ν = 1.
    let ratings = fit(&match_of([0, 1], [4000, 2000, 1000]), NO_INTERVALS);
    let apart = elo(&ratings, 0) - elo(&ratings, 1);
    assert!((apart - 400.0 * 4.0_f64.log10()).abs() < 1.0, "{apart}");
    assert!((ratings.draws_of_equals - 1.0 / 3.0).abs() < 1e-3);
}

#[test]
fn the_advantage_of_a_side_is_no_strength() {
    let game = |players: [u32; 2], winner, pair| RatedGame {
        players: players.map(PlayerIndex),
        winner: Some(winner),
        pair: (0, pair),
    };
    let games: Vec<RatedGame> = (0..400)
        .flat_map(|pair| {
            // The first side wins three of four, whoever has it.
            let winner = u8::from(pair % 4 == 0);
            [game([0, 1], winner, pair), game([1, 0], winner, pair)]
        })
        .collect();
    let ratings = fit(&games, NO_INTERVALS);
    assert!(elo(&ratings, 0).abs() < 0.1);
    assert!((ratings.side_advantage - 400.0 * 3.0_f64.log10()).abs() < 2.0, "{}", ratings.side_advantage);
}

#[test]
fn a_perfect_score_has_a_finite_rating_that_grows_with_it() {
    let few = fit(&match_of([0, 1], [2, 0, 0]), NO_INTERVALS);
    let many = fit(&match_of([0, 1], [50, 0, 0]), NO_INTERVALS);
    assert!(elo(&few, 0) > 50.0 && elo(&many, 0) > elo(&few, 0) && elo(&many, 0) < 2000.0);
    let swept = fit(&match_of([0, 1], [50, 0, 0]), Options { resamples: 100, ..Options::default() });
    assert!(
        swept
            .players
            .iter()
            .all(|rating| rating.interval.is_some_and(|(low, high)| low.is_finite() && high.is_finite()))
    );
}

#[test]
fn players_that_no_chain_of_games_joins_are_said_to_be_apart() {
    let mut games = match_of([0, 1], [3, 1, 1]);
    games.extend(match_of([2, 3], [5, 0, 1]));
    games.extend(match_of([3, 4], [1, 3, 1]));
    let ratings = fit(&games, NO_INTERVALS);
    let groups: Vec<Vec<u32>> =
        ratings.groups.iter().map(|group| group.iter().map(|player| player.0).collect()).collect();
    assert_eq!(groups, [vec![2, 3, 4], vec![0, 1]]);
    let of: Vec<u32> = ratings.players.iter().map(|rating| rating.group).collect();
    assert_eq!(of, [1, 1, 0, 0, 0]);
    for group in &ratings.groups {
        let mean: f64 = group.iter().map(|player| elo(&ratings, player.0)).sum();
        assert!(mean.abs() < 1e-2, "each group has the mean 0: {mean}");
    }
}

#[test]
fn ratings_ignore_the_order_of_games_intervals_all_but_the_seed() {
    let mut games = match_of([0, 1], [7, 2, 3]);
    games.extend(match_of([1, 2], [2, 5, 4]));
    let options = Options { resamples: 50, seed: 3, ..Options::default() };
    let ratings = fit(&games, options);
    let mut random = Random(1);
    for _ in 0..5 {
        for index in (1..games.len()).rev() {
            games.swap(index, random.below(index + 1));
        }
        assert_eq!(fit(&games, options), ratings);
    }
    assert_ne!(fit(&games, Options { seed: 4, ..options }).players, ratings.players);
}

#[test]
fn pairs_that_never_differ_are_no_certainty() {
    // In each of twenty pairs the first side wins both games, whoever has it.
    let game = |players: [u32; 2], pair| RatedGame {
        players: players.map(PlayerIndex),
        winner: Some(0),
        pair: (0, pair),
    };
    let games: Vec<RatedGame> = (0..20).flat_map(|pair| [game([0, 1], pair), game([1, 0], pair)]).collect();
    for rating in fit(&games, Options::default()).players {
        let (low, high) = rating.interval.unwrap();
        assert!(high - low > 10.0 && low < rating.elo && rating.elo < high, "{low} to {high}");
    }
}

#[test]
fn pairings_that_followed_results_make_intervals_wider() {
    // A round robin in which the better player wins both games, and one of two against the next two.
    let mut games = Vec::new();
    for one in 0..8 {
        for other in one + 1..8 {
            let (players, pair) = ([one, other].map(PlayerIndex), (one * 100 + other, 0));
            games.push(RatedGame { players, winner: Some(0), pair });
            let winner = Some(u8::from(other - one > 2));
            games.push(RatedGame { players: [players[1], players[0]], winner, pair });
        }
    }
    let width = |paired_by_results| {
        let ratings = fit(&games, Options { paired_by_results, ..Options::default() });
        ratings.players.iter().filter_map(|rating| rating.interval).map(|(low, high)| high - low).sum::<f64>()
    };
    assert!(width(true) > width(false), "{} {}", width(true), width(false));
}

#[test]
fn of_few_pairs_no_interval_is_wider_than_the_prior() {
    // A round robin of three, two pairs each: everybody wins everything against the next, or nearly.
    let game = |players: [u32; 2], winner, pair| RatedGame {
        players: players.map(PlayerIndex),
        winner,
        pair: (pair, 0),
    };
    let games = [
        game([0, 1], Some(0), 0),
        game([1, 0], None, 0),
        game([2, 0], Some(0), 1),
        game([0, 2], Some(1), 1),
        game([1, 2], Some(1), 2),
        game([2, 1], Some(0), 2),
    ];
    for rating in fit(&games, Options::default()).players {
        let (low, high) = rating.interval.unwrap();
        assert!(high - low > 100.0 && high - low <= 2.0 * 1.96 * 600.0, "{low} to {high}");
    }
}

#[test]
fn who_has_fewer_than_thirty_games_or_one_pair_is_marked() {
    let mut games = match_of([0, 1], [14, 0, 0]);
    games.extend(match_of([0, 2], [1, 0, 0]));
    let ratings = fit(&games, Options { resamples: 20, ..Options::default() });
    let marks: Vec<(u32, bool, bool)> = ratings
        .players
        .iter()
        .map(|rating| (rating.games, rating.reliable, rating.interval.is_some()))
        .collect();
    assert_eq!(marks, [(30, true, true), (28, false, true), (2, false, false)]);
}

#[test]
fn forfeits_awards_annulled_and_identical_games_are_not_rated() {
    let mut tournament = TournamentState::new(plan(entered(2), Format::RoundRobin { cycles: 4 })).unwrap();
    let played = |digest| GameResult::Played { winner: None, digest: Some(digest) };
    let results = [
        played(5),
        GameResult::Forfeit { by: FaultOf::First },
        GameResult::Awarded { winner: Some(0) },
        GameResult::Annulled,
        played(5),
        played(5),
        played(6),
        played(7),
    ];
    for (number, result) in (0..).zip(results) {
        tournament.record(number, result).unwrap();
    }
    let same: Vec<Option<u64>> = tournament.games().iter().map(|counted| counted.same_as).collect();
    // Games 4 and 5 are a pair: one of them has the sides of game 0.
    let first = tournament.game(0).unwrap().players;
    let as_first = |number| tournament.game(number).unwrap().players == first;
    let again: Vec<u64> = [4, 5].into_iter().filter(|&number| as_first(number)).collect();
    assert_eq!(again.len(), 1);
    assert_eq!(same.iter().flatten().count(), 1);
    assert_eq!(same[again[0] as usize], Some(0));
    assert_eq!(tournament.rated_games(0).len(), 4);
    assert!(tournament.notices().contains(&Notice::Identical { first: 0, again: again[0] }));
    let games: u32 = tournament.standings(0).iter().map(|line| line.games).sum();
    assert_eq!(games, 14, "all but the annulled game score");
}

#[test]
fn games_without_a_digest_are_not_identical() {
    let mut tournament = TournamentState::new(plan(entered(2), Format::RoundRobin { cycles: 4 })).unwrap();
    for number in 0..8 {
        tournament.record(number, GameResult::Played { winner: None, digest: None }).unwrap();
    }
    assert!(tournament.games().iter().all(|counted| counted.same_as.is_none()));
    assert_eq!(tournament.rated_games(0).len(), 8);
}

#[test]
fn players_without_games_and_no_games_at_all_are_no_problem() {
    assert_eq!(fit(&[], Options::default()).players, []);
    let mut tournament = TournamentState::new(plan(entered(5), Format::RoundRobin { cycles: 1 })).unwrap();
    play(&mut tournament, |game| chance(game, 1000));
    assert_eq!(tournament.rated_games(0), []);
}
