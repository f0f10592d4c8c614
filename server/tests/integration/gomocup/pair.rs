//! Manager and brain against each other, without threads, on simulated time.

use std::collections::VecDeque;
use std::time::Duration;

use grandstand_players::gomocup::brain::{Output, Request};
use grandstand_players::gomocup::manager::{BoardPoint, Event, Limits, Opponent, Question, Setup};
use grandstand_players::gomocup::{Brain, EngineBoard, Manager, TruncatingLineDecoder};
use grandstand_rules::SplitMix64;
use grandstand_rules::clock::TimeControl;
use grandstand_rules::stones::Rule;
use grandstand_search::gomoku::Thought;

pub(crate) fn setup(size: u16, rule: Rule) -> Setup {
    Setup {
        size: (size, size),
        rule,
        time: "10s/1s".parse().unwrap(),
        memory_bytes: 350 << 20,
        opponent: Opponent::Program,
        folder: Some("/tmp".to_owned()),
    }
}

/// An event that is in transit or being computed, with its time of arrival.
enum Happens {
    ToBrain(Vec<u8>),
    ToManager(Vec<u8>),
    Found(Request),
}

/// A manager, a brain, and the events between them.
struct Pair {
    manager: Manager,
    brain: Brain,
    lines: TruncatingLineDecoder,
    now: Duration,
    happens: VecDeque<(Duration, Happens)>,
    random: SplitMix64,
    /// All output of the manager.
    said: String,
    /// Whether the brain was prepared before.
    ready: bool,
}

impl Pair {
    fn new(setup: Setup, seed: u64) -> Self {
        let manager = Manager::new(setup, Limits::default(), Some(Duration::from_secs(5)));
        Self {
            manager,
            brain: Brain::new(2),
            lines: TruncatingLineDecoder::new(4096),
            now: Duration::ZERO,
            happens: VecDeque::new(),
            random: SplitMix64::new(seed),
            said: String::new(),
            ready: false,
        }
    }

    fn at(&mut self, delay: Duration, happens: Happens) {
        // Events in one direction keep their order.
        let same = |other: &Happens| std::mem::discriminant(other) == std::mem::discriminant(&happens);
        let earliest = self.happens.iter().filter(|(_, other)| same(other)).map(|(at, _)| *at).max();
        let at = (self.now + delay).max(earliest.unwrap_or_default());
        let place = self.happens.partition_point(|(other, _)| *other <= at);
        self.happens.insert(place, (at, happens));
    }

    /// Processes events until the manager has what it waits for.
    fn settle(&mut self) -> Event {
        loop {
            while let Some(event) = self.manager.event() {
                if !matches!(event, Event::Name(_) | Event::Thought(_) | Event::Note(_)) {
                    return event;
                }
            }
            if let Some(bytes) = self.manager.output() {
                self.said.push_str(std::str::from_utf8(&bytes).unwrap());
                self.at(Duration::from_millis(1), Happens::ToBrain(bytes));
            }
            let due = self.manager.next_timeout();
            let next = self.happens.front().map(|(at, _)| *at);
            if due.is_some_and(|due| next.is_none_or(|next| due < next)) {
                self.now = due.unwrap();
                self.manager.timeout(self.now);
                continue;
            }
            let (at, happens) = self.happens.pop_front().expect("it waits for something that comes");
            self.now = at;
            let outputs = match happens {
                Happens::ToManager(bytes) => {
                    self.manager.input(&bytes);
                    continue;
                }
                Happens::ToBrain(bytes) => {
                    self.lines.push(&bytes);
                    let lines: Vec<_> = std::iter::from_fn(|| self.lines.next_line()).collect();
                    lines.iter().flat_map(|line| self.brain.line(line, at)).collect()
                }
                Happens::Found(request) => {
                    let found = self.think(&request);
                    let mut outputs = self.brain.thinks(request.id, &found);
                    outputs.extend(self.brain.found(request.id, Some(&found), at));
                    outputs
                }
            };
            for output in outputs {
                match output {
                    Output::Line(line) => {
                        let end = ["\n", "\r", "\r\n"][self.random.below(3) as usize];
                        self.at(
                            Duration::from_millis(1),
                            Happens::ToManager(format!("{line}{end}").into_bytes()),
                        );
                    }
                    Output::Prepare(_) => {
                        // Tables are allocated once; clearing them is fast.
                        let took = Duration::from_millis(if self.ready { 20 } else { 2_000 });
                        self.ready = true;
                        for output in self.brain.prepared() {
                            let Output::Line(line) = output else { panic!("{output:?}") };
                            self.at(took, Happens::ToManager(format!("{line}\n").into_bytes()));
                        }
                    }
                    Output::Think(request) => {
                        // It takes all the time that it has.
                        self.at(request.budget.hard, Happens::Found(*request));
                    }
                    Output::Stop | Output::Leave => {}
                }
            }
        }
    }

