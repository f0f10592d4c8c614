//! Unbound names and unused names.

use grandstand_languages::draft::BindingKind;
use grandstand_languages::{Location, Span};

use crate::analysis::Analysis;
use crate::library::Library;

/// Number of reported names of a kind at most.
const MOST: usize = 200;

/// Returns the span and the message of each unbound name. The flag is set if the including program must bind the name.
pub(crate) fn unbound(analysis: &Analysis, library: &Library) -> Vec<(Span, String, bool)> {
    // A missing file may bind the names.
    if analysis.draft.includes().iter().any(|include| include.file.is_none()) {
        return Vec::new();
    }
    let told: Vec<&Location> = analysis.draft.warnings().iter().map(|warning| &warning.place).collect();
    let is_told = |span: Span| {
        let place = analysis.draft.sources().place(span);
        told.iter()
            .any(|told| told.line == place.line && told.column == place.column && told.file == place.file)
    };
    let unbound = analysis.names.iter().filter(|name| {
        name.span.file == 0 && name.expr.is_some() && name.binding.is_none() && !is_told(name.span)
    });
    let mut told = Vec::new();
    for name in unbound.take(MOST) {
        let text = analysis.draft.module().name(name.name);
        let shipped = library.file_of(text);
        if analysis.is_library {
            if shipped.is_none() {
                let problem =
                    format!("nothing in this file binds `{text}`: the program that includes it must");
                told.push((name.span, problem, true));
            }
            continue;
        }
        let hint = match (shipped, similar(analysis, text, name.span)) {
            (Some(file), _) => format!("; `#include {file}` does"),
            (None, Some(other)) => format!("; did you mean `{other}`?"),
            (None, None) => String::new(),
        };
        told.push((
            name.span,
            format!("nothing binds the name `{text}`: a thread that comes here is stuck, and ends{hint}"),
            false,
        ));
    }
    told
}

/// Unused names of the main file, with messages.
pub(crate) fn unused(analysis: &Analysis) -> Vec<(Span, String)> {
    // The missing part of a broken text may use them.
    if !analysis.draft.problems().is_empty() {
        return Vec::new();
    }
    let mut used = vec![false; analysis.draft.bindings().len()];
    for name in analysis.names.iter().filter(|name| !name.binds) {
        if let Some(binding) = name.binding {
            used[binding] = true;
        }
    }
    let bindings = analysis.draft.bindings().iter().zip(used).filter(|(_, used)| !used);
    let unused = bindings.filter_map(|(binding, _)| {
        let (span, name) = (analysis.draft.place_of(binding), analysis.name_of(binding));
        let for_others = analysis.is_library && analysis.draft.is_outermost(binding);
        let what = match binding.kind {
            BindingKind::Let => "is never used",
            BindingKind::Fn => "is an argument that is never used",
            BindingKind::Rec => "is never used: this calls itself nowhere, and needs no `rec`",
        };
        // Conventional names for unused arguments.
        let is_meant =
            name.starts_with('_') || matches!((binding.kind, name), (BindingKind::Fn, "any" | "u"));
        (span.file == 0 && !for_others && !is_meant).then(|| (span, format!("`{name}` {what}")))
    });
    unused.take(MOST).collect()
}

/// Returns the most similar name in scope.
fn similar(analysis: &Analysis, name: &str, at: Span) -> Option<String> {
    let most = if name.chars().count() <= 3 { 1 } else { 2 };
    let scope = analysis.draft.in_scope(at.end).into_iter();
    let names = scope.map(|binding| analysis.name_of(analysis.binding(binding)));
    let near = names.map(|other| (distance(name, other), other)).filter(|(distance, _)| *distance <= most);
    near.min_by_key(|(distance, _)| *distance).map(|(_, other)| other.to_owned())
}

/// Edit distance of two words without case: insertions, deletions, replacements, and swaps of neighbours.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) =
        (a.to_lowercase().chars().collect(), b.to_lowercase().chars().collect());
    if a.len().abs_diff(b.len()) > 2 || a.len() > 64 {
        return usize::MAX;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn slips_of_the_pen_are_near() {
        for (a, b, expected) in [
            ("live", "live", 0),
            ("Live", "live", 0),
            ("lvie", "live", 1),
            ("liv", "live", 1),
            ("loves", "live", 2),
        ] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
        assert!(distance("a", "around") > 2);
    }
}
