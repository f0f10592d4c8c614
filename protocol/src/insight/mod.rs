//! Questions to a match of programs that is played again, and their answers, in JSON (`server/INSIGHT.md`).
//!
//! One definition serves both sides: the service that plays the match, and the spectator's program panel. Readers ignore unknown
//! members. Cycles, lines and columns are those of the programs: lines and columns count from 1, columns and widths count characters.

mod answer;
mod bot_state;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use answer::{
    BotLife, BotLoss, Deadlock, Found, HeatMap, HotBot, HotLine, MatchFacts, MatchReport, Mistake,
    PlayedFacts, PresentBot, PresentBots, PrintRow, PrintTable, SideFacts, SideReport, SourceFile,
    TurningPoint,
};
pub use bot_state::{
    BotAnswer, BotState, Call, CellWrite, HeldLock, PastAction, ScopeName, SharedCell, ShownValue,
    SourcePlace, ThreadState,
};

/// A question with the number that its answers repeat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberedQuestion {
    /// The number.
    pub id: u64,
    /// The question.
    #[serde(flatten)]
    pub question: Question,
}

/// A question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub enum Question {
    /// Facts that are known before the match is played: [`MatchFacts`].
    Match,
    /// Facts that are known after it was played: [`PlayedFacts`].
    Played,
    /// Why the match was lost, known after it was played: [`MatchReport`].
    Report,
    /// The bots after a command of the recording: [`PresentBots`].
    Moment {
        /// Number of the command.
        seq: u64,
    },
    /// A bot at a moment: [`BotAnswer`].
    At {
        /// The bot.
        bot: u32,
        /// The last complete cycle.
        cycle: u64,
        /// Number of the bot's operations after it.
        within: u32,
    },
    /// The same bot a step away: [`Found`].
    Step {
        /// The bot.
        bot: u32,
        /// The last complete cycle.
        cycle: u64,
        /// Number of the bot's operations after it.
        within: u32,
        /// Unit of the step.
        by: StepUnit,
        /// Whether the step goes towards the match's beginning.
        back: bool,
    },
    /// The next or the last moment at which something happened: [`Found`].
    Find {
        /// The cycle from which the search goes.
        cycle: u64,
        /// Number of operations after it.
        within: u32,
        /// Whether the search goes towards the match's beginning.
        back: bool,
        /// Subject of the search.
        what: Target,
    },
    /// Values of an expression each time that a line was reached: [`PrintTable`].
    Print {
        /// The file.
        file: String,
        /// The line.
        line: u32,
        /// The expression, in the program's language.
        expression: String,
        /// Only for this bot; `None` for all.
        bot: Option<u32>,
    },
    /// Reductions by line, and by bot and turn: [`HeatMap`].
    Heat {
        /// The line that the bots' figures are of; `None` for all lines.
        of: Option<SideLine>,
    },
    /// Gives up the question of the same number.
    Cancel,
}

/// Unit of a step in a bot's program. The smallest is an operation: one reduction, several made together, or none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepUnit {
    /// To the next operation.
    Operation,
    /// To another line, into calls.
    #[default]
    Line,
    /// To another line of this function or one that called it.
    Over,
    /// To the function that called this one.
    Out,
    /// Into a function that is called from here on. A call that leaves no frame, in tail position, is none.
    Call,
    /// To an action.
    Action,
    /// To the end of a turn or a beat, before its moves are made.
    Turn,
}

/// Subject of a search over a whole match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// A line that is reached under a condition.
    Line {
        /// The file.
        file: String,
        /// The line.
        line: u32,
        /// Expression in the program's language whose value must not be 0.
        condition: Option<String>,
        /// Only for this bot; `None` for all.
        bot: Option<u32>,
    },
    /// A failed action, move or spawn.
    Failure {
        /// Only of this bot; `None` for all.
        bot: Option<u32>,
    },
    /// A write to a cell.
    Write {
        /// Index of the side.
        side: usize,
        /// A name of the cell in the side's program.
        cell: String,
    },
    /// A change of a cell's lock: taken, handed on or released.
    Lock {
        /// Index of the side.
        side: usize,
        /// A name of the cell in the side's program.
        cell: String,
    },
}

/// A line of a side's program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideLine {
    /// Index of the side.
    pub side: usize,
    /// Name of the file.
    pub file: String,
    /// The line.
    pub line: u32,
}

/// A message of the service.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// Number of the question; `None` if there was none to read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// The content.
    #[serde(flatten)]
    pub content: ReplyContent,
}

/// Content of a message of the service.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReplyContent {
    /// The answer, of the type that the [`Question`] names.
    Answer(Value),
    /// Why there is none.
    Error(String),
    /// The share that is done, from 0 to 1; the answer follows.
    Progress(f32),
}