    /// A weak move: any empty point.
    fn think(&mut self, request: &Request) -> Thought {
        let size = u64::from(request.tables.size);
        let moves: Vec<_> = request.moves.iter().map(|(x, y)| (i64::from(*x), i64::from(*y))).collect();
        let board = EngineBoard::with(request.tables.size, request.tables.rule, &moves).unwrap();
        loop {
            let at = (self.random.below(size) as u16, self.random.below(size) as u16);
            let mut after = board.clone();
            if after.play((at.0.into(), at.1.into())).is_ok() {
                let score = self.random.below(200) as i32 - 100;
                return Thought { score, depth: 1, nodes: 1, line: vec![at] };
            }
        }
    }

    /// Asks with a second for the move; returns the answer.
    fn ask(&mut self, question: Question) -> Event {
        let began = self.now;
        self.manager.ask(question, Some(Duration::from_secs(10)), Some(began + Duration::from_secs(1)));
        self.settle()
    }

    fn moved(&mut self, moves: &[BoardPoint]) -> BoardPoint {
        match self.ask(Question::Move(moves.to_vec())) {
            Event::Points(points) => {
                let [(x, y)] = points[..] else { panic!("{points:?}") };
                (u16::try_from(x).unwrap(), u16::try_from(y).unwrap())
            }
            other => panic!("after {moves:?}: {other:?}\n{}", self.said),
        }
    }
}

/// Two engines play a whole game; both boards must equal the referee's at its end.
fn game(size: u16, rule: Rule, seed: u64) -> Vec<BoardPoint> {
    let mut players = [1, 2].map(|n| Pair::new(setup(size, rule), 10 * seed + n));
    for player in &mut players {
        assert_eq!(player.settle(), Event::Ready);
    }
    let mut board = EngineBoard::new(size, rule);
    while !board.is_over() {
        let player = &mut players[board.moves().len() % 2];
        let (x, y) = player.moved(board.moves());
        board.play((x.into(), y.into())).unwrap();
    }
    // No engine was sent the whole board: BEGIN or TURN was enough.
    assert!(players.iter().all(|player| !player.said.contains("BOARD")));
    board.moves().to_vec()
}

#[test]
fn whole_games_by_every_rule_on_boards_of_any_size() {
    for (number, rule) in Rule::ALL.into_iter().enumerate() {
        for size in [5, 6, 15, 20] {
            let moves = game(size, rule, number as u64);
            assert!(moves.len() >= 9, "{rule} {size}");
            assert_eq!(moves, game(size, rule, number as u64), "the same seed, the same game");
        }
    }
}

#[test]
fn a_match_from_an_opening_is_told_as_a_board_and_then_by_turns() {
    let mut pair = Pair::new(setup(15, Rule::Freestyle), 7);
    assert_eq!(pair.settle(), Event::Ready);
    let mut moves = vec![(7, 7), (8, 8), (6, 6)];
    let at = pair.moved(&moves);
    assert!(pair.said.ends_with("BOARD\r\n7,7,2\r\n8,8,1\r\n6,6,2\r\nDONE\r\n"), "{}", pair.said);
    moves.push(at);
    moves.push(
        EngineBoard::with(15, Rule::Freestyle, &[])
            .unwrap()
            .any_empty()
            .filter(|at| !moves.contains(at))
            .unwrap_or((0, 0)),
    );
    pair.moved(&moves);
    let (x, y) = moves[4];
    assert!(pair.said.ends_with(&format!("TURN {x},{y}\r\n")), "{}", pair.said);
}

#[test]
fn moves_are_taken_back_and_made_otherwise() {
    let mut pair = Pair::new(setup(15, Rule::Freestyle), 8);
    assert_eq!(pair.settle(), Event::Ready);
    let first = pair.moved(&[]);
    let other = if first == (0, 0) { (1, 1) } else { (0, 0) };
    let second = pair.moved(&[first, other]);
    let third = [(2, 0), (3, 0), (4, 0)].into_iter().find(|at| ![first, other, second].contains(at)).unwrap();
    let before = pair.said.len();
    pair.moved(&[first, third]);
    let said = &pair.said[before..];
    assert_eq!(said.matches("TAKEBACK").count(), 2, "{said}");
    assert!(said.ends_with(&format!("TURN {},{}\r\n", third.0, third.1)), "{said}");
    // After the sides change, only the whole board is correct.
    let before = pair.said.len();
    pair.moved(&[(9, 9)]);
    let said = &pair.said[before..];
    assert!(said.contains("RESTART") && said.ends_with("BOARD\r\n9,9,2\r\nDONE\r\n"), "{said}");
}

