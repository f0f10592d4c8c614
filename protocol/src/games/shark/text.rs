//! λ-Shark commands as lines of text.

use super::map::{LETTER, ROW, parse_row};
use super::{
    Bot, ByTeam, Command, Draw, FullName, Ground, HEIGHT, Map, Place, Shot, Sprite, Team, TimeText, WIDTH,
    Who, Win,
};
use crate::line::{Cursor, Word, push_integer};
use crate::name;
use crate::problem::Fault;
use crate::text::Text;

/// Understands one line, which has neither a line feed nor carriage returns at its end.
pub(super) fn parse(line: &[u8]) -> Result<Command, Fault> {
    let mut cursor = Cursor::new(line);
    let name = cursor.word();
    let command = match name.bytes {
        b"draw" => Command::Draw(draw(&mut cursor)?),
        b"erase" => Command::Erase(place(&mut cursor)?),
        b"shot" => Command::Shot(shot(&mut cursor)?),
        b"stand" => stand(&mut cursor)?,
        b"map" => map(&mut cursor)?,
        b"spawn" => {
            Command::Spawn(both(&mut cursor, |word| Ok(word.number(0..=i64::from(u32::MAX))? as u32))?)
        }
        b"names" => {
            let [red, blue] = name::two(&mut cursor)?;
            Command::Names(ByTeam::new(red, blue))
        }
        b"score" => {
            let range = i64::from(i32::MIN)..=i64::from(i32::MAX);
            Command::Score(both(&mut cursor, |word| Ok(word.number(range.clone())? as i32))?)
        }
        b"win" => {
            let words: FullName = cursor.rest().parse("who won: red, blue, draw, or a text")?;
            Command::Win(Win::from(words))
        }
        b"time" => {
            let text = cursor.rest();
            let text = str::from_utf8(text.bytes).map_err(|error| {
                let from = error.valid_up_to();
                let end = error.error_len().map_or(text.end(), |length| text.start + from + length);
                Fault::new(text.start + from, end, "text in UTF-8")
            })?;
            return Ok(Command::Time { text: TimeText::trimmed(text) });
        }
        b"say" => {
            let team = team(&mut cursor)?;
            return Ok(Command::Say { team, text: Text::from_line(cursor.verbatim()?) });
        }
        _ => {
            let all = "a command: map, draw, erase, shot, spawn, names, score, win, time, say or stand";
            return Err(name.fault(all));
        }
    };
    cursor.end()?;
    Ok(command)
}

fn team(cursor: &mut Cursor<'_>) -> Result<Team, Fault> {
    cursor.word().parse("a team: red or blue")
}

fn place(cursor: &mut Cursor<'_>) -> Result<Place, Fault> {
    let x = cursor.word().number(0..=i64::from(WIDTH) - 1)?;
    let word = cursor.word();
    let y = word.number(0..=i64::from(HEIGHT) - 1)?;
    Place::new(x as u8, y as u8).ok_or_else(|| word.fault("a tile"))
}

/// One word for red and one for blue.
fn both<T>(
    cursor: &mut Cursor<'_>,
    read: impl Fn(Word<'_>) -> Result<T, Fault>,
) -> Result<ByTeam<Team, T>, Fault> {
    Ok(ByTeam::new(read(cursor.word())?, read(cursor.word())?))
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
            let pid = pid.number(0..=i64::from(u32::MAX))? as u32;
            let health = cursor.word().number(0..=i64::from(u8::MAX))? as u8;
            *who = Some(Who { pid, health });
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
    let word = cursor.word();
    let full = match word.bytes {
        b"full" => true,
        b"empty" => false,
        _ => return Err(word.fault("full or empty")),
    };
    Ok(Command::Stand { team, full })
}

impl Command {
    /// Appends the command's canonical line, without a line ending.
    pub fn write_line(&self, out: &mut String) {
        match self {
            Command::Map { rows } => {
                out.push_str("map");
                for row in rows.rows() {
                    out.push(' ');
                    out.push_str(&row);
                }
            }
            Command::Draw(Draw { at, sprite }) => {
                out.push_str("draw ");
                out.push_str(&sprite.image());
                push_place(out, *at);
                if let Sprite::Bot(Bot { who: Some(who), .. }) = sprite {
                    push_numbers(out, [i64::from(who.pid), i64::from(who.health)]);
                }
            }
            Command::Erase(at) => {
                out.push_str("erase");
                push_place(out, *at);
            }
            Command::Shot(shot) => {
                out.push_str("shot");
                push_place(out, shot.from());
                push_place(out, shot.to());
            }
            Command::Spawn(credits) => {
                out.push_str("spawn");
                push_numbers(out, Team::ALL.map(|team| i64::from(credits[team])));
            }
            Command::Names(names) => {
                name::push_two(out, Team::ALL.map(|team| &names[team]));
            }
            Command::Score(score) => {
                out.push_str("score");
                push_numbers(out, Team::ALL.map(|team| i64::from(score[team])));
            }
            Command::Win(win) => {
                out.push_str("win ");
                out.push_str(win.words());
            }
            Command::Time { text } => {
                out.push_str("time");
                if !text.text().is_empty() {
                    out.push(' ');
                    out.push_str(text.text());
                }
            }
            Command::Say { team, text } => {
                out.push_str("say ");
                out.push_str(team.name());
                out.push(' ');
                out.push_str(text);
            }
            Command::Stand { team, full } => {
                out.push_str("stand ");
                out.push_str(team.name());
                out.push_str(if *full { " full" } else { " empty" });
            }
        }
    }
}

fn push_place(out: &mut String, place: Place) {
    push_numbers(out, [i64::from(place.x()), i64::from(place.y())]);
}

/// Each number after a blank.
fn push_numbers(out: &mut String, numbers: [i64; 2]) {
    for number in numbers {
        out.push(' ');
        push_integer(out, number);
    }
}
