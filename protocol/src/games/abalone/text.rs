//! Abalone commands as lines of text.

use super::{Command, Facing, Hex, Piece, Team};
use crate::line::{Cursor, Word, push_integer};
use crate::problem::Fault;
use crate::text::Text;

/// Understands one line, which has neither a line feed nor carriage returns at its end.
pub(super) fn parse(line: &[u8]) -> Result<Command, Fault> {
    let mut cursor = Cursor::new(line);
    let name = cursor.word();
    let command = match name.bytes {
        b"set" => set(&mut cursor)?,
        b"bsay" => return say(Team::Black, &mut cursor),
        b"wsay" => return say(Team::White, &mut cursor),
        b"bscore" => score(Team::Black, cursor.word())?,
        b"wscore" => score(Team::White, cursor.word())?,
        b"turns" => turns(cursor.word())?,
        _ => return Err(name.fault("a command: bsay, wsay, bscore, wscore, turns or set")),
    };
    cursor.end()?;
    Ok(command)
}

fn say(team: Team, cursor: &mut Cursor<'_>) -> Result<Command, Fault> {
    let text = cursor.verbatim()?;
    Ok(Command::Say { team, text: Text::from_line(text) })
}

fn score(team: Team, word: Word<'_>) -> Result<Command, Fault> {
    let value = word.number(i64::from(i32::MIN)..=i64::from(i32::MAX))?;
    Ok(Command::Score { team, value: value as i32 })
}

fn turns(word: Word<'_>) -> Result<Command, Fault> {
    Ok(Command::Turns { value: word.number(0..=i64::from(u32::MAX))? as u32 })
}

fn set(cursor: &mut Cursor<'_>) -> Result<Command, Fault> {
    let position = cursor.word();
    let hex = Hex::parse(position.bytes).map_err(|(from, expected)| position.fault_from(from, expected))?;
    let content = cursor.word();
    let piece = match content.bytes {
        b"e" => None,
        [team @ (b'b' | b'w'), facing @ b'0'..=b'6'] => Some(Piece {
            team: if *team == b'b' { Team::Black } else { Team::White },
            facing: Facing::ALL[usize::from(facing - b'0')],
        }),
        [b'b' | b'w', ..] => return Err(content.fault_from(1, "a direction from 0 to 6")),
        _ => return Err(content.fault("e for an empty hex, or b or w and a direction from 0 to 6")),
    };
    Ok(Command::Set { hex, piece })
}

impl Command {
    /// Appends the command's canonical line, without a line ending.
    pub fn write_line(&self, out: &mut String) {
        let letter = |team: &Team| match team {
            Team::Black => 'b',
            Team::White => 'w',
        };
        match self {
            Command::Say { team, text } => {
                out.push(letter(team));
                out.push_str("say ");
                out.push_str(text);
            }
            Command::Score { team, value } => {
                out.push(letter(team));
                out.push_str("score ");
                push_integer(out, i64::from(*value));
            }
            Command::Turns { value } => {
                out.push_str("turns ");
                push_integer(out, i64::from(*value));
            }
            Command::Set { hex, piece } => {
                out.push_str("set ");
                hex.push_text(out);
                out.push(' ');
                match piece {
                    None => out.push('e'),
                    Some(Piece { team, facing }) => {
                        out.push(letter(team));
                        out.push(char::from(b'0' + facing.number()));
                    }
                }
            }
        }
    }
}
