//! Contents of the players at the director: programs as bundles, and the files that commands name, by their hashes.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

use anyhow::{Context as _, bail};
use bytes::Bytes;
use grandstand_matches::bundle::{bundle, sha256, sha256_of};
use grandstand_matches::programs;
use grandstand_players::program_files;
use grandstand_protocol::Game;
use tokio::sync::Mutex;

use super::super::catalogue::version_of;
use super::super::playing::RunContext;
use super::job::{FileData, PlayerData};
use super::wire::CONTENT_BYTES;
use crate::player_text::{command_words, is_program_file};

/// Location of a content.
#[derive(Debug)]
enum Content {
    Here(Bytes),
    File(PinnedFile),
}

/// A file whose content must not change.
#[derive(Debug)]
struct PinnedFile {
    path: PathBuf,
    /// Its content, while it is sent to workers: all that ask at a time share it.
    sent: Mutex<Weak<Vec<u8>>>,
}

/// A content that several answers share.
struct Shared(Arc<Vec<u8>>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
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
            let hashed = File::open(path).and_then(sha256_of);
            let (sha256, bytes) = hashed.with_context(|| format!("can't read {word}"))?;
            if bytes > CONTENT_BYTES {
                bail!("{word} has {bytes} bytes, and workers are handed files of at most {CONTENT_BYTES}");
            }
            let file = PinnedFile { path: path.to_owned(), sent: Mutex::default() };
            self.by_hash.insert(sha256.clone(), Content::File(file));
            let executable = is_executable(path);
            player.files.push(FileData { word, sha256, bytes, executable });
        }
        Ok(player)
    }

    /// The player with this position.
    pub(super) fn of(&self, player: usize) -> &PlayerData {
        &self.players[player]
    }

    /// The content with a hash; `None` if there is none. Answers at the same time share one copy in memory. May wait for the
    /// disk.
    ///
    /// # Errors
    /// If its file can't be read or has changed.
    pub(super) async fn get(&self, hash: &str) -> Option<anyhow::Result<Bytes>> {
        Some(match self.by_hash.get(hash)? {
            Content::Here(bytes) => Ok(bytes.clone()),
            Content::File(file) => file.read(hash).await.with_context(|| file.path.display().to_string()),
        })
    }
}

impl PinnedFile {
    async fn read(&self, hash: &str) -> anyhow::Result<Bytes> {
        let mut sent = self.sent.lock().await;
        let content = match sent.upgrade() {
            Some(content) => content,
            None => {
                let path = self.path.clone();
                let read = tokio::task::spawn_blocking(move || -> anyhow::Result<(Vec<u8>, String)> {
                    let mut content = Vec::new();
                    File::open(path)?.take(CONTENT_BYTES + 1).read_to_end(&mut content)?;
                    let hash = sha256(&content);
                    Ok((content, hash))
                });
                let (content, now) = read.await.context("a thread")??;
                if now != hash {
                    bail!("it has changed while the tournament was running");
                }
                let content = Arc::new(content);
                *sent = Arc::downgrade(&content);
                content
            }
        };
        Ok(Bytes::from_owner(Shared(content)))
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn answers_at_the_same_time_share_a_content() {
        let folder = grandstand_testing::Folder::new();
        folder.file("engine", "#!/bin/sh\n");
        let hash = sha256("#!/bin/sh\n");
        let file = PinnedFile { path: folder.join("engine"), sent: Mutex::default() };
        let contents =
            Contents { by_hash: BTreeMap::from([(hash.clone(), Content::File(file))]), players: Vec::new() };
        let get = async || contents.get(&hash).await.unwrap();
        let (first, second) = (get().await.unwrap(), get().await.unwrap());
        assert_eq!(first.as_ptr(), second.as_ptr());
        // Nothing is kept once all are sent, and a file that has changed is no longer handed out.
        drop((first, second));
        folder.file("engine", "#!/bin/bash\n");
        assert!(
            format!("{:#}", get().await.unwrap_err())
                .ends_with("it has changed while the tournament was running")
        );
        assert!(contents.get("another").await.is_none());
    }
}
