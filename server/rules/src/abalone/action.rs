//! Actions of a bot, and the world's replies (section 3).

use grandstand_protocol::abalone::{Facing, Hex};
use grandstand_protocol::words;

/// One `do` of a bot, with valid arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// `A_MYSTAT`: the bot's position and committed move.
    MyStat,
    /// `A_TEAMSTAT`: pieces, score and remaining spawns of both teams.
    TeamStat,
    /// `A_GAMESTAT`: the turn and the time until the bot's team moves.
    GameStat,
    /// `A_INSPECT`: the object at a position, which may be off the board.
    Inspect {
        /// The row; −4 is A.
        row: i64,
        /// The diagonal.
        diagonal: i64,
    },
    /// `A_LOOK`: the objects in a straight line from the bot. [`Facing::None`] sees nothing and answers
    /// with an empty line.
    Look(Facing),
    /// `A_SCAN`: the objects on the six hexes around the bot.
    Scan,
    /// `A_COMMITMOVE`: the move to try at the end of the team's turn; [`Facing::None`] cancels it.
    CommitMove(Facing),
    /// `A_WAITTURN`: blocks the bot until the next turn starts.
    WaitTurn,
    /// `A_WAITMYTURN`: blocks the bot until the opponent's next moves have been processed.
    WaitMyTurn,
    /// `A_TALK`: a message for the chat.
    Talk(String),
}

/// The actions with the numbers that programs use: `A_MYSTAT` is 1, and so on in the order of
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
    /// The content of a hex as a bot sees it.
    Object {
        /// `T_EMPTY`: an empty hex.
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
    /// The number that programs use, from 1 to 4. No object is 0, because the array library takes a zero
    /// for the end of an array.
    pub fn code(self) -> i64 {
        self as i64 + 1
    }
}

/// One team's half of `A_TEAMSTAT`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TeamStat {
    /// The number of pieces on the board.
    pub pieces: u32,
    /// The team's points.
    pub score: u32,
    /// The number of pieces that the team may still spawn; 0 once its first turn is over.
    pub spawns: u32,
}

/// The world's answer to an [`Action`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// The reply to a commit or a message (programs get 0).
    Done,
    /// The reply to `A_MYSTAT`.
    Position {
        /// The bot's hex.
        hex: Hex,
        /// The bot's committed move.
        facing: Facing,
    },
    /// The reply to `A_TEAMSTAT`.
    Teams {
        /// The figures of the bot's own team.
        own: TeamStat,
        /// The figures of the opponent.
        other: TeamStat,
    },
    /// The reply to `A_GAMESTAT`.
    Game {
        /// The current turn, counted from 1; black's are odd.
        turn: u32,
        /// The cycles after this one until the team's moves are processed; 0 if they are processed at this cycle's end.
        cycles_to_move: u64,
    },
    /// The reply to `A_INSPECT`.
    Object(Object),
    /// The reply to `A_LOOK` (nearest first, ending with [`Object::OffBoard`]) and to `A_SCAN` (right, then
    /// counterclockwise).
    Objects(Vec<Object>),
    /// The bot is blocked until [`World::end_cycle`](super::World::end_cycle) names it among the woken,
    /// and then gets 0.
    Wait,
}
