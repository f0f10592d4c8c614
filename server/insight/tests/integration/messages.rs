//! The service's messages, as JSON.

use std::path::Path;

use grandstand_insight::{Insight, InsightService};
use grandstand_matches::MatchSpec as _;
use grandstand_protocol::Game;
use serde_json::{Value, json};

use crate::support::{abalone, cl_bot, recording, replay, shipped_bot};

const SHARING: &str = "let plan = gref (1, (2, 3)) in
let twice = fn n => n + n in
let child = rec child in fn me =>
  acquire plan;
  plan := (me, twice 2);
  do 8;
  release plan;
  child me in
spawn child 3;
spawn child 4;
do 1;
do (7, 3);
1 / (rand 1)";

/// A question of every kind, with every kind of answer.
fn questions() -> Vec<Value> {
    let at = |bot: u32, cycle: u64| json!({ "ask": "at", "bot": bot, "cycle": cycle, "within": 0 });
    let find = |what: Value, back: bool| json!({ "ask": "find", "cycle": 1_000, "within": 0, "back": back, "what": what });
    let line = |condition: Value| json!({ "line": { "file": "bot.cl", "line": 5, "condition": condition, "bot": null } });
    let print = |expression: &str| json!({ "ask": "print", "file": "bot.cl", "line": 5, "expression": expression, "bot": 3 });
    let mut all =
        vec![json!({ "ask": "match" }), json!({ "ask": "played" }), json!({ "ask": "moment", "seq": 5 })];
    all.extend((1..=5).map(|bot| at(bot, 2_500)));
    all.extend([
        at(4, 1_000),
        at(1, 12),
        at(1, 15),
        at(3, 900_000),
        json!({ "ask": "moment", "seq": 900_000 }),
    ]);
    all.extend(["operation", "line", "over", "out", "call", "action", "turn"].map(
        |by| json!({ "ask": "step", "bot": 3, "cycle": 2_500, "within": 0, "by": by, "back": by == "line" }),
    ));
    all.extend([
        find(line(json!("me = 4")), false),
        find(line(json!("me = 5")), true),
        find(line(json!("me +")), true),
        find(json!({ "failure": { "bot": null } }), false),
        find(json!({ "failure": { "bot": 3 } }), true),
        find(json!({ "write": { "side": 0, "cell": "plan" } }), false),
        find(json!({ "lock": { "side": 0, "cell": "plan" } }), true),
        print("(me, plan)"),
        print("me + plan"),
        print("nobody"),
        json!({ "ask": "heat", "of": null }),
        json!({ "ask": "heat", "of": { "side": 0, "file": "bot.cl", "line": 6 } }),
        json!({ "ask": "nonsense" }),
        json!({ "ask": "report" }),
    ]);
    all
}

/// The answer to a question.
fn ask(service: &mut InsightService, question: &Value) -> String {
    if let Some(refused) = service.ask(&question.to_string()) {
        return refused;
    }
    loop {
        assert!(!service.is_idle(), "no answer to {question}");
        if let Some(answer) = service.work().into_iter().find(|answer| !answer.contains("\"progress\"")) {
            return answer;
        }
    }
}

/// Each line is a question or its answer. `GRANDSTAND_BLESS=1` writes the file.
#[test]
fn messages_are_as_in_the_golden_file() {
    let spec = abalone(3, 6_000, [cl_bot(SHARING), shipped_bot(Game::Abalone, "idle")]);
    let replay = replay(&recording(&spec, &spec.header(None)));
    let mut service = InsightService::new(Insight::of_replay(&replay));
    let mut all = String::new();
    for (id, mut question) in questions().into_iter().enumerate() {
        question["id"] = id.into();
        all += &format!("{question}\n{}\n", ask(&mut service, &question));
    }
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/messages.txt");
    if std::env::var_os("GRANDSTAND_BLESS").is_some() {
        std::fs::write(&golden, &all).unwrap();
    }
    let expected = std::fs::read_to_string(golden).unwrap();
    for (line, expected) in all.lines().zip(expected.lines()) {
        assert_eq!(line, expected);
    }
    assert_eq!(all.len(), expected.len());
}
