//! Description of a binding: its heading, its comment and its place.

use grandstand_languages::Span;
use grandstand_languages::core::{Expr, ExprId};
use grandstand_languages::draft::{Binding, BindingKind};
use grandstand_matches::ActionHelp;

use crate::analysis::Analysis;

/// Number of characters of a shown value at most.
const SHOWN: usize = 100;

/// Description of a binding in Markdown.
pub(crate) fn markdown(analysis: &Analysis, binding: &Binding) -> String {
    let mut text = format!("```{}\n{}\n```", analysis.language.extension(), heading(analysis, binding));
    if let Some(comment) = comment(analysis, binding) {
        text += &format!("\n\n{comment}");
    }
    if let Some(action) = action(analysis, analysis.name_of(binding)) {
        text += &format!("\n\n{}", action_markdown(analysis, action));
    }
    let place = analysis.draft.sources().place(analysis.draft.place_of(binding));
    text += &format!("\n\n*{}, line {}*", place.file, place.line);
    text
}

/// Returns the game's action with this name.
pub(crate) fn action(analysis: &Analysis, name: &str) -> Option<&'static ActionHelp> {
    analysis.game()?.actions.iter().find(|action| action.name == name)
}

/// Effect, usage and answer of an action in Markdown.
pub(crate) fn action_markdown(analysis: &Analysis, action: &ActionHelp) -> String {
    let game = analysis.game().map_or_else(String::new, |game| format!(" of {}", game.game.title()));
    format!("**Action{game}.** {}\n\nWritten `{}`. Answers {}.", action.does, action.usage, action.answer)
}

/// Heading of a binding: a function with its arguments, any other name with its value.
pub(crate) fn heading(analysis: &Analysis, binding: &Binding) -> String {
    let name = analysis.name_of(binding);
    match (binding.kind, binding.value) {
        (BindingKind::Fn, _) => {
            let line = analysis.lines(binding.start.file).line(binding.start.start as usize) + 1;
            format!("{name}    (* an argument of the function in line {line} *)")
        }
        (BindingKind::Rec, _) => format!("{name}    (* what this `rec` is: it calls itself by this name *)"),
        (BindingKind::Let, None) => name.to_owned(),
        (BindingKind::Let, Some((value, extent))) => {
            let arguments = arguments(analysis, value);
            if arguments.is_empty() {
                format!("{name} = {}", shown(analysis.draft.sources().text(extent)))
            } else {
                format!("{name} {}", arguments.join(" "))
            }
        }
    }
}

/// Names of a function's arguments.
pub(crate) fn arguments(analysis: &Analysis, mut value: ExprId) -> Vec<&str> {
    let module = analysis.draft.module();
    let mut arguments = Vec::new();
    loop {
        match module.expr(value) {
            Expr::Fn { param, body } => {
                arguments.push(module.name(*param));
                value = *body;
            }
            Expr::Rec { body, .. } if arguments.is_empty() => value = *body,
            // `let f = let f = fn f => fn x => … in f f`: the first `f` is no argument for the caller.
            _ => return arguments,
        }
    }
}

fn shown(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= SHOWN { line } else { line.chars().take(SHOWN).chain(['…']).collect() }
}

/// Comment of a `let`: after it on the same line, or else above it. A comment above several consecutive `let` lines
/// belongs to all of them.
pub(crate) fn comment(analysis: &Analysis, binding: &Binding) -> Option<String> {
    let (_, value) = binding.value?;
    let (file, text, lines) =
        (binding.start.file, analysis.text(binding.start.file), analysis.lines(binding.start.file));
    if value.file != file {
        return None;
    }
    let comments = || analysis.draft.comments().iter().filter(|comment| comment.file == file);
    let line_of = |offset: u32| lines.line(offset as usize);
    let mut line = line_of(binding.start.start);
    let behind = comments().find(|comment| comment.start >= value.end && line_of(comment.start) == line);
    if let Some(behind) = behind.filter(|_| line_of(value.end) == line) {
        return Some(words(analysis, *behind));
    }
    while line > 0 {
        line -= 1;
        let (start, end) = lines.bounds(text, line);
        let above = text[start..end].trim_end();
        let last = start + above.len();
        let comment = comments().find(|comment| comment.end as usize == last);
        if let Some(comment) = comment {
            let (begins, _) = lines.bounds(text, line_of(comment.start));
            if text[begins..comment.start as usize].trim().is_empty() {
                return Some(words(analysis, *comment));
            }
        }
        if !above.trim_start().starts_with("let ") {
            return None;
        }
    }
    None
}

/// Text of a comment without its delimiters.
pub(crate) fn words(analysis: &Analysis, comment: Span) -> String {
    let text = analysis.draft.sources().text(comment);
    let text = text.strip_prefix("(*").unwrap_or(text);
    let text = text.strip_suffix("*)").unwrap_or(text);
    let lines: Vec<&str> = text.trim().lines().map(str::trim).collect();
    lines.join("\n")
}
