//! Requests of bots to the world of their match, as recordings keep them (code `q`): the effects of a side, without
//! its program.
//!
//! Only requests that change the world are kept. Their answers, and those of all other requests, follow from the
//! world. One side's program and the other side's requests are therefore enough to play the match again.

use grandstand_languages::{DATUM_DEPTH, DATUM_ELEMENTS, Datum};
use grandstand_protocol::text::push_number;
use grandstand_rules::Pid;
use serde_json::Value;

/// One request that a bot made, or its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotRequest {
    /// The cycle.
    pub cycle: u64,
    /// The bot's thread.
    pub pid: Pid,
    /// The request.
    pub what: BotRequestKind,
}

/// Action of a bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BotRequestKind<D = Datum> {
    /// `do`, with this operand.
    Do(D),
    /// `spawn`, which made this thread.
    Spawned(Pid),
    /// Its program ended.
    Ended,
}

/// Writer of the data of a line of code `q`, request by request.
#[derive(Debug, Clone, Default)]
pub struct Encoder {
    text: String,
    /// Cycle of the last request.
    last: u64,
}

impl Encoder {
    /// Adds a request, which was made no earlier than those before it.
    pub fn push(&mut self, cycle: u64, pid: Pid, what: BotRequestKind<&Datum>) {
        let text = &mut self.text;
        text.push(if text.is_empty() { '[' } else { ',' });
        text.push('[');
        push_number(text, cycle.saturating_sub(std::mem::replace(&mut self.last, cycle)));
        text.push(',');
        push_number(text, pid.0.into());
        text.push(',');
        match what {
            BotRequestKind::Do(request) => value(text, request),
            BotRequestKind::Spawned(child) => {
                text.push_str("{\"spawn\":");
                push_number(text, child.0.into());
                text.push('}');
            }
            BotRequestKind::Ended => text.push_str("{\"end\":true}"),
        }
        text.push(']');
    }

    /// The data of the line; `None` without a request. The next line begins.
    pub fn take(&mut self) -> Option<String> {
        self.last = 0;
        if self.text.is_empty() {
            return None;
        }
        let room = String::with_capacity(self.text.len());
        let mut text = std::mem::replace(&mut self.text, room);
        text.push(']');
        Some(text)
    }
}

/// The requests in the data of a line of code `q`, in their order.
///
/// # Errors
/// A message, if the data is not of that form.
pub fn decode(data: &str) -> Result<Vec<BotRequest>, String> {
    let all: Vec<(u64, u32, Value)> = serde_json::from_str(data).map_err(|error| error.to_string())?;
    let mut cycle = 0_u64;
    let one = |(since, pid, what): (u64, u32, Value)| {
        cycle = cycle.checked_add(since).ok_or("a cycle is out of range")?;
        let thread = |value: &Value| value.as_u64().and_then(|pid| u32::try_from(pid).ok()).map(Pid);
        let what = match &what {
            Value::Object(object) => match (object.get("spawn").map(thread), object.get("end")) {
                (Some(Some(child)), None) => BotRequestKind::Spawned(child),
                (None, Some(Value::Bool(true))) => BotRequestKind::Ended,
                _ => BotRequestKind::Do(datum(&what)?),
            },
            request => BotRequestKind::Do(datum(request)?),
        };
        Ok(BotRequest { cycle, pid: Pid(pid), what })
    };
    all.into_iter().map(one).collect()
}

/// Appends a value: an integer, an array, `{"pair":[…]}`, or null for one that has no meaning outside of its thread.
fn value(text: &mut String, datum: &Datum) {
    match datum {
        Datum::Int(value) => {
            if *value < 0 {
                text.push('-');
            }
            push_number(text, value.unsigned_abs());
        }
        Datum::Array(elements) => list(text, elements, value),
        Datum::Pair(parts) => {
            text.push_str("{\"pair\":");
            list(text, parts, value);
            text.push('}');
        }
        Datum::Opaque => text.push_str("null"),
    }
}

/// Appends a JSON array.
fn list<T>(text: &mut String, parts: &[T], mut append: impl FnMut(&mut String, &T)) {
    text.push('[');
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        append(text, part);
    }
    text.push(']');
}

fn datum(value: &Value) -> Result<Datum, String> {
    let mut left = DATUM_ELEMENTS;
    part(value, DATUM_DEPTH, &mut left)
}

