//! `grandstand brain` as a process, under the engine manager and by hand.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use grandstand_players::gomocup::EngineBoard;
use grandstand_players::gomocup::manager::{Event, Question};
use grandstand_players::gomocup::process::{Engine, Options, Waited};
use grandstand_rules::stones::Rule;

use super::pair::setup;
use crate::program::{GRANDSTAND, grandstand};

/// Long enough for a slow machine; only failing tests wait that long.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn options() -> Options {
    Options::new(PathBuf::from(GRANDSTAND))
}

pub(crate) fn until(patience: Duration) -> Option<Instant> {
    Some(Instant::now() + patience)
}

fn brain() -> Child {
    let mut command = grandstand();
    command.args(["brain", "--threads", "1"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

#[test]
fn two_brains_play_a_match_and_another_one() {
    let command = ["grandstand", "brain"].map(str::to_owned);
    let mut setup = setup(9, Rule::Freestyle);
    setup.time = "60s/200ms".parse().unwrap();
    let engine = |seat| Engine::start(&command, &options(), setup.clone(), until(PATIENCE), seat).unwrap();
    let mut engines = [engine(0), engine(1)];
    let (mut names, mut thoughts) = (Vec::new(), 0);
    for game in 0..2 {
        for engine in &mut engines {
            if game > 0 {
                engine.restart(setup.clone(), until(PATIENCE));
            }
            assert_eq!(engine.wait(&mut |_| {}), Waited::For(Event::Ready));
        }
        let mut board = EngineBoard::new(9, Rule::Freestyle);
        while !board.is_over() && board.moves().len() < 12 {
            let engine = &mut engines[board.moves().len() % 2];
            engine.ask(Question::Move(board.moves().to_vec()), Some(PATIENCE), until(PATIENCE));
            let waited = engine.wait(&mut |event| match event {
                Event::Name(name) => names.push(name),
                Event::Thought(thought) => {
                    assert!(thought.depth > 0 && !thought.line.is_empty());
                    thoughts += 1;
                }
                _ => {}
            });
            let Waited::For(Event::Points(points)) = waited else { panic!("{waited:?}") };
            board.play(points[0]).unwrap();
            let timing = engine.timing();
            assert!(timing.asked <= timing.answered);
        }
    }
    assert!(names.len() == 2 && names.iter().all(|name| name.starts_with("Grandstand")), "{names:?}");
    assert!(thoughts > 0);
    for engine in engines {
        assert_eq!(engine.leave(), None);
    }
}

#[test]
fn a_brain_leaves_while_it_thinks_and_when_its_manager_is_gone() {
    for farewell in ["END\r\n", ""] {
        let mut child = brain();
        let mut input = child.stdin.take().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        input.write_all(b"START 15\r\nINFO timeout_turn 3600000\r\n").unwrap();
        assert_eq!(lines.next().unwrap().unwrap(), "OK");
        input.write_all(b"BEGIN\r\nABOUT\r\n").unwrap();
        // It answers while it thinks.
        assert!(lines.by_ref().map_while(Result::ok).any(|line| line.starts_with("name=")));
        input.write_all(farewell.as_bytes()).unwrap();
        drop(input);
        let (done, over) = mpsc::channel();
        let waits = std::thread::spawn(move || {
            let status = child.wait().unwrap();
            done.send(()).unwrap();
            status
        });
        over.recv_timeout(PATIENCE).expect("it leaves");
        assert!(waits.join().unwrap().success());
    }
}

#[test]
fn a_brain_moves_when_it_is_stopped() {
    let mut child = brain();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    input
        .write_all(b"START 15\nINFO timeout_turn 3600000\nBOARD\n7,7,2\n8,8,1\n7,8,2\nDONE\nYXSTOP\n")
        .unwrap();
    let answer = lines.find(|line| line.contains(',') && !line.starts_with("MESSAGE")).unwrap();
    assert!(
        answer.split_once(',').is_some_and(|(x, y)| x.parse::<u16>().is_ok() && y.parse::<u16>().is_ok()),
        "{answer}"
    );
    input.write_all(b"END\n").unwrap();
    assert!(child.wait().unwrap().success());
}
