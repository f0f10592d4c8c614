//! Boards as text, and the tests of that.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use grandstand_protocol::abalone::{Facing, Hex, Team};
use grandstand_rules::Pid;
use grandstand_rules::abalone::Bot;
use proptest::prelude::*;
use thiserror::Error;

/// The pieces on a board, drawn as text.
///
/// The diagram has nine lines from I down to A, each its letter and then its hexes from the left, in the layout of the handout's
/// figure 1. A hex is `.`, or a piece in the notation of the graphics commands with its pid before it: `7w3`
/// is white's piece of pid 7, committed to up-left; `w` alone has no committed move and gets the lowest free
/// pid. A `;` begins a comment, and blanks are separators.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Diagram {
    /// The pieces, by ascending pid.
    pub(crate) bots: Vec<Bot>,
}

/// An error in the text of a [`Diagram`]. Lines and columns count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum DiagramError {
    /// A row is missing, or in the wrong place.
    #[error("line {line}: expected row {expected}, found {found:?}")]
    Row {
        /// The line.
        line: usize,
        /// The expected letter at its beginning.
        expected: char,
        /// The text at its beginning; empty at the end of the text.
        found: String,
    },
    /// A row has too few or too many hexes.
    #[error("line {line}: row {row} has {expected} hexes, found {found}")]
    Length {
        /// The line.
        line: usize,
        /// The row's letter.
        row: char,
        /// The number of hexes of the row on the board.
        expected: usize,
        /// The number of hexes in the text.
        found: usize,
    },
    /// A hex is neither empty nor a piece.
    #[error("line {line}, column {column}: {found:?} is not a hex; expected `.` or [pid](b|w)[0-6]")]
    Token {
        /// The line.
        line: usize,
        /// The column, in characters.
        column: usize,
        /// The text that is not a hex.
        found: String,
    },
}

impl FromStr for Diagram {
    type Err = DiagramError;

    fn from_str(text: &str) -> Result<Self, DiagramError> {
        let mut lines = text
            .lines()
            .enumerate()
            .map(|(index, line)| (index + 1, line.split(';').next().unwrap_or_default()))
            .filter(|(_, line)| !line.trim().is_empty());
        let mut found = Vec::new();
        for row in (-4_i8..=4).rev() {
            let letter = row_letter(row);
            let (number, line) = lines.next().unwrap_or((text.lines().count() + 1, ""));
            let mut tokens = tokens(line);
            match tokens.next() {
                Some((_, token)) if token == letter.to_string() => {}
                other => {
                    let found = other.map(|(_, token)| token.to_owned()).unwrap_or_default();
                    return Err(DiagramError::Row { line: number, expected: letter, found });
                }
            }
            let hexes = hexes_of(row);
            let tokens: Vec<(usize, &str)> = tokens.collect();
            if tokens.len() != hexes.len() {
                let (expected, found) = (hexes.len(), tokens.len());
                return Err(DiagramError::Length { line: number, row: letter, expected, found });
            }
            for (hex, (column, token)) in hexes.into_iter().zip(tokens) {
                let piece = piece(token).ok_or_else(|| DiagramError::Token {
                    line: number,
                    column,
                    found: token.to_owned(),
                })?;
                found.extend(piece.map(|(pid, team, commit)| (pid, team, hex, commit)));
            }
        }
        if let Some((line, rest)) = lines.next() {
            let (column, token) = tokens(rest).next().unwrap_or((1, rest));
            return Err(DiagramError::Token { line, column, found: token.to_owned() });
        }
        Ok(Self { bots: number(found) })
    }
}

/// Assigns the lowest free pids to the pieces without one, in the order of the text.
fn number(found: Vec<(Option<Pid>, Team, Hex, Facing)>) -> Vec<Bot> {
    let taken: BTreeSet<u32> = found.iter().filter_map(|(pid, ..)| pid.map(|pid| pid.0)).collect();
    let mut free = (1..).filter(|n| !taken.contains(n)).map(Pid);
    let mut bots: Vec<Bot> = found
        .into_iter()
        .filter_map(|(pid, team, hex, commit)| {
            Some(Bot { pid: pid.or_else(|| free.next())?, team, hex, commit })
        })
        .collect();
    bots.sort_by_key(|bot| bot.pid);
    bots
}

/// The words of a line with their columns.
fn tokens(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.split_whitespace().map(move |token| {
        let bytes = token.as_ptr() as usize - line.as_ptr() as usize;
        (line[..bytes].chars().count() + 1, token)
    })
}

