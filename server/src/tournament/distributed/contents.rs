//! Contents of the players at the director: programs as bundles, and the files that commands name, by their hashes.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use bytes::Bytes;
use grandstand_matches::bundle::{bundle, sha256};
use grandstand_matches::programs;
use grandstand_players::program_files;
use grandstand_protocol::Game;
use sha2::{Digest as _, Sha256};

use super::super::catalogue::version_of;
use super::super::playing::RunContext;
use super::job::{FileData, PlayerData};
use super::wire::CONTENT_BYTES;
use crate::player_text::{command_words, is_program_file};

/// Where a content is.
#[derive(Debug, Clone)]
enum Content {
    Here(Bytes),
    File(PathBuf),
}

/// The contents of all players.
#[derive(Debug, Default)]
pub(super) struct Contents {
    by_hash: BTreeMap<String, Content>,
    players: Vec<PlayerData>,
}

impl Contents {
    /// Reads the contents of all players.
    ///
    /// # Errors
    /// If a file can't be read or has changed, or a player needs more than files.
    pub(super) fn read(field: RunContext<'_>) -> anyhow::Result<Self> {
        let definition = field.definition;
        if !definition.readable.is_empty() {
            bail!(
                "`read` names directories of this machine, which workers do not have: such a tournament is played without --workers"
            );
        }
        let mut this = Self::default();
        for (entry, hash) in definition.players.iter().zip(field.hashes) {
            let player = this.player(definition.game, &entry.play).with_context(|| entry.name.clone())?;
            // After the files were read, so that what was read is what is pinned.
            if version_of(definition.game, &entry.play).with_context(|| entry.name.clone())? != *hash {
                bail!("the files of {} have changed while the tournament was running", entry.name);
            }
            this.players.push(player);
        }
        Ok(this)
    }

    fn player(&mut self, game: Game, play: &str) -> anyhow::Result<PlayerData> {
        let mut player = PlayerData { play: play.to_owned(), program: None, files: Vec::new() };
        if is_program_file(game, play) || programs::players(game).any(|shipped| shipped == play) {
            let text = bundle(&program_files::load(game, play, Path::new("."))?);
            let hash = sha256(&text);
            self.by_hash.insert(hash.clone(), Content::Here(text.into()));
            player.program = Some(hash);
            return Ok(player);
        }
        for word in command_words(play)? {
            let path = Path::new(&word);
            if path.is_dir() {
                bail!("the command names the directory {word}, and workers are handed single files only");
            }
            if !path.is_file() || player.files.iter().any(|file: &FileData| file.word == word) {
                continue;
            }
            let (sha256, bytes) = hash_file(path).with_context(|| format!("can't read {word}"))?;
            if bytes > CONTENT_BYTES {
                bail!("{word} has {bytes} bytes, and workers are handed files of at most {CONTENT_BYTES}");
            }
            self.by_hash.insert(sha256.clone(), Content::File(path.to_owned()));
            let executable = is_executable(path);
            player.files.push(FileData { word, sha256, bytes, executable });
        }
        Ok(player)
    }

    /// The player with this position.
    pub(super) fn of(&self, player: usize) -> &PlayerData {
        &self.players[player]
    }

    /// The content with a hash; `None` if there is none.
    ///
    /// # Errors
    /// If its file can't be read or has changed.
    pub(super) fn get(&self, hash: &str) -> Option<anyhow::Result<Bytes>> {
        let content = self.by_hash.get(hash)?;
        Some(match content {
            Content::Here(bytes) => Ok(bytes.clone()),
            Content::File(path) => read_unchanged(path, hash).with_context(|| path.display().to_string()),
        })
    }
}

fn read_unchanged(path: &Path, hash: &str) -> anyhow::Result<Bytes> {
    let mut content = Vec::new();
    std::fs::File::open(path)?.take(CONTENT_BYTES + 1).read_to_end(&mut content)?;
    if hash_of(&content) != hash {
        bail!("it has changed while the tournament was running");
    }
    Ok(content.into())
}

fn hash_file(path: &Path) -> std::io::Result<(String, u64)> {
    let (mut file, mut hash, mut bytes) = (std::fs::File::open(path)?, Sha256::new(), 0);
    let mut piece = vec![0; 1 << 16];
    loop {
        let read = file.read(&mut piece)?;
        if read == 0 {
            return Ok((data_encoding::HEXLOWER.encode(&hash.finalize()), bytes));
        }
        hash.update(&piece[..read]);
        bytes += read as u64;
    }
}

/// The SHA-256 of a content, in hexadecimal.
pub(super) fn hash_of(content: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(content))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|data| data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_: &Path) -> bool {
    true
}
