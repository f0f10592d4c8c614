//! Views of bots. Asking changes nothing.

use grandstand_insight::{AskError, Insight, Moment};
use grandstand_languages::view::{NameView, State};
use grandstand_matches::machine::{GameWorld, ProgramMatch, Runner};
use grandstand_matches::{MatchSpec as _, RunningMatch as _, Tracing};
use grandstand_protocol::Game;

use crate::support::{abalone, cl_bot, played, rcl_bot, shark, shipped_bot};

const WAITING: &str = "#include constants.ch
let plan = gref 7 in
let unused = 99 in
let child = fn me =>
  let square = me * me in
  do A_WAITMYTURN;
  acquire plan;
  plan := square + me;
  do A_WAITMYTURN;
  do A_WAITMYTURN;
  release plan;
  (rec rest in (do A_WAITTURN; rest)) in
spawn child 3;
spawn child 4;
(rec rest in (do A_WAITTURN; rest))";

fn value_of<'v>(names: &'v [NameView], name: &str) -> Option<&'v NameView> {
    names.iter().find(|found| found.name == name)
}

#[test]
fn a_bot_is_told_with_its_line_calls_names_lock_and_cells() {
    let spec = abalone(3, 40_000, [cl_bot(WAITING), shipped_bot(Game::Abalone, "idle")]);
    let mut insight = played(&spec);
    let children: Vec<u32> =
        insight.bots().into_iter().filter(|bot| bot.side == 0 && bot.born > 0).map(|bot| bot.bot).collect();
    assert_eq!(children.len(), 2);

    // Both children have had a turn: the first holds the lock and waits for its next turn, the second waits for the
    // lock.
    let views: Vec<_> = children.iter().map(|&bot| insight.at(Moment::end_of(4_500), bot).unwrap()).collect();
    let (holder, waiting) = (&views[0], &views[1]);
    let place = |view: &grandstand_insight::BotView| view.thread.calls[0].place.to_string();
    assert_eq!(place(holder), "bot.cl:9:3");
    assert_eq!(place(waiting), "bot.cl:7:3");
    let State::WaitsForLock { holder: by, taken, taken_at, since } = &waiting.thread.state else {
        panic!("{:?}", waiting.thread.state)
    };
    assert_eq!((by.0, taken.line), (children[0], 7));
    assert!(taken_at <= since && *since < 4_500, "{taken_at} {since}");
    assert_eq!(holder.thread.locks.len(), 1);

    let call = &waiting.thread.calls[0];
    assert_eq!(call.function.as_deref(), Some("child"));
    let text = |name: &str| value_of(&call.names, name).unwrap().value.as_ref().map(ToString::to_string);
    assert_eq!(text("me").as_deref(), Some("4"));
    assert_eq!(text("square").as_deref(), Some("16"));
    assert_eq!(text("unused").as_deref(), Some("99"));
    assert_eq!(text("plan").as_deref(), Some("gref 12"));
    assert!(value_of(&call.names, "A_WAITMYTURN").unwrap().constant);

    let [cell] = &waiting.cells[..] else { panic!("{:?}", waiting.cells) };
    assert_eq!((cell.names.join(" "), cell.value.to_string()), ("plan".to_owned(), "12".to_owned()));
    assert_eq!((cell.holder.unwrap().0, cell.waiting[0].0), (children[0], children[1]));
    let (write, at) = cell.written.as_ref().unwrap();
    assert_eq!((write.pid.0, at.line), (children[0], 8));
    assert!(waiting.past_actions.iter().any(|action| action.to_string().contains("A_WAITMYTURN")));
}

