//! Breakpoints of an editor: lines, conditions and log points.

use std::collections::BTreeMap;

use grandstand_insight::{Breakpoint, BreakpointHit, Insight, StopConditions};
use grandstand_languages::Line;
use serde::Deserialize;
use serde_json::{Value, json};

use super::sources::SourceFiles;

/// Number of breakpoints of one file at most.
const MOST: usize = 200;

/// Arguments of `setBreakpoints`.
#[derive(Debug, Deserialize)]
pub(super) struct SetBreakpoints {
    source: Source,
    #[serde(default)]
    breakpoints: Vec<Wanted>,
}

/// File as the editor names it.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Source {
    path: Option<String>,
    pub(super) source_reference: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    line: i64,
    condition: Option<String>,
    log_message: Option<String>,
}

/// Breakpoint after `setBreakpoints`.
#[derive(Debug)]
pub(super) struct Set {
    pub(super) id: u64,
    breakpoint: Breakpoint,
    /// Parts of a log point's message, in order.
    message: Vec<Part>,
}

#[derive(Debug, PartialEq)]
enum Part {
    Text(String),
    Value,
}

/// Breakpoints by the file of the editor.
#[derive(Debug, Default)]
pub(super) struct Breakpoints {
    by_file: BTreeMap<String, Vec<Set>>,
    last_id: u64,
    /// Whether the match stops when a bot's program ends, and when the game removes a bot.
    pub(super) ends: bool,
    pub(super) removals: bool,
}

impl Breakpoints {
    /// No breakpoints; stops at the ends of programs.
    pub(super) fn new() -> Self {
        Self { ends: true, ..Self::default() }
    }

    /// Replaces the breakpoints of one file.
    ///
    /// # Errors
    /// There are too many.
    pub(super) fn set(
        &mut self,
        arguments: SetBreakpoints,
        first_line: i64,
        sources: &SourceFiles,
        insight: &Insight,
    ) -> Result<Value, String> {
        let SetBreakpoints { source, breakpoints } = arguments;
        if breakpoints.len() > MOST {
            return Err(format!("at most {MOST} breakpoints can be set in a file"));
        }
        let file = format!("{} {:?}", source.source_reference.unwrap_or(0), source.path);
        let (mut set, mut told) = (Vec::new(), Vec::new());
        for wanted in breakpoints {
            self.last_id += 1;
            let id = self.last_id;
            let line = u32::try_from(wanted.line.saturating_sub(first_line).saturating_add(1)).unwrap_or(0);
            let place = sources.place(source.path.as_deref(), source.source_reference, line);
            let (place, sides, is_other) = match place {
                Ok(found) => found,
                Err(problem) => {
                    told.push(json!({ "id": id, "verified": false, "message": problem }));
                    continue;
                }
            };
            let line = place.line;
            match wanted.at((place, sides), id, insight) {
                Ok(one) => set.push(one),
                Err(problem) => {
                    told.push(json!({ "id": id, "verified": false, "message": problem }));
                    continue;
                }
            }
            let mut answer = json!({ "id": id, "verified": true, "line": i64::from(line) + first_line - 1 });
            if is_other {
                answer["message"] = "the match was played with another version of this file".into();
            }
            told.push(answer);
        }
        if set.is_empty() {
            self.by_file.remove(&file);
        } else {
            self.by_file.insert(file, set);
        }
        Ok(json!({ "breakpoints": told }))
    }

    fn all(&self) -> impl Iterator<Item = &Set> {
        self.by_file.values().flatten()
    }

    /// Conditions to stop. The indices of the breakpoints are those of [`get`](Self::get).
    pub(super) fn stops(&self) -> StopConditions {
        let breakpoints = self.all().map(|set| set.breakpoint.clone()).collect();
        StopConditions { breakpoints, ends: self.ends, removals: self.removals }
    }

    pub(super) fn get(&self, index: usize) -> Option<&Set> {
        self.all().nth(index)
    }
}

impl Wanted {
    fn at(self, (line, sides): (Line, [bool; 2]), id: u64, insight: &Insight) -> Result<Set, String> {
        let given = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let (condition, log) = (given(self.condition), given(self.log_message));
        let stops = log.is_none();
        let (message, values) = parts(log.as_deref().unwrap_or_default());
        for text in condition.iter().chain(&values) {
            insight.check_expression(text).map_err(|error| error.to_string())?;
        }
        Ok(Set { id, breakpoint: Breakpoint { line, sides, bot: None, condition, values, stops }, message })
    }
}

impl Set {
    pub(super) fn line(&self) -> &Line {
        &self.breakpoint.line
    }

    /// Text of a log point for a visit.
    pub(super) fn says(&self, reached: &BreakpointHit) -> String {
        let mut values = reached.values.iter();
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Value => match values.next() {
                Some(Ok(value)) => value.to_string(),
                Some(Err(problem)) => format!("({problem})"),
                None => String::new(),
            },
        };
        self.message.iter().map(part).collect()
    }
}

/// Splits a log point's message (`seen {pos} at {n}`) into parts and expressions. A brace without a closing brace is
/// text.
fn parts(message: &str) -> (Vec<Part>, Vec<String>) {
    let (mut parts, mut values, mut rest) = (Vec::new(), Vec::new(), message);
    while let Some((before, after)) = rest.split_once('{')
        && let Some((value, next)) = after.split_once('}')
    {
        parts.extend([Part::Text(before.to_owned()), Part::Value]);
        values.push(value.to_owned());
        rest = next;
    }
    parts.push(Part::Text(rest.to_owned()));
    (parts, values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_taken_apart_at_its_braces() {
        let text = |text: &str| Part::Text(text.to_owned());
        let values = |values: &[&str]| values.iter().map(|&value| value.to_owned()).collect::<Vec<_>>();
        assert_eq!(parts("plain"), (vec![text("plain")], values(&[])));
        let expected = vec![text("at "), Part::Value, text(": "), Part::Value, text("")];
        assert_eq!(parts("at {pos}: {(n, 1)}"), (expected, values(&["pos", "(n, 1)"])));
        assert_eq!(parts("open {n"), (vec![text("open {n")], values(&[])));
    }
}
