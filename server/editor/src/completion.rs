//! Completion items at a position.

use std::collections::BTreeSet;

use grandstand_languages::draft::Binding;
use serde_json::{Value, json};

use crate::analysis::Analysis;
use crate::describe;
use crate::hover::word_at;
use crate::keywords;
use crate::library::Library;
use crate::position::{Position, Range};

const FUNCTION: u8 = 3;
const VARIABLE: u8 = 6;
const KEYWORD: u8 = 14;
const FILE: u8 = 17;
const CONSTANT: u8 = 21;

/// Returns the completion items at a position of the main file.
pub(crate) fn completion(analysis: &Analysis, library: &Library, position: Position, uri: &str) -> Value {
    let (text, lines) = (analysis.text(0), analysis.lines(0));
    let offset = lines.offset(text, position);
    let (line_start, line_end) = lines.bounds(text, lines.line(offset));
    let before = &text[line_start..offset];
    if before.trim_start().starts_with('#') {
        return files(analysis, library, before, line_start, line_end);
    }
    if !analysis.draft.is_code(offset as u32) {
        return json!([]);
    }
    let (start, end) = word_at(text, offset);
    // Numbers are not completed.
    if text[start..end].starts_with(|c: char| c.is_ascii_digit()) {
        return json!([]);
    }
    let range = lines.range(text, start, end);
    let acts = text[..start].trim_end().trim_end_matches(['(', '[']).trim_end().ends_with("do");
    let mut items = Items { acts, range, known: BTreeSet::new(), items: Vec::new() };
    for binding in analysis.draft.in_scope(start as u32) {
        let binding = analysis.binding(binding);
        let name = analysis.name_of(binding);
        // The binding that the user is writing is left out.
        if analysis.draft.place_of(binding).start as usize == start {
            continue;
        }
        let data = json!({ "uri": uri, "name": name, "at": analysis.draft.place_of(binding).start, "file": binding.start.file });
        items.add(analysis, binding, &data, None);
    }
    let included: BTreeSet<&str> =
        analysis.draft.sources().files().iter().map(|file| file.name.as_str()).collect();
    for (path, shipped) in &library.files {
        if included.contains(path) {
            continue;
        }
        let missing: Vec<&str> =
            library.needs(path).into_iter().filter(|file| !included.contains(file)).collect();
        let edit = include_edit(analysis, &missing);
        for binding in Library::names(shipped) {
            let binding = shipped.binding(binding);
            let data = json!({ "uri": uri, "library": path, "name": shipped.name_of(binding) });
            items.add(shipped, binding, &data, Some((path, &edit)));
        }
    }
    for word in analysis.language.keywords() {
        if keywords::about(analysis.language, word).is_some() {
            let text_edit = json!({ "range": range, "newText": word });
            items.items.push(json!({ "label": word, "kind": KEYWORD, "sortText": format!("3{word}"), "textEdit": text_edit }));
        }
    }
    Value::Array(items.items)
}

struct Items {
    /// Whether an action is expected.
    acts: bool,
    /// Range that a name replaces.
    range: Range,
    known: BTreeSet<String>,
    items: Vec<Value>,
}

impl Items {
    /// Adds a name, unless it has another meaning at the position. A name of a file that is not included has the edit
    /// that includes the file.
    fn add(&mut self, analysis: &Analysis, binding: &Binding, data: &Value, file: Option<(&str, &Value)>) {
        let name = analysis.name_of(binding);
        if !self.known.insert(name.to_owned()) {
            return;
        }
        let action = describe::action(analysis, name);
        let integer = binding.value.and_then(|(value, _)| analysis.integer(value));
        let arguments =
            binding.value.map_or_else(Vec::new, |(value, _)| describe::arguments(analysis, value));
        let kind = match integer {
            _ if !arguments.is_empty() => FUNCTION,
            Some(_) => CONSTANT,
            None => VARIABLE,
        };
        let order = match (file, action) {
            (_, Some(_)) if self.acts => 0,
            (None, _) => 1,
            (Some(_), _) => 2,
        };
        let mut detail = describe::heading(analysis, binding);
        if let Some((path, _)) = file {
            detail += &format!(" (includes {path})");
        }
        let mut item = json!({
            "label": name,
            "kind": kind,
            "detail": detail,
            "sortText": format!("{order}{name}"),
            "textEdit": { "range": self.range, "newText": name },
            "data": data,
        });
        if let Some((_, edit)) = file {
            item["additionalTextEdits"] = edit.clone();
        }
        self.items.push(item);
    }
}

/// Returns the edit that includes files after the last `#include`.
fn include_edit(analysis: &Analysis, files: &[&str]) -> Value {
    let last = analysis.draft.includes().iter().rfind(|include| include.span.file == 0);
    let line = last.map_or(0, |include| analysis.range(include.span).end.line + 1);
    let at = Position { line, character: 0 };
    // The last line may have no line feed.
    let needs_end = line > 0 && analysis.lines(0).line(usize::MAX) < line as usize;
    let lines: String = files.iter().map(|file| format!("#include {file}\n")).collect();
    let new_text = if needs_end { format!("\n{}", lines.trim_end()) } else { lines };
    json!([{ "range": Range { start: at, end: at }, "newText": new_text }])
}

/// Returns the shipped files as items of an `#include`.
fn files(analysis: &Analysis, library: &Library, before: &str, line_start: usize, line_end: usize) -> Value {
    let written = before.trim_start();
    let lead = before.len() - written.len();
    let path_from = match written.strip_prefix("#include") {
        Some(path) if path.starts_with([' ', '\t']) => Some(lead + written.len() - path.trim_start().len()),
        _ => None,
    };
    let start = line_start + path_from.unwrap_or(lead);
    let range = analysis.lines(0).range(analysis.text(0), start, line_end);
    let item = |(path, shipped): &(&str, Analysis)| {
        let new_text = if path_from.is_some() { (*path).to_owned() } else { format!("#include {path}") };
        let about = shipped.draft.comments().iter().find(|comment| comment.file == 0);
        let about = about.map_or_else(String::new, |comment| describe::words(shipped, *comment));
        json!({
            "label": new_text,
            "kind": FILE,
            "textEdit": { "range": range, "newText": new_text },
            "documentation": { "kind": "markdown", "value": about },
        })
    };
    library.files.iter().map(item).collect()
}
