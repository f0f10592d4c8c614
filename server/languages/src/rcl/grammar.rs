//! Grammar specific to RCL: pairs and lists, and `spawn` with the parent's pid.

use crate::core::Expr;
use crate::error::LoadError;
use crate::lexer::Token;
use crate::parser::{Grammar, Parsed, Parser};
use crate::source::Span;

/// RCL's grammar: `RCL.md`, section 2.
pub(super) enum Rcl {}

impl Grammar for Rcl {
    const KEYWORDS: &'static [&'static str] = super::KEYWORDS;

    fn begins_atom(sign: &str) -> bool {
        matches!(sign, "(" | "[" | "!")
    }

    fn atom(parser: &mut Parser<Self>) -> Result<Parsed, LoadError> {
        let span = parser.span();
        match parser.peek() {
            Token::Text(_) => {
                let codes = parser.codes()?;
                list(parser, &codes, span)
            }
            Token::Sign("[") => {
                let (elements, extent) = parser.between("]", "an operator, `,`, `;` or `]`")?;
                list(parser, &elements, extent)
            }
            Token::Sign("(") => {
                let start = parser.next();
                parser.begin(start, ")");
                let first = parser.sequence()?;
                if parser.at_sign(")") {
                    return Ok(Parsed { id: first.id, extent: start.to(parser.complete(None)?) });
                }
                if !parser.at_sign(",") {
                    return Err(parser.expected("an operator, `,`, `;` or `)`"));
                }
                parser.next();
                let second = parser.sequence()?;
                if !parser.at_sign(")") {
                    return Err(parser.expected(
                        "an operator, `;` or `)` (a pair has two halves; a list is written `[a, b, c]`)",
                    ));
                }
                let extent = start.to(parser.complete(None)?);
                parser.add(Expr::Pair { left: first.id, right: second.id }, extent, extent)
            }
            _ => parser.simple_atom(),
        }
    }

    /// The child applies the operand to its parent's pid.
    fn spawn(parser: &mut Parser<Self>, operand: Parsed) -> Result<Expr, LoadError> {
        let parent = parser.hidden("the parent");
        let body = parser.apply_to_names(operand, &[parent])?.id;
        Ok(Expr::Spawn { body, parent: Some(parent) })
    }

    fn hint(before: Option<&Token>, token: &Token) -> Option<&'static str> {
        Some(match (before, token) {
            (Some(Token::Sign("!")), Token::Sign("=")) => "not equal is `if a = b then 0 else 1`",
            (_, Token::Keyword("rec")) => "RCL has no `rec`: see RCL.md, section 5",
            (_, Token::Keyword("div")) => "in RCL it is `/`",
            (_, Token::Sign("<>" | ">" | "<=" | ">=")) => "RCL compares with `<` and `=` only",
            _ => return None,
        })
    }

    const RECURSION: &'static str =
        " (a function calls itself when it is given itself, see RCL.md, section 5)";
}

/// Builds a list: nested pairs of an element and the rest, with 0 at the end.
fn list(parser: &mut Parser<Rcl>, elements: &[Parsed], extent: Span) -> Result<Parsed, LoadError> {
    let mut rest = parser.add(Expr::Int(0), extent, extent)?;
    for element in elements.iter().rev() {
        rest = parser.add(Expr::Pair { left: element.id, right: rest.id }, extent, extent)?;
    }
    Ok(rest)
}
