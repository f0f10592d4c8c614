//! Grammar specific to CL: arrays and their elements, `rec`, more operators.

use crate::core::{BinaryOp, Expr};
use crate::draft::BindingKind;
use crate::error::LoadError;
use crate::lexer::Token;
use crate::parser::{Grammar, Parsed, Parser};

/// CL's grammar: `CL.md`, section 2.
pub(super) enum Cl {}

impl Grammar for Cl {
    const KEYWORDS: &'static [&'static str] = super::KEYWORDS;

    fn begins_atom(sign: &str) -> bool {
        matches!(sign, "(" | "!")
    }

    fn atom(parser: &mut Parser<Self>) -> Result<Parsed, LoadError> {
        let span = parser.span();
        match parser.peek() {
            Token::Text(_) => {
                let codes = parser.codes()?;
                parser.add(Expr::Array(ids(&codes)), span, span)
            }
            Token::Sign("(") => {
                let (elements, extent) = parser.between(")", "an operator, `,`, `;` or `)`")?;
                match elements.as_slice() {
                    [element] => Ok(Parsed { id: element.id, extent }),
                    _ => parser.add(Expr::Array(ids(&elements)), extent, extent),
                }
            }
            _ => parser.simple_atom(),
        }
    }

    /// Parses `array[index]` and `array[index := value]`.
    fn part(parser: &mut Parser<Self>) -> Result<Parsed, LoadError> {
        let mut array = Self::atom(parser)?;
        while parser.at_sign("[") {
            let start = parser.next();
            parser.begin(start, "]");
            // Not `assignment`: within brackets `:=` belongs to the array.
            let index = parser.deeper(|parser| parser.binary(0))?;
            let value = if parser.at_sign(":=") {
                parser.next();
                Some(parser.sequence()?)
            } else {
                None
            };
            if !parser.at_sign("]") {
                return Err(parser.expected(if value.is_some() { "`]`" } else { "`]` or `:=`" }));
            }
            let end = parser.complete(None)?;
            let expr = match value {
                Some(value) => Expr::Update { array: array.id, index: index.id, value: value.id },
                None => Expr::Index { array: array.id, index: index.id },
            };
            array = parser.add(expr, start.to(end), array.extent.to(end))?;
        }
        Ok(array)
    }

    /// Parses `rec name in body`.
    fn operand(parser: &mut Parser<Self>) -> Result<Option<Parsed>, LoadError> {
        if !parser.at_keyword("rec") {
            return Ok(None);
        }
        let start = parser.next();
        let token = parser.token();
        let name = parser.name()?;
        parser.begin(start, "in");
        parser.complete(None)?;
        let binding = parser.bind(BindingKind::Rec, start, token, name);
        let body = parser.sequence()?;
        parser.unbind(binding);
        parser.add(Expr::Rec { name, body: body.id }, start, start.to(body.extent)).map(Some)
    }

    fn operator(token: &Token) -> Option<(BinaryOp, u8)> {
        Some(match token {
            Token::Sign("<>") => (BinaryOp::Unequal, 0),
            Token::Sign(">") => (BinaryOp::Greater, 0),
            Token::Sign("<=") => (BinaryOp::LessEqual, 0),
            Token::Sign(">=") => (BinaryOp::GreaterEqual, 0),
            Token::Keyword("div") => (BinaryOp::Div, 2),
            _ => return None,
        })
    }

    fn hint(before: Option<&Token>, token: &Token) -> Option<&'static str> {
        match (before, token) {
            (Some(Token::Sign("!")), Token::Sign("=")) => Some("not equal is written `<>`"),
            _ => None,
        }
    }

    const RECURSION: &'static str =
        " (a function calls itself by a `rec`: `let f = rec f in fn …`, see CL.md, section 4)";

    /// The child evaluates the operand.
    fn spawn(_parser: &mut Parser<Self>, operand: Parsed) -> Result<Expr, LoadError> {
        Ok(Expr::Spawn { body: operand.id, parent: None })
    }
}

fn ids(elements: &[Parsed]) -> Vec<crate::core::ExprId> {
    elements.iter().map(|element| element.id).collect()
}
