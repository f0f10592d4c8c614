//! Abalone commands as lines of text.

use super::{Command, Facing, Hex, Piece, Team};
use crate::line::{Cursor, Line, Word};
use crate::problem::Fault;

/// Parses the rest of a line that begins with `name`.
#[inline]
pub(super) fn read(name: Word<'_>, cursor: &mut Cursor<'_>) -> Result<Command, Fault> {
    Ok(match name.bytes {
        b"set" => set(cursor)?,
        b"bsay" => Command::Say { team: Team::Black, text: cursor.text()? },
        b"wsay" => Command::Say { team: Team::White, text: cursor.text()? },
        b"bscore" => Command::Score { team: Team::Black, value: cursor.int()? },
        b"wscore" => Command::Score { team: Team::White, value: cursor.int()? },
        b"turns" => Command::Turns { value: cursor.int()? },
        _ => return Err(name.fault("a command: bsay, wsay, bscore, wscore, turns or set")),
    })
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
    #[inline]
    pub fn write_line(&self, out: &mut String) {
        let line = Line(out);
        match self {
            Command::Say { team: Team::Black, text } => line.begin("bsay").word(text),
            Command::Say { team: Team::White, text } => line.begin("wsay").word(text),
            Command::Score { team: Team::Black, value } => line.begin("bscore").number(*value),
            Command::Score { team: Team::White, value } => line.begin("wscore").number(*value),
            Command::Turns { value } => line.begin("turns").number(*value),
            Command::Set { hex, piece } => line.set(*hex, *piece),
        };
    }
}

impl Line<'_> {
    /// Writes `set` character by character, for speed: nearly all lines of a match are `set` lines.
    #[inline]
    fn set(self, hex: Hex, piece: Option<Piece>) -> Self {
        self.0.push_str("set ");
        hex.push_text(self.0);
        match piece {
            None => self.0.push_str(" e"),
            Some(Piece { team, facing }) => {
                self.0.push_str(if team == Team::Black { " b" } else { " w" });
                self.0.push(char::from(b'0' + facing.number()));
            }
        }
        self
    }
}
