//! Commands of games with stones as lines of text.

use super::point::POINT;
use super::{Command, Common, FORBIDDEN_MAX, Point, Size, Team};
use crate::line::{Cursor, Line, Word};
use crate::problem::Fault;
use crate::turn::{shared_names, text as turn};

/// Parses the rest of a line that begins with `name`.
#[inline]
pub(super) fn read(name: Word<'_>, cursor: &mut Cursor<'_>) -> Result<Command, Fault> {
    Ok(match name.bytes {
        b"move" => Command::Move { team: turn::team(cursor)?, point: point(cursor)? },
        b"set" => Command::Set { point: point(cursor)?, stone: stone(cursor)? },
        b"captures" => Command::Captures { team: turn::team(cursor)?, pairs: cursor.int()? },
        b"five" => Command::Five { from: point(cursor)?, to: point(cursor)? },
        b"forbid" => Command::Forbid { points: turn::several(cursor, FORBIDDEN_MAX, POINT)? },
        b"board" => Command::Board { size: size(cursor)? },
        _ => Command::Common(Common::parse(name, cursor, POINT)?.ok_or_else(|| name.fault(NAMES))?),
    })
}

const NAMES: &str = concat!("a command: board, set, move, captures, five, forbid, ", shared_names!());

fn point(cursor: &mut Cursor<'_>) -> Result<Point, Fault> {
    cursor.word().parse(POINT)
}

fn stone(cursor: &mut Cursor<'_>) -> Result<Option<Team>, Fault> {
    let stones = [("b", Some(Team::Black)), ("w", Some(Team::White)), ("e", None)];
    cursor.word().one_of(&stones, "b, w or e")
}

fn size(cursor: &mut Cursor<'_>) -> Result<Size, Fault> {
    let word = cursor.word();
    let number = word.number(0..=i64::from(u16::MAX)).ok().and_then(|size| Size::new(size as u16));
    number.ok_or_else(|| word.fault("an odd number from 5 to 999"))
}

impl Command {
    /// Appends the command's canonical line, without a line ending.
    pub fn write_line(&self, out: &mut String) {
        let line = Line(out);
        match self {
            Command::Board { size } => line.begin("board").number(size.get()),
            Command::Set { point, stone } => line.begin("set").display(point).word(match stone {
                Some(Team::Black) => "b",
                Some(Team::White) => "w",
                None => "e",
            }),
            Command::Move { team, point } => line.begin("move").word(team.name()).display(point),
            Command::Captures { team, pairs } => line.begin("captures").word(team.name()).number(*pairs),
            Command::Five { from, to } => line.begin("five").display(from).display(to),
            Command::Forbid { points } => points.iter().fold(line.begin("forbid"), Line::display),
            Command::Common(common) => common.write(line),
        };
    }
}
