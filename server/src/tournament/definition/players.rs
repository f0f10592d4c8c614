//! Players from file patterns, and default names of players.

use std::path::Path;

use grandstand_protocol::Game;

use crate::player_text::{command_words, is_program_file};

/// Maximum number of files of one pattern.
const MAX_FILES: usize = 1024;
/// Maximum number of characters of a name.
const MAX_NAME: usize = 64;

/// The files that a pattern such as `bots/*.cl` matches, sorted by name; a text without `*` is returned as it is. A
/// star stands for any part of a file's name, not of a directory's.
///
/// # Errors
/// If no file matches; the message is the error.
pub(super) fn matching(pattern: &str) -> Result<Vec<String>, String> {
    if !pattern.contains('*') {
        return Ok(vec![pattern.to_owned()]);
    }
    let (directory, name) =
        pattern.rsplit_once('/').map_or((None, pattern), |(directory, name)| (Some(directory), name));
    if directory.is_some_and(|directory| directory.contains('*')) {
        return Err(format!("{pattern}: a star stands in the last part of a path only"));
    }
    let entries = Path::new(directory.unwrap_or(".")).read_dir();
    let entries = entries.map_err(|error| format!("{pattern}: can't read the directory: {error}"))?;
    let mut files: Vec<String> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let file = entry.file_name().into_string().ok()?;
            let hidden = file.starts_with('.') && !name.starts_with('.');
            (!hidden && fits(name, &file) && entry.path().is_file()).then_some(file)
        })
        .collect();
    if files.is_empty() {
        return Err(format!("{pattern}: there is no such file"));
    }
    if files.len() > MAX_FILES {
        return Err(format!("{pattern}: {} files are more than {MAX_FILES}", files.len()));
    }
    files.sort_unstable();
    let Some(directory) = directory else { return Ok(files) };
    Ok(files.into_iter().map(|file| format!("{directory}/{file}")).collect())
}

/// Whether a name matches a pattern, in which `*` stands for any text.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = name.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    // Without a star the name must be consumed completely.
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.len() >= last.len() && rest.ends_with(last)
}

/// The default name of a player: a program's file without directory and extension, or else the specification.
pub(super) fn name_of(game: Game, play: &str) -> String {
    if is_program_file(game, play) {
        return stem(play);
    }
    // For a command, the last word that is a file.
    let words = command_words(play).unwrap_or_default();
    let file = words.iter().rev().find(|word| Path::new(word).is_file());
    file.map_or_else(|| play.to_owned(), |file| stem(file))
}

/// The last part of a path without its extension.
pub(super) fn stem(path: &str) -> String {
    Path::new(path).file_stem().map_or_else(|| path.to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// Checks a player's name.
///
/// # Errors
/// The reason, in words.
pub(super) fn check_name(name: &str) -> Result<(), String> {
    if name.is_empty() || name.chars().count() > MAX_NAME {
        return Err(format!("a player's name has 1 to {MAX_NAME} characters, not {}", name.chars().count()));
    }
    if name.trim() != name || name.chars().any(char::is_control) {
        return Err(format!(
            "{name:?} is no name: it begins or ends with a blank, or has a control character"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, name) in
            [("*", ""), ("*.cl", "a.cl"), ("a*b*c", "abc"), ("a*b*c", "a1b2b3c"), ("ab", "ab")]
        {
            assert!(fits(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("*.cl", "a.clx"), ("a*a", "a"), ("a*b*c", "acb"), ("ab", "abc"), ("", "a")] {
            assert!(!fits(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn programs_are_called_by_their_files() {
        assert_eq!(name_of(Game::Abalone, "bots/team a.cl"), "team a");
        assert_eq!(name_of(Game::Gomoku, "search:nodes=9"), "search:nodes=9");
        assert_eq!(name_of(Game::Gomoku, "engine:grandstand brain"), "engine:grandstand brain");
    }
}
