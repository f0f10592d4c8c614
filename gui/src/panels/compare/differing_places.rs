//! The places of two boards on which not the same is.

use std::collections::HashSet;

use grandstand_protocol::{Place, Scene};
use grandstand_story::story;

/// The places that differ, in words, in two scenes of one game.
pub(super) fn that_differ(a: &Scene, b: &Scene) -> Vec<Place> {
    if a.game() != b.game() {
        return Vec::new();
    }
    let mut seen = HashSet::new();
    let all = a.board_places().into_iter().chain(b.board_places()).filter(|place| seen.insert(*place));
    let [a, b] = [a, b].map(story);
    all.filter(|place| a.describe(*place) != b.describe(*place)).collect()
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
            (Game::Fortress, &["elevation 3 4 high"], &[], &["3,4"]),
            (Game::Abalone, &["bsay Hello", "turns 3"], &[], &[]),
        ] {
            let names = |places: Vec<Place>| {
                let mut names: Vec<String> = places.iter().map(ToString::to_string).collect();
                names.sort();
                names
            };
            assert_eq!(names(that_differ(&scene(game, a), &scene(game, b))), expected, "{game:?}");
        }
        assert!(that_differ(&scene(Game::Abalone, &["set E2 b0"]), &scene(Game::Grid, &[])).is_empty());
    }
}
