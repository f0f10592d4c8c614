//! Actions of a robot, and the world's replies (sections 3.2 and 3.3).

use grandstand_protocol::shark::{Heading, Tile};
use grandstand_protocol::words;

use crate::Pid;

/// One `do` of a robot, with valid arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// `A_MOVE`: moves into the tile ahead.
    Move,
    /// `A_FACE`: turns to a direction.
    Face(Heading),
    /// `A_SHOOT`: fires the laser.
    Shoot,
    /// `A_INSPECT`: the object on a tile, which may be off the board.
    Inspect {
        /// The column.
        x: i64,
        /// The row.
        y: i64,
    },
    /// `A_LOOK`: the first tile in a direction that is not empty.
    Look(Heading),
    /// `A_NEAREST`: the nearest tile with a given object.
    Nearest(Object),
    /// `A_MYSTATS`: the robot's own state.
    MyStats,
    /// `A_TEAMSTATS`: the figures of both teams.
    TeamStats,
    /// `A_FLAGPOS`: the positions of the flags.
    FlagPos,
    /// `A_TALK`: a message for everybody.
    Talk(String),
}

/// The actions with the numbers that programs use: `A_MOVE` is 1, and so on in the order of table 1.
pub const ACTIONS: [(&str, i64); 10] = [
    ("A_MOVE", 1),
    ("A_FACE", 2),
    ("A_SHOOT", 3),
    ("A_INSPECT", 4),
    ("A_LOOK", 5),
    ("A_NEAREST", 6),
    ("A_MYSTATS", 7),
    ("A_TEAMSTATS", 8),
    ("A_FLAGPOS", 9),
    ("A_TALK", 10),
];

/// The results of actions with an effect, by name and number. A failed spawn is 0 too.
pub const RESULTS: [(&str, i64); 2] = [("R_FAIL", 0), ("R_OK", 1)];

/// The directions by name and number (section 3.3.1).
pub const DIRECTIONS: [(&str, i64); 4] = [("DIR_UP", 1), ("DIR_DOWN", 2), ("DIR_LEFT", 3), ("DIR_RIGHT", 4)];

/// The number that programs use for a direction: from 1, in the order of [`DIRECTIONS`] and of [`Heading::ALL`].
pub fn direction_code(heading: Heading) -> i64 {
    heading as i64 + 1
}

/// The direction with that number.
pub fn direction(code: i64) -> Option<Heading> {
    Heading::ALL.into_iter().find(|&heading| direction_code(heading) == code)
}

words! {
    /// The content of a tile as a robot sees it: table 2. "Team" is the robot's own.
    Object {
        /// `O_EMPTY`: an empty tile.
        Empty = "O_EMPTY",
        /// `O_WALL`: a wall; every tile off the board is one.
        Wall = "O_WALL",
        /// `O_MYFLAG`: the team's flag.
        MyFlag = "O_MYFLAG",
        /// `O_OPPFLAG`: the opponent's flag.
        OppFlag = "O_OPPFLAG",
        /// `O_SPAWN`: a spawn powerup.
        Spawn = "O_SPAWN",
        /// `O_TEAMMATE`: a robot of the team.
        Teammate = "O_TEAMMATE",
        /// `O_TEAMMATE_WITH_FLAG`: a robot of the team that carries the opponent's flag.
        TeammateWithFlag = "O_TEAMMATE_WITH_FLAG",
        /// `O_OPPONENT`: a robot of the other team.
        Opponent = "O_OPPONENT",
        /// `O_OPPONENT_WITH_FLAG`: a robot of the other team that carries the team's flag.
        OpponentWithFlag = "O_OPPONENT_WITH_FLAG",
        /// `O_FLAGSTAND`: a flag stand of either team.
        FlagStand = "O_FLAGSTAND",
    }
}

impl Object {
    /// The number that programs use, from 1 to 10. No object is 0, because 0 ends a list.
    pub fn code(self) -> i64 {
        self as i64 + 1
    }

    /// The object with that number.
    pub fn from_code(code: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|object| object.code() == code)
    }
}

/// The world's answer to an [`Action`], and the robot's delay after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The action's value.
    pub answer: Answer,
    /// The `AT_` setting of the action. After this step the robot is idle for this number of steps; in the next one it continues
    /// with the answer.
    pub delay: u64,
}

/// The value of an [`Action`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// `R_OK`: a move that succeeded, a turn, a shot, a message.
    Ok,
    /// `R_FAIL`: a move that did not change the robot's place, or a search that found nothing.
    Fail,
    /// The answer to `A_INSPECT`.
    Object(Object),
    /// The answer to `A_LOOK`.
    Seen {
        /// The distance in tiles; 1 is the adjacent tile.
        distance: u32,
        /// The object on that tile.
        object: Object,
    },
    /// The answer to `A_NEAREST`. Only walls are found off the board.
    Found {
        /// The column.
        x: i64,
        /// The row.
        y: i64,
    },
    /// The answer to `A_MYSTATS`.
    Bot {
        /// The robot's tile.
        place: Tile,
        /// The robot's health points.
        health: u8,
        /// Whether the robot carries the opponent's flag.
        flag: bool,
        /// The robot's direction.
        heading: Heading,
    },
    /// The answer to `A_TEAMSTATS`. Pairs are for the robot's own team and the opponent.
    Teams {
        /// The own team's spawn credits.
        credits: u32,
        /// The numbers of robots, including the asking one.
        bots: [u32; 2],
        /// The points.
        score: [u32; 2],
        /// The other robots of the own team, by ascending pid.
        teammates: Vec<Pid>,
    },
    /// The answer to `A_FLAGPOS`.
    Flags {
        /// The position of the own team's flag.
        own: Tile,
        /// The position of the opponent's flag.
        other: Tile,
    },
}
