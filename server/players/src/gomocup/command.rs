//! Parser of a manager's commands.

use super::Pair;
use super::answer::{number, points};

/// The protocol's value for a match without a time limit.
pub(super) const UNLIMITED: i64 = 2_147_483_647;

/// Command of a manager: one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// `START n`: begins a match on an empty square board.
    Start(i64),
    /// `RECTSTART w,h`: begins a match on an empty board of `w` columns and `h` rows.
    RectStart(Pair),
    /// `PENTESTART n`: begins a match of Pente on an empty board; our extension.
    PenteStart(i64),
    /// `RESTART`: begins a match on the same board, empty.
    Restart,
    /// `BEGIN`: asks for the first move.
    Begin,
    /// `TURN x,y`: a move of the opponent; asks for a move.
    Turn(Pair),
    /// `PLAY x,y`: orders the engine's own move.
    Play(Pair),
    /// `BOARD`: stones follow; then asks for a move.
    Board,
    /// `YXBOARD`: stones follow; no answer.
    YxBoard,
    /// `SWAP2BOARD`: the stones of an opening follow.
    Swap2Board,
    /// `DONE`: end of the stones.
    Done,
    /// `x,y,f` or `x,y`: a stone.
    Stone(Pair, Option<i64>),
    /// `TAKEBACK x,y`: takes the last move back.
    TakeBack(Pair),
    /// `INFO key value`.
    Info(Info),
    /// `ABOUT`.
    About,
    /// `END`.
    End,
    /// `YXSTOP`: asks for the move at once.
    YxStop,
    /// `YXHASHCLEAR`: clears the table.
    YxHashClear,
    /// `YXSHOWFORBID`: asks for the points that are forbidden to black.
    YxShowForbid,
    /// A known command with wrong arguments; the text says what it expects.
    Wrong(&'static str),
    /// Any other line.
    Unknown(String),
}

/// Setting of `INFO`. Values that are not numbers and unknown keys are ignored, as the protocol demands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Info {
    /// Time limit of a move, in milliseconds; 0 is as fast as possible.
    TimeoutTurn(i64),
    /// Time limit of the match, in milliseconds; 0 is no limit.
    TimeoutMatch(i64),
    /// Remaining time of the match, in milliseconds.
    TimeLeft(i64),
    /// Increment after each move, in milliseconds.
    TimeIncrement(i64),
    /// Memory limit in bytes; 0 is no limit.
    MaxMemory(i64),
    /// Size of the table alone, in kibibytes.
    HashSize(i64),
    /// Rule: a sum of bits.
    Rule(i64),
    /// Depth limit, in moves.
    MaxDepth(i64),
    /// Limit of positions that the search visits.
    MaxNodes(i64),
    /// Number of threads.
    Threads(i64),
    /// Any other setting.
    Other,
}

impl Command {
    /// Parses a line: keywords in any case, whitespace anywhere.
    pub fn parse(line: &str) -> Self {
        let line = line.trim();
        if line.starts_with(|c: char| c.is_ascii_digit() || "+-".contains(c)) {
            return stone(line).unwrap_or(Self::Wrong("a stone is `x,y,f`"));
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let one = || number(rest).filter(|(_, after)| after.trim().is_empty()).map(|(value, _)| value);
        let pair = || match points(rest).as_deref() {
            Some([pair]) => Some(*pair),
            _ => None,
        };
        match word.to_ascii_uppercase().as_str() {
            "START" => one().map_or(Self::Wrong("START wants a size"), Self::Start),
            "RECTSTART" => pair().map_or(Self::Wrong("RECTSTART wants `width,height`"), Self::RectStart),
            "PENTESTART" => one().map_or(Self::Wrong("PENTESTART wants a size"), Self::PenteStart),
            "RESTART" => Self::Restart,
            "BEGIN" => Self::Begin,
            "TURN" => pair().map_or(Self::Wrong("TURN wants `x,y`"), Self::Turn),
            "PLAY" => pair().map_or(Self::Wrong("PLAY wants `x,y`"), Self::Play),
            "BOARD" => Self::Board,
            "YXBOARD" => Self::YxBoard,
            "SWAP2BOARD" => Self::Swap2Board,
            "DONE" => Self::Done,
            "TAKEBACK" => pair().map_or(Self::Wrong("TAKEBACK wants `x,y`"), Self::TakeBack),
            "INFO" => Self::Info(info(rest)),
            "ABOUT" => Self::About,
            "END" => Self::End,
            "YXSTOP" => Self::YxStop,
            "YXHASHCLEAR" => Self::YxHashClear,
            "YXSHOWFORBID" => Self::YxShowForbid,
            _ => Self::Unknown(line.to_owned()),
        }
    }
}

fn stone(line: &str) -> Option<Command> {
    let (x, rest) = number(line)?;
    let (y, rest) = number(rest.trim_start().strip_prefix(',')?)?;
    let rest = rest.trim();
    if rest.is_empty() {
        return Some(Command::Stone((x, y), None));
    }
    let (field, rest) = number(rest.strip_prefix(',')?)?;
    rest.trim().is_empty().then_some(Command::Stone((x, y), Some(field)))
}

fn info(text: &str) -> Info {
    let (key, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let Some((value, _)) = number(value) else { return Info::Other };
    match key.to_ascii_lowercase().as_str() {
        "timeout_turn" => Info::TimeoutTurn(value),
        "timeout_match" => Info::TimeoutMatch(value),
        "time_left" => Info::TimeLeft(value),
        "time_increment" => Info::TimeIncrement(value),
        "max_memory" => Info::MaxMemory(value),
        "hash_size" => Info::HashSize(value),
        "rule" => Info::Rule(value),
        "max_depth" => Info::MaxDepth(value),
        "max_node" => Info::MaxNodes(value),
        "thread_num" => Info::Threads(value),
        _ => Info::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_managers_are_read() {
        for (line, command) in [
            ("START 15", Command::Start(15)),
            ("start  20 ", Command::Start(20)),
            ("RECTSTART 30,20", Command::RectStart((30, 20))),
            ("RECTSTART 30 , 20", Command::RectStart((30, 20))),
            ("PENTESTART 19", Command::PenteStart(19)),
            ("TURN 7,8", Command::Turn((7, 8))),
            ("TURN 7", Command::Wrong("TURN wants `x,y`")),
            ("START", Command::Wrong("START wants a size")),
            ("7,8,1", Command::Stone((7, 8), Some(1))),
            ("7, 8, 2", Command::Stone((7, 8), Some(2))),
            ("7,8", Command::Stone((7, 8), None)),
            ("7,8,1,1", Command::Wrong("a stone is `x,y,f`")),
            ("INFO timeout_turn 5000", Command::Info(Info::TimeoutTurn(5000))),
            ("INFO time_left -20", Command::Info(Info::TimeLeft(-20))),
            ("INFO MAX_NODE 100", Command::Info(Info::MaxNodes(100))),
            ("INFO folder C:\\temp", Command::Info(Info::Other)),
            ("INFO", Command::Info(Info::Other)),
            ("DONE", Command::Done),
            ("FROBNICATE 1", Command::Unknown("FROBNICATE 1".to_owned())),
        ] {
            assert_eq!(Command::parse(line), command, "{line}");
        }
    }
}
