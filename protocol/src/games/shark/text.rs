//! λ-Shark commands as lines of text.

use super::map::{LETTER, ROW, parse_row};
use super::{
    Bot, BotStatus, ByTeam, Command, Draw, FullName, Ground, HEIGHT, Map, Shot, Sprite, Team, Tile, TimeText,
    WIDTH, Win,
};
use crate::line::{Cursor, Line, Word};
use crate::name;
use crate::problem::Fault;

/// Parses the rest of a line that begins with `name`.
#[inline]
pub(super) fn read(name: Word<'_>, cursor: &mut Cursor<'_>) -> Result<Command, Fault> {
    Ok(match name.bytes {
        b"draw" => Command::Draw(draw(cursor)?),
        b"erase" => Command::Erase(place(cursor)?),
        b"shot" => Command::Shot(shot(cursor)?),
        b"stand" => stand(cursor)?,
        b"map" => map(cursor)?,
        b"spawn" => Command::Spawn(ByTeam::new(cursor.int()?, cursor.int()?)),
        b"names" => Command::Names(name::both(cursor)?),
        b"score" => Command::Score(ByTeam::new(cursor.int()?, cursor.int()?)),
        b"win" => {
            let words: FullName = cursor.rest().parse("who won: red, blue, draw, or a text")?;
            Command::Win(Win::from(words))
        }
        b"time" => Command::Time { text: TimeText::trimmed(cursor.rest().utf8()?) },
        b"say" => Command::Say { team: team(cursor)?, text: cursor.text()? },
        _ => {
            let all = "a command: map, draw, erase, shot, spawn, names, score, win, time, say or stand";
            return Err(name.fault(all));
        }
    })
}

fn team(cursor: &mut Cursor<'_>) -> Result<Team, Fault> {
    cursor.word().parse("a team: red or blue")
}

fn place(cursor: &mut Cursor<'_>) -> Result<Tile, Fault> {
    let x = cursor.word().number(0..=i64::from(WIDTH) - 1)?;
    let word = cursor.word();
    let y = word.number(0..=i64::from(HEIGHT) - 1)?;
    Tile::new(x as u8, y as u8).ok_or_else(|| word.fault("a tile"))
}

fn map(cursor: &mut Cursor<'_>) -> Result<Command, Fault> {
    let mut rows = Vec::with_capacity(usize::from(HEIGHT));
    for _ in 0..HEIGHT {
        let word = cursor.word();
        let wrong = |&byte: &u8| Ground::from_letter(char::from(byte)).is_none();
        rows.push(parse_row(word.bytes).ok_or_else(|| match word.bytes.iter().position(wrong) {
            Some(from) if word.bytes.len() == usize::from(WIDTH) => word.fault_from(from, LETTER),
            _ => word.fault(ROW),
        })?);
    }
    let rows = Map::new(|place| rows[usize::from(place.y())][usize::from(place.x())]);
    Ok(Command::Map { rows })
}

fn draw(cursor: &mut Cursor<'_>) -> Result<Draw, Fault> {
    let image = cursor.word();
    let sprite = str::from_utf8(image.bytes).ok().and_then(Sprite::from_image);
    let expected =
        "an image: RED or BLUE, _LEFT, _RIGHT, _UP or _DOWN, then _FLAG or nothing; WALL or POWERUP_SPAWN";
    let mut sprite = sprite.ok_or_else(|| image.fault(expected))?;
    let at = place(cursor)?;
    if let Sprite::Bot(Bot { who, .. }) = &mut sprite {
        let pid = cursor.word();
        if !pid.bytes.is_empty() {
            *who = Some(BotStatus { pid: pid.int()?, health: cursor.int()? });
        }
    }
    Ok(Draw { at, sprite })
}

fn shot(cursor: &mut Cursor<'_>) -> Result<Shot, Fault> {
    let from = place(cursor)?;
    let mut rest = *cursor;
    let to = place(cursor)?;
    Shot::new(from, to).ok_or_else(|| rest.rest().fault("a tile in the same row or the same column"))
}

fn stand(cursor: &mut Cursor<'_>) -> Result<Command, Fault> {
    let team = team(cursor)?;
    let full = cursor.word().one_of(&[("full", true), ("empty", false)], "full or empty")?;
    Ok(Command::Stand { team, full })
}

impl Command {
    /// Appends the command's canonical line, without a line ending.
    pub fn write_line(&self, out: &mut String) {
        let line = Line(out);
        match self {
            Command::Map { rows } => rows.rows().fold(line.begin("map"), |line, row| line.word(&row)),
            Command::Draw(Draw { at, sprite }) => {
                let line = line.begin("draw").word(&sprite.image()).tile(*at);
                match sprite {
                    Sprite::Bot(Bot { who: Some(who), .. }) => line.number(who.pid).number(who.health),
                    _ => line,
                }
            }
            Command::Erase(at) => line.begin("erase").tile(*at),
            Command::Shot(shot) => line.begin("shot").tile(shot.from()).tile(shot.to()),
            Command::Spawn(credits) => {
                line.begin("spawn").number(credits[Team::Red]).number(credits[Team::Blue])
            }
            Command::Names(names) => line.names(names),
            Command::Score(score) => line.begin("score").number(score[Team::Red]).number(score[Team::Blue]),
            Command::Win(win) => line.begin("win").word(win.words()),
            Command::Time { text } if text.text().is_empty() => line.begin("time"),
            Command::Time { text } => line.begin("time").word(text.text()),
            Command::Say { team, text } => line.begin("say").word(team.name()).word(text),
            Command::Stand { team, full } => {
                line.begin("stand").word(team.name()).word(if *full { "full" } else { "empty" })
            }
        };
    }
}

impl Line<'_> {
    fn tile(self, place: Tile) -> Self {
        self.number(place.x()).number(place.y())
    }
}
