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

/// Starts of the lines of a text. A line ends at `\n`, `\r\n` or `\r`, as editors count.
#[derive(Debug)]
pub(crate) struct Lines {
    starts: Vec<usize>,
    /// Whether some line ends at `\r` alone, which is no end of a line in programs.
    has_returns: bool,
}

impl Lines {
    pub(crate) fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let is_return = |at: usize| bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
        let ends = (0..bytes.len()).filter(|&at| bytes[at] == b'\n' || is_return(at));
        let starts = std::iter::once(0).chain(ends.map(|at| at + 1)).collect();
        Self { starts, has_returns: (0..bytes.len()).any(is_return) }
    }

    /// Line of a byte, from 0.
    pub(crate) fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    /// Start and end of a line, without its line ending; those of the last line if there is no such line.
    pub(crate) fn bounds(&self, text: &str, line: usize) -> (usize, usize) {
        let line = line.min(self.starts.len() - 1);
        let start = self.starts[line];
        let end = self.starts.get(line + 1).map_or(text.len(), |next| *next);
        (start, start + text[start..end].trim_end_matches(['\r', '\n']).len())
    }

    /// Position of a byte.
    pub(crate) fn position(&self, text: &str, offset: usize) -> Position {
        let offset = text.floor_char_boundary(offset);
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

    /// Range that a location in the text marks.
    pub(crate) fn range_of(&self, text: &str, place: &Location) -> Range {
        if !self.has_returns {
            return range_of(place);
        }
        let above = place.line.max(1) as usize - 1;
        let start: usize = text.split_inclusive('\n').take(above).map(str::len).sum();
        let byte = |chars: u32| {
            let skipped = text[start..].chars().take(chars as usize).map(char::len_utf8);
            start + skipped.sum::<usize>()
        };
        let column = place.column.max(1) - 1;
        self.range(text, byte(column), byte(column.saturating_add(place.width)))
    }

    /// Range of bytes as positions.
    pub(crate) fn range(&self, text: &str, start: usize, end: usize) -> Range {
        Range { start: self.position(text, start), end: self.position(text, end) }
    }
}

/// Range that a location marks in a text whose lines end at `\n` or `\r\n`.
pub(crate) fn range_of(place: &Location) -> Range {
    let column = place.column.max(1) as usize - 1;
    let character = |chars: usize| place.source_line.chars().take(chars).map(|c| c.len_utf16() as u32).sum();
    let position = |chars: usize| Position { line: place.line.max(1) - 1, character: character(chars) };
    Range { start: position(column), end: position(column + place.width as usize) }
}

fn units(text: &str) -> u32 {
    text.chars().map(|c| c.len_utf16() as u32).sum()
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

    #[test]
    fn a_return_alone_ends_a_line() {
        let text = "a\rbc\r\nd";
        let lines = Lines::new(text);
        for (offset, line, character) in [(0, 0, 0), (1, 0, 1), (2, 1, 0), (4, 1, 2), (6, 2, 0), (7, 2, 1)] {
            let position = Position { line, character };
            assert_eq!((lines.position(text, offset), lines.offset(text, position)), (position, offset));
        }
        // For programs it is a blank: `bc` stands in their first line.
        let place = Location { file: "a".into(), line: 1, column: 3, source_line: "a\rbc".into(), width: 2 };
        let (start, end) = (Position { line: 1, character: 0 }, Position { line: 1, character: 2 });
        assert_eq!(lines.range_of(text, &place), Range { start, end });
    }

    proptest::proptest! {
        #[test]
        fn every_byte_has_a_position_and_comes_back(text in "([a-zé😀]|\\n|\\ra){0,30}", at in 0_usize..100) {
            let lines = Lines::new(&text);
            let offset = text.floor_char_boundary(at);
            proptest::prop_assert_eq!(lines.offset(&text, lines.position(&text, at)), offset);
        }
    }
}
