//! Tests of diagnostics.

use serde_json::json;

use crate::client::{Client, uri};

fn problems(name: &str, text: &str) -> Vec<String> {
    Client::with(name, text).problems(name)
}

#[test]
fn every_mistake_is_told_where_it_is() {
    let text = "let a = 1 + * 2 in\nlet b = (a; in\nlet c = é in\na + b";
    assert_eq!(
        problems("a.cl", text),
        [
            "1:13-14: error: expected an expression, found `*`",
            "2:13-15: error: expected an expression, found the keyword `in`: the `(` of 2:9 is not closed (`;` stands between two expressions, not after the last)",
            "3:9-10: error: `é` has no meaning here",
            "3:11-13: error: expected an expression, found the keyword `in`: the `let` of 3:1 has no `in`",
        ]
    );
}

#[test]
fn positions_are_counted_as_editors_count() {
    assert_eq!(
        problems("a.cl", "\"😀\" + %"),
        [
            "1:8-9: error: `%` has no meaning here (the remainder is `mod`)",
            "1:9-9: error: expected an expression, found the end of the program",
        ]
    );
}

#[test]
fn names_that_nothing_binds_are_told_with_what_may_be_meant() {
    let stuck = "a thread that comes here is stuck, and ends";
    let text = "let live = fn n => n in\nlvie 1 + T_EMPTY + nowhere";
    assert_eq!(
        problems("a.cl", text),
        [
            "1:5-9: hint: `live` is never used".to_owned(),
            format!("2:1-5: warning: nothing binds the name `lvie`: {stuck}; did you mean `live`?"),
            format!(
                "2:10-17: warning: nothing binds the name `T_EMPTY`: {stuck}; `#include abalone/constants.ch` does"
            ),
            format!("2:20-27: warning: nothing binds the name `nowhere`: {stuck}"),
        ]
    );
    // A function that uses its own name has one diagnostic, with the correct form.
    let found = problems("a.cl", "let f = fn n => f (n - 1) in f 3");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with(
        "1:17-18: warning: nothing binds the name `f` here (a function calls itself by a `rec`"
    ));
}

#[test]
fn names_that_nothing_uses_are_faded_and_those_that_are_meant_so_are_not() {
    let text = "let one = 1 in\nlet f = rec g in fn x => fn _y => fn any => x in\nlet _two = 2 in f 1 2 3";
    let client = Client::with("a.cl", text);
    assert_eq!(
        client.problems("a.cl"),
        [
            "1:5-8: hint: `one` is never used",
            "2:13-14: hint: `g` is never used: this calls itself nowhere, and needs no `rec`",
        ]
    );
    assert_eq!(client.told[&uri("a.cl")][0]["tags"], json!([1]));
    // The missing part of a broken text may use them.
    assert_eq!(problems("a.cl", "let one = 1 in let two = 2 in one +").len(), 1);
}

#[test]
fn actions_of_wrong_shape_are_told_before_they_are_done() {
    let cl = |action: &str| {
        problems("a.cl", &format!("#include abalone/constants.ch\nlet x = rand 6 in\nx; do {action}"))
    };
    let refused = "this action is refused, and its thread ends there:";
    for (action, problem) in [
        ("(A_LOOK, 9)", "A_LOOK takes a direction from 1 to 6, this is 9"),
        ("(A_SCAN, x)", "A_SCAN takes no argument"),
        ("A_LOOK", "A_LOOK takes a direction from 1 to 6"),
        ("(A_COMMITMOVE, x, x)", "A_COMMITMOVE takes a direction from 0 to 6"),
        ("(A_INSPECT, x, x, x)", "A_INSPECT takes a position: two integers, or an array of two"),
        ("A_TALK", "A_TALK takes a string, that is an array of character codes"),
        ("99", "99 is not an action; the actions are 1 (A_MYSTAT) to 10 (A_TALK)"),
    ] {
        let found = cl(action);
        assert_eq!(found.len(), 1, "{action}: {found:?}");
        assert!(found[0].ends_with(&format!("warning: {refused} {problem}")), "{found:?}");
    }
    for action in [
        "(A_LOOK, x)",
        "(A_LOOK, UL)",
        "A_SCAN",
        "(A_INSPECT, x, 1)",
        "(A_INSPECT, (1, x))",
        "(A_TALK, x)",
        "(x, 9)",
        "x",
        "(A_COMMITMOVE, 0)",
    ] {
        assert_eq!(cl(action), Vec::<String>::new(), "{action}");
    }
    let rcl = |action: &str| {
        problems("a.rcl", &format!("#include shark/constants.rch\nlet x = rand 6 in\nx; do {action}"))
    };
    for action in ["[A_FACE, 9]", "(A_FACE, 9)", "[A_MOVE, 1]", "[A_INSPECT, 1, 2, 3]", "[A_NEAREST, 11]"] {
        assert_eq!(rcl(action).len(), 1, "{action}: {:?}", rcl(action));
    }
    for action in [
        "[A_FACE, x]",
        "(A_FACE, DIR_UP)",
        "A_MOVE",
        "[A_INSPECT, x, x]",
        "(A_INSPECT, x)",
        "[A_TALK, \"hi\"]",
        "(A_TALK, x)",
    ] {
        assert_eq!(rcl(action), Vec::<String>::new(), "{action}");
    }
    let applied = cl("A_LOOK x");
    assert!(
        applied[0].ends_with("warning: `A_LOOK` is the number 5, and only a function can be applied to something; an action with an argument is written `do (ACTION, ARGUMENT)`"),
        "{applied:?}"
    );
}

