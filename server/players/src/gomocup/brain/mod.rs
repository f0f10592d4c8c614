//! State machine of the engine's end of the protocol: answers to commands.
//!
//! A [`Brain`] has no thread and no clock, and does not search. It takes lines and the results of a search, and gives
//! the lines to write and the positions to search. Times are durations since one fixed moment.

mod output;

use std::collections::VecDeque;
use std::time::Duration;

use grandstand_rules::stones::Rule;
use grandstand_search::gomoku::Thought;

pub use output::{Output, Request, Tables};
use output::{name_of, shortened};

use super::board::EngineBoard;
use super::command::UNLIMITED;
use super::manager::BoardPoint;
use super::times::Times;
use super::{Command, Info, Pair, opening};

/// Board sizes that this engine supports.
pub const SIZES: std::ops::RangeInclusive<i64> = 5..=999;
/// Memory limit in bytes if the manager sends none, as in Gomocup.
const MEMORY_DEFAULT: i64 = 350 << 20;
/// Mebibytes that the process and a search need besides the table: a fixed part, and a part for each thread.
const MEMORY_ELSE: (i64, i64) = (16, 6);
/// Maximum size of the table in mebibytes: a larger one gains nothing at a few minutes a move.
const TABLE_MAX: i64 = 1_024;
/// Number of further moves among which the remaining time of a match is shared out.
const MOVES_TO_COME: u32 = 22;

/// The current search.
#[derive(Debug)]
struct Thinking {
    /// Number of its request.
    id: u64,
    purpose: Purpose,
    since: Duration,
    /// Time after `since` at which the answer leaves.
    answer: Duration,
    /// Best result so far.
    best: Option<Thought>,
}

/// Purpose of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// A move of the match.
    Move,
    /// A decision in a swap2 opening.
    Swap2,
}

/// Stones that a manager is sending.
#[derive(Debug)]
struct Gathering {
    kind: Command,
    stones: Vec<(Pair, Option<i64>)>,
    wrong: Option<String>,
}

/// State of an engine.
#[derive(Debug)]
pub struct Brain {
    cores: usize,
    board: Option<EngineBoard>,
    pente: bool,
    rule_bits: i64,
    times: Times,
    timeout_match: i64,
    /// Whether [`Times::left`] was received after the last move.
    left_is_fresh: bool,
    max_memory: i64,
    hash_kib: Option<i64>,
    threads: Option<i64>,
    max_depth: Option<i64>,
    max_nodes: Option<i64>,
    gathering: Option<Gathering>,
    thinking: Option<Thinking>,
    requests: u64,
    /// Tables that are being created: whether each owes the manager an `OK`.
    preparing: VecDeque<bool>,
}

impl Brain {
    /// An engine on a machine with `cores` cores.
    pub fn new(cores: usize) -> Self {
        Self {
            cores: cores.max(1),
            board: None,
            pente: false,
            rule_bits: 0,
            times: Times::default(),
            timeout_match: 0,
            left_is_fresh: false,
            max_memory: 0,
            hash_kib: None,
            threads: None,
            max_depth: None,
            max_nodes: None,
            gathering: None,
            thinking: None,
            requests: 0,
            preparing: VecDeque::new(),
        }
    }

    /// Takes a line that arrived at `now`; returns the actions that follow, in order.
    pub fn line(&mut self, line: &str, now: Duration) -> Vec<Output> {
        let mut outputs = Vec::new();
        let command = Command::parse(line);
        if let Err(text) = self.command(command, now, &mut outputs) {
            outputs.push(Output::Line(format!("ERROR {text}")));
        }
        outputs
    }

    /// The tables have been created.
    pub fn prepared(&mut self) -> Vec<Output> {
        let owed = self.preparing.pop_front().unwrap_or(false);
        owed.then(|| Output::Line("OK".to_owned())).into_iter().collect()
    }

    /// Takes an intermediate result of the search.
    pub fn thinks(&mut self, id: u64, found: &Thought) -> Vec<Output> {
        let Some(thinking) = self.thinking.as_mut().filter(|thinking| thinking.id == id) else {
            return Vec::new();
        };
        thinking.best = Some(found.clone());
        let line: String = found.line.iter().map(|at| format!(" {}", name_of(*at))).collect();
        let Thought { depth, score, nodes, .. } = found;
        vec![Output::Line(format!("MESSAGE depth {depth} ev {score} n {nodes} pv{line}"))]
    }

