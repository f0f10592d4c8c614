//! Words and JSON of reports and units: `server/INSIGHT.md` describes the fields.

use grandstand_protocol::fortress::Team;
use serde_json::{Value, json};

use super::account::{Loss, Report, UnitReport};
use super::known_answers::UnitView;
use super::words;

impl Report {
    /// The report in words.
    pub fn words(&self) -> String {
        words::report(self)
    }

    /// The report as a JSON object: `server/INSIGHT.md` describes its fields.
    pub fn json(&self) -> Value {
        let team = |side: usize| Team::ALL[side].name();
        let loss = |loss: &Loss| {
            json!({
                "millis": loss.millis,
                "unit": loss.unit,
                "class": loss.class,
                "at": loss.at.to_string(),
                "by": loss.by.iter().map(|(unit, amount)| json!({ "unit": unit, "amount": amount })).collect::<Vec<_>>(),
                "how": words::how(loss),
                "last": loss.last.as_ref().map(|(millis, text)| json!({ "millis": millis, "text": text })),
            })
        };
        let unit = |unit: &UnitReport| {
            json!({
                "unit": unit.unit,
                "sent": unit.sent,
                "done": unit.done,
                "failed": unit.failed.iter().map(|(why, times)| json!({ "why": why, "times": times })).collect::<Vec<_>>(),
                "idle": unit.idle.iter().map(|idle| json!({
                    "from": idle.from, "to": idle.to, "why": words::idle_kind(&idle.kind),
                })).collect::<Vec<_>>(),
            })
        };
        let side = |side: usize| {
            let units = self.units.iter().filter(|unit| unit.side == side);
            json!({
                "team": team(side),
                "player": self.players[side],
                "lost": self.lost[side].iter().map(loss).collect::<Vec<_>>(),
                "units": units.map(unit).collect::<Vec<_>>(),
            })
        };
        json!({
            "game": "fortress",
            "winner": self.winner.map(team),
            "score": self.score,
            "termination": self.termination,
            "millis": self.millis,
            "turned": self.turned.as_ref().map(|(millis, words)| json!({ "millis": millis, "how": words })),
            "summary": words::headline(self),
            "remarks": self.remarks,
            "sides": [side(0), side(1)],
        })
    }
}

impl UnitView {
    /// The view in words.
    pub fn words(&self) -> String {
        words::view(self)
    }

    /// The view as a JSON object: `server/INSIGHT.md` describes its fields.
    pub fn json(&self) -> Value {
        let stood = self.stood.as_ref().map(|unit| {
            json!({
                "class": unit.class,
                "at": unit.at.to_string(),
                "facing": unit.facing,
                "health": unit.health,
            })
        });
        json!({
            "bot": self.unit,
            "side": self.side,
            "team": Team::ALL[self.side].name(),
            "cycle": self.millis,
            "turn": self.millis / 1_000,
            "unit": stood,
            "last": self.past_actions.iter().map(|action| json!({ "millis": action.millis, "text": action.text })).collect::<Vec<_>>(),
            "told": self.told.iter().map(|(millis, unit, words, answer)| json!({
                "millis": millis, "unit": unit, "text": words, "answer": answer,
            })).collect::<Vec<_>>(),
            "fate": self.fate,
        })
    }
}