#[test]
fn what_fails_in_an_included_file_is_shown_at_the_include() {
    let mut client = Client::new(&[
        ("/w/lib/good.ch", "let x = 1 in\n#include lib/bad.ch\n"),
        ("/w/lib/bad.ch", "let y = 1 + in\n"),
    ]);
    client.open("a.cl", "let a = 1 in\n#include lib/good.ch\n#include none.ch\na + x + y + z");
    assert_eq!(
        client.problems("a.cl"),
        [
            "2:1-21: error: in lib/bad.ch:1:13: expected an expression, found the keyword `in`: the `let` of 1:1 has no `in`",
            "3:1-17: error: can't include `none.ch`: there is no such file",
        ],
        "`z` may be in what could not be included"
    );
    let related = &client.told[&uri("a.cl")][0]["relatedInformation"][0]["location"];
    assert_eq!(related["uri"], "file:///w/lib/bad.ch");
    assert_eq!(related["range"]["start"], json!({ "line": 0, "character": 12 }));
}

#[test]
fn a_text_that_is_open_takes_the_place_of_its_file_wherever_it_is_included() {
    let mut client = Client::new(&[("/w/lib.ch", "let x = 1 in\n")]);
    client.open("a.cl", "#include lib.ch\nx + y");
    assert_eq!(client.problems("a.cl").len(), 1);
    client.open("lib.ch", "let x = 1 in\nlet y = 2 in\n");
    assert_eq!(client.problems("a.cl"), Vec::<String>::new());
    client.change("lib.ch", "let x = 1 in\nlet y = in\n");
    assert!(
        client.problems("a.cl")[0].starts_with("1:1-16: error: in lib.ch:2:9:"),
        "{:?}",
        client.problems("a.cl")
    );
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri("lib.ch") } }));
    assert_eq!(client.problems("a.cl").len(), 1, "the file on disk is back");
    assert_eq!(client.problems("lib.ch"), Vec::<String>::new(), "of what is closed nothing is told");
    // A missing file appears.
    client.open("b.cl", "#include new.ch\nnew");
    assert_eq!(client.problems("b.cl").len(), 1);
    client.open("new.ch", "let new = 1 in");
    assert_eq!(client.problems("b.cl"), Vec::<String>::new());
}

#[test]
fn a_library_ends_in_in_and_says_what_its_programs_must_bind() {
    assert_eq!(
        problems("lib.ch", "let two = T_EMPTY + 1 in\nlet three = fn _ => two + mine in\n"),
        ["2:27-31: information: nothing in this file binds `mine`: the program that includes it must"]
    );
    assert_eq!(
        problems("lib.rch", "let two = fn l => split l of fn h => fn _ => h else 0 in"),
        Vec::<String>::new()
    );
    assert_eq!(problems("lib.ch", "let two = (2 in").len(), 1);
    assert!(
        problems("a.cl", "let two = 2 in")[0]
            .contains("error: expected an expression, found the end of the program")
    );
}

#[test]
fn what_the_compiler_refuses_is_told_too() {
    let names: String = (0..410).map(|n| format!("let v{n} = rand 2 in ")).collect();
    let uses: String = (0..410).map(|n| format!("v{n};")).collect();
    let found = problems("a.cl", &format!("{names}\nfn x => ({uses} x)"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].contains("error: a number of names used from around a function of more than 400"),
        "{found:?}"
    );
}
