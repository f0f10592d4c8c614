//! Searches over a whole match, heat, and the service.

use grandstand_insight::{Direction, Heat, Insight, InsightService, Moment, StepUnit, Target};
use grandstand_matches::MatchSpec as _;
use grandstand_protocol::Game;
use serde_json::{Value, json};

use crate::support::{abalone, cl_bot, played, recording, replay, shipped_bot};

const SHARING: &str = "#include constants.ch
let plan = gref 7 in
let child = fn me =>
  (rec again in fn n =>
    acquire plan;
    plan := n * me;
    release plan;
    do A_WAITMYTURN;
    again (n + 1)) 1 in
spawn child 3;
spawn child 4;
(rec rest in (do A_WAITTURN; plan; rest))";

fn insight() -> Insight {
    played(&abalone(3, 40_000, [cl_bot(SHARING), shipped_bot(Game::Abalone, "idle")]))
}

/// All hits from the start on, each found again backwards.
fn there_and_back(insight: &mut Insight, sought: &Target) -> Vec<(Moment, u32)> {
    let mut way = Vec::new();
    let mut from = Moment::end_of(0);
    while way.len() < 12
        && let Some(found) = insight.seek(from, sought.clone(), Direction::Forward).unwrap()
    {
        assert!(found.0 > from, "{way:?} {found:?}");
        from = found.0;
        way.push(found);
    }
    for pair in way.windows(2).rev() {
        assert_eq!(
            insight.seek(pair[1].0, sought.clone(), Direction::Backward),
            Ok(Some(pair[0])),
            "{way:?}"
        );
    }
    way
}

fn line(insight: &mut Insight, (moment, bot): (Moment, u32)) -> u32 {
    insight.at(moment, bot).unwrap().thread.calls[0].place.line
}

#[test]
fn questions_beyond_the_end_are_refused_with_the_last_cycle() {
    let mut service = InsightService::new(Ok(insight()));
    let far = |cycle: u64| {
        let failure = json!({ "failure": { "bot": null } });
        let line = json!({ "line": { "file": "bot.cl", "line": 6, "bot": null, "condition": null } });
        [
            json!({ "id": 1, "ask": "step", "bot": 1, "cycle": cycle, "within": 0, "by": "turn", "back": false }),
            json!({ "id": 2, "ask": "step", "bot": 1, "cycle": cycle, "within": 0, "by": "line", "back": true }),
            json!({ "id": 3, "ask": "find", "cycle": cycle, "within": 0, "back": true, "what": failure }),
            json!({ "id": 4, "ask": "find", "cycle": cycle, "within": 0, "back": false, "what": line }),
        ]
    };
    for cycle in [u64::MAX, u64::MAX - 1, 1 << 62] {
        for question in far(cycle) {
            assert_eq!(service.ask(&question.to_string()), None, "{question}");
        }
        let mut told = Vec::new();
        while !service.is_idle() {
            told.extend(service.work());
        }
        let errors = told.iter().filter(|answer| answer.contains("the match is over in cycle")).count();
        assert_eq!(errors, 4, "{told:?}");
    }
}

#[test]
fn writes_of_a_cell_are_found_both_ways() {
    let mut insight = insight();
    let way = there_and_back(&mut insight, &Target::Write { side: 0, cell: "plan".to_owned() });
    assert!(way.len() > 5, "{way:?}");
    assert!(way.iter().all(|found| line(&mut insight, *found) == 6), "{way:?}");
    let nobody = Target::Write { side: 0, cell: "nobody".to_owned() };
    assert_eq!(insight.seek(Moment::end_of(0), nobody, Direction::Forward), Ok(None));
}

/// A change is found from wherever the search begins, so wherever its stretches have their edges.
#[test]
fn no_change_is_lost_at_the_edge_of_a_stretch() {
    let mut insight = insight();
    for sought in [
        Target::Write { side: 0, cell: "plan".to_owned() },
        Target::Lock { side: 0, cell: "plan".to_owned() },
    ] {
        let all: Vec<u64> =
            there_and_back(&mut insight, &sought).iter().map(|(moment, _)| moment.cycle).collect();
        let (first, last) = (all[1], all[all.len() - 2]);
        // The first stretch is 512 cycles long.
        for edge in all.iter().flat_map(|at| at.saturating_sub(2)..at + 4) {
            let Some(from) = edge.checked_sub(512).filter(|from| (first..last).contains(from)) else {
                continue;
            };
            let next = insight.seek(Moment::end_of(from), sought.clone(), Direction::Forward).unwrap();
            let expected = all.iter().copied().find(|at| *at > from);
            assert_eq!(next.map(|(moment, _)| moment.cycle), expected, "{sought:?} after {from}");
        }
        for from in
            all.iter().flat_map(|at| at.saturating_sub(2)..at + 4).filter(|from| (first..last).contains(from))
        {
            let before = insight.seek(Moment::end_of(from), sought.clone(), Direction::Backward).unwrap();
            let expected = all.iter().copied().rev().find(|at| *at < from);
            assert_eq!(before.map(|(moment, _)| moment.cycle), expected, "{sought:?} before {from}");
        }
    }
}

