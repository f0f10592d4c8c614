//! Swiss: properties of whole tournaments. Rounds of small fields are compared with all possible pairings.

use std::collections::{BTreeMap, BTreeSet};

use grandstand_tournaments::*;

use crate::support::{Random, chance, entered, plan, play};

type Met = BTreeMap<(PlayerIndex, PlayerIndex), u32>;

fn both(one: PlayerIndex, other: PlayerIndex) -> (PlayerIndex, PlayerIndex) {
    (one.min(other), one.max(other))
}

/// Cost of a round: repeated byes, repeated encounters, the sum of the differences of points.
type Cost = (u32, u32, i64);

/// State before a round is drawn.
struct Before {
    points: BTreeMap<PlayerIndex, i64>,
    met: Met,
    byes: BTreeMap<PlayerIndex, u32>,
    house: Option<PlayerIndex>,
}

impl Before {
    fn pair(&self, one: PlayerIndex, other: PlayerIndex) -> Cost {
        let again = self.met.get(&both(one, other)).copied().unwrap_or(0);
        if Some(other) == self.house {
            return self.bye(one);
        }
        (0, again, (self.points[&one] - self.points[&other]).abs())
    }

    fn bye(&self, one: PlayerIndex) -> Cost {
        let least = self.points.values().min().copied().unwrap_or(0);
        let house = self.house.and_then(|house| self.met.get(&both(one, house)).copied());
        (self.byes.get(&one).copied().unwrap_or(0) + house.unwrap_or(0), 0, self.points[&one] - least)
    }

    fn round(&self, round: &Round) -> Cost {
        let pairs =
            round.encounters.iter().map(|encounter| self.pair(encounter.players[0], encounter.players[1]));
        pairs.chain(round.byes.iter().map(|&bye| self.bye(bye))).fold((0, 0, 0), add)
    }

    /// The least cost of all pairings.
    fn least(&self, players: &[PlayerIndex]) -> Cost {
        let Some((&first, rest)) = players.split_first() else { return (0, 0, 0) };
        let without =
            |gone: PlayerIndex| rest.iter().copied().filter(|&player| player != gone).collect::<Vec<_>>();
        let meets = rest.iter().map(|&other| add(self.pair(first, other), self.least(&without(other))));
        let bye = (players.len() % 2 == 1).then(|| add(self.bye(first), self.least(rest)));
        meets.chain(bye).min().unwrap()
    }
}

fn add(one: Cost, other: Cost) -> Cost {
    (one.0 + other.0, one.1 + other.1, one.2 + other.2)
}

/// A random tournament: late entries, faults that retire, with or without a house player.
fn random_plan(random: &mut Random, players: u32) -> Plan {
    let rounds = 1 + random.below(9) as u32;
    let mut plan = plan(entered(players), Format::Swiss { rounds });
    plan.seed = random.next();
    plan.faults = [None, Some(1), Some(3)][random.below(3)];
    for entry in &mut plan.players {
        if random.below(10) == 0 {
            entry.joins = random.below(rounds as usize) as u32;
        }
    }
    if random.below(2) == 0 {
        plan.players.push(Entry { name: "House".into(), kind: EntryKind::House, joins: 0 });
    }
    plan
}

/// Plays a Swiss and checks every round as it is drawn. Fields of up to `all_pairings` players are compared with all
/// pairings.
fn check_swiss(plan: Plan, faults: usize, all_pairings: usize) {
    let house = plan.players.iter().position(|entry| entry.kind == EntryKind::House);
    let house = house.map(|house| PlayerIndex(house as u32));
    let mut tournament = TournamentState::new(plan.clone()).unwrap();
    let mut before = Before { points: BTreeMap::new(), met: Met::new(), byes: BTreeMap::new(), house };
    let mut rounds = 0;
    while let Some(first) = tournament.next_game() {
        let drawn = tournament.take_drawn();
        let (round, empty) = drawn.split_last().unwrap();
        assert!(
            empty.iter().all(|round| round.encounters.is_empty()),
            "a round is drawn when all before it counts"
        );
        rounds += drawn.len();
        let mut playing: Vec<PlayerIndex> = round
            .encounters
            .iter()
            .flat_map(|encounter| encounter.players)
            .chain(round.byes.clone())
            .collect();
        playing.retain(|&player| Some(player) != house);
        let unique: BTreeSet<_> = playing.iter().copied().collect();
        assert_eq!(unique.len(), playing.len(), "somebody is in the round twice");
        for (index, entry) in plan.players.iter().enumerate() {
            let player = PlayerIndex(index as u32);
            let plays = entry.joins <= round.round && !tournament.is_retired(player) && Some(player) != house;
            assert_eq!(unique.contains(&player), plays, "{entry:?} in round {}", round.round);
        }
        assert!(round.byes.len() <= 1);
        assert!(house.is_none() || round.byes.is_empty(), "the house plays where the field is odd");
        let table: BTreeMap<_, _> =
            tournament.standings(0).iter().map(|line| (line.player, line.points.0)).collect();
        before.points = playing.iter().map(|player| (*player, table[player])).collect();
        let cost = before.round(round);
        if playing.len() <= all_pairings {
            assert_eq!(cost, before.least(&playing), "{round:?} {:?}", before.points);
        }
        // A second bye only if everybody who plays has had one.
        let free = |player: &PlayerIndex| before.bye(*player).0 == 0;
        if playing.len() % 2 == 1 && playing.iter().any(free) {
            assert_eq!(cost.0, 0, "a second bye while somebody had none");
        }
        // If everybody has met at most half of the others, a pairing without repetition exists (Dirac's theorem),
        // whoever has the bye.
        let fewest = |player: &PlayerIndex| {
            playing
                .iter()
                .filter(|&other| other != player && !before.met.contains_key(&both(*player, *other)))
                .count()
        };
        if playing.iter().map(fewest).min().unwrap() > playing.len() / 2 {
            assert_eq!(cost.1, 0, "an encounter twice that could be avoided");
        }
        for encounter in &round.encounters {
            *before.met.entry(both(encounter.players[0], encounter.players[1])).or_default() += 1;
        }
        for &player in &round.byes {
            *before.byes.entry(player).or_default() += 1;
        }
        let mut game = Some(first);
        while let Some(next) = game {
            tournament.record(next.number, chance(&next, faults)).unwrap();
            game = if tournament.rounds().len() == rounds { tournament.next_game() } else { None };
        }
    }
    assert!(tournament.is_over());
    let at_first =
        plan.players.iter().filter(|entry| entry.joins == 0 && entry.kind == EntryKind::Entered).count();
    assert!(rounds > 0 || at_first < 2, "no round was drawn");
    let table = tournament.standings(0);
    let ranks: Vec<u32> = table.iter().filter_map(|line| line.rank).collect();
    assert_eq!(ranks, (1..=ranks.len() as u32).collect::<Vec<_>>(), "every place is taken once");
}

