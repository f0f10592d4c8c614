//! Transcripts of existing managers, line by line, with the brain's answers.
//!
//! `>` is the manager, `<` the brain, `.` a pause in which the brain finishes thinking; `*` stands for any move, `…`
//! for anything.

use std::time::Duration;

use grandstand_players::gomocup::EngineBoard;
use grandstand_players::gomocup::brain::{Brain, Output, Request};
use grandstand_search::gomoku::Thought;

/// The first manager, with a GUI: INFO comes after START, `OK` must stand alone, undo is TAKEBACK.
const PISKVORK: &str = "
> START 20
< OK
> INFO max_memory 83886080
> INFO timeout_match 300000
> INFO timeout_turn 5000
> INFO game_type 1
> INFO rule 0
> INFO time_left 300000
> INFO folder C:\\Users\\me\\AppData\\
> BEGIN
.
< *
> INFO time_left 297000
> TURN 0,0
.
< *
> TAKEBACK 0,0
< ERROR …
> RESTART
< OK
> INFO max_memory 83886080
> INFO time_left 2147483647
> BOARD
> 10,10,1
> 10,11,2
> 11,11,1
> 9,10,2
> DONE
.
< *
> INFO evaluate 3,4
> END
";

/// The manager of the tournaments: it does not wait for `OK`, and sends openings as boards.
const JUDGE: &str = "
> START 15
> INFO timeout_turn 30000
> INFO timeout_match 180000
> INFO max_memory 367001600
> INFO game_type 1
> INFO rule 1
> INFO folder ./
> INFO time_left 180000
> BOARD
> 7,7,2
> 8,7,1
> 9,9,2
> DONE
< OK
.
< *
> INFO time_left 151000
> TURN 0,0
.
< *
> END
";

/// The same, with players that settle an opening.
const JUDGE_SWAP2: &str = "
> START 15
< OK
> INFO rule 1
> INFO time_left 5400000
> SWAP2BOARD
> DONE
< … … …
> SWAP2BOARD
> 7,7
> 8,7
> 9,9
> DONE
.
< *
> BOARD
> 7,7,1
> 8,7,2
> 9,9,1
> 8,8,2
> DONE
.
< *
";

/// A command-line manager: asks for the identity first, sends limits of depth and nodes, and stops an engine that is
/// late.
const CLI: &str = "
> ABOUT
< name=\"Grandstand\", …
> START 15
< OK
> INFO rule 4
> INFO timeout_turn 1000
> INFO timeout_match 0
> INFO max_depth 6
> INFO max_node 100000
> INFO max_memory 367001600
> INFO thread_num 1
> INFO time_left 2147483647
> BOARD
> 7,7,2
> DONE
> YXSTOP
.
< *
> START 15
< OK
> INFO time_left 2147483647
> BEGIN
.
< *
> END
";

/// An analysis GUI: boards without an answer, and its own commands.
const ANALYSIS: &str = "
> START 15
< OK
> INFO rule 0
> YXHASHCLEAR
> YXBOARD
> 7,7,2
> 8,8,1
> DONE
> TURN 6,6
.
< *
> BOARD
> 7,7,2
> DONE
> ABOUT
< name=\"Grandstand\", …
> BOARD
> 7,7,2
> 8,8,1
> 6,6,2
> DONE
.
< *
> YXSHOWFORBID
< FORBID .
> YXNBEST 3
< UNKNOWN …
";

/// Invalid commands get an error with their place, and change nothing.
const WRONG: &str = "
> BEGIN
< ERROR …
> TURN 7,7
< ERROR no START before
> START 4
< ERROR …
> START 1000
< ERROR …
> RECTSTART 15,20
< ERROR …
> RECTSTART 9,9
< OK
> TURN 9,0
< ERROR 9,0 is not on the board
> TURN 8
< ERROR …
> BOARD
> 1,1,2
> 1,1,1
> 2,2,2
> DONE
< ERROR there is a stone on 1,1
> BOARD
> 1,1,1
> DONE
< ERROR …
> BOARD
> 1,1
> DONE
< ERROR …
> BOARD
> nonsense
< UNKNOWN …
> DONE
< ERROR DONE without BOARD
> SWAP2BOARD
> 1,1
> DONE
< ERROR …
> INFO rule 8
> BEGIN
< ERROR …
> INFO rule 0
> BEGIN
> TURN 1,1
< ERROR it is thinking: YXSTOP makes it move
.
< *
> BEGIN
< ERROR …
> PLAY 0,0
< 0,0
> BOARD
> 1,1,1
> 0,1,2
> 1,2,1
> 0,2,2
> 1,3,1
> 0,3,2
> 1,4,1
> 0,4,2
> 1,5,1
> 0,6,2
> DONE
< ERROR the game is over
";

