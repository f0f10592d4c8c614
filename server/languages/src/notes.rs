//! Notes of an error message: unclosed constructs, and probable mistakes.

use crate::lexer::Token;
use crate::source::{Location, Sources, Span};

/// An unclosed construct.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnclosedConstruct {
    /// The keyword, parenthesis or bracket that opened it.
    pub(crate) span: Span,
    /// The token that it needs next.
    pub(crate) missing: &'static str,
}

impl UnclosedConstruct {
    /// The note in words, for a message about a location in `file`.
    pub(crate) fn note(self, sources: &Sources, file: u32) -> String {
        let Location { file: name, line, column, .. } = sources.place(self.span);
        let name = if self.span.file == file { String::new() } else { format!("{name}:") };
        let text = sources.text(self.span);
        match self.missing {
            ")" | "]" => format!(": the `{text}` of {name}{line}:{column} is not closed"),
            missing => format!(": the `{text}` of {name}{line}:{column} has no `{missing}`"),
        }
    }
}

/// Whether an unclosed construct must be complete before this token.
pub(crate) fn closes(token: &Token) -> bool {
    matches!(
        token,
        Token::End | Token::Sign(")" | "]" | ",") | Token::Keyword("in" | "then" | "else" | "of" | "let")
    )
}

/// A hint if these tokens show a habit from another language. The arguments are the last token taken, whether the next one follows it
/// without a blank, and the next one.
pub(crate) fn slip(before: Option<&Token>, adjacent: bool, token: &Token) -> Option<&'static str> {
    Some(match (before, token) {
        (Some(Token::Sign("=")), Token::Sign("=")) if adjacent => "equality is written `=`",
        (Some(Token::Sign("/")), Token::Sign("/")) if adjacent => "a comment is written `(* … *)`",
        (Some(Token::Sign(";")), token) if closes(token) && *token != Token::Keyword("let") => {
            "`;` stands between two expressions, not after the last"
        }
        (_, Token::Sign("-")) => "a minus sign is written `~`",
        _ => return None,
    })
}
