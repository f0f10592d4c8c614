//! Tests of completion.

use serde_json::{Value, json};

use crate::client::Client;

/// Completion items at the position that `|` marks.
fn items(name: &str, marked: &str) -> (Client, Vec<Value>) {
    let (before, after) = marked.split_once('|').expect("a place is marked");
    let mut client = Client::with(name, &format!("{before}{after}"));
    let (line, character) =
        (before.matches('\n').count(), before.rsplit('\n').next().unwrap_or_default().len());
    let items = client.ask("completion", name, line as u32, character as u32);
    (client, items.as_array().expect("a list").clone())
}

fn labels(items: &[Value]) -> Vec<&str> {
    items.iter().filter_map(|item| item["label"].as_str()).collect()
}

fn item<'a>(items: &'a [Value], label: &str) -> &'a Value {
    items
        .iter()
        .find(|item| item["label"] == label)
        .unwrap_or_else(|| panic!("no {label}: {:?}", labels(items)))
}

#[test]
fn names_in_scope_come_innermost_first_and_others_do_not() {
    let (_, items) = items(
        "a.cl",
        "let out = 1 in\nlet f = fn arg =>\n  let y = 2 in\n  | y\nin\nlet later = 2 in\nf out",
    );
    let labels = labels(&items);
    assert_eq!(labels[..3], ["y", "arg", "out"]);
    assert!(!labels.contains(&"later") && !labels.contains(&"f"), "{labels:?}");
    assert!(labels.contains(&"spawn") && !labels.contains(&"split"), "{labels:?}");
    assert_eq!(item(&items, "out")["detail"], "out = 1");
}

#[test]
fn names_are_known_while_the_text_is_broken() {
    let (_, items) = items("a.cl", "let wide = 1 in\nlet f = fn arg =>\n  if arg = (wi|\nin\nf 1");
    assert!(labels(&items).contains(&"wide") && labels(&items).contains(&"arg"), "{:?}", labels(&items));
    let range = json!({ "start": { "line": 2, "character": 12 }, "end": { "line": 2, "character": 14 } });
    assert_eq!(item(&items, "wide")["textEdit"], json!({ "range": range, "newText": "wide" }));
}

#[test]
fn actions_come_first_where_one_is_done() {
    for text in [
        "#include abalone/constants.ch\nlet x = 1 in do |",
        "#include abalone/constants.ch\nlet x = 1 in do (A|, x)",
    ] {
        let (mut client, items) = items("a.cl", text);
        let look = item(&items, "A_LOOK");
        assert!(look["sortText"].as_str() < item(&items, "x")["sortText"].as_str(), "{look}");
        let more = client.request("completionItem/resolve", look.clone());
        let said = more["documentation"]["value"].as_str().expect("it is documented");
        assert!(said.contains("**Action of Robot Abalone.** Looks along a line"), "{said}");
    }
}

#[test]
fn what_the_library_has_comes_with_the_lines_that_include_it() {
    let (mut client, items) = items("a.cl", "(* mine *)\n#include abalone/constants.ch\n\nlet x = 1 in dis|");
    let distance = item(&items, "distance");
    assert_eq!(distance["detail"], "distance r d (includes abalone/board.ch)");
    let edit = &distance["additionalTextEdits"][0];
    assert_eq!(edit["newText"], "#include abalone/board.ch\n");
    assert_eq!(edit["range"]["start"], json!({ "line": 2, "character": 0 }));
    let more = client.request("completionItem/resolve", distance.clone());
    let said = more["documentation"]["value"].as_str().expect("it is documented");
    assert!(said.contains("How many steps (r, d) is from the centre"), "{said}");
    let (_, items) = self::items("a.rcl", "ran|");
    let edit = &item(&items, "range")["additionalTextEdits"][0];
    assert_eq!(edit["newText"], "#include shark/lists.rch\n");
    assert_eq!(edit["range"]["start"], json!({ "line": 0, "character": 0 }));
}

#[test]
fn an_include_is_completed_with_the_shipped_files() {
    let (_, found) = items("a.cl", "#inc|");
    assert!(labels(&found).contains(&"#include abalone/board.ch"), "{:?}", labels(&found));
    let (_, found) = items("a.cl", "let x = 1 in\n#include aba|lone/x\nx");
    let board = item(&found, "abalone/board.ch");
    let range = json!({ "start": { "line": 1, "character": 9 }, "end": { "line": 1, "character": 18 } });
    assert_eq!(board["textEdit"]["range"], range);
    let (_, found) = items("a.rcl", "#include |");
    assert!(labels(&found).iter().all(|label| label.ends_with(".rch")), "{:?}", labels(&found));
}

#[test]
fn nothing_comes_in_comments_texts_and_numbers() {
    for text in ["let x = 1 in (* x| *) x", "do (10, \"x|\")", "let x = 12|", "(* never closed\nx|"] {
        assert_eq!(items("a.cl", text).1, Vec::<Value>::new(), "{text}");
    }
}
