//! Results of RCL programs: values, reductions, children, requests, reasons, places.

use grandstand_languages::{Datum, End, Limits, MemoryFiles, Pid, Program, fuzz, load, rcl};

use crate::support;

fn program(text: &str) -> Program {
    rcl::parse("test.rcl", text).unwrap_or_else(|error| panic!("{error}"))
}

fn seen(text: &str) -> fuzz::Log {
    support::seen(&program(text))
}

fn run(text: &str) -> End {
    support::end(&program(text))
}

fn value(text: &str) -> String {
    support::value(&program(text))
}

fn steps(text: &str) -> u64 {
    run(text).steps
}

#[test]
fn pairs_and_lists() {
    assert_eq!(value("(1, 2)"), "(1, 2)");
    assert_eq!(value("(1, (2, 3))"), "(1, (2, 3))");
    assert_eq!(value("((1, 2), 3)"), "((1, 2), 3)");
    assert_eq!(value("[]"), "0");
    assert_eq!(value("[5]"), "(5, 0)");
    assert_eq!(value("[1, 2, 3]"), "[1, 2, 3]");
    assert_eq!(value("(1, (2, (3, 0)))"), "[1, 2, 3]");
    assert_eq!(value("[[1, 2], (3, 4), []]"), "[[1, 2], (3, 4), 0]");
    assert_eq!(value("\"hi!\""), "[104, 105, 33]");
    assert_eq!(value("\"\""), "0");
    assert_eq!(value("(5)"), "5");
    assert_eq!(value("let id = fn x => x in id [1, 2]"), "[1, 2]");
    assert_eq!(value("[1 + 1; 5, let x = 3 in x]"), "[5, 3]");
    assert_eq!(value("[(fn x => x), lref 1]"), "[<opaque>, <opaque>]");
    assert_eq!(
        value("[typeof 7, typeof (fn x => x), typeof (1, 2), typeof [], typeof (lref 0), typeof (gref 0)]"),
        "[0, 1, 2, 0, 3, 3]"
    );
}

#[test]
fn split_takes_pairs_apart() {
    assert_eq!(value("split (1, 2) of fn a => fn b => a * 10 + b else 9"), "12");
    assert_eq!(value("split 7 of fn a => fn b => 1 else 9"), "9");
    assert_eq!(value("split [1, 2] of fn h => fn t => t else 9"), "(2, 0)");
    // The function after `of` is evaluated if and only if the value is a pair.
    assert_eq!(value("let c = lref 0 in split 0 of (c := 1; fn a => fn b => a) else !c"), "0");
    assert_eq!(value("let c = lref 0 in split (2, 3) of (c := 1; fn a => fn b => !c + a + b) else 9"), "6");
    assert_eq!(value("1 + (split (2, 3) of fn a => fn b => a + b else 0) * 2"), "11");
    assert_eq!(value("split 1 of 2 else split (3, 4) of fn a => fn b => b else if 1 then 5 else 6"), "4");
    assert_eq!(value("split 1 of 2 else 3; 4"), "4");
    // Nested ones see the halves of both.
    let nested = "split ((1, 2), (3, 4)) of fn l => fn r =>
        split l of fn a => fn b => (split r of fn c => fn d => [a, b, c, d] else 0) else 0 else 0";
    assert_eq!(value(nested), "[1, 2, 3, 4]");
    // Functions that use the halves keep them.
    assert_eq!(value("let f = split (1, 2) of fn a => fn b => fn x => a + b + x else 0 in f 10"), "13");
    assert_eq!(
        value("split (1, 2) of (fn a => split (a, 5) of fn c => fn d => fn b => [a, b, c, d] else 0) else 0"),
        "[1, 2, 1, 5]"
    );
}

#[test]
fn a_step_is_a_reduction() {
    assert_eq!(steps("(1, 2)"), 0);
    assert_eq!(steps("[1, 2, 3]"), 0);
    assert_eq!(steps("\"text\""), 0);
    assert_eq!(steps("[1 + 2, 3]"), 1);
    assert_eq!(steps("let x = (1, 2) in x"), 1);
    // The split, and two applications.
    assert_eq!(steps("split (1, 2) of fn a => fn b => a else 0"), 3);
    assert_eq!(steps("split 1 of fn a => fn b => a else 0"), 1);
    assert_eq!(steps("1 + (split (1, 2) of fn a => fn b => a else 0)"), 4);
    assert_eq!(steps("let add = fn a => fn b => a + b in split (1, 2) of add else 0"), 5);
    assert_eq!(steps("let c = lref 0 in c := 5; !c"), 5);
    assert_eq!(steps("spawn (fn parent => 0)"), 1);
}

