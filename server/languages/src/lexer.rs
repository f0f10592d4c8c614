//! Lexer: from source text to tokens, including `#include`s.
//!
//! The front ends share the token rules and supply the keywords. `#include FILE`, alone on its line, is replaced by the tokens of that
//! file. The replacement is by lines, so no token can begin in one file and end in another.
//!
//! After an error the lexer reports it and continues behind it.

use std::collections::HashMap;
use std::ops::Range;

use crate::core::NameId;
use crate::error::{LoadError, MAX_PROBLEMS, Problem};
use crate::source::{FileSource, Sources, Span, check_path};

/// The maximal size of a program in bytes; an included file counts every time.
pub const MAX_BYTES: usize = 1 << 20;
/// The deepest nesting of includes.
pub const MAX_INCLUDE_DEPTH: usize = 32;
/// The most includes of a program.
pub const MAX_INCLUDES: usize = 1000;

/// One token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Int(i64),
    Text(Vec<i64>),
    Name(NameId),
    Keyword(&'static str),
    Sign(&'static str),
    End,
}

/// The signs; a longer one comes before its own prefix.
const SIGNS: &[&str] = &[
    ":=", "=>", "<=", ">=", "<>", "+", "-", "*", "/", "=", "<", ">", "(", ")", "[", "]", ",", ";", "!", "~",
];

/// An `#include`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Include {
    /// The directive.
    pub span: Span,
    /// The path as written.
    pub path: String,
    /// The file, as an index into [`Sources::files`]; `None` if it can't be read.
    pub file: Option<u32>,
    /// The tokens that replace the directive.
    pub(crate) tokens: Range<u32>,
}

/// The result of the lexer.
#[derive(Debug)]
pub(crate) struct Tokens {
    /// The tokens with their locations; the last one is `End`.
    pub(crate) tokens: Vec<(Token, Span)>,
    pub(crate) names: Vec<String>,
    pub(crate) sources: Sources,
    /// The comments, in the order of reading.
    pub(crate) comments: Vec<Span>,
    /// The includes, in the order of reading.
    pub(crate) includes: Vec<Include>,
    pub(crate) problems: Vec<Problem>,
    /// Whether an unclosed comment has swallowed the rest of a file.
    pub(crate) cut: bool,
}

/// Reads `path` with everything that it includes. An error means that the main file can't be read at all.
pub(crate) fn tokenize(
    path: &str,
    files: &dyn FileSource,
    keywords: &'static [&'static str],
) -> Result<Tokens, LoadError> {
    let mut lexer = Lexer {
        files,
        keywords,
        tokens: Vec::new(),
        names: Vec::new(),
        known: HashMap::new(),
        sources: Sources::default(),
        open: Vec::new(),
        way: Vec::new(),
        bytes: 0,
        number_of_includes: 0,
        comments: Vec::new(),
        includes: Vec::new(),
        problems: Vec::new(),
        cut: false,
    };
    let content = files.read(path).map_err(|problem| LoadError::File { path: path.to_owned(), problem })?;
    if content.len() > MAX_BYTES {
        let problem = crate::source::FileError::TooLarge { limit: MAX_BYTES };
        return Err(LoadError::File { path: path.to_owned(), problem });
    }
    let file = lexer.add(path, content)?;
    lexer.file(file);
    let length = lexer.sources.files()[file as usize].text.len() as u32;
    lexer.tokens.push((Token::End, Span { file, start: length, end: length }));
    let Lexer { tokens, names, sources, comments, includes, problems, cut, .. } = lexer;
    Ok(Tokens { tokens, names, sources, comments, includes, problems, cut })
}

struct Lexer<'f> {
    files: &'f dyn FileSource,
    keywords: &'static [&'static str],
    tokens: Vec<(Token, Span)>,
    names: Vec<String>,
    known: HashMap<String, NameId>,
    sources: Sources,
    /// The files being read, outermost first.
    open: Vec<u32>,
    /// The `#include`s that led to the current file, outermost first.
    way: Vec<Span>,
    bytes: usize,
    number_of_includes: usize,
    comments: Vec<Span>,
    includes: Vec<Include>,
    problems: Vec<Problem>,
    cut: bool,
}

