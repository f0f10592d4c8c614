//! Answers about a whole match.

use serde::{Deserialize, Serialize};

use super::bot_state::BotAnswer;

/// Facts about the match that are known before it is played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MatchFacts {
    /// The sides.
    pub sides: [SideFacts; 2],
    /// The game's word for its unit of time: `turn`, `beat`.
    pub beat: String,
    /// Cycles in that unit.
    pub ticks: u64,
    /// The game's word for a bot.
    pub word: String,
}

/// Facts about a side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SideFacts {
    /// Name of the team.
    pub team: String,
    /// Name of the player.
    pub player: String,
    /// Files of the program; none if the recording hasn't got them.
    pub files: Vec<SourceFile>,
    /// Lines with code, each with the index of its file; `None` without a program.
    pub lines: Option<Vec<(u32, u32)>>,
}

/// A source file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its name.
    pub name: String,
    /// Its content.
    pub text: String,
}

/// Facts about the match that are known after it was played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlayedFacts {
    /// All bots, by number.
    pub bots: Vec<BotLife>,
    /// Number of cycles.
    pub cycles: u64,
    /// Remarks about the recording.
    pub remarks: Vec<String>,
}

/// Life of a bot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotLife {
    /// The bot.
    pub bot: u32,
    /// Index of its side.
    pub side: usize,
    /// Cycle in which it was spawned.
    pub born: u64,
    /// Cycle in which it left the match, if it did.
    pub gone: Option<u64>,
    /// How it left, with the time.
    pub fate: Option<String>,
}

/// Why a match was lost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MatchReport {
    /// Who lost, and where the match turned, in words.
    pub summary: String,
    /// Index of the side that lost; `None` without a winner.
    pub loser: Option<usize>,
    /// From here on the winner led.
    pub turned: Option<TurningPoint>,
    /// The sides.
    pub sides: [SideReport; 2],
}

/// Turning point of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurningPoint {
    /// Its cycle.
    pub cycle: u64,
    /// Its turn.
    pub turn: u64,
    /// The bot of the loser that was lost then.
    pub bot: Option<u32>,
}

/// What a side lost, and what its mistakes cost.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SideReport {
    /// Bots that it lost, in order.
    pub lost: Vec<BotLoss>,
    /// Its deadlocks, in order.
    pub deadlocks: Vec<Deadlock>,
    /// Its mistakes, the most expensive first.
    pub mistakes: Vec<Mistake>,
}

/// Loss of a bot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotLoss {
    /// The bot.
    pub bot: u32,
    /// Its cycle.
    pub cycle: u64,
    /// Its turn.
    pub turn: u64,
    /// The loss in words, with what the program did then.
    pub text: String,
}

/// A circle of bots that wait for each other's locks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deadlock {
    /// A bot of the circle.
    pub bot: u32,
    /// The cycle in which it closed.
    pub cycle: u64,
    /// The turn.
    pub turn: u64,
    /// The waits in words.
    pub waits: Vec<String>,
}

/// A kind of mistake at a place of the program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mistake {
    /// Its cost, in moves of one bot.
    pub moves: f64,
    /// The mistake in words, with how often it was made.
    pub text: String,
    /// The bot that made it first.
    pub bot: Option<u32>,
    /// The cycle in which that was.
    pub cycle: u64,
    /// The turn.
    pub turn: u64,
}

/// The bots after a command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PresentBots {
    /// Number of the command.
    pub seq: u64,
    /// Cycle of the command.
    pub cycle: u64,
    /// Turn of the command.
    pub turn: u64,
    /// The bots.
    pub bots: Vec<PresentBot>,
}

/// A bot that is in the match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PresentBot {
    /// The bot.
    pub bot: u32,
    /// Index of its side.
    pub side: usize,
    /// The bot in words.
    pub who: String,
    /// Its place on the board.
    pub at: String,
}

/// Result of a step or a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The bot at the moment that was found; `None` if there is none.
    pub found: Option<Box<BotAnswer>>,
}

/// Values of a print.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrintTable {
    /// The first values.
    pub rows: Vec<PrintRow>,
    /// Number of all values.
    pub count: u64,
}

/// A value of a print.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrintRow {
    /// The bot.
    pub bot: u32,
    /// Index of its side.
    pub side: usize,
    /// The last complete cycle before the line was reached.
    pub cycle: u64,
    /// The turn.
    pub turn: u64,
    /// Number of the recording's last command drawn by then.
    pub seq: u64,
    /// The value, or why there is none.
    pub text: String,
    /// Whether there is none.
    pub failed: bool,
}

/// Reductions of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeatMap {
    /// Reductions by line, the hottest first.
    pub lines: Vec<HotLine>,
    /// Reductions by bot and turn.
    pub bots: Vec<HotBot>,
    /// Turns in one column.
    pub turns: u64,
}

/// A line with the number of reductions on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HotLine {
    /// Index of the side.
    pub side: usize,
    /// Name of the file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// Reductions of all bots.
    pub reductions: u64,
}

/// A bot with its reductions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HotBot {
    /// The bot.
    pub bot: u32,
    /// Index of its side.
    pub side: usize,
    /// One figure for each column of turns.
    pub reductions: Vec<u64>,
}
