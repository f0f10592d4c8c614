//! Tests of questions to matches of Steam Fortress.

use grandstand_insight::fortress::{Fortress, FortressError, IdleKind, When};
use grandstand_matches::games::fortress::inputs;
use grandstand_matches::games::fortress::referee::{Conditions, Input, Seat, Stamped};
use grandstand_matches::games::fortress::spec::ShippedMatch;
use grandstand_matches::games::fortress::teams::ShippedTeam;
use grandstand_matches::{MatchSpec as _, RunningMatch};
use grandstand_protocol::{Game, Micros};
use grandstand_replays::{Header, Limits, Replay, Writer};
use grandstand_rules::fortress::{ByTeam, Rules, maps};

/// File of inputs of a match in which only red's first unit acts: it looks around and turns.
fn idle_inputs() -> String {
    let seat = |secret: &str| Seat { secret: secret.to_owned(), open: true };
    let rules = Rules { time_limit: 60_000, ..Rules::default() };
    let map = maps::by_name(maps::SHIPPED[0].0).unwrap();
    let conditions = Conditions::new(rules, map, ByTeam::new(seat("r"), seat("b")));
    let mut text = inputs::header(&conditions) + "\n";
    let mut input = |millis, connection, input| {
        text += &(Stamped { millis, connection, input }.to_line() + "\n");
    };
    input(0, 1, Input::Open);
    input(0, 1, Input::Line(r#"{"type":"Respawn","id":1,"secret":"r","class":"medic"}"#.to_owned()));
    input(0, 0, Input::Begin);
    for (millis, line) in [
        (1_000, r#"{"type":"MyStatus","id":1}"#),
        (1_100, r#"{"type":"Scan","id":1,"range":9}"#),
        (1_200, r#"{"type":"GameStatus","id":1}"#),
        (1_300, r#"{"type":"Turn","id":1,"hand":"left"}"#),
        (1_310, r#"{"type":"Turn","id":1,"hand":"left"}"#),
        (1_400, r#"{"type":"Jump","id":1}"#),
    ] {
        input(millis, 1, Input::Line(line.to_owned()));
    }
    input(60_000, 0, Input::Tick);
    text
}

#[test]
fn a_team_that_idles_is_told_to_have_sent_nothing() {
    let fortress = Fortress::of_inputs(idle_inputs()).unwrap();
    let report = fortress.report().unwrap();
    let blue: Vec<_> = report.units.iter().filter(|unit| unit.side == 1).collect();
    assert_eq!(blue.len(), 5);
    for unit in &blue {
        assert_eq!((unit.sent, unit.done), (0, 0));
        assert_eq!((unit.idle[0].from, unit.idle[0].to), (0, 60_000));
        assert_eq!(unit.idle[0].kind, IdleKind::Silent);
    }
    let words = report.words();
    assert!(words.contains("unit 6 sent nothing"), "{words}");
    assert!(words.starts_with("red (red) and blue (blue) drew 2–2, by time."), "{words}");
}

#[test]
fn the_actions_of_a_unit_are_told_with_their_answers_and_failures_with_their_reasons() {
    let fortress = Fortress::of_inputs(idle_inputs()).unwrap();
    let report = fortress.report().unwrap();
    let unit = &report.units[0];
    assert_eq!((unit.unit, unit.done), (1, 1));
    assert!(unit.failed.iter().any(|(why, _)| why.starts_with("Turn: ")), "{unit:?}");
    let view = fortress.at(1, When::Millis(5_000)).unwrap();
    let texts: Vec<&str> = view.past_actions.iter().map(|action| &*action.text).collect();
    assert!(texts.iter().any(|text| text.starts_with("Turn left = Success")), "{texts:?}");
    assert!(texts.iter().any(|text| text.starts_with("Turn left failed: ")), "{texts:?}");
    assert_eq!(view.stood.as_ref().unwrap().health, 1_000);
}

#[test]
fn what_a_team_was_told_is_what_it_knew_at_that_moment() {
    let fortress = Fortress::of_inputs(idle_inputs()).unwrap();
    let before = fortress.at(2, When::Millis(1_050)).unwrap();
    assert_eq!(before.told.len(), 1, "its friend had asked for its own state alone");
    assert!(before.told[0].2.contains("with 1000 of health and looks east"), "{}", before.told[0].2);
    let after = fortress.at(2, When::Millis(2_000)).unwrap().words();
    assert!(after.contains("points: 0 ours, 1 ours, 2 nobody's, 3 theirs, 4 theirs"), "{after}");
    assert!(after.contains("unit 1: enemies around it: none"), "{after}");
    let blue = fortress.at(6, When::Millis(2_000)).unwrap().words();
    assert!(blue.contains("its team had been told nothing"), "{blue}");
    assert!(matches!(fortress.at(77, When::LossOrEnd), Err(FortressError::NoUnit { .. })));
    assert!(matches!(fortress.at(1, When::Loss), Err(FortressError::NotLost(1))));
}

fn shipped() -> ShippedMatch {
    let rules = Rules { time_limit: 40_000, ..Rules::default() };
    let map = maps::by_name(maps::SHIPPED[0].0).unwrap();
    let team = |name| ShippedTeam::named(name).unwrap();
    ShippedMatch { rules, map, teams: ByTeam::new(team("weak"), team("strong")), seed: 5 }
}

/// Recording of the match, with the first command that contains `changed` replaced.
fn recording(spec: &ShippedMatch, changed: Option<&str>) -> Replay {
    let mut writer = Writer::new(Vec::new(), &Header::new(Game::Fortress, spec.header(None))).unwrap();
    let mut running: Box<dyn RunningMatch> = spec.start().unwrap();
    let mut changed = changed;
    let ending = loop {
        for stamped in running.drain_commands() {
            let line = stamped.command.to_line();
            let other = changed.filter(|part| line.contains(part)).map(|_| "time 1");
            let command = match other {
                Some(other) => {
                    changed = None;
                    grandstand_protocol::Command::parse(Game::Fortress, other.as_bytes())
                }
                None => stamped.command,
            };
            writer.command(Micros(stamped.tick * 1_000), &command).unwrap();
        }
        match running.ending() {
            Some(ending) => break ending,
            None => running.advance(),
        }
    };
    writer.result(Micros(ending.tick * 1_000), &ending.result()).unwrap();
    Replay::open(&writer.into_inner(), Limits::default()).unwrap()
}

#[test]
fn a_match_of_shipped_teams_is_played_again_and_its_losses_have_causes() {
    let replay = recording(&shipped(), None);
    let fortress = Fortress::of_replay(&replay).unwrap();
    let report = fortress.report().unwrap();
    assert!(report.agrees, "{:?}", report.remarks);
    let loss = report.lost.iter().flatten().next().expect("40 seconds cost a unit");
    assert!(!loss.by.is_empty());
    let view = fortress.at(loss.unit, When::Loss).unwrap();
    assert_eq!(view.millis, loss.millis);
    assert!(view.fate.as_ref().unwrap().contains("it was destroyed by unit"), "{:?}", view.fate);
    let (_, last) = loss.last.as_ref().unwrap();
    assert!(
        view.past_actions.iter().any(|action| action.text == *last) || view.past_actions.len() == 12,
        "{last}"
    );
}

#[test]
fn a_recording_of_something_else_is_told_of() {
    let report = Fortress::of_replay(&recording(&shipped(), Some("update "))).unwrap().report().unwrap();
    assert!(!report.agrees);
    assert!(report.remarks.iter().any(|remark| remark.contains("the match parts from its recording")));
    let header = b"{\"grandstand\":1,\"game\":\"fortress\",\"rules\":{\"CLOCK\":\"real\"}}\n";
    let refused = Fortress::of_replay(&Replay::open(header, Limits::default()).unwrap()).unwrap_err();
    assert_eq!(refused.to_string(), "it was played in real time: only the file of its inputs repeats it");
}
