//! Grid commands as lines of text.

use super::coord::PLACE;
use super::{Cell, Command, Coord, SIZE_MAX, TeamName};
use crate::color::Color;
use crate::line::{Cursor, Line, Word, push_integer};
use crate::problem::Fault;
use crate::team::TEAM_NAME;

/// Parses the rest of a line that begins with `name`.
#[inline]
pub(super) fn read(name: Word<'_>, cursor: &mut Cursor<'_>) -> Result<Command, Fault> {
    Ok(match name.bytes {
        b"cell" => cell(cursor)?,
        b"size" => Command::Size { width: extent(cursor)?, height: extent(cursor)? },
        b"clear" => Command::Clear,
        b"score" => Command::Score { team: team(cursor)?, value: cursor.int()? },
        b"step" => Command::Step { value: cursor.int()? },
        b"say" => Command::Say { team: team(cursor)?, text: cursor.text()? },
        _ => return Err(name.fault("a command: size, cell, clear, score, step or say")),
    })
}

fn extent(cursor: &mut Cursor<'_>) -> Result<u8, Fault> {
    Ok(cursor.word().number(1..=i64::from(SIZE_MAX))? as u8)
}

fn team(cursor: &mut Cursor<'_>) -> Result<TeamName, Fault> {
    cursor.word().parse(TEAM_NAME)
}

fn cell(cursor: &mut Cursor<'_>) -> Result<Command, Fault> {
    let place = cursor.word();
    let at = Coord::parse(place.bytes).ok_or_else(|| place.fault(PLACE))?;
    let word = cursor.word();
    if word.bytes.is_empty() {
        return Ok(Command::Cell { at, cell: None });
    }
    let glyph = word.parse("a glyph: one visible character")?;
    let word = cursor.word();
    let color = match word.bytes {
        b"" => None,
        _ => Some(word.parse_or(|| format!("a colour: {}", Color::expected()))?),
    };
    Ok(Command::Cell { at, cell: Some(Cell { glyph, color }) })
}

impl Command {
    /// Appends the command's canonical line, without a line ending.
    pub fn write_line(&self, out: &mut String) {
        let line = Line(out);
        match self {
            Command::Size { width, height } => line.begin("size").number(*width).number(*height),
            Command::Cell { at, cell } => {
                let line = line.begin("cell").number(at.x());
                line.0.push(',');
                push_integer(line.0, at.y().into());
                match cell {
                    None => line,
                    Some(Cell { glyph, color: None }) => line.display(glyph.as_char()),
                    Some(Cell { glyph, color: Some(color) }) => {
                        line.display(glyph.as_char()).word(color.name())
                    }
                }
            }
            Command::Clear => line.begin("clear"),
            Command::Score { team, value } => line.begin("score").word(team).number(*value),
            Command::Step { value } => line.begin("step").number(*value),
            Command::Say { team, text } => line.begin("say").word(team).word(text),
        };
    }
}
