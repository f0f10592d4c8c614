//! Notes of an error message: what is open at that location, and which slip it may be.

use crate::lexer::Token;
use crate::source::{Location, Sources, Span};

/// What has begun and is not complete.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opened {
    /// The keyword, the parenthesis or the bracket that began it.
    pub(crate) span: Span,
    /// What must follow before it is complete.
    pub(crate) missing: &'static str,
}

impl Opened {
    /// In words, for a message about a place in `file`.
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

/// Whether something that is open must be complete before this token.
pub(crate) fn closes(token: &Token) -> bool {
    matches!(
        token,
        Token::End | Token::Sign(")" | "]" | ",") | Token::Keyword("in" | "then" | "else" | "of" | "let")
    )
}

/// What the habit of another language has been, if these tokens show one: the last one that was taken, whether the next one follows it
/// without a blank, and that.
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
