//! Table of the values of an expression.

use std::fmt::Write as _;

use grandstand_insight::{Insight, Logpoint, LogpointHit, messages};
use serde_json::json;

use super::ExplainArgs;
use crate::cli::{print, print_json};

/// Number of values printed from the start and from the end.
const TOLD: usize = 30;
/// Maximum number of values in the JSON.
const MOST: usize = 100_000;

/// Prints the values of an expression at a line.
///
/// # Errors
/// If the expression is invalid, the line is never executed, or standard output can't be written.
pub(super) fn run(insight: &mut Insight, text: &str, args: &ExplainArgs) -> anyhow::Result<()> {
    let prints = Logpoint { bot: args.bot, ..Logpoint::parse(text)? };
    let (printed, count) = insight.logpoint_hits(&prints, MOST)?;
    let sides = insight.sides();
    if args.json {
        let values = printed.iter().map(|printed| {
            let mut entry = json!({
                "cycle": printed.cycle,
                "turn": insight.turn_of(printed.cycle),
                "team": sides[printed.side].name,
                "bot": printed.bot,
            });
            match &printed.value {
                Ok(value) => entry["value"] = json!(messages::shown_value(value)),
                Err(reason) => entry["error"] = reason.as_str().into(),
            }
            entry
        });
        let all = json!({
            "file": prints.line.file,
            "line": prints.line.line,
            "expression": prints.expression.trim(),
            "count": count,
            "values": values.collect::<Vec<_>>(),
        });
        return print_json(&all.to_string());
    }
    let beat = insight.tempo().beat;
    let mut table = format!(
        "{beat:>6}  {:>9}  {:>6}  {:>4}  {}\n",
        "cycle",
        "team",
        insight.bot_word(),
        prints.expression.trim()
    );
    let row = |printed: &LogpointHit| {
        let value = match &printed.value {
            Ok(value) => value.to_string(),
            Err(reason) => format!("({reason})"),
        };
        let (turn, team) = (insight.turn_of(printed.cycle), sides[printed.side].name);
        format!("{turn:>6}  {:>9}  {team:>6}  {:>4}  {value}\n", printed.cycle, printed.bot)
    };
    if printed.len() <= 2 * TOLD {
        table.extend(printed.iter().map(row));
    } else {
        table.extend(printed[..TOLD].iter().map(row));
        table += "     …\n";
        table.extend(printed[printed.len() - TOLD..].iter().map(row));
    }
    let (file, line) = (&prints.line.file, prints.line.line);
    let more = if count > printed.len() as u64 {
        format!("; the first {} are kept", printed.len())
    } else {
        String::new()
    };
    let _ = write!(table, "{file}:{line} was reached {count} times{more}");
    print(&table)
}
