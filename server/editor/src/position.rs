//! Positions of editors: lines from 0, and UTF-16 units in a line.

use grandstand_languages::Location;
use serde::{Deserialize, Serialize};

/// Position in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) character: u32,
}

/// Range of a text, without its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub(crate) struct Range {
    pub(crate) start: Position,
    pub(crate) end: Position,
}

/// Starts of the lines of a text.
#[derive(Debug)]
pub(crate) struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    pub(crate) fn new(text: &str) -> Self {
        let behind = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self { starts: std::iter::once(0).chain(behind).collect() }
    }

    /// Line of a byte, from 0.
    pub(crate) fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    /// Start and end of a line, without its line ending; those of the last line if there is no such line.
    pub(crate) fn bounds(&self, text: &str, line: usize) -> (usize, usize) {
        let line = line.min(self.starts.len() - 1);
        let start = self.starts[line];
        let end = self.starts.get(line + 1).map_or(text.len(), |next| next - 1);
        (start, start + text[start..end].trim_end_matches('\r').len())
    }

    /// Position of a byte.
    pub(crate) fn position(&self, text: &str, offset: usize) -> Position {
        let offset = floor(text, offset);
        let line = self.line(offset);
        Position { line: line as u32, character: units(&text[self.starts[line]..offset]) }
    }

    /// Byte at a position; the end of the line if the position is behind it, the end of the text if there is no such
    /// line.
    pub(crate) fn offset(&self, text: &str, position: Position) -> usize {
        if position.line as usize >= self.starts.len() {
            return text.len();
        }
        let (start, end) = self.bounds(text, position.line as usize);
        let mut left = position.character;
        for (at, c) in text[start..end].char_indices() {
            let width = c.len_utf16() as u32;
            if left < width {
                return start + at;
            }
            left -= width;
        }
        end
    }

    /// Range of bytes as positions.
    pub(crate) fn range(&self, text: &str, start: usize, end: usize) -> Range {
        Range { start: self.position(text, start), end: self.position(text, end) }
    }
}

/// Range that a location marks.
pub(crate) fn range_of(place: &Location) -> Range {
    let column = place.column.max(1) as usize - 1;
    let character = |chars: usize| place.source_line.chars().take(chars).map(|c| c.len_utf16() as u32).sum();
    let position = |chars: usize| Position { line: place.line.max(1) - 1, character: character(chars) };
    Range { start: position(column), end: position(column + place.width as usize) }
}

fn units(text: &str) -> u32 {
    text.chars().map(|c| c.len_utf16() as u32).sum()
}

fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_may_have_two_units() {
        let text = "a😀b\r\né\n";
        let lines = Lines::new(text);
        for (offset, line, character) in
            [(0, 0, 0), (1, 0, 1), (5, 0, 3), (6, 0, 4), (8, 1, 0), (10, 1, 1), (11, 2, 0)]
        {
            let position = Position { line, character };
            assert_eq!(lines.position(text, offset), position);
            assert_eq!(lines.offset(text, position), offset);
        }
        assert_eq!(
            lines.offset(text, Position { line: 0, character: 2 }),
            1,
            "within a character is before it"
        );
        assert_eq!(lines.offset(text, Position { line: 0, character: 99 }), 6, "behind a line is its end");
        assert_eq!(lines.offset(text, Position { line: 99, character: 99 }), text.len());
    }

    proptest::proptest! {
        #[test]
        fn every_byte_has_a_position_and_comes_back(text in "([a-zé😀]|\\n){0,30}", at in 0_usize..100) {
            let lines = Lines::new(&text);
            let offset = floor(&text, at);
            proptest::prop_assert_eq!(lines.offset(&text, lines.position(&text, at)), offset);
        }
    }
}
