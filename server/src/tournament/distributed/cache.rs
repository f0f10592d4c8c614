//! Contents of the players at a worker: fetched once, checked against their hashes, and kept while the worker runs.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, bail};
use grandstand_matches::bundle::{sha256, unbundle};
use grandstand_players::sandbox::{join, split};

use super::job::{FileData, PlayerData};
use crate::cli::play::description::Programs;
use crate::locked::Locked as _;

/// Greatest size of all bundles in memory.
const BUNDLES_BYTES: usize = 256 << 20;
/// Interval of the checks whether a content is still wanted.
const LOOK: Duration = Duration::from_millis(50);

/// The contents at a worker. Files lie in a directory of their own, which is removed with this.
#[derive(Debug)]
pub(super) struct Cache {
    directory: PathBuf,
    bundles: Mutex<BTreeMap<String, String>>,
    /// Hashes of the contents that are being fetched, so that each is fetched once.
    fetching: Mutex<BTreeSet<String>>,
    fetched: Condvar,
}

/// Source of contents.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    /// Fetches a content by its hash.
    pub(super) fetch: &'a dyn Fn(&str) -> anyhow::Result<Vec<u8>>,
    /// Set when the content is not wanted any more.
    pub(super) stop: &'a AtomicBool,
}

/// The turn to fetch a content, given back on drop.
struct Turn<'a> {
    cache: &'a Cache,
    hash: &'a str,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.cache.fetching.locked().remove(self.hash);
        self.cache.fetched.notify_all();
    }
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
        let (bundles, fetching) = (Mutex::default(), Mutex::default());
        Ok(Self { directory, bundles, fetching, fetched: Condvar::new() })
    }

    /// Waits until nobody else fetches a content.
    ///
    /// # Errors
    /// If it is not wanted any more.
    fn turn<'a>(&'a self, hash: &'a str, stop: &AtomicBool) -> anyhow::Result<Turn<'a>> {
        let mut fetching = self.fetching.locked();
        while fetching.contains(hash) {
            if stop.load(Ordering::Relaxed) {
                bail!("abandoned");
            }
            let waited = self.fetched.wait_timeout(fetching, LOOK);
            fetching = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        fetching.insert(hash.to_owned());
        Ok(Turn { cache: self, hash })
    }

    /// The program of a player, if it has one in the game's language.
    ///
    /// # Errors
    /// If it can't be fetched, is not what its hash says, or does not load.
    pub(super) fn program(
        &self,
        player: &PlayerData,
        programs: &mut Programs,
        source: Source<'_>,
    ) -> anyhow::Result<()> {
        let Some(hash) = &player.program else { return Ok(()) };
        let known = || self.bundles.locked().get(hash).cloned();
        let mut text = known();
        let turn = if text.is_none() { Some(self.turn(hash, source.stop)?) } else { None };
        if turn.is_some() {
            // Another may have fetched it meanwhile.
            text = known();
        }
        let text = match text {
            Some(text) => text,
            None => {
                let content = checked(hash, (source.fetch)(hash)?)?;
                let text = String::from_utf8(content).context("the program is no text")?;
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
    pub(super) fn play(&self, player: &PlayerData, source: Source<'_>) -> anyhow::Result<String> {
        let Some((kind, command)) = player.play.split_once(':').filter(|_| !player.files.is_empty()) else {
            return Ok(player.play.clone());
        };
        let mut words = split(command)?;
        for word in &mut words {
            if let Some(file) = player.files.iter().find(|file| file.word == *word) {
                *word = self.file(file, source)?.to_string_lossy().into_owned();
            }
        }
        Ok(format!("{kind}:{}", join(&words)))
    }

    /// Path of a file, in a directory in which nothing else lies.
    fn file(&self, file: &FileData, source: Source<'_>) -> anyhow::Result<PathBuf> {
        let name = Path::new(&file.word).file_name();
        let name = name.with_context(|| format!("{} is no name of a file", file.word))?;
        let around = self.directory.join(&file.sha256);
        let path = around.join(name);
        if path.is_file() {
            return Ok(path);
        }
        let _turn = self.turn(&file.sha256, source.stop)?;
        if path.is_file() {
            return Ok(path);
        }
        let content = checked(&file.sha256, (source.fetch)(&file.sha256)?)?;
        let write = || -> io::Result<()> {
            std::fs::create_dir_all(&around)?;
            open_to_read(&around, 0o755)?;
            // Whole under its name, since others look for it there.
            let part = self.directory.join(format!("{}.part", file.sha256));
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
    if sha256(&content) != hash {
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
            sha256: sha256(content),
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
        let source = Source { fetch: &fetch, stop: &AtomicBool::new(false) };
        let player = command("../my bots/a.sh", "#!/bin/sh\n");
        let play = cache.play(&player, source).unwrap();
        assert_eq!(cache.play(&player, source).unwrap(), play);
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
        let stop = AtomicBool::new(false);
        let another = Source { fetch: &|_| Ok(b"another".to_vec()), stop: &stop };
        let error = cache.play(&command("a.sh", "one"), another).unwrap_err();
        assert_eq!(error.to_string(), "what was fetched is not what its hash says");
        let player = PlayerData { play: "a.cl".to_owned(), program: Some(sha256("x")), files: Vec::new() };
        let error = cache.program(&player, &mut Programs::new(), another).unwrap_err();
        assert_eq!(error.to_string(), "what was fetched is not what its hash says");
    }

    #[test]
    fn a_fetch_that_takes_long_holds_up_nobody_who_wants_something_else() {
        let (cache, stop) = (Cache::new().unwrap(), AtomicBool::new(false));
        let (slow, quick) = (command("slow", "one"), command("quick", "two"));
        let there = Source { fetch: &|_| Ok(b"two".to_vec()), stop: &stop };
        let before = cache.play(&quick, there).unwrap();
        let (begun, has_begun) = std::sync::mpsc::channel();
        let (end, ends) = std::sync::mpsc::channel::<()>();
        std::thread::scope(|scope| {
            let first = scope.spawn(|| {
                let (begun, ends) = (begun, ends);
                let fetch = |_: &str| {
                    begun.send(()).unwrap();
                    ends.recv().unwrap();
                    Ok(b"one".to_vec())
                };
                cache.play(&slow, Source { fetch: &fetch, stop: &AtomicBool::new(false) }).map(drop)
            });
            has_begun.recv().unwrap();
            assert_eq!(cache.play(&quick, there).unwrap(), before, "it is here");
            cache.play(&command("another", "two"), there).unwrap();
            // Who waits for the same is free once its game is abandoned.
            stop.store(true, Ordering::Relaxed);
            let error = cache.play(&slow, Source { fetch: &|_| panic!("it is fetched once"), stop: &stop });
            assert_eq!(error.unwrap_err().to_string(), "abandoned");
            end.send(()).unwrap();
            first.join().unwrap().unwrap();
        });
    }
}
