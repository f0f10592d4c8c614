//! Matches between shipped players, and series of them on all processors.

use std::path::Path;

use grandstand::workers::{cores, in_parallel};
use grandstand_matches::games::fortress::spec::ShippedMatch;
use grandstand_matches::games::fortress::teams::ShippedTeam;
use grandstand_matches::machine::{ProgramMatch, Settings};
use grandstand_matches::{MatchSpec, SeriesScore, StartError, play_out};
use grandstand_players::program_files;
use grandstand_protocol::Game;
use grandstand_rules::fortress::ByTeam;
use grandstand_rules::{abalone, fortress, shark};

/// A match of Abalone between shipped programs.
pub(crate) fn abalone(players: [&str; 2]) -> Box<dyn MatchSpec> {
    let players = players.map(|player| program(Game::Abalone, player));
    Box::new(ProgramMatch::<abalone::World> { settings: Settings::default(), seed: 0, players })
}

/// A match of λ-Shark between shipped programs.
pub(crate) fn shark(map: &str, players: [&str; 2]) -> Box<dyn MatchSpec> {
    let rules = shark::Rules { map: shark::maps::by_name(map).unwrap(), ..shark::Rules::default() };
    let players = players.map(|player| program(Game::Shark, player));
    let settings = Settings { rules, ..Settings::default() };
    Box::new(ProgramMatch::<shark::World> { settings, seed: 0, players })
}

/// A match of Steam Fortress between shipped teams.
pub(crate) fn fortress(map: &str, teams: [&str; 2]) -> Box<dyn MatchSpec> {
    let [red, blue] = teams.map(|team| ShippedTeam::named(team).unwrap());
    let map = fortress::maps::by_name(map).unwrap();
    Box::new(ShippedMatch { rules: fortress::Rules::default(), map, teams: ByTeam::new(red, blue), seed: 0 })
}

fn program(game: Game, player: &str) -> grandstand_matches::machine::Player {
    program_files::load(game, player, Path::new(".")).unwrap().into()
}

/// Plays matches with the seeds from 0 on and counts them. With `changing_sides` the players swap sides in every second
/// match.
pub(crate) fn play(fixture: &dyn MatchSpec, matches: u64, changing_sides: bool) -> SeriesScore {
    let played = in_parallel(cores(), matches, |seed| -> Result<_, StartError> {
        let swapped = changing_sides && seed % 2 == 1;
        let ending = play_out(&mut *fixture.variation(seed, swapped).start()?);
        Ok((usize::from(swapped), ending))
    });
    let mut tally = SeriesScore::default();
    for (first, ending) in played.unwrap().unwrap() {
        tally.add(first, &ending);
    }
    tally
}
