//! The referee of turn games, with players that are slow, hang, break, cheat and resign.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use grandstand_matches::MatchSpec;
use grandstand_matches::games::stones::Stones;
use grandstand_matches::turns::answer::{Answer, Forfeit};
use grandstand_players::turns::player::{Preparation, Turn};
use grandstand_players::turns::player_factory::PlayerFactory;
use grandstand_players::turns::reports::Reports;
use grandstand_players::turns::spec::TurnMatch;
use grandstand_protocol::stones::{Command as Drawn, Common, Point};
use grandstand_rules::stones::Position;
use grandstand_rules::turn::Thought;
use serde_json::json;

use super::fixtures::{
    Answered, ELSEWHERE, Played, Puppet, ROW, between, bidder, outcome, play, plays, point, puppet, settings,
};

#[test]
fn five_in_a_row_win_and_both_clocks_are_shown_at_each_move() {
    let played = play(&between(puppet("a b", plays(ROW)), puppet("c", plays(ELSEWHERE)), "1m+1s"));
    assert_eq!(outcome(&played), (Some(0), "five"));
    assert_eq!((played.ending.lengths[0], played.ending.score), (("moves", 9), None));
    let count = |word: &str| played.lines.iter().filter(|line| line.split(' ').nth(1) == Some(word)).count();
    assert_eq!((count("move"), count("win"), count("names")), (9, 1, 1));
    // Both clocks before the match; then each starts and stops once per move.
    assert_eq!(count("clock"), 2 + 2 * 9);
    let text = played.lines.join("\n");
    assert!(text.contains("names a_b c") && text.contains("five h8 l8") && text.ends_with("win black"));
    assert!(played.ending.detail.contains_key("thinking_millis"));
}

#[test]
fn a_match_of_exact_players_has_no_clocks() {
    let played = play(&between(puppet("a", plays(ROW)), puppet("b", plays(ELSEWHERE)), "none"));
    assert_eq!((outcome(&played), played.ending.tick), ((Some(0), "five"), 9));
    assert!(!played.lines.iter().any(|line| line.contains("clock")));
}

#[test]
fn who_oversteps_its_time_has_lost_even_with_the_winning_move() {
    let slow = |turn: &Turn<'_, Position>| {
        if turn.moves.len() == 8 {
            thread::sleep(turn.budget().unwrap() + Duration::from_millis(5));
        }
        plays(ROW)(turn)
    };
    for time in ["/200ms", "300ms"] {
        let played = play(&between(puppet("slow", slow), puppet("b", plays(ELSEWHERE)), time));
        assert_eq!(outcome(&played), (Some(1), "time"), "{time}");
        assert_eq!(played.ending.lengths[0], ("moves", 8));
        assert!(played.ending.words.clone().unwrap().contains("took"), "{time}");
        let millis = if time == "300ms" { 300 } else { 200 };
        assert!(
            thought(&played, "black") > millis,
            "the turn that was lost counts: {:?}",
            played.ending.detail
        );
    }
}

/// Total thinking time of a side, in milliseconds.
fn thought(played: &Played, side: &str) -> u64 {
    played.ending.detail["thinking_millis"][side].as_u64().unwrap()
}

#[test]
fn a_turn_that_ends_with_a_loss_counts_as_thinking() {
    let gives_in = |_: &Turn<'_, Position>| {
        thread::sleep(Duration::from_millis(40));
        Err(Forfeit::new(Forfeit::TIME, "I was too late"))
    };
    let played = play(&between(puppet("gives in", gives_in), puppet("b", plays(ELSEWHERE)), "1m"));
    assert_eq!(outcome(&played), (Some(1), "time"));
    // In whole milliseconds, as matches are stamped.
    assert!(thought(&played, "black") >= 39, "{:?}", played.ending.detail);
}

#[test]
fn who_hangs_loses_by_the_clock_and_is_left_behind() {
    // It ignores every request to stop.
    let hangs = |_: &Turn<'_, Position>| loop {
        thread::sleep(Duration::from_secs(100));
    };
    let played = play(&between(puppet("b", plays(ROW)), puppet("hangs", hangs), "/100ms"));
    assert_eq!(outcome(&played), (Some(0), "time"));
    assert!(thought(&played, "white") >= 100, "{:?}", played.ending.detail);
    assert!(
        played.log.last().unwrap().ends_with("it does not finish, and is left behind"),
        "{:?}",
        played.log
    );
}

