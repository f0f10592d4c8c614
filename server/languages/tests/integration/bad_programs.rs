//! Malicious and excessive programs: nothing panics, hangs, or exceeds its limits.

use grandstand_languages::{Cause, Limit, Limits, Machine, NoWorld, Pid, Program, cl, rcl};

const LIMITS: Limits = Limits { words: 100_000, threads: 14, array_elements: 100_000, depth: 10_000 };

/// The ends of threads within this number of cycles, with their causes.
fn ends(text: &str, cycles: u64) -> Vec<(Pid, Cause)> {
    run(&cl::parse("bad.cl", text).unwrap_or_else(|error| panic!("{error}")), cycles)
}

fn run(program: &Program, cycles: u64) -> Vec<(Pid, Cause)> {
    let mut machine = Machine::new(LIMITS, 0);
    let team = machine.add_team(program);
    machine.start(team);
    let mut world = NoWorld::default();
    machine.run(cycles, &mut world);
    world.ends.into_iter().map(|(_, pid, end)| (pid, end.cause)).collect()
}

fn limit(text: &str) -> Limit {
    match ends(text, 3_000_000).first() {
        Some((_, Cause::Limit { limit, .. })) => *limit,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn endless_recursion() {
    assert_eq!(limit("(rec f in fn x => 1 + f (x + 1)) 0"), Limit::Depth(10_000));
    assert_eq!(limit("rec x in x + 1"), Limit::Depth(10_000));
    assert_eq!(
        limit("let twice = fn f => fn x => f (f x) in (rec f in fn x => 1 + twice f x) 0"),
        Limit::Depth(10_000)
    );
    // Loops are no recursion.
    assert_eq!(ends("(rec f in fn x => f (x + 1)) 0", 100_000), []);
    assert_eq!(ends("rec f in f", 100_000), []);
}

#[test]
fn endless_spawning() {
    let all = ends("(rec f in fn x => (spawn (f 0); f 0)) 0", 100_000);
    assert!(all.len() > 1000);
    assert!(all.iter().all(|(_, cause)| matches!(cause, Cause::Limit { limit: Limit::Threads(14), .. })));
}

#[test]
fn arrays_of_a_billion() {
    assert_eq!(limit("()[1000000000 := 1]"), Limit::ArrayElements(100_000));
    assert_eq!(limit("()[9223372036854775807 := 1]"), Limit::ArrayElements(100_000));
    assert_eq!(ends("()[1000000000]", 100).len(), 1);
    let fill = "(rec fill in fn i => fn a => fill (i + 1) (a[i := i])) 0 ()";
    assert!(matches!(limit(fill), Limit::ArrayElements(_) | Limit::Words(_)));
}

#[test]
fn memory_that_grows() {
    for text in [
        // A list; arrays in arrays; closures; deep calls that each hold something; shared cells; cells of the thread's own.
        "(rec f in fn l => f (1, l)) 0",
        "(rec f in fn l => f (l, l, l, l)) 0",
        "(rec f in fn l => f (fn x => l)) 0",
        "(rec f in fn n => fn l => 1 + f (n + 1) (l[n * 16 mod 100000 := n])) 0 ()",
        "let g = gref 0 in (rec f in fn l => (g := (!g, 1); f 0)) 0",
        "(rec f in fn l => f (lref l)) 0",
        "(rec f in fn l => f (gref l)) 0",
        "let g = gref 0 in spawn (rec w in w); (rec f in fn l => (g := (fn x => !g); acquire g; release g; f (g, l))) 0",
    ] {
        assert!(matches!(limit(text), Limit::Words(100_000) | Limit::Depth(_)), "{text}: {:?}", limit(text));
    }
}

/// The end of the first thread with this limit of words, and the default depth.
fn with_words(words: usize, text: &str) -> Cause {
    let mut machine = Machine::new(Limits { words, ..Limits::default() }, 0);
    let team = machine.add_team(&cl::parse("deep.cl", text).unwrap_or_else(|error| panic!("{error}")));
    machine.start(team);
    let mut world = NoWorld::default();
    machine.run(3_000_000, &mut world);
    world.ends.swap_remove(0).2.cause
}

#[test]
fn calls_beyond_the_free_ones_are_half_a_word_each() {
    // A call that holds nothing: 131,072 of them are 40,536 words, and one more for its one value.
    let text = "rec x in x + 1";
    assert!(matches!(with_words(40_600, text), Cause::Limit { limit: Limit::Depth(131_072), .. }));
    assert!(matches!(with_words(40_000, text), Cause::Limit { limit: Limit::Words(40_000), .. }));
    // The first 50,000 calls count as no words.
    let free = "(rec f in fn n => if n = 0 then 0 else 1 + f (n - 1)) 49000";
    assert!(matches!(with_words(200_000, free), Cause::Value(value) if value.to_string() == "49000"));
}

#[test]
fn held_words_count_towards_the_limit() {
    let lets: String = (0..50).map(|n| format!("let v{n} = n + {n} in ")).collect();
    let uses: String = (0..50).map(|n| format!(" + v{n}")).collect();
    let text = format!("(rec f in fn n => {lets} 1 + f (n + 1){uses}) 0");
    let end = with_words(100_000, &text);
    assert!(matches!(end, Cause::Limit { limit: Limit::Words(100_000), .. }), "{end:?}");
    // A thread beside it that makes little is not ended.
    let beside = format!(
        "spawn ((rec make in fn n => (if n mod 500 = 0 then (n, n) else 0; make (n + 1))) 1); {text}"
    );
    let end = with_words(100_000, &beside);
    assert!(
        matches!(end, Cause::Limit { limit: Limit::Words(100_000), ref place } if place.column > 40),
        "{end:?}"
    );
}

#[test]
fn whoever_fills_the_memory_ends_and_the_others_go_on() {
    let text = "spawn ((rec f in fn l => f (1, l)) 0); (rec wait in fn n => if n = 0 then 7 else wait (n - 1)) 400000";
    let all = ends(text, 3_000_000);
    assert!(matches!(all[0], (Pid(2), Cause::Limit { limit: Limit::Words(_), .. })), "{all:?}");
    assert!(matches!(all[1], (Pid(1), Cause::Value(_))), "{all:?}");
}

#[test]
fn results_that_are_too_large_or_too_deep_are_opaque() {
    let all = ends("(rec f in fn n => fn l => if n = 0 then l else f (n - 1) (1, l)) 5000 0", 100_000);
    assert!(matches!(&all[0].1, Cause::Value(value) if value.to_string().contains("<opaque>")));
    let all = ends("()[90000 := 1]", 1000);
    assert!(matches!(&all[0].1, Cause::Value(value) if value.to_string() == "<opaque>"));
}

#[test]
fn programs_with_many_names_in_scope() {
    // More values in scope than a window has registers, each used at the end.
    let mut text = String::from("let f = fn x => x + 1 in ");
    for n in 0..900 {
        text.push_str(&format!("let v{n} = f {n} in "));
    }
    text.push_str("v0 + v399 + v899");
    let all = ends(&text, 100_000);
    assert!(matches!(&all[0].1, Cause::Value(value) if value.to_string() == "1301"), "{all:?}");
    // More of them in one function than it may use.
    let uses = (0..450).map(|n| format!("v{n};")).collect::<String>();
    let text = text.replace("v0 + v399 + v899", &format!("fn x => ({uses} x)"));
    let error = cl::parse("bad.cl", &text).unwrap_err().to_string();
    assert!(error.contains("names used from around a function of more than 400"), "{error}");
    // Deep expressions with many operands in use at once.
    let deep =
        format!("let f = fn a => fn b => fn c => a + b + c in {}1{}", "f 1 2 (".repeat(100), ")".repeat(100));
    assert!(matches!(&ends(&deep, 10_000)[0].1, Cause::Value(value) if value.to_string() == "301"));
    // A function of more arguments than are taken at once.
    let params: String = (0..40).map(|n| format!("fn a{n} => ")).collect();
    let sum: Vec<String> = (0..40).map(|n| format!("a{n}")).collect();
    let call = format!("({params} {}) {}", sum.join(" + "), "1 ".repeat(40));
    assert!(matches!(&ends(&call, 10_000)[0].1, Cause::Value(value) if value.to_string() == "40"));
}

/// Like [`ends`], for an RCL program.
fn rcl_ends(text: &str, cycles: u64) -> Vec<(Pid, Cause)> {
    run(&rcl::parse("bad.rcl", text).unwrap_or_else(|error| panic!("{error}")), cycles)
}

#[test]
fn rcl_programs_have_the_same_limits() {
    let limit = |text: &str| match rcl_ends(text, 3_000_000).first() {
        Some((_, Cause::Limit { limit, .. })) => *limit,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(limit("let f = fn f => fn x => 1 + f f (x + 1) in f f 0"), Limit::Depth(10_000));
    assert_eq!(
        limit("let f = fn f => 1 + (split (f, f) of fn a => fn b => a b else 0) in f f"),
        Limit::Depth(10_000)
    );
    let all = rcl_ends("let f = fn f => fn p => (spawn (f f); f f 0) in f f 0", 10_000);
    assert!(matches!(&all[0].1, Cause::Limit { limit: Limit::Threads(14), .. }), "{all:?}");
    for text in [
        "let f = fn f => fn l => f f (1, l) in f f 0",
        "let f = fn f => fn l => f f (l, l) in f f 0",
        "let f = fn f => fn l => f f (fn x => l) in f f 0",
        "let f = fn f => fn l => 1 + f f [1, 2, 3, l, l] in f f 0",
        "let g = gref 0 in let f = fn f => (g := (!g, 1); f f) in f f",
        "let f = fn f => fn l => f f (lref l) in f f 0",
        "let s = \"abc\" in let f = fn f => fn l => split s of fn h => fn t => f f (h, (t, l)) else 0 in f f 0",
    ] {
        assert!(matches!(limit(text), Limit::Words(100_000) | Limit::Depth(_)), "{text}: {:?}", limit(text));
    }
    // Loops need no memory.
    assert_eq!(rcl_ends("let f = fn f => fn l => f f [1, 2] in f f 0", 300_000), []);
}

#[test]
fn long_and_deep_results_of_rcl() {
    let list = "let f = fn f => fn n => fn l => if n = 0 then l else f f (n - 1) (n, l) in f f";
    let all = rcl_ends(&format!("{list} 4000 []"), 100_000);
    assert!(
        matches!(&all[0].1, Cause::Value(value) if value.elements().is_some_and(|all| all.len() == 4000))
    );
    let all = rcl_ends(&format!("{list} 5000 []"), 100_000);
    assert!(matches!(&all[0].1, Cause::Value(value) if value.to_string() == "<opaque>"), "{all:?}");
    let deep = "let f = fn f => fn n => fn l => if n = 0 then l else f f (n - 1) (l, n) in f f 5000 0";
    assert!(
        matches!(&rcl_ends(deep, 100_000)[0].1, Cause::Value(value) if value.to_string().contains("<opaque>"))
    );
}

#[test]
fn an_rcl_list_of_a_quarter_of_a_million_calls() {
    let text =
        format!("let f = fn x => x in split [{}1] of fn h => fn t => h else 0", "f 7,".repeat(250_000));
    let all = rcl_ends(&text, 1_000_000);
    assert!(matches!(&all[0].1, Cause::Limit { limit: Limit::Words(100_000), .. }), "{all:?}");
}

#[test]
fn an_rcl_list_with_many_names_in_scope() {
    let mut text = String::from("let f = fn x => x + 1 in ");
    for n in 0..300 {
        text.push_str(&format!("let v{n} = f {n} in "));
    }
    let names: Vec<String> = (0..300).map(|n| format!("v{n}")).collect();
    let sum = "let sum = fn self => fn l => fn s => split l of fn h => fn t => self self t (s + h) else s in sum sum";
    text.push_str(&format!("({sum} [{}] 0)", names.join(", ")));
    assert!(matches!(&rcl_ends(&text, 10_000)[0].1, Cause::Value(value) if value.to_string() == "45150"));
}
