//! Views as JSON; `server/INSIGHT.md` lists the fields.

use grandstand_languages::Location;
use grandstand_languages::view::{CallView, CellView, State, ValueView};
use serde_json::{Value, json};

use crate::view::BotView;

/// A place in a source.
pub fn place(place: &Location) -> Value {
    json!({ "file": place.file, "line": place.line, "column": place.column, "width": place.width, "source": place.source_line })
}

/// A value: its text, and for integers and arrays of integers the value itself.
pub fn value(value: &ValueView) -> Value {
    json!({ "text": value.to_string(), "value": plain(value) })
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
pub fn view(view: &BotView) -> Value {
    let thread = &view.thread;
    let last = view.deeds.iter().map(|deed| json!({ "cycle": deed.cycle, "text": deed.to_string() }));
    json!({
        "bot": view.bot,
        "side": view.side,
        "cycle": view.moment.cycle,
        "within": view.moment.within,
        "when": view.when,
        "who": view.who,
        "at": view.at,
        "steps": thread.steps,
        "state": state(&thread.state),
        "calls": thread.calls.iter().map(call).collect::<Vec<_>>(),
        "depth": thread.depth,
        "locks": thread.locks.iter().map(|lock| json!({
            "taken": place(&lock.taken),
            "since": lock.since,
            "value": value(&lock.value),
        })).collect::<Vec<_>>(),
        "cells": view.cells.iter().map(cell).collect::<Vec<_>>(),
        "action": view.action().map(ToString::to_string),
        "last": last.collect::<Vec<_>>(),
    })
}

fn state(state: &State) -> Value {
    match state {
        State::Runs { next } => json!({ "state": "runs", "next": next }),
        State::InAction { until } => json!({ "state": "in-action", "until": until }),
        State::Waits { since } => json!({ "state": "waits", "since": since }),
        State::WaitsForLock { since, holder, taken, taken_at } => json!({
            "state": "waits-for-lock",
            "since": since,
            "holder": holder.0,
            "taken": place(taken),
            "taken_at": taken_at,
        }),
    }
}

fn call(call: &CallView) -> Value {
    let names = call.names.iter().map(|name| {
        json!({ "name": name.name, "constant": name.constant, "value": name.value.as_ref().map(value) })
    });
    json!({ "function": call.function, "place": place(&call.place), "names": names.collect::<Vec<_>>() })
}

fn cell(cell: &CellView) -> Value {
    json!({
        "names": cell.names,
        "value": value(&cell.value),
        "holder": cell.holder.map(|pid| pid.0),
        "waiting": cell.waiting.iter().map(|pid| pid.0).collect::<Vec<_>>(),
        "written": cell.written.as_ref().map(|(write, at)| json!({
            "cycle": write.cycle,
            "bot": write.pid.0,
            "place": place(at),
        })),
    })
}
