//! Attribution of a match's end to a party, and its result record.

use grandstand_matches::Ending;
use grandstand_matches::turns::answer::Forfeit;
use grandstand_protocol::Game;

use super::super::catalogue::{Fault, ResultRecord};
use crate::games::is_fault;

/// Data of a played match besides its ending.
#[derive(Debug, Clone)]
pub(super) struct Attempt {
    pub(super) attempt: u32,
    pub(super) started: String,
    pub(super) wall_ms: u64,
    pub(super) disturbed_ms: Option<u64>,
    /// The fault of the machine, if there is one.
    pub(super) machine: Option<String>,
}

/// The result of a match with this ending; sides are those on which the players began.
pub(super) fn result(game: Game, ending: &Ending, digest: u64, played: Attempt) -> ResultRecord {
    let of_player = |side: usize| if ending.swapped { 1 - side } else { side };
    let winner = ending.winner.map(of_player);
    let reason = ending.detail.get("reason").and_then(|reason| reason.as_str()).map(str::to_owned);
    let mut fault = is_fault(game, ending.termination).then_some(match winner {
        Some(0) => Fault::Second,
        Some(_) => Fault::First,
        None => Fault::Both,
    });
    let mut reason = reason;
    let mut termination = ending.termination.to_owned();
    if let Some(why) =
        played.machine.clone().or_else(|| reason.clone().filter(|reason| Forfeit::is_of_machine(reason)))
    {
        (fault, reason, termination) = (Some(Fault::Machine), Some(why), "machine".to_owned());
    }
    let score = ending.score.map(|score| if ending.swapped { [score[1], score[0]] } else { score });
    ResultRecord {
        winner: winner.filter(|_| fault != Some(Fault::Machine)).and_then(|side| u8::try_from(side).ok()),
        fault,
        reason,
        score,
        length: ending.lengths.first().map(|&(unit, length)| (length, unit.to_owned())),
        digest: Some(digest),
        ..record(termination, played)
    }
}

/// The result of a match that could not be played to its end for a reason outside of the players.
pub(super) fn broken(why: String, played: Attempt) -> ResultRecord {
    ResultRecord { fault: Some(Fault::Machine), reason: Some(why), ..record("machine".to_owned(), played) }
}

/// The record of a match without winner, fault and game.
fn record(termination: String, played: Attempt) -> ResultRecord {
    ResultRecord {
        attempt: played.attempt,
        fault: None,
        winner: None,
        termination,
        reason: None,
        score: None,
        length: None,
        digest: None,
        started: played.started,
        wall_ms: played.wall_ms,
        disturbed_ms: played.disturbed_ms,
        recording_bytes: None,
        inputs: false,
        worker: None,
        speed: None,
    }
}
