//! Matches replayed from their inputs.

use std::thread;
use std::time::Duration;

use grandstand_matches::MatchSpec;
use grandstand_matches::games::riskless::Riskless;
use grandstand_matches::games::stones::Stones;
use grandstand_matches::inputs::InputsError;
use grandstand_matches::turns::answer::Answer;
use grandstand_matches::turns::fuzz;
use grandstand_matches::turns::inputs;
use grandstand_matches::turns::settings::read_settings;
use grandstand_players::turns::player::Turn;
use grandstand_players::turns::spec::TurnMatch;
use grandstand_protocol::{Command, Game, Scene};
use grandstand_rules::SplitMix64;
use grandstand_rules::stones::Position;
use grandstand_rules::turn::Thought;
use serde_json::json;

use super::fixtures::{Answered, ELSEWHERE, ROW, between, play, plays, point, puppet, settings};

#[test]
fn the_inputs_of_a_match_give_the_same_commands() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("a.inputs");
    let thinks = |turn: &Turn<'_, Position>| {
        thread::sleep(Duration::from_millis(3));
        turn.reports.thought(Thought { score: -3, depth: 4, nodes: 5, line: vec![point("h8")] });
        turn.reports.say("hm …");
        plays(ELSEWHERE)(turn)
    };
    let late = |turn: &Turn<'_, Position>| match turn.moves.len() {
        6 => loop {
            thread::sleep(Duration::from_secs(100));
        },
        _ => plays(ROW)(turn),
    };
    let give_up: fn(&Turn<'_, Position>) -> Answered = |_| Ok(Answer::Resign);
    let matches = [
        (between(puppet("a", plays(ROW)), puppet("b", thinks), "1m+1s/20s"), "five"),
        (between(puppet("late", late), puppet("b", thinks), "/150ms"), "time"),
        (between(puppet("a", plays(ROW)), puppet("b", give_up), "none"), "resigned"),
        (between(puppet("a", plays(ROW)).at_a_seat(), puppet("b", thinks), "1m"), "five"),
    ];
    for (mut fixture, termination) in matches {
        fixture.inputs = Some(file.clone().into());
        let played = play(&fixture);
        assert_eq!(played.ending.termination, termination);
        let text = std::fs::read_to_string(&file).unwrap();
        let again = inputs::replay::<Stones>(&text).unwrap();
        let lines: Vec<String> =
            again.commands.iter().map(|c| format!("{} {}", c.tick, c.command.to_line())).collect();
        assert_eq!(lines, played.lines);
        assert_eq!(again.ending, Some(played.ending));
        assert_eq!(again.header, fixture.header(None));
        let Scene::Stones(scene) = played.scene else { panic!("another game") };
        assert!(scene.table().winner().is_some());
    }
}

#[test]
fn inputs_that_no_match_could_have_are_refused_with_their_line() {
    let fixture = between(puppet("a", plays(ROW)), puppet("b", plays(ELSEWHERE)), "5m");
    let header = inputs::header(Game::Gomoku, &fixture.header(None));
    let error = |lines: &[&str]| {
        let text =
            std::iter::once(header.as_str()).chain(lines.iter().copied()).collect::<Vec<_>>().join("\n");
        let InputsError { line, reason } = inputs::replay::<Stones>(&text).unwrap_err();
        format!("{line}: {reason}")
    };
    let begin = "[0,\"begin\"]";
    assert_eq!(error(&["[0,\"turn\"]"]), "2: nobody is asked");
    assert_eq!(error(&[begin, begin]), "3: the match has begun");
    assert_eq!(error(&[begin, "[5,\"move\",0,\"h8\"]"]), "3: the clock does not run");
    assert_eq!(error(&[begin, "[5,\"turn\"]", "[6,\"move\",1,\"h8\"]"]), "4: it is the other player's turn");
    assert_eq!(error(&[begin, "[5,\"turn\"]", "[6,\"swap\",0]"]), "4: this is no answer to what was asked");
    assert_eq!(error(&[begin, "[5,\"turn\"]", "[6,\"time-over\",0]"]), "4: its time is not over");
    assert_eq!(error(&[begin, "[1,\"resign\",0]", "[2,\"turn\"]"]), "4: the match is over");
    assert_eq!(error(&["[0,\"move\",2,\"h8\"]"]), "2: 2 is not a player; expected 0 or 1");
    assert!(error(&["[0,\"move\",1,\"8h\"]"]).starts_with("2: field 4: "));
    assert!(
        error(&["[0,\"forfeit\",1,\"luck\",\"\"]"])
            .starts_with("2: `luck` is no termination; expected one of crash")
    );
    assert_eq!(error(&["[0,\"begin\",1]"]), "2: expected 2 fields, found 3");
    assert!(error(&["nothing"]).starts_with("2: expected an input"));
    assert!(inputs::replay::<Stones>("").unwrap_err().to_string().starts_with("line 1: expected the object"));
}

