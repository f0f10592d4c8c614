//! Tests of hovers.

use serde_json::{Value, json};

use crate::client::Client;

/// Hover text at a position, in Markdown; empty if there is none.
fn hover(name: &str, text: &str, line: u32, character: u32) -> String {
    let said = Client::with(name, text).ask("hover", name, line, character);
    said["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_constant_is_shown_with_its_value_and_comment() {
    let text = "#include abalone/constants.ch\nT_EMPTY + DL";
    assert_eq!(
        hover("a.cl", text, 1, 3),
        "```cl\nT_EMPTY = 1\n```\n\nWhat stands on a hex. None of them is 0, so that a 0 ends the array that A_LOOK gives.\n\n*abalone/constants.ch, line 16*"
    );
    assert_eq!(
        hover("a.cl", text, 1, 11),
        "```cl\nDL = 5\n```\n\nDirections, counterclockwise from the right; 0 is none.\n\n*abalone/constants.ch, line 26*"
    );
}

#[test]
fn an_action_says_what_it_does_and_answers() {
    let said = hover("a.cl", "#include abalone/constants.ch\ndo (A_LOOK, UL)", 1, 6);
    assert!(
        said.starts_with("```cl\nA_LOOK = 5\n```\n\nwith a direction: what stands in that line"),
        "{said}"
    );
    assert!(said.contains("**Action of Robot Abalone.** Looks along a line"), "{said}");
    assert!(said.contains("Written `do (A_LOOK, UL)`. Answers an array of what stands there"), "{said}");
    let said = hover("a.rcl", "#include shark/botlib.rch\ndo [A_LOOK, DIR_UP]", 1, 6);
    assert!(said.contains("**Action of λ-Shark.**"), "{said}");
    // The text for an action that is not included names its file.
    let said = hover("a.cl", "do A_SCAN", 0, 5);
    assert!(
        said.starts_with("Nothing binds this name here; `#include abalone/constants.ch` does."),
        "{said}"
    );
}

#[test]
fn a_function_is_shown_with_its_arguments_and_the_comment_above_it() {
    let text = "(* How far two are apart.\n   Never negative. *)\nlet distance = fn a => fn b =>\n  if a < b then b - a else a - b\nin\ndistance 1 2";
    assert_eq!(
        hover("a.cl", text, 5, 0),
        "```cl\ndistance a b\n```\n\nHow far two are apart.\nNever negative.\n\n*a.cl, line 3*"
    );
    assert!(hover("a.cl", text, 3, 5).starts_with("```cl\na    (* an argument of the function in line 3 *)"));
    let said = hover("a.rcl", "#include shark/botlib.rch\nnth [1] 0", 1, 1);
    assert!(said.contains("The element number n, counted from 0; 0 behind the end."), "{said}");
}

#[test]
fn keywords_and_includes_say_what_they_are() {
    let text = "#include abalone/barrier.ch\nlet x = spawn 1 in if x then 1 else 2 (* if *)";
    assert!(hover("a.cl", text, 1, 10).starts_with("`spawn e` makes a new thread"));
    assert!(hover("a.cl", text, 1, 20).contains("There is always an `else`"));
    assert_eq!(hover("a.cl", text, 1, 42), "", "a comment has no keywords");
    assert_eq!(hover("a.cl", text, 1, 15), "");
    assert!(hover("a.cl", text, 0, 12).starts_with("**abalone/barrier.ch**\n\nA barrier for n threads"));
    assert!(hover("a.rcl", "split 1 of fn h => fn t => h else 0", 0, 2).contains("halves of the pair"));
}

#[test]
fn the_word_is_marked() {
    let said = Client::with("a.cl", "let é = 1 in 2").ask("hover", "a.cl", 0, 1);
    assert_eq!(
        said["range"],
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 3 } })
    );
    assert_eq!(Client::with("a.cl", "").ask("hover", "a.cl", 3, 9), Value::Null);
}
