//! Steps and searches, forwards and backwards.

use grandstand_insight::{
    Breakpoint, Direction, Insight, Logpoint, Moment, Reason, Search, StepUnit, StopConditions,
};
use grandstand_languages::Line;
use grandstand_protocol::Game;

use crate::support::{abalone, cl_bot, played, shipped_bot};

const PROGRAM: &str = "#include constants.ch
let add = fn a => fn b =>
  a + b in
let walk = rec walk in fn n =>
  let next = add n 1 in
  do A_WAITTURN;
  walk next in
walk 10";

fn insight() -> (Insight, u32) {
    let insight = played(&abalone(3, 60_000, [cl_bot(PROGRAM), shipped_bot(Game::Abalone, "idle")]));
    let bot = insight.bots().into_iter().find(|bot| bot.side == 0).unwrap().bot;
    (insight, bot)
}

fn line(insight: &mut Insight, moment: Moment, bot: u32) -> u32 {
    insight.at(moment, bot).unwrap().thread.calls[0].place.line
}

#[test]
fn steps_go_forwards_and_come_back_the_same_way() {
    let (mut insight, bot) = insight();
    for step in [StepUnit::Operation, StepUnit::Line, StepUnit::Action] {
        let mut way = vec![Moment::end_of(0)];
        while way.len() < 40
            && let Some(next) = insight.step(*way.last().unwrap(), bot, step, Direction::Forward).unwrap()
        {
            assert!(next > *way.last().unwrap(), "{step:?} {way:?} {next:?}");
            way.push(next);
        }
        assert!(way.len() > 15, "{step:?} {way:?}");
        if step != StepUnit::Line {
            for pair in way[1..].windows(2).rev() {
                assert_eq!(
                    insight.step(pair[1], bot, step, Direction::Backward),
                    Ok(Some(pair[0])),
                    "{step:?}"
                );
            }
        }
    }
}

#[test]
fn lines_are_stepped_into_over_and_out_of() {
    let (mut insight, bot) = insight();
    let call = Search { bot: Some(bot), line: Line { file: "bot.cl".to_owned(), line: 5 }, condition: None };
    let (at, found) = insight.find(Moment::end_of(0), &call, Direction::Forward).unwrap().unwrap();
    assert_eq!((found, line(&mut insight, at, bot)), (bot, 5));
    let into = insight.step(at, bot, StepUnit::Line, Direction::Forward).unwrap().unwrap();
    assert_eq!(line(&mut insight, into, bot), 3);
    let out = insight.step(into, bot, StepUnit::Out, Direction::Forward).unwrap().unwrap();
    assert!([5, 6].contains(&line(&mut insight, out, bot)));
    let over = insight.step(at, bot, StepUnit::Over, Direction::Forward).unwrap().unwrap();
    assert_eq!(line(&mut insight, over, bot), 6);
    let back = insight.step(over, bot, StepUnit::Over, Direction::Backward).unwrap().unwrap();
    assert_eq!(line(&mut insight, back, bot), 5);
}

#[test]
fn a_line_is_found_where_a_condition_held() {
    let (mut insight, bot) = insight();
    let search = |condition: &str| Search {
        bot: None,
        line: Line { file: "bot.cl".to_owned(), line: 6 },
        condition: Some(condition.to_owned()),
    };
    let forward = insight.find(Moment::end_of(0), &search("n = 14"), Direction::Forward).unwrap().unwrap();
    let view = insight.at(forward.0, bot).unwrap();
    let next = view.thread.calls[0].names.iter().find(|name| name.name == "next").unwrap();
    assert_eq!(next.value.as_ref().unwrap().to_string(), "15");
    let end = Moment::end_of(insight.ending().unwrap().tick);
    assert_eq!(insight.find(end, &search("n = 14"), Direction::Backward), Ok(Some(forward)));
    assert_eq!(insight.find(Moment::end_of(0), &search("n = 5"), Direction::Forward), Ok(None));
    assert!(insight.find(Moment::end_of(0), &search("n ="), Direction::Forward).is_err());
}

const FAMILY: &str = "#include constants.ch
let life = rec life in fn n =>
  do A_WAITTURN;
  (if n = 9 then n / 0 else life (n + 1)) in
spawn (life 5);
spawn (life 0);
life 0";

fn at_line(line: u32) -> Breakpoint {
    let line = Line { file: "bot.cl".to_owned(), line };
    Breakpoint { line, sides: [true; 2], bot: None, condition: None, values: Vec::new(), stops: true }
}