#[test]
fn a_lock_is_followed_from_hand_to_hand() {
    let mut insight = insight();
    let way = there_and_back(&mut insight, &Target::Lock { side: 0, cell: "plan".to_owned() });
    assert!(way.len() > 5, "{way:?}");
    let lines: Vec<u32> = way.iter().map(|found| line(&mut insight, *found)).collect();
    assert!(lines.contains(&5) && lines.contains(&7), "{lines:?}");
    assert!(lines.iter().all(|line| [5, 7].contains(line)), "{lines:?}");
}

#[test]
fn failed_actions_are_found_by_bot() {
    let text = "#include constants.ch
(rec again in (do (A_COMMITMOVE, R); do A_WAITTURN; again))";
    let mut insight = played(&abalone(3, 40_000, [shipped_bot(Game::Abalone, "simple_bot"), cl_bot(text)]));
    let bots = insight.bots();
    let own = bots.iter().find(|bot| bot.side == 1).unwrap().bot;
    let found =
        insight.seek(Moment::end_of(0), Target::Failure { bot: Some(own) }, Direction::Forward).unwrap();
    let (moment, bot) = found.expect("it comes to the edge of the board");
    assert_eq!(bot, own);
    let first =
        insight.seek(Moment::end_of(0), Target::Failure { bot: None }, Direction::Forward).unwrap().unwrap();
    assert!(first.0 <= moment);
    let view = insight.at(moment, bot).unwrap();
    assert!(view.past_actions.last().unwrap().to_string().contains("could not move"), "{view:?}");
    assert_eq!(
        insight.seek(moment, Target::Failure { bot: None }, Direction::Backward).unwrap().is_some(),
        first.0 < moment
    );
}

#[test]
fn turns_and_calls_are_stepped_both_ways() {
    let mut insight = insight();
    let bot = insight.bots()[0].bot;
    let at = |insight: &mut Insight, from, step, direction| insight.step(from, bot, step, direction).unwrap();
    let start = Moment::end_of(4_321);
    let next = at(&mut insight, start, StepUnit::Turn, Direction::Forward);
    assert_eq!(next, Some(Moment::end_of(5_999)));
    assert_eq!(
        at(&mut insight, Moment::end_of(5_999), StepUnit::Turn, Direction::Backward),
        Some(Moment::end_of(3_999))
    );
    assert_eq!(at(&mut insight, start, StepUnit::Turn, Direction::Backward), Some(Moment::end_of(3_999)));
    assert_eq!(at(&mut insight, Moment::end_of(100), StepUnit::Turn, Direction::Backward), None);
    assert_eq!(at(&mut insight, Moment::end_of(39_999), StepUnit::Turn, Direction::Forward), None);
}

#[test]
fn heat_has_every_reduction_but_the_last_ones() {
    let mut insight = insight();
    let mut heat = Heat::new(&insight);
    while heat.go_on(&mut insight) {}
    let last = Moment::end_of(insight.last_cycle() - 1);
    let bots: Vec<_> = insight.bots().into_iter().filter(|bot| bot.side == 0 && bot.gone.is_none()).collect();
    assert!(bots.len() > 1);
    for (bot, row) in heat.bots(&insight, None) {
        if bots.iter().any(|own| own.bot == bot) {
            let steps = insight.at(last, bot).unwrap().thread.steps;
            let sum: u64 = row.iter().sum();
            assert!(sum <= steps + 1 && sum + 200 > steps, "bot {bot}: {sum} of {steps}");
        }
    }
    let lines = heat.lines(&insight);
    let writes = lines.iter().find(|line| line.side == 0 && line.line == 6).unwrap();
    let by_bot: u64 = heat.bots(&insight, Some((0, "bot.cl", 6))).iter().flat_map(|(_, row)| row).sum();
    assert_eq!(writes.reductions, by_bot);
    assert!(lines.is_sorted_by(|a, b| a.reductions >= b.reductions));
}