/// Parses a word: `Some(None)` for an empty hex, `None` for an error.
#[expect(clippy::option_option, reason = "a word that is wrong and a hex that is empty differ")]
fn piece(token: &str) -> Option<Option<(Option<Pid>, Team, Facing)>> {
    if token == "." {
        return Some(None);
    }
    let digits = token.len() - token.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (pid, rest) = token.split_at(digits);
    let pid = if pid.is_empty() { None } else { Some(Pid(pid.parse().ok()?)) };
    let mut rest = rest.chars();
    let team = match rest.next()? {
        'b' => Team::Black,
        'w' => Team::White,
        _ => return None,
    };
    let facing = match rest.next() {
        None => Facing::None,
        Some(digit) => Facing::from_number(u8::try_from(digit.to_digit(10)?).ok()?)?,
    };
    rest.next().is_none().then_some(Some((pid, team, facing)))
}

fn row_letter(row: i8) -> char {
    char::from(b'E'.saturating_add_signed(row))
}

fn hexes_of(row: i8) -> Vec<Hex> {
    (-4..=4).filter_map(|diagonal| Hex::from_rd(row, diagonal)).collect()
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const WIDTH: usize = 6;
        for row in (-4_i8..=4).rev() {
            write!(f, "{}{}", row_letter(row), " ".repeat(usize::from(row.unsigned_abs()) * WIDTH / 2))?;
            for hex in hexes_of(row) {
                let word = match self.bots.iter().find(|bot| bot.hex == hex) {
                    None => ".".to_owned(),
                    Some(bot) => {
                        let team = if bot.team == Team::Black { 'b' } else { 'w' };
                        format!("{}{team}{}", bot.pid, bot.commit.number())
                    }
                };
                write!(f, "{word:>WIDTH$}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

const EMPTY: &str = "I . . . . .\nH . . . . . .\nG . . . . . . .\nF . . . . . . . .\nE . . . . . . . . .\n\
                     D . . . . . . . .\nC . . . . . . .\nB . . . . . .\nA . . . . .\n";

fn error(text: &str) -> String {
    text.parse::<Diagram>().unwrap_err().to_string()
}

#[test]
fn pieces_without_a_pid_get_the_free_ones_in_reading_order() {
    let text = EMPTY.replace("I . . ", "I w 1b6 ").replace("A .", "A b");
    let bots: Vec<String> =
        text.parse::<Diagram>().unwrap().bots.iter().map(|bot| format!("{bot:?}")).collect();
    let bot = |pid, team, hex: &str, commit| {
        format!("{:?}", Bot { pid: Pid(pid), team, hex: hex.parse().unwrap(), commit })
    };
    assert_eq!(
        bots,
        [
            bot(1, Team::Black, "I1", Facing::DownRight),
            bot(2, Team::White, "I0", Facing::None),
            bot(3, Team::Black, "A-4", Facing::None)
        ]
    );
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    assert_eq!(error(""), "line 1: expected row I, found \"\"");
    assert_eq!(error(&EMPTY.replace('G', "H")), "line 3: expected row G, found \"H\"");
    assert_eq!(error(&EMPTY.replace("E .", "E . .")), "line 5: row E has 9 hexes, found 10");
    assert_eq!(
        error(&EMPTY.replace("D . .", "D . b7")),
        "line 6, column 5: \"b7\" is not a hex; expected `.` or [pid](b|w)[0-6]"
    );
    assert_eq!(
        error(&format!("{EMPTY}J .")),
        "line 10, column 1: \"J\" is not a hex; expected `.` or [pid](b|w)[0-6]"
    );
    assert_eq!(EMPTY.parse(), Ok(Diagram::default()));
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(cells in proptest::collection::vec(proptest::option::of((any::<bool>(), 0_u8..7)), Hex::COUNT)) {
        let bots = Hex::all().zip(1..).zip(cells).filter_map(|((hex, pid), cell)| {
            let (white, facing) = cell?;
            let team = if white { Team::White } else { Team::Black };
            Some(Bot { pid: Pid(pid), team, hex, commit: Facing::from_number(facing)? })
        });
        let diagram = Diagram { bots: bots.collect() };
        prop_assert_eq!(diagram.to_string().parse::<Diagram>(), Ok(diagram));
    }

    #[test]
    fn no_text_makes_it_panic(text in "([A-I]( (\\.|[0-9]{0,12}[bwx][0-9]?|é)){0,10}(;.*)?\n){0,12}") {
        let _ = text.parse::<Diagram>();
    }
}