impl Lexer<'_> {
    fn add(&mut self, path: &str, content: Vec<u8>) -> Result<u32, LoadError> {
        String::from_utf8(content).map(|text| self.sources.add(path, &text)).map_err(|error| {
            let good = error.utf8_error().valid_up_to();
            let (text, byte) = (error.as_bytes(), error.as_bytes()[good]);
            // The text up to the error is valid; the rest of its line is shown with replacement characters.
            let mut shown = String::from_utf8_lossy(&text[..good]).into_owned();
            let rest = text[good..].split(|&byte| byte == b'\n').next().unwrap_or_default();
            shown.push_str(&String::from_utf8_lossy(rest));
            let mut sources = Sources::default();
            let file = sources.add(path, &shown);
            let place = sources.place(Span { file, start: good as u32, end: good as u32 + 1 });
            LoadError::NotText { place: Box::new(place), byte }
        })
    }

    fn note(&mut self, error: LoadError) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem { error, include: self.way.first().copied() });
        }
    }

    fn problem(&mut self, span: Span, problem: impl Into<String>) {
        let place = Box::new(self.sources.place(span));
        self.note(LoadError::Token { place, problem: problem.into() });
    }

    fn too_large(&self, span: Span, what: &'static str, limit: usize) -> LoadError {
        LoadError::TooLarge { place: Box::new(self.sources.place(span)), what, limit }
    }

    /// Appends a file's tokens. The recursion for includes is at most `MAX_INCLUDE_DEPTH` deep.
    fn file(&mut self, file: u32) {
        let text = self.sources.files()[file as usize].text.clone();
        self.bytes += text.len();
        self.open.push(file);
        let bytes = text.as_bytes();
        let mut at = 0;
        // Whether there are only blanks before `at` on its line.
        let mut line_begins = true;
        while let Some(&byte) = bytes.get(at) {
            let span = |end: usize| Span { file, start: at as u32, end: end as u32 };
            match byte {
                b'\n' => {
                    line_begins = true;
                    at += 1;
                    continue;
                }
                b' ' | b'\t' | b'\r' => {
                    at += 1;
                    continue;
                }
                b'#' if line_begins => {
                    let end = text[at..].find('\n').map_or(text.len(), |n| at + n);
                    let line = text[at..end].trim_end();
                    if let Err(error) = self.include(line, span(at + line.len())) {
                        self.note(error);
                    }
                    at = end;
                    continue;
                }
                _ => line_begins = false,
            }
            if text[at..].starts_with("(*") {
                let end = comment_end(bytes, at);
                if end.is_none() {
                    self.cut = true;
                    self.problem(span(at + 2), "this comment is not closed in its file");
                }
                let end = end.unwrap_or(text.len());
                self.comments.push(span(end));
                at = end;
            } else if byte.is_ascii_digit()
                || byte == b'~' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
            {
                let digits = at + usize::from(byte == b'~');
                let end = end_of(bytes, digits, |b| b.is_ascii_alphanumeric() || b == b'_');
                let literal = text[at..end].replace('~', "-");
                let value = literal.parse().unwrap_or_else(|error: std::num::ParseIntError| {
                    use std::num::IntErrorKind::{NegOverflow, PosOverflow};
                    let problem = match error.kind() {
                        PosOverflow | NegOverflow => "this number does not fit in 64 bits",
                        _ => "this is neither a number nor a name",
                    };
                    self.problem(span(end), problem);
                    0
                });
                self.tokens.push((Token::Int(value), span(end)));
                at = end;
            } else if byte.is_ascii_alphabetic() || byte == b'_' {
                let end = end_of(bytes, at, |b| b.is_ascii_alphanumeric() || b == b'_' || b == b'\'');
                let token = self.word(&text[at..end]);
                self.tokens.push((token, span(end)));
                at = end;
            } else if byte == b'"' {
                let (codes, end) = self.text(&text, at, file);
                self.tokens.push((Token::Text(codes), span(end)));
                at = end;
            } else if let Some(sign) = SIGNS.iter().find(|sign| text[at..].starts_with(**sign)) {
                self.tokens.push((Token::Sign(sign), span(at + sign.len())));
                at += sign.len();
            } else {
                let found = text[at..].chars().next().unwrap_or(' ');
                let end = at + found.len_utf8();
                let (shown, instead) = (found.escape_debug(), instead_of(found));
                self.problem(span(end), format!("`{shown}` has no meaning here{instead}"));
                // A run of the same character is one error.
                at = text[end..].find(|c| c != found).map_or(text.len(), |n| end + n);
            }
        }
        self.open.pop();
    }

    fn word(&mut self, word: &str) -> Token {
        if let Some(keyword) = self.keywords.iter().find(|keyword| **keyword == word) {
            return Token::Keyword(keyword);
        }
        if let Some(&id) = self.known.get(word) {
            return Token::Name(id);
        }
        let id = NameId(self.names.len() as u32);
        self.names.push(word.to_owned());
        self.known.insert(word.to_owned(), id);
        Token::Name(id)
    }

    /// Reads the text literal whose opening quote is at `at`. Returns its character codes and its end.
    fn text(&mut self, text: &str, at: usize, file: u32) -> (Vec<i64>, usize) {
        let span = |start: usize, end: usize| Span { file, start: start as u32, end: end as u32 };
        let mut codes = Vec::new();
        let line = text[at..].find('\n').map_or(text.len(), |n| at + n);
        let mut chars = text[at + 1..line].char_indices().map(|(n, c)| (at + 1 + n, c));
        while let Some((n, c)) = chars.next() {
            match c {
                '"' => return (codes, n + 1),
                '\\' => match chars.next() {
                    Some((_, 'n')) => codes.push(10),
                    Some((_, 't')) => codes.push(9),
                    Some((_, c @ ('"' | '\\'))) => codes.push(i64::from(u32::from(c))),
                    next => {
                        self.problem(span(n, n + 1), "after `\\` comes `n`, `t`, `\"` or `\\`");
                        if next.is_none() {
                            return (codes, line);
                        }
                    }
                },
                _ => codes.push(i64::from(u32::from(c))),
            }
        }
        self.problem(span(at, at + 1), "this text is not closed on its line");
        (codes, line)
    }

    /// Processes a line that begins with `#`.
    fn include(&mut self, line: &str, span: Span) -> Result<(), LoadError> {
        let Some(path) =
            line.strip_prefix("#include").filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
        else {
            let place = Box::new(self.sources.place(span));
            let problem = "after `#` comes `include` and the name of a file".to_owned();
            return Err(LoadError::Token { place, problem });
        };
        let written = path.trim();
        let before = self.tokens.len() as u32;
        let include = Include { span, path: written.to_owned(), file: None, tokens: before..before };
        let number = self.includes.len();
        self.includes.push(include);
        let place = Box::new(self.sources.place(span));
        let path = check_path(written).map_err(|problem| LoadError::Path {
            place: place.clone(),
            path: written.to_owned(),
            problem,
        })?;
        self.number_of_includes += 1;
        if self.number_of_includes > MAX_INCLUDES {
            return Err(self.too_large(span, "a number of includes", MAX_INCLUDES));
        }
        let file = match self.sources.find(&path) {
            Some(file) => file,
            None => {
                let content = self.files.read(&path).map_err(|problem| LoadError::Include {
                    place: place.clone(),
                    path: written.to_owned(),
                    problem,
                })?;
                if self.bytes + content.len() > MAX_BYTES {
                    return Err(self.too_large(span, "a program with bytes", MAX_BYTES));
                }
                match self.add(&path, content) {
                    Ok(file) => file,
                    // The error is in the included file.
                    Err(error) => {
                        self.way.push(span);
                        self.note(error);
                        self.way.pop();
                        return Ok(());
                    }
                }
            }
        };
        self.includes[number].file = Some(file);
        if self.open.contains(&file) {
            return Err(LoadError::Cycle { place, path });
        }
        if self.open.len() > MAX_INCLUDE_DEPTH {
            return Err(self.too_large(span, "a nesting of includes", MAX_INCLUDE_DEPTH));
        }
        if self.bytes + self.sources.files()[file as usize].text.len() > MAX_BYTES {
            return Err(self.too_large(span, "a program with bytes", MAX_BYTES));
        }
        self.way.push(span);
        self.file(file);
        self.way.pop();
        self.includes[number].tokens.end = self.tokens.len() as u32;
        Ok(())
    }
}

