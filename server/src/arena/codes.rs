//! Texts as programs see them.

use grandstand_languages::Datum;

/// The text of character codes, up to a code 0; `None` when one of them is no integer. What is no character becomes U+FFFD.
pub(super) fn text(codes: &[Datum]) -> Option<String> {
    let mut text = String::new();
    for code in codes {
        match code {
            Datum::Int(0) => break,
            Datum::Int(code) => {
                let character = u32::try_from(*code).ok().and_then(char::from_u32);
                text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            _ => return None,
        }
    }
    Some(text)
}
