//! The shipped Abalone libraries do what the handout's sections 4.3, 4.4 and 10 say.

use grandstand_languages::{MemoryFiles, cl};

use crate::support;

fn files() -> MemoryFiles {
    MemoryFiles::new()
        .with("constants.ch", include_str!("../../../bots/abalone/constants.ch"))
        .with("arrays.ch", include_str!("../../../bots/abalone/arrays.ch"))
        .with("booleans.ch", include_str!("../../../bots/abalone/booleans.ch"))
        .with("barrier.ch", include_str!("../../../bots/abalone/barrier.ch"))
        .with("text.ch", include_str!("../../../bots/abalone/text.ch"))
}

/// The ends of all threads of a program.
fn ends(text: &str, cycles: u64) -> Vec<String> {
    let files = files().with("test.cl", text);
    let program = cl::load("test.cl", &files).unwrap_or_else(|error| panic!("{error}"));
    support::ends(&program, cycles)
}

fn value(text: &str) -> String {
    ends(text, 1_000_000).remove(0)
}

#[test]
fn constants() {
    let actions = "(A_MYSTAT, A_TEAMSTAT, A_GAMESTAT, A_INSPECT, A_LOOK, A_SCAN, A_COMMITMOVE, A_WAITTURN, A_WAITMYTURN, A_TALK)";
    assert_eq!(value(&format!("#include constants.ch\n{actions}")), "(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)");
    assert_eq!(value("#include constants.ch\n(R, UR, UL, L, DL, DR)"), "(1, 2, 3, 4, 5, 6)");
    assert_eq!(value("#include constants.ch\n(T_EMPTY, T_PIECE, T_OPIECE, T_OFFBOARD)"), "(1, 2, 3, 4)");
}

#[test]
fn folds() {
    let value = |text: &str| value(&format!("#include arrays.ch\n{text}"));
    assert_eq!(value("foldl (fn x => fn acc => acc * 10 + x) 0 (1, 2, 3, 4) 3"), "123");
    assert_eq!(value("foldl (fn x => fn acc => acc * 10 + x) 0 (1, 2, 3, 4) 100"), "1234");
    assert_eq!(value("foldl (fn x => fn acc => acc * 10 + x) 0 (1, 2, 0, 4) 4"), "12");
    assert_eq!(value("foldl (fn x => fn acc => acc + x) 7 () 4"), "7");
    assert_eq!(value("foldl (fn x => fn acc => acc + x) 7 (1, 2) 0"), "7");
    assert_eq!(value("foldl (fn x => fn acc => acc + x[1]) 0 ((1, 2), (3, 4)) 2"), "6");
    assert_eq!(value("foldr (fn x => fn acc => acc * 10 + x) 0 (1, 2, 3, 4) 3"), "321");
    assert_eq!(value("foldr (fn x => fn acc => acc * 10 + x) 0 (1, 2, 0, 4) 4"), "21");
    assert_eq!(value("foldr (fn x => fn acc => acc) 5 () 4"), "5");
}

#[test]
fn map_and_append() {
    let value = |text: &str| value(&format!("#include arrays.ch\n{text}"));
    assert_eq!(value("map (fn x => x * x) (1, 2, 3, 4) 3"), "(1, 4, 9)");
    assert_eq!(value("map (fn x => x * x) (1, 2, 0, 4) 4"), "(1, 4)");
    assert_eq!(value("append (1, 2) (3, 4, 5) 2 3"), "(1, 2, 3, 4, 5)");
    assert_eq!(value("append (1, 2, 9, 8) (3, 4, 5) 2 1"), "(1, 2, 3, 8)");
    assert_eq!(value("append (1, 2) (3, 0, 5) 2 3"), "(1, 2, 3)");
    assert_eq!(value("append (1, 0, 7) (3, 4) 3 2"), "(1, 3, 4)");
    assert_eq!(value("append () \"ab\" 0 2"), "(97, 98)");
}

