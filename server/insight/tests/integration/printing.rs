//! Prints after the event.

use grandstand_insight::{Logpoint, fuzz};
use grandstand_protocol::Game;
use proptest::prelude::*;

use crate::support::{abalone, cl_bot, played, rcl_bot, shark, shipped_bot};

fn prints(text: &str) -> Logpoint {
    Logpoint::parse(text).unwrap()
}

#[test]
fn an_expression_is_printed_each_time_that_its_line_was_reached() {
    let text = "#include constants.ch
let twice = fn x => x + x in
let seen = gref 0 in
let walk = rec walk in fn n =>
  seen := n;
  do A_WAITTURN;
  walk (n + 1) in
walk 1";
    let mut insight = played(&abalone(3, 20_000, [cl_bot(text), shipped_bot(Game::Abalone, "idle")]));
    let mut values = |expression: &str| {
        let (printed, count) = insight.logpoint_hits(&prints(&format!("bot.cl:6: {expression}")), 3).unwrap();
        assert!(count > 3 && printed.len() == 3);
        printed
            .into_iter()
            .map(|printed| match printed.value {
                Ok(value) => value.to_string(),
                Err(reason) => reason,
            })
            .collect::<Vec<_>>()
            .join("; ")
    };
    assert_eq!(values("n"), "1; 2; 3");
    assert_eq!(values("(n, twice n, !seen)"), "(1, 2, 1); (2, 4, 2); (3, 6, 3)");
    assert_eq!(values("let m = n * n in if m > 3 then (m, n)[0] else ~1"), "~1; 4; 9");
    assert!(values("n / (n - 2)").contains("division by zero"));
    assert!(values("nobody").starts_with("no `nobody` is in scope here"));
    assert!(values("seen := 5").contains("can't be done after the event"));
    assert!(values("walk 5").contains("others could see"));
    let doubled: String = (0..100).map(|_| "let n = (n, n) in ").collect();
    assert!(values(&format!("{doubled} n")).len() < 3_000);
    assert!(values(&format!("{doubled} twice n")).contains("too much memory"));
    let many = vec!["n"; 1001].join(", ");
    assert!(values(&format!("({many})")).contains("at most 1000 values"));
}

#[test]
fn lists_of_rcl_are_taken_apart() {
    let text = "#include constants.rch
let walk = fn self => fn l =>
  do A_MOVE;
  self self (1, l) in
walk walk [5]";
    let mut insight = played(&shark(3, 60_000, [rcl_bot(text), rcl_bot(text)]));
    let asked = prints("bot.rcl:3: split l of fn h => fn t => (h, t) else 0");
    let bot = insight.bots()[0].bot;
    let (printed, _) = insight.logpoint_hits(&Logpoint { bot: Some(bot), ..asked }, 3).unwrap();
    let values: Vec<String> = printed.into_iter().map(|printed| printed.value.unwrap().to_string()).collect();
    assert_eq!(values, ["(5, 0)", "[1, 5]", "[1, 1, 5]"]);
}

#[test]
fn lines_without_operations_are_told_with_the_next_one() {
    let mut insight = played(&abalone(
        3,
        20_000,
        [shipped_bot(Game::Abalone, "simple_bot"), shipped_bot(Game::Abalone, "idle")],
    ));
    let mut error = |text: &str| insight.logpoint_hits(&prints(text), 1).unwrap_err().to_string();
    assert!(error("nobody.cl:3: 1").starts_with("no program of the match has a file nobody.cl; there are"));
    assert!(error("simple_bot.cl:1: 1").contains("the next one is line"));
    assert!(error("simple_bot.cl:12: 1 +").contains("expression:1:4"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_text_is_printed_or_refused(text in ".{0,60}") {
        fuzz::prints(text.as_bytes());
    }

    #[test]
    fn any_pieces_of_an_expression_have_a_value_or_none(
        pieces in proptest::collection::vec(
            proptest::sample::select(vec![
                "let x = ", " in ", "(", ")", ", ", "n", "own", "!", "plan", "twice ", " + ", " / ", "0", "1", "[", "]", "if ", " then ", " else ",
                "live ", "x", " = ", "fn x => ", "do ", ":= ", "typeof ", "~", "bot.cl:6: ", "9223372036854775807", "\"é",
            ]),
            0..24,
        ),
    ) {
        fuzz::prints(pieces.concat().as_bytes());
    }
}