#[test]
fn who_waits_is_told_when_nobody_wants_its_answer_any_more() {
    let (sender, stopped) = mpsc::channel();
    let waits = move |turn: &Turn<'_, Position>| {
        let (waker, woken) = mpsc::channel();
        turn.stop.when_set(move || waker.send(()).unwrap());
        woken.recv().unwrap();
        sender.send(turn.stopped()).unwrap();
        Err(Forfeit::new(Forfeit::TIME, "I was too late"))
    };
    let played = play(&between(puppet("waits", waits), puppet("b", plays(ELSEWHERE)), "/100ms"));
    assert_eq!(outcome(&played), (Some(1), "time"));
    assert_eq!(stopped.recv(), Ok(true));
    assert!(played.log.iter().all(|line| !line.contains("left behind")));
}

#[test]
fn an_answer_in_time_counts_however_late_it_is_told() {
    let slow = |turn: &Turn<'_, Position>| {
        let answer = plays(ROW)(turn);
        turn.answered_at(Instant::now());
        if turn.moves.len() == 2 {
            // Longer than the time for a move, shorter than the permitted delay of an answer.
            thread::sleep(turn.budget().unwrap() + Duration::from_millis(20));
        }
        answer
    };
    let played = play(&between(puppet("slow", slow), puppet("b", plays(ELSEWHERE)), "/100ms"));
    assert_eq!(outcome(&played), (Some(0), "five"));
}

#[test]
fn who_breaks_moves_illegally_or_gives_up_has_lost_by_that() {
    let with = |think: fn(&Turn<'_, Position>) -> Answered| {
        let played = play(&between(puppet("bad", think), puppet("b", plays(ELSEWHERE)), "10s"));
        assert_eq!(played.ending.winner, Some(1));
        let marked =
            played.lines.iter().any(|line| line.contains("#gs marker") && line.contains("bad lost by"));
        assert!(marked, "{:?}", played.lines);
        (played.ending.termination, played.ending.words.unwrap())
    };
    let broken = with(|_| panic!("out of ideas"));
    assert_eq!(broken, ("crash", "the player broke: out of ideas".to_owned()));
    let elsewhere = with(|_| Ok(Answer::Move(point("a1"))));
    assert_eq!(elsewhere, ("illegal", "a1: a1 is not the centre; black's first stone goes to h8".to_owned()));
    let off = with(|turn| Ok(Answer::Move(point(if turn.moves.is_empty() { "h8" } else { "z26" }))));
    assert!(off.0 == "illegal" && off.1.contains("z26 is off the board"), "{}", off.1);
    let taken = with(|_| Ok(Answer::Move(point("h8"))));
    assert_eq!(taken, ("illegal", "h8: h8 has a black stone".to_owned()));
    assert_eq!(with(|_| Ok(Answer::Resign)), ("resigned", "it gave up".to_owned()));
    let memory = with(|_| Err(Forfeit::new(Forfeit::MEMORY, "600 MiB of 512")));
    assert_eq!(memory, ("memory", "600 MiB of 512".to_owned()));
}

#[test]
fn who_is_not_ready_in_time_or_can_not_be_has_lost() {
    let unready = |limit, prepare: fn(&Preparation<Position>) -> Result<(), Forfeit>| {
        let factory = PlayerFactory::new("unready", move || Puppet {
            prepare: Box::new(prepare),
            limit,
            think: Box::new(plays(ROW)),
            bids: Vec::new(),
        });
        let played = play(&between(factory, puppet("b", plays(ELSEWHERE)), "10s"));
        assert_eq!((played.ending.winner, played.ending.lengths[0]), (Some(1), ("moves", 0)));
        played.ending.termination
    };
    let slow = unready(Some(Duration::from_millis(50)), |game| {
        let (waker, woken) = mpsc::channel();
        game.stop.when_set(move || waker.send(()).unwrap());
        woken.recv().unwrap();
        Ok(())
    });
    assert_eq!(slow, "startup");
    assert_eq!(unready(None, |_| Err(Forfeit::new(Forfeit::LEFT, "nobody came"))), "left");
    assert_eq!(unready(None, |_| panic!("no table")), "crash");
}

