//! Taking a line apart into words, with the place of each, and putting one together.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::problem::Fault;

/// A blank between words: a space or a tab.
#[inline]
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Walks over the bytes of one line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'a> {
    line: &'a [u8],
    at: usize,
}

/// A run of bytes that are not blank, and where it begins. Empty at the end of the line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Word<'a> {
    pub(crate) start: usize,
    pub(crate) bytes: &'a [u8],
}

impl<'a> Cursor<'a> {
    #[inline]
    pub(crate) fn new(line: &'a [u8]) -> Cursor<'a> {
        Cursor { line, at: 0 }
    }

    #[inline]
    fn skip_blanks(&mut self) {
        while self.line.get(self.at).copied().is_some_and(is_blank) {
            self.at += 1;
        }
    }

    /// The next word, after any blanks.
    #[inline]
    pub(crate) fn word(&mut self) -> Word<'a> {
        self.skip_blanks();
        let start = self.at;
        while self.line.get(self.at).is_some_and(|&byte| !is_blank(byte)) {
            self.at += 1;
        }
        Word { start, bytes: &self.line[start..self.at] }
    }

    /// Everything after the one blank that ends the word before, as it is.
    pub(crate) fn verbatim(&mut self) -> Result<&'a str, Fault> {
        let start = (self.at + 1).min(self.line.len());
        self.at = self.line.len();
        str::from_utf8(&self.line[start..]).map_err(|error| {
            let bad = start + error.valid_up_to();
            Fault::new(bad, bad + error.error_len().unwrap_or(self.line.len() - bad), "text in UTF-8")
        })
    }

    /// Everything from the next word on, without the blanks at the end, and where it begins.
    pub(crate) fn rest(&mut self) -> Word<'a> {
        self.skip_blanks();
        let start = self.at;
        self.at = self.line.len();
        let mut end = self.line.len();
        while end > start && is_blank(self.line[end - 1]) {
            end -= 1;
        }
        Word { start, bytes: &self.line[start..end] }
    }

    /// Nothing but blanks may be left.
    #[inline]
    pub(crate) fn end(&mut self) -> Result<(), Fault> {
        let rest = self.rest();
        if rest.bytes.is_empty() { Ok(()) } else { Err(rest.fault("the end of the line")) }
    }
}

impl<'a> Word<'a> {
    pub(crate) fn end(&self) -> usize {
        self.start + self.bytes.len()
    }

    /// The whole word is wrong.
    pub(crate) fn fault(&self, expected: impl Into<Cow<'static, str>>) -> Fault {
        Fault::new(self.start, self.end(), expected)
    }

    /// The word from its byte `from` on is wrong.
    pub(crate) fn fault_from(&self, from: usize, expected: impl Into<Cow<'static, str>>) -> Fault {
        Fault::new(self.start + from, self.end(), expected)
    }

    /// The word as what `T` reads from text.
    pub(crate) fn parse<T: FromStr>(&self, expected: impl Into<Cow<'static, str>>) -> Result<T, Fault> {
        let parsed = str::from_utf8(self.bytes).ok().and_then(|text| text.parse().ok());
        parsed.ok_or_else(|| self.fault(expected))
    }

    /// The word as a whole number of the range, where `~` and `-` both mean minus.
    pub(crate) fn number(&self, range: RangeInclusive<i64>) -> Result<i64, Fault> {
        integer(self.bytes).filter(|number| range.contains(number)).ok_or_else(|| {
            let sign = |n: i64| if n < 0 { format!("~{}", n.unsigned_abs()) } else { n.to_string() };
            self.fault(format!("a whole number from {} to {}", sign(*range.start()), sign(*range.end())))
        })
    }
}

/// A whole number: an optional `~` or `-`, then digits; `None` for anything else and for what is far too large.
#[inline]
pub(crate) fn integer(bytes: &[u8]) -> Option<i64> {
    let (negative, digits) = match bytes {
        [b'~' | b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.is_empty() {
        return None;
    }
    let mut number: i64 = 0;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        number = number.checked_mul(10)?.checked_add(i64::from(digit - b'0'))?;
    }
    Some(if negative { -number } else { number })
}

/// Writes a whole number the canonical way, with `~` for minus.
pub(crate) fn push_integer(out: &mut String, number: i64) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    let mut left = number.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    if number < 0 {
        out.push('~');
    }
    out.extend(digits[at..].iter().map(|&digit| char::from(digit)));
}

/// A line that is being written, word by word.
pub(crate) struct Line<'a>(pub(crate) &'a mut String);

impl Line<'_> {
    pub(crate) fn begin(&mut self, name: &str) {
        self.0.push_str(name);
    }

    pub(crate) fn word(&mut self, word: &str) {
        self.0.push(' ');
        self.0.push_str(word);
    }

    pub(crate) fn number(&mut self, number: impl Into<i64>) {
        self.0.push(' ');
        push_integer(self.0, number.into());
    }

    pub(crate) fn display(&mut self, word: impl Display) {
        // Writing to a string does not fail.
        let _ = write!(self.0, " {word}");
    }
}