#[test]
fn booleans() {
    let value = |text: &str| value(&format!("#include booleans.ch\n{text}"));
    assert_eq!(value("(true, false, not true, not false)"), "(1, 0, 0, 1)");
    assert_eq!(value("(and 0 0, and 0 1, and 1 0, and 2 3)"), "(0, 0, 0, 1)");
    assert_eq!(value("(or 0 0, or 0 2, or 3 0, or 1 1)"), "(0, 1, 1, 1)");
    assert_eq!(value("(xor 0 0, xor 0 2, xor 3 0, xor 1 5)"), "(0, 1, 1, 0)");
}

/// A value as its program writes it, by the library for texts.
fn text(expression: &str) -> String {
    let end = value(&format!("#include text.ch\n{expression}"));
    let codes = end.trim_start_matches("()[0 := ").trim_matches(['(', ')', ']']);
    codes.split(", ").map(|code| char::from(code.parse::<u8>().unwrap_or_else(|_| panic!("{end}")))).collect()
}

#[test]
fn numbers_and_arrays_are_shown_as_the_language_writes_them() {
    for number in ["0", "7", "12345", "~5", "~10", "~120", "9223372036854775807", "~9223372036854775808"] {
        assert_eq!(text(&format!("str {number}")), number);
        assert_eq!(text(&format!("show {number} 5")), number);
    }
    for (array, entries, shown) in [
        ("(3, ~4)", 2, "(3, ~4)"),
        ("((0, ~1), 3)", 2, "((0, ~1), 3)"),
        ("(1, 2)", 3, "(1, 2, 0)"),
        ("(5, 6)", 0, "()"),
        ("(fn x => x, gref 1)", 2, "(?, ?)"),
    ] {
        assert_eq!(text(&format!("show {array} {entries}")), shown);
    }
    assert_eq!(text("cat \"at \" (cat (show (4, ~1) 2) \"!\")"), "at (4, ~1)!");
    assert_eq!(value("#include text.ch\n(textLength \"hello\", textLength ())"), "(5, 0)");
}

#[test]
fn texts_are_cheap() {
    let steps = |expression: &str| {
        let files = files().with("test.cl", format!("#include text.ch\n{expression}"));
        support::end(&cl::load("test.cl", &files).unwrap()).steps
    };
    assert!(steps("str 12345") <= 106, "{}", steps("str 12345"));
    assert!(steps("show ((0, ~1), 3) 2") <= 207, "{}", steps("show ((0, ~1), 3) 2"));
}

/// `threads` threads meet `rounds` times, each after its own delay. No thread may leave a round before all have
/// arrived.
fn meetings(threads: u32, rounds: u32) -> Vec<String> {
    let text = format!(
        "#include barrier.ch
        let barrier = makeBarrier {threads} in
        let arrivals = gref 0 in
        let delay = rec delay in fn n => if n < 1 then 0 else delay (n - 1) in
        let work = rec work in fn me => fn round =>
          if round > {rounds} then 1000 + me
          else (
            delay ((me * 7 + round * 13) mod 41);
            acquire arrivals; arrivals := !arrivals + 1; release arrivals;
            waitB barrier;
            if !arrivals < round * {threads} then 0 - 1 else work me (round + 1))
        in
        let start = rec start in fn me => if me = {threads} then 0 else (spawn (work me 1); start (me + 1)) in
        start 1; work {threads} 1"
    );
    ends(&text, 2_000_000)
}

#[test]
fn a_barrier_lets_nobody_through_early_and_everybody_in_the_end() {
    for threads in [1, 2, 3, 5, 14, 40] {
        let ends = meetings(threads, 6);
        assert_eq!(ends.len(), threads as usize, "{threads} threads");
        assert!(ends.iter().all(|end| end.starts_with('1')), "{ends:?}");
    }
}

#[test]
fn a_barrier_waits_for_the_last() {
    let text = "#include barrier.ch
        let barrier = makeBarrier 3 in
        spawn (waitB barrier; 7);
        waitB barrier; 8";
    assert_eq!(ends(text, 10_000), Vec::<String>::new());
}