#[test]
fn getting_ready_takes_nobody_s_time() {
    let slow = PlayerFactory::new("slow", || Puppet {
        prepare: Box::new(|_| {
            thread::sleep(Duration::from_millis(300));
            Ok(())
        }),
        limit: Some(Duration::from_secs(30)),
        think: Box::new(plays(ROW)),
        bids: Vec::new(),
    });
    let played = play(&between(slow, puppet("b", plays(ELSEWHERE)), "250ms"));
    assert_eq!(outcome(&played), (Some(0), "five"));
}

#[test]
fn who_gives_up_while_the_other_thinks_has_lost_at_once() {
    let (sender, handle) = mpsc::channel::<Reports<Point>>();
    let sender = std::sync::Mutex::new(sender);
    let gives_up = PlayerFactory::new("gives up", move || {
        let sender = sender.lock().unwrap().clone();
        Puppet {
            prepare: Box::new(move |game| {
                sender.send(game.reports.clone()).unwrap();
                Ok(())
            }),
            limit: None,
            think: Box::new(plays(ELSEWHERE)),
            bids: Vec::new(),
        }
    });
    let handle = std::sync::Arc::new(std::sync::Mutex::new(handle));
    let thinks = move |turn: &Turn<'_, Position>| {
        handle.lock().unwrap().recv().unwrap().resign();
        let (waker, woken) = mpsc::channel();
        turn.stop.when_set(move || waker.send(()).unwrap());
        woken.recv().unwrap();
        plays(ROW)(turn)
    };
    let played = play(&between(puppet("thinks", thinks), gives_up, "1h"));
    assert_eq!((outcome(&played), played.ending.lengths[0]), ((Some(0), "resigned"), ("moves", 0)));
}

#[test]
fn a_million_thoughts_and_words_trouble_nobody() {
    let floods = |turn: &Turn<'_, Position>| {
        let line = vec![point("h8"); 200];
        for nodes in 0..20_000 {
            turn.reports.thought(Thought { score: 1, depth: 2, nodes, line: line.clone() });
            turn.reports.say(&"long ".repeat(100));
            turn.reports.note("noise\nnoise");
        }
        plays(ROW)(turn)
    };
    let played = play(&between(puppet("floods", floods), puppet("b", plays(ELSEWHERE)), "10m"));
    assert_eq!(outcome(&played), (Some(0), "five"));
    let thoughts = played.commands.iter().filter_map(|command| match command {
        Drawn::Common(Common::Thought(thought)) => Some(thought),
        _ => None,
    });
    let thoughts: Vec<_> = thoughts.collect();
    // The last thought of each of the five moves is among them.
    assert_eq!(thoughts.iter().filter(|thought| thought.nodes == 19_999).count(), 5);
    assert!(thoughts.iter().all(|thought| thought.line.len() <= 64));
    let talk =
        played.commands.iter().filter(|command| matches!(command, Drawn::Common(Common::Say { .. }))).count();
    assert!(talk <= 5 * 10 && played.log.len() <= 5 * 100, "{talk} {}", played.log.len());
}

#[test]
fn a_person_is_not_shown_what_the_engine_thinks() {
    let thinks = |turn: &Turn<'_, Position>| {
        turn.reports.thought(Thought { score: 7, depth: 2, nodes: 9, line: vec![point("h8")] });
        plays(ROW)(turn)
    };
    let thoughts = |fixture: &TurnMatch<Stones>| -> Vec<String> {
        let lines = play(fixture).lines.into_iter().map(|line| line.split_once(' ').unwrap().1.to_owned());
        lines.filter(|line| ["thought", "move", "win"].iter().any(|word| line.starts_with(word))).collect()
    };
    let mut with_a_seat =
        between(puppet("thinks", thinks), puppet("b", plays(ELSEWHERE)).at_a_seat(), "none");
    let held = thoughts(&with_a_seat);
    assert_eq!(held[8..10], ["move black l8", "thought@ 0 black 7 2 9 h8"]);
    assert_eq!(held[13..], ["thought@ 8 black 7 2 9 h8", "win black"]);
    assert_eq!(with_a_seat.header(None).rules.unwrap()["SHOW_THOUGHTS"], false);
    with_a_seat.show_thoughts = Some(true);
    assert_eq!(thoughts(&with_a_seat)[..2], ["thought black 7 2 9 h8", "move black h8"]);
    let of_programs = between(puppet("thinks", thinks), puppet("b", plays(ELSEWHERE)), "none");
    assert_eq!(thoughts(&of_programs)[..2], ["thought black 7 2 9 h8", "move black h8"]);
    assert!(of_programs.header(None).rules.unwrap().get("SHOW_THOUGHTS").is_none());
}

