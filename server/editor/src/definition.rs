//! Definitions and references of names.

use std::collections::BTreeSet;

use grandstand_languages::Span;

use crate::analysis::Analysis;
use crate::position::Position;

/// Returns the definition at a position: the binding of a name, or the beginning of an included file.
pub(crate) fn definition(analysis: &Analysis, position: Position) -> Option<Span> {
    let offset = analysis.lines(0).offset(analysis.text(0), position);
    if let Some(name) = analysis.name_at(offset) {
        return Some(analysis.draft.place_of(analysis.binding(name.binding?)));
    }
    let mut includes = analysis.draft.includes().iter();
    let here = includes.find(|include| {
        include.span.file == 0 && (include.span.start as usize..=include.span.end as usize).contains(&offset)
    });
    here.and_then(|include| Some(Span { file: include.file?, start: 0, end: 0 }))
}

/// Returns all uses of the name that is bound at a place of a file. `with_binding` adds the binding itself.
pub(crate) fn references(analysis: &Analysis, file: u32, start: u32, with_binding: bool) -> Vec<Span> {
    let is_meant = |binding: usize| {
        let place = analysis.draft.place_of(analysis.binding(binding));
        place.file == file && place.start == start
    };
    let names = analysis.names.iter().filter(|name| with_binding || !name.binds);
    let found = names.filter(|name| name.binding.is_some_and(is_meant));
    // Names of a file that is included twice appear twice.
    let mut known = BTreeSet::new();
    let is_new = |span: &Span| known.insert((span.file, span.start));
    found.map(|name| name.span).filter(is_new).collect()
}
