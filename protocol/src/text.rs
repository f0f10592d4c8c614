//! Foreign text, made safe to put into a line.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};

use crate::by_text::like_str;

/// The most characters of a name, a title or a player's talk that are kept.
pub const TEXT_MAX_CHARS: usize = 200;

/// The text with every control character (and the Unicode line and paragraph separators) replaced by a space, cut after
/// [`TEXT_MAX_CHARS`] characters. The result can't end a line.
pub fn clean_text(text: &str) -> String {
    text.chars().take(TEXT_MAX_CHARS).map(|c| if breaks_text(c) { ' ' } else { c }).collect()
}

fn breaks_text(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Appends a whole number in decimal digits. The formatter of the standard library takes several times as long.
#[inline]
pub fn push_number(out: &mut String, number: u64) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    let mut left = number;
    loop {
        at -= 1;
        digits[at] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    out.extend(digits[at..].iter().map(|&digit| char::from(digit)));
}

/// Strips the line feed at the end of a line and the carriage returns before it.
pub fn trim_ending(line: &[u8]) -> &[u8] {
    let mut line = line.strip_suffix(b"\n").unwrap_or(line);
    while let [rest @ .., b'\r'] = line {
        line = rest;
    }
    line
}

/// The first `max` characters of the text, with `…` appended if anything was cut off.
pub fn shorten(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Names as alternatives: `a, b or c`.
pub fn alternatives(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => names.concat(),
    }
}

/// A team's talk: any text that fits into one line. It has no line feed and does not end in a carriage return;
/// everything else is kept as it came. A clone shares the characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Text(Arc<str>);

/// A text that does not fit into a line, because of a line feed or a carriage return at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a text of one line has no line feed and no carriage return at its end")]
pub struct TextError;

impl Text {
    /// The text, unchanged.
    ///
    /// # Errors
    /// [`TextError`] when it has a line feed anywhere or a carriage return at its end.
    pub fn verbatim(text: &str) -> Result<Text, TextError> {
        if text.ends_with('\r') || text.contains('\n') { Err(TextError) } else { Ok(Text(text.into())) }
    }

    /// Text that was cut out of a line, and therefore can't end one.
    pub(crate) fn from_line(text: &str) -> Text {
        debug_assert!(Text::verbatim(text).is_ok(), "{text:?} does not fit into a line");
        Text(text.into())
    }

    /// This text, or its first [`TEXT_MAX_CHARS`] characters when it is longer.
    pub(crate) fn capped(&self) -> Text {
        if self.0.len() <= TEXT_MAX_CHARS {
            return self.clone();
        }
        match self.0.char_indices().nth(TEXT_MAX_CHARS) {
            Some((end, _)) => Text::from(&self.0[..end]),
            None => self.clone(),
        }
    }
}

/// Takes any text; control characters become spaces. Nothing is cut off: for text from players see [`clean_text`].
impl From<&str> for Text {
    fn from(text: &str) -> Text {
        if text.contains(char::is_control) {
            Text(text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().into())
        } else {
            Text(text.into())
        }
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text::from(text.as_str())
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        Text::verbatim(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// A name, a title or a caption. Every constructor cleans it by [`clean_text`], so it has at most [`TEXT_MAX_CHARS`]
/// characters and no control characters. A clone shares the characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "String")]
pub struct Label(Arc<str>);

impl From<&str> for Label {
    fn from(text: &str) -> Label {
        Label(clean_text(text).into())
    }
}

impl From<String> for Label {
    fn from(text: String) -> Label {
        Label::from(text.as_str())
    }
}

impl Default for Label {
    fn default() -> Label {
        Label("".into())
    }
}

macro_rules! compares_with_str {
    ($type:ty) => {
        like_str!($type);
        impl AsRef<str> for $type {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
        impl PartialEq<str> for $type {
            fn eq(&self, other: &str) -> bool {
                &*self.0 == other
            }
        }
        impl PartialEq<&str> for $type {
            fn eq(&self, other: &&str) -> bool {
                &*self.0 == *other
            }
        }
    };
}
compares_with_str!(Text);
compares_with_str!(Label);