/// Asks a question and works until it is answered.
fn ask(service: &mut InsightService, question: Value) -> Value {
    assert_eq!(service.ask(&question.to_string()), None);
    for _ in 0..10_000 {
        for told in service.work() {
            let told: Value = serde_json::from_str(&told).unwrap();
            if told["progress"].is_null() {
                assert_eq!(told["id"], question["id"]);
                return told;
            }
        }
    }
    panic!("no answer to {question}");
}

fn service() -> InsightService {
    let spec = abalone(3, 40_000, [cl_bot(SHARING), shipped_bot(Game::Abalone, "idle")]);
    InsightService::new(Insight::of_header(Game::Abalone, &spec.header(None)))
}

#[test]
fn a_desk_answers_questions_while_it_plays() {
    let mut service = service();
    let facts = ask(&mut service, json!({ "id": 1, "ask": "match" }));
    assert_eq!(facts["answer"]["sides"][0]["files"][0]["name"], "bot.cl");
    let view = ask(&mut service, json!({ "id": 2, "ask": "at", "bot": 1, "cycle": 20_000, "within": 0 }));
    assert!(view["answer"]["calls"][0]["place"]["line"].as_u64().is_some(), "{view}");
    let played = ask(&mut service, json!({ "id": 3, "ask": "played" }));
    let bot = played["answer"]["bots"].as_array().unwrap().iter().rfind(|bot| bot["side"] == 0).unwrap();
    let bot = bot["bot"].as_u64().unwrap();
    let what = json!({ "line": { "file": "bot.cl", "line": 6, "condition": "n = 3", "bot": bot } });
    let find = json!({ "id": 4, "ask": "find", "cycle": 0, "within": 0, "back": false, "what": what });
    let found = &ask(&mut service, find)["answer"]["found"];
    assert_eq!(found["calls"][0]["place"]["line"], 6);
    let step = json!({ "id": 5, "ask": "step", "bot": bot, "cycle": found["cycle"], "within": found["within"], "by": "line", "back": false });
    assert_ne!(ask(&mut service, step)["answer"]["found"]["calls"][0]["place"]["line"], 6);
    let print =
        json!({ "id": 6, "ask": "print", "file": "bot.cl", "line": 6, "expression": "n", "bot": bot });
    let rows = &ask(&mut service, print)["answer"]["rows"];
    assert_eq!((&rows[0]["text"], &rows[1]["text"]), (&json!("1"), &json!("2")));
    let heat = ask(&mut service, json!({ "id": 7, "ask": "heat", "of": null }));
    assert!(heat["answer"]["lines"].as_array().unwrap().len() > 5);
    assert!(service.is_idle());
}

#[test]
fn a_desk_tells_who_is_there_at_the_last_command() {
    // The team's only bot dies in the middle of a turn; the last line of the recording is drawn then.
    let dies = cl_bot("#include constants.ch\ndo A_WAITTURN; 1 / (rand 1)");
    let spec = abalone(2, 200_000, [dies, shipped_bot(Game::Abalone, "idle")]);
    let replay = replay(&recording(&spec, &spec.header(None)));
    let last = replay.log().last_seq();
    let mut service = InsightService::new(Insight::of_replay(&replay));
    ask(&mut service, json!({ "id": 1, "ask": "played" }));
    for seq in [last / 2, last] {
        let here = ask(&mut service, json!({ "id": 2, "ask": "moment", "seq": seq }));
        assert!(!here["answer"]["bots"].as_array().unwrap().is_empty(), "{here}");
    }
}

#[test]
fn a_search_is_given_up_and_no_question_is_told_apart() {
    let mut service = service();
    let what = json!({ "line": { "file": "bot.cl", "line": 6, "condition": "n = 0 - 1", "bot": null } });
    let find = json!({ "id": 1, "ask": "find", "cycle": 0, "within": 0, "back": false, "what": what });
    assert_eq!(service.ask(&find.to_string()), None);
    ask(&mut service, json!({ "id": 2, "ask": "played" }));
    assert!(!service.is_idle());
    assert_eq!(service.ask(&json!({ "id": 1, "ask": "cancel" }).to_string()), None);
    assert!(service.is_idle());
    assert!(service.ask("{\"id\":1,\"ask\":\"nonsense\"}").unwrap().contains("no question"));
    let wrong =
        json!({ "id": 3, "ask": "print", "file": "bot.cl", "line": 6, "expression": "n +", "bot": null });
    assert!(ask(&mut service, wrong)["error"].is_string());
    let nobody = ask(&mut service, json!({ "id": 4, "ask": "at", "bot": 999, "cycle": 5, "within": 0 }));
    assert_eq!(nobody["error"], "no bot has the number 999");
}