#[test]
fn in_small_fields_no_pairing_is_better() {
    let mut random = Random(3);
    for _ in 0..600 {
        let players = 2 + random.below(7) as u32;
        check_swiss(random_plan(&mut random, players), 20, 8);
    }
}

#[test]
fn nobody_meets_or_has_a_bye_again_while_it_can_be_avoided() {
    let mut random = Random(4);
    for case in 0..120 {
        let players = if case % 20 == 0 { 200 } else { 2 + random.below(60) as u32 };
        check_swiss(random_plan(&mut random, players), 20, 0);
    }
}

#[test]
#[ignore = "ten thousand whole tournaments take a minute"]
fn ten_thousand_tournaments_of_2_to_200_players_pair_well() {
    let mut random = Random(5);
    for _ in 0..10_000 {
        // Most fields are small, because these have the fewest pairings to choose from.
        let most = if random.below(100) == 0 { 199 } else { 23 };
        let players = 2 + random.below(most) as u32;
        check_swiss(random_plan(&mut random, players), 10, 0);
    }
}

#[test]
fn round_one_pairs_upper_with_lower_half_and_the_last_has_a_bye() {
    let tournament = TournamentState::new(plan(entered(7), Format::Swiss { rounds: 3 })).unwrap();
    let round = &tournament.rounds()[0];
    let met: Vec<_> =
        round.encounters.iter().map(|encounter| encounter.players.map(|player| player.0)).collect();
    assert_eq!(met, [[0, 3], [1, 4], [2, 5]]);
    assert_eq!(round.byes, [PlayerIndex(6)]);
}

#[test]
fn a_bye_scores_as_the_file_says_and_as_a_win_by_default() {
    for (bye, points) in [(None, 2000), (Some(Score::HALF), 1000)] {
        let mut plan = plan(entered(3), Format::Swiss { rounds: 1 });
        if let Some(bye) = bye {
            plan.stages[0].points.bye = bye;
        }
        let mut tournament = TournamentState::new(plan).unwrap();
        play(&mut tournament, |game| GameResult::Played { winner: None, digest: Some(game.number) });
        let line = tournament.standings(0).into_iter().find(|line| line.byes == 1).unwrap();
        assert_eq!((line.player, line.points, line.games), (PlayerIndex(2), Score(points), 0));
    }
}

#[test]
fn who_retires_is_not_paired_and_opponents_keep_their_points() {
    let mut plan = plan(entered(6), Format::Swiss { rounds: 5 });
    plan.faults = Some(1);
    let mut tournament = TournamentState::new(plan).unwrap();
    let bad = PlayerIndex(0);
    play(&mut tournament, |game| match game.players.iter().position(|&player| player == bad) {
        Some(0) => GameResult::Forfeit { by: FaultOf::First },
        Some(_) => panic!("the second game of a pair is forfeited without being played"),
        None => GameResult::Played { winner: None, digest: Some(game.number) },
    });
    let table = tournament.standings(0);
    assert_eq!(table.last().map(|line| (line.player, line.rank, line.left_table)), Some((bad, None, true)));
    let opponent = tournament.rounds()[0].encounters[0].players[1];
    let line = table.iter().find(|line| line.player == opponent).unwrap();
    assert!(
        line.wins == 2
            && tournament.rounds()[1..].iter().all(|round| {
                round.encounters.iter().all(|encounter| !encounter.players.contains(&bad))
                    && round.byes.len() == 1
            })
    );
}

#[test]
fn late_entries_begin_with_nothing_in_the_round_that_they_join() {
    let mut plan = plan(entered(5), Format::Swiss { rounds: 3 });
    plan.players[1].joins = 2;
    let mut tournament = TournamentState::new(plan).unwrap();
    play(&mut tournament, |game| GameResult::Played { winner: None, digest: Some(game.number) });
    let plays = |round: &Round| {
        round.byes.contains(&PlayerIndex(1))
            || round.encounters.iter().any(|encounter| encounter.players.contains(&PlayerIndex(1)))
    };
    let rounds: Vec<bool> = tournament.rounds().iter().map(plays).collect();
    assert_eq!(rounds, [false, false, true]);
}
