//! Bodies of the fuzz targets: any bytes as a question to a match, or as a match to review.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, OnceLock, PoisonError};

use grandstand_languages::view::ViewLimits;
use grandstand_languages::{MemoryFiles, Program, cl};
use grandstand_matches::MatchSpec as _;
use grandstand_matches::machine::{GameWorld as _, Player, ProgramMatch, Settings};
use grandstand_protocol::{Command, Game, MatchHeader, Micros};
use grandstand_replays::Log;
use grandstand_rules::abalone::{Rules, World};
use serde_json::json;

use crate::insight::Insight;
use crate::logpoint::Logpoint;
use crate::search::Moment;
use crate::turns::ReviewSession;

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
    if let Ok(prints) = Logpoint::parse(&text) {
        let again = format!("{}:{}: {}", prints.line.file, prints.line.line, prints.expression);
        let read = Logpoint::parse(&again).expect("what was read is written so that it can be read");
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
    let _ = insight.evaluate(moment, 1, &text, ViewLimits::default());
    if let Ok(prints) = Logpoint::parse(&format!("bot.cl:6: {text}")) {
        let _ = insight.logpoint_hits(&prints, 3);
    }
    assert_eq!(insight.at(moment, 1), Ok(before), "asking changes nothing");
}

/// Any bytes as the lines of a match of Gomoku, Pente or Riskless (chosen by the first byte), with a review of its last
/// positions. The reviewed moves are drawn moves.
///
/// # Panics
/// If that does not hold.
pub fn reviews(data: &[u8]) {
    let Some((&first, lines)) = data.split_first() else { return };
    let (game, rules) = match first % 3 {
        0 => (Game::Gomoku, json!({ "SIZE": 7, "OPENING": "free" })),
        1 => (Game::Pente, json!({ "SIZE": 7, "OPENING": "free" })),
        _ => (Game::Riskless, json!({ "MAP": "islands" })),
    };
    let mut log = Log::live(game);
    for (seq, line) in (1..).zip(lines.split(|&byte| byte == b'\n').take(200)) {
        let _ = log.insert(seq, Micros(seq), &Command::parse(game, line));
    }
    let rules = (first % 2 == 0 || game == Game::Riskless).then_some(rules);
    let header = MatchHeader { rules, ..MatchHeader::default() };
    let Ok(mut reviewing) = ReviewSession::of_log(game, &header, &log, None, 1_000) else { return };
    let stop = AtomicBool::new(false);
    for _ in 0..3 {
        reviewing.work(&stop);
    }
    let review = reviewing.review();
    assert!(review.moves.iter().all(|made| made.seq <= log.last_seq() && made.chances[0] >= made.chances[1]));
    assert!(!review.words().is_empty() && review.json().is_object());
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
