//! Contents of the players at a worker: fetched once, checked against their hashes, and kept while the worker runs.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context as _, bail};
use grandstand_matches::bundle::unbundle;
use grandstand_players::sandbox::{join, split};

use super::contents::hash_of;
use super::job::{FileData, PlayerData};
use crate::cli::play::description::Programs;
use crate::locked::Locked as _;

/// Greatest size of all bundles in memory.
const BUNDLES_BYTES: usize = 256 << 20;

/// The contents at a worker. Files lie in a directory of their own, which is removed with this.
#[derive(Debug)]
pub(super) struct Cache {
    directory: PathBuf,
    bundles: Mutex<BTreeMap<String, String>>,
    /// Held while a file is fetched and written, so that each is fetched once.
    files: Mutex<()>,
}

impl Cache {
    /// An empty cache, with a directory in the system's temporary directory.
    ///
    /// # Errors
    /// If the directory can't be created.
    pub(super) fn new() -> io::Result<Self> {
        let name = format!("grandstand-worker-{}-{:016x}", std::process::id(), getrandom::u64()?);
        let directory = std::env::temp_dir().join(name);
        std::fs::create_dir(&directory)?;
        // Engines may run as another user, who may read what they are made of and nothing else.
        open_to_read(&directory, 0o711)?;
        Ok(Self { directory, bundles: Mutex::default(), files: Mutex::default() })
    }

    /// The program of a player, if it has one in the game's language; `fetch` gets a content by its hash.
    ///
    /// # Errors
    /// If it can't be fetched, is not what its hash says, or does not load.
    pub(super) fn program(
        &self,
        player: &PlayerData,
        programs: &mut Programs,
        fetch: impl Fn(&str) -> anyhow::Result<Vec<u8>>,
    ) -> anyhow::Result<()> {
        let Some(hash) = &player.program else { return Ok(()) };
        let known = self.bundles.locked().get(hash).cloned();
        let text = match known {
            Some(text) => text,
            None => {
                let text =
                    String::from_utf8(checked(hash, fetch(hash)?)?).context("the program is no text")?;
                let mut bundles = self.bundles.locked();
                if bundles.values().map(String::len).sum::<usize>() + text.len() > BUNDLES_BYTES {
                    bundles.clear();
                }
                bundles.insert(hash.clone(), text.clone());
                text
            }
        };
        programs.insert(player.play.clone(), unbundle(&text).with_context(|| player.play.clone())?);
        Ok(())
    }

    /// The specification of a player, in which the words that name files name those in the cache.
    ///
    /// # Errors
    /// If a file can't be fetched, is not what its hash says, or can't be written.
    pub(super) fn play(
        &self,
        player: &PlayerData,
        fetch: impl Fn(&str) -> anyhow::Result<Vec<u8>>,
    ) -> anyhow::Result<String> {
        let Some((kind, command)) = player.play.split_once(':').filter(|_| !player.files.is_empty()) else {
            return Ok(player.play.clone());
        };
        let mut words = split(command)?;
        for word in &mut words {
            if let Some(file) = player.files.iter().find(|file| file.word == *word) {
                *word = self.file(file, &fetch)?.to_string_lossy().into_owned();
            }
        }
        Ok(format!("{kind}:{}", join(&words)))
    }

    /// Path of a file, in a directory in which nothing else lies.
    fn file(
        &self,
        file: &FileData,
        fetch: impl Fn(&str) -> anyhow::Result<Vec<u8>>,
    ) -> anyhow::Result<PathBuf> {
        let name = Path::new(&file.word).file_name();
        let name = name.with_context(|| format!("{} is no name of a file", file.word))?;
        let around = self.directory.join(&file.sha256);
        let path = around.join(name);
        let _one_at_a_time = self.files.locked();
        if path.is_file() {
            return Ok(path);
        }
        let content = checked(&file.sha256, fetch(&file.sha256)?)?;
        let write = || -> io::Result<()> {
            std::fs::create_dir_all(&around)?;
            open_to_read(&around, 0o755)?;
            let part = self.directory.join("part");
            std::fs::write(&part, content)?;
            open_to_read(&part, if file.executable { 0o755 } else { 0o644 })?;
            std::fs::rename(&part, &path)
        };
        write().with_context(|| format!("can't write {}", path.display()))?;
        Ok(path)
    }
}

impl Drop for Cache {
    fn drop(&mut self) {
        // A directory that can't be removed is left to the cleaning of the temporary directory.
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

fn checked(hash: &str, content: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    if hash_of(&content) != hash {
        bail!("what was fetched is not what its hash says");
    }
    Ok(content)
}

#[cfg(unix)]
fn open_to_read(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn open_to_read(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn command(word: &str, content: &str) -> PlayerData {
        let file = FileData {
            word: word.to_owned(),
            sha256: hash_of(content.as_bytes()),
            bytes: content.len() as u64,
            executable: true,
        };
        PlayerData { play: format!("engine:sh '{word}' --fast"), program: None, files: vec![file] }
    }

    #[test]
    fn a_file_is_fetched_once_and_the_command_names_it() {
        let cache = Cache::new().unwrap();
        let fetched = Cell::new(0);
        let fetch = |_: &str| {
            fetched.set(fetched.get() + 1);
            Ok(b"#!/bin/sh\n".to_vec())
        };
        let player = command("../my bots/a.sh", "#!/bin/sh\n");
        let play = cache.play(&player, fetch).unwrap();
        assert_eq!(cache.play(&player, fetch).unwrap(), play);
        assert_eq!(fetched.get(), 1);
        let words = split(play.strip_prefix("engine:").unwrap()).unwrap();
        assert_eq!((&*words[0], &*words[2]), ("sh", "--fast"));
        assert_eq!(std::fs::read_to_string(&words[1]).unwrap(), "#!/bin/sh\n");
        assert!(words[1].ends_with("/a.sh"));
        drop(cache);
        assert!(!Path::new(&words[1]).exists());
    }

    #[test]
    fn what_is_not_what_its_hash_says_is_not_used() {
        let cache = Cache::new().unwrap();
        let error = cache.play(&command("a.sh", "one"), |_| Ok(b"another".to_vec())).unwrap_err();
        assert_eq!(error.to_string(), "what was fetched is not what its hash says");
        let player = PlayerData { play: "a.cl".to_owned(), program: Some(hash_of(b"x")), files: Vec::new() };
        let error = cache.program(&player, &mut Programs::new(), |_| Ok(b"y".to_vec())).unwrap_err();
        assert_eq!(error.to_string(), "what was fetched is not what its hash says");
    }
}
