//! The sample recordings in `replays/samples`: complete, and equal to a replay of their matches.

use std::fs;
use std::path::PathBuf;

use grandstand::games;
use grandstand_protocol::{Command, Micros};
use grandstand_replays::{Limits, Replay};

fn samples() -> Vec<PathBuf> {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../replays/samples");
    let paths = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let is_replay = |path: &PathBuf| path.to_str().unwrap().contains(".replay");
    let mut samples: Vec<PathBuf> = paths.filter(is_replay).collect();
    samples.sort();
    samples
}

/// The moves, scores and texts of a match with their times, which its recording reproduces exactly.
fn drawn(commands: impl Iterator<Item = (Micros, Command)>) -> Vec<(Micros, String)> {
    let drawn = commands.filter(|(_, command)| command.is_dialect());
    drawn.map(|(t, command)| (t, command.to_line())).collect()
}

#[test]
fn every_sample_is_whole_and_its_match_can_be_played_again() {
    let samples = samples();
    assert!(samples.len() >= 4, "{samples:?}");
    assert!(samples.iter().any(|path| path.extension().unwrap() == "zst"));
    for path in samples {
        let file = fs::read(&path).unwrap();
        assert!(file.len() < 300_000, "{path:?}");
        let replay = Replay::open(&file, Limits::default()).unwrap();
        assert_eq!(replay.damage(), None, "{path:?}");

        let log = replay.log();
        let recorded = drawn((1..=log.last_seq()).map(|seq| (log.time_of(seq), log.command(seq).unwrap())));
        let fixture = games::from_header(replay.header().game, &replay.header().about).unwrap();
        let mut contest = fixture.start().unwrap();
        let ending = loop {
            if let Some(ending) = contest.ending() {
                break ending;
            }
            contest.advance();
        };
        let tempo = fixture.tempo();
        let micros = |tick: u64| Micros(tempo.watchable.as_micros() as u64 * tick / tempo.ticks);
        let commands = contest.drain_commands().into_iter();
        let again = drawn(commands.map(|stamped| (micros(stamped.tick), stamped.command)));
        assert!(recorded.len() > 50, "{path:?}");
        assert_eq!(recorded.len(), again.len(), "{path:?}");
        for (index, (recorded, again)) in recorded.iter().zip(&again).enumerate() {
            assert_eq!(recorded, again, "{path:?}, drawing command {index}");
        }
        assert_eq!(replay.result(), Some(&ending.result()), "{path:?}");
    }
}
