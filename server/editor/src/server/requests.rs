//! Requests about open texts.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Server;
use crate::analysis::Analysis;
use crate::completion;
use crate::definition;
use crate::describe;
use crate::files::{Disk, Origin};
use crate::hover;
use crate::library::Library;
use crate::position::{Position, Range};
use crate::rpc::{self, Failure};
use crate::symbols::{self, Symbol};
use crate::uri;

/// Number of references in an answer at most.
const MAX_REFERENCES: usize = 10_000;

#[derive(Deserialize)]
struct Uri {
    uri: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AtPosition {
    text_document: Uri,
    #[serde(default)]
    position: Position,
    #[serde(default)]
    context: Context,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Context {
    #[serde(default)]
    include_declaration: bool,
}

/// Data of a completion item, for `completionItem/resolve`.
#[derive(Deserialize)]
struct ItemData {
    uri: String,
    name: String,
    library: Option<String>,
    #[serde(default)]
    file: u32,
    #[serde(default)]
    at: u32,
}

/// Result of a request.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Answer {
    Value(Value),
    Outline(Vec<Symbol>),
}

impl From<Value> for Answer {
    fn from(value: Value) -> Self {
        Answer::Value(value)
    }
}

impl<D: Disk> Server<D> {
    pub(super) fn question(&mut self, method: &str, params: Value) -> Result<Answer, Failure> {
        if method == "completionItem/resolve" {
            return Ok(self.resolve(params).into());
        }
        if !matches!(
            method,
            "textDocument/hover"
                | "textDocument/definition"
                | "textDocument/references"
                | "textDocument/completion"
                | "textDocument/documentSymbol"
        ) {
            return Err(Failure::new(Failure::UNKNOWN_METHOD, format!("`{method}` is not answered here")));
        }
        let AtPosition { text_document: Uri { uri: address }, position, context } = rpc::read(params)?;
        match method {
            "textDocument/definition" => return Ok(self.definition(&address, position).into()),
            "textDocument/references" => {
                return Ok(self.references(&address, position, context.include_declaration).into());
            }
            _ => {}
        }
        let Some((analysis, library)) = self.known(&address) else { return Ok(Value::Null.into()) };
        Ok(match method {
            "textDocument/hover" => hover::hover(analysis, library, position).into(),
            "textDocument/completion" => completion::completion(analysis, library, position, &address).into(),
            _ => Answer::Outline(symbols::symbols(analysis)),
        })
    }

    /// Analysis of a text and the libraries of its language; `None` if it is not open or can't be analysed.
    fn known(&mut self, address: &str) -> Option<(&Analysis, &Library)> {
        let language = self.prepare(address)?;
        let Self { documents, libraries, disk, .. } = self;
        let library = libraries[language as usize].as_ref()?;
        Some((documents.analysis(address, disk)?.as_ref().ok()?, library))
    }

    fn definition(&mut self, address: &str, position: Position) -> Value {
        let found = self.known(address).and_then(|(analysis, _)| {
            let span = definition::definition(analysis, position)?;
            let origin = analysis.origin(span.file).clone();
            Some((origin, analysis.text(span.file).to_owned(), analysis.range(span)))
        });
        let Some((origin, text, range)) = found else { return Value::Null };
        let at =
            if origin == Origin::Unnamed { Some(address.to_owned()) } else { self.address(&origin, &text) };
        at.map_or(Value::Null, |uri| json!({ "uri": uri, "range": range }))
    }

    /// Address of a file. A shipped file is unpacked first.
    fn address(&self, origin: &Origin, text: &str) -> Option<String> {
        match origin {
            Origin::Path(path) => Some(self.documents.address_of(path)),
            Origin::Shipped(path) => Some(uri::of_path(&self.disk.unpack(path, text)?)),
            Origin::Unnamed => None,
        }
    }

    /// References to a name in all open texts and the files that they include.
    fn references(&mut self, address: &str, position: Position, with_binding: bool) -> Value {
        let meant = self.known(address).and_then(|(analysis, _)| {
            let place = definition::definition(analysis, position)?;
            Some((analysis.origin(place.file).clone(), place.start))
        });
        let Some((meant, start)) = meant else { return Value::Null };
        let mut found: BTreeSet<(String, Range)> = BTreeSet::new();
        for other in self.documents.addresses() {
            // No other text can include a text without a file.
            if meant == Origin::Unnamed && other != address {
                continue;
            }
            let Some((analysis, _)) = self.known(&other) else { continue };
            let files = 0..analysis.draft.sources().files().len() as u32;
            let Some(file) = files.into_iter().find(|file| *analysis.origin(*file) == meant) else {
                continue;
            };
            let spans = definition::references(analysis, file, start, with_binding);
            let places: Vec<(Origin, String, Range)> = spans
                .into_iter()
                .take(MAX_REFERENCES)
                .map(|span| {
                    let text = match analysis.origin(span.file) {
                        Origin::Shipped(_) => analysis.text(span.file).to_owned(),
                        _ => String::new(),
                    };
                    (analysis.origin(span.file).clone(), text, analysis.range(span))
                })
                .collect();
            for (origin, text, range) in places {
                let uri = if origin == Origin::Unnamed {
                    Some(other.clone())
                } else {
                    self.address(&origin, &text)
                };
                found.extend(uri.map(|uri| (uri, range)));
            }
        }
        found
            .into_iter()
            .take(MAX_REFERENCES)
            .map(|(uri, range)| json!({ "uri": uri, "range": range }))
            .collect()
    }

    /// Adds the documentation to a completion item, if there is any.
    fn resolve(&mut self, mut item: Value) -> Value {
        let Ok(data) = serde_json::from_value::<ItemData>(item["data"].clone()) else { return item };
        let Some((analysis, library)) = self.known(&data.uri) else { return item };
        let said = match &data.library {
            Some(path) => library.files.iter().find(|(known, _)| known == path).and_then(|(_, shipped)| {
                let mut names = Library::names(shipped).map(|binding| shipped.binding(binding));
                names
                    .find(|binding| shipped.name_of(binding) == data.name)
                    .map(|binding| describe::markdown(shipped, binding))
            }),
            None => {
                let mut bindings = analysis.draft.bindings().iter();
                let binding = bindings.find(|binding| {
                    let place = analysis.draft.place_of(binding);
                    place.file == data.file && place.start == data.at
                });
                binding.map(|binding| describe::markdown(analysis, binding))
            }
        };
        if let Some(said) = said {
            item["documentation"] = json!({ "kind": "markdown", "value": said });
        }
        item
    }
}
