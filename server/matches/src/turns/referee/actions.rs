//! Record of the players' actions, for the log of the match.

use grandstand_rules::turn::Drawn;
use serde_json::json;

use super::Referee;
use crate::spec::{LogLevel, LogLine};
use crate::turns::answer::Forfeit;

impl<P: Drawn> Referee<P> {
    /// Makes the referee record the players' actions from now on, for [`drain_actions`](Self::drain_actions).
    pub fn keep_actions(&mut self) {
        self.actions.get_or_insert_default();
    }

    /// Actions of players since the last call; empty unless they are [recorded](Self::keep_actions).
    pub fn drain_actions(&mut self) -> Vec<LogLine> {
        self.actions.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Text of a move, if actions are recorded.
    pub(super) fn kept_text(&self, mv: P::Move) -> Option<String> {
        self.actions.is_some().then(|| self.position.move_text(mv))
    }

    /// Records a move, if actions are recorded.
    pub(super) fn keep_move(&mut self, player: usize, text: Option<String>, placed: &Result<(), String>) {
        if let Some(text) = text {
            let refused = placed.as_ref().err().map(|why| (Forfeit::ILLEGAL, why.as_str()));
            self.keep(player, &text, refused);
        }
    }

    /// Records an action of a player, if actions are recorded; `refused` has the rule that forbids the action, and the
    /// reason.
    pub(super) fn keep(&mut self, player: usize, action: &str, refused: Option<(&str, &str)>) {
        let Some(actions) = &mut self.actions else { return };
        let (side, tick, number) = (self.sides[player & 1], self.tick, self.moves.len());
        let team = P::team_name(side);
        let mut trace =
            json!({ "event": "action", "t": tick, "team": team, "ply": number, "action": action });
        let mut text = format!("move {number}: {team} ({}): {action}", self.names[player & 1]);
        if let Some((rule, reason)) = refused {
            trace["rule"] = rule.into();
            trace["reason"] = reason.into();
            text += &format!(" failed: {reason}");
        }
        let level = if refused.is_some() { LogLevel::Failure } else { LogLevel::Action };
        actions.push(LogLine { text, level, trace: Some(trace) });
    }
}
