//! Report of one bot at a moment.

use std::fmt::Write as _;

use anyhow::Context as _;
use grandstand_insight::{BotView, Insight, Moment, messages};
use grandstand_languages::view::{CallView, CellView};
use serde_json::json;

use super::ExplainArgs;
use crate::cli::{print, print_json};

/// Maximum number of names listed per function.
const NAMES: usize = 24;
/// Maximum number of functions listed.
const CALLS: usize = 8;
/// Maximum number of characters of a value.
const WIDTH: usize = 100;

/// Prints the report of a bot.
///
/// # Errors
/// If the bot does not exist, or standard output can't be written.
pub(super) fn run(insight: &mut Insight, bot: u32, args: &ExplainArgs) -> anyhow::Result<()> {
    let ticks = insight.tempo().ticks;
    let known = insight.bots().into_iter().find(|known| known.bot == bot);
    let known = known.with_context(|| no_bot(insight, bot))?;
    let end = insight.ending().map_or(insight.cycle(), |ending| ending.tick);
    let death = known.gone.as_ref().map(|entry| entry.cycle);
    let cycle = match (args.turn, args.cycle, death) {
        (Some(turn), ..) => turn.saturating_mul(ticks).saturating_sub(1),
        (None, Some(cycle), _) => cycle,
        (None, None, Some(death)) => death.saturating_sub(1),
        (None, None, None) if args.death => anyhow::bail!("bot {bot} was not lost"),
        (None, None, None) => end.saturating_sub(1),
    };
    let view = insight.at(Moment::end_of(cycle), bot)?;
    let fate = known.gone.as_ref().filter(|entry| entry.cycle == cycle + 1).map(ToString::to_string);
    if args.json {
        let mut object = json!(messages::bot_state(&view));
        object["doing"] = insight.doing(&view).into();
        object["fate"] = known.gone.as_ref().map(ToString::to_string).into();
        return print_json(&object.to_string());
    }
    let mut text = words(insight, &view);
    if let Some(fate) = fate {
        let _ = write!(text, "\nand then, in the next cycle:\n  {}", fate.replace('\n', "\n  "));
    }
    print(&text)
}

fn no_bot(insight: &Insight, bot: u32) -> String {
    let numbers = |side: usize| {
        let bots = insight.bots();
        let own: Vec<String> =
            bots.iter().filter(|bot| bot.side == side).map(|bot| bot.bot.to_string()).collect();
        format!(
            "{} has {}",
            insight.sides()[side].name,
            if own.is_empty() { "none".to_owned() } else { own.join(", ") }
        )
    };
    format!("no {} has the number {bot}: {}; {}", insight.bot_word(), numbers(0), numbers(1))
}

fn words(insight: &Insight, view: &BotView) -> String {
    let mut text = format!(
        "{} {}, cycle {}: {} {}\n",
        insight.tempo().beat,
        insight.turn_of(view.moment.cycle),
        view.moment.cycle,
        view.who,
        insight.doing(view)
    );
    for (depth, call) in view.thread.calls.iter().take(CALLS).enumerate() {
        text.push('\n');
        text += &call_words(depth, call);
    }
    if view.thread.depth > CALLS {
        let _ = writeln!(text, "\n… called from {} more", view.thread.depth - CALLS);
    }
    if !view.cells.is_empty() {
        text += "\nthe cells of its team:\n";
        view.cells.iter().for_each(|cell| text += &cell_words(insight, cell));
    }
    if !view.thread.locks.is_empty() {
        text += "\nthe locks that it holds:\n";
    }
    for lock in &view.thread.locks {
        let (beat, turn) = (insight.tempo().beat, insight.turn_of(lock.since));
        let (file, line) = (&lock.taken.file, lock.taken.line);
        let value = short(&lock.value.to_string());
        let _ = writeln!(
            text,
            "  taken at {file}:{line} in {beat} {turn}, cycle {}; the cell is {value}",
            lock.since
        );
    }
    if let Some(action) = view.action() {
        let _ = writeln!(text, "\nthe action under way:\n  {action}");
    }
    if !view.past_actions.is_empty() {
        text += "\nwhat it did last:\n";
        for action in &view.past_actions {
            let _ = writeln!(text, "  {action}");
        }
    }
    text.trim_end().to_owned()
}

fn call_words(depth: usize, call: &CallView) -> String {
    let function = call.function.as_ref().map(|name| format!(", in {name}")).unwrap_or_default();
    let from = if depth == 0 { "" } else { "called from " };
    let mut text = format!("{from}{}{function}\n{}\n", call.place, call.place.excerpt());
    let names = || call.names.iter().filter(|name| !name.constant);
    let kept: Vec<_> = names().filter_map(|name| Some((&name.name, name.value.as_ref()?))).collect();
    let width = kept.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, value) in kept.iter().take(NAMES) {
        let _ = writeln!(text, "  {name:width$}  {}", short(&value.to_string()));
    }
    if kept.len() > NAMES {
        let _ = writeln!(text, "  and {} names more", kept.len() - NAMES);
    }
    let lost: Vec<&str> = names().filter(|name| name.value.is_none()).map(|name| &*name.name).collect();
    if !lost.is_empty() {
        let _ = writeln!(text, "  not kept: {}", short(&lost.join(", ")));
    }
    text
}

fn cell_words(insight: &Insight, cell: &CellView) -> String {
    let name = if cell.names.is_empty() { "a cell without a name".to_owned() } else { cell.names.join(", ") };
    let mut text = format!("  {name} = {}", short(&cell.value.to_string()));
    if let Some(holder) = cell.holder {
        let _ = write!(text, "; its lock is held by {holder}");
    }
    if !cell.waiting.is_empty() {
        let waiting: Vec<String> = cell.waiting.iter().map(ToString::to_string).collect();
        let _ = write!(text, ", and waited for by {}", waiting.join(", "));
    }
    if let Some((write, at)) = &cell.written {
        let (beat, turn) = (insight.tempo().beat, insight.turn_of(write.cycle));
        let _ = write!(
            text,
            "; written last by {} at {beat} {turn}, cycle {} ({}:{})",
            write.pid, write.cycle, at.file, at.line
        );
    }
    text + "\n"
}

/// A value, truncated if it is long.
fn short(value: &str) -> String {
    match value.char_indices().nth(WIDTH) {
        Some((at, _)) => format!("{} …", &value[..at]),
        None => value.to_owned(),
    }
}
