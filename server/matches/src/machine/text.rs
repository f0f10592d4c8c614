//! Conversion of programs' values to text.

use grandstand_languages::Datum;

/// Text of character codes, up to a code 0; `None` if one of them is invalid.
pub(crate) fn text(codes: &[Datum]) -> Option<String> {
    let character = |code: &Datum| match code {
        Datum::Int(code) => u32::try_from(*code).ok().and_then(char::from_u32),
        _ => None,
    };
    codes.iter().take_while(|code| **code != Datum::Int(0)).map(character).collect()
}

/// A value as its language writes it, for a message that is no text; `None` for a value that has no meaning outside of
/// its thread.
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

/// A request with the name of its action and its arguments: `A_LOOK 3`, `A_TALK "hello"`.
pub fn request(actions: &[(&str, i64)], request: &Datum) -> String {
    let (number, arguments) = match request {
        Datum::Array(parts) => (parts.first().unwrap_or(&Datum::Int(0)), parts.get(1..).unwrap_or_default()),
        Datum::Pair(parts) => {
            // A list ends with a 0 that is no argument; a pair of a number and 0 has a 0 as its argument.
            let end = if parts.len() > 2 && parts.last() == Some(&Datum::Int(0)) { 1 } else { 0 };
            (parts.first().unwrap_or(&Datum::Int(0)), parts.get(1..parts.len() - end).unwrap_or_default())
        }
        other => (other, &[][..]),
    };
    let name = actions.iter().find(|(_, known)| Datum::Int(*known) == *number).map(|(name, _)| *name);
    let said = match (name, arguments) {
        (Some("A_TALK"), [Datum::Array(codes)]) => text(codes),
        (Some("A_TALK"), [list @ Datum::Pair(_)]) => list.elements().and_then(text),
        (Some("A_TALK"), [_, _, ..]) => text(arguments),
        _ => None,
    };
    let mut words = name.map_or_else(|| number.to_string(), str::to_owned);
    match said {
        Some(said) => words += &format!(" \"{said}\""),
        None => arguments.iter().for_each(|argument| words += &format!(" {argument}")),
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_have_the_names_of_their_actions() {
        let actions = [("A_LOOK", 5), ("A_TALK", 10), ("A_INSPECT", 4)];
        let shown = |datum: Datum| request(&actions, &datum);
        let int = Datum::Int;
        assert_eq!(shown(int(5)), "A_LOOK");
        assert_eq!(shown(int(77)), "77");
        assert_eq!(shown(Datum::Array(vec![int(5), int(3)])), "A_LOOK 3");
        assert_eq!(shown(Datum::Array(vec![int(10), Datum::text("hi")])), "A_TALK \"hi\"");
        assert_eq!(shown(Datum::Array(vec![])), "0");
        assert_eq!(shown(Datum::pair(int(5), int(3))), "A_LOOK 3");
        assert_eq!(shown(Datum::list([int(5), int(-3)])), "A_LOOK ~3");
        assert_eq!(shown(Datum::pair(int(4), Datum::pair(int(1), int(2)))), "A_INSPECT 1 2");
        assert_eq!(shown(Datum::list([int(10), Datum::text_list("hi")])), "A_TALK \"hi\"");
        assert_eq!(shown(Datum::pair(int(10), Datum::text_list("hi"))), "A_TALK \"hi\"");
        assert_eq!(shown(Datum::Opaque), "<opaque>");
    }
}
