//! Places that differ on two boards.

use std::collections::HashSet;

use grandstand_protocol::{Micros, Place, Scene};
use grandstand_replays::Log;
use grandstand_story::story;

/// Number of commands of a turn that are looked at, at most.
const TURN: u64 = 400;

/// Time for which a difference is a new one in games without turns.
const RECENT: Micros = Micros(500_000);

/// The differences.
#[derive(Debug, Default)]
pub(super) struct DifferingPlaces {
    /// Places with different contents.
    pub places: Vec<Place>,
    /// Those of them that the last move of either match names, or in games without turns its last commands.
    pub fresh: HashSet<Place>,
    /// Number of further places whose terrain differs.
    pub terrain: usize,
}

impl DifferingPlaces {
    /// The places that differ in two scenes of one game.
    pub(super) fn of(a: &Scene, b: &Scene) -> DifferingPlaces {
        let mut found = DifferingPlaces::default();
        if a.game() != b.game() {
            return found;
        }
        let mut seen = HashSet::new();
        let all = a.board_places().into_iter().chain(b.board_places()).filter(|place| seen.insert(*place));
        let [a, b] = [a, b].map(story);
        for place in all {
            if a.terrain(place) != b.terrain(place) {
                found.terrain += 1;
            } else if a.describe(place) != b.describe(place) {
                found.places.push(place);
            }
        }
        found
    }
}

impl DifferingPlaces {
    /// Finds the places that the last commands up to these pictures have changed.
    pub(super) fn find_fresh(&mut self, pair: [(&Log, u64); 2]) {
        let named = pair.into_iter().flat_map(|(log, seq)| named(log, last_move(log, seq), seq));
        let named: HashSet<Place> = named.collect();
        self.fresh = self.places.iter().copied().filter(|place| named.contains(place)).collect();
    }
}

/// The command before the last move up to a picture; in games without turns that of so long ago.
fn last_move(log: &Log, seq: u64) -> u64 {
    if story(&Scene::new(log.game())).has_turns() {
        return log.previous_turn(seq).unwrap_or(0);
    }
    let t = log.time_of(seq).0.saturating_sub(RECENT.0);
    log.seq_at(Micros(t)).min(seq.saturating_sub(1))
}

/// The places that the commands after `from` up to `to` name; those of the last turn at most.
pub(super) fn named(log: &Log, from: u64, to: u64) -> HashSet<Place> {
    let commands = (from.max(to.saturating_sub(TURN)) + 1..=to).filter_map(|seq| log.command(seq));
    commands.flat_map(|command| command.places(log.game()).collect::<Vec<_>>()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_protocol::{Command, Game, Micros};

    fn scene(game: Game, lines: &[&str]) -> Scene {
        let mut scene = Scene::new(game);
        for line in lines {
            scene.apply(1, Micros(0), &Command::parse(game, line.as_bytes()));
        }
        scene
    }

    #[test]
    fn just_the_places_that_differ_are_named() {
        for (game, a, b, expected) in [
            (
                Game::Abalone,
                &["set E2 b0", "set E3 w0"][..],
                &["set E2 b0", "set E4 w0"][..],
                &["E3", "E4"][..],
            ),
            (Game::Gomoku, &["move black h8"], &["move black h9"], &["h8", "h9"]),
            (Game::Abalone, &["bsay Hello", "turns 3"], &[], &[]),
        ] {
            let names = |places: Vec<Place>| {
                let mut names: Vec<String> = places.iter().map(ToString::to_string).collect();
                names.sort();
                names
            };
            assert_eq!(
                names(DifferingPlaces::of(&scene(game, a), &scene(game, b)).places),
                expected,
                "{game:?}"
            );
        }
        let other = DifferingPlaces::of(&scene(Game::Abalone, &["set E2 b0"]), &scene(Game::Grid, &[]));
        assert!(other.places.is_empty());
        let high = ["elevation 3 4 high", "spawn 1 red 3 4 east 9 pyro", "spawn 2 red 5 4 east 9 pyro"];
        let maps = DifferingPlaces::of(&scene(Game::Fortress, &high), &scene(Game::Fortress, &[]));
        assert_eq!((maps.terrain, maps.places.len()), (1, 1));
    }
}
