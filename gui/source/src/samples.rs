//! Samples: a recorded match of each game, in the program itself, so that there is something to watch without a server or a file.

/// What a sample's name has before it where it is a target: `sample:gomoku`.
pub const PREFIX: &str = "sample:";

/// A recorded match that the program brings along.
#[derive(Debug, PartialEq, Eq)]
pub struct Sample {
    /// The game, as a player would type it.
    pub name: &'static str,
    /// The file, compressed or not.
    pub bytes: &'static [u8],
    /// Its best picture, in hundredths of its commands.
    pub poster: u64,
}

/// One of each game.
pub static SAMPLES: [Sample; 6] = [
    Sample {
        name: "abalone",
        bytes: include_bytes!("../../../replays/samples/simple_bot-team.replay.zst"),
        poster: 60,
    },
    Sample {
        name: "shark",
        bytes: include_bytes!("../../../replays/samples/shark-shark-stupidbot.replay.zst"),
        poster: 50,
    },
    Sample {
        name: "fortress",
        bytes: include_bytes!("../../../replays/samples/fortress-strong-strong.replay.zst"),
        poster: 40,
    },
    Sample {
        name: "gomoku",
        bytes: include_bytes!("../../../replays/samples/gomoku-stupid-stupid.replay"),
        poster: 85,
    },
    Sample {
        name: "pente",
        bytes: include_bytes!("../../../replays/samples/pente-stupid-stupid.replay"),
        poster: 85,
    },
    Sample {
        name: "riskless",
        bytes: include_bytes!("../../../replays/samples/riskless-alphabeta-random.replay"),
        poster: 70,
    },
];

/// The sample that a target names.
pub fn named(text: &str) -> Option<&'static Sample> {
    let name = text.strip_prefix(PREFIX)?;
    SAMPLES.iter().find(|sample| sample.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_replays::{Limits, Replay};

    #[test]
    fn each_sample_is_a_whole_match_of_its_game() {
        for sample in &SAMPLES {
            let replay = Replay::open(sample.bytes, Limits::default()).expect("a recording");
            assert!(replay.damage().is_none() && replay.result().is_some(), "{}", sample.name);
            assert_eq!(replay.header().game.name(), sample.name);
            assert_eq!(named(&format!("{PREFIX}{}", sample.name)), Some(sample));
        }
    }
}
