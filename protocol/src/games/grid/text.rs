//! Grid commands as lines of text.

use super::place::PLACE;
use super::{Cell, Command, Place, SIZE_MAX, TeamName};
use crate::color::COLOR_NAMES;
use crate::line::{Cursor, push_integer};
use crate::problem::Fault;
use crate::team::TEAM_NAME;
use crate::text::Text;

/// Understands one line, which has neither a line feed nor carriage returns at its end.
pub(super) fn parse(line: &[u8]) -> Result<Command, Fault> {
    let mut cursor = Cursor::new(line);
    let name = cursor.word();
    let command = match name.bytes {
        b"cell" => cell(&mut cursor)?,
        b"size" => Command::Size { width: extent(&mut cursor)?, height: extent(&mut cursor)? },
        b"clear" => Command::Clear,
        b"score" => {
            let team = team(&mut cursor)?;
            let value = cursor.word().number(i64::from(i32::MIN)..=i64::from(i32::MAX))?;
            Command::Score { team, value: value as i32 }
        }
        b"step" => Command::Step { value: cursor.word().number(0..=i64::from(u32::MAX))? as u32 },
        b"say" => {
            let team = team(&mut cursor)?;
            return Ok(Command::Say { team, text: Text::from_line(cursor.verbatim()?) });
        }
        _ => return Err(name.fault("a command: size, cell, clear, score, step or say")),
    };
    cursor.end()?;
    Ok(command)
}

fn extent(cursor: &mut Cursor<'_>) -> Result<u8, Fault> {
    Ok(cursor.word().number(1..=i64::from(SIZE_MAX))? as u8)
}

fn team(cursor: &mut Cursor<'_>) -> Result<TeamName, Fault> {
    cursor.word().parse(TEAM_NAME)
}

fn cell(cursor: &mut Cursor<'_>) -> Result<Command, Fault> {
    let place = cursor.word();
    let at = Place::parse(place.bytes).ok_or_else(|| place.fault(PLACE))?;
    let word = cursor.word();
    if word.bytes.is_empty() {
        return Ok(Command::Cell { at, cell: None });
    }
    let glyph = word.parse("a glyph: one visible character")?;
    let word = cursor.word();
    let color = match word.bytes {
        b"" => None,
        _ => Some(word.parse(format!("a colour: {COLOR_NAMES}"))?),
    };
    Ok(Command::Cell { at, cell: Some(Cell { glyph, color }) })
}

impl Command {
    /// Appends the command's canonical line, without a line ending.
    pub fn write_line(&self, out: &mut String) {
        match self {
            Command::Size { width, height } => {
                out.push_str("size ");
                push_integer(out, i64::from(*width));
                out.push(' ');
                push_integer(out, i64::from(*height));
            }
            Command::Cell { at, cell } => {
                out.push_str("cell ");
                push_integer(out, i64::from(at.x()));
                out.push(',');
                push_integer(out, i64::from(at.y()));
                if let Some(Cell { glyph, color }) = cell {
                    out.push(' ');
                    out.push(glyph.as_char());
                    if let Some(color) = color {
                        out.push(' ');
                        out.push_str(color.name());
                    }
                }
            }
            Command::Clear => out.push_str("clear"),
            Command::Score { team, value } => {
                out.push_str("score ");
                out.push_str(team);
                out.push(' ');
                push_integer(out, i64::from(*value));
            }
            Command::Step { value } => {
                out.push_str("step ");
                push_integer(out, i64::from(*value));
            }
            Command::Say { team, text } => {
                out.push_str("say ");
                out.push_str(team);
                out.push(' ');
                out.push_str(text);
            }
        }
    }
}