#[test]
fn the_shared_grammar_means_the_same() {
    assert_eq!(value("1 + 2 * 3 - 4"), "3");
    assert_eq!(value("1 + 2 < 4 = 1"), "1");
    assert_eq!(value("[7 / 2, ~7 / 2, ~7 mod 2, 7 mod ~2]"), "[3, ~4, 1, ~1]");
    assert_eq!(value("let f = fn x => x * 10 in f 1 + f ~2"), "~10");
    assert_eq!(value("let f = lref (fn x => x + 1) in !f 4 * 2"), "10");
    assert_eq!(value("if 0 then 1 else 2; 3"), "3");
    assert_eq!(value("let c = gref 1 in acquire c; c := !c + 1; release c; !c"), "2");
    assert_eq!(value("typeof (1, 2) + 1"), "3");
    assert_eq!(value("(* a comment (* in another *) *) (fn x => x) 3"), "3");
}

#[test]
fn a_child_is_its_parents_pid_applied() {
    let text = "let told = gref 0 in 1;
        let child = spawn (fn parent => told := (parent, 7); 0) in
        1; 1; 1; 1; (child, !told)";
    assert_eq!(value(text), "(2, (1, 7))");
    // The child evaluates the operand: here with calls, and with names that the parent has bound.
    let text = "let told = gref 0 in
        let brain = fn kind => fn parent => told := [kind, parent]; 0 in
        let child = spawn (brain 9) in
        1; 1; 1; 1; 1; 1; !told";
    assert_eq!(value(text), "[9, 1]");
    // The value of a refused `spawn` is 0 (the world refuses in every fourth cycle), and its operand is not
    // evaluated.
    assert_eq!(value("1; 1; spawn nobody"), "0");
    // A value other than a function can't be applied: the child is stuck, at the operand.
    let log = seen("spawn 5; 1; 1; 1");
    let end = log.end_of(Pid(2)).expect("the child ends").to_string();
    assert!(
        end.starts_with("test.rcl:1:7: stuck: only a function can be applied, this is an integer"),
        "{end}"
    );
    // Grandchildren get the pids of their own parents.
    let text = "let told = gref 0 in 1;
        spawn (fn p => 1; 1; spawn (fn q => told := (p, q); 0); 0);
        1; 1; 1; 1; 1; 1; 1; 1; !told";
    assert_eq!(value(text), "(1, 2)");
}

#[test]
fn actions_take_numbers_pairs_and_lists() {
    let request = |text: &str| {
        let log = seen(text);
        let act = log.seen.iter().find_map(|seen| match seen {
            fuzz::ValueView::Act(_, _, request) => Some(request.clone()),
            _ => None,
        });
        act.expect("an action").to_string()
    };
    let names =
        "let A_MOVE = 21 in let A_FACE = 25 in let A_INSPECT = 27 in let A_TALK = 29 in let UP = 4 in ";
    for (action, expected) in [
        ("do A_MOVE", "21"),
        ("do [A_MOVE]", "(21, 0)"),
        ("do [A_FACE, UP]", "[25, 4]"),
        ("do (A_FACE, UP)", "(25, 4)"),
        ("do (A_INSPECT, (3, 5))", "(27, (3, 5))"),
        ("do [A_INSPECT, 3, 5]", "[27, 3, 5]"),
        ("do [A_INSPECT, (3, 5)]", "[27, (3, 5)]"),
        ("do (A_TALK, \"hi\")", "[29, 104, 105]"),
        ("do [A_TALK, \"hi\"]", "[29, [104, 105]]"),
        ("do [A_TALK, [104, 105]]", "[29, [104, 105]]"),
    ] {
        assert_eq!(request(&format!("{names}{action}")), expected, "{action}");
    }
    // A pair that the world answers can be split.
    assert_eq!(value("split do 10 of fn a => fn b => a else 9"), "10");
    // A list of the greatest length is a valid request, a longer one is not.
    assert_eq!(request(&format!("do \"{}\"", "x".repeat(4095))).len(), 4095 * 5);
    assert!(run(&format!("do \"{}\"", "x".repeat(4096))).to_string().contains("more than 4096 elements"));
    let nested = format!("do {}1{}", "(".repeat(17), ", 0)".repeat(17));
    assert!(run(&nested).to_string().contains("nested more than 16 deep"), "{}", run(&nested));
}

