//! The shipped λ-Shark library: all of it that needs no game.

use grandstand_languages::{Limits, Machine, MemoryFiles, NoWorld, Program, rcl};

use crate::support;

fn program(text: &str) -> Program {
    let files = MemoryFiles::new()
        .with("shark/constants.rch", include_str!("../../../bots/shark/constants.rch"))
        .with("shark/botlib.rch", include_str!("../../../bots/shark/botlib.rch"))
        .with("shark/lists.rch", include_str!("../../../bots/shark/lists.rch"))
        .with("shark/text.rch", include_str!("../../../bots/shark/text.rch"))
        .with("test.rcl", format!("#include shark/botlib.rch\n{text}"));
    rcl::load("test.rcl", &files).unwrap_or_else(|error| panic!("{error}"))
}

/// The ends of all threads of a program with the library.
fn ends(text: &str) -> Vec<String> {
    support::ends(&program(text), 100_000)
}

/// The clock cycle at which a program without other threads ends.
fn cycle(text: &str) -> u64 {
    let (mut machine, mut world) = (Machine::new(Limits::default(), 0), NoWorld::default());
    let team = machine.add_team(&program(text));
    machine.start(team);
    machine.run(100_000, &mut world);
    let [(cycle, ..)] = world.ends[..] else { panic!("{:?}", world.ends) };
    cycle
}

fn value(text: &str) -> String {
    ends(text).remove(0)
}

#[test]
fn truth() {
    assert_eq!(value("[true, false, not true, not false, not 7]"), "[1, 0, 0, 1, 0]");
    assert_eq!(value("[and 0 0, and 0 1, and 1 0, and 2 3]"), "[0, 0, 0, 1]");
    assert_eq!(value("[or 0 0, or 0 2, or 3 0, or 1 1]"), "[0, 1, 1, 1]");
    assert_eq!(value("[xor 0 0, xor 0 2, xor 3 0, xor 1 5]"), "[0, 1, 1, 0]");
}

#[test]
fn comparisons_and_numbers() {
    let compared = |f: &str| value(&format!("[{f} 1 2, {f} 2 2, {f} 3 2, {f} ~3 2]"));
    assert_eq!(compared("gt"), "[0, 0, 1, 0]");
    assert_eq!(compared("ge"), "[0, 1, 1, 0]");
    assert_eq!(compared("le"), "[1, 1, 0, 1]");
    assert_eq!(compared("ne"), "[1, 0, 1, 1]");
    assert_eq!(value("[abs 5, abs ~5, abs 0]"), "[5, 5, 0]");
    assert_eq!(value("[min 1 2, min 2 1, max 1 2, max 2 1, min ~1 ~1]"), "[1, 1, 2, 2, ~1]");
}

#[test]
fn parts_of_lists() {
    assert_eq!(value("[hd [7, 8], hd [], hd (3, 4)]"), "[7, 0, 3]");
    assert_eq!(value("(tl [7, 8], tl [])"), "((8, 0), 0)");
    assert_eq!(value("[nth [7, 8, 9] 0, nth [7, 8, 9] 2, nth [7, 8, 9] 3, nth [] 5]"), "[7, 9, 0, 0]");
    assert_eq!(value("[length [], length [1], length \"shark\"]"), "[0, 1, 5]");
    assert_eq!(value("[member 2 [1, 2, 3], member 4 [1, 2, 3], member 0 []]"), "[1, 0, 0]");
    assert_eq!(value("[find (gt 3) [5, 2, 1], find (gt 1) [5, 2, 1], find not []]"), "[2, 0, 0]");
}

#[test]
fn folds_and_what_is_made_of_them() {
    assert_eq!(value("foldl (fn acc => fn x => acc * 10 + x) 0 [1, 2, 3]"), "123");
    assert_eq!(value("foldr (fn x => fn acc => acc * 10 + x) 0 [1, 2, 3]"), "321");
    assert_eq!(value("(foldl (fn acc => fn x => acc) 7 [], foldr (fn x => fn acc => acc) 8 [])"), "(7, 8)");
    assert_eq!(value("[map (fn x => x * x) [1, 2, 3], map not []]"), "[[1, 4, 9], 0]");
    assert_eq!(value("filter (gt 3) [1, 4, 2, 3]"), "[1, 2]");
    assert_eq!(
        value("[append [1, 2] [3], append [] [3, 4], append [3, 4] []]"),
        "[[1, 2, 3], [3, 4], [3, 4]]"
    );
    assert_eq!(value("[reverse [1, 2, 3], reverse []]"), "[[3, 2, 1], 0]");
    assert_eq!(value("apply (fn a => fn b => fn c => a - b * c) [1, 2, 3]"), "~5");
    assert_eq!(value("apply (fn a => fn rest => rest) [1, [2, 3]]"), "[2, 3]");
}

