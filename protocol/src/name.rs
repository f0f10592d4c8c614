//! Names with blanks, and lines with two names.

use std::str::FromStr;
use std::sync::Arc;

use serde::Serialize;

use crate::by_text::{from_json_by_text, like_str};
use crate::line::{Cursor, Line, Word};
use crate::problem::Fault;
use crate::team::{ByTeam, TwoTeams};
use crate::text::clean_text;

/// A displayed name: 1 to 200 characters, with blanks between its words but not at its ends. Control characters, including
/// tabs, become blanks. A clone shares the characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct FullName(Arc<str>);

/// A text without a character that could be part of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a name has at least one character that is no blank")]
pub struct FullNameError;

const FULL_NAME: &str = "a name";

impl FullName {
    /// A player's name in the form of the dialects: one word of at most 32 characters, with `_` for each blank and control
    /// character. `None` for a text without characters.
    pub fn one_word(text: &str) -> Option<FullName> {
        let is_blank = |c: char| c.is_whitespace() || c.is_control();
        let word: String = text.chars().take(32).map(|c| if is_blank(c) { '_' } else { c }).collect();
        word.parse().ok()
    }

    /// A word of a dialect.
    pub(crate) fn word(word: &'static str) -> FullName {
        FullName(word.into())
    }
}

impl FromStr for FullName {
    type Err = FullNameError;

    fn from_str(text: &str) -> Result<FullName, FullNameError> {
        // Leading blanks do not count towards the maximal length, and a cut name may end in a blank.
        let cleaned = clean_text(text.trim_start_matches(|c: char| c == ' ' || c.is_control()));
        let name = cleaned.trim_matches(' ');
        if name.is_empty() { Err(FullNameError) } else { Ok(FullName(name.into())) }
    }
}

like_str!(FullName);
from_json_by_text!(FullName);

/// Parses the names of both teams: one word each, or, if a name has blanks, separated by one tab.
pub(crate) fn both<T: TwoTeams>(cursor: &mut Cursor<'_>) -> Result<ByTeam<T, FullName>, Fault> {
    let mut words = *cursor;
    let pair = [words.word(), words.word()];
    let further = words.word();
    let pair = if further.bytes.is_empty() {
        *cursor = words;
        pair
    } else {
        at_tab(cursor.rest()).ok_or_else(|| {
            further.fault("the end of the line, or one tab between two names that have blanks")
        })?
    };
    let [first, second] = pair.map(|word| word.parse(FULL_NAME));
    Ok(ByTeam::new(first?, second?))
}

/// Splits a text at its only tab.
fn at_tab(text: Word<'_>) -> Option<[Word<'_>; 2]> {
    let tab = text.bytes.iter().position(|&byte| byte == b'\t')?;
    let (first, rest) = text.bytes.split_at(tab);
    let second = &rest[1..];
    let words =
        [Word { start: text.start, bytes: first }, Word { start: text.start + tab + 1, bytes: second }];
    (!second.contains(&b'\t')).then_some(words)
}

impl Line<'_> {
    pub(crate) fn names<T: TwoTeams>(self, names: &ByTeam<T, FullName>) -> Self {
        let [first, second] = T::ALL.map(|team| &names[team]);
        let line = self.begin("names").word(first);
        line.0.push(if first.contains(' ') || second.contains(' ') { '\t' } else { ' ' });
        line.0.push_str(second);
        line
    }
}