fn end_of(bytes: &[u8], from: usize, belongs: impl Fn(u8) -> bool) -> usize {
    bytes[from..].iter().position(|&byte| !belongs(byte)).map_or(bytes.len(), |n| from + n)
}

/// The end of the comment that begins at `at`; comments nest.
fn comment_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 0;
    while at + 1 < bytes.len() {
        match (bytes[at], bytes[at + 1]) {
            (b'(', b'*') => {
                depth += 1;
                at += 2;
            }
            (b'*', b')') => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => at += 1,
        }
    }
    None
}

/// A hint at the notation that replaces a meaningless character.
fn instead_of(character: char) -> &'static str {
    match character {
        '{' | '}' => " (expressions are grouped by `(` and `)`)",
        '%' => " (the remainder is `mod`)",
        '&' => " (`a` and `b` is written `if a then b else 0`)",
        '|' => " (`a` or `b` is written `if a then 1 else b`)",
        '.' => " (numbers are integers)",
        ':' => " (a cell is set by `:=`)",
        '\\' => " (a function is written `fn x => …`)",
        '#' => " (`#include` begins a line)",
        '\'' | '`' | '“' | '”' | '„' => " (a text stands between `\"` and `\"`)",
        '−' | '–' => " (subtraction is `-`, a minus sign is `~`)",
        _ => "",
    }
}
