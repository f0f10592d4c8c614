//! Content hashes of players, which distinguish their versions.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context as _;
use grandstand_matches::bundle::{bundle, sha256, sha256_of};
use grandstand_matches::programs;
use grandstand_players::program_files;
use grandstand_protocol::Game;

use crate::player_text::{command_words, is_program_file};

/// A player whose content has changed since its last recorded version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerChange {
    /// The player's position.
    pub player: usize,
    /// The player's name.
    pub name: String,
    /// The hash of the current content.
    pub sha256: String,
}

/// The hash of the player that `play` names: of a program with its includes, of every file that a command names, or
/// else of the text alone.
///
/// # Errors
/// If a file can't be read or a program does not load, with the place.
pub fn version_of(game: Game, play: &str) -> anyhow::Result<String> {
    if is_program_file(game, play) || programs::players(game).any(|player| player == play) {
        let program = program_files::load(game, play, Path::new("."))?;
        return Ok(sha256(bundle(&program)));
    }
    let mut content = format!("{play}\n");
    for word in command_words(play).with_context(|| play.to_owned())? {
        if Path::new(&word).is_file() {
            let hashed = std::fs::File::open(&word).and_then(sha256_of);
            let (hex, _) = hashed.with_context(|| format!("can't read {word}"))?;
            // Writing to a string can't fail.
            let _ = writeln!(content, "{word} {hex}");
        }
    }
    Ok(sha256(&content))
}
