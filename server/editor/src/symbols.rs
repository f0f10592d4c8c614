//! Outline of a text: its nested `let`s.

use grandstand_languages::draft::{Binding, BindingKind};
use serde_json::{Value, json};

use crate::analysis::Analysis;
use crate::describe;

const FUNCTION: u8 = 12;
const VARIABLE: u8 = 13;
const CONSTANT: u8 = 14;

/// Maximum depth of the outline.
const DEPTH: usize = 8;

/// Symbols of the main file.
pub(crate) fn symbols(analysis: &Analysis) -> Value {
    let bindings = analysis.draft.bindings().iter();
    let mut lets: Vec<(&Binding, u32, u32)> = bindings
        .filter(|binding| binding.kind == BindingKind::Let && binding.start.file == 0)
        .map(|binding| {
            let end = binding.value.map_or(0, |(_, extent)| if extent.file == 0 { extent.end } else { 0 });
            (binding, binding.start.start, end.max(analysis.draft.place_of(binding).end))
        })
        .collect();
    lets.sort_by_key(|(_, start, _)| *start);
    // Open symbols, outermost first: end, symbol, children.
    let mut open: Vec<(u32, Value, Vec<Value>)> = vec![(u32::MAX, Value::Null, Vec::new())];
    for (binding, start, end) in lets {
        while open.len() > 1 && open.last().is_some_and(|(outer, ..)| *outer <= start) {
            close(&mut open);
        }
        if open.len() <= DEPTH {
            open.push((end, symbol(analysis, binding, start, end), Vec::new()));
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    open.pop().map_or(Value::Null, |(_, _, symbols)| Value::Array(symbols))
}

fn close(open: &mut Vec<(u32, Value, Vec<Value>)>) {
    if let Some((_, mut symbol, children)) = open.pop() {
        symbol["children"] = Value::Array(children);
        if let Some((_, _, siblings)) = open.last_mut() {
            siblings.push(symbol);
        }
    }
}

fn symbol(analysis: &Analysis, binding: &Binding, start: u32, end: u32) -> Value {
    let name = analysis.name_of(binding);
    let arguments = binding.value.map_or_else(Vec::new, |(value, _)| describe::arguments(analysis, value));
    let is_constant =
        name.chars().any(|c| c.is_ascii_uppercase()) && !name.chars().any(|c| c.is_ascii_lowercase());
    let kind = if !arguments.is_empty() {
        FUNCTION
    } else if is_constant {
        CONSTANT
    } else {
        VARIABLE
    };
    json!({
        "name": name,
        "detail": arguments.join(" "),
        "kind": kind,
        "range": analysis.lines(0).range(analysis.text(0), start as usize, end as usize),
        "selectionRange": analysis.range(analysis.draft.place_of(binding)),
    })
}
