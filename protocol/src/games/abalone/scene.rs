//! Scene of Abalone.

use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use super::{Command, Hex, Piece, Team};
use crate::overlay::Overlays;
use crate::talk::{Talk, TalkLine};
use crate::team::ByTeam;
use crate::time::Micros;

/// The board, the scores, the turn number and the talk. A new scene has an empty board, no points and turn 0.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scene {
    hexes: Pieces,
    score: ByTeam<Team, i32>,
    turns: u32,
    talk: Talk<Team>,
    #[serde(default, skip_serializing_if = "Overlays::is_empty")]
    pub(crate) overlays: Overlays,
}

#[derive(Clone, PartialEq, Eq)]
struct Pieces([Option<Piece>; Hex::COUNT]);

impl Scene {
    /// The piece on the hex.
    pub fn get(&self, hex: Hex) -> Option<Piece> {
        self.hexes.0[hex.index()]
    }

    /// The pieces on the board, in the order of their hexes.
    pub fn pieces(&self) -> impl Iterator<Item = (Hex, Piece)> {
        Hex::all().filter_map(|hex| Some((hex, self.get(hex)?)))
    }

    /// A team's score.
    pub fn score(&self, team: Team) -> i32 {
        self.score[team]
    }

    /// The turn number.
    pub fn turns(&self) -> u32 {
        self.turns
    }

    /// The most recent lines of talk.
    pub fn talk(&self) -> &Talk<Team> {
        &self.talk
    }

    /// Applies a command, which is number `seq` of the match, at time `t` after its start.
    pub fn apply(&mut self, seq: u64, t: Micros, command: &Command) {
        match command {
            Command::Say { team, text } => {
                self.talk.push(TalkLine { seq, t, team: *team, text: text.clone() });
            }
            Command::Score { team, value } => self.score[*team] = *value,
            Command::Turns { value } => self.turns = *value,
            Command::Set { hex, piece } => self.hexes.0[hex.index()] = *piece,
        }
    }
}

impl Default for Pieces {
    fn default() -> Pieces {
        Pieces([None; Hex::COUNT])
    }
}

impl fmt::Debug for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces = Hex::all().filter_map(|hex| Some((hex, self.0[hex.index()]?)));
        f.debug_map().entries(pieces).finish()
    }
}

impl Serialize for Pieces {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Hex::all().filter_map(|hex| Some((hex, self.0[hex.index()]?))))
    }
}

impl<'de> Deserialize<'de> for Pieces {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pieces, D::Error> {
        struct Hexes;
        impl<'de> Visitor<'de> for Hexes {
            type Value = Pieces;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object from hexes to pieces")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pieces, A::Error> {
                let mut board = Pieces::default();
                while let Some((hex, piece)) = map.next_entry::<Hex, Piece>()? {
                    board.0[hex.index()] = Some(piece);
                }
                Ok(board)
            }
        }
        deserializer.deserialize_map(Hexes)
    }
}