#[test]
fn what_the_code_has_no_use_for_is_not_kept() {
    let text = "let deep = rec deep in fn n =>
  let once = n * 2 in
  let inner = fn x => x + n in
  inner (once + deep (n - 1)) in
deep 5";
    let spec = abalone(3, 40_000, [cl_bot(text), shipped_bot(Game::Abalone, "idle")]);
    let mut insight = played(&spec);
    let bot = insight.bots().into_iter().find(|bot| bot.side == 0).unwrap();
    let view = insight.at(Moment::end_of(100), bot.bot).unwrap();
    assert!(view.thread.depth > 5, "{view:?}");
    let names = &view.thread.calls[1].names;
    let n = value_of(names, "n").unwrap().value.as_ref().unwrap().to_string();
    assert!(n.starts_with('~'), "{n}");
    assert_eq!(view.thread.calls[1].function.as_deref(), Some("deep"));
    // `once` is a name in its function while its value is a number.
    assert!(value_of(names, "once").unwrap().value.is_some());

    let text = "let far = fn a => fn b =>
  let f = fn x => (rec rest in x) in f b in
far 1 2";
    let spec = abalone(3, 40_000, [cl_bot(text), shipped_bot(Game::Abalone, "idle")]);
    let mut insight = played(&spec);
    let bot = insight.bots().into_iter().find(|bot| bot.side == 0).unwrap().bot;
    let inside = (0..40)
        .filter_map(|cycle| insight.at(Moment::end_of(cycle), bot).ok())
        .find(|view| value_of(&view.thread.calls[0].names, "x").is_some());
    let inside = inside.expect("the body of `f` is run");
    let a = value_of(&inside.thread.calls[0].names, "a").expect("`a` is in scope there");
    assert_eq!(a.value, None);
}

#[test]
fn an_action_that_takes_long_is_under_way_with_its_answer() {
    let text = "#include constants.rch
let step = fn self => fn n => do A_MOVE; self self (n + 1) in step step 0";
    let spec = shark(5, 60_000, [rcl_bot(text), rcl_bot(text)]);
    let mut insight = played(&spec);
    let bot = insight.bots()[0].bot;
    let view = insight.at(Moment::end_of(2_000), bot).unwrap();
    assert!(matches!(view.thread.state, State::InAction { until } if until > 2_000), "{view:?}");
    assert_eq!(view.thread.calls[0].place.to_string(), "bot.rcl:2:31");
    let last = view.action().unwrap().to_string();
    assert!(last.contains("A_MOVE") && last.contains("cycles later"), "{last}");
    assert_eq!(value_of(&view.thread.calls[0].names, "n").unwrap().value.as_ref().unwrap().to_string(), "0");
}

#[test]
fn who_is_not_there_is_told_with_its_life() {
    let spec = abalone(3, 40_000, [cl_bot("1 / 0"), shipped_bot(Game::Abalone, "idle")]);
    let mut insight = played(&spec);
    let bot = insight.bots().into_iter().find(|bot| bot.side == 0).unwrap();
    let gone = bot.gone.as_ref().unwrap();
    assert!(insight.at(Moment::end_of(gone.cycle - 1), bot.bot).is_ok());
    let error = insight.at(Moment::end_of(gone.cycle), bot.bot).unwrap_err().to_string();
    assert!(error.contains("stuck at bot.cl:1:3: division by zero"), "{error}");
    assert_eq!(insight.at(Moment::end_of(gone.cycle), 77), Err(AskError::NoBot(77)));
    let end = insight.ending().unwrap().tick;
    assert!(matches!(insight.at(Moment::end_of(end * 2), bot.bot), Err(AskError::Over { .. })));
}

/// All output of a match: commands, log, and positions of the threads.
fn told<W: GameWorld>(runner: &mut Runner<W>) -> Vec<String> {
    let commands = runner.drain_commands().into_iter().map(|c| format!("{} {}", c.tick, c.command.to_line()));
    let mut told: Vec<String> = commands.collect();
    told.extend(runner.drain_log().into_iter().map(|entry| entry.to_string()));
    let machine = runner.machine();
    told.extend(
        machine.live().iter().map(|&pid| format!("{pid} {:?} {:?}", machine.steps(pid), machine.place(pid))),
    );
    told
}

