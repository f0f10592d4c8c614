//! Outline of a text: its nested `let`s.

use grandstand_languages::draft::{Binding, BindingKind};
use serde::Serialize;

use crate::analysis::Analysis;
use crate::describe;
use crate::position::Range;

const FUNCTION: u8 = 12;
const VARIABLE: u8 = 13;
const CONSTANT: u8 = 14;

/// Maximum depth of the outline.
const DEPTH: usize = 8;

/// A `let`, with those in its value: `DocumentSymbol` of the protocol.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Symbol {
    name: String,
    detail: String,
    kind: u8,
    range: Range,
    selection_range: Range,
    children: Vec<Symbol>,
}

/// Symbols of the main file.
pub(crate) fn symbols(analysis: &Analysis) -> Vec<Symbol> {
    let bindings = analysis.draft.bindings().iter();
    let mut lets: Vec<(&Binding, u32, u32)> = bindings
        .filter(|binding| binding.kind == BindingKind::Let && binding.start.file == 0)
        .map(|binding| {
            let end = binding.value.map_or(0, |(_, extent)| if extent.file == 0 { extent.end } else { 0 });
            (binding, binding.start.start, end.max(analysis.draft.place_of(binding).end))
        })
        .collect();
    lets.sort_by_key(|(_, start, _)| *start);
    let mut symbols = Vec::new();
    // Open symbols with their ends, outermost first.
    let mut open: Vec<(u32, Symbol)> = Vec::new();
    for (binding, start, end) in lets {
        while open.last().is_some_and(|(outer, _)| *outer <= start) {
            close(&mut open, &mut symbols);
        }
        if open.len() < DEPTH {
            open.push((end, symbol(analysis, binding, start, end)));
        }
    }
    while !open.is_empty() {
        close(&mut open, &mut symbols);
    }
    symbols
}

/// Moves the innermost open symbol into the one around it.
fn close(open: &mut Vec<(u32, Symbol)>, symbols: &mut Vec<Symbol>) {
    let Some((_, symbol)) = open.pop() else { return };
    match open.last_mut() {
        Some((_, outer)) => outer.children.push(symbol),
        None => symbols.push(symbol),
    }
}

fn symbol(analysis: &Analysis, binding: &Binding, start: u32, end: u32) -> Symbol {
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
    Symbol {
        name: name.to_owned(),
        detail: arguments.join(" "),
        kind,
        range: analysis.lines(0).range(analysis.text(0), start as usize, end as usize),
        selection_range: analysis.range(analysis.draft.place_of(binding)),
        children: Vec::new(),
    }
}
