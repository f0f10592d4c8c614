//! A game to be played, as data that needs nothing else than the contents that it names.

use std::fmt;

use grandstand_matches::bundle::sha256;
use grandstand_players::sandbox::Isolation;
use grandstand_protocol::Game;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::wire::{self, CONTENT_BYTES, Message, WireError, encode};

/// Digits of a job's identity.
const ID_DIGITS: usize = 32;
/// Digits of a content's hash.
const HASH_DIGITS: usize = 64;
/// Greatest lengths of texts in bytes, and numbers of limits and files.
const PLAY_BYTES: usize = 4096;
const NAME_BYTES: usize = 512;
const LIMITS: usize = 64;
const FILES: usize = 64;

/// Identity of a job: a hash of all that it says. A director that was started again hands out the same games under the
/// same identities.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct JobId(String);

impl JobId {
    /// Checks its form.
    pub(super) fn check(&self) -> Result<(), WireError> {
        wire::hex("job", &self.0, ID_DIGITS)
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A game to be played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Job {
    /// Hash that tells tournaments apart.
    pub(super) tournament: String,
    /// Number of the game in the tournament, and of the attempt.
    pub(super) number: u64,
    pub(super) attempt: u32,
    pub(super) set_up: SetUpData,
    pub(super) seed: u64,
    /// Whether the players change sides.
    pub(super) swapped: bool,
    /// Whether games of this tournament have clocks, so that each needs cores of its own.
    pub(super) clocks: bool,
    /// Names of the players by side, of the tournament and of the round.
    pub(super) names: [String; 2],
    pub(super) event: String,
    pub(super) round: String,
}

/// Settings that decide a match besides its seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SetUpData {
    pub(super) game: Game,
    pub(super) players: [PlayerData; 2],
    pub(super) settings: Map<String, Value>,
    pub(super) speed: Option<f64>,
    pub(super) limits: Vec<String>,
    pub(super) sandbox: Isolation,
}

/// A player, with the contents that it is made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayerData {
    /// The specification, as in `grandstand play`.
    pub(super) play: String,
    /// Hash of the bundle of a program in the game's language.
    pub(super) program: Option<String>,
    /// The files that a command names.
    pub(super) files: Vec<FileData>,
}

/// A file that a command names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileData {
    /// The word of the command.
    pub(super) word: String,
    pub(super) sha256: String,
    pub(super) bytes: u64,
    pub(super) executable: bool,
}

impl Job {
    /// The identity.
    pub(super) fn id(&self) -> JobId {
        let mut hash = sha256(encode(self));
        hash.truncate(ID_DIGITS);
        JobId(hash)
    }
}

impl Message for Job {
    fn check(&self) -> Result<(), WireError> {
        wire::hex("tournament", &self.tournament, HASH_DIGITS)?;
        for (name, value) in [("event", &self.event), ("round", &self.round)] {
            wire::text(name, value, NAME_BYTES)?;
        }
        for name in &self.names {
            wire::text("names", name, NAME_BYTES)?;
        }
        let set_up = &self.set_up;
        wire::count("limits", set_up.limits.len(), LIMITS)?;
        for limit in &set_up.limits {
            wire::text("limits", limit, NAME_BYTES)?;
        }
        if set_up.speed.is_some_and(|speed| !(0.1..=100.0).contains(&speed)) {
            let fault = "is not from 0.1 to 100".to_owned();
            return Err(WireError::Value { name: "speed", fault });
        }
        for player in &set_up.players {
            wire::text("play", &player.play, PLAY_BYTES)?;
            if let Some(program) = &player.program {
                wire::hex("program", program, HASH_DIGITS)?;
            }
            wire::count("files", player.files.len(), FILES)?;
            for file in &player.files {
                wire::text("word", &file.word, PLAY_BYTES)?;
                check_hash(&file.sha256)?;
                if file.bytes > CONTENT_BYTES {
                    let fault = format!("is {}, more than {CONTENT_BYTES}", file.bytes);
                    return Err(WireError::Value { name: "bytes", fault });
                }
            }
        }
        Ok(())
    }
}

/// Checks the form of a content's hash.
pub(super) fn check_hash(hash: &str) -> Result<(), WireError> {
    wire::hex("sha256", hash, HASH_DIGITS)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::wire::decode;
    use super::*;

    /// A job of a tournament of Gomoku.
    pub(in super::super) fn job(number: u64) -> Job {
        let player = |play: &str| PlayerData { play: play.to_owned(), program: None, files: Vec::new() };
        Job {
            tournament: sha256("a tournament"),
            number,
            attempt: 0,
            set_up: SetUpData {
                game: Game::Gomoku,
                players: [player("random"), player("stupid")],
                settings: Map::new(),
                speed: None,
                limits: Vec::new(),
                sandbox: Isolation::On,
            },
            seed: u64::MAX,
            swapped: false,
            clocks: false,
            names: ["a".to_owned(), "b".to_owned()],
            event: "cup".to_owned(),
            round: "1".to_owned(),
        }
    }

    #[test]
    fn the_identity_is_of_all_that_a_job_says() {
        let first = job(1);
        assert_eq!(first.id(), job(1).id());
        assert_eq!(decode::<Job>(&encode(&first)).unwrap().id(), first.id());
        let mut other = job(1);
        other.set_up.players[0].play = "search:nodes=9".to_owned();
        assert_ne!(other.id(), first.id());
        assert_ne!(job(2).id(), first.id());
        assert_ne!(Job { attempt: 1, ..job(1) }.id(), first.id());
    }

    #[test]
    fn what_passes_a_limit_is_refused_by_its_name() {
        let refused = |change: fn(&mut Job)| {
            let mut job = job(1);
            change(&mut job);
            decode::<Job>(&encode(&job)).unwrap_err().to_string()
        };
        assert_eq!(
            refused(|job| job.set_up.players[1].play = "x".repeat(PLAY_BYTES + 1)),
            "`play` has 4097 bytes, more than 4096"
        );
        assert_eq!(
            refused(|job| job.tournament = "../x".to_owned()),
            "`tournament` is not 64 hexadecimal digits"
        );
        assert_eq!(refused(|job| job.names[0] = "\u{1b}[2J".to_owned()), "`names` has a control character");
        assert_eq!(refused(|job| job.set_up.speed = Some(0.0)), "`speed` is not from 0.1 to 100");
        assert_eq!(
            refused(|job| job.set_up.players[0].program = Some("0".to_owned())),
            "`program` is not 64 hexadecimal digits"
        );
        assert!(refused(|job| job.event = "x".repeat(wire::MESSAGE_BYTES)).starts_with("a message of "));
    }
}
