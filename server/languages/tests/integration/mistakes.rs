//! Usual mistakes: messages name unclosed constructs, and the probable intention.

use grandstand_languages::{MemoryFiles, Program, cl, load, rcl};

use crate::support;

/// The first line of the message about a program that does not load.
fn error(program: Result<Program, grandstand_languages::LoadError>) -> String {
    let error = program.expect_err("it does not load").to_string();
    error.lines().next().expect("a message has a line").to_owned()
}

fn cl(text: &str) -> String {
    error(cl::parse("a.cl", text))
}

fn rcl(text: &str) -> String {
    error(rcl::parse("a.rcl", text))
}

#[test]
fn what_is_open_is_named_with_its_place() {
    for (text, note) in [
        (
            "1;\nlet x = 1\nlet y = 2 in x",
            "a.cl:3:1: expected `in`, found the keyword `let`: the `let` of 2:1 has no `in`",
        ),
        (
            "let f = fn x =>\n  let y = x in y\nf 1",
            "found the end of the program: the `let` of 1:1 has no `in`",
        ),
        ("let f = 1 in\n\n  f (2 + (3)\n", "found the end of the program: the `(` of 3:5 is not closed"),
        ("let a = (1, 2 in a", "found the keyword `in`: the `(` of 1:9 is not closed"),
        ("(let a = 1 + 2)", "found `)`: the `let` of 1:2 has no `in`"),
        ("if 1 then 2", "expected `else`, found the end of the program: the `if` of 1:1 has no `else`"),
        ("if 1; 2", "expected `then`, found the end of the program: the `if` of 1:1 has no `then`"),
        ("(if 1 then 2)", "expected `else`, found `)`: the `if` of 1:2 has no `else`"),
        ("rec f fn x => x", "expected `in`, found the keyword `fn`: the `rec` of 1:1 has no `in`"),
        ("(1, 2)[0", "found the end of the program: the `[` of 1:7 is not closed"),
        ("let x = 1 in x in", "found the keyword `in`, and nothing is open that it could belong to"),
        ("1 + 2)", "found `)`, and nothing is open that it could belong to"),
    ] {
        assert!(cl(text).ends_with(note), "{text}: {}", cl(text));
    }
    assert!(rcl("split 1 fn h => h").ends_with("the `split` of 1:1 has no `of`"));
    assert!(rcl("split 1 of fn h => fn t => h").ends_with("the `split` of 1:1 has no `else`"));
    assert!(rcl("let l = [1, 2 in l").ends_with("the `[` of 1:9 is not closed"));
    assert!(rcl("let p = (1, 2 in p").ends_with("the `(` of 1:9 is not closed"));
    // A complete construct is not listed as open.
    assert!(!cl("let a = (1) in (a = = 2)").contains("of 1:"), "{}", cl("let a = (1) in (a = = 2)"));
}

#[test]
fn what_is_open_in_another_file_is_named_with_it() {
    let files =
        MemoryFiles::new().with("a.cl", "#include lib.ch\n1").with("lib.ch", "let one = 1 in\nlet two = 2\n");
    let error = error(load("a.cl", &files));
    assert_eq!(
        error,
        "a.cl:2:2: expected `in`, found the end of the program: the `let` of lib.ch:2:1 has no `in`"
    );
}

#[test]
fn habits_of_other_languages_are_known() {
    for (text, hint) in [
        ("if 1 == 1 then 2 else 3", "(equality is written `=`)"),
        ("1 != 2", "(not equal is written `<>`)"),
        ("let f x = x + 1 in f 2", "(a function is written `let f = fn x => …`)"),
        ("let f = fn x y => x in f", "(a function of two arguments is written `fn x => fn y => …`)"),
        ("do 7, 1", "(an action and its arguments stand in parentheses: `do (A, B)`)"),
        ("let x = do 7, 1 in x", "(an action and its arguments stand in parentheses: `do (A, B)`)"),
        ("1 // one", "(a comment is written `(* … *)`)"),
        ("(1; 2;)", "(`;` stands between two expressions, not after the last)"),
        ("if 1 then 2; else 3", "(`;` stands between two expressions, not after the last)"),
        ("5 % 3", "(the remainder is `mod`)"),
        ("if 1 && 1 then 2 else 3", "(`a` and `b` is written `if a then b else 0`)"),
        ("#include \"lib.ch\"\n1", "the name stands without quotes: `#include lib.ch`"),
        ("#include <lib.ch>\n1", "the name stands without quotes: `#include lib.ch`"),
    ] {
        assert!(cl(text).ends_with(hint), "{text}: {}", cl(text));
    }
    assert!(rcl("if 1 == 1 then 2 else 3").ends_with("(equality is written `=`)"));
    assert!(rcl("let f x = x in f 2").ends_with("(a function is written `let f = fn x => …`)"));
    assert!(rcl("1 != 2").ends_with("(not equal is `if a = b then 0 else 1`)"));
    assert!(rcl("do 7, 1").ends_with("stand in parentheses: `do (A, B)`)"));
    // A comma elsewhere has nothing to do with an action.
    assert!(!cl("do 7; 1, 2").contains("action"), "{}", cl("do 7; 1, 2"));
}

