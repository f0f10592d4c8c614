//! Texts and values of programs.

use grandstand_languages::Datum;

/// The text of character codes, up to a code 0; `None` when one of them is none.
pub(crate) fn text(codes: &[Datum]) -> Option<String> {
    let character = |code: &Datum| match code {
        Datum::Int(code) => u32::try_from(*code).ok().and_then(char::from_u32),
        _ => None,
    };
    codes.iter().take_while(|code| **code != Datum::Int(0)).map(character).collect()
}

/// What a bot says that is no text: the value as its language writes it; `None` for what is no value outside of its thread.
pub(crate) fn value(datum: &Datum) -> Option<String> {
    let mut parts = vec![datum];
    while let Some(part) = parts.pop() {
        match part {
            Datum::Int(_) => {}
            Datum::Array(inner) | Datum::Pair(inner) => parts.extend(inner),
            Datum::Opaque => return None,
        }
    }
    Some(datum.to_string())
}
