//! Actions of a bot, and the answers of the world (section 3).

use grandstand_protocol::abalone::{Facing, Hex};
use grandstand_protocol::words;

/// One `do` of a bot, with its arguments known to be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// `A_MYSTAT`: where the bot stands and what it has committed.
    MyStat,
    /// `A_TEAMSTAT`: pieces, score and spawns left of both teams.
    TeamStat,
    /// `A_GAMESTAT`: the turn and the time until the bot's team moves.
    GameStat,
    /// `A_INSPECT`: what stands at a position, which may be off the board.
    Inspect {
        /// The row; −4 is A.
        row: i64,
        /// The diagonal.
        diagonal: i64,
    },
    /// `A_LOOK`: what stands in a straight line from the bot. [`Facing::None`] sees nothing and answers
    /// with an empty line.
    Look(Facing),
    /// `A_SCAN`: what stands on the six hexes around the bot.
    Scan,
    /// `A_COMMITMOVE`: the move to try at the end of the team's turn; [`Facing::None`] takes it back.
    CommitMove(Facing),
    /// `A_WAITTURN`: nothing, until the next turn starts.
    WaitTurn,
    /// `A_WAITMYTURN`: nothing, until the opponent's next moves have been processed.
    WaitMyTurn,
    /// `A_TALK`: a message for the chat.
    Talk(String),
}

/// The actions by name and number, as programs write them: `A_MYSTAT` is 1, and so on in the order of
/// section 3.1.
pub const ACTIONS: [(&str, i64); 10] = [
    ("A_MYSTAT", 1),
    ("A_TEAMSTAT", 2),
    ("A_GAMESTAT", 3),
    ("A_INSPECT", 4),
    ("A_LOOK", 5),
    ("A_SCAN", 6),
    ("A_COMMITMOVE", 7),
    ("A_WAITTURN", 8),
    ("A_WAITMYTURN", 9),
    ("A_TALK", 10),
];

words! {
    /// What a bot sees on a hex.
    Object {
        /// `T_EMPTY`: nothing.
        Empty = "T_EMPTY",
        /// `T_PIECE`: a piece of the bot's own team.
        Piece = "T_PIECE",
        /// `T_OPIECE`: a piece of the other team.
        OtherPiece = "T_OPIECE",
        /// `T_OFFBOARD`: not a hex of the board.
        OffBoard = "T_OFFBOARD",
    }
}

impl Object {
    /// The number that programs know it by, from 1 to 4. None is 0, because the array library takes a zero
    /// for the end of an array.
    pub fn code(self) -> i64 {
        self as i64 + 1
    }
}

/// One team's half of `A_TEAMSTAT`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TeamStat {
    /// Pieces on the board.
    pub pieces: u32,
    /// Points.
    pub score: u32,
    /// How many pieces the team may still spawn; 0 once its first turn is over.
    pub spawns: u32,
}

/// What the world answers to an [`Action`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// To a commit or a message: done (programs get 0).
    Done,
    /// To `A_MYSTAT`.
    Position {
        /// Where the bot stands.
        hex: Hex,
        /// Its committed move.
        facing: Facing,
    },
    /// To `A_TEAMSTAT`.
    Teams {
        /// The bot's own team.
        own: TeamStat,
        /// The opponent.
        other: TeamStat,
    },
    /// To `A_GAMESTAT`.
    Game {
        /// The current turn, counted from 1; black's are odd.
        turn: u32,
        /// Cycles after this one until the team's moves are processed: 0 when that is at this cycle's end.
        cycles_to_move: u64,
    },
    /// To `A_INSPECT`.
    Object(Object),
    /// To `A_LOOK` (nearest first, ending with [`Object::OffBoard`]) and to `A_SCAN` (right, then
    /// counterclockwise).
    Objects(Vec<Object>),
    /// The bot is blocked until [`World::end_cycle`](super::World::end_cycle) names it among the woken,
    /// and then gets 0.
    Wait,
}
