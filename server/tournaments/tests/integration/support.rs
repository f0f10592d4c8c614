//! Plans and results for the tests.

use grandstand_tournaments::*;

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

/// Players with names by their place in the list.
pub(crate) fn entered(count: u32) -> Vec<Entry> {
    let name = |index| format!("player {index}");
    (0..count).map(|index| Entry { name: name(index), kind: EntryKind::Entered, joins: 0 }).collect()
}

pub(crate) fn stage(format: Format) -> StagePlan {
    StagePlan {
        name: "stage".into(),
        format,
        advance: None,
        games: 2,
        maps: 3,
        openings: 2,
        points: Points::default(),
        tie_breaks: TieBreak::DEFAULT.into(),
    }
}

pub(crate) fn plan(players: Vec<Entry>, format: Format) -> Plan {
    Plan { seed: 7, players, stages: vec![stage(format)], faults: None }
}

/// A pseudo-random result that depends on the game alone. Players earlier in the list win more often; `faults` of
/// 1,000 games end by a fault.
pub(crate) fn chance(game: &ScheduledGame, faults: usize) -> GameResult {
    let mut random = Random(game.seed ^ u64::from(game.players[0].0));
    if random.below(1000) < faults {
        let by = [FaultOf::First, FaultOf::Second, FaultOf::Both][random.below(3)];
        return GameResult::Forfeit { by };
    }
    let [first, second] = game.players.map(|player| 30 + player.0 as usize);
    let digest = random.next();
    let winner = match random.below(first + second + 20) {
        lot if lot < second => Some(0),
        lot if lot < second + first => Some(1),
        _ => None,
    };
    GameResult::Played { winner, digest: Some(digest) }
}

/// Plays to the end in the order of the schedule.
pub(crate) fn play(tournament: &mut TournamentState, mut result: impl FnMut(&ScheduledGame) -> GameResult) {
    while let Some(game) = tournament.next_game() {
        tournament.record(game.number, result(&game)).unwrap();
    }
    assert!(tournament.is_over(), "nothing is to be played, and it is not over");
}

/// All tables at the end, as text.
pub(crate) fn table(tournament: &TournamentState) -> String {
    let stages = 0..tournament.plan().stages.len();
    let all: Vec<_> =
        stages.map(|stage| (tournament.standings(stage), tournament.crosstable(stage))).collect();
    serde_json::to_string(&(all, tournament.ranking(), tournament.rounds())).unwrap()
}