#[test]
fn any_bytes_are_inputs_or_refused() {
    let mut fixture = between(puppet("a", plays(ROW)), puppet("b", plays(ELSEWHERE)), "5m+1s/1m");
    fixture.game = settings(json!({"OPENING": "swap2", "SIZE": 9})).game;
    let lines = [
        "[0,\"begin\"]",
        "[5,\"turn\"]",
        "[6,\"place\",0,\"e5 e6 e7\"]",
        "[7,\"swap\",1]",
        "[7,\"stay\",0]",
        "[9,\"move\",0,\"a1\"]",
        "[9,\"move\",1,\"b1\"]",
        "[12,\"say\",1,\"x\"]",
        "[70000000,\"time-over\",1]",
        "[13,\"thought\",0,-5,3,99,\"a1 b1\"]",
        "[14,\"name\",1,\"y\"]",
        "[15,\"resign\",1]",
        "[16,\"forfeit\",0,\"crash\",\"z\"]",
        "[18446744073709551615,\"turn\"]",
    ];
    fuzz_inputs(&inputs::header(Game::Gomoku, &fixture.header(None)), &lines);

    let map = json!({"MAP": "islands"});
    let map = read_settings::<Riskless>(Game::Riskless, map.as_object().unwrap().clone()).unwrap();
    let fixture = TurnMatch::new(map, ["search", "search"], 1).unwrap();
    let header = inputs::header(Game::Riskless, &fixture.header(None));
    let moves = "[0,\"begin\"]\n[5,\"turn\"]\n[6,\"move\",0,\"1-0\"]\n[7,\"turn\"]\n[8,\"move\",1,\"3-6\"]";
    let played = inputs::replay::<Riskless>(&format!("{header}\n{moves}")).unwrap();
    assert!(
        played.commands.iter().filter(|drawn| matches!(&drawn.command, Command::Riskless(_))).count() > 30
    );
    let lines: Vec<&str> = moves.lines().chain(lines).collect();
    fuzz_inputs(&header, &lines);
}

/// Files that begin like this one, with some of these lines, corrupted.
fn fuzz_inputs(header: &str, lines: &[&str]) {
    let noise = b"{}[]\",:0 9n\\-e.\n\xff";
    let mut random = SplitMix64::new(312);
    fuzz::inputs(b"");
    for case in 0..2_000 {
        let mut data = header.as_bytes().to_vec();
        for number in 0..=random.below(12) {
            data.push(b'\n');
            // Most begin as a match does.
            let line = lines.get(number as usize).filter(|_| random.below(6) > 0);
            data.extend(line.copied().unwrap_or_else(|| random.choose(lines).unwrap()).bytes());
        }
        // In some, the first line is corrupted too.
        let from = if case % 4 == 0 { 0 } else { header.len() };
        for _ in 0..random.below(3) {
            let at = from + random.below((data.len() - from) as u64) as usize;
            match random.below(3) {
                0 => data[at] = random.choose(noise).unwrap(),
                1 => data.insert(at, random.choose(noise).unwrap()),
                _ => drop(data.remove(at)),
            }
        }
        fuzz::inputs(&data);
    }
}
