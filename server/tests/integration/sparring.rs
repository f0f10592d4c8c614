//! The ladder of the sparring bots: each beats the one below, and none of its threads fails.
//!
//! The full ladder is `cargo bench -p grandstand --no-default-features --bench ladder`; here the seeds are few and
//! fixed.

use std::path::Path;

use grandstand_languages::{Cause, Program};
use grandstand_matches::games::fortress::spec::ShippedMatch;
use grandstand_matches::games::fortress::teams::ShippedTeam;
use grandstand_matches::machine::{GameWorld, LogEntry, LogEvent, ProgramMatch, Runner, Settings};
use grandstand_matches::{MatchSpec as _, RunningMatch as _, play_out, programs};
use grandstand_players::program_files;
use grandstand_protocol::Game;
use grandstand_rules::fortress::ByTeam;
use grandstand_rules::{abalone, fortress, shark};

/// The programs of a game's ladder, the weakest first.
fn ladder(game: Game) -> Vec<Program> {
    let names = (1..).map(|step| format!("sparring-{step}"));
    let names = names.take_while(|name| programs::players(game).any(|player| player == name));
    names.map(|name| program_files::load(game, &name, Path::new(".")).unwrap()).collect()
}

/// Plays a match to its end; returns the winning side, if any, and the lines. No thread may have ended by an error.
fn play<W: GameWorld>(players: [&Program; 2], rules: &W::Rules, seed: u64) -> (Option<usize>, Vec<String>)
where
    W::Rules: Clone + Default,
{
    let settings = Settings { rules: rules.clone(), ..Settings::default() };
    let players = players.map(|program| program.clone().into());
    let mut runner = Runner::new(&ProgramMatch::<W> { settings, seed, players }).unwrap();
    while runner.ending().is_none() {
        runner.advance();
    }
    // A program that reaches its end has left on purpose, as the shark's scouts do.
    let failed = |entry: &LogEntry| matches!(&entry.event, LogEvent::Ended(end) if !matches!(end.cause, Cause::Value(_)));
    let failed = runner.drain_log().into_iter().filter(failed);
    assert_eq!(failed.map(|entry| entry.to_string()).collect::<Vec<_>>(), [""; 0], "seed {seed}");
    let lines = runner.drain_commands().iter().map(|stamped| stamped.command.to_line()).collect();
    (runner.ending().unwrap().winner, lines)
}

/// Number of matches with these seeds, on both sides, that the stronger of two has won and lost.
fn score<W: GameWorld>(
    [stronger, weaker]: [&Program; 2],
    rules: &W::Rules,
    seeds: std::ops::Range<u64>,
) -> [u32; 2]
where
    W::Rules: Clone + Default,
{
    let mut score = [0; 2];
    for seed in seeds {
        for side in 0..2 {
            let players = if side == 0 { [stronger, weaker] } else { [weaker, stronger] };
            if let Some(winner) = play::<W>(players, rules, seed).0 {
                score[usize::from(winner != side)] += 1;
            }
        }
    }
    score
}

#[test]
fn ladders_have_six_steps_that_load_without_a_warning() {
    for game in [Game::Abalone, Game::Shark] {
        let ladder = ladder(game);
        assert_eq!(ladder.len(), 6, "{game}");
        for program in ladder {
            assert!(program.warnings().is_empty(), "{:?}", program.warnings());
        }
    }
}

#[test]
fn in_abalone_each_beats_the_one_below() {
    let ladder = ladder(Game::Abalone);
    for (step, pair) in (2..).zip(ladder.windows(2)) {
        let [won, lost] = score::<abalone::World>([&pair[1], &pair[0]], &abalone::Rules::default(), 0..8);
        assert!(won > 2 * lost, "step {step}: {won} to {lost}");
    }
}

#[test]
fn in_abalone_a_match_is_the_same_when_it_is_played_again() {
    for pair in ladder(Game::Abalone).windows(2) {
        let again = || play::<abalone::World>([&pair[1], &pair[0]], &abalone::Rules::default(), 3);
        assert_eq!(again(), again());
    }
}

fn on(map: &str) -> shark::Rules {
    shark::Rules { map: shark::maps::by_name(map).unwrap(), ..shark::Rules::default() }
}

#[test]
fn in_shark_each_beats_the_one_below_on_all_maps_together() {
    let ladder = ladder(Game::Shark);
    for (step, pair) in (2..).zip(ladder.windows(2)) {
        let scores =
            shark::maps::SHIPPED.map(|(map, _)| score::<shark::World>([&pair[1], &pair[0]], &on(map), 0..1));
        let [won, lost] = [0, 1].map(|who| scores.iter().map(|score| score[who]).sum::<u32>());
        assert!(won > 2 * lost, "step {step}: {won} to {lost}");
    }
}

#[test]
fn in_shark_a_match_is_the_same_when_it_is_played_again() {
    for pair in ladder(Game::Shark).windows(2) {
        let again = || play::<shark::World>([&pair[1], &pair[0]], &on("forts"), 3);
        assert_eq!(again(), again());
    }
}

#[test]
fn in_fortress_each_beats_the_one_below_on_all_maps_together() {
    for step in 2..=3 {
        let pair = [step, step - 1].map(|step| ShippedTeam::named(&format!("sparring-{step}")).unwrap());
        let mut score = [0; 2];
        for (map, _) in fortress::maps::SHIPPED {
            for side in 0..2 {
                let [red, blue] = [pair[side], pair[1 - side]];
                let (teams, map) = (ByTeam::new(red, blue), fortress::maps::by_name(map).unwrap());
                let spec = ShippedMatch { rules: fortress::Rules::default(), map, teams, seed: 1 };
                if let Some(winner) = play_out(&mut *spec.start().unwrap()).winner {
                    score[usize::from(winner != side)] += 1;
                }
            }
        }
        let [won, lost] = score;
        assert!(won > 2 * lost, "step {step}: {won} to {lost}");
    }
}
