//! Steam Fortress commands as lines of text.

use super::{Command, Direction, Elevation, POINTS, Place, Team, UnitClass, Weapon};
use crate::line::{Cursor, Line};
use crate::problem::Fault;
use crate::text::Text;

/// Understands one line, which has neither a line feed nor carriage returns at its end.
pub(super) fn parse(line: &[u8]) -> Result<Command, Fault> {
    let mut cursor = Cursor::new(line);
    let name = cursor.word();
    let cursor = &mut cursor;
    let command = match name.bytes {
        b"update" => Command::Update {
            id: id(cursor)?,
            at: place(cursor)?,
            facing: cursor.word().parse(Direction::EXPECTED)?,
            health: whole(cursor)?,
        },
        b"shot" => Command::Shot {
            id: id(cursor)?,
            weapon: cursor.word().parse(Weapon::EXPECTED)?,
            stop: place(cursor)?,
            target: place(cursor)?,
        },
        b"hit" => Command::Hit { by: id(cursor)?, on: id(cursor)?, amount: whole(cursor)? },
        b"cone" => Command::Cone { id: id(cursor)?, facing: cursor.word().parse(Direction::EXPECTED)? },
        b"axe" => Command::Axe { id: id(cursor)?, facing: cursor.word().parse(Direction::EXPECTED)? },
        b"capture" => Command::Capture { point: point(cursor)?, team: owner(cursor)?, millis: id(cursor)? },
        b"time" => Command::Time { millis: id(cursor)? },
        b"spawn" => Command::Spawn {
            id: id(cursor)?,
            team: team(cursor)?,
            at: place(cursor)?,
            facing: cursor.word().parse(Direction::EXPECTED)?,
            health: whole(cursor)?,
            class: cursor.word().parse(UnitClass::EXPECTED)?,
        },
        b"remove" => Command::Remove { id: id(cursor)? },
        b"control" => Command::Control { point: point(cursor)?, owner: owner(cursor)? },
        b"say" => {
            let team = team(cursor)?;
            return Ok(Command::Say { team, text: Text::from_line(cursor.verbatim()?) });
        }
        b"elevation" => {
            Command::Elevation { at: place(cursor)?, elevation: cursor.word().parse(Elevation::EXPECTED)? }
        }
        b"point" => Command::Point { point: point(cursor)?, at: place(cursor)?, owner: owner(cursor)? },
        b"init" => Command::Init,
        b"over" => Command::Over { winner: cursor.word().parse("red, blue or draw")? },
        _ => return Err(name.fault(NAMES)),
    };
    cursor.end()?;
    Ok(command)
}

const NAMES: &str = "a command: init, say, elevation, spawn, update, remove, point, control, over, shot, cone, axe, hit, \
                     capture or time";

/// A unit's number, or a number of milliseconds.
fn id(cursor: &mut Cursor<'_>) -> Result<u32, Fault> {
    Ok(cursor.word().number(0..=i64::from(u32::MAX))? as u32)
}

fn whole(cursor: &mut Cursor<'_>) -> Result<i32, Fault> {
    Ok(cursor.word().number(i64::from(i32::MIN)..=i64::from(i32::MAX))? as i32)
}

fn point(cursor: &mut Cursor<'_>) -> Result<u8, Fault> {
    Ok(cursor.word().number(0..=i64::from(POINTS - 1))? as u8)
}

fn place(cursor: &mut Cursor<'_>) -> Result<Place, Fault> {
    const X: i64 = Place::X_MAX as i64;
    const Y: i64 = Place::Y_MAX as i64;
    let x = cursor.word().number(-X..=X)?;
    let word = cursor.word();
    let y = word.number(-Y..=Y)?;
    Place::new(x, y).ok_or_else(|| word.fault("a square of the board"))
}

fn team(cursor: &mut Cursor<'_>) -> Result<Team, Fault> {
    cursor.word().parse("red or blue")
}

/// A team, or `none`.
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
        let mut line = Line(out);
        match self {
            Command::Init => line.begin("init"),
            Command::Say { team, text } => {
                line.begin("say");
                line.word(team.name());
                line.word(text);
            }
            Command::Elevation { at, elevation } => {
                line.begin("elevation");
                line.place(*at);
                line.word(elevation.name());
            }
            Command::Spawn { id, team, at, facing, health, class } => {
                line.begin("spawn");
                line.number(*id);
                line.word(team.name());
                line.place(*at);
                line.word(facing.name());
                line.number(*health);
                line.word(class.name());
            }
            Command::Update { id, at, facing, health } => {
                line.begin("update");
                line.number(*id);
                line.place(*at);
                line.word(facing.name());
                line.number(*health);
            }
            Command::Remove { id } => {
                line.begin("remove");
                line.number(*id);
            }
            Command::Point { point, at, owner } => {
                line.begin("point");
                line.number(*point);
                line.place(*at);
                line.word(name(owner));
            }
            Command::Control { point, owner } => {
                line.begin("control");
                line.number(*point);
                line.word(name(owner));
            }
            Command::Over { winner } => {
                line.begin("over");
                line.word(winner.name());
            }
            Command::Shot { id, weapon, stop, target } => {
                line.begin("shot");
                line.number(*id);
                line.word(weapon.name());
                line.place(*stop);
                line.place(*target);
            }
            Command::Cone { id, facing } => {
                line.begin("cone");
                line.number(*id);
                line.word(facing.name());
            }
            Command::Axe { id, facing } => {
                line.begin("axe");
                line.number(*id);
                line.word(facing.name());
            }
            Command::Hit { by, on, amount } => {
                line.begin("hit");
                line.number(*by);
                line.number(*on);
                line.number(*amount);
            }
            Command::Capture { point, team, millis } => {
                line.begin("capture");
                line.number(*point);
                line.word(name(team));
                line.number(*millis);
            }
            Command::Time { millis } => {
                line.begin("time");
                line.number(*millis);
            }
        }
    }
}

impl Line<'_> {
    fn place(&mut self, at: Place) {
        self.number(at.x());
        self.number(at.y());
    }
}
