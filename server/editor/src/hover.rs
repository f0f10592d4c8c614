//! Hover texts.

use serde_json::{Value, json};

use crate::analysis::Analysis;
use crate::describe;
use crate::keywords;
use crate::library::Library;
use crate::position::Position;

/// Returns the hover at a position of the main file, or null.
pub(crate) fn hover(analysis: &Analysis, library: &Library, position: Position) -> Value {
    let (text, lines) = (analysis.text(0), analysis.lines(0));
    let offset = lines.offset(text, position);
    let (start, end, said) = if let Some(name) = analysis.name_at(offset) {
        let said = match name.binding {
            Some(binding) => describe::markdown(analysis, analysis.binding(binding)),
            None => match unbound(library, analysis.draft.module().name(name.name)) {
                Some(said) => said,
                None => return Value::Null,
            },
        };
        (name.span.start as usize, name.span.end as usize, said)
    } else if let Some((start, end, said)) = include(analysis, offset) {
        (start, end, said)
    } else {
        let (start, end) = word_at(text, offset);
        let is_code = analysis.draft.is_code(end as u32);
        match keywords::about(analysis.language, &text[start..end]).filter(|_| is_code) {
            Some(said) => (start, end, said.to_owned()),
            None => return Value::Null,
        }
    };
    json!({
        "contents": { "kind": "markdown", "value": said },
        "range": lines.range(text, start, end),
    })
}

/// Text for an unbound name that the library binds.
fn unbound(library: &Library, name: &str) -> Option<String> {
    let file = library.file_of(name)?;
    let (_, shipped) = library.files.iter().find(|(path, _)| *path == file)?;
    let binding =
        Library::names(shipped).find(|&binding| shipped.name_of(shipped.binding(binding)) == name)?;
    let said = describe::markdown(shipped, shipped.binding(binding));
    Some(format!("Nothing binds this name here; `#include {file}` does.\n\n{said}"))
}

/// Text for an included file: its first comment.
fn include(analysis: &Analysis, offset: usize) -> Option<(usize, usize, String)> {
    let includes = analysis.draft.includes().iter();
    let mut here = includes.filter(|include| {
        include.span.file == 0 && (include.span.start as usize..=include.span.end as usize).contains(&offset)
    });
    let include = here.next()?;
    let file = include.file?;
    let mut comments = analysis.draft.comments().iter();
    let first = comments.find(|comment| comment.file == file);
    let first = first.filter(|comment| analysis.text(file)[..comment.start as usize].trim().is_empty());
    let said =
        first.map_or_else(String::new, |comment| format!("\n\n{}", describe::words(analysis, *comment)));
    let said = format!("**{}**{said}", include.path);
    Some((include.span.start as usize, include.span.end as usize, said))
}

/// Range of the word at an offset.
pub(crate) fn word_at(text: &str, offset: usize) -> (usize, usize) {
    let belongs = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '\'';
    let start = text[..offset]
        .rfind(|c| !belongs(c))
        .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    let end = text[offset..].find(|c| !belongs(c)).map_or(text.len(), |at| offset + at);
    (start, end)
}
