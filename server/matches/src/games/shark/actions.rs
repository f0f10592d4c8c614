//! Descriptions of the actions of λ-Shark, for authors of programs.

use crate::match_game::ActionHelp;

/// Actions in the order of their numbers.
pub(super) const ACTION_HELP: [ActionHelp; 10] = [
    ActionHelp {
        name: "A_MOVE",
        usage: "do A_MOVE",
        does: "Moves to the tile ahead: takes the powerup or the opponent's flag there, brings a flag home, runs into an opponent. Takes 5,000 steps.",
        answer: "`R_OK` when the robot is on that tile now, else `R_FAIL`, also when it took a flag or scored: `A_MYSTATS` tells",
    },
    ActionHelp {
        name: "A_FACE",
        usage: "do [A_FACE, DIR_UP]",
        does: "Turns the robot, also when it faces there already. Takes 2,500 steps.",
        answer: "`R_OK`",
    },
    ActionHelp {
        name: "A_SHOOT",
        usage: "do A_SHOOT",
        does: "Fires the laser ahead: who is hit, friend or foe, loses a health point. Takes 5,000 steps.",
        answer: "`R_OK`",
    },
    ActionHelp {
        name: "A_INSPECT",
        usage: "do [A_INSPECT, 3, 4]",
        does: "Looks at one tile, by x (to the right) and y (down); also as `do (A_INSPECT, (3, 4))`.",
        answer: "the object there, from `O_EMPTY` to `O_FLAGSTAND`; `O_WALL` off the board",
    },
    ActionHelp {
        name: "A_LOOK",
        usage: "do [A_LOOK, DIR_UP]",
        does: "Looks in a direction, to the first tile that is not empty.",
        answer: "`(distance, object)`: the next tile is 1 away; the edge of the board is a wall",
    },
    ActionHelp {
        name: "A_NEAREST",
        usage: "do [A_NEAREST, O_SPAWN]",
        does: "Finds the nearest object of a kind.",
        answer: "`(x, y)`, or `R_FAIL` when there is none",
    },
    ActionHelp {
        name: "A_MYSTATS",
        usage: "do A_MYSTATS",
        does: "Tells how the robot is.",
        answer: "`[x, y, health, flag, direction]`: `flag` is 1 while it carries the opponent's flag",
    },
    ActionHelp {
        name: "A_TEAMSTATS",
        usage: "do A_TEAMSTATS",
        does: "Tells how both teams stand.",
        answer: "`[credits, robots, the opponent's robots, score, the opponent's score, [pids of the other robots of the team]]`",
    },
    ActionHelp {
        name: "A_FLAGPOS",
        usage: "do A_FLAGPOS",
        does: "Tells where both flags are, wherever they are carried.",
        answer: "`[x, y, x, y]`: of the team's own flag, then of the opponent's",
    },
    ActionHelp {
        name: "A_TALK",
        usage: "do [A_TALK, \"hello\"]",
        does: "Says a text, or any other value, to who watches; a team may say 10 things in 100,000 steps.",
        answer: "`R_OK`",
    },
];
