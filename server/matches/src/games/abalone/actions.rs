//! Descriptions of the actions of robot Abalone, for authors of programs.

use crate::match_game::ActionHelp;

/// Actions in the order of their numbers.
pub(super) const ACTION_HELP: [ActionHelp; 10] = [
    ActionHelp {
        name: "A_MYSTAT",
        usage: "do A_MYSTAT",
        does: "Tells where the bot stands and where it wants to go.",
        answer: "`((r, d), dir)`: row and diagonal, from `~4` to `4`, and the direction that it has committed, 0 for none",
    },
    ActionHelp {
        name: "A_TEAMSTAT",
        usage: "do A_TEAMSTAT",
        does: "Tells how both teams stand.",
        answer: "`(pieces, score, spawns, pieces, score, spawns)`: its own team first; `spawns` is how many bots it may still spawn",
    },
    ActionHelp {
        name: "A_GAMESTAT",
        usage: "do A_GAMESTAT",
        does: "Tells the time.",
        answer: "`(turn, cycles)`: the turn, and the cycles that are left until the team's next moves",
    },
    ActionHelp {
        name: "A_INSPECT",
        usage: "do (A_INSPECT, 0, ~1)",
        does: "Looks at one hex, by row and diagonal; also as `do (A_INSPECT, (0, ~1))`.",
        answer: "`T_EMPTY`, `T_PIECE`, `T_OPIECE` or `T_OFFBOARD`",
    },
    ActionHelp {
        name: "A_LOOK",
        usage: "do (A_LOOK, UL)",
        does: "Looks along a line, in a direction from 1 (`R`) to 6 (`DR`).",
        answer: "an array of what stands there, the nearest hex at index 0, `T_OFFBOARD` last",
    },
    ActionHelp {
        name: "A_SCAN",
        usage: "do A_SCAN",
        does: "Looks at the six hexes around the bot.",
        answer: "an array of six: what stands to the right at index 0, then counterclockwise; direction `dir` is at `dir - 1`",
    },
    ActionHelp {
        name: "A_COMMITMOVE",
        usage: "do (A_COMMITMOVE, UL)",
        does: "Says where the bot moves when its team's turn comes; direction 0 takes that back. The bot itself runs on.",
        answer: "0",
    },
    ActionHelp {
        name: "A_WAITTURN",
        usage: "do A_WAITTURN",
        does: "Waits until the next turn starts, whosever it is.",
        answer: "0, then",
    },
    ActionHelp {
        name: "A_WAITMYTURN",
        usage: "do A_WAITMYTURN",
        does: "Waits until the opponent has moved: then there is a whole turn to think.",
        answer: "0, then",
    },
    ActionHelp {
        name: "A_TALK",
        usage: "do (A_TALK, \"hello\")",
        does: "Says a text, or any other value, to who watches; a team may say 20 things a turn.",
        answer: "0",
    },
];