/// Grandstand's extension: Pente, with the moves in the order of play, including captured stones.
const PENTE: &str = "
> PENTESTART 19
< OK
> INFO rule 1
> BOARD
> 9,9,2
> 9,10,1
> 0,0,2
> 9,11,1
> 9,12,2
> 9,10,1
> 0,2,2
> DONE
.
< *
> BOARD
> 9,9,2
> 0,0,2
> 9,10,1
> DONE
< ERROR …
> RESTART
< OK
> BEGIN
.
< *
";

/// Whether a line matches: `*` is a move, `…` anything, also after a prefix.
fn fits(expected: &str, line: &str) -> bool {
    if expected == "*" {
        let number = |text: &str| text.parse::<u16>().is_ok();
        return line == "SWAP" || line.split_once(',').is_some_and(|(x, y)| number(x) && number(y));
    }
    let (expected, line): (Vec<_>, Vec<_>) = (expected.split(' ').collect(), line.split(' ').collect());
    let open = expected.len() == 2 && expected[1] == "…"
        || expected.len() > 1 && expected.last() == Some(&"…") && expected[0] != "…";
    let same = expected.iter().zip(&line).all(|(expected, word)| *expected == "…" || expected == word);
    same && (open && line.len() >= expected.len() || line.len() == expected.len())
}

fn play(transcript: &str) {
    let mut brain = Brain::new(2);
    let mut thinking: Option<Request> = None;
    let mut said: Vec<String> = Vec::new();
    let mut now = Duration::ZERO;
    for step in transcript.lines().filter(|line| !line.is_empty()) {
        now += Duration::from_millis(3);
        let outputs = match step.split_at(1) {
            (">", line) => {
                let unanswered =
                    said.iter().any(|line| line.starts_with("ERROR") || line.starts_with("UNKNOWN"));
                assert!(!unanswered, "before {step}: {said:?}");
                brain.line(line, now)
            }
            (".", _) => found(&mut brain, &mut thinking, now),
            (_, expected) => {
                let next = if said.is_empty() { "nothing".to_owned() } else { said.remove(0) };
                assert!(fits(expected.trim(), &next), "{step}, and it said {next}");
                Vec::new()
            }
        };
        for output in outputs {
            match output {
                Output::Line(line) => said.push(line),
                Output::Prepare(_) => said.extend(brain.prepared().into_iter().map(|output| match output {
                    Output::Line(line) => line,
                    other => panic!("{other:?}"),
                })),
                Output::Think(request) => thinking = Some(*request),
                Output::Stop => {}
                Output::Leave => assert!(step.ends_with("END")),
            }
        }
    }
    assert!(said.is_empty(), "{said:?}");
}

fn found(brain: &mut Brain, thinking: &mut Option<Request>, now: Duration) -> Vec<Output> {
    let request = thinking.take().expect("it thinks");
    let moves: Vec<_> = request.moves.iter().map(|(x, y)| (i64::from(*x), i64::from(*y))).collect();
    let at =
        EngineBoard::with(request.tables.size, request.tables.rule, &moves).unwrap().any_empty().unwrap();
    let found = Thought { score: -1, depth: 1, nodes: 1, line: vec![at] };
    brain.found(request.id, Some(&found), now)
}

#[test]
fn transcripts_of_real_managers() {
    for transcript in [PISKVORK, JUDGE, JUDGE_SWAP2, CLI, ANALYSIS, WRONG, PENTE] {
        play(transcript);
    }
}

#[test]
fn a_move_that_nobody_asks_for_any_more_is_not_answered() {
    let mut brain = Brain::new(1);
    brain.line("START 15", Duration::ZERO);
    brain.prepared();
    let outputs = brain.line("BEGIN", Duration::ZERO);
    let [Output::Think(request)] = &outputs[..] else { panic!("{outputs:?}") };
    assert_eq!(brain.line("YXSTOP", Duration::ZERO), [Output::Stop]);
    let outputs = brain.line("START 15", Duration::ZERO);
    assert!(matches!(&outputs[..], [Output::Stop, Output::Prepare(_)]), "{outputs:?}");
    let late = Thought { score: 0, depth: 1, nodes: 1, line: vec![(7, 7)] };
    assert!(
        brain.thinks(request.id, &late).is_empty()
            && brain.found(request.id, Some(&late), Duration::ZERO).is_empty()
    );
}

#[test]
fn its_memory_and_threads_are_what_it_is_told() {
    let mut brain = Brain::new(2);
    let mut tables = |line: &str| {
        brain.line(line, Duration::ZERO);
        match &brain.line("START 15", Duration::ZERO)[..] {
            [Output::Prepare(tables)] => (tables.memory_mib, tables.threads),
            other => panic!("{other:?}"),
        }
    };
    let (usual, threads) = tables("INFO game_type 1");
    assert!((257..350).contains(&usual) && threads == 2);
    let (small, _) = tables("INFO max_memory 83886080");
    assert!((32..80).contains(&small));
    assert_eq!(tables("INFO max_memory 1").0, 1);
    assert_eq!(tables("INFO max_memory 0").0, usual);
    assert_eq!(tables("INFO hash_size 16384").0, 16);
    assert_eq!(tables("INFO thread_num 1").1, 1);
}
