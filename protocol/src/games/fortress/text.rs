//! Steam Fortress commands as lines of text.

use super::{Command, Direction, Elevation, POINTS, Square, Team, UnitClass, Weapon};
use crate::line::{Cursor, Line, Word};
use crate::problem::Fault;

/// Parses the rest of a line that begins with `name`.
#[inline]
pub(super) fn read(name: Word<'_>, cursor: &mut Cursor<'_>) -> Result<Command, Fault> {
    Ok(match name.bytes {
        b"update" => Command::Update {
            id: cursor.int()?,
            at: place(cursor)?,
            facing: cursor.word().parse_or(Direction::expected)?,
            health: cursor.int()?,
        },
        b"shot" => Command::Shot {
            id: cursor.int()?,
            weapon: cursor.word().parse_or(Weapon::expected)?,
            stop: place(cursor)?,
            target: place(cursor)?,
        },
        b"hit" => Command::Hit { by: cursor.int()?, on: cursor.int()?, amount: cursor.int()? },
        b"cone" => Command::Cone { id: cursor.int()?, facing: cursor.word().parse_or(Direction::expected)? },
        b"axe" => Command::Axe { id: cursor.int()?, facing: cursor.word().parse_or(Direction::expected)? },
        b"capture" => Command::Capture { point: point(cursor)?, team: owner(cursor)?, millis: cursor.int()? },
        b"time" => Command::Time { millis: cursor.int()? },
        b"spawn" => Command::Spawn {
            id: cursor.int()?,
            team: team(cursor)?,
            at: place(cursor)?,
            facing: cursor.word().parse_or(Direction::expected)?,
            health: cursor.int()?,
            class: cursor.word().parse_or(UnitClass::expected)?,
        },
        b"remove" => Command::Remove { id: cursor.int()? },
        b"control" => Command::Control { point: point(cursor)?, owner: owner(cursor)? },
        b"say" => Command::Say { team: team(cursor)?, text: cursor.text()? },
        b"elevation" => {
            Command::Elevation { at: place(cursor)?, elevation: cursor.word().parse_or(Elevation::expected)? }
        }
        b"point" => Command::Point { point: point(cursor)?, at: place(cursor)?, owner: owner(cursor)? },
        b"init" => Command::Init,
        b"over" => Command::Over { winner: cursor.word().parse("red, blue or draw")? },
        _ => return Err(name.fault(NAMES)),
    })
}

const NAMES: &str = "a command: init, say, elevation, spawn, update, remove, point, control, over, shot, cone, axe, hit, \
                     capture or time";

fn point(cursor: &mut Cursor<'_>) -> Result<u8, Fault> {
    Ok(cursor.word().number(0..=i64::from(POINTS - 1))? as u8)
}

fn place(cursor: &mut Cursor<'_>) -> Result<Square, Fault> {
    const X: i64 = Square::X_MAX as i64;
    const Y: i64 = Square::Y_MAX as i64;
    let x = cursor.word().number(-X..=X)?;
    let word = cursor.word();
    let y = word.number(-Y..=Y)?;
    Square::new(x, y).ok_or_else(|| word.fault("a square of the board"))
}

fn team(cursor: &mut Cursor<'_>) -> Result<Team, Fault> {
    cursor.word().parse_or(Team::expected)
}

/// Parses a team or `none`.
fn owner(cursor: &mut Cursor<'_>) -> Result<Option<Team>, Fault> {
    let word = cursor.word();
    if word.bytes == b"none" {
        return Ok(None);
    }
    word.parse("red, blue or none").map(Some)
}

impl Command {
    /// Appends the command's canonical line, without a line ending.
    pub fn write_line(&self, out: &mut String) {
        let name = |team: &Option<Team>| team.map_or("none", Team::name);
        let line = Line(out);
        match self {
            Command::Init => line.begin("init"),
            Command::Say { team, text } => line.begin("say").word(team.name()).word(text),
            Command::Elevation { at, elevation } => {
                line.begin("elevation").square(*at).word(elevation.name())
            }
            Command::Spawn { id, team, at, facing, health, class } => {
                let line = line.begin("spawn").number(*id).word(team.name()).square(*at);
                line.word(facing.name()).number(*health).word(class.name())
            }
            Command::Update { id, at, facing, health } => {
                line.begin("update").number(*id).square(*at).word(facing.name()).number(*health)
            }
            Command::Remove { id } => line.begin("remove").number(*id),
            Command::Point { point, at, owner } => {
                line.begin("point").number(*point).square(*at).word(name(owner))
            }
            Command::Control { point, owner } => line.begin("control").number(*point).word(name(owner)),
            Command::Over { winner } => line.begin("over").word(winner.name()),
            Command::Shot { id, weapon, stop, target } => {
                line.begin("shot").number(*id).word(weapon.name()).square(*stop).square(*target)
            }
            Command::Cone { id, facing } => line.begin("cone").number(*id).word(facing.name()),
            Command::Axe { id, facing } => line.begin("axe").number(*id).word(facing.name()),
            Command::Hit { by, on, amount } => line.begin("hit").number(*by).number(*on).number(*amount),
            Command::Capture { point, team, millis } => {
                line.begin("capture").number(*point).word(name(team)).number(*millis)
            }
            Command::Time { millis } => line.begin("time").number(*millis),
        };
    }
}

impl Line<'_> {
    fn square(self, at: Square) -> Self {
        self.number(at.x()).number(at.y())
    }
}
