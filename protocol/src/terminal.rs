//! Foreign texts, made safe for a terminal.
//!
//! A terminal obeys control characters in its input: a team's name can clear the screen, set the window's title, or reverse the
//! rest of a line. Therefore every text for people passes through [`lines`] where it is written (`tell!` and `print` of the
//! command line, its `Report`, the console, the log, the spectator in the terminal). A foreign text that is inserted into one of
//! Grandstand's own passes through [`line()`] first, because it could end the line.

use std::borrow::Cow;

/// Escapes a text of any number of lines: line feeds and tabs stay, every other character that a terminal obeys is written
/// as its number, as in `\u{1b}`.
pub fn lines(text: &str) -> Cow<'_, str> {
    escape(text, |c| c != '\n' && is_obeyed(c))
}

/// Escapes a text that must stay within one line: like [`lines`], but line feeds are escaped too.
pub fn line(text: &str) -> Cow<'_, str> {
    escape(text, is_obeyed)
}

fn escape(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_escaped(c) {
            escaped.extend(c.escape_unicode());
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

/// Control characters (including 0x80 to 0x9f), line and paragraph separators, and characters that change the writing direction.
fn is_obeyed(c: char) -> bool {
    let ends_line = matches!(c, '\u{2028}' | '\u{2029}');
    let turns =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    (c.is_control() && c != '\t') || ends_line || turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_written_as_its_number() {
        for (text, shown) in [
            ("\x1b]0;title\x07", r"\u{1b}]0;title\u{7}"),
            ("\x1b[2J\x1b[H", r"\u{1b}[2J\u{1b}[H"),
            ("a\rb\x08c\x7f", r"a\u{d}b\u{8}c\u{7f}"),
            ("\u{9b}2J\u{85}", r"\u{9b}2J\u{85}"),
            ("a\u{202e}b\u{2066}c\u{200f}", r"a\u{202e}b\u{2066}c\u{200f}"),
            ("a\u{2028}b", r"a\u{2028}b"),
        ] {
            assert_eq!(lines(text), shown);
            assert_eq!(line(text), shown);
        }
        assert_eq!(lines("one\n\ttwo"), "one\n\ttwo");
        assert_eq!(line("one\n\ttwo"), "one\\u{a}\ttwo");
    }

    #[test]
    fn what_it_only_shows_stays() {
        for text in ["", "Füchse λ-Shark 狐 \u{1f468}\u{200d}\u{1f469}", r"back\slash", "שלום"] {
            assert!(matches!(lines(text), Cow::Borrowed(shown) if shown == text));
            assert!(matches!(line(text), Cow::Borrowed(shown) if shown == text));
        }
    }
}
