//! Actions of a robot, and the answers of the world (sections 3.2 and 3.3).

use grandstand_protocol::shark::{Heading, Tile};
use grandstand_protocol::words;

use crate::Pid;

/// One `do` of a robot, with its arguments known to be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// `A_MOVE`: into the tile ahead.
    Move,
    /// `A_FACE`: turns.
    Face(Heading),
    /// `A_SHOOT`: fires the laser.
    Shoot,
    /// `A_INSPECT`: what a tile contains, which may be off the board.
    Inspect {
        /// The column.
        x: i64,
        /// The row.
        y: i64,
    },
    /// `A_LOOK`: the first tile in a direction that is not empty.
    Look(Heading),
    /// `A_NEAREST`: the nearest tile that the code fits.
    Nearest(Object),
    /// `A_MYSTATS`: the robot itself.
    MyStats,
    /// `A_TEAMSTATS`: both teams.
    TeamStats,
    /// `A_FLAGPOS`: where the flags are.
    FlagPos,
    /// `A_TALK`: a message for everybody.
    Talk(String),
}

/// The actions by name and number, as programs write them: `A_MOVE` is 1, and so on in the order of table 1.
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

/// The results of actions that do something, by name and number. A failed spawn is 0 too.
pub const RESULTS: [(&str, i64); 2] = [("R_FAIL", 0), ("R_OK", 1)];

/// The directions by name and number (section 3.3.1).
pub const DIRECTIONS: [(&str, i64); 4] = [("DIR_UP", 1), ("DIR_DOWN", 2), ("DIR_LEFT", 3), ("DIR_RIGHT", 4)];

/// The number by which programs know a direction: from 1, in the order of [`DIRECTIONS`] and of [`Heading::ALL`].
pub fn direction_code(heading: Heading) -> i64 {
    heading as i64 + 1
}

/// The direction with that number.
pub fn direction(code: i64) -> Option<Heading> {
    Heading::ALL.into_iter().find(|&heading| direction_code(heading) == code)
}

words! {
    /// What a tile contains, as seen by a robot: table 2. "Team" is the robot's own.
    Object {
        /// `O_EMPTY`: nothing.
        Empty = "O_EMPTY",
        /// `O_WALL`: a wall; so is everything off the board.
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
    /// The number that programs know it by, from 1 to 10. None is 0, because 0 ends a list.
    pub fn code(self) -> i64 {
        self as i64 + 1
    }

    /// The object with that number.
    pub fn from_code(code: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|object| object.code() == code)
    }
}

/// What the world answers to an [`Action`], and how long the robot then waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The action's value.
    pub answer: Answer,
    /// The `AT_` of the action. In so many steps after this one the robot does nothing; in the one after them it goes on,
    /// with the answer.
    pub delay: u64,
}

/// The value of an [`Action`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// `R_OK`: a move that succeeded, a turn, a shot, a message.
    Ok,
    /// `R_FAIL`: a move that did not change the robot's place, a search that found nothing.
    Fail,
    /// To `A_INSPECT`.
    Object(Object),
    /// To `A_LOOK`.
    Seen {
        /// How many tiles away; 1 is the next one.
        distance: u32,
        /// What is there.
        object: Object,
    },
    /// To `A_NEAREST`. Only walls are found off the board.
    Found {
        /// The column.
        x: i64,
        /// The row.
        y: i64,
    },
    /// To `A_MYSTATS`.
    Bot {
        /// Where the robot is.
        place: Tile,
        /// Its health points.
        health: u8,
        /// Whether it carries the opponent's flag.
        flag: bool,
        /// Where it faces.
        heading: Heading,
    },
    /// To `A_TEAMSTATS`. Pairs are the robot's own team and the opponent.
    Teams {
        /// The own team's spawn credits.
        credits: u32,
        /// How many robots there are, the asking one among them.
        bots: [u32; 2],
        /// The points.
        score: [u32; 2],
        /// The other robots of the own team, by ascending pid.
        teammates: Vec<Pid>,
    },
    /// To `A_FLAGPOS`.
    Flags {
        /// Where the own team's flag is.
        own: Tile,
        /// Where the opponent's is.
        other: Tile,
    },
}