fn asking_changes_nothing<W: GameWorld>(spec: &ProgramMatch<W>) {
    let play = |asked: bool| {
        let mut runner = Runner::new(spec).unwrap();
        runner.trace(Tracing::Actions);
        if asked {
            runner.keep_writes();
        }
        let (mut all, mut stop) = (Vec::new(), 0);
        while !runner.is_finished() {
            if asked {
                // Stops anywhere, looks at every bot, and goes on from a snapshot.
                stop += 777;
                runner.advance_to(stop, None);
                for pid in runner.machine().live() {
                    let view = runner.machine().look(pid, Default::default()).unwrap();
                    assert!(!view.calls.is_empty());
                    runner.machine().cells(view.team, Default::default());
                }
                runner = runner.snapshot().restore();
            } else {
                runner.advance();
            }
            all.extend(
                runner.drain_commands().into_iter().map(|c| format!("{} {}", c.tick, c.command.to_line())),
            );
            all.extend(runner.drain_log().into_iter().map(|entry| entry.to_string()));
        }
        all.extend(told(&mut runner));
        let mut lines = all;
        lines.sort();
        lines
    };
    let (plain, asked) = (play(false), play(true));
    assert!(plain.len() > 100);
    assert_eq!(plain, asked);
}

#[test]
fn asking_changes_nothing_of_what_is_played() {
    let team = |name| shipped_bot(Game::Abalone, name);
    asking_changes_nothing(&abalone(7, 60_000, [team("team"), team("simple_bot")]));
    let team = |name| shipped_bot(Game::Shark, name);
    asking_changes_nothing(&shark(7, 100_000, [team("shark"), team("stupidbot")]));
}

#[test]
fn words_are_counted_as_in_play_when_a_team_is_past_its_limit() {
    let text = "let grow = rec grow in fn n => fn a => grow (n + 1) (a[n := gref n]) in grow 0 ()";
    let mut spec = abalone(3, 200_000, [cl_bot(text), shipped_bot(Game::Abalone, "idle")]);
    spec.settings.limits.words = 20_000;
    let mut insight = played(&spec);
    let bot = insight.bots().into_iter().find(|bot| bot.side == 0).unwrap();
    let gone = bot.gone.as_ref().unwrap().clone();
    assert!(gone.to_string().contains("out of memory"), "{gone}");
    let mut plain = Runner::new(&spec).unwrap();
    let ended = loop {
        plain.advance();
        if let Some(entry) = plain.drain_log().into_iter().find(|entry| entry.pid.0 == bot.bot) {
            break entry;
        }
    };
    assert_eq!((ended.cycle, ended.event), (gone.cycle, gone.event.clone()));
    // The same death cycle after many questions.
    for cycle in (1..gone.cycle).step_by(997) {
        insight.at(Moment::end_of(cycle), bot.bot).unwrap();
    }
    assert!(insight.at(Moment::end_of(gone.cycle - 1), bot.bot).is_ok());
    assert!(insight.at(Moment::end_of(gone.cycle), bot.bot).is_err());
}

#[test]
fn a_moment_is_the_same_however_one_comes_to_it() {
    let team = |name| shipped_bot(Game::Abalone, name);
    let spec = abalone(11, 60_000, [team("team"), team("simple_bot")]);
    let mut insight = played(&spec);
    let mut fresh = Insight::of_header(Game::Abalone, &spec.header(None)).unwrap();
    for cycle in [40_000_u64, 3, 12_345, 12_346, 59_000, 20_000, 2_001] {
        let played = fresh.cycle();
        fresh.play_on(cycle.saturating_sub(played));
        for bot in insight.bots().into_iter().map(|bot| bot.bot).step_by(5) {
            assert_eq!(
                insight.at(Moment::end_of(cycle), bot),
                fresh_view(&mut fresh, cycle, bot),
                "{cycle} {bot}"
            );
        }
    }
}

fn fresh_view(fresh: &mut Insight, cycle: u64, bot: u32) -> Result<grandstand_insight::BotView, AskError> {
    match fresh.at(Moment::end_of(cycle), bot) {
        // Births and deaths after the present cycle are not known yet.
        Err(_) => {
            fresh.play_out();
            fresh.at(Moment::end_of(cycle), bot)
        }
        found => found,
    }
}
