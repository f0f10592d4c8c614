//! Splitting of a command line into words, with a shell's quoting and none of its other features.

use thiserror::Error;

/// Syntax error of a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum WordsError {
    /// The line has no words.
    #[error("the command is empty")]
    Empty,
    /// A quotation mark is never closed.
    #[error("the {quote} in column {column} of the command is never closed")]
    Open {
        /// The quotation mark.
        quote: char,
        /// Column of the quotation mark, from 1.
        column: usize,
    },
    /// The line ends with a backslash.
    #[error("the command ends with a backslash, which has nothing to quote")]
    Backslash,
}

/// Words of `line`, separated by whitespace. `'…'` and `"…"` hold a word together; a backslash quotes the
/// next character, except within `'…'`. There are no variables, wildcards or redirections.
///
/// # Errors
/// If a quotation mark is not closed, nothing follows a backslash, or there is no word.
pub fn split(line: &str) -> Result<Vec<String>, WordsError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<(char, usize)> = None;
    let mut characters = line.chars().enumerate();
    while let Some((at, c)) = characters.next() {
        match (c, quote) {
            (c, Some((open, _))) if c == open => quote = None,
            ('\\', None | Some(('"', _))) => {
                let (_, next) = characters.next().ok_or(WordsError::Backslash)?;
                word.get_or_insert_default().push(next);
            }
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('\'' | '"', None) => {
                quote = Some((c, at + 1));
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    if let Some((quote, column)) = quote {
        return Err(WordsError::Open { quote, column });
    }
    words.extend(word);
    if words.is_empty() { Err(WordsError::Empty) } else { Ok(words) }
}

/// The line that [`split`] cuts into these words.
pub fn join(words: &[String]) -> String {
    let quoted = words.iter().map(|word| format!("'{}'", word.replace('\'', r"'\''")));
    quoted.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_words_are_split_as_they_were() {
        for words in [&["a"][..], &["", "a b", "it's", "'", r"\", r#"x"y\"#, "\n"]] {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(split(&join(&words)).as_ref(), Ok(&words));
        }
    }

    #[test]
    fn words_are_cut_as_a_shell_does() {
        for (line, words) in [
            ("python3 team.py", &["python3", "team.py"][..]),
            ("  a   b\t", &["a", "b"]),
            ("'my team' \"an other\"", &["my team", "an other"]),
            (r#"a\ b "c\"d" 'e\f'"#, &["a b", "c\"d", r"e\f"]),
            ("x'y'\"z\"", &["xyz"]),
            ("a '' b", &["a", "", "b"]),
            ("$HOME *.py > out", &["$HOME", "*.py", ">", "out"]),
        ] {
            assert_eq!(split(line).unwrap(), words, "{line}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        assert_eq!(split("  "), Err(WordsError::Empty));
        assert_eq!(split("a 'b"), Err(WordsError::Open { quote: '\'', column: 3 }));
        assert_eq!(split("a\\"), Err(WordsError::Backslash));
    }
}
