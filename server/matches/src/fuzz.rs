//! Bodies of the fuzz targets. Each takes any bytes and panics when an invariant is violated.

use std::path::Path;

use grandstand_languages::{Limits, Program, cl};
use grandstand_protocol::abalone::{Scene, Team};
use grandstand_protocol::{Command, Game, Micros};
use grandstand_rules::abalone::{Rules, World};

use crate::machine::{ProgramMatch, Runner, Settings};
use crate::programs::load_shipped;
use crate::settings::{read_setting, read_settings};
use crate::spec::RunningMatch as _;

/// Any bytes as a rules file of either format, and as one setting: settings that were read can be written and read
/// again.
pub fn rules(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let files = ["rules.toml", "rules.json"].map(|name| read_settings(Path::new(name), &text).ok());
    let one = read_setting(&text).ok().map(|setting| [setting].into_iter().collect());
    for map in files.into_iter().chain([one]).flatten() {
        if let Ok(settings) = Settings::<Rules>::from_map(map) {
            let again = Settings::from_map(settings.to_map());
            assert_eq!(again.expect("settings read what they wrote"), settings);
        }
    }
}

/// Any bytes as a program: a match against it ends, its commands show the world's state, and playing it again gives the
/// same.
pub fn program(data: &[u8]) {
    let Ok(black) = cl::parse("fuzz.cl", &String::from_utf8_lossy(data)) else { return };
    let white = load_shipped(Game::Abalone, "random").expect("a shipped program").expect("it loads");
    let once = play(&black, &white);
    assert_eq!(play(&black, &white), once);
}

fn play(black: &Program, white: &Program) -> Vec<String> {
    let rules = Rules { cycles_per_turn: 100, game_length: 2_000, talks_per_turn: 2, ..Rules::default() };
    let limits = Limits { words: 20_000, threads: 32, array_elements: 1_000, depth: 200 };
    let settings = Settings { rules, limits };
    let setup =
        ProgramMatch::<World> { settings, seed: 1, players: [black.clone().into(), white.clone().into()] };
    let mut runner = Runner::new(&setup).expect("the settings are right");
    let (mut scene, mut lines) = (Scene::default(), Vec::new());
    loop {
        for stamped in runner.drain_commands() {
            if let Command::Abalone(command) = &stamped.command {
                scene.apply(0, Micros(0), command);
            }
            lines.push(stamped.command.to_line());
        }
        let projected = runner.world().scene();
        assert!(scene.pieces().eq(projected.pieces()), "the pieces drawn are those of the world");
        assert_eq!(scene.turns(), projected.turns());
        for team in Team::ALL {
            assert_eq!(scene.score(team), projected.score(team));
        }
        if let Some(finish) = runner.world().finish() {
            assert!(finish.cycle <= 2_000);
            lines.extend(runner.drain_log().iter().map(ToString::to_string));
            return lines;
        }
        runner.advance();
    }
}
