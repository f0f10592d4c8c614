//! Matches for the tests.

use grandstand_insight::Insight;
use grandstand_languages::{MemoryFiles, Program, cl, rcl};
use grandstand_matches::MatchSpec as _;
use grandstand_matches::machine::{GameRules, GameWorld, Player, ProgramMatch, Settings};
use grandstand_matches::programs::{load_shipped, shipped};
use grandstand_protocol::{Game, MatchHeader, Micros};
use grandstand_replays::{Header, Limits, Replay, Writer};
use grandstand_rules::{abalone, shark};

/// A program in CL from a text, with the shipped constants.
pub(crate) fn cl_bot(text: &str) -> Player {
    let constants = shipped("abalone/constants.ch").unwrap();
    let files = MemoryFiles::new().with("bot.cl", text).with("constants.ch", constants);
    cl::load("bot.cl", &files).unwrap().into()
}

/// A program in RCL from a text, with the shipped constants.
pub(crate) fn rcl_bot(text: &str) -> Player {
    let constants = shipped("shark/constants.rch").unwrap();
    let files = MemoryFiles::new().with("bot.rcl", text).with("constants.rch", constants);
    rcl::load("bot.rcl", &files).unwrap().into()
}

pub(crate) fn shipped_bot(game: Game, name: &str) -> Player {
    load_shipped(game, name).unwrap().map(Program::into).unwrap()
}

pub(crate) fn match_of<W: GameWorld>(rules: W::Rules, seed: u64, players: [Player; 2]) -> ProgramMatch<W> {
    rules.check().unwrap();
    ProgramMatch { settings: Settings { rules, ..Settings::default() }, seed, players }
}

pub(crate) fn abalone(seed: u64, cycles: u64, players: [Player; 2]) -> ProgramMatch<abalone::World> {
    match_of(abalone::Rules { game_length: cycles, ..abalone::Rules::default() }, seed, players)
}

pub(crate) fn shark(seed: u64, steps: u64, players: [Player; 2]) -> ProgramMatch<shark::World> {
    match_of(shark::Rules { game_length: steps, ..shark::Rules::default() }, seed, players)
}

/// A match, played to its end.
pub(crate) fn played<W: GameWorld>(spec: &ProgramMatch<W>) -> Insight {
    let mut insight = Insight::of_header(W::GAME, &spec.header(None)).unwrap();
    insight.play_out();
    insight
}

/// Recording of a match, as `play --record` writes it.
pub(crate) fn recording<W: GameWorld>(spec: &ProgramMatch<W>, header: &MatchHeader) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), &Header::new(W::GAME, header.clone())).unwrap();
    let mut running = spec.start().unwrap();
    let ending = loop {
        for command in running.drain_commands() {
            writer.command(Micros(command.tick * 100), &command.command).unwrap();
        }
        match running.ending() {
            Some(ending) => break ending,
            None => running.advance(),
        }
    };
    writer.result(Micros(ending.tick * 100), &ending.result()).unwrap();
    writer.into_inner()
}

pub(crate) fn replay(file: &[u8]) -> Replay {
    Replay::open(file, Limits::default()).unwrap()
}