#[test]
fn what_is_stuck_says_where() {
    let shown = |text: &str| run(text).to_string();
    assert_eq!(
        shown("let a = 1 in\n  a + (2, 3)"),
        "test.rcl:2:5: stuck: the right side of `+` must be an integer, this is a pair\n      a + (2, 3)\n        ^"
    );
    assert!(shown("[1] 2").contains("1:1: stuck: only a function can be applied, this is a pair"));
    assert!(
        shown("split (1, 2) of 3 else 4")
            .contains("1:17: stuck: only a function can be applied, this is an integer")
    );
    assert!(
        shown("split (1, 2) of fn a => a else 4")
            .contains("1:17: stuck: only a function can be applied, this is an integer")
    );
    assert!(
        shown("if [1] then 1 else 2")
            .contains("1:4: stuck: the condition of `if` must be an integer, this is a pair")
    );
    assert!(shown("[1] = [1]").contains("a pair can't be compared with a pair"));
    assert!(shown("(fn x => x) = [1]").contains("a function can't be compared with a pair"));
    assert_eq!(value("[(1, 2) = 0, 0 = [1], lref 0 = [1], [] = 0]"), "[0, 0, 0, 1]");
    assert!(shown("!(1, 2)").contains("`!` needs a cell, this is a pair"));
    assert!(
        shown("let c = lref 0 in spawn (fn p => c := 1); 1; 1; (fn x => 1 / 0) 1")
            .contains("division by zero")
    );
}

#[test]
fn programs_that_do_not_load_say_why() {
    let error = |text: &str| rcl::parse("test.rcl", text).unwrap_err().to_string();
    assert_eq!(
        error("let f = rec f in f"),
        "test.rcl:1:9: expected an expression, found the keyword `rec` (RCL has no `rec`: see RCL.md, section 5)\n    let f = rec f in f\n            ^^^"
    );
    assert!(error("7 div 2").contains("found the keyword `div` (in RCL it is `/`)"));
    for sign in [">", "<=", ">=", "<>"] {
        assert!(
            error(&format!("1 {sign} 2"))
                .contains(&format!("found `{sign}` (RCL compares with `<` and `=` only)"))
        );
    }
    assert!(error("()").contains("expected an expression, found `)`"));
    assert!(error("(1, 2, 3)").contains("a pair has two halves; a list is written `[a, b, c]`"));
    assert!(error("(1, 2").contains("found the end of the program"));
    assert!(error("[1, 2").contains("expected an operator, `,`, `;` or `]`, found the end"));
    assert!(error("[1, ]").contains("expected an expression, found `]`"));
    assert!(error("[1 2, , 3]").contains("expected an expression, found `,`"));
    assert!(error("split 1 of 2").contains("expected `else`, found the end"));
    assert!(error("split 1 then 2").contains("expected `of`, found the keyword `then`"));
    assert!(error("let of = 1 in of").contains("expected a name, found the keyword `of`"));
    assert!(error(&"[".repeat(100_000)).contains("a nesting of expressions of more than 128"));
    assert!(error(&"split ".repeat(100_000)).contains("a nesting of expressions of more than 128"));
    assert!(error("(1,(".repeat(200).as_str()).contains("a nesting of expressions of more than 128"));
}

#[test]
fn long_programs_are_no_deep_programs() {
    let splits = "split 0 of 1 else ".repeat(20_000);
    assert_eq!(value(&format!("{splits} 7")), "7");
    let mixed = "split 0 of 1 else if 0 then 2 else ".repeat(10_000);
    assert_eq!(value(&format!("{mixed} 7")), "7");
    let sum = "let sum = fn self => fn l => fn s => split l of fn h => fn t => self self t (s + h) else s in sum sum";
    let numbers: Vec<String> = (0..20_000).map(|n| n.to_string()).collect();
    assert_eq!(value(&format!("{sum} [{}] 0", numbers.join(", "))), "199990000");
    // Elements that must be computed, more than there are registers.
    let calls: Vec<String> = (0..3_000).map(|n| format!("id {n}")).collect();
    assert_eq!(value(&format!("let id = fn x => x in {sum} [{}] 0", calls.join(", "))), "4498500");
}

#[test]
fn files_tell_their_language() {
    let files = MemoryFiles::new()
        .with("a.rcl", "#include lib/pairs.rch\nsecond [1, 2]")
        .with("b.cl", "(1, 2)[1]")
        .with("c", "(1, 2)[1]")
        .with("lib/pairs.rch", "let second = fn p => split p of fn a => fn b => b else 0 in");
    for (name, expected) in [("a.rcl", "(2, 0)"), ("b.cl", "2"), ("c", "2")] {
        let program = load(name, &files).unwrap_or_else(|error| panic!("{error}"));
        let log = fuzz::agree(&program, Limits::default(), 1000, &[]);
        assert_eq!(log.end_of(Pid(1)).map(ToString::to_string).as_deref(), Some(expected), "{name}");
    }
    assert_eq!(Datum::list([Datum::Int(1), Datum::Int(2)]).to_string(), "[1, 2]");
}
