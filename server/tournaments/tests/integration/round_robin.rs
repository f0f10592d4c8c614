//! Round robin and gauntlet.

use std::collections::BTreeMap;

use grandstand_tournaments::*;

use crate::support::{chance, entered, plan, play, stage};

const CYCLES: u32 = 3;

fn games(players: Vec<Entry>, format: Format) -> (TournamentState, Vec<ScheduledGame>) {
    let mut tournament = TournamentState::new(plan(players, format)).unwrap();
    let mut games = Vec::new();
    while let Some(game) = tournament.next_game() {
        games.push(game);
    }
    (tournament, games)
}

#[test]
fn everybody_meets_everybody_once_a_cycle_on_both_sides() {
    for count in 2..12 {
        let (_, games) = games(entered(count), Format::RoundRobin { cycles: CYCLES });
        let mut met = BTreeMap::new();
        for game in &games {
            *met.entry(game.players).or_insert(0) += 1;
        }
        assert_eq!(met.len() as u32, count * (count - 1), "{count} players");
        assert!(met.values().all(|&times| times == CYCLES));
    }
}

#[test]
fn cycles_and_rounds_follow_each_other_with_everybody_in_each() {
    let (tournament, games) = games(entered(8), Format::RoundRobin { cycles: 2 });
    assert!(games.is_sorted_by_key(|game| (game.round, game.number)));
    assert_eq!(tournament.rounds().len(), 14);
    for (index, round) in tournament.rounds().iter().enumerate() {
        assert_eq!(round.cycle, index as u32 / 7);
        assert_eq!(round.encounters.len(), 4);
    }
}

#[test]
fn games_of_a_pair_are_adjacent_with_one_seed_map_and_opening() {
    let (_, games) = games(entered(7), Format::RoundRobin { cycles: 1 });
    for pair in games.chunks(2) {
        let [one, two] = pair else { panic!("a game without its other") };
        assert_eq!((one.seed, one.map, one.opening, one.pair), (two.seed, two.map, two.opening, two.pair));
        assert_eq!(one.players, [two.players[1], two.players[0]]);
    }
    let mut seeds: Vec<u64> = games.iter().map(|game| game.seed).collect();
    seeds.dedup();
    seeds.sort_unstable();
    assert!(seeds.windows(2).all(|two| two[0] != two[1]), "no two pairs have the same seed");
}

#[test]
fn everybody_meets_each_map_as_often() {
    let (_, games) = games(entered(10), Format::RoundRobin { cycles: 1 });
    let mut maps = BTreeMap::<_, u32>::new();
    for game in &games {
        for player in game.players {
            *maps.entry((player, game.map)).or_default() += 1;
        }
    }
    assert_eq!(maps.len(), 30);
    // Nine encounters of two games on three maps.
    assert!(maps.values().all(|&times| times == 6), "{maps:?}");
}

#[test]
fn an_odd_field_gets_the_house_player_and_else_byes() {
    let mut players = entered(5);
    let (tournament, _) = games(players.clone(), Format::RoundRobin { cycles: 1 });
    assert!(tournament.rounds().iter().all(|round| round.byes.len() == 1));
    players.push(Entry { name: "House".into(), kind: EntryKind::House, joins: 0 });
    let (mut tournament, _) = games(players.clone(), Format::RoundRobin { cycles: 1 });
    assert!(tournament.rounds().iter().all(|round| round.byes.is_empty()));
    for number in 0..tournament.remaining() {
        tournament.record(number, GameResult::Played { winner: None, digest: Some(number) }).unwrap();
    }
    let table = tournament.standings(0);
    assert_eq!(table.len(), 6);
    let house = table.last().unwrap();
    assert_eq!((house.player, house.rank), (PlayerIndex(5), None));
    players.push(Entry { name: "sixth".into(), kind: EntryKind::Entered, joins: 0 });
    let (tournament, _) = games(players, Format::RoundRobin { cycles: 1 });
    assert!(!tournament.field(0).contains(&PlayerIndex(5)), "an even field needs no house player");
}

#[test]
fn in_a_gauntlet_challengers_meet_all_others_and_not_each_other() {
    for (count, challengers) in [(2, 1), (6, 1), (7, 2), (7, 5)] {
        let (tournament, games) = games(entered(count), Format::Gauntlet { challengers, cycles: 2 });
        let of_both =
            |game: &ScheduledGame| game.players.iter().filter(|player| player.0 < challengers).count() == 1;
        assert!(games.iter().all(of_both));
        assert_eq!(games.len() as u32, challengers * (count - challengers) * 2 * 2);
        for round in tournament.rounds() {
            let mut players: Vec<_> =
                round.encounters.iter().flat_map(|encounter| encounter.players).collect();
            players.sort();
            assert!(players.windows(2).all(|two| two[0] != two[1]), "twice in a round");
        }
    }
}

#[test]
fn who_retires_early_leaves_the_table_and_later_forfeits() {
    for (good_rounds, leaves) in [(1, true), (5, false)] {
        let mut plan = plan(entered(6), Format::RoundRobin { cycles: 2 });
        plan.faults = Some(2);
        let mut tournament = TournamentState::new(plan).unwrap();
        let bad = PlayerIndex(3);
        play(&mut tournament, |game| match game.players.iter().position(|&player| player == bad) {
            Some(0) if game.round >= good_rounds => GameResult::Forfeit { by: FaultOf::First },
            Some(1) if game.round >= good_rounds => GameResult::Forfeit { by: FaultOf::Second },
            _ => chance(game, 0),
        });
        let table = tournament.standings(0);
        let line = table.iter().find(|line| line.player == bad).unwrap();
        assert!(line.retired);
        assert_eq!((line.left_table, line.rank.is_none()), (leaves, leaves));
        let others: Vec<u32> =
            table.iter().filter(|line| line.player != bad).map(|line| line.games).collect();
        assert_eq!(others, vec![if leaves { 16 } else { 20 }; 5], "games that count for the others");
        assert_eq!(line.games, if leaves { 0 } else { 20 });
        let listed = tournament.games().iter().filter(|counted| counted.game.players.contains(&bad)).count();
        assert_eq!(listed, if leaves { 4 } else { 20 }, "played games stay listed");
    }
}

#[test]
fn the_next_stage_begins_from_zero_in_the_order_of_the_table() {
    let mut plan = plan(entered(6), Format::RoundRobin { cycles: 1 });
    plan.stages[0].advance = Some(4);
    plan.stages.push(stage(Format::RoundRobin { cycles: 1 }));
    let mut tournament = TournamentState::new(plan).unwrap();
    play(&mut tournament, |game| chance(game, 0));
    let best: Vec<PlayerIndex> = tournament.standings(0)[..4].iter().map(|line| line.player).collect();
    assert_eq!(tournament.field(1), best);
    assert!(tournament.standings(1).iter().all(|line| line.games == 6));
    let places: Vec<Option<u32>> = tournament.ranking().iter().map(|place| place.place).collect();
    assert_eq!(places, (1..=6).map(Some).collect::<Vec<_>>());
    assert_eq!(tournament.ranking()[5].player, tournament.standings(0)[5].player);
}
