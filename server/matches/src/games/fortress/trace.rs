//! Trace of units: their actions and answers, as entries of a match's log.

use grandstand_rules::Refusal as _;
use grandstand_rules::fortress::{Action, ActionResult, Failure, Team, UnitId, World};
use serde_json::{Value, json};

use super::message::action_value;
use super::referee::clock;
use crate::spec::{LogLevel, LogLine};

/// Entry for an action of a unit, with its answer: none yet, a result, or a failure. `server/TRACE.md` describes the
/// entry.
pub(super) fn action(
    world: Option<&World>,
    millis: u64,
    (team, id): (Team, u32),
    action: &Action,
    answer: Result<Option<&ActionResult>, Failure>,
) -> LogLine {
    let at = world.and_then(|world| world.unit(UnitId(id))).map(|unit| unit.at.to_string());
    let asked = action_value(action);
    let place = at.as_ref().map(|at| format!(" at {at}")).unwrap_or_default();
    let who = format!("{}: {team} unit {id}{place}: {}", clock(millis), in_words(&asked));
    let mut trace =
        json!({ "event": "action", "t": millis, "team": team.name(), "bot": id, "action": asked });
    if let Some(at) = at {
        trace["at"] = at.into();
    }
    let (text, level) = match answer {
        Ok(None) => (format!("{who} waits"), LogLevel::Action),
        Ok(Some(result)) => {
            let result = json!(result);
            let text = format!("{who} = {}", in_words(&result));
            trace["answer"] = result;
            (text, LogLevel::Action)
        }
        Err(failure) => {
            trace["answer"] = json!(ActionResult::Failed);
            trace["rule"] = failure.rule().into();
            trace["reason"] = failure.to_string().into();
            (format!("{who} failed: {failure}"), LogLevel::Failure)
        }
    };
    LogLine { text, level, trace: Some(trace) }
}

/// Entry for an invalid message, or one that its sender may not send.
pub(super) fn error(millis: u64, id: Option<u32>, reason: &str) -> LogLine {
    let who = id.map_or_else(|| "a connection".to_owned(), |id| format!("unit {id}"));
    let mut trace = json!({ "event": "error", "t": millis, "rule": "message", "reason": reason });
    if let Some(id) = id {
        trace["bot"] = id.into();
    }
    let text = format!("{}: {who} sent what is no message: {reason}", clock(millis));
    LogLine { text, level: LogLevel::Failure, trace: Some(trace) }
}

/// Text of a message that is an object: its type and its other fields, as in `Move left`.
fn in_words(message: &Value) -> String {
    let mut words = message["type"].as_str().unwrap_or_default().to_owned();
    for (_, value) in message.as_object().into_iter().flatten().filter(|(name, _)| *name != "type") {
        match value.as_str() {
            Some(text) => words += &format!(" {text}"),
            None => words += &format!(" {value}"),
        }
    }
    words
}
