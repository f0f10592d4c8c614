//! Samples: a recorded match of each game, built into the program, to watch without a server or a file.

use grandstand_protocol::{Game, Scene};
use grandstand_story::{Sample, story};

/// Prefix of the game in a target that names a sample: `sample:gomoku`.
pub const PREFIX: &str = "sample:";

/// One sample for each game that has one.
pub fn samples() -> impl Iterator<Item = Sample> {
    Game::ALL.into_iter().filter_map(|game| story(&Scene::new(game)).sample())
}

/// The sample that a target names.
pub fn named(text: &str) -> Option<Sample> {
    let name = text.strip_prefix(PREFIX)?;
    samples().find(|sample| sample.game.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_replays::{Limits, Replay};

    #[test]
    fn each_sample_is_a_whole_match_of_its_game() {
        for sample in samples() {
            let replay = Replay::open(sample.recording, Limits::default()).expect("a recording");
            assert!(replay.damage().is_none() && replay.result().is_some(), "{}", sample.game);
            assert_eq!(replay.header().game, sample.game);
            assert_eq!(named(&format!("{PREFIX}{}", sample.game.name())), Some(sample));
        }
        assert_eq!(samples().count(), Game::ALL.len() - 1, "each game but the generic grid has one");
    }
}