    /// Start of the current search, and the time after that at which [`timeout`](Self::timeout) must be called.
    pub fn answers_by(&self) -> Option<(Duration, Duration)> {
        self.thinking.as_ref().map(|thinking| (thinking.since, thinking.answer))
    }

    /// Answers with the best result so far, whether the search has ended or not.
    pub fn timeout(&mut self, now: Duration) -> Vec<Output> {
        let Some(Thinking { id, best, .. }) = &mut self.thinking else { return Vec::new() };
        let (id, best) = (*id, best.take());
        let mut outputs = self.found(id, best.as_ref(), now);
        outputs.push(Output::Stop);
        outputs
    }

    /// Takes the result of a search that ended at `now`; `found` is `None` if there was no time for a result. A
    /// result of a cancelled search gets no answer.
    pub fn found(&mut self, id: u64, found: Option<&Thought>, now: Duration) -> Vec<Output> {
        let Some(Thinking { purpose, since, .. }) = self.thinking.take_if(|thinking| thinking.id == id)
        else {
            return Vec::new();
        };
        let took = i64::try_from(now.saturating_sub(since).as_millis()).unwrap_or(i64::MAX);
        if let Some(left) = &mut self.times.left {
            *left = left.saturating_sub(took).saturating_add(self.times.increment);
        }
        self.left_is_fresh = false;
        // Without a result, any empty point will do: a wrong move costs no more than none.
        let any = || self.board.as_ref().and_then(EngineBoard::any_empty).unwrap_or_default();
        let (x, y) = found.and_then(|found| found.line.first().copied()).unwrap_or_else(any);
        let answer = match purpose {
            // A negative score means that the side to move is worse off, so it takes the other side.
            Purpose::Swap2 if found.is_none_or(|found| found.score < 0) => "SWAP".to_owned(),
            Purpose::Swap2 => format!("{x},{y}"),
            Purpose::Move => match self.board.as_mut().map(|board| board.play((x.into(), y.into()))) {
                Some(Ok(())) => format!("{x},{y}"),
                Some(Err(error)) => format!("ERROR {error}"),
                None => return Vec::new(),
            },
        };
        vec![Output::Line(answer)]
    }

    fn command(&mut self, command: Command, now: Duration, outputs: &mut Vec<Output>) -> Result<(), String> {
        if let Command::Info(info) = command {
            self.info(&info);
            return Ok(());
        }
        if let Some(gathering) = &mut self.gathering {
            match &command {
                Command::Stone(at, field) => {
                    if gathering.stones.len() < usize::from(u16::MAX) {
                        gathering.stones.push((*at, *field));
                    }
                    return Ok(());
                }
                Command::Wrong(text) => {
                    gathering.wrong.get_or_insert_with(|| (*text).to_owned());
                    return Ok(());
                }
                Command::Done | Command::About | Command::YxStop => {}
                // Any other command aborts the list of stones.
                _ => self.gathering = None,
            }
        }
        match command {
            Command::Start(size) => self.start((size, size), false, outputs)?,
            Command::PenteStart(size) => self.start((size, size), true, outputs)?,
            Command::RectStart(size) => self.start(size, false, outputs)?,
            Command::Restart => {
                let size = i64::from(self.board()?.size());
                self.start((size, size), self.pente, outputs)?;
            }
            Command::Board | Command::YxBoard | Command::Swap2Board => {
                self.cancel(outputs);
                self.gathering = Some(Gathering { kind: command, stones: Vec::new(), wrong: None });
            }
            Command::Done => {
                let Some(gathering) = self.gathering.take() else {
                    return Err("DONE without BOARD".to_owned());
                };
                self.done(gathering, now, outputs)?;
            }
            Command::Begin => {
                self.idle()?;
                if !self.board()?.moves().is_empty() {
                    return Err("BEGIN on a board with stones".to_owned());
                }
                self.think(Purpose::Move, now, outputs)?;
            }
            Command::Turn(at) => {
                self.idle()?;
                self.playable()?;
                self.board()?.play(at).map_err(|error| error.to_string())?;
                self.think(Purpose::Move, now, outputs)?;
            }
            Command::Play((x, y)) => {
                self.idle()?;
                self.board()?.play((x, y)).map_err(|error| error.to_string())?;
                outputs.push(Output::Line(format!("{x},{y}")));
            }
            Command::TakeBack((x, y)) => {
                self.cancel(outputs);
                let board = self.board()?;
                let last = board.moves().last().map(|(x, y)| (i64::from(*x), i64::from(*y)));
                if last != Some((x, y)) {
                    return Err(format!("{x},{y} is not the last move"));
                }
                board.take_back();
                outputs.push(Output::Line("OK".to_owned()));
            }
            Command::About => {
                let version = env!("CARGO_PKG_VERSION");
                outputs.push(Output::Line(format!(
                    "name=\"Grandstand\", version=\"{version}\", author=\"the Grandstand project\", country=\"-\""
                )));
            }
            Command::End => {
                self.cancel(outputs);
                outputs.push(Output::Leave);
            }
            Command::YxStop => outputs.extend(self.thinking.as_ref().map(|_| Output::Stop)),
            Command::YxHashClear => {
                if self.thinking.is_none() && self.board.is_some() {
                    self.preparing.push_back(false);
                    outputs.push(Output::Prepare(self.tables()?));
                }
            }
            Command::YxShowForbid => outputs.push(Output::Line(self.show_forbidden()?)),
            Command::Stone(..) => return Err("a stone without BOARD".to_owned()),
            Command::Wrong(text) => return Err(text.to_owned()),
            Command::Unknown(line) => outputs.push(Output::Line(format!("UNKNOWN {}", shortened(&line)))),
            Command::Info(_) => {}
        }
        Ok(())
    }

