//! Results of programs: values, reductions, reasons, places.

use grandstand_languages::{End, Limits, MemoryFiles, NoWorld, Program, cl, rcl, reference_engine};

use crate::support;

fn program(text: &str) -> Program {
    cl::parse("test.cl", text).unwrap_or_else(|error| panic!("{error}"))
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
fn the_handouts_examples() {
    assert_eq!(value("let fact =\n  rec f in\n    fn n => if n=0 then 1 else n * f(n-1)\nin fact 3"), "6");
    let trymove = "let trymove = rec trymove in fn x => if x = 1 then (do x) else trymove (x - 1) in";
    assert_eq!(value(&format!("{trymove} trymove 2")), "1");
}

#[test]
fn precedence() {
    assert_eq!(value("1 + 2 * 3 - 4"), "3");
    assert_eq!(value("1 + 2 < 4 = 1"), "1");
    assert_eq!(value("let f = fn x => x * 10 in f 1 + f ~2"), "~10");
    assert_eq!(value("let c = lref (1, 2) in !c[1]"), "2");
    assert_eq!(value("let c = lref 5 in c := !c + 1; !c"), "6");
    assert_eq!(value("let f = fn x => x + 1 in f !(lref 4)"), "5");
    assert_eq!(value("if 0 then 1 else 2; 3"), "3");
    assert_eq!(value("let c = lref 0 in if 1 then c := 4 else c := 5; !c"), "4");
    assert_eq!(value("~(1 + 2) * 2"), "~6");
    assert_eq!(value("typeof 1 + 1"), "1");
    assert_eq!(value("let twice = fn f => fn x => f (f x) in twice (fn x => x * x) 3"), "81");
    assert_eq!(value("7 div 2 + 7 / 2 + 7 mod 2"), "7");
}

#[test]
fn arrays() {
    assert_eq!(value("(1, (2, 3), \"ab\")"), "(1, (2, 3), (97, 98))");
    assert_eq!(value("(1, 2)[5]"), "0");
    assert_eq!(value("()[3 := 7]"), "(0, 0, 0, 7)");
    assert_eq!(value("let a = (1, 2) in let b = a[0 := 9] in (a, b)"), "((1, 2), (9, 2))");
    assert_eq!(value("()[0 := 1]"), "()[0 := 1]");
    assert_eq!(value("(5)"), "5");
    assert_eq!(value("typeof () + typeof (fn x => x) * 10"), "12");
    assert_eq!(value("let a = ((1, 2), (3, 4)) in a[1][0]"), "3");
}

#[test]
fn a_step_is_a_reduction() {
    assert_eq!(steps("3"), 0);
    assert_eq!(steps("1 + 2"), 1);
    assert_eq!(steps("let x = 1 in x"), 1);
    assert_eq!(steps("(fn x => x) 1"), 1);
    assert_eq!(steps("if 1 then 2 else 3"), 1);
    assert_eq!(steps("1; 2"), 1);
    assert_eq!(steps("(1, 2)"), 1);
    assert_eq!(steps("(1, 2)[0]"), 2);
    assert_eq!(steps("\"text\""), 1);
    assert_eq!(steps("rec f in fn x => x"), 1);
    // rec, let; then for each n above 0: f, =, if, -, application; the last: f, =, if, application; and the products.
    assert_eq!(
        steps("let fact = rec f in fn n => if n = 0 then 1 else n * f (n - 1) in fact 3"),
        2 + 3 + 3 * 6
    );
}

#[test]
fn a_rec_is_unrolled_wherever_its_name_stands() {
    assert_eq!(value("let c = lref 3 in rec loop in if !c = 0 then 7 else (c := !c - 1; loop)"), "7");
    assert_eq!(steps("rec x in 5"), 1);
}

#[test]
fn what_is_stuck_says_where() {
    let shown = |text: &str| run(text).to_string();
    assert_eq!(
        shown("let a = 1 in\n  a + nobody"),
        "test.cl:2:7: stuck: the name `nobody` is not bound\n      a + nobody\n          ^^^^^^"
    );
    assert!(shown("1 / 0").contains("1:3: stuck: division by zero"));
    assert!(shown("1 2").contains("only a function can be applied, this is an integer"));
    assert!(shown("if () then 1 else 2").contains("1:4: stuck: the condition of `if` must be an integer"));
    assert!(shown("() = ()").contains("an array can't be compared with an array"));
    assert!(shown("9223372036854775807 + 1").contains("does not fit in 64 bits"));
    assert!(shown("~9223372036854775808 / ~1").contains("does not fit in 64 bits"));
    assert!(shown("(1,2)[~1]").contains("an index can't be negative, this is ~1"));
    assert!(shown("release (gref 0)").contains("does not hold"));
    assert!(shown("acquire (lref 0); 0").contains('0'));
    assert!(shown("do ~1").contains("stuck: no"));
    assert!(shown("rand 0").contains("positive"));
    assert!(shown("()[1000000000 := 1]").contains("more than 1048576 elements"));
    assert!(shown("(rec f in fn x => 1 + f x) 0").contains("endless recursion"));
    assert!(shown("(rec f in fn x => (spawn (rec w in w); 0; f 0)) 0").contains("too many threads"));
}

#[test]
fn programs_that_do_not_load_say_why() {
    let error = |text: &str| cl::parse("test.cl", text).unwrap_err().to_string();
    assert_eq!(
        error("let x = 1\nlet y = 2 in x + "),
        "test.cl:2:1: expected `in`, found the keyword `let`: the `let` of 1:1 has no `in`\n    let y = 2 in x + \n    ^^^"
    );
    assert!(error("").contains("expected an expression, found the end of the program"));
    assert!(error("f -").contains("1:4"));
    assert!(error("-1").contains("written `~`"));
    assert!(error("(1, 2").contains("expected an operator, `,`, `;` or `)`, found the end"));
    assert!(error("\"abc").contains("not closed on its line"));
    assert!(error("1 (* (* *)").contains("not closed"));
    assert!(error("99999999999999999999").contains("64 bits"));
    assert!(error("1x").contains("neither a number nor a name"));
    assert!(error("a ? b").contains("`?` has no meaning here"));
    assert!(error("fn let => 1").contains("expected a name, found the keyword `let`"));
    assert!(error(&"(".repeat(100_000)).contains("a nesting of expressions of more than 128"));
    assert!(error(&"1+".repeat(100_000)).contains("a nesting of expressions of more than 128"));
    assert!(error("#include ../x.ch").contains("must not contain `..`"));
    assert!(error("#include /x.ch").contains("relative"));
    assert!(error("#include").contains("missing"));
    assert!(
        error("\n  #include x.ch\n1").contains("test.cl:2:3: can't include `x.ch`: there is no such file")
    );
    assert!(error("#included").contains("after `#`"));
}

#[test]
fn long_programs_are_no_deep_programs() {
    let lets: String = (0..20_000).map(|n| format!("let x{n} = {n} in ")).collect();
    assert_eq!(value(&format!("{lets} x19999")), "19999");
    assert_eq!(value(&format!("{} 7", "1; ".repeat(20_000))), "7");
    let ifs = "if 0 then 1 else ".repeat(20_000);
    assert_eq!(value(&format!("{ifs} 7")), "7");
    let nested = format!("{}1{}", "(".repeat(120), ")".repeat(120));
    assert_eq!(value(&nested), "1");
}

#[test]
fn a_recursion_of_a_hundred_thousand_calls() {
    let down = program("(rec f in fn n => if n = 0 then 0 else 1 + f (n - 1)) 100000");
    assert_eq!(support::ends(&down, 1_000_000), ["100000"]);
    let length = "let length = fn self => fn l => split l of fn h => fn t => 1 + self self t else 0 in
        let from = fn self => fn n => fn l => if n = 0 then l else self self (n - 1) (n, l) in
        length length (from from 60000 [])";
    let length = rcl::parse("length.rcl", length).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(support::ends(&length, 1_000_000), ["60000"]);
}

#[test]
fn includes_are_text() {
    let files = MemoryFiles::new()
        .with("main.cl", "#include lib/a.ch\r\n  #include lib/b.ch\ntwice one + nobody")
        .with("lib/a.ch", "let one = 1 in")
        .with("lib/b.ch", "(* uses the other *)\n#include lib/c.ch\nlet twice = fn x => add x x in\n")
        .with("lib/c.ch", "let add = fn a => fn b => a + b in");
    let program = cl::load("main.cl", &files).unwrap();
    assert_eq!(program.sources().files().len(), 4);
    let mut machine = reference_engine::Machine::new(Limits::default(), 0);
    let team = machine.add_team(&program);
    machine.start(team);
    let mut world = NoWorld::default();
    machine.run(1000, &mut world);
    assert!(
        world.ends[0].2.to_string().starts_with("main.cl:3:13: stuck: the name `nobody`"),
        "{}",
        world.ends[0].2
    );

    let cycle =
        MemoryFiles::new().with("a.cl", "#include b.ch\n1").with("b.ch", "let x = 1 in\n#include ./a.cl\n");
    let error = cl::load("a.cl", &cycle).unwrap_err().to_string();
    assert!(error.starts_with("b.ch:2:1: `a.cl` includes itself"), "{error}");
    let open = MemoryFiles::new().with("a.cl", "#include b.ch\n1").with("b.ch", "(* \n");
    let error = cl::load("a.cl", &open).unwrap_err().to_string();
    assert!(error.starts_with("b.ch:1:1: this comment is not closed in its file"), "{error}");
    let mut bomb = MemoryFiles::new();
    for n in 0..30 {
        bomb = bomb.with(&format!("f{n}"), format!("#include f{}\n#include f{}\n", n + 1, n + 1));
    }
    let error = cl::load("f0", &bomb.with("f30", "1;")).unwrap_err().to_string();
    assert!(error.contains("a number of includes of more than 1000"), "{error}");
}
