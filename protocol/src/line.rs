//! Lines as words with their positions: parsing and writing.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::problem::Fault;
use crate::text::{Text, push_number};

/// Whether a byte is a blank between words: a space or a tab.
#[inline]
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// A reader of the bytes of one line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'a> {
    line: &'a [u8],
    at: usize,
}

/// A run of bytes that are not blank, and its offset in the line. Empty at the end of the line.
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

    /// Parses the next word as a whole number of type `T`.
    #[inline]
    pub(crate) fn int<T: Whole>(&mut self) -> Result<T, Fault> {
        self.word().int()
    }

    /// Everything after the single blank that ends the previous word, unchanged.
    pub(crate) fn verbatim(&mut self) -> Result<&'a str, Fault> {
        let start = (self.at + 1).min(self.line.len());
        self.at = self.line.len();
        Word { start, bytes: &self.line[start..] }.utf8()
    }

    /// [`Cursor::verbatim`] as a [`Text`].
    pub(crate) fn text(&mut self) -> Result<Text, Fault> {
        self.verbatim().map(Text::from_line)
    }

    /// Everything from the next word on, without blanks at the end.
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

    /// Checks that nothing but blanks is left.
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

    /// The fault that the whole word is wrong.
    pub(crate) fn fault(&self, expected: impl Into<Cow<'static, str>>) -> Fault {
        Fault::new(self.start, self.end(), expected)
    }

    /// The fault that the word is wrong from its byte `from` on.
    pub(crate) fn fault_from(&self, from: usize, expected: impl Into<Cow<'static, str>>) -> Fault {
        Fault::new(self.start + from, self.end(), expected)
    }

    /// The word as text.
    pub(crate) fn utf8(&self) -> Result<&'a str, Fault> {
        str::from_utf8(self.bytes).map_err(|error| {
            let bad = self.start + error.valid_up_to();
            Fault::new(bad, error.error_len().map_or(self.end(), |length| bad + length), "text in UTF-8")
        })
    }

    /// Parses the word with `FromStr`.
    pub(crate) fn parse<T: FromStr>(&self, expected: impl Into<Cow<'static, str>>) -> Result<T, Fault> {
        self.parse_or(|| expected.into())
    }

    /// Like [`Word::parse`], but the expected text is built only for a fault.
    pub(crate) fn parse_or<T: FromStr, E: Into<Cow<'static, str>>>(
        &self,
        expected: impl FnOnce() -> E,
    ) -> Result<T, Fault> {
        let parsed = str::from_utf8(self.bytes).ok().and_then(|text| text.parse().ok());
        parsed.ok_or_else(|| self.fault(expected()))
    }

    /// The value that the table assigns to the word.
    pub(crate) fn one_of<T: Copy>(&self, words: &[(&str, T)], expected: &'static str) -> Result<T, Fault> {
        let found = words.iter().find(|(word, _)| word.as_bytes() == self.bytes);
        found.map(|(_, value)| *value).ok_or_else(|| self.fault(expected))
    }

    /// Parses the word as a whole number of type `T`, where `~` and `-` both mean minus.
    #[inline]
    pub(crate) fn int<T: Whole>(&self) -> Result<T, Fault> {
        let int = integer(self.bytes).and_then(|number| number.try_into().ok());
        int.ok_or_else(|| self.out_of(&T::RANGE))
    }

    /// Parses the word as a whole number in a range.
    pub(crate) fn number(&self, range: RangeInclusive<i64>) -> Result<i64, Fault> {
        integer(self.bytes).filter(|number| range.contains(number)).ok_or_else(|| self.out_of(&range))
    }

    #[cold]
    fn out_of(&self, range: &RangeInclusive<i64>) -> Fault {
        let sign = |n: i64| if n < 0 { format!("~{}", n.unsigned_abs()) } else { n.to_string() };
        self.fault(format!("a whole number from {} to {}", sign(*range.start()), sign(*range.end())))
    }
}

/// A type of whole numbers in lines.
pub(crate) trait Whole: TryFrom<i64> {
    const RANGE: RangeInclusive<i64>;
}

macro_rules! whole {
    ($($type:ty),+) => {
        $(impl Whole for $type {
            const RANGE: RangeInclusive<i64> = <$type>::MIN as i64..=<$type>::MAX as i64;
        })+
    };
}

whole!(u8, u32, i32);

/// Parses a whole number: an optional `~` or `-`, then digits; `None` for anything else and for a number that is far too large.
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

/// Writes a whole number in canonical form, with `~` for minus.
pub(crate) fn push_integer(out: &mut String, number: i64) {
    if number < 0 {
        out.push('~');
    }
    push_number(out, number.unsigned_abs());
}

/// A line under construction: each method appends a word and returns the line.
pub(crate) struct Line<'a>(pub(crate) &'a mut String);

impl Line<'_> {
    #[inline]
    pub(crate) fn begin(self, name: &str) -> Self {
        self.0.push_str(name);
        self
    }

    #[inline]
    pub(crate) fn word(self, word: &str) -> Self {
        self.0.push(' ');
        self.0.push_str(word);
        self
    }

    #[inline]
    pub(crate) fn number(self, number: impl Into<i64>) -> Self {
        self.0.push(' ');
        push_integer(self.0, number.into());
        self
    }

    #[inline]
    pub(crate) fn display(self, word: impl Display) -> Self {
        // Writing to a string does not fail.
        let _ = write!(self.0, " {word}");
        self
    }
}
