//! End of a match: by the rules of the game, or by a player's forfeit.

use std::time::Duration;

use grandstand_protocol::{Command, Marker};
use grandstand_rules::turn::{Drawn, Outcome, Side};

use super::{Phase, Referee, Verdict};
use crate::turns::answer::Forfeit;

impl<P: Drawn> Referee<P> {
    /// Ends the match if the position is final, and returns whether it is.
    pub(super) fn ended_by_rules(&mut self) -> bool {
        let Some(end) = self.position.end() else { return false };
        let winner = match end.outcome {
            Outcome::Win(side) => Some(side),
            Outcome::Draw => None,
        };
        self.end(winner, end.termination, None);
        true
    }

    /// Ends the match by the loss of a player, whatever the position.
    pub(super) fn forfeit(&mut self, player: usize, forfeit: &Forfeit) {
        let player = player & 1;
        let side = self.sides[player];
        let at = Duration::from_millis(self.tick);
        if let Some(running) = self.clock.running() {
            // A late answer has no effect any more, but the time of the turn counts.
            let took = self.clock.stop(at).unwrap_or_else(|late| late.took);
            self.thought[running.index()] += took;
            self.draw_clock(running, at);
        }
        let label = format!("{} lost by {}: {}", self.names[player], forfeit.termination, forfeit.detail);
        let marker = Marker {
            label: label.as_str().into(),
            kind: Some("forfeit".into()),
            team: Some(P::team_name(side).into()),
        };
        self.draw([Command::Marker(marker.into())]);
        self.log.push(format!("move {}: {label}", self.moves.len()));
        self.end(Some(side.opponent()), forfeit.termination, Some(forfeit.detail.clone()));
    }

    fn end(&mut self, winner: Option<Side>, termination: &'static str, detail: Option<String>) {
        let held = self.held.take().unwrap_or_default();
        self.draw(held.into_values());
        self.draw([P::over(outcome_of(winner))]);
        self.phase = Phase::Over(Verdict { winner, termination, detail, tick: self.tick });
    }
}

pub(super) fn outcome_of(winner: Option<Side>) -> Outcome<Side> {
    winner.map_or(Outcome::Draw, Outcome::Win)
}