/// All stops from a position on, each with its cycle and bot.
fn stops(
    insight: &mut Insight,
    mut from: (Moment, Option<u32>),
    wanted: &StopConditions,
    direction: Direction,
) -> Vec<(u64, u32)> {
    let mut found = Vec::new();
    loop {
        let resumed = insight.resume(from, wanted, direction, 700).unwrap();
        match resumed.stopped {
            Some((moment, bot, _)) => {
                found.push((moment.cycle + 1, bot));
                from = (moment, Some(bot));
            }
            None if resumed.at_end => return found,
            None => from = (Moment::end_of(resumed.cycle), None),
        }
    }
}

#[test]
fn every_bot_stops_at_a_line_in_its_turn_and_the_same_way_back() {
    let spec = abalone(3, 30_000, [cl_bot(FAMILY), shipped_bot(Game::Abalone, "idle")]);
    let mut insight = played(&spec);
    let (printed, _) = insight.logpoint_hits(&Logpoint::parse("bot.cl:4: n").unwrap(), usize::MAX).unwrap();
    let expected: Vec<(u64, u32)> = printed.iter().map(|printed| (printed.cycle, printed.bot)).collect();
    assert!(expected.len() > 20 && expected.windows(2).any(|pair| pair[0].0 == pair[1].0), "{expected:?}");

    let wanted = StopConditions { breakpoints: vec![at_line(4)], ..StopConditions::default() };
    let (begin, end) = (Moment::end_of(0), Moment::end_of(insight.ending().unwrap().tick));
    assert_eq!(stops(&mut insight, (begin, None), &wanted, Direction::Forward), expected);
    let mut back = stops(&mut insight, (end, None), &wanted, Direction::Backward);
    back.reverse();
    assert_eq!(back, expected);
}

#[test]
fn a_breakpoint_stops_in_the_file_of_its_side_alone() {
    let mut insight = played(&abalone(3, 30_000, [cl_bot(FAMILY), cl_bot(FAMILY)]));
    let begin = (Moment::end_of(0), None);
    let side_of: std::collections::BTreeMap<u32, usize> =
        insight.bots().iter().map(|bot| (bot.bot, bot.side)).collect();
    let mut sides_with = |sides: [bool; 2]| {
        let wanted = StopConditions {
            breakpoints: vec![Breakpoint { sides, ..at_line(4) }],
            ..StopConditions::default()
        };
        let found = stops(&mut insight, begin, &wanted, Direction::Forward);
        let mut sides: Vec<usize> = found.iter().map(|(_, bot)| side_of[bot]).collect();
        sides.sort_unstable();
        sides.dedup();
        sides
    };
    assert_eq!(sides_with([true, true]), [0, 1]);
    assert_eq!((sides_with([true, false]), sides_with([false, true])), (vec![0], vec![1]));
    assert_eq!(sides_with([false, false]), Vec::<usize>::new());
}

#[test]
fn what_is_passed_is_told_on_the_way_to_the_next_loss() {
    let spec = abalone(3, 30_000, [cl_bot(FAMILY), shipped_bot(Game::Abalone, "idle")]);
    let mut insight = played(&spec);
    let told = Breakpoint {
        condition: Some("n > 6".to_owned()),
        values: vec!["n".to_owned(), "n * 2".to_owned()],
        stops: false,
        ..at_line(4)
    };
    let wanted = StopConditions { breakpoints: vec![told], ends: true, removals: false };
    let begin = (Moment::end_of(0), None);
    let resumed = insight.resume(begin, &wanted, Direction::Forward, 30_000).unwrap();
    let (moment, bot, reason) = resumed.stopped.unwrap();
    assert_eq!(reason, Reason::Lost);
    assert_eq!(line(&mut insight, moment, bot), 4);
    let texts: Vec<String> = resumed
        .passed
        .iter()
        .map(|passed| {
            assert_eq!(passed.bot, bot);
            passed
                .values
                .iter()
                .map(|value| value.as_ref().unwrap().to_string())
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    assert_eq!(texts, ["7 14", "8 16", "9 18"]);
    let value = insight.evaluate(moment, bot, "n + 1", Default::default()).unwrap();
    assert_eq!(value.to_string(), "10");
    assert!(insight.evaluate(moment, bot, "nobody", Default::default()).is_err());
    assert!(insight.check_expression("n +").is_err() && insight.check_expression("n + 1").is_ok());
    // The other bots die later, each once.
    let all = stops(&mut insight, begin, &wanted, Direction::Forward);
    assert_eq!(all.len(), 3, "{all:?}");
}
