//! Riskless commands as lines of text.

use super::atlas::STEP;
use super::{Battle, Command, Common, Holding, MILLE, Map, March, Name, Road, Set, Team, Territory};
use crate::line::{Cursor, Line};
use crate::problem::Fault;
use crate::team::TwoTeams;
use crate::turn::{shared_names, text as turn};

/// Understands one line, which has neither a line feed nor carriage returns at its end.
pub(super) fn parse(line: &[u8]) -> Result<Command, Fault> {
    let mut cursor = Cursor::new(line);
    let name = cursor.word();
    let cursor = &mut cursor;
    let command = match name.bytes {
        b"set" => Command::Set(Set { territory: territory(cursor)?, holding: holding(cursor)? }),
        b"move" => Command::Move(March {
            team: turn::team(cursor)?,
            from: territory(cursor)?,
            to: territory(cursor)?,
        }),
        b"battle" => Command::Battle(Battle {
            territory: territory(cursor)?,
            attackers: armies(cursor)?,
            defenders: armies(cursor)?,
        }),
        b"road" => Command::Road(Road { a: territory(cursor)?, b: territory(cursor)? }),
        b"territory" => Command::Territory(Territory {
            id: territory(cursor)?,
            x: mille(cursor)?,
            y: mille(cursor)?,
            name: rest(cursor)?,
        }),
        b"map" => Command::Map(Map { cap: armies(cursor)?, goal: armies(cursor)?, title: rest(cursor)? }),
        _ => Command::Common(Common::parse(name, cursor, STEP)?.ok_or_else(|| name.fault(NAMES))?),
    };
    cursor.end()?;
    Ok(command)
}

const NAMES: &str = concat!("a command: map, territory, road, set, move, battle, ", shared_names!());

fn territory(cursor: &mut Cursor<'_>) -> Result<u8, Fault> {
    Ok(cursor.word().number(0..=i64::from(u8::MAX))? as u8)
}

fn armies(cursor: &mut Cursor<'_>) -> Result<u32, Fault> {
    Ok(cursor.word().number(0..=i64::from(u32::MAX))? as u32)
}

fn mille(cursor: &mut Cursor<'_>) -> Result<u16, Fault> {
    Ok(cursor.word().number(0..=i64::from(MILLE))? as u16)
}

fn holding(cursor: &mut Cursor<'_>) -> Result<Option<Holding>, Fault> {
    let word = cursor.word();
    if word.bytes == b"empty" {
        return Ok(None);
    }
    let team = str::from_utf8(word.bytes).ok().and_then(Team::named);
    let team = team.ok_or_else(|| word.fault("maxie, minnie or empty"))?;
    Ok(Some(Holding { team, armies: armies(cursor)? }))
}

/// The rest of the line as a name.
fn rest(cursor: &mut Cursor<'_>) -> Result<Name, Fault> {
    Ok(Name::from(cursor.verbatim()?))
}

impl Command {
    /// Appends the command's canonical line, without a line ending.
    pub fn write_line(&self, out: &mut String) {
        let mut line = Line(out);
        match self {
            Command::Map(Map { cap, goal, title }) => {
                line.begin("map");
                line.number(*cap);
                line.number(*goal);
                line.rest(title);
            }
            Command::Territory(Territory { id, x, y, name }) => {
                line.begin("territory");
                line.number(*id);
                line.number(*x);
                line.number(*y);
                line.rest(name);
            }
            Command::Road(Road { a, b }) => {
                line.begin("road");
                line.number(*a);
                line.number(*b);
            }
            Command::Set(Set { territory, holding }) => {
                line.begin("set");
                line.number(*territory);
                match holding {
                    Some(Holding { team, armies }) => {
                        line.word(team.name());
                        line.number(*armies);
                    }
                    None => line.word("empty"),
                }
            }
            Command::Move(March { team, from, to }) => {
                line.begin("move");
                line.word(team.name());
                line.number(*from);
                line.number(*to);
            }
            Command::Battle(Battle { territory, attackers, defenders }) => {
                line.begin("battle");
                line.number(*territory);
                line.number(*attackers);
                line.number(*defenders);
            }
            Command::Common(common) => common.write_line(line.0),
        }
    }
}

impl Line<'_> {
    /// A name at the end of the line, if there is one.
    fn rest(&mut self, name: &Name) {
        if !name.is_empty() {
            self.word(name);
        }
    }
}