    fn info(&mut self, info: &Info) {
        match *info {
            Info::TimeoutTurn(millis) => self.times.turn = Some(millis),
            Info::TimeoutMatch(millis) => self.timeout_match = millis,
            Info::TimeLeft(millis) => {
                self.times.left = (millis != UNLIMITED).then_some(millis);
                self.left_is_fresh = true;
            }
            Info::TimeIncrement(millis) => self.times.increment = millis.clamp(0, UNLIMITED),
            Info::MaxMemory(bytes) => self.max_memory = bytes,
            Info::HashSize(kib) => self.hash_kib = Some(kib).filter(|kib| *kib > 0),
            Info::Rule(bits) => {
                self.rule_bits = bits;
                let rule = self.rule();
                if let (Some(board), Some(rule)) = (&mut self.board, rule) {
                    let moves: Vec<Pair> =
                        board.moves().iter().map(|(x, y)| ((*x).into(), (*y).into())).collect();
                    // If the moves are impossible under the new rule, the next BOARD or START reports it.
                    if let Ok(other) = EngineBoard::with(board.size(), rule, &moves) {
                        *board = other;
                    }
                }
            }
            Info::MaxDepth(plies) => self.max_depth = Some(plies).filter(|plies| *plies > 0),
            Info::MaxNodes(nodes) => self.max_nodes = Some(nodes).filter(|nodes| *nodes > 0),
            Info::Threads(threads) => self.threads = Some(threads).filter(|threads| *threads > 0),
            Info::Other => {}
        }
    }

    /// The current rule; `None` if this engine does not support it.
    fn rule(&self) -> Option<Rule> {
        match self.rule_bits {
            _ if self.pente => Some(Rule::Pente),
            0 => Some(Rule::Freestyle),
            1 => Some(Rule::Exactly5),
            4 | 5 => Some(Rule::Renju),
            _ => None,
        }
    }

    fn playable(&self) -> Result<Rule, String> {
        let bits = self.rule_bits;
        self.rule().ok_or_else(|| format!("rule {bits} is not supported: 0, 1 and 4 are"))
    }

    fn board(&mut self) -> Result<&mut EngineBoard, String> {
        self.board.as_mut().ok_or_else(|| "no START before".to_owned())
    }

    fn idle(&self) -> Result<(), String> {
        if self.thinking.is_some() { Err("it is thinking: YXSTOP makes it move".to_owned()) } else { Ok(()) }
    }

    /// Aborts the current search and list of stones.
    fn cancel(&mut self, outputs: &mut Vec<Output>) {
        self.gathering = None;
        outputs.extend(self.thinking.take().map(|_| Output::Stop));
    }

