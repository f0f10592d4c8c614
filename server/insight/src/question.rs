//! Questions to a match, as a panel or a page sends them.

use grandstand_languages::Line;
use serde::Deserialize;

use crate::print::Prints;
use crate::scan::Sought;
use crate::search::{Direction, Moment, Search, Step};

/// A question with the number that its answers repeat.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Asked {
    pub(crate) id: u64,
    #[serde(flatten)]
    pub(crate) question: Question,
}

/// A question: `server/INSIGHT.md` lists them.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub(crate) enum Question {
    Match,
    Played,
    Moment { seq: u64 },
    At { bot: u32, cycle: u64, within: u32 },
    Step { bot: u32, cycle: u64, within: u32, by: By, back: bool },
    Find { cycle: u64, within: u32, back: bool, what: What },
    Print { file: String, line: u32, expression: String, bot: Option<u32> },
    Heat { of: Option<HeatOf> },
    Cancel,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum By {
    Operation,
    Line,
    Over,
    Out,
    Call,
    Action,
    Turn,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum What {
    Line { file: String, line: u32, condition: Option<String>, bot: Option<u32> },
    Failure { bot: Option<u32> },
    Write { side: usize, cell: String },
    Lock { side: usize, cell: String },
}

/// A line of a side's program.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct HeatOf {
    pub(crate) side: usize,
    pub(crate) file: String,
    pub(crate) line: u32,
}

impl By {
    pub(crate) fn step(self) -> Step {
        match self {
            Self::Operation => Step::Operation,
            Self::Line => Step::Line,
            Self::Over => Step::Over,
            Self::Out => Step::Out,
            Self::Call => Step::Call,
            Self::Action => Step::Action,
            Self::Turn => Step::Turn,
        }
    }
}

impl What {
    pub(crate) fn sought(self) -> Sought {
        match self {
            Self::Line { file, line, condition, bot } => {
                Sought::Line(Search { bot, line: Line { file, line }, condition })
            }
            Self::Failure { bot } => Sought::Failure(bot),
            Self::Write { side, cell } => Sought::Write { side, cell },
            Self::Lock { side, cell } => Sought::Lock { side, cell },
        }
    }
}

/// The print of a question.
pub(crate) fn prints(file: String, line: u32, expression: String, bot: Option<u32>) -> Prints {
    Prints { line: Line { file, line }, expression, bot }
}

pub(crate) fn moment(cycle: u64, within: u32) -> Moment {
    Moment { cycle, within }
}

pub(crate) fn direction(back: bool) -> Direction {
    if back { Direction::Backward } else { Direction::Forward }
}
