//! Samples: a recorded match of each game, built into the program or beside the page, to watch without a server or a file.

use grandstand_story::Sample;
pub use grandstand_story::samples;

/// Prefix of the game in a target that names a sample: `sample:gomoku`.
pub const PREFIX: &str = "sample:";

/// The sample that a target names.
pub fn named(text: &str) -> Option<Sample> {
    let name = text.strip_prefix(PREFIX)?;
    samples().find(|sample| sample.game.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_protocol::Game;
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
