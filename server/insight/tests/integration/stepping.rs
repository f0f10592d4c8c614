//! Steps and searches, forwards and backwards.

use grandstand_insight::{Direction, Insight, Moment, Search, Step};
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
    for step in [Step::Operation, Step::Line, Step::Action] {
        let mut way = vec![Moment::end_of(0)];
        while way.len() < 40
            && let Some(next) = insight.step(*way.last().unwrap(), bot, step, Direction::Forward).unwrap()
        {
            assert!(next > *way.last().unwrap(), "{step:?} {way:?} {next:?}");
            way.push(next);
        }
        assert!(way.len() > 15, "{step:?} {way:?}");
        if step != Step::Line {
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
    let into = insight.step(at, bot, Step::Line, Direction::Forward).unwrap().unwrap();
    assert_eq!(line(&mut insight, into, bot), 3);
    let out = insight.step(into, bot, Step::Out, Direction::Forward).unwrap().unwrap();
    assert!([5, 6].contains(&line(&mut insight, out, bot)));
    let over = insight.step(at, bot, Step::Over, Direction::Forward).unwrap().unwrap();
    assert_eq!(line(&mut insight, over, bot), 6);
    let back = insight.step(over, bot, Step::Over, Direction::Backward).unwrap().unwrap();
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
