//! Bodies of the fuzz targets of the Gomocup protocol. Each takes any bytes and panics when an invariant is violated.

use std::time::Duration;

use grandstand_rules::clock::TimeControl;
use grandstand_rules::stones::Rule;
use grandstand_search::gomoku::Thought;

use super::brain::{Output, Request};
use super::manager::{BoardPoint, Event, Limits, Opponent, Question, Setup};
use super::{Brain, EngineBoard, Manager, TruncatingLineDecoder};
use crate::sandbox::Ending;

/// Longest line in the fuzzed conversations.
const LINE: usize = 64;

/// Any bytes as lines: any cutting of them gives the same lines, and each line is short, not blank, and without a line
/// end.
pub fn lines(data: &[u8]) {
    let read = |chunk: usize| {
        let mut lines = TruncatingLineDecoder::new(LINE);
        data.chunks(chunk.max(1)).for_each(|chunk| lines.push(chunk));
        let whole: Vec<String> = std::iter::from_fn(|| lines.next_line()).collect();
        (whole, lines.rest())
    };
    let whole = read(data.len());
    assert_eq!(whole, read(1));
    assert_eq!(whole, read(3));
    for line in whole.0.iter().chain(&whole.1) {
        // An invalid byte becomes a replacement character of three bytes.
        assert!(!line.trim().is_empty() && line.len() <= 3 * LINE && !line.contains(['\n', '\r']));
    }
}

/// Any bytes from a manager: every request for a search has a board with an empty point and a rule that the engine
/// plays, and is answered once.
pub fn brain(data: &[u8]) {
    let mut lines = TruncatingLineDecoder::new(LINE);
    lines.push(data);
    let mut brain = Brain::new(2);
    let mut thinking: Option<Request> = None;
    let mut now = Duration::ZERO;
    while let Some(line) = lines.next_line() {
        now += Duration::from_millis(7);
        let mut outputs = brain.line(&line, now);
        // A search goes on during half of the lines; now and then its time is over before it has found anything.
        if thinking.is_some() && line.len().is_multiple_of(2) {
            if line.len().is_multiple_of(4) {
                let late = brain.timeout(now);
                assert!(brain.answers_by().is_none() && brain.timeout(now).is_empty());
                assert!(answer(&mut brain, &mut thinking, now).is_empty() || late.is_empty());
                outputs.extend(late);
            } else {
                outputs.extend(answer(&mut brain, &mut thinking, now));
            }
        }
        for output in outputs {
            match output {
                Output::Line(line) => assert!(!line.contains(['\n', '\r'])),
                Output::Prepare(tables) => {
                    assert!((5..=999).contains(&tables.size) && tables.threads > 0 && tables.memory_mib > 0);
                    let answers = brain.prepared();
                    assert!(answers.len() <= 1);
                }
                Output::Think(request) => {
                    assert!(thinking.is_none(), "it thinks of one thing at a time");
                    assert!(
                        request.budget.soft <= request.budget.hard
                            && request.budget.hard <= request.budget.answer
                    );
                    thinking = Some(*request);
                }
                // The search still answers; the answer may be of no use.
                Output::Stop => drop(answer(&mut brain, &mut thinking, now)),
                Output::Leave => return,
            }
        }
    }
    let asked = thinking.is_some();
    assert_eq!(answer(&mut brain, &mut thinking, now).len(), usize::from(asked));
}

/// Answers the pending request with an empty point.
fn answer(brain: &mut Brain, thinking: &mut Option<Request>, now: Duration) -> Vec<Output> {
    let Some(request) = thinking.take() else { return Vec::new() };
    let moves: Vec<_> = request.moves.iter().map(|(x, y)| ((*x).into(), (*y).into())).collect();
    let board = EngineBoard::with(request.tables.size, request.tables.rule, &moves).expect("it was a board");
    let at: BoardPoint = board.any_empty().expect("there is room");
    let found = Thought { score: -1, depth: 1, nodes: 1, line: vec![at] };
    assert!(brain.thinks(request.id, &found).len() <= 1);
    let answers = brain.found(request.id, Some(&found), now);
    assert!(answers.iter().all(|output| matches!(output, Output::Line(line) if !line.starts_with("ERROR"))));
    answers
}

/// Any bytes from an engine: the manager ends every wait, at the latest at its deadline, with one answer or one fault,
/// and reports nothing after a fault. Every ten moves another match begins with the same engine, or with a new one. The
/// first byte sets the size of the pieces into which the rest is cut.
pub fn manager(data: &[u8]) {
    let (piece, data) =
        data.split_first().map_or((1, data), |(first, rest)| (usize::from(*first % 16) + 1, rest));
    let setup = Setup {
        size: (15, 15),
        rule: if piece.is_multiple_of(5) { Rule::Pente } else { Rule::Freestyle },
        time: TimeControl::default(),
        memory_bytes: 350 << 20,
        opponent: Opponent::Program,
        folder: None,
    };
    let limits = Limits { line_bytes: LINE, answer_bytes: 512, senseless: 4 };
    let mut now = Duration::ZERO;
    let later = |now: Duration| Some(now + Duration::from_secs(1));
    let begin = |now| Manager::new(setup.clone(), limits, later(now));
    let mut manager = begin(now);
    let mut moves: Vec<BoardPoint> = Vec::new();
    let mut failed = false;
    for chunk in data.chunks(piece) {
        now += Duration::from_millis(100);
        manager.input(chunk);
        manager.timeout(now);
        let (mut settled, mut renews) = (false, false);
        while let Some(event) = manager.event() {
            assert!(!failed, "nothing comes after a fault: {event:?}");
            match event {
                Event::Fault(fault) => {
                    assert!(!fault.termination().is_empty() && fault.to_string().len() < 4_096);
                    failed = true;
                }
                Event::Ready | Event::Points(_) | Event::Swap => settled = true,
                Event::Renew => renews = true,
                Event::Name(_) | Event::Thought(_) | Event::Note(_) => {}
            }
        }
        if let Some(output) = manager.output() {
            assert!(output.ends_with(b"\r\n"));
        }
        assert!(failed || settled || renews || manager.waits());
        assert!(!(failed && manager.waits()));
        if renews && !failed {
            assert!(moves.is_empty(), "it was not asked to begin anew");
            manager = begin(now);
        } else if settled && !manager.waits() && moves.len() == 9 {
            moves.clear();
            manager.restart(setup.clone(), later(now));
        } else if settled && !manager.waits() {
            moves.push((moves.len() as u16 % 15, moves.len() as u16 / 15 % 15));
            let question = match moves.len() % 4 {
                0 => Question::Swap2(Vec::new()),
                // Sometimes a position other than the previous one.
                1 => Question::Move(moves[..moves.len() / 2].to_vec()),
                _ => Question::Move(moves.clone()),
            };
            manager.ask(question, later(now), later(now));
        }
    }
    now += Duration::from_secs(2);
    manager.timeout(now);
    assert!(!manager.waits());
    manager.ended(Ending::Stopped);
    let faults =
        std::iter::from_fn(|| manager.event()).filter(|event| matches!(event, Event::Fault(_))).count();
    assert_eq!(faults, usize::from(!failed));
}
