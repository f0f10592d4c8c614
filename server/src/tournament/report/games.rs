//! Games as lines of a list.

use grandstand_protocol::tournament::GameLine;
use grandstand_tournaments::{FaultOf, GameResult};

use super::super::catalogue::GameRecord;
use super::Snapshot;

impl Snapshot {
    /// All games with an attempt, by number.
    pub fn game_lines(&self) -> Vec<GameLine> {
        self.games.iter().filter_map(|game| self.game_line(game)).collect()
    }

    /// The line of a game; `None` without an attempt.
    pub fn game_line(&self, record: &GameRecord) -> Option<GameLine> {
        let last = record.last()?;
        let game = &record.game;
        let counted = self.state.games();
        let counted = counted
            .binary_search_by_key(&game.number, |counted| counted.game.number)
            .ok()
            .map(|at| &counted[at]);
        // A retired player's game is a forfeit, whatever was played.
        let result = counted.map(|counted| counted.result).or_else(|| record.result());
        let (text, winner) = result.map_or((None, None), |result| {
            let (text, winner) = words(result);
            (Some(text.to_owned()), winner)
        });
        let stage = self.tournament.definition.stages.get(game.stage as usize);
        Some(GameLine {
            number: game.number,
            stage: self.stage_name(game.stage).to_owned(),
            round: game.round + 1,
            encounter: game.encounter,
            pair: game.pair + 1,
            players: game.players.map(|player| self.name(player).to_owned()),
            map: game.map.and_then(|map| Some(stage?.maps.get(map as usize)?.name.clone())),
            opening: game.opening.map(|opening| opening + 1),
            seed: game.seed.to_string(),
            result: text,
            winner,
            fault: last.fault,
            termination: last.termination.clone(),
            reason: last.reason.clone(),
            score: last.score,
            length: last.length.as_ref().map(|(length, _)| *length),
            unit: last.length.as_ref().map(|(_, unit)| unit.clone()),
            started: last.started.clone(),
            wall_ms: last.wall_ms,
            disturbed_ms: last.disturbed_ms,
            worker: last.worker.clone(),
            speed: last.speed,
            attempts: record.attempts.len(),
            counts: counted.is_some(),
            same_as: counted.and_then(|counted| counted.same_as),
            ruling: record.ruling.as_ref().map(|ruling| ruling.reason.clone()),
            recorded: last.recording_bytes.is_some(),
        })
    }
}

/// The text of a result in tables, and the winning side.
fn words(result: GameResult) -> (&'static str, Option<u8>) {
    let of = |winner| match winner {
        Some(0) => ("1-0", Some(0)),
        Some(_) => ("0-1", Some(1)),
        None => ("½-½", None),
    };
    match result {
        GameResult::Played { winner, .. } | GameResult::Awarded { winner } => of(winner),
        GameResult::Forfeit { by: FaultOf::First } => of(Some(1)),
        GameResult::Forfeit { by: FaultOf::Second } => of(Some(0)),
        GameResult::Forfeit { by: FaultOf::Both } => ("0-0", None),
        GameResult::Annulled => ("annulled", None),
    }
}