#[test]
fn a_function_that_calls_itself_without_rec_is_told_how() {
    let hint = "(a function calls itself by a `rec`: `let f = rec f in fn …`, see CL.md, section 4)";
    // The example of the handout's section 4.2.
    let trymove = "let trymove = fn x => if x = 0 then 5\n  else trymove (x - 1) in\ntrymove 1; trymove 2";
    let program = cl::parse("a.cl", trymove).expect("it loads");
    let warnings: Vec<String> = program.warnings().iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [format!(
            "a.cl:2:8: warning: nothing binds the name `trymove` here {hint}\n      else trymove (x - 1) in\n           ^^^^^^^"
        )]
    );
    let end = support::end(&program).to_string();
    assert!(end.starts_with(&format!("a.cl:2:8: stuck: the name `trymove` is not bound {hint}\n")), "{end}");

    let length = "let length = fn l => split l of fn h => fn t => 1 + length t else 0 in length [1]";
    let program = rcl::parse("a.rcl", length).expect("it loads");
    assert_eq!(program.warnings().len(), 1);
    let end = support::end(&program).to_string();
    assert!(
        end.contains("(a function calls itself when it is given itself, see RCL.md, section 5)"),
        "{end}"
    );

    // No hint if the name is bound, or has another meaning.
    for text in [
        "let f = rec f in fn n => if n = 0 then 0 else f (n - 1) in f 1",
        "let f = fn x => x in let f = fn x => f (x + 1) in f 1",
        "let f = fn f => f 1 in f (fn x => x)",
        "let f = fn x => let f = 2 in f + x in f 1",
    ] {
        let program = cl::parse("a.cl", text).expect("it loads");
        assert_eq!(program.warnings(), [], "{text}");
    }
    let plain = support::end(&cl::parse("a.cl", "let f = fn x => g x in f 1").expect("it loads")).to_string();
    assert!(plain.starts_with("a.cl:1:17: stuck: the name `g` is not bound\n"), "{plain}");
}

#[test]
fn a_rec_that_never_ends_where_something_follows_is_warned_of() {
    let warnings = |text: &str| cl::parse("a.cl", text).expect("it loads").warnings().to_vec();
    for text in [
        "let wait = rec w in (do 8; w) in wait; 1",
        "let wait = rec w in if do 3 then (do 8; w) else let x = 1 in w in 1",
        "rec w in (do 8; w); 1; 2",
        "(rec w in w); 1",
    ] {
        let found = warnings(text);
        if text.starts_with("rec") {
            // The body of a `rec` reaches over `;`: it ends.
            assert_eq!(found, [], "{text}");
            continue;
        }
        assert_eq!(found.len(), 1, "{text}");
        assert!(found[0].problem.starts_with("this `rec` runs at once and never ends"), "{}", found[0]);
        assert!(found[0].problem.ends_with("is `rec w in fn u => …`"), "{}", found[0]);
    }
    for text in [
        "do 8; rec w in (do 8; w)",
        "let wait = rec w in fn u => (do 8; w u) in wait 0",
        "let count = rec w in if do 3 then w else 7 in count",
        "let wait = rec w in (do 8; let w = 1 in w) in wait",
        "spawn (rec w in (do 8; w)); 1",
    ] {
        assert_eq!(warnings(text), [], "{text}");
    }
}

#[test]
fn text_that_is_not_utf_8_is_shown_with_its_place() {
    let files = MemoryFiles::new().with("a.cl", b"1;\n  \xc3\xa9 + \xe9t\xe9;\n2".to_vec());
    let error = load("a.cl", &files).expect_err("it does not load");
    assert_eq!(
        error.to_string(),
        "a.cl:2:7: the byte 0xE9 is not UTF-8 text\n      \u{e9} + \u{fffd}t\u{fffd};\n          ^"
    );
    assert_eq!(error.place().map(|place| (place.line, place.column)), Some((2, 7)));
    let library =
        MemoryFiles::new().with("a.cl", "#include l.ch\n1").with("l.ch", b"let a = 1 in\xff".to_vec());
    let error = load("a.cl", &library).expect_err("it does not load").to_string();
    assert!(error.starts_with("l.ch:1:13: the byte 0xFF is not UTF-8 text\n"), "{error}");
}