#[test]
fn a_second_match_is_played_by_the_same_engine() {
    let mut pair = Pair::new(setup(15, Rule::Freestyle), 9);
    assert_eq!(pair.settle(), Event::Ready);
    let first = pair.moved(&[]);
    pair.manager.restart(setup(15, Rule::Exactly5), Some(pair.now + Duration::from_secs(5)));
    assert_eq!(pair.settle(), Event::Ready);
    assert!(pair.said.contains("RESTART\r\n"));
    pair.moved(&[first]);
    assert!(pair.said.ends_with(&format!("TURN {},{}\r\n", first.0, first.1)));
    // The rest of an unfinished line would belong to the first answer.
    let mut unfinished = Pair::new(setup(15, Rule::Freestyle), 9);
    assert_eq!(unfinished.settle(), Event::Ready);
    unfinished.manager.input(b"MESSAGE thinking");
    unfinished.manager.restart(setup(15, Rule::Freestyle), None);
    assert_eq!(unfinished.settle(), Event::Renew);
    // Another size needs a new engine.
    pair.manager.restart(setup(19, Rule::Freestyle), None);
    assert_eq!(pair.settle(), Event::Renew);
}

#[test]
fn a_swap2_opening_is_settled_in_every_way() {
    let (mut swaps, mut stays) = (0, 0);
    for seed in 0..20 {
        let mut pair = Pair::new(setup(15, Rule::Freestyle), seed);
        assert_eq!(pair.settle(), Event::Ready);
        let Event::Points(three) = pair.ask(Question::Swap2(Vec::new())) else { panic!() };
        assert_eq!(three.len(), 3);
        let mut stones: Vec<BoardPoint> =
            three.into_iter().map(|(x, y)| (u16::try_from(x).unwrap(), u16::try_from(y).unwrap())).collect();
        for number in [3, 5] {
            match pair.ask(Question::Swap2(stones.clone())) {
                Event::Swap => swaps += 1,
                Event::Points(points) => {
                    assert_eq!(points.len(), 1);
                    stays += 1;
                }
                other => panic!("{other:?}"),
            }
            if number == 3 {
                stones.extend([(1, 1), (2, 1)]);
            }
        }
        // Then it plays on from there.
        pair.moved(&stones);
    }
    assert!(swaps > 5 && stays > 5);
}

#[test]
fn captured_stones_of_pente_are_told_with_the_rest() {
    // (9,10) and (9,11) are captured by the fifth move; the sixth move uses one of their points.
    let moves = [(9, 9), (9, 10), (0, 0), (9, 11), (9, 12), (9, 10), (0, 2)];
    let mut pair = Pair::new(setup(19, Rule::Pente), 1);
    assert_eq!(pair.settle(), Event::Ready);
    assert!(pair.said.contains("PENTESTART 19\r\n"));
    pair.moved(&moves);
    assert!(
        pair.said.contains("9,10,1\r\n0,0,2\r\n9,11,1\r\n9,12,2\r\n9,10,1\r\n0,2,2\r\nDONE"),
        "{}",
        pair.said
    );
}

#[test]
fn what_an_engine_is_told_of_time_leaves_our_side_some_of_it() {
    let mut pair = Pair::new(Setup { time: "3m+2s/5s".parse().unwrap(), ..setup(15, Rule::Renju) }, 1);
    assert_eq!(pair.settle(), Event::Ready);
    for line in [
        "INFO rule 4\r\n",
        "INFO timeout_turn 4900\r\n",
        "INFO timeout_match 179900\r\n",
        "INFO time_increment 2000\r\n",
        "INFO max_memory 367001600\r\n",
        "INFO folder /tmp\r\n",
    ] {
        assert!(
            pair.said.find(line).is_some_and(|at| at < pair.said.find("START").unwrap()),
            "{line}{}",
            pair.said
        );
    }
    let mut free = Pair::new(Setup { time: TimeControl::NONE, ..setup(15, Rule::Renju) }, 1);
    assert_eq!(free.settle(), Event::Ready);
    free.manager.ask(Question::Move(Vec::new()), None, None);
    free.settle();
    assert!(
        free.said.contains("INFO timeout_match 0\r\n") && free.said.contains("INFO time_left 2147483647\r\n")
    );
}