    fn start(&mut self, (width, height): Pair, pente: bool, outputs: &mut Vec<Output>) -> Result<(), String> {
        self.cancel(outputs);
        let size = u16::try_from(width).ok().filter(|_| SIZES.contains(&width));
        let (least, most) = (SIZES.start(), SIZES.end());
        let Some(size) = size else {
            self.board = None;
            return Err(format!("a board has from {least} to {most} columns and rows"));
        };
        if width != height {
            self.board = None;
            return Err("a board has as many rows as columns".to_owned());
        }
        self.pente = pente;
        // The remaining time of the previous match is void for this one, unless it was received after the last move.
        if !self.left_is_fresh {
            self.times.left = None;
        }
        // The protocol wants an unsupported rule to be reported only when a move is asked for.
        self.board = Some(EngineBoard::new(size, self.rule().unwrap_or_default()));
        self.preparing.push_back(true);
        outputs.push(Output::Prepare(self.tables()?));
        Ok(())
    }

    fn tables(&self) -> Result<Tables, String> {
        let board = self.board.as_ref().ok_or_else(|| "no START before".to_owned())?;
        let threads = self
            .threads
            .map_or(self.cores, |threads| usize::try_from(threads).unwrap_or(usize::MAX).min(4 * self.cores));
        let most = if self.max_memory > 0 { self.max_memory } else { MEMORY_DEFAULT };
        let other = MEMORY_ELSE.0 + MEMORY_ELSE.1 * i64::try_from(threads).unwrap_or(i64::MAX >> 10);
        let room = (most >> 20) - other;
        let table = self.hash_kib.map_or(room, |kib| room.min(kib >> 10));
        let memory_mib = usize::try_from(table.clamp(1, TABLE_MAX)).unwrap_or(1);
        Ok(Tables { size: board.size(), rule: board.rule(), threads, memory_mib })
    }

    fn think(&mut self, purpose: Purpose, now: Duration, outputs: &mut Vec<Output>) -> Result<(), String> {
        self.playable()?;
        if self.board()?.is_over() {
            return Err("the game is over".to_owned());
        }
        let moves = self.board()?.moves().to_vec();
        self.request(purpose, moves, now, outputs)
    }

    fn request(
        &mut self,
        purpose: Purpose,
        moves: Vec<BoardPoint>,
        now: Duration,
        outputs: &mut Vec<Output>,
    ) -> Result<(), String> {
        if self.times.left.is_none() && self.timeout_match > 0 && !self.left_is_fresh {
            // The manager does not send the remaining time, so this engine keeps count.
            self.times.left = Some(self.timeout_match);
        }
        let positive = |value: Option<i64>| value.and_then(|value| u64::try_from(value).ok());
        self.requests += 1;
        let (id, tables, budget) = (self.requests, self.tables()?, self.times.budget(MOVES_TO_COME));
        self.thinking = Some(Thinking { id, purpose, since: now, answer: budget.answer, best: None });
        outputs.push(Output::Think(Box::new(Request {
            id,
            tables,
            budget,
            moves,
            since: now,
            nodes: positive(self.max_nodes),
            depth: positive(self.max_depth).map(|depth| u32::try_from(depth).unwrap_or(u32::MAX)),
        })));
        Ok(())
    }

    /// Handles the end of a list of stones.
    fn done(&mut self, gathering: Gathering, now: Duration, outputs: &mut Vec<Output>) -> Result<(), String> {
        let Gathering { kind, stones, wrong } = gathering;
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
        let rule = self.playable()?;
        let size = self.board()?.size();
        if kind == Command::Swap2Board {
            let stones: Vec<Pair> = stones.into_iter().map(|(at, _)| at).collect();
            let board = EngineBoard::with(size, rule, &stones).map_err(|error| error.to_string())?;
            return match stones.len() {
                0 => {
                    outputs.push(Output::Line(opening::proposal(size)));
                    Ok(())
                }
                3 | 5 if board.is_over() => Err("the game is over".to_owned()),
                3 | 5 => self.request(Purpose::Swap2, board.moves().to_vec(), now, outputs),
                other => Err(format!("a swap2 opening with {other} stones: there are none, three or five")),
            };
        }
        let moves = opening::in_order(&stones, rule)?;
        self.board = Some(EngineBoard::with(size, rule, &moves).map_err(|error| error.to_string())?);
        if kind == Command::Board { self.think(Purpose::Move, now, outputs) } else { Ok(()) }
    }

    /// `FORBID`, the points that are forbidden to black with four digits each, and a full stop.
    fn show_forbidden(&mut self) -> Result<String, String> {
        let board = self.board()?;
        let points = opening::forbidden(board);
        let digits: String = points.iter().map(|(x, y)| format!("{x:02}{y:02}")).collect();
        Ok(format!("FORBID {digits}."))
    }
}
