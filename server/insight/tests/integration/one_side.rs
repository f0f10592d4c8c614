//! Matches with one side's program missing and its requests recorded.

use grandstand_insight::{Insight, Logpoint, Moment};
use grandstand_languages::TeamId;
use grandstand_matches::MatchSpec as _;
use grandstand_matches::machine::{GameWorld, ProgramMatch};
use grandstand_protocol::{Game, Micros};
use grandstand_replays::{Header, Replay, Writer};

use crate::support::{abalone, cl_bot, replay, shark, shipped_bot};

/// Recording of a match with the bots' requests. With `side`, only that side's program has its source.
fn recording<W: GameWorld>(spec: &ProgramMatch<W>, side: Option<usize>) -> Replay {
    let mut header = spec.header(None);
    for (index, program) in header.programs.iter_mut().enumerate() {
        if side.is_some_and(|side| side != index) {
            program.source = None;
        }
    }
    let mut writer = Writer::new(Vec::new(), &Header::new(W::GAME, header)).unwrap();
    let mut running = spec.start().unwrap();
    running.keep_bot_requests();
    let ending = loop {
        if let Some(asked) = running.drain_bot_requests() {
            writer.bot_requests(Micros(0), &asked).unwrap();
        }
        for command in running.drain_commands() {
            writer.command(Micros(command.tick * 100), &command.command).unwrap();
        }
        match running.ending() {
            Some(ending) => break ending,
            None => running.advance(),
        }
    };
    writer.result(Micros(ending.tick * 100), &ending.result()).unwrap();
    replay(&writer.into_inner())
}

fn played(replay: &Replay) -> Insight {
    let mut insight = Insight::of_replay(replay).unwrap();
    insight.play_out();
    insight
}

/// Each side alone gives the same views as the whole match.
fn each_side_is_the_same_alone<W: GameWorld>(spec: &ProgramMatch<W>) {
    let mut whole = played(&recording(spec, None));
    assert_eq!(whole.compared().difference, None);
    let end = whole.ending().unwrap();
    for side in [0, 1] {
        let mut alone = played(&recording(spec, Some(side)));
        assert_eq!(alone.compared().difference, None, "side {side}");
        assert_eq!(alone.compared().same, whole.compared().same);
        assert_eq!(alone.ending().unwrap(), end);
        assert!(alone.program(side).is_some() && alone.program(1 - side).is_none());
        let bots: Vec<u32> = whole.bots().iter().filter(|bot| bot.side == side).map(|bot| bot.bot).collect();
        assert_eq!(
            alone.bots().iter().filter(|bot| bot.side == side).map(|bot| bot.bot).collect::<Vec<_>>(),
            bots
        );
        let mut looked = 0;
        for cycle in (1..end.tick).step_by(997) {
            for &bot in &bots {
                // A machine numbers only the teams that it has.
                let look = |insight: &mut Insight| {
                    let mut view = insight.at(Moment::end_of(cycle), bot);
                    if let Ok(view) = &mut view {
                        view.thread.team = TeamId(0);
                    }
                    view
                };
                let (one, other) = (look(&mut alone), look(&mut whole));
                looked += u32::from(one.is_ok());
                assert_eq!(one, other, "side {side}, bot {bot}, cycle {cycle}");
            }
        }
        assert!(looked > 50, "{looked}");
        let report = alone.report();
        assert_eq!(report.winner, whole.report().winner);
    }
}

#[test]
fn either_team_of_abalone_runs_alone() {
    let team = |name| shipped_bot(Game::Abalone, name);
    each_side_is_the_same_alone(&abalone(7, 60_000, [team("team"), team("simple_bot")]));
    // Which side is first depends on the seed. Some bots here die by their own programs.
    let text = "let live = rec live in fn n => do (7, 1 + rand 6); (if n = 9 then n / 0 else 0); do 9; live (n + 1) in
let grow = rec grow in fn x => if spawn (grow x) then grow x else live x in
grow 0";
    each_side_is_the_same_alone(&abalone(8, 60_000, [cl_bot(text), team("random")]));
}

#[test]
fn either_team_of_shark_runs_alone() {
    let team = |name| shipped_bot(Game::Shark, name);
    for seed in [1, 2] {
        each_side_is_the_same_alone(&shark(seed, 200_000, [team("shark"), team("stupidbot")]));
    }
}

#[test]
fn prints_and_words_need_one_program_only() {
    let team = |name| shipped_bot(Game::Abalone, name);
    let spec = abalone(7, 30_000, [team("team"), team("simple_bot")]);
    let mut alone = played(&recording(&spec, Some(0)));
    let line = 1 + alone.program(0).unwrap().sources().files()[0]
        .text
        .lines()
        .position(|line| line.contains("let chance = best"))
        .unwrap();
    let prints = Logpoint::parse(&format!("team.cl:{line}: turn")).unwrap();
    assert!(alone.logpoint_hits(&prints, 5).unwrap().1 > 10);
}

#[test]
fn a_recording_that_breaks_off_is_played_no_further_than_it_goes() {
    let team = |name| shipped_bot(Game::Abalone, name);
    let spec = abalone(7, 30_000, [team("team"), team("simple_bot")]);
    let whole = recording(&spec, Some(0));
    let mut writer = Writer::new(Vec::new(), whole.header()).unwrap();
    for line in &whole.bot_requests()[..whole.bot_requests().len() / 2] {
        writer.bot_requests(Micros(0), line).unwrap();
    }
    for seq in 1..=whole.log().last_seq() / 3 {
        writer.command(whole.log().time_of(seq), &whole.log().command(seq).unwrap()).unwrap();
    }
    let alone = played(&replay(&writer.into_inner()));
    assert_eq!(alone.compared().difference, None);
    assert!(alone.compared().cut.is_some() && alone.is_over() && alone.ending().is_none());
}

#[test]
fn what_was_not_asked_for_is_a_difference_and_nonsense_is_refused() {
    let team = |name| shipped_bot(Game::Abalone, name);
    let spec = abalone(7, 30_000, [team("team"), team("simple_bot")]);
    let whole = recording(&spec, Some(0));
    let copy = |change: &dyn Fn(usize, &str) -> String| {
        let mut writer = Writer::new(Vec::new(), whole.header()).unwrap();
        for (index, line) in whole.bot_requests().iter().enumerate() {
            writer.bot_requests(Micros(0), &change(index, line)).unwrap();
        }
        for seq in 1..=whole.log().last_seq() {
            writer.command(whole.log().time_of(seq), &whole.log().command(seq).unwrap()).unwrap();
        }
        replay(&writer.into_inner())
    };
    let half = whole.bot_requests().len() / 2;
    let other = copy(&|index, line| if index >= half { "[]".to_owned() } else { line.to_owned() });
    assert!(played(&other).compared().difference.is_some());
    let broken = copy(&|_, _| "[[1]]".to_owned());
    let error = Insight::of_replay(&broken).unwrap_err().to_string();
    assert!(error.contains("what the bots asked for"), "{error}");
    let without = Replay::open(&copy_without(&whole), Default::default()).unwrap();
    assert!(
        Insight::of_replay(&without).unwrap_err().to_string().contains("has no source of white's program")
    );
}

fn copy_without(whole: &Replay) -> Vec<u8> {
    let mut file = Vec::new();
    whole.header().write_line(&mut file);
    file
}
