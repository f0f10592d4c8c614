//! Inputs of the referee: everything that decides a match besides its conditions.

use std::time::Duration;

use grandstand_rules::turn::{Position, Thought};
use serde_json::Value;

use crate::turns::answer::Forfeit;

/// Maximum length of a player's message or note, in characters.
pub const LONGEST_TEXT: usize = 200;

/// Maximum number of moves in the line of a thought.
pub const LONGEST_LINE: usize = 64;

/// An input with its moment, measured from the first question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamped<M> {
    /// The moment; microseconds in a file.
    pub at: Duration,
    /// The input.
    pub input: Input<M>,
}

/// Input of a match. Players are 0 and 1, in the order in which they were named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input<M> {
    /// Both players are ready: the match begins.
    Begin,
    /// The asked player has received the question: the clock starts.
    Turn,
    /// Answer: a move.
    Move(usize, M),
    /// Answer: stones of the opening.
    Place(usize, Vec<M>),
    /// Answer: keep the side.
    Stay(usize),
    /// Answer: take the other side.
    Swap(usize),
    /// The player resigns.
    Resign(usize),
    /// The player's time is over without an answer.
    TimeOver(usize),
    /// The player loses for another reason.
    Forfeit(usize, Forfeit),
    /// A thought of the player.
    Thought(usize, Thought<M>),
    /// A message of the player.
    Say(usize, String),
    /// The name of the player.
    Name(usize, String),
}

impl<M: Copy> Stamped<M> {
    /// The input as a line of a file. It is an array of microseconds, the kind, the player and further fields.
    pub fn to_line<P: Position<Move = M>>(&self, position: &P) -> String {
        let moves = |moves: &[M]| {
            let words: Vec<String> = moves.iter().map(|&mv| position.move_text(mv)).collect();
            words.join(" ")
        };
        let micros = self.at.as_micros() as u64;
        let written = match &self.input {
            Input::Begin => serde_json::to_string(&(micros, "begin")),
            Input::Turn => serde_json::to_string(&(micros, "turn")),
            Input::Move(player, mv) => {
                serde_json::to_string(&(micros, "move", player, position.move_text(*mv)))
            }
            Input::Place(player, stones) => serde_json::to_string(&(micros, "place", player, moves(stones))),
            Input::Stay(player) => serde_json::to_string(&(micros, "stay", player)),
            Input::Swap(player) => serde_json::to_string(&(micros, "swap", player)),
            Input::Resign(player) => serde_json::to_string(&(micros, "resign", player)),
            Input::TimeOver(player) => serde_json::to_string(&(micros, "time-over", player)),
            Input::Forfeit(player, Forfeit { termination, detail }) => {
                serde_json::to_string(&(micros, "forfeit", player, termination, detail))
            }
            Input::Thought(player, Thought { score, depth, nodes, line }) => {
                serde_json::to_string(&(micros, "thought", player, score, depth, nodes, moves(line)))
            }
            Input::Say(player, text) => serde_json::to_string(&(micros, "say", player, text)),
            Input::Name(player, text) => serde_json::to_string(&(micros, "name", player, text)),
        };
        // Numbers and texts are always written.
        written.unwrap_or_default()
    }

    /// Parses the output of [`to_line`](Self::to_line).
    ///
    /// # Errors
    /// A message about the expected field.
    pub fn parse<P: Position<Move = M>>(line: &str, position: &P) -> Result<Self, String> {
        let values: Vec<Value> =
            serde_json::from_str(line).map_err(|error| format!("expected an input, an array: {error}"))?;
        let fields = Fields { values: &values, position };
        let at = Duration::from_micros(fields.number(0, "microseconds")?);
        let player = || match fields.number(2, "a player")? {
            0 => Ok(0),
            1 => Ok(1),
            other => Err(format!("{other} is not a player; expected 0 or 1")),
        };
        let (input, length) = match fields.text(1, "what happened")? {
            "begin" => (Input::Begin, 2),
            "turn" => (Input::Turn, 2),
            "move" => (Input::Move(player()?, fields.one_move(3)?), 4),
            "place" => (Input::Place(player()?, fields.moves(3)?), 4),
            "stay" => (Input::Stay(player()?), 3),
            "swap" => (Input::Swap(player()?), 3),
            "resign" => (Input::Resign(player()?), 3),
            "time-over" => (Input::TimeOver(player()?), 3),
            "forfeit" => {
                let word = fields.text(3, "a termination")?;
                let known = Forfeit::ALL.into_iter().find(|known| *known == word);
                let termination = known.ok_or_else(|| {
                    format!("`{word}` is no termination; expected one of {}", Forfeit::ALL.join(", "))
                })?;
                (Input::Forfeit(player()?, Forfeit::new(termination, fields.talk(4)?)), 5)
            }
            "thought" => {
                let score = values.get(3).and_then(Value::as_i64).and_then(|score| i32::try_from(score).ok());
                let depth = u32::try_from(fields.number(4, "a depth")?);
                let thought = Thought {
                    score: score.ok_or("field 4: expected a score")?,
                    depth: depth.map_err(|error| format!("field 5: {error}"))?,
                    nodes: fields.number(5, "a number of nodes")?,
                    line: fields.moves(6)?,
                };
                (Input::Thought(player()?, thought), 7)
            }
            "say" => (Input::Say(player()?, fields.talk(3)?), 4),
            "name" => (Input::Name(player()?, fields.talk(3)?), 4),
            other => return Err(format!("`{other}` is nothing that happens to a match")),
        };
        if values.len() != length {
            return Err(format!("expected {length} fields, found {}", values.len()));
        }
        Ok(Self { at, input })
    }
}

/// The fields of a line, numbered from 0 here and from 1 in messages.
struct Fields<'a, P> {
    values: &'a [Value],
    position: &'a P,
}

impl<'a, P: Position> Fields<'a, P> {
    fn number(&self, index: usize, what: &str) -> Result<u64, String> {
        let number = self.values.get(index).and_then(Value::as_u64);
        number.ok_or_else(|| format!("field {}: expected {what}", index + 1))
    }

    fn text(&self, index: usize, what: &str) -> Result<&'a str, String> {
        let text = self.values.get(index).and_then(Value::as_str);
        text.ok_or_else(|| format!("field {}: expected {what}", index + 1))
    }

    fn talk(&self, index: usize) -> Result<String, String> {
        let text = self.text(index, "a text")?;
        if text.chars().count() > LONGEST_TEXT || text.contains(char::is_control) {
            return Err(format!(
                "field {}: expected one line of at most {LONGEST_TEXT} characters",
                index + 1
            ));
        }
        Ok(text.to_owned())
    }

    fn one_move(&self, index: usize) -> Result<P::Move, String> {
        self.read(index, self.text(index, "a move")?)
    }

    fn moves(&self, index: usize) -> Result<Vec<P::Move>, String> {
        let text = self.text(index, "moves")?;
        if text.split_whitespace().count() > LONGEST_LINE {
            return Err(format!("field {}: more than {LONGEST_LINE} moves", index + 1));
        }
        text.split_whitespace().map(|word| self.read(index, word)).collect()
    }

    fn read(&self, index: usize, word: &str) -> Result<P::Move, String> {
        self.position.parse_move(word).map_err(|error| format!("field {}: {error}", index + 1))
    }
}
