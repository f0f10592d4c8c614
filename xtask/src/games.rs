//! `cargo xtask games`: the number of files outside of its own folders that name a game, compared with the number in
//! `ARCHITECTURE.md`.

#![expect(clippy::print_stdout, reason = "the figures are what it is for")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, bail};

use crate::source::{Source, sources};

/// Each game with the words that name it.
const GAMES: [(&str, &[&str]); 5] = [
    ("abalone", &["abalone"]),
    ("shark", &["shark"]),
    ("fortress", &["fortress"]),
    ("stones", &["stones", "gomoku", "pente"]),
    ("riskless", &["riskless"]),
];

/// Text of the page before and after the number.
const SENTENCE: (&str, &str) = ("Outside of its own folders a new game is named in at most ", " files");

/// Prints the number of files for each game, and the files that name `chosen` too, and compares their number with the
/// sentence in `ARCHITECTURE.md`.
///
/// # Errors
///
/// If the sentence is missing or not true, or a file can't be read.
pub(crate) fn check(root: &Path, chosen: Option<&str>) -> anyhow::Result<()> {
    let sources = sources(root)?;
    let mut tables: Option<BTreeSet<&Path>> = None;
    for (game, words) in GAMES {
        let files: BTreeSet<&Path> = sources
            .iter()
            .filter(|source| {
                !source.path.starts_with("xtask") && !is_own(source, words) && is_named(source, words)
            })
            .map(|source| source.path.as_path())
            .collect();
        println!("{:>4} files name {game}", files.len());
        if chosen == Some(game) {
            files.iter().for_each(|path| println!("     {}", path.display()));
        }
        tables = Some(match tables {
            Some(tables) => tables.intersection(&files).copied().collect(),
            None => files,
        });
    }
    let tables = tables.unwrap_or_default();
    println!("{:>4} files name every game, which a new one joins:", tables.len());
    for path in &tables {
        println!("     {}", path.display());
    }
    let page = fs::read_to_string(root.join("ARCHITECTURE.md"))?;
    let said = page.split_once(SENTENCE.0).and_then(|(_, rest)| rest.split_once(SENTENCE.1));
    let said: usize =
        said.context("ARCHITECTURE.md does not say in how many files a game is named")?.0.parse()?;
    if tables.len() > said {
        bail!("ARCHITECTURE.md says at most {said} files, and it is {}", tables.len());
    }
    Ok(())
}

/// Whether a folder or file in its path has the game's name.
fn is_own(source: &Source, words: &[&str]) -> bool {
    let mut parts = source.path.iter().map(|part| part.to_string_lossy());
    parts.any(|part| words.contains(&part.trim_end_matches(".rs")))
}

/// Whether its code contains the name, also within a word.
fn is_named(source: &Source, words: &[&str]) -> bool {
    let code = source.code.to_lowercase();
    words.iter().any(|word| code.contains(word))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_on_adding_a_game_is_true() {
        super::check(crate::root(), None).unwrap();
    }
}