#[test]
fn openings_by_swap2_give_players_their_sides() {
    let stones = |text: &str| Answer::Place(text.split(' ').map(point).collect::<Vec<_>>());
    let three = || stones("h8 i9 g7");
    let swap2 = |first: &[Answer<Point>], second: &[Answer<Point>]| {
        // After three stones or five it is white's turn, whichever player that is.
        let next = |turn: &Turn<'_, Position>| {
            let row = if turn.side.index() == 0 { "a1 b1 c1 d1 e1" } else { "a3 b3 c3 d3 e3" };
            Ok(Answer::Move(point(
                row.split(' ').find(|text| turn.position.stone(point(text)).is_none()).unwrap(),
            )))
        };
        let mut fixture = between(bidder("one", first, next), bidder("two", second, next), "10s");
        fixture.game = settings(json!({"OPENING": "swap2"})).game;
        play(&fixture)
    };
    let names = |played: &Played| {
        let names = played.lines.iter().rev().find(|line| line.contains(" names "));
        names.unwrap().split_once(" names ").unwrap().1.to_owned()
    };
    // White moves first after the opening and wins with its row.
    let stays = swap2(&[three()], &[Answer::Stay]);
    assert_eq!(
        (outcome(&stays), stays.ending.swapped, names(&stays)),
        ((Some(1), "five"), false, "one two".to_owned())
    );
    let swaps = swap2(&[three()], &[Answer::Swap]);
    assert_eq!(
        (outcome(&swaps), swaps.ending.swapped, names(&swaps)),
        ((Some(1), "five"), true, "two one".to_owned())
    );
    let more = swap2(&[three(), Answer::Swap], &[stones("c3 d4")]);
    assert_eq!((outcome(&more).1, more.ending.swapped), ("five", true));
    assert_eq!(more.lines.iter().filter(|line| line.contains(" move ")).take(5).count(), 5);

    let few = swap2(&[stones("h8 i9")], &[]);
    assert_eq!(
        (outcome(&few), few.ending.words.unwrap()),
        ((Some(1), "illegal"), "2 stones; expected 3".to_owned())
    );
    let twice = swap2(&[stones("h8 h8 i9")], &[]);
    assert_eq!(
        (outcome(&twice), twice.ending.words.unwrap()),
        ((Some(1), "illegal"), "h8: h8 has a black stone".to_owned())
    );
    let early = swap2(&[Answer::Stay], &[]);
    assert_eq!(outcome(&early), (Some(1), "illegal"));
}

#[test]
fn players_keep_the_names_that_they_are_given_and_take_them_to_their_sides() {
    let three = [Answer::Place("h8 i9 g7".split(' ').map(point).collect::<Vec<_>>())];
    let row = |turn: &Turn<'_, Position>| {
        // An engine says what it is called.
        turn.reports.name("its own name");
        let row = if turn.side.index() == 0 { "a1 b1 c1 d1 e1" } else { "a3 b3 c3 d3 e3" };
        Ok(Answer::Move(point(
            row.split(' ').find(|text| turn.position.stone(point(text)).is_none()).unwrap(),
        )))
    };
    let mut fixture = between(bidder("kind", &three, row), bidder("kind", &[Answer::Swap], row), "10s");
    fixture.game = settings(json!({"OPENING": "swap2"})).game;
    let names = |fixture: &TurnMatch<Stones>| {
        let drawn: Vec<String> = play(fixture).lines;
        let names = drawn.iter().filter_map(|line| Some(line.split_once(" names ")?.1.to_owned()));
        names.collect::<Vec<_>>()
    };
    assert!(names(&fixture).contains(&"kind its_own_name".to_owned()));
    fixture.name_players(["Ada Lovelace", "Gus"]);
    assert_eq!(names(&fixture), ["Ada_Lovelace Gus", "Gus Ada_Lovelace"]);
    assert_eq!(fixture.header(None).teams[0].name, *"Ada Lovelace");
    let other = fixture.variation(1, true).header(None);
    assert_eq!([&*other.teams[0].name, &*other.teams[1].name], ["Gus", "Ada Lovelace"]);
}
