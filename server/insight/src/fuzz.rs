//! Bodies of the fuzz targets: any bytes as a question to a match.

use std::sync::{Mutex, OnceLock, PoisonError};

use grandstand_languages::view::Extent;
use grandstand_languages::{MemoryFiles, Program, cl};
use grandstand_matches::MatchSpec as _;
use grandstand_matches::machine::{GameWorld as _, Player, ProgramMatch, Settings};
use grandstand_rules::abalone::{Rules, World};

use crate::insight::Insight;
use crate::print::Prints;
use crate::search::Moment;

/// A bot with a name of every kind in scope at its `do`.
const BOT: &str = "let plan = gref (1, (2, 3)) in
let twice = fn n => n + n in
let live = rec live in fn n =>
  let own = lref n in
  do 8;
  (if !own = 50 then plan := own else 0);
  live (n + twice 1) in
live 0";

/// Any bytes as a print, and as an expression printed at a line and evaluated at a moment. A parsed print can be
/// written and parsed again, and asking changes nothing.
///
/// # Panics
/// If that does not hold.
pub fn prints(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Ok(prints) = Prints::parse(&text) {
        let again = format!("{}:{}: {}", prints.line.file, prints.line.line, prints.expression);
        let read = Prints::parse(&again).expect("what was read is written so that it can be read");
        assert_eq!(
            (&read.line, read.expression.trim()),
            (&prints.line, prints.expression.trim()),
            "{text:?}"
        );
    }
    static MATCH: OnceLock<Mutex<Insight>> = OnceLock::new();
    let insight = MATCH.get_or_init(|| Mutex::new(played()));
    let mut insight = insight.lock().unwrap_or_else(PoisonError::into_inner);
    let moment = Moment::end_of(2_500);
    let before = insight.at(moment, 1).expect("the bot lives");
    // An invalid expression, or one without a value, is an error.
    let _ = insight.evaluate(moment, 1, &text, Extent::default());
    if let Ok(prints) = Prints::parse(&format!("bot.cl:6: {text}")) {
        let _ = insight.print(&prints, 3);
    }
    assert_eq!(insight.at(moment, 1), Ok(before), "asking changes nothing");
}

fn played() -> Insight {
    let player = || -> Player {
        let program = cl::load("bot.cl", &MemoryFiles::new().with("bot.cl", BOT));
        program.map(Program::into).expect("the bot of the fuzz body loads")
    };
    let rules = Rules { game_length: 6_000, ..Rules::default() };
    let settings = Settings { rules, ..Settings::default() };
    let spec = ProgramMatch::<World> { settings, seed: 1, players: [player(), player()] };
    let mut insight = Insight::of_header(World::GAME, &spec.header(None)).expect("the match can be played");
    insight.play_out();
    insight
}
