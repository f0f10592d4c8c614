//! Results truncated to a bounded size, for summaries and `end` messages. The recording has them in full.

use grandstand_protocol::MatchResult;
use serde_json::{Map, Value};

/// Maximum characters of a text.
const TEXT_CHARS: usize = 200;
/// Maximum bytes of JSON of a member after its texts are truncated, and of all members together.
const MEMBER_BYTES: usize = 1024;
const BYTES: usize = 4096;

/// The result with texts truncated to [`TEXT_CHARS`] characters, without members that are still too large.
pub(crate) fn shortened(result: MatchResult) -> MatchResult {
    let mut room = BYTES;
    let mut detail = Map::new();
    for (name, mut value) in result.detail {
        let kept = cut(&mut value, &mut MEMBER_BYTES.saturating_sub(name.len()));
        let bytes = name.len() + value.to_string().len() + 4;
        if kept && bytes <= MEMBER_BYTES && bytes <= room {
            room -= bytes;
            detail.insert(name, value);
        }
    }
    MatchResult { detail, ..result }
}

/// Truncates the texts in a value; `false` if it contains more values than `room`, each of which takes at least a byte.
///
/// Payloads are nested at most 32 deep, which [`grandstand_protocol`] ensures.
fn cut(value: &mut Value, room: &mut usize) -> bool {
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        let Some(less) = room.checked_sub(1) else { return false };
        *room = less;
        match value {
            Value::String(text) => {
                if let Some((end, _)) = text.char_indices().nth(TEXT_CHARS) {
                    text.truncate(end);
                    text.push('…');
                    text.shrink_to_fit();
                }
            }
            Value::Array(values) if values.len() <= *room => rest.extend(values),
            Value::Object(values) if values.len() <= *room => rest.extend(values.values_mut()),
            Value::Array(_) | Value::Object(_) => return false,
            _ => {}
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn after(detail: Value) -> Value {
        let result = json!({"winner": "black", "termination": "score", "detail": 0});
        let mut result: Map<String, Value> = serde_json::from_value(result).unwrap();
        result.remove("detail");
        result.extend(serde_json::from_value::<Map<String, Value>>(detail).unwrap());
        let short = shortened(serde_json::from_value(result.into()).unwrap());
        assert_eq!((short.winner.as_deref(), &*short.termination), (Some("black"), "score"));
        Value::Object(short.detail)
    }

    #[test]
    fn what_games_say_stays_and_what_is_too_long_is_cut_or_left_out() {
        let usual = json!({"score": {"black": 3, "white": -1}, "why": "e".repeat(200), "moves": [1, null]});
        assert_eq!(after(usual.clone()), usual);
        let long =
            json!({"why": "é".repeat(60_000), "list": vec![0; 30_000], "nested": {"a": ["x".repeat(900)]}});
        let cut = |letter: &str| letter.repeat(200) + "…";
        assert_eq!(after(long), json!({"why": cut("é"), "nested": {"a": [cut("x")]}}));
        let many: Map<String, Value> = (0..5_000).map(|n| (format!("m{n}"), json!("y".repeat(90)))).collect();
        let kept = after(many.into());
        let size = kept.to_string().len();
        assert!((BYTES / 2..BYTES + 10).contains(&size), "{size}");
    }
}
