//! Riskless commands as lines of text.

use super::atlas::STEP;
use super::{Battle, Command, Common, Holding, MILLE, Map, March, Name, Road, Set, Team, Territory};
use crate::line::{Cursor, Line, Word};
use crate::problem::Fault;
use crate::turn::{shared_names, text as turn};

/// Parses the rest of a line that begins with `name`.
#[inline]
pub(super) fn read(name: Word<'_>, cursor: &mut Cursor<'_>) -> Result<Command, Fault> {
    Ok(match name.bytes {
        b"set" => Command::Set(Set { territory: cursor.int()?, holding: holding(cursor)? }),
        b"move" => Command::Move(March { team: turn::team(cursor)?, from: cursor.int()?, to: cursor.int()? }),
        b"battle" => Command::Battle(Battle {
            territory: cursor.int()?,
            attackers: cursor.int()?,
            defenders: cursor.int()?,
        }),
        b"road" => Command::Road(Road { a: cursor.int()?, b: cursor.int()? }),
        b"territory" => Command::Territory(Territory {
            id: cursor.int()?,
            x: mille(cursor)?,
            y: mille(cursor)?,
            name: rest(cursor)?,
        }),
        b"map" => Command::Map(Map { cap: cursor.int()?, goal: cursor.int()?, title: rest(cursor)? }),
        _ => Command::Common(Common::parse(name, cursor, STEP)?.ok_or_else(|| name.fault(NAMES))?),
    })
}

const NAMES: &str = concat!("a command: map, territory, road, set, move, battle, ", shared_names!());

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
    Ok(Some(Holding { team, armies: cursor.int()? }))
}

/// Parses the rest of the line as a name.
fn rest(cursor: &mut Cursor<'_>) -> Result<Name, Fault> {
    Ok(Name::from(cursor.verbatim()?))
}

impl Command {
    /// Appends the command's canonical line, without a line ending.
    pub fn write_line(&self, out: &mut String) {
        let line = Line(out);
        match self {
            Command::Map(Map { cap, goal, title }) => {
                line.begin("map").number(*cap).number(*goal).rest(title)
            }
            Command::Territory(Territory { id, x, y, name }) => {
                line.begin("territory").number(*id).number(*x).number(*y).rest(name)
            }
            Command::Road(Road { a, b }) => line.begin("road").number(*a).number(*b),
            Command::Set(Set { territory, holding }) => {
                let line = line.begin("set").number(*territory);
                match holding {
                    Some(Holding { team, armies }) => line.word(team.name()).number(*armies),
                    None => line.word("empty"),
                }
            }
            Command::Move(March { team, from, to }) => {
                line.begin("move").word(team.name()).number(*from).number(*to)
            }
            Command::Battle(Battle { territory, attackers, defenders }) => {
                line.begin("battle").number(*territory).number(*attackers).number(*defenders)
            }
            Command::Common(common) => common.write(line),
        };
    }
}

impl Line<'_> {
    fn rest(self, name: &Name) -> Self {
        if name.is_empty() { self } else { self.word(name) }
    }
}
