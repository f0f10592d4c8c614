//! Games that are played again when a worker is distrusted.

use std::collections::BTreeSet;

use grandstand_tournaments::{GameResult, TournamentState};

use super::super::catalogue::GameRecord;
use super::super::report::Snapshot;

/// Entries that are taken out of a catalogue for a worker whose results don't count: games, and the number of the rounds that stay.
/// A game on which somebody ruled stays: its result does not decide it. A round stays that was drawn without the games.
pub(super) fn doubtful(snapshot: &Snapshot, worker: &str) -> anyhow::Result<(Vec<u64>, usize)> {
    let is_of = |game: &&GameRecord| {
        game.ruling.is_none() && game.attempts.iter().any(|attempt| attempt.worker.as_deref() == Some(worker))
    };
    let games: Vec<u64> = snapshot.games.iter().filter(is_of).map(|game| game.game.number).collect();
    let rounds = snapshot.state.rounds();
    let doubtful: BTreeSet<u64> = games.iter().copied().collect();
    let results: Vec<(u64, GameResult)> = snapshot
        .games
        .iter()
        .filter(|game| !doubtful.contains(&game.game.number))
        .filter_map(|game| Some((game.game.number, game.result()?)))
        .collect();
    // A state that knows no more than the rest draws as many rounds as do not depend on it.
    let mut state = TournamentState::new(snapshot.state.plan().clone())?;
    let (mut drawn, mut given) = (0, 0);
    while drawn < state.rounds().len().min(rounds.len()) {
        drawn = state.rounds().len().min(rounds.len());
        let last = rounds.get(drawn - 1).and_then(|round| round.encounters.last());
        let end = last.map_or(0, |last| last.first_game + u64::from(last.most_games));
        while let Some((number, result)) = results.get(given).filter(|(number, _)| *number < end) {
            // Rounds that were drawn before a ruling have other games.
            let _ = state.record(*number, *result);
            given += 1;
        }
    }
    Ok((games, drawn))
}
