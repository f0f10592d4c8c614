//! Views as the messages of `grandstand_protocol::insight`.

use grandstand_languages::Location;
use grandstand_languages::view::{CallView, CellView, State, ValueView};
use grandstand_protocol::insight::{
    BotState, Call, CellWrite, HeldLock, PastAction, ScopeName, SharedCell, ShownValue, SourcePlace,
    ThreadState,
};
use serde_json::{Value, json};

use crate::view::BotView;

/// A place in a source.
pub fn source_place(place: &Location) -> SourcePlace {
    let Location { file, line, column, source_line, width } = place.clone();
    SourcePlace { file, line, column, width, source: source_line }
}

/// A value: its text, and for integers and arrays of integers the value itself.
pub fn shown_value(value: &ValueView) -> ShownValue {
    ShownValue { text: value.to_string(), value: plain(value) }
}

/// A value as JSON: integers, arrays, pairs as arrays of two; `null` for everything else.
fn plain(value: &ValueView) -> Value {
    match value {
        ValueView::Int(value) => json!(value),
        ValueView::Array(parts) | ValueView::Pair(parts) => parts.iter().map(plain).collect(),
        ValueView::Function(_) | ValueView::Cell { .. } | ValueView::More => Value::Null,
    }
}

/// A bot at a moment.
pub fn bot_state(view: &BotView) -> BotState {
    let thread = &view.thread;
    let lock = |lock: &grandstand_languages::view::HeldLock| HeldLock {
        taken: source_place(&lock.taken),
        since: lock.since,
        value: shown_value(&lock.value),
    };
    BotState {
        bot: view.bot,
        side: view.side,
        cycle: view.moment.cycle,
        within: view.moment.within,
        when: view.when.clone(),
        who: view.who.clone(),
        at: view.at.clone(),
        steps: thread.steps,
        thread: thread_state(&thread.state),
        calls: thread.calls.iter().map(call).collect(),
        depth: thread.depth,
        locks: thread.locks.iter().map(lock).collect(),
        cells: view.cells.iter().map(cell).collect(),
        action: view.action().map(ToString::to_string),
        last: view
            .past_actions
            .iter()
            .map(|action| PastAction { cycle: action.cycle, text: action.to_string() })
            .collect(),
    }
}

fn thread_state(state: &State) -> ThreadState {
    match *state {
        State::Runs { next } => ThreadState::Runs { next },
        State::InAction { until } => ThreadState::InAction { until },
        State::Waits { since } => ThreadState::Waits { since },
        State::WaitsForLock { since, holder, ref taken, taken_at } => {
            ThreadState::WaitsForLock { since, holder: holder.0, taken: source_place(taken), taken_at }
        }
    }
}

fn call(call: &CallView) -> Call {
    let names = call.names.iter().map(|name| ScopeName {
        name: name.name.clone(),
        constant: name.constant,
        value: name.value.as_ref().map(shown_value),
    });
    Call { function: call.function.clone(), place: source_place(&call.place), names: names.collect() }
}

fn cell(cell: &CellView) -> SharedCell {
    let written = cell.written.as_ref();
    SharedCell {
        names: cell.names.clone(),
        value: shown_value(&cell.value),
        holder: cell.holder.map(|pid| pid.0),
        waiting: cell.waiting.iter().map(|pid| pid.0).collect(),
        written: written.map(|(write, at)| CellWrite {
            cycle: write.cycle,
            bot: write.pid.0,
            place: source_place(at),
        }),
    }
}