#[test]
fn places_and_directions() {
    assert_eq!(
        value("[distance (1, 2) (4, 0), distance (4, 0) (1, 2), distance (3, 3) (3, 3)]"),
        "[5, 5, 0]"
    );
    assert_eq!(
        value(
            "[map (toward (5, 5)) [(5, 0), (6, 9), (0, 4), (9, 6)], [DIR_UP, DIR_DOWN, DIR_LEFT, DIR_RIGHT]]"
        ),
        "[[1, 2, 3, 4], [1, 2, 3, 4]]"
    );
    assert_eq!(
        value("map (across (5, 5)) [(4, 0), (5, 9), (6, 9), (0, 4), (9, 6), (5, 5)]"),
        "[3, 0, 4, 1, 2, 0]"
    );
    assert_eq!(
        value("map (ahead (5, 5)) [DIR_UP, DIR_DOWN, DIR_LEFT, DIR_RIGHT]"),
        "[(5, 4), (5, 6), (4, 5), (6, 5)]"
    );
    // Three turns to the left are one to the right; a turn to each side cancels out.
    for dir in 1..=4 {
        assert_eq!(value(&format!("leftOf (leftOf (leftOf {dir})) = rightOf {dir}")), "1");
        assert_eq!(value(&format!("leftOf (rightOf {dir}) = {dir}")), "1");
    }
    assert_eq!(value("leftOf DIR_UP = DIR_LEFT"), "1");
}

/// Teams that run to opposite sides, or stand above and below, need the same number of steps.
#[test]
fn no_direction_costs_more_than_another() {
    for call in ["ahead (5, 5)", "leftOf", "rightOf"] {
        let cycles = [1, 2, 3, 4].map(|dir| cycle(&format!("{call} {dir}")));
        assert!(cycles.iter().all(|&cycle| cycle == cycles[0]), "{call}: {cycles:?}");
    }
    for call in ["distance", "toward", "across"] {
        let from_the_left = cycle(&format!("{call} (3, 4) (8, 6)"));
        assert_eq!(from_the_left, cycle(&format!("{call} (8, 6) (3, 4)")), "{call}");
        assert_eq!(from_the_left, cycle(&format!("{call} (8, 4) (3, 6)")), "{call} in a mirror");
    }
}

/// `slow n` takes some hundred steps, and its value is n.
const SLOW: &str = "let slow = fn n =>
    (let wait = fn wait => fn left => if left = 0 then n else wait wait (left - 1) in wait wait 100) in\n";

#[test]
fn nobody_comes_between_reading_and_writing() {
    let text = "let sum = gref 0 in
        let work = fn work => fn n =>
          if n = 0 then 0 else (update sum (fn old => slow old + 1); work work (n - 1)) in
        spawn (fn parent => work work 5); spawn (fn parent => work work 5);
        work work 5; slow 0; slow 0; slow 0; slow 0; slow 0; slow 0; slow 0;
        !sum";
    assert_eq!(ends(&format!("{SLOW}{text}")), ["15", "0", "0"]);
    assert_eq!(
        value("let c = gref 3 in [update c (fn x => x * 2), locked c (fn x => x + 1), !c]"),
        "[6, 7, 6]"
    );
}

#[test]
fn what_is_found_out_once_is_found_out_by_the_first_one() {
    let text = "let known = gref 0 in
        spawn (fn parent => once known (fn any => slow 2));
        spawn (fn parent => once known (fn any => slow 3));
        slow 0; slow 0; slow 0;
        once known (fn any => slow 1)";
    assert_eq!(ends(&format!("{SLOW}{text}")), ["2", "2", "2"]);
}

#[test]
fn when_the_finder_is_lost_the_next_one_begins_anew() {
    let text = "let known = gref 0 in
        spawn (fn parent => once known (fn any => slow 1 / 0));
        spawn (fn parent => once known (fn any => slow 3));
        slow 0; slow 0; slow 0;
        once known (fn any => slow 1)";
    let ends = ends(&format!("{SLOW}{text}"));
    assert!(ends[1].contains("division by zero"), "{ends:?}");
    assert_eq!([&ends[0], &ends[2]], ["3", "3"]);
}

#[test]
fn more_of_lists() {
    let value = |text: &str| value(&format!("#include shark/lists.rch\n{text}"));
    assert_eq!(value("[range 1 4, range 2 2, range 2 1]"), "[[1, 2, 3, 4], (2, 0), 0]");
    assert_eq!(
        value("[minBy (fn x => abs (x - 5)) [1, 4, 6, 9], minBy abs [], minBy abs [3, ~3]]"),
        "[4, 0, 3]"
    );
    assert_eq!(value("[count (fn x => 2 < x) [1, 3, 5], count (fn x => 1) 0]"), "[2, 0]");
}

#[test]
fn values_are_shown_as_the_language_writes_them() {
    let shown = |text: &str| {
        let end = value(&format!("#include shark/text.rch\n{text}"));
        let codes = end.trim_matches(['(', ')', '[', ']']).split(", ");
        let codes = codes.filter(|code| *code != "0").map(|code| char::from(code.parse::<u8>().unwrap()));
        codes.collect::<String>()
    };
    for value in [
        "0",
        "7",
        "12345",
        "~5",
        "~10",
        "~120",
        "9223372036854775807",
        "~9223372036854775808",
        "(3, ~4)",
        "[(0, ~1), 3, [1, 2]]",
        "(1, (2, (3, 4)))",
        "[1, 0]",
    ] {
        assert_eq!(shown(&format!("show {value}")), value);
    }
    assert_eq!(shown("show [5]"), "[5]");
    assert_eq!(shown("show (fn x => x, gref 0)"), "(?, ?)");
    assert_eq!(shown("cat \"at \" (str ~12)"), "at ~12");
    let before = cycle("#include shark/text.rch\n0");
    let cost = cycle("#include shark/text.rch\nstr 12345") - before;
    assert!(cost <= 42, "{cost}");
}
