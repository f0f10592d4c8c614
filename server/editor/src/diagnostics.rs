//! Diagnostics of a text.

use grandstand_languages::draft::Problem;
use grandstand_languages::{LoadError, Location, Span};
use serde_json::{Value, json};

use crate::actions;
use crate::analysis::Analysis;
use crate::checks;
use crate::library::Library;
use crate::position::{Range, range_of};

const ERROR: u8 = 1;
const WARNING: u8 = 2;
const INFORMATION: u8 = 3;
const HINT: u8 = 4;

/// Tag of diagnostics that an editor shows faded.
const UNNECESSARY: u8 = 1;

/// Diagnostic of the main file.
#[derive(Debug)]
struct Diagnostic {
    range: Range,
    severity: u8,
    message: String,
    /// Place in another file, if the problem is there.
    related: Option<Value>,
    unnecessary: bool,
}

/// All diagnostics of a text. `uri` returns the address of an included file.
pub(crate) fn all(analysis: &Analysis, library: &Library, uri: impl Fn(u32) -> Option<String>) -> Value {
    let mut found = Vec::new();
    for Problem { error, include } in analysis.draft.problems() {
        if !(analysis.is_library && is_end_of_library(analysis, error)) {
            found.push(of_error(analysis, error, *include, &uri));
        }
    }
    if analysis.draft.problems().is_empty()
        && let Err(error) = analysis.draft.program()
    {
        let include = include_of(analysis, error.place());
        found.push(of_error(analysis, &error, include, &uri));
    }
    let main = analysis.draft.sources().files().first().map(|file| &file.name);
    for warning in analysis.draft.warnings().iter().filter(|warning| Some(&warning.place.file) == main) {
        found.push(Diagnostic::new(analysis.range_of(0, &warning.place), WARNING, warning.problem.clone()));
    }
    for (span, message) in actions::wrong(analysis) {
        found.push(Diagnostic::new(analysis.range(span), WARNING, message));
    }
    for (span, message, for_others) in checks::unbound(analysis, library) {
        let severity = if for_others { INFORMATION } else { WARNING };
        found.push(Diagnostic::new(analysis.range(span), severity, message));
    }
    for (span, message) in checks::unused(analysis) {
        let hint = Diagnostic::new(analysis.range(span), HINT, message);
        found.push(Diagnostic { unnecessary: true, ..hint });
    }
    found.sort_by_key(|diagnostic| (diagnostic.range, diagnostic.severity));
    found.iter().map(Diagnostic::to_json).collect()
}

/// Diagnostics of a text that can't be analysed.
pub(crate) fn of_whole(error: &LoadError) -> Value {
    let range = error.place().map_or_else(Range::default, range_of);
    json!([
        Diagnostic::new(range, ERROR, format!("this program can't be loaded: {}", error.problem())).to_json()
    ])
}

/// Whether the error is the missing body after the last `in`, which is correct for a library.
fn is_end_of_library(analysis: &Analysis, error: &LoadError) -> bool {
    let LoadError::Syntax { found, note, .. } = error else { return false };
    found == "the end of the program" && note.is_empty() && analysis.draft.is_library()
}

fn of_error(
    analysis: &Analysis,
    error: &LoadError,
    include: Option<Span>,
    uri: impl Fn(u32) -> Option<String>,
) -> Diagnostic {
    let Some(place) = error.place() else {
        return Diagnostic::new(Range::default(), ERROR, error.problem());
    };
    let Some(include) = include else {
        return Diagnostic::new(analysis.range_of(0, place), ERROR, error.problem());
    };
    let message = format!("in {place}: {}", error.problem());
    let file = analysis.file_named(&place.file);
    let related = file.and_then(|file| Some((uri(file)?, analysis.range_of(file, place)))).map(
        |(uri, range)| json!([{ "location": { "uri": uri, "range": range }, "message": error.problem() }]),
    );
    Diagnostic { related, ..Diagnostic::new(analysis.range(include), ERROR, message) }
}

/// Returns the `#include` of the main file that leads to the file of a place.
fn include_of(analysis: &Analysis, place: Option<&Location>) -> Option<Span> {
    let file = analysis.file_named(&place?.file).filter(|file| *file != 0)?;
    // Files are numbered in the order of inclusion, so the `#include` of the last file up to this one leads to it. A file
    // that is included again keeps its number: the first of its `#include`s counts.
    let includes = analysis.draft.includes().iter().filter(|include| include.span.file == 0);
    let numbered = includes.filter_map(|include| Some((include.file?, include.span)));
    let leads = numbered.filter(|(first, _)| *first <= file);
    leads.max_by_key(|(first, span)| (*first, std::cmp::Reverse(span.start))).map(|(_, span)| span)
}

impl Diagnostic {
    fn new(range: Range, severity: u8, message: String) -> Self {
        Self { range, severity, message, related: None, unnecessary: false }
    }

    fn to_json(&self) -> Value {
        let mut json = json!({
            "range": self.range,
            "severity": self.severity,
            "source": "grandstand",
            "message": self.message,
        });
        if let Some(related) = &self.related {
            json["relatedInformation"] = related.clone();
        }
        if self.unnecessary {
            json["tags"] = json!([UNNECESSARY]);
        }
        json
    }
}
