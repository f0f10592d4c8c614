//! A binding in words: how it is written, the comment that belongs to it, where it is.

use grandstand_languages::Span;
use grandstand_languages::core::{Expr, ExprId};
use grandstand_languages::draft::{Binding, BindingKind};
use grandstand_matches::ActionHelp;

use crate::analysis::Analysis;

/// The longest value that is shown as it is written, in characters.
const SHOWN: usize = 100;

/// A binding in Markdown.
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

/// The action of the game that has this name.
pub(crate) fn action(analysis: &Analysis, name: &str) -> Option<&'static ActionHelp> {
    analysis.game()?.actions().iter().find(|action| action.name == name)
}

/// What an action does, how it is written, and what it answers.
pub(crate) fn action_markdown(analysis: &Analysis, action: &ActionHelp) -> String {
    let game = analysis.game().map_or_else(String::new, |game| format!(" of {}", game.game().title()));
    format!("**Action{game}.** {}\n\nWritten `{}`. Answers {}.", action.does, action.usage, action.answer)
}

/// How a name is used: a function with its arguments, anything else with its value.
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

/// The names of a function's arguments.
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
            // `let f = let f = fn f => fn x => … in f f`: what is given itself is no argument of who calls it.
            _ => return arguments,
        }
    }
}

fn shown(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= SHOWN { line } else { line.chars().take(SHOWN).chain(['…']).collect() }
}

/// The comment that belongs to a `let`: behind it on its line, or else above it. One that stands above several lines of `let`s, with no blank
/// line between, belongs to all of them.
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

/// What a comment says.
pub(crate) fn words(analysis: &Analysis, comment: Span) -> String {
    let text = analysis.draft.sources().text(comment);
    let text = text.strip_prefix("(*").unwrap_or(text);
    let text = text.strip_suffix("*)").unwrap_or(text);
    let lines: Vec<&str> = text.trim().lines().map(str::trim).collect();
    lines.join("\n")
}