fn part(value: &Value, depth: usize, left: &mut usize) -> Result<Datum, String> {
    let mut parts = |parts: &[Value]| -> Result<Vec<Datum>, String> {
        *left = left.checked_sub(parts.len()).filter(|_| depth > 0).ok_or("a request is too large")?;
        parts.iter().map(|one| part(one, depth - 1, left)).collect()
    };
    match value {
        Value::Null => Ok(Datum::Opaque),
        Value::Number(number) => number.as_i64().map(Datum::Int).ok_or("a number is no integer".to_owned()),
        Value::Array(elements) => parts(elements).map(Datum::Array),
        Value::Object(object) => match object.get("pair") {
            Some(Value::Array(both)) if both.len() > 1 => parts(both).map(Datum::Pair),
            _ => Err("an object is neither a pair nor a spawn nor an end".to_owned()),
        },
        other => Err(format!("a request is not {other}")),
    }
}

/// The requests of one side, among those of a match: of the thread that it began with, and of those that this one spawned.
pub(super) fn of_side(asked: &[BotRequest], root: Pid) -> Vec<BotRequest> {
    let mut own = std::collections::HashSet::from([root]);
    let mut found = Vec::new();
    for one in asked.iter().filter(|one| one.cycle > 0) {
        if own.contains(&one.pid) {
            if let BotRequestKind::Spawned(child) = one.what {
                own.insert(child);
            }
            found.push(one.clone());
        }
    }
    found.sort_by_key(|one| (one.cycle, one.pid));
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_datum() -> impl Strategy<Value = Datum> {
        let leaf = prop_oneof![any::<i64>().prop_map(Datum::Int), Just(Datum::Opaque)];
        leaf.prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..5).prop_map(Datum::Array),
                proptest::collection::vec(inner, 2..5).prop_map(Datum::Pair),
            ]
        })
    }

    fn any_asked() -> impl Strategy<Value = Vec<BotRequest>> {
        let what = prop_oneof![
            any_datum().prop_map(BotRequestKind::Do),
            any::<u32>().prop_map(|child| BotRequestKind::Spawned(Pid(child))),
            Just(BotRequestKind::Ended),
        ];
        let one = (0..10_000_u64, any::<u32>(), what);
        proptest::collection::vec(one, 0..20).prop_map(|list| {
            let mut cycle = 0;
            let one = |(since, pid, what)| {
                cycle += since;
                BotRequest { cycle, pid: Pid(pid), what }
            };
            list.into_iter().map(one).collect()
        })
    }

    fn encoded(asked: &[BotRequest]) -> String {
        let mut encoder = Encoder::default();
        for one in asked {
            let what = match &one.what {
                BotRequestKind::Do(request) => BotRequestKind::Do(request),
                BotRequestKind::Spawned(child) => BotRequestKind::Spawned(*child),
                BotRequestKind::Ended => BotRequestKind::Ended,
            };
            encoder.push(one.cycle, one.pid, what);
        }
        encoder.take().unwrap_or_else(|| "[]".to_owned())
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(asked in any_asked()) {
            prop_assert_eq!(decode(&encoded(&asked)), Ok(asked));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[\\[\\]{}0-9,a-z\":-]{0,60}") {
            if let Ok(asked) = decode(&text) {
                prop_assert_eq!(decode(&encoded(&asked)), Ok(asked));
            }
        }
    }

    #[test]
    fn what_is_too_large_or_of_another_form_is_refused() {
        let deep = format!("[[1,1,{}{}]]", "[".repeat(20), "]".repeat(20));
        let long = format!("[[1,1,[{}1]]]", "1,".repeat(DATUM_ELEMENTS));
        let late = format!("[[{max},1,1],[{max},1,1]]", max = u64::MAX);
        for text in [
            "",
            "{}",
            "[[1]]",
            "[[-1,1,1]]",
            "[[1,1,1.5]]",
            "[[1,1,\"x\"]]",
            "[[1,1,{\"x\":1}]]",
            "[[1,1,{\"pair\":[1]}]]",
            &deep,
            &long,
            &late,
        ] {
            assert!(decode(text).is_err(), "{}", &text[..text.len().min(60)]);
        }
    }

    #[test]
    fn the_requests_of_a_side_are_those_of_its_threads() {
        let asked = decode("[[5,1,8],[0,2,8],[1,2,{\"spawn\":3}],[2,3,[7,1]],[0,1,{\"end\":true}]]").unwrap();
        let pids =
            |root| of_side(&asked, Pid(root)).iter().map(|one| (one.cycle, one.pid.0)).collect::<Vec<_>>();
        assert_eq!(pids(1), [(5, 1), (8, 1)]);
        assert_eq!(pids(2), [(5, 2), (6, 2), (8, 3)]);
    }
}
