//! Commands of games with stones as lines of text.

use super::point::POINT;
use super::{Command, Common, FORBIDDEN_MAX, Point, Size, Team};
use crate::line::{Cursor, Line};
use crate::problem::Fault;
use crate::turn::{shared_names, text as turn};

/// Understands one line, which has neither a line feed nor carriage returns at its end.
pub(super) fn parse(line: &[u8]) -> Result<Command, Fault> {
    let mut cursor = Cursor::new(line);
    let name = cursor.word();
    let cursor = &mut cursor;
    let command = match name.bytes {
        b"move" => Command::Move { team: turn::team(cursor)?, point: point(cursor)? },
        b"set" => Command::Set { point: point(cursor)?, stone: stone(cursor)? },
        b"captures" => {
            let team = turn::team(cursor)?;
            Command::Captures { team, pairs: cursor.word().number(0..=i64::from(u32::MAX))? as u32 }
        }
        b"five" => Command::Five { from: point(cursor)?, to: point(cursor)? },
        b"forbid" => Command::Forbid { points: turn::several(cursor, FORBIDDEN_MAX, POINT)? },
        b"board" => Command::Board { size: size(cursor)? },
        _ => Command::Common(Common::parse(name, cursor, POINT)?.ok_or_else(|| name.fault(NAMES))?),
    };
    cursor.end()?;
    Ok(command)
}

const NAMES: &str = concat!("a command: board, set, move, captures, five, forbid, ", shared_names!());

fn point(cursor: &mut Cursor<'_>) -> Result<Point, Fault> {
    cursor.word().parse(POINT)
}

fn stone(cursor: &mut Cursor<'_>) -> Result<Option<Team>, Fault> {
    let word = cursor.word();
    match word.bytes {
        b"b" => Ok(Some(Team::Black)),
        b"w" => Ok(Some(Team::White)),
        b"e" => Ok(None),
        _ => Err(word.fault("b, w or e")),
    }
}

fn size(cursor: &mut Cursor<'_>) -> Result<Size, Fault> {
    let word = cursor.word();
    let number = word.number(0..=i64::from(u16::MAX)).ok().and_then(|size| Size::new(size as u16));
    number.ok_or_else(|| word.fault("an odd number from 5 to 999"))
}

impl Command {
    /// Appends the command's canonical line, without a line ending.
    pub fn write_line(&self, out: &mut String) {
        let mut line = Line(out);
        match self {
            Command::Board { size } => {
                line.begin("board");
                line.number(size.get());
            }
            Command::Set { point, stone } => {
                line.begin("set");
                line.display(point);
                line.word(match stone {
                    Some(Team::Black) => "b",
                    Some(Team::White) => "w",
                    None => "e",
                });
            }
            Command::Move { team, point } => {
                line.begin("move");
                line.word(team.name());
                line.display(point);
            }
            Command::Captures { team, pairs } => {
                line.begin("captures");
                line.word(team.name());
                line.number(*pairs);
            }
            Command::Five { from, to } => {
                line.begin("five");
                line.display(from);
                line.display(to);
            }
            Command::Forbid { points } => {
                line.begin("forbid");
                points.iter().for_each(|point| line.display(point));
            }
            Command::Common(common) => common.write_line(line.0),
        }
    }
}
